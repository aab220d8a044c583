"""Tables over pages and columns: pieces put together, headers that are printed again, rows that a page's end breaks.

Comes in: the `Draft`s of a document in reading order, and the lines that the ledger holds. Goes out: `Tables`: each
whole table by its rows, the row of each line, the lines of repeated headers (for the ledger), and `Table` values of
any part of the document. Nothing is lost: a line is in one row, or it is left to the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pipeline.bands import Band, Draft, Entry, merged
from pipeline.model import Place, Table, TableCell, TableRow, around

LONGEST = 40  # characters of a title
MOST_BETWEEN = 3  # lines: a heading and a note, under which a table goes on
NEAR = 8.0  # points: columns of two pieces of a table stand no further apart
CONTINUED = re.compile(r"\b(?:continued|cont'?d|fortsetzung|suite|nastavak|наставак)\b", re.IGNORECASE)
REPEATED = "header of a table, printed again where it goes on"


class Spot(NamedTuple):
    """The row that a line belongs to: the table, and the row's place in it; heads come first, from 0."""

    table: int
    row: int


@dataclass
class Whole:
    """A table while its pieces are put together."""

    draft: Draft
    heads: list[Band]
    rows: list[Band]
    last: int
    page: int

    @property
    def columns(self) -> int:
        return len(self.draft.lanes)


@dataclass(frozen=True)
class Tables:
    """The tables of a document. spots: line → row; repeated: lines of headers printed again; pages: line → page."""

    wholes: tuple[Whole, ...] = ()
    spots: Mapping[int, Spot] = field(default_factory=dict)
    repeated: frozenset[int] = frozenset()
    pages: Mapping[int, int] = field(default_factory=dict)

    @property
    def first_heads(self) -> frozenset[int]:
        """Lines of headers where they are printed first."""
        return frozenset(line for whole in self.wholes for band in whole.heads for line in band.lines)

    def band(self, spot: Spot) -> Band:
        whole = self.wholes[spot.table]
        return whole.heads[spot.row] if self.is_head(spot) else whole.rows[spot.row - len(whole.heads)]

    def is_head(self, spot: Spot) -> bool:
        return spot.row < len(self.wholes[spot.table].heads)

    def within(self, lines: Collection[int]) -> tuple[Table, ...]:
        """The tables, or parts of them, that stand on these lines, each with its header."""
        rows: dict[int, dict[int, None]] = {}
        for line in lines:
            if (spot := self.spots.get(line)) and not self.is_head(spot):
                rows.setdefault(spot.table, {})[spot.row] = None
        return tuple(self._table(number, found) for number, found in rows.items())

    def _table(self, number: int, rows: Iterable[int]) -> Table:
        whole = self.wholes[number]
        heads = tuple(table_row(band, self.pages) for band in whole.heads)
        found = tuple(table_row(self.band(Spot(number, row)), self.pages) for row in rows)
        return Table(
            header=titles(whole.heads, whole.columns),
            heads=heads,
            rows=found,
            places=_around(place for row in found for place in row.places),
            ruled=whole.draft.ruled,
        )


def table_row(band: Band, pages: Mapping[int, int]) -> TableRow:
    """A row with the places of its cells; pages: the page of each line."""

    def places(entry: Entry) -> tuple[Place, ...]:
        return _around(Place(pages[piece.line], word.box) for piece in entry.pieces for word in piece.words)

    cells = tuple(
        TableCell(entry.text, entry.column, entry.columns, entry.rows, places(entry)) for entry in band.entries
    )
    return TableRow(cells, _around(place for cell in cells for place in cell.places))


def _around(places: Iterable[Place]) -> tuple[Place, ...]:
    """One place a page."""
    by_page: dict[int, list[Place]] = {}
    for place in places:
        by_page.setdefault(place.page, []).append(place)
    return tuple(
        held[0] if len(held) == 1 else Place(page, around([place.box for place in held]))
        for page, held in by_page.items()
    )


def titles(heads: Sequence[Band], columns: int) -> tuple[str, ...]:
    """A title for each column: what stands over it, from the top, parted by ` / `."""
    found: list[list[str]] = [[] for _ in range(columns)]
    for band in heads:
        for entry in band.entries:
            for column in range(entry.column, min(entry.last, columns - 1) + 1):
                found[column].append(" ".join(entry.text.split("\n")))
    return tuple(" / ".join(parts) for parts in found)


# ---------------------------------------------------------------- pieces


def joined(drafts: Sequence[Draft], gone: Collection[int], texts: Sequence[str], pages: Mapping[int, int]) -> Tables:
    """The tables of the document. gone: lines in the ledger; texts: all lines by index; pages: the page of each."""
    wholes: list[Whole] = []
    repeated: set[int] = set()
    for draft in drafts:
        rows = [band for band in draft.rows if not all(line in gone for line in band.lines)]
        if not rows or 2 * len(rows) < len(draft.rows):
            continue
        piece = draft._replace(rows=tuple(rows))
        again = _goes_on(wholes[-1], piece, gone, texts) if wholes else None
        if again is None:
            wholes.append(Whole(piece, list(piece.heads), rows, piece.lines[-1], piece.page))
            continue
        bands = [*piece.heads, *rows]
        repeated.update(line for band in bands[:again] for line in band.lines)
        _append(wholes[-1], bands[again:], piece)
    return Tables(tuple(wholes), _spots(wholes), frozenset(repeated), pages)


def _spots(wholes: Sequence[Whole]) -> dict[int, Spot]:
    return {
        line: Spot(number, row)
        for number, whole in enumerate(wholes)
        for row, band in enumerate([*whole.heads, *whole.rows])
        for line in band.lines
    }


def _goes_on(whole: Whole, piece: Draft, gone: Collection[int], texts: Sequence[str]) -> int | None:
    """How many of the piece's first rows are the header again; None where the piece is another table."""
    if len(piece.lanes) != whole.columns or piece.page - whole.page > 1:
        return None
    between = [line for line in range(whole.last + 1, piece.lines[0]) if line not in gone]
    bare = not piece.heads and _has_titles(whole) and len(between) <= MOST_BETWEEN
    if bare and _same_lanes(whole.draft, piece):
        return 0  # also under another heading: its rows have no other header
    if any(not CONTINUED.search(texts[line]) for line in between):
        return None
    bands = (*piece.heads, *piece.rows)
    count = len(whole.heads)
    if count and len(bands) > count and all(map(_alike, whole.heads, bands)):
        return count
    if not _same_lanes(whole.draft, piece) or (piece.page == whole.page and not between and piece.ruled):
        return None
    plain = all(not band.bold and all(entry.columns == 1 for entry in band.entries) for band in piece.heads)
    return 0 if plain and len(piece.heads) <= 1 else None


def _has_titles(whole: Whole) -> bool:
    """Whether the header is short titles, one for each of most columns."""
    entries = [entry for band in whole.heads for entry in band.entries]
    titled = {entry.column for entry in entries if entry.columns == 1}
    return len(titled) > 0.5 * whole.columns and all(len(entry.text) <= LONGEST for entry in entries)


def _alike(one: Band, other: Band) -> bool:
    """Whether two bands say the same in the same columns."""
    return [(e.column, e.text.split()) for e in one.entries] == [(e.column, e.text.split()) for e in other.entries]


def _same_lanes(one: Draft, other: Draft) -> bool:
    """Whether the columns of two pieces stand at the same distances from the first."""
    shift = other.lanes[0][0] - one.lanes[0][0]
    return all(
        min(abs(left - a - shift), abs(right - b - shift), abs(left + right - a - b - 2 * shift) / 2) <= NEAR
        for (a, b), (left, right) in zip(one.lanes, other.lanes, strict=True)
    )


def _append(whole: Whole, rows: list[Band], piece: Draft) -> None:
    if rows and _broken(whole, rows):
        whole.rows[-1] = merged([whole.rows[-1], rows[0]])
        rows = rows[1:]
    whole.rows += rows
    whole.last, whole.page = piece.lines[-1], piece.page


def _broken(whole: Whole, rows: Sequence[Band]) -> bool:
    """Whether the first row of a piece is the rest of the row before it: the column that all rows fill is empty."""
    first, above = rows[0], whole.rows[-1]
    others = [*whole.rows, *rows[1:]]
    filled = sum(0 in band.columns for band in others)
    if 0 in first.columns or filled < 0.8 * len(others) or first.figures:
        return False
    return first.columns <= above.columns


# ---------------------------------------------------------------- text


def cells(band: Band, present: Collection[int]) -> Iterator[tuple[int, list[str]]]:
    """The cells of a row by column: their lines, as far as these are `present`."""
    for entry in band.entries:
        found = [piece.text for piece in entry.pieces if piece.line in present]
        if found:
            yield entry.column, found
