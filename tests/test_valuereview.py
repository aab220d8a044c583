"""Verified values in the review queue: what is asked, deciding it, and the values as people have them."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import decisions, docket, files, valuereview, valuestore, verify
from pipeline.asked import Choice
from pipeline.cli import main
from pipeline.decisions import Value
from pipeline.model import Box, Place, Source, UsageError
from pipeline.profiles import Profile
from pipeline.store import Store
from pipeline.verify import Nature, Verdict, Verified
from tests import test_verify


def verdict(
    path: list[str | int], value: str | Decimal | bool, reason: str = "", nature: Nature = "printed"
) -> Verdict:
    top = 100.0 + 20 * next((step for step in path if isinstance(step, int)), 9)
    source = Source((Place(1, Box(100, top, 160, top + 10)),), "what is printed", "missing" if reason else "exact")
    return Verdict(tuple(path), value, "review" if reason else "confirmed", reason, nature, source)


ABSENT = "it stands on no page"
FOUND = Verified(
    (
        verdict(["number"], "2025-1"),
        verdict(["items", 0, "amount"], Decimal("12.50"), ABSENT),
        verdict(["items", 1, "amount"], Decimal("70.00"), ABSENT),
        verdict(["items", 2, "description"], "Glue", "it stands on another line"),
        verdict(["paid"], True, "a person decides", "yesno"),
        verdict(["issued"], "2025-03-31", ABSENT),
    ),
    (Source((Place(1, Box(40, 300, 500, 310)),), "Nails 4.00", "exact"),),
)


@pytest.fixture
def sent(tmp_path: Path) -> tuple[Store, str]:
    store = Store(tmp_path)
    sha256 = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
    valuereview.send(store, sha256, "other tool.json", FOUND)
    return store, sha256


def decide(store: Store, target: str, action: decisions.Action, *given: str) -> valuereview.JudgedValues:
    case, whole = docket.find(docket.cases(store), target)
    after, _ = docket.decide(store, case, Choice(whole, action, docket.parts(given), "Ana"))
    assert isinstance(after.judged, valuereview.JudgedValues)
    return after.judged


def test_values_rest_in_the_store_as_they_were(sent: tuple[Store, str]) -> None:
    store, sha256 = sent
    assert valuestore.of(store, sha256, "other tool.json") == FOUND
    assert valuestore.names(store) == [(sha256, "other tool.json")]


def test_values_of_a_column_with_one_reason_are_one_question_the_dearest_first(sent: tuple[Store, str]) -> None:
    [case] = docket.cases(sent[0])
    told = [(one.cause, len(one.items), str(one.stake)) for one in case.judged.questions]
    assert told[0] == ("2 values of items.amount for one reason, of other tool.json", 2, "70.00")
    assert sorted(told[1:]) == [
        ("A line looks like a row that the values lack", 0, "0"),
        ("issued, of other tool.json", 1, "0"),
        ("items[3].description, of other tool.json", 1, "0"),
        ("paid, of other tool.json", 1, "0"),
    ]
    assert case.judged.verdict == "human_review"


def test_decided_values_keep_their_type_and_rejected_ones_are_gone(sent: tuple[Store, str]) -> None:
    store, _ = sent
    [case] = docket.cases(store)
    ids = {one.values[0].column: one.mark.id for one in case.judged.items}
    decide(store, ids["items[2].amount"], "correct", "items[2].amount=10,00")
    decide(store, ids["items[1].amount"], "approve")
    decide(store, ids["paid"], "correct", "paid=False")
    decide(store, ids["issued"], "correct", "issued=31.3.2025")
    now = decide(store, ids["items[3].description"], "reject")
    values = {one.path: (one.value, one.status) for one in now.verified.values}
    assert values == {
        ("number",): ("2025-1", "confirmed"),
        ("items", 0, "amount"): (Decimal("12.50"), "confirmed"),
        ("items", 1, "amount"): (Decimal("10.00"), "confirmed"),
        ("paid",): (False, "confirmed"),
        ("issued",): ("2025-03-31", "confirmed"),
    }
    assert [one.path for one in now.rejected] == [("items", 2, "description")]
    assert [one.kind for one in now.questions] == ["missing"]
    assert decide(store, now.questions[0].id, "approve").verdict == "auto_import"
    assert decide(store, ids["items[3].description"], "undo").verdict == "human_review"


@pytest.mark.parametrize(
    ("column", "typed", "line"),
    [
        ("items[1].amount", "ten", "“ten” is no amount"),
        ("paid", "perhaps", "neither true nor false"),
        ("issued", "soon", "no date"),
        ("items[3].description", " ", "Type the value as the page has it"),
    ],
)
def test_what_is_none_of_its_type_is_refused(sent: tuple[Store, str], column: str, typed: str, line: str) -> None:
    store, sha256 = sent
    now = valuereview.of(store, sha256, "other tool.json")
    assert now
    with pytest.raises(UsageError, match=line):
        now.checked((Value(column, typed),), "correct")


def test_another_value_at_the_same_path_is_asked_about_anew(sent: tuple[Store, str]) -> None:
    store, sha256 = sent
    now = valuereview.of(store, sha256, "other tool.json")
    assert now
    decide(store, now.marks[1].id, "approve")
    again = Verified((verdict(["items", 0, "amount"], Decimal("12.50"), ABSENT), FOUND.values[2]), ())
    assert valuereview.send(store, sha256, "other tool.json", again).verified.count("review") == 1
    other = Verified((verdict(["items", 0, "amount"], Decimal("12.60"), ABSENT),), ())
    assert valuereview.send(store, sha256, "other tool.json", other).verified.count("review") == 1


def test_the_command_lists_values(sent: tuple[Store, str], capsys: pytest.CaptureFixture[str]) -> None:
    store, _ = sent
    told = docket.list_json(docket.cases(store))
    assert [one["result"] for one in told["documents"]] == ["values"]
    assert {item["reads"][0]["text"] for item in told["questions"][0]["values"]} == {"12.50", "70.00"}
    assert json.dumps(told)


def test_the_command_verify_has_what_was_decided_of_the_values(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdf, store = test_verify.drawn(tmp_path / "invoice.pdf"), Store(home)
    given = tmp_path / "values.json"
    wrong = test_verify.changed("grossTotal", 543.40)
    given.write_text(json.dumps(wrong), encoding="utf-8")
    sha256 = store.add_file(pdf, "invoice.pdf").sha256
    valuereview.send(store, sha256, "values.json", verify.verify(files.read(pdf, Profile()), wrong))
    [question] = docket.cases(store)[0].judged.questions
    decide(store, question.id, "correct", "grossTotal=534.40")

    def total(*arguments: str) -> tuple[object, object]:
        assert main(["verify", str(pdf), str(given), "--json", *arguments]) == 0
        told = json.loads(capsys.readouterr().out)["values"]
        return next((one["value"], one["status"]) for one in told if one["path"] == ["grossTotal"])

    assert total("--as-read") == (543.4, "review")
    assert total() == (534.4, "confirmed")
