"""A simulation of a reader that errs: what long calls do to a model, done on purpose to any engine.

Comes in: an engine and a `Simulation`. Goes out: a `RowReader` whose rows are wrong here and there, and a list of what
was done. For evaluation and tests only: its name begins with `simulation`, and nothing else in the pipeline makes one.
The chance of a fault follows a curve over the position in the call; equal seeds give equal faults. Refuses, as
UsageError, a curve that is empty or leaves 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Literal, get_args

from pipeline.engine import (
    Excerpt,
    Found,
    Item,
    Quote,
    RawHeading,
    RawRow,
    RowReader,
    Summary,
    Wanted,
)
from pipeline.model import Box, UsageError

Usual = Literal["drop", "alter", "merge", "duplicate", "invent", "supplier", "currency", "shift"]
FaultKind = Literal[Usual, "digit", "transpose", "sign", "page"]
USUAL: tuple[FaultKind, ...] = get_args(Usual)
KINDS: tuple[FaultKind, ...] = get_args(FaultKind)  # page: all rows of one are left out
MIDDLE = (0.0, 0.05, 0.15, 0.05, 0.0)  # worst in the middle of a call
MONEY = ("amount", "debit", "credit")


@dataclass(frozen=True)
class Simulation:
    """What goes wrong and how often. curve: the chance of a fault for each row, at even steps from the call's first row
    to its last. pages: only on these (empty: on all). most: no more faults than this in all, and this many where there
    are rows enough; the curve then says only where they fall. stubborn: a line is misread the same way each time.
    """

    kinds: tuple[FaultKind, ...] = USUAL
    seed: int = 0
    curve: tuple[float, ...] = MIDDLE
    pages: frozenset[int] = frozenset()
    most: int | None = None
    stubborn: bool = True

    def __post_init__(self) -> None:
        if not self.curve or not all(0 <= rate <= 1 for rate in self.curve):
            raise UsageError("the simulation's curve needs rates from 0 to 1, such as 0, 0.1, 0.3, 0.1, 0")

    def rate(self, position: float) -> float:
        """The chance of a fault at a position from 0 (the call's first row) to 1 (its last)."""
        at = position * (len(self.curve) - 1)
        low = min(int(at), len(self.curve) - 1)
        high = min(low + 1, len(self.curve) - 1)
        return self.curve[low] + (self.curve[high] - self.curve[low]) * (at - low)


@dataclass(frozen=True)
class Injected:
    """A fault that was made: on which page, to which row, and what was given instead."""

    kind: FaultKind
    page: int
    before: str
    after: str


@dataclass
class FaultyReader:
    """An engine with the faults of a simulation over another engine's rows; clauses and answers are the other's own."""

    inner: RowReader
    simulation: Simulation
    injected: list[Injected] = field(default_factory=list)
    _known: dict[tuple[int, Box], tuple[Item, ...]] = field(default_factory=dict, repr=False)
    _suppliers: list[str] = field(default_factory=list, repr=False)
    _calls: int = 0

    @property
    def name(self) -> str:
        return f"simulation of faults over {self.inner.name}"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        found = self.inner.rows(excerpt, columns, summary)
        self._calls += 1
        items = list(found.items)
        self._suppliers += [
            item.name
            for item in items
            if isinstance(item, RawHeading) and item.labelled and item.name not in self._suppliers
        ]
        instead = {at: known for at, item in enumerate(items) if (known := self._again(item)) is not None}
        rng = Random(f"{self.simulation.seed}:{self._calls}")
        for at in self._chosen(items, rng):
            if instead.keys().isdisjoint({at, at + 1}):
                instead |= self._fault(items, at, rng, summary.supplier)
        kept = [new for at, item in enumerate(items) for new in instead.get(at, (item,))]
        return replace(found, items=tuple(kept))

    def _again(self, item: Item) -> tuple[Item, ...] | None:
        """What a line was misread as in an earlier call."""
        if not self.simulation.stubborn or item.box is None:
            return None
        return self._known.get((item.page, item.box))

    def _chosen(self, items: Sequence[Item], rng: Random) -> list[int]:
        """Which items are misread in this call, in reading order."""
        rows = [at for at, item in enumerate(items) if isinstance(item, RawRow) and not item.goes_on]
        rates = [self.simulation.rate(rank / max(1, len(rows) - 1)) for rank in range(len(rows))]
        wanted = self.simulation.pages
        may = [(at, rate) for at, rate in zip(rows, rates, strict=True) if not wanted or items[at].page in wanted]
        if self.simulation.most is None:
            return [at for at, rate in may if rng.random() < rate]
        left = self.simulation.most - len(self.injected)
        drawn = sorted(may, key=lambda each: -(rng.random() ** (1 / (each[1] + 0.001))))
        return sorted(at for at, _ in drawn[: max(0, left)])

    def _fault(self, items: Sequence[Item], at: int, rng: Random, supplier: str) -> dict[int, tuple[Item, ...]]:
        """What the reader gives instead of the item, and of the next one where two are merged; supplier: the one that
        the call began with.
        """
        row = items[at]
        assert isinstance(row, RawRow)
        kind = rng.choice(self.simulation.kinds)
        instead: dict[int, tuple[Item, ...]] = {}
        match kind:
            case "drop":
                instead = {at: ()}
            case "duplicate":
                instead = {at: (row, row)}
            case "invent":
                instead = {at: (row, _invented(row, rng))}
            case "merge":
                instead = _merged(items, at)
            case "alter":
                instead = {at: (_altered(row, rng),)}
            case "currency":
                instead = {at: (_in_other_currency(row),)}
            case "shift":
                instead = {at: (_shifted(row),)}
            case "digit":
                instead = {at: (_in_money(row, lambda text: _other_digit(text, rng)),)}
            case "transpose":
                instead = {at: (_in_money(row, _transposed),)}
            case "sign":
                instead = {at: (_in_money(row, _other_sign),)}
            case "page":
                instead = {n: () for n, one in enumerate(items) if isinstance(one, RawRow) and one.page == row.page}
            case "supplier":
                instead = {at: (self._elsewhere(row, _own(items[: at + 1], supplier), rng),)}
        changed = {place: new for place, new in instead.items() if new != (items[place],)}
        if changed:
            after = [text for new in changed.values() for item in new for text in [_text(item)]]
            self.injected.append(Injected(kind, row.page, _text(row), " | ".join(after)))
        for place, new in changed.items():
            box = items[place].box
            if box is not None:
                self._known[items[place].page, box] = new
        return changed

    def _elsewhere(self, row: RawRow, own: str, rng: Random) -> RawRow:
        """The row under the name of another supplier than its own."""
        others = [name for name in self._suppliers if name != own]
        name = rng.choice(others) if others else f"{own} & Sons"
        rest = tuple(quote for quote in row.quotes if quote.column != "supplier")
        return replace(row, quotes=(Quote("supplier", name), *rest))


def _own(items: Sequence[Item], supplier: str) -> str:
    """The supplier of the last of `items`: in its row, else of the last labelled heading, else the call's first."""
    row = items[-1]
    printed = [quote.text for quote in row.quotes if quote.column == "supplier"] if isinstance(row, RawRow) else []
    above = [item.name for item in items if isinstance(item, RawHeading) and item.labelled]
    return next(iter([*printed, *above[::-1]]), supplier)


def _text(item: Item) -> str:
    return " ".join(quote.text for quote in item.quotes) if isinstance(item, RawRow) else str(item)


def _with(row: RawRow, column: str, text: str) -> RawRow:
    """The row with another text in a column, at the same place."""
    return replace(row, quotes=tuple(replace(q, text=text) if q.column == column else q for q in row.quotes))


def _other_digit(text: str, rng: Random) -> str:
    """The text with one digit, or letter where it has none, that differs."""
    places = [at for at, c in enumerate(text) if c.isdigit()] or [at for at, c in enumerate(text) if c.isalpha()]
    at = rng.choice(places or [0])
    other = rng.choice([c for c in ("123456789" if text[at].isdigit() else "aeinrst") if c != text[at]])
    return text[:at] + other + text[at + 1 :]


def _altered(row: RawRow, rng: Random) -> RawRow:
    quote = rng.choice(row.quotes)
    return _with(row, quote.column, _other_digit(quote.text, rng))


def _in_money(row: RawRow, change: Callable[[str], str]) -> RawRow:
    """The row with its amount changed."""
    quote = next((quote for quote in row.quotes if quote.column in MONEY), None)
    return _with(row, quote.column, change(quote.text)) if quote else row


def _transposed(text: str) -> str:
    """The text with the first two neighbouring digits that differ the other way round."""
    at = next((at for at, (a, b) in enumerate(pairwise(text)) if a != b and (a + b).isdigit() and b != "0"), None)
    return text if at is None else text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _other_sign(text: str) -> str:
    """The text with a minus, or without one."""
    bare = text.strip("-−()").strip()
    return bare if bare != text else f"-{text}"


def _invented(row: RawRow, rng: Random) -> RawRow:
    """A row like another one that stands nowhere on the page."""
    quotes = tuple(Quote(quote.column, _other_digit(quote.text, rng)) for quote in row.quotes)
    return RawRow(row.page, quotes)


def _merged(items: Sequence[Item], at: int) -> dict[int, tuple[Item, ...]]:
    """Two rows as one: the words of both, the figures of the second; the next item where it is a row, else none."""
    row, following = items[at], items[at + 1] if at + 1 < len(items) else None
    if not isinstance(row, RawRow) or not isinstance(following, RawRow) or following.page != row.page:
        return {at: ()}
    later = {quote.column: quote for quote in following.quotes}
    quotes = []
    for quote in row.quotes:
        other = later.get(quote.column, quote)
        if quote.column == "description":
            other = Quote(quote.column, f"{quote.text} {other.text}", (*quote.places, *other.places))
        quotes.append(other)
    return {at: (replace(row, quotes=tuple(quotes)),), at + 1: ()}


def _in_other_currency(row: RawRow) -> RawRow:
    for quote in row.quotes:
        if quote.column in MONEY:
            bare = "".join(c for c in quote.text if not c.isalpha() and c not in "€$£").strip()
            return _with(row, quote.column, f"{'EUR' if 'GBP' in quote.text else 'GBP'} {bare}")
    return row


def _shifted(row: RawRow) -> RawRow:
    """Each figure in the next column of figures, the last in the first; of a row with one, words and figure changed."""
    columns = [q.column for q in row.quotes if q.column in (*MONEY, "quantity", "unit_price", "balance")]
    if len(columns) < 2:
        columns = [quote.column for quote in row.quotes][-2:]
    following = dict(zip(columns, [*columns[1:], *columns[:1]], strict=True))
    return replace(row, quotes=tuple(replace(q, column=following.get(q.column, q.column)) for q in row.quotes))
