"""Which printed headings name the supplier of the rows below them, and whose subtotals are.

Comes in: an engine's items in reading order. Goes out: for each item the heading that holds for it; the same items with
totals that name a supplier told apart from other lines. A heading holds only where something confirms it: a label, a
subtotal with its name, or the order of heading, rows and subtotal over all groups; others are handed over as doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline import terms
from pipeline.engine import Item, RawHeading, RawLine, RawRow, RawTotal


def above(items: Sequence[Item]) -> list[RawHeading | None]:
    """For each item the confirmed heading above it."""
    names = {terms.plainly(heading.name) for heading in confirmed(items)}
    found: list[RawHeading | None] = []
    heading = None
    for item in items:
        if isinstance(item, RawHeading) and terms.plainly(item.name) in names:
            heading = item
        found.append(heading)
    return found


def confirmed(items: Sequence[Item]) -> list[RawHeading]:
    """The headings that name suppliers: by their label, by the names of subtotals, by the order of groups."""
    headings = [item for item in items if isinstance(item, RawHeading)]
    if any(heading.labelled for heading in headings):
        return [heading for heading in headings if heading.labelled]
    subtotals = [item for item in items if isinstance(item, RawTotal) and item.kind == "supplier"]
    named = {terms.plainly(total.name) for total in subtotals}
    by_name = [heading for heading in headings if terms.plainly(heading.name) in named]
    bold = [heading for heading in headings if heading.stands_out]
    groups = {terms.plainly(heading.name) for heading in bold}
    by_order = bold if 2 <= len(groups) <= len(subtotals) and _each_begun(items) else _Groups().of(items)
    whole = {terms.plainly(heading.name) for heading in by_name} <= {terms.plainly(one.name) for one in by_order}
    return by_order if whole else by_name  # some subtotals may leave their name out


def _each_begun(items: Sequence[Item]) -> bool:
    """Whether a heading that stands out is above the first row after each subtotal."""
    begun = False
    for item in items:
        match item:
            case RawHeading():
                begun = begun or item.stands_out
            case RawRow() if not begun and not item.goes_on:
                return False
            case RawTotal(kind="supplier"):
                begun = False
    return True


def doubtful(items: Sequence[Item]) -> list[RawHeading]:
    """Headings that may name suppliers, though nothing confirms it."""
    if all(_has_supplier(item) for item in items if isinstance(item, RawRow)):
        return []
    sure = confirmed(items)
    if any(heading.labelled for heading in sure):
        return _topmost(items)
    names = {terms.plainly(heading.name) for heading in sure}
    opening = {id(heading) for heading in _opening(items)}
    return [
        item
        for item in items
        if isinstance(item, RawHeading)
        and terms.plainly(item.name) not in names
        and (id(item) in opening or (item.stands_out and not sure))
    ]


def _topmost(items: Sequence[Item]) -> list[RawHeading]:
    """The headings without a label that begin a page: words that go on from the page before look the same."""
    firsts = [below for above, below in pairwise(items) if above.page != below.page]
    return [item for item in firsts if isinstance(item, RawHeading) and not (item.labelled or item.stands_out)]


def _has_supplier(row: RawRow) -> bool:
    return any(quote.column == "supplier" for quote in row.quotes)


def _opening(items: Sequence[Item]) -> list[RawHeading]:
    """The headings right above the first row of the table, or above the first row after a subtotal."""
    if not any(isinstance(item, RawTotal) and item.kind == "supplier" for item in items):
        return []
    found = []
    ended = True
    for item, following in pairwise(items):
        if ended and isinstance(item, RawHeading) and isinstance(following, RawRow):
            found.append(item)
        if isinstance(item, RawRow):
            ended = False
        elif isinstance(item, RawTotal) and item.kind == "supplier":
            ended = True
    return found


@dataclass
class _Groups:
    """Headings by the order of things: each group is a heading, rows, and a subtotal; two groups at least."""

    waiting: RawHeading | None = None  # the last heading since a row or a subtotal
    current: RawHeading | None = None
    whole: bool = True

    def of(self, items: Sequence[Item]) -> list[RawHeading]:
        """The first heading of each group; none where the order is broken anywhere."""
        found = []
        for item in items:
            match item:
                case RawHeading():
                    self.waiting = item
                case RawRow() if not item.goes_on:
                    self._row(item)
                case RawTotal(kind="supplier"):
                    found += [self.current] if self.current else []
                    self.whole = self.whole and self.current is not None
                    self.waiting = self.current = None
        names = {terms.plainly(heading.name) for heading in found}
        return found if self.whole and self.current is None and len(names) >= 2 else []

    def _row(self, row: RawRow) -> None:
        if self.current is None:
            self.current = self.waiting
            self.whole = self.whole and self.waiting is not None
        self.waiting = None


def told_apart(items: Sequence[Item]) -> list[Item]:
    """The items with `Total Norvik` as that supplier's subtotal where a heading or a row names it, else as a line.

    A balance from before (`Saldo anterior`) that is the sum which the page before carried is brought forward.
    """
    carried = {_sums(item) for item in items if isinstance(item, RawTotal) and item.kind in ("carried", "carry")}
    named = {terms.plainly(item.name) for item in items if isinstance(item, RawHeading)}
    for item in items:
        if isinstance(item, RawRow):
            named |= {terms.plainly(quote.text) for quote in item.quotes if quote.column == "supplier"}
    return [_told_apart(item, named, carried) if isinstance(item, RawTotal) else item for item in items]


def _sums(total: RawTotal, since: int = 0) -> tuple[int, frozenset[tuple[str, str]]]:
    """The page of a total, less `since`, and its figures as printed, by column."""
    return total.page - since, frozenset((quote.column, quote.text) for quote in total.quotes)


def _told_apart(total: RawTotal, named: set[str], carried: set[tuple[int, frozenset[tuple[str, str]]]]) -> Item:
    if total.kind == "opening" and total.quotes and _sums(total, 1) in carried:
        return replace(total, kind="brought")
    if total.kind != "total" or not total.name:
        return total
    if terms.plainly(total.name) in named:
        return replace(total, kind="supplier")
    figures = " ".join(quote.text for quote in total.quotes)
    return RawLine(total.page, f"{total.label} {figures}", total.box)
