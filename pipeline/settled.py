"""A ledger with what people decided: rows corrected, rejected, split and added, totals corrected.

Comes in: a `Ledger`, the decisions that stand. Goes out: `Settled`: the ledger as people have it, which rows they
settled, and the decisions that fit nothing in it. Refuses, as UsageError, values that are no plain amount or date.
A decision on a row counts where the row stands: the same words on the same place, whichever run read them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, starmap

from pipeline import amounts, given
from pipeline.amounts import plain
from pipeline.decisions import Action, Decision, Mark, Part, Value
from pipeline.given import Given
from pipeline.ledger import FIGURES, ITEMS, Ledger, Posting, Total
from pipeline.model import Box, Cell, Check, Row, Source, UsageError, around
from pipeline.sums import MONEY, Covering

STEP = 1000  # room between two ranks for rows that are split or added
PERSON = "a person"  # names the check of what a person settled
EXTRA = ("currency",)


@dataclass(frozen=True)
class Settled:
    """The ledger after decisions. checks: by rank, of the rows that were settled; marks: by rank, what each row is
    known by (an added row by the decision's own mark); rejected: rows that are left out, with the decision; lost:
    decisions that fit no row and no total; given: totals that people gave.
    """

    ledger: Ledger
    checks: Mapping[int, Check]
    marks: Mapping[int, Mark]
    rejected: tuple[tuple[Posting, Decision], ...]
    lost: tuple[Decision, ...]
    given: tuple[Given, ...]


def plainly(column: str, text: str) -> str:
    """A typed value in plain form: 1847.00, 2025-03-31; UsageError where it is none, or can be read in two ways."""
    text = " ".join(text.split())
    if column == "page" and not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise UsageError(f"page: “{text[:40]}” is no page number. Write the number of the page that it is printed on.")
    if not text or column not in (*FIGURES, *given.OF_ACCOUNTS, "date"):
        return text
    return _date(text) if column == "date" else _figure(column, text)


def _figure(column: str, text: str) -> str:
    named = column.replace("_", " ")
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
        return plain(Decimal(text))
    read = amounts.parse(text, None)
    if read is None:
        raise UsageError(f"{named}: “{text[:40]}” is no amount. Write it as 1847.00 or -1847.00.")
    if read.ambiguous:
        raise UsageError(f"{named}: “{text[:40]}” can be read in two ways. Write it with a point: 1250.00 or 1.25.")
    return plain(read.value)


def _date(text: str) -> str:
    read = amounts.date(text, True)
    if read is None:
        raise UsageError(f"date: “{text[:40]}” is no date. Write it as 2025-03-31.")
    if read.ambiguous:
        raise UsageError(f"date: “{text[:40]}” can be read in two ways. Write it as 2025-03-31.")
    return read.iso


def columns(ledger: Ledger) -> tuple[str, ...]:
    """The columns that a person may give for a row."""
    return tuple(dict.fromkeys((*ledger.columns, *(() if ledger.habits.is_account else ITEMS), *EXTRA)))


# ---- what rows and totals are known by


def marks(ledger: Ledger, sha256: str) -> dict[int, Mark]:
    """What each row is known by, by its rank; rows without a place, by their words."""
    found: dict[int, Mark] = {}
    seen: Counter[Mark] = Counter()
    for posting in ledger.postings:
        boxes = [place.box for cell in posting.cells for place in cell.source.places if place.page == posting.page]
        words = "" if boxes else " ".join(cell.source.quote for cell in posting.cells)
        mark = Mark(sha256, "row", words, posting.page, around(boxes) if boxes else None)
        seen[mark] += 1
        found[posting.at] = replace(mark, field=f"{words} #{seen[mark]}") if seen[mark] > 1 else mark
    return found


def total_of(ledger: Ledger, covering: Covering) -> Total | None:
    """The printed total that a sum is held against, where it is one alone."""
    scope = covering.scope
    same = [
        total
        for total in ledger.totals
        if (total.page, total.currency) == (scope.page, scope.currency) and total.value(*MONEY) == scope.printed
    ]
    return same[0] if len(same) == 1 else None


def sum_mark(ledger: Ledger, covering: Covering, sha256: str) -> Mark:
    """What a sum is known by: what it covers, and where its total is printed."""
    scope = covering.scope
    total = total_of(ledger, covering)
    field = " ".join(filter(None, (scope.scope, scope.name, scope.currency)))
    return Mark(sha256, "total", field, scope.page, total.box if total else None)


# ---- decisions applied


def brought(decision: Decision) -> tuple[Mark, ...]:
    """What the rows are known by that a split or an added row brought: each can be decided by itself."""
    mark, base = decision.mark, f"{decision.mark.field} {decision.action} {decision.sequence}".strip()
    match decision.action:
        case "split":
            return tuple(replace(mark, kind="row", field=f"{base}.{n}") for n in range(1, len(decision.parts) + 1))
        case "add":
            return (replace(mark, kind="row", field=base),)
    return ()


def idle(made: Sequence[Decision], standing: Mapping[str, Sequence[Decision]]) -> set[str]:
    """The ids of rows that splits and additions brought which were taken back: what was said of those waits."""
    found: set[str] = set()
    for decision in made:
        if decision.mark.id in found or decision not in standing.get(decision.mark.id, ()):
            found |= {mark.id for mark in brought(decision)}
    return found


def apply(ledger: Ledger, known: Mapping[str, int], standing: Mapping[str, Sequence[Decision]]) -> Settled:
    """The ledger with the decisions that stand, by finding; `known`: the ranks of rows and totals by their finding."""
    wide = replace(
        ledger,
        postings=tuple(replace(posting, at=posting.at * STEP) for posting in ledger.postings),
        totals=tuple(replace(total, at=total.at * STEP) for total in ledger.totals),
    )
    by_rank = {known[finding] * STEP: made for finding, made in standing.items() if finding in known}
    work = _Work(wide, {finding: made for finding, made in standing.items() if finding not in known})
    for posting in wide.postings:
        work.row(posting, by_rank.get(posting.at, ()))
    for decision in work.left("add"):
        if decision.mark.kind != given.TOTAL and decision.mark.id in work.waiting:
            work.append(decision)
    totals = tuple(_total(total, by_rank.get(total.at, ())) for total in wide.totals)
    return work.done(totals, given.totals(wide, [*work.left("add"), *work.left("correct")]))


@dataclass(frozen=True)
class _Became:
    """A row as people have it, what it is known by, and the decision that made it so; None for both: as it was read."""

    posting: Posting
    mark: Mark | None
    decision: Decision | None


class _Work:
    """Collects the rows of the ledger as people have them. waiting: decisions on what stands in no ledger, by finding:
    on rows that other decisions brought, and on what is not there any more.
    """

    def __init__(self, ledger: Ledger, waiting: Mapping[str, Sequence[Decision]]) -> None:
        self.ledger = ledger
        self.waiting = dict(waiting)
        self.postings: list[Posting] = []
        self.checks: dict[int, Check] = {}
        self.marks: dict[int, Mark] = {}
        self.rejected: list[tuple[Posting, Decision]] = []

    def left(self, action: Action) -> list[Decision]:
        """The decisions of one action that wait."""
        return [one for one in chain.from_iterable(self.waiting.values()) if one.action == action]

    def row(self, posting: Posting, made: Sequence[Decision]) -> None:
        self._put(self._became(_Became(posting, None, None), made), posting.at)

    def append(self, decision: Decision) -> None:
        """A row that was added where none stands: below the rows above it, or behind those of its page."""
        mark = decision.mark
        page, box = mark.page or 1, mark.box if mark.kind == "line" else None
        top = box.top if box else float("inf")
        above = [one for one in self.postings if (one.page, one.box.top) <= (page, top)]
        last = max(above, key=lambda one: one.at, default=None)
        group = last if last and last.page == page else None
        at = (last.at if last else 0) + STEP // 2 + decision.sequence
        nothing = Posting(at, page, NOWHERE, (), (), "", self.ledger.habits.currency, None)
        added = replace(_added(group or nothing, decision), page=page, box=box or NOWHERE)
        self._put(self._brought(decision, [added]), at)

    def _became(self, row: _Became, made: Sequence[Decision]) -> Iterator[_Became]:
        """What people made of a row: itself, the parts of its split, or nothing; then the rows added behind it."""
        on_row = [decision for decision in made if decision.action != "add"]
        split = next((decision for decision in reversed(on_row) if decision.action == "split"), None)
        corrected = _corrected(row.posting, on_row)
        if on_row and on_row[-1].action == "reject":
            self.rejected.append((row.posting, on_row[-1]))
        elif split:
            yield from self._brought(split, [_revalued(corrected, part) for part in split.parts])
        else:
            last = on_row[-1] if on_row else None
            yield _Became(corrected, row.mark or (last.mark if last else None), last or row.decision)
        for decision in made:
            if decision.action == "add":
                yield from self._brought(decision, [_added(row.posting, decision)])

    def _brought(self, decision: Decision, rows: Sequence[Posting]) -> Iterator[_Became]:
        """The rows that a decision brought, with what was said of each."""
        for mark, posting in zip(brought(decision), rows, strict=True):
            yield from self._became(_Became(posting, mark, decision), self.waiting.pop(mark.id, ()))

    def _put(self, rows: Iterable[_Became], at: int) -> None:
        for number, row in enumerate(rows):
            self.postings.append(replace(row.posting, at=at + number))
            if row.decision:
                self.checks[at + number] = Check(PERSON, "passed", row.decision.told)
            if row.mark:
                self.marks[at + number] = row.mark

    def done(self, totals: tuple[Total, ...], more: Sequence[Given]) -> Settled:
        rows = tuple(sorted(self.postings, key=lambda posting: posting.at))
        ledger = replace(self.ledger, postings=rows, totals=(*totals, *(one.total for one in more)))
        waiting = chain.from_iterable(self.waiting.values())
        lost = tuple(one for one in waiting if one.action != "add" and one.mark.kind != given.TOTAL)
        return Settled(ledger, self.checks, self.marks, tuple(self.rejected), lost, tuple(more))


NOWHERE = Box(0.0, 0.0, 0.0, 0.0)


def _corrected(posting: Posting, made: Sequence[Decision]) -> Posting:
    """The row with all corrections on each other; as it was read where nothing was said of it."""
    merged: dict[str, str] = {}
    for decision in made:
        if decision.action == "correct":
            merged |= dict(decision.parts[0])
    return _revalued(posting, tuple(starmap(Value, merged.items()))) if made else posting


def _revalued(posting: Posting, part: Part) -> Posting:
    """The row with a person's values in place of those read; nothing speaks against it any more."""
    typed = dict(part)
    cells = {cell.column: cell for cell in posting.cells}
    if "amount" not in typed and {"debit", "credit"} & set(typed):
        typed["amount"] = _of_sides(cells, typed)
    elif "amount" in typed and {"debit", "credit"} & set(cells):
        typed |= _sides(typed["amount"])
    for column, value in typed.items():
        if value:
            cells[column] = _valued(column, value, cells.get(column))
        else:
            cells.pop(column, None)
    return replace(
        posting,
        cells=tuple(cells.values()),
        supplier=cells["supplier"].value if "supplier" in cells else posting.supplier,
        currency=typed.get("currency") or posting.currency,
        amount=_number(cells, "amount"),
        quantity=_number(cells, "quantity"),
        unit_price=_number(cells, "unit_price"),
        balance=_number(cells, "balance"),
        inherits=tuple(name for name in posting.inherits if name not in typed),
        reasons=(),
    )


def _valued(column: str, value: str, read: Cell | None) -> Cell:
    """What a person typed stands where the cell was read; its quote stays what was read there."""
    if read is None:
        return Cell(column, value, Source((), value, "missing"))
    return read if read.value == value else Cell(column, value, replace(read.source, match="missing"))


def _of_sides(cells: Mapping[str, Cell], typed: Mapping[str, str]) -> str:
    """credit − debit, as an account's amount is signed."""
    read = {name: typed.get(name, cells[name].value if name in cells else "") for name in ("debit", "credit")}
    if read["debit"]:
        return plain(-abs(Decimal(read["debit"])))
    return read["credit"]


def _sides(amount: str) -> dict[str, str]:
    value = Decimal(amount or "0")
    return {"debit": plain(-value) if value < 0 else "", "credit": plain(value) if value > 0 else ""}


def _number(cells: Mapping[str, Cell], column: str) -> Decimal | None:
    value = cells[column].value if column in cells else ""
    return Decimal(value) if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value) else None


def _added(beside: Posting, decision: Decision) -> Posting:
    """A row that the page has and the run lacks, in the group of the row that it stands behind."""
    group = tuple(cell for cell in beside.cells if cell.column == "supplier")
    bare = Posting(beside.at, beside.page, NOWHERE, (), group, beside.supplier, beside.currency, None)
    return _revalued(bare, decision.parts[0])


# ---- totals


def _total(total: Total, made: Sequence[Decision]) -> Total:
    """A printed total as a person reads it."""
    for decision in made:
        if decision.action == "correct":
            value = Decimal(dict(decision.parts[0])["amount"])
            column = next((name for name, _ in total.values if name in MONEY), "amount")
            total = replace(total, values=tuple({**dict(total.values), column: value}.items()))
    return total


def decided_by(row: Row) -> str:
    """Who settled a row, and when; empty where nobody did."""
    return next((check.detail for check in row.checks if check.check == PERSON), "")


def values(posting: Posting) -> Part:
    """The row's values, column by column."""
    return tuple(Value(cell.column, cell.value) for cell in posting.cells)
