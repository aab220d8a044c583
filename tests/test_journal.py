"""The calls journal and the budget: replies kept, costs exact, limits that hold for calls at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import budget, journal, tokens
from pipeline.account import Account
from pipeline.journal import Call, Outcome, Spent
from pipeline.model import EngineError, UsageError
from pipeline.store import Store
from pipeline.tokens import Usage

CALL = Call("a" * 64, "rows", "d" * 64, "run1", "claude-sonnet-5-5", "1")
CENT = Decimal("0.01")


def anything(spent: Spent) -> None:
    """No limit."""


def test_a_reply_is_kept_for_equal_requests_only(tmp_path: Path) -> None:
    store = Store(tmp_path)
    number = journal.begin(store, CALL, CENT, anything)
    assert journal.kept(store, CALL.request) is None
    journal.answered(store, number, '{"a": "ж"}', Outcome(Usage(10, 5), CENT, 1.5))
    assert journal.kept(store, CALL.request) == (number, '{"a": "ж"}')
    assert journal.kept(store, "b" * 64) is None
    journal.refute(store, number, "no JSON")
    assert journal.kept(store, CALL.request) is None


def test_what_a_call_may_cost_is_set_aside_until_its_reply_says_what_it_cost(tmp_path: Path) -> None:
    store = Store(tmp_path)
    number = journal.begin(store, CALL, Decimal("0.50"), anything)
    assert journal.spent(store, CALL) == Spent(Decimal("0.5"), Decimal("0.5"), Decimal("0.5"))
    journal.answered(store, number, "{}", Outcome(Usage(1, 1), Decimal("0.000012"), 0.1))
    other = replace(CALL, sha256="e" * 64, run="run2")
    assert journal.spent(store, other) == Spent(Decimal(0), Decimal(0), Decimal("0.000012"))
    journal.failed(store, journal.begin(store, other, Decimal(1), anything), "529", Outcome())
    assert journal.total(store, "run2") == (journal.Sum(0, Usage(), Decimal(0)))
    assert [one.state for one in journal.entries(store)] == ["failed", "answered"]
    assert [one.fault for one in journal.entries(store, "e" * 64)] == ["529"]


def test_calls_at_the_same_time_do_not_break_a_limit_together(tmp_path: Path) -> None:
    store, account = Store(tmp_path), Account(run_dollars=Decimal("0.35"))

    def one(_: int) -> bool:
        try:
            journal.begin(store, CALL, Decimal("0.10"), lambda spent: budget.check(account, spent, Decimal("0.10")))
        except EngineError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(one, range(12))) == 3


@pytest.mark.parametrize("name", ["document", "run", "day"])
def test_the_limit_that_would_be_broken_is_named(name: str) -> None:
    account = replace(Account(), **{f"{name}_dollars": Decimal(1)})  # type: ignore[arg-type]
    budget.check(account, Spent(CENT, CENT, CENT), Decimal("0.99"))
    with pytest.raises(EngineError, match=f"limit of \\$1 for a {name} .* raise {name}_dollars"):
        budget.check(account, Spent(CENT, CENT, CENT), Decimal("0.9901"))


def test_the_reply_goes_with_its_document_and_its_cost_stays(tmp_path: Path, samples: Path) -> None:
    store = Store(tmp_path)
    stored = store.add_file(samples / "agreement.pdf", "agreement.pdf")
    call = replace(CALL, sha256=stored.sha256)
    journal.answered(store, journal.begin(store, call, CENT, anything), "words of it", Outcome(Usage(9), CENT))
    store.delete(stored.sha256)
    assert journal.kept(store, call.request) is None
    assert journal.spent(store, call).day == CENT
    assert b"words of it" not in (tmp_path / "store.db").read_bytes()


def test_costs_are_exact_and_dearer_for_long_requests() -> None:
    assert tokens.price("claude-sonnet-5-5").cost(Usage(1_000, 500, 200, 100)) == Decimal("0.00751")
    haiku = tokens.price("claude-haiku-5-5")
    assert haiku.cost(Usage(100_000)) == Decimal("0.01")
    assert haiku.cost(Usage(90_000, 1, 10_001)) == Decimal("0.051253125")


def test_a_model_that_is_not_in_the_list_counts_as_the_dearest() -> None:
    assert tokens.highest("anthropic.claude-haiku-5-5-v1:0").dollars == Decimal("0.10")
    found = tokens.highest("some-model")
    assert (found.dollars, found.exact) == (Decimal("4.00"), False)
    with pytest.raises(UsageError, match="has no price"):
        tokens.price("some-model")
