"""Printed totals that a person gives, since a run found or understood none.

Comes in: what they typed for it, in plain form; the ledger. Goes out: `Total`s as if they had been read, behind the
rows or, an opening balance, ahead of them. The rows must agree with them as with any other: nothing is taken on trust.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from pipeline.decisions import Decision, Mark, Part, Value
from pipeline.ledger import Ledger, Total
from pipeline.terms import TotalKind

TOTAL = "printed total"  # the kind of mark of such a total
OF_ACCOUNTS: dict[str, TotalKind] = {
    "opening": "opening", "closing": "closing", "debits": "debits", "credits": "credits",
}  # fmt: skip
BALANCES = ("opening", "closing")
COLUMNS = ("amount", "supplier", *OF_ACCOUNTS, "page", "currency")  # what can be typed for one


def columns(ledger: Ledger) -> tuple[str, ...]:
    """What can be typed for a total of this statement: of an account its balances and sides."""
    left_out = ("amount", "supplier") if ledger.habits.is_account else tuple(OF_ACCOUNTS)
    return tuple(name for name in COLUMNS if name not in left_out)


def mark(sha256: str, part: Part) -> Mark:
    """What a total is known by: what it is of, for two people give the same one."""
    given = dict(part)
    what = given.get("supplier") or ("account" if set(OF_ACCOUNTS) & set(given) else "document")
    page = given.get("page", "")
    return Mark(sha256, TOTAL, f"{what} {given.get('currency', '')}".strip(), int(page) if page else None, None)


class Given(NamedTuple):
    """A total as a person gave it: what it is known by, what stands of what they typed, and the total."""

    mark: Mark
    part: Part
    total: Total


def totals(ledger: Ledger, made: Sequence[Decision]) -> list[Given]:
    """The totals of these decisions; of one that was given twice, the later, with what corrected it since."""
    typed: dict[Mark, dict[str, str]] = {}
    for decision in made:
        if decision.mark.kind == TOTAL and decision.action == "add":
            typed[decision.mark] = dict(decision.parts[0])
        elif decision.mark.kind == TOTAL and decision.action == "correct":
            typed[decision.mark] = typed.get(decision.mark, {}) | dict(decision.parts[0])
    parts = {mark: tuple(Value(*each) for each in values.items() if each[1]) for mark, values in typed.items()}
    return [Given(mark, part, total) for mark, part in parts.items() for total in _totals(ledger, mark, part)]


def _totals(ledger: Ledger, mark: Mark, part: Part) -> Iterator[Total]:
    given, ranks = dict(part), [posting.at for posting in ledger.postings]
    ahead, behind = min(ranks, default=0) - 1, max(ranks, default=0) + 1
    currency, supplier = given.get("currency") or ledger.habits.currency, given.get("supplier", "")
    page = int(given["page"]) if given.get("page") else mark.page or 1
    whole = Total(behind, page, "document", supplier, (), currency, True, None)
    if "amount" in given:
        kind: TotalKind = "supplier" if supplier else "document"
        yield replace(whole, kind=kind, values=(("amount", Decimal(given["amount"])),))
    for column, kind in OF_ACCOUNTS.items():
        if column in given:
            at, held_in = ahead if column == "opening" else behind, "balance" if column in BALANCES else "amount"
            yield replace(whole, at=at, kind=kind, inside=False, values=((held_in, Decimal(given[column])),))
