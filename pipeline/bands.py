"""Rows of tables: lines whose words stand in columns, put together to rows, and the header's rows told from the rest.

Comes in: `Band`s of one line each, from the top, and where rules part them. Goes out: `Band`s of one row each. A cell
of several lines is one `Entry`. Nothing is refused: what looks like no table is for the callers to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from pipeline.model import Box, Word, around

SIGNS = r"[\s$€£¥%‰<>≤≥~≈±+\-−–—*†‡()\[\]/:,.;'’]"
FIGURE = re.compile(
    rf"{SIGNS}*(?:[A-Z]{{0,3}}{SIGNS}*\d[\d\s]*(?:[.,:/'’ \-–][\d]+)*{SIGNS}*)+[a-zA-Z%]{{0,3}}{SIGNS}*"
)
EMPTY = re.compile(r"(?:[-–—−.:…*xX0]+|n/?a\.?|nil|none|N/?A)")
YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:\s?[-/–]\s?(?:19|20)?\d\d)?\W*")
MOST_HEADS = 8
TIGHT = 0.55  # of the type size: a wider space between lines does not stand inside a cell


class Piece(NamedTuple):
    """Words of a cell on one line: the line's index, and the words."""

    line: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


class Entry(NamedTuple):
    """A cell: its first column, how many columns and rows it covers, its words line by line."""

    column: int
    columns: int
    rows: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.pieces)

    @property
    def box(self) -> Box:
        return around([word.box for piece in self.pieces for word in piece.words])

    @property
    def last(self) -> int:
        return self.column + self.columns - 1


@dataclass(frozen=True)
class Band:
    """A line or row of a table: its cells by column."""

    entries: tuple[Entry, ...]

    @cached_property
    def lines(self) -> tuple[int, ...]:
        return tuple(sorted({piece.line for entry in self.entries for piece in entry.pieces}))

    @cached_property
    def box(self) -> Box:
        return around([entry.box for entry in self.entries])

    @cached_property
    def size(self) -> float:
        return max(word.size for entry in self.entries for piece in entry.pieces for word in piece.words)

    @cached_property
    def bold(self) -> bool:
        return all(word.bold for entry in self.entries for piece in entry.pieces for word in piece.words)

    @cached_property
    def columns(self) -> frozenset[int]:
        """Columns with text."""
        return frozenset(at for entry in self.entries for at in range(entry.column, entry.column + entry.columns))

    @cached_property
    def figures(self) -> frozenset[int]:
        """Columns whose cell is a figure."""
        return frozenset(entry.column for entry in self.entries if entry.columns == 1 and is_figure(entry.text))

    @cached_property
    def years(self) -> bool:
        """Whether all its figures are years, as headers print them."""
        return all(YEAR.fullmatch(entry.text) for entry in self.entries if entry.column in self.figures)

    def entry(self, column: int) -> Entry | None:
        return next((entry for entry in self.entries if entry.column <= column <= entry.last), None)


class Draft(NamedTuple):
    """A table of one page: columns (left, right), the header's rows and the others; lines by their index.

    parted: rules stand between all of its rows.
    """

    page: int
    lanes: tuple[tuple[float, float], ...]
    heads: tuple[Band, ...]
    rows: tuple[Band, ...]
    ruled: bool
    parted: bool = False

    @property
    def box(self) -> Box:
        return around([band.box for band in (*self.heads, *self.rows)])

    @property
    def lines(self) -> list[int]:
        return sorted(line for band in (*self.heads, *self.rows) for line in band.lines)


class Cuts(NamedTuple):
    """What is drawn between the lines of a table: `at` the index of each line that a rule stands above, or a ground of
    another shade begins with; `shades`: the ground of each line.
    """

    at: frozenset[int]
    shades: tuple[float, ...]


def is_figure(text: str) -> bool:
    """Whether the text is a number, an amount, a date in figures, or what stands for none."""
    return bool(FIGURE.fullmatch(text) or EMPTY.fullmatch(text))


def merged(bands: Sequence[Band]) -> Band:
    """The bands as one: cells of the same columns put under each other."""
    if len(bands) == 1 and all(one.last < other.column for one, other in pairwise(bands[0].entries)):
        return bands[0]
    cells: dict[int, list[Entry]] = {}
    for band in bands:
        for entry in band.entries:
            at = next((c for c, held in cells.items() if any(_meet(entry, other) for other in held)), entry.column)
            cells.setdefault(at, []).append(entry)
    return Band(tuple(sorted((_one(held) for held in cells.values()), key=lambda entry: entry.column)))


def _meet(one: Entry, other: Entry) -> bool:
    return one.column <= other.last and other.column <= one.last


def _one(held: Sequence[Entry]) -> Entry:
    first, last = min(entry.column for entry in held), max(entry.last for entry in held)
    pieces: dict[int, tuple[Word, ...]] = {}
    for entry in held:
        for piece in entry.pieces:
            pieces[piece.line] = pieces.get(piece.line, ()) + piece.words
    rows = max(entry.rows for entry in held)
    return Entry(first, last - first + 1, rows, tuple(Piece(*item) for item in sorted(pieces.items())))


def collide(upper: Band, lower: Band) -> bool:
    """Whether two lines cannot be one row: both have a figure in the same column, and another cell in common."""
    common = upper.columns & lower.columns
    return len(common) >= 2 and bool(upper.figures & lower.figures)


# ---------------------------------------------------------------- header


def heads(bands: Sequence[Band], cuts: Cuts) -> int:
    """How many of the first lines are the header: by their ground, the rule below them, weight, or their kind."""
    most = min(MOST_HEADS, len(bands) - 1)
    if most < 1:
        return 0
    typed = figure_columns(bands)
    data = next((at for at, band in enumerate(bands) if _is_data(band, typed, bands[at + 1 :])), None)
    above = most if data is None or not typed else min(most, data)
    for count in (_shaded(cuts, len(bands)), _bold(bands), _underlined(cuts, above, bool(typed))):
        if 0 < count <= above:
            return count
    if typed and data is not None:
        while above > 1 and bands[above - 1].columns == {0} and _space(bands[above - 2], bands[above - 1]) > 0.3:
            above -= 1
        return above
    return 1 if len(bands[0].columns) > 1 or len(bands) > 2 else 0


def figure_columns(bands: Sequence[Band]) -> frozenset[int]:
    """Columns that hold figures in most rows."""
    lower = bands[len(bands) // 3 :]
    filled: dict[int, int] = {}
    figures: dict[int, int] = {}
    for band in lower:
        for entry in band.entries:
            if entry.columns == 1:
                filled[entry.column] = filled.get(entry.column, 0) + 1
                figures[entry.column] = figures.get(entry.column, 0) + (entry.column in band.figures)
    return frozenset(column for column, count in filled.items() if figures[column] >= 0.6 * count)


def _is_data(band: Band, typed: frozenset[int], below: Sequence[Band]) -> bool:
    """Whether half of what a line has in columns of figures is figures; a line of years above other figures is none."""
    there = band.columns & typed
    if not there or 2 * len(band.figures & typed) < len(there):
        return False
    if any(entry.columns > 1 for entry in band.entries):
        return False
    years = band.years and not EMPTY.fullmatch(band.entries[-1].text)
    return not (years and not all(other.years for other in below[:3]))


def _shaded(cuts: Cuts, count: int) -> int:
    """The first lines that have a ground of their own, unlike most of the others."""
    shades = cuts.shades
    if not shades:
        return 0
    own = 1
    while own < count and abs(shades[own] - shades[0]) < 0.02:
        own += 1
    same = sum(abs(shade - shades[0]) < 0.02 for shade in shades[own:])
    return own if own <= min(4, count // 2) and same == 0 else 0


def _bold(bands: Sequence[Band]) -> int:
    count = 0
    while count < len(bands) and bands[count].bold:
        count += 1
    below = bands[count:]
    return count if below and sum(band.bold for band in below) <= 0.4 * len(below) else 0


def _underlined(cuts: Cuts, above: int, typed: bool) -> int:
    """The last rule above the figures, or the first one where there are none; where it is one of few."""
    under = [at for at in cuts.at if 0 < at <= above]
    last = max(under, default=0) if typed else min(under, default=0)
    return last if len([at for at in cuts.at if at > above]) <= 0.5 * len(cuts.shades) else 0


def header_rows(bands: Sequence[Band]) -> list[Band]:
    """The header's lines as rows: titles over several columns on their own, the others in one."""
    rows: list[list[Band]] = []
    for band in bands:
        over = any(entry.columns > 1 for entry in band.entries)
        if rows and not over and not any(entry.columns > 1 for entry in rows[-1][-1].entries):
            rows[-1].append(band)
        else:
            rows.append([band])
    return [merged(row) for row in rows]


# ---------------------------------------------------------------- rows


def rows(bands: Sequence[Band], cuts: frozenset[int] | None) -> list[Band]:
    """Lines of the body put together to rows. `cuts`: the lines that a rule stands above, where rules part the rows;
    None where white space has to tell.
    """
    if not bands:
        return []
    groups = _ruled_groups(bands, cuts) if cuts is not None else _spaced_groups(bands)
    return [merged(group) for group in groups]


def _ruled_groups(bands: Sequence[Band], cuts: frozenset[int]) -> list[list[Band]]:
    groups = [[bands[0]]]
    for at in range(1, len(bands)):
        apart = at in cuts or any(collide(other, bands[at]) for other in groups[-1])
        if apart:
            groups.append([])
        groups[-1].append(bands[at])
    return groups


def _spaced_groups(bands: Sequence[Band]) -> list[list[Band]]:
    """By what the lines hold, and by their spacing where rows stand wider apart than the lines of a cell."""
    spaces = [_space(one, other) for one, other in pairwise(bands)]
    limit = _limit(spaces)
    groups = [[bands[0]]]
    for at in range(1, len(bands)):
        following = bands[at + 1] if at + 1 < len(bands) else None
        if _goes_on(groups[-1], bands[at], following, (spaces[at - 1], limit)):
            groups[-1].append(bands[at])
        else:
            groups.append([bands[at]])
    return groups


def _space(above: Band, below: Band) -> float:
    """White space between two lines in type sizes; negative where they overlap."""
    return (below.box.top - above.box.bottom) / max(1.0, min(above.size, below.size))


def _limit(spaces: Sequence[float]) -> float | None:
    """The space that parts rows where there are two kinds of spaces, None where there is one."""
    ordered = sorted(spaces)
    if len(ordered) < 4:
        return None
    steps = [(other - one, (one + other) / 2, at) for at, (one, other) in enumerate(pairwise(ordered))]
    step, limit, at = max(steps)
    share = (at + 1) / len(ordered)
    lower, upper = median(ordered[: at + 1]), median(ordered[at + 1 :])
    clear = step >= 0.2 and upper - lower >= 0.3 and lower < 0.6
    return limit if clear and 0.15 <= share <= 0.9 else None


def _goes_on(row: Sequence[Band], line: Band, following: Band | None, spacing: tuple[float, float | None]) -> bool:
    """Whether a line goes on with the row above it."""
    space, limit = spacing
    if any(collide(other, line) for other in row) or any(entry.columns > 1 for entry in line.entries):
        return False
    if space < -0.25:
        return True
    if limit is not None:
        return space < limit and not (line.columns & line.figures and 0 in line.columns and row[0].figures)
    if space > TIGHT:
        return False
    filled = frozenset(column for band in row for column in band.columns)
    first = line.entry(0)
    if line.columns == {0} and first:
        return 0 in filled and first.text[:1].islower()
    if row[-1].columns == {0} and len(row) == 1 and first:
        return first.text[:1].islower()
    return 0 not in line.columns and not line.figures and line.columns <= filled
