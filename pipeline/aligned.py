"""Tables without a grid of rules: lines whose parts stand under each other.

Comes in: the lines of a page in reading order, and what is drawn there. Goes out: `Draft`s over them. Prose, lists,
forms, contents lists and code are no tables: they have no columns that several lines share, or one of them is markers,
labels or leaders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pipeline import lanes, numbering, tabular
from pipeline.bands import EMPTY, Band, Cuts, Draft, figure_columns, header_rows, heads, is_figure, rows
from pipeline.lanes import LEADERS, Lane, Row
from pipeline.model import Box, Line, around
from pipeline.tabular import ALIGNED, LONG

MOST_BETWEEN = 2  # lines of one part between rows
FURTHEST = 3.2  # type sizes between two rows of a table
DASHES = re.compile(r"[-–—=_─\s]{8,}")
CAPTION = re.compile(
    r"(?:Table|Tabelle|Tableau|Tabela|Tabla|Табела|Exhibit|Figure|Fig\.|Abbildung|Sources?|Notes?|Quelle)\b"
)


def drafts(lines: Sequence[Line], ground: Ground, free: Sequence[bool]) -> list[Draft]:
    """The tables among the lines that are `free`."""
    found: list[Draft] = []
    for run in _runs(lines, free, ground):
        found += list(_tables(run, ground))
    return found


# ---------------------------------------------------------------- what is drawn


class Ground(NamedTuple):
    """What is drawn on the page: level rules, and fills with their lightness."""

    rules: tuple[Box, ...]
    fills: tuple[tuple[Box, float], ...]

    def above(self, upper: Box, lower: Box, across: Box) -> bool:
        """Whether a rule stands between two lines over half of the width, or a ground of another shade begins."""
        high, low = upper.bottom - 0.35 * upper.height, lower.top + 0.35 * lower.height
        if high > low:
            high = low = (upper.bottom + lower.top) / 2
            high, low = high - 1, low + 1
        level = [rule for rule in self.rules if high <= rule.top <= low]
        if _covered(level, across) >= 0.5 * across.width:
            return True
        return abs(self.shade(upper, across) - self.shade(lower, across)) > 0.01

    def shade(self, line: Box, across: Box) -> float:
        """The lightness of the ground under a line, 1 where there is none."""
        y = line.middle[1]
        under = [(box, shade) for box, shade in self.fills if box.top <= y <= box.bottom]
        wide = [(box, shade) for box, shade in under if _covered([box], across) >= 0.5 * across.width]
        if wide:
            return wide[-1][1]
        if under and _covered([box for box, _ in under], across) >= 0.5 * across.width:
            return under[-1][1]
        return 1.0


def _covered(boxes: Iterable[Box], across: Box) -> float:
    """How much of the width of `across` the boxes cover."""
    total, right = 0.0, across.x0
    for box in sorted(boxes):
        left = max(box.x0, right)
        end = min(box.x1, across.x1)
        if end > left:
            total += end - left
            right = end
    return total


# ---------------------------------------------------------------- runs of lines


def _runs(lines: Sequence[Line], free: Sequence[bool], ground: Ground) -> Iterator[list[Row]]:
    """Runs of lines with parts, with a few lines of one part between them, that stand below each other."""
    run: list[Row] = []
    last = -1
    for at, line in enumerate(lines):
        if run and DASHES.fullmatch(line.text):
            continue
        if not free[at] or 5 < line.words[0].rotation % 360 < 355:
            yield from _ended(run, last)
            run, last = [], -1
            continue
        if not run and not lanes.has_gap(line):
            continue
        row = lanes.row(at, line)
        if _is_entry(line):
            yield from _ended(run, last)
            run, last = [], -1
            continue
        if run and (not _below(run[-1], row) or _is_heading(run, row)):
            yield from _ended(run, last)
            run, last = [], -1
        if len(row.parts) > 1:
            run.append(row)
            last = len(run)
        elif run:
            run.append(row)
            if last == len(run) - 1 and _wraps(run):
                last = len(run)
            if len(run) - last > MOST_BETWEEN:
                yield from _ended(run, last)
                run, last = [], -1
        else:
            continue
    yield from _ended(run, last)


def _is_entry(line: Line) -> bool:
    """Whether leaders run to one last word: a line of a contents list."""
    *_, tail = LEADERS.split(line.text)
    return tail != line.text and len(tail.split()) <= 1


def _wraps(run: Sequence[Row]) -> bool:
    """Whether the last line goes on with a cell of the line above it: close below it, and as far from the left."""
    above, row = run[-2], run[-1]
    starts = [box.x0 for box in above.boxes[1:]] if len(above.parts) > 1 else [above.box.x0]
    close = row.box.top - above.box.bottom < 0.5 * row.size
    return close and any(abs(row.box.x0 - start) < ALIGNED for start in starts)


def _ended(run: list[Row], last: int) -> Iterator[list[Row]]:
    """The run up to its last line with parts, and lines right below it that may end the cells of that one."""
    if sum(len(row.parts) > 1 for row in run[:last]) >= 2:
        yield run


def _is_heading(run: Sequence[Row], row: Row) -> bool:
    """Whether a line of one part is set larger than the rows, or bold with a number of its own."""
    if len(row.parts) > 1:
        return False
    if row.size > 1.08 * max(above.size for above in run if len(above.parts) > 1):
        return True
    words = row.parts[0]
    number = numbering.parse(" ".join(word.text for word in words)) if all(word.bold for word in words) else None
    return number is not None and (number.depth > 1 or bool(number.keyword)) and number.rest[:1].isupper()


def _below(upper: Row, lower: Row) -> bool:
    size = min(upper.size, lower.size)
    space = lower.box.top - upper.box.bottom
    return -1.5 * size < space < FURTHEST * size and lower.box.bottom > upper.box.bottom - 0.5 * size


# ---------------------------------------------------------------- tables of a run


def _tables(run: list[Row], ground: Ground) -> Iterator[Draft]:
    """The tables of a run."""
    run = _trimmed(run)
    with_parts = [row for row in run if len(row.parts) > 1]
    if len(with_parts) < 2 or tabular.is_marked(with_parts):
        return
    size = sorted(row.size for row in with_parts)[len(with_parts) // 2]
    columns = lanes.lanes(with_parts, size)
    if len(columns) < 2:
        return
    bands = [lanes.band(row, columns) for row in run]
    if (other := _restart(bands)) is not None:
        yield from _tables(run[:other], ground)
        yield from _tables(run[other:], ground)
        return
    bands = _without_ends(bands, columns)
    if not bands:
        return
    if len(bands) < len(run):
        left = {line for band in bands for line in band.lines}
        yield from _tables([row for row in run if row.at in left], ground)
        return
    across = around([band.box for band in bands])
    above = (at for at in range(1, len(bands)) if ground.above(bands[at - 1].box, bands[at].box, across))
    cuts = Cuts(frozenset(above), tuple(ground.shade(band.box, across) for band in bands))
    if tabular.is_table(bands, columns, cuts):
        yield _draft(bands, columns, cuts)


def _draft(bands: list[Band], columns: Sequence[Lane], cuts: Cuts) -> Draft:
    count = heads(bands, cuts)
    body = bands[count:]
    inner = frozenset(index - count for index in cuts.at if index > count)
    parting = len(inner) >= max(2, 0.3 * (len(body) - 1))
    return Draft(
        0, tuple(columns), tuple(header_rows(bands[:count])), tuple(rows(body, inner if parting else None)), False
    )


def _trimmed(run: list[Row]) -> list[Row]:
    start = 0
    while start < len(run) and len(run[start].parts) < 2:
        start += 1
    return run[start:]


def _restart(bands: Sequence[Band]) -> int | None:
    """Where another table begins: a header among the rows, with a line of its own or wide space above it."""
    typed = figure_columns(bands)
    tops = [band for band in bands[:4] if len(band.entries) > 1][:2]
    for at in range(3, len(bands) - 1):
        band, above = bands[at], bands[at - 1]
        if len(band.entries) < 2:
            continue
        titled = len(above.entries) == 1
        if (titled or _space(above, band) > 0.8) and (_repeats(band, tops) or _names(band, bands[at + 1], typed)):
            while titled and at > 3 and len(bands[at - 1].entries) == 1:
                at -= 1
            return at
    return None


def _repeats(band: Band, tops: Sequence[Band]) -> bool:
    """Whether a line says half of what one of the first lines says, and no figures."""
    said = {(entry.column, entry.text) for entry in band.entries if not is_figure(entry.text)}
    return any(2 * len(said & {(e.column, e.text) for e in top.entries}) >= len(band.entries) for top in tops if said)


def _names(band: Band, below: Band, typed: frozenset[int]) -> bool:
    """Whether a line has titles, or years, where the lines around it have figures."""
    over = band.columns & typed
    titles = len(over) > 1 and (not band.figures or band.years) and bool(below.figures & typed)
    return titles and not any(EMPTY.fullmatch(entry.text) for entry in band.entries) and not below.years


def _without_ends(bands: list[Band], columns: Sequence[Lane]) -> list[Band]:
    """The lines without captions above and notes below."""
    first, last = 0, len(bands)
    while last > first and _is_note(bands[first:last], columns):
        last -= 1
    for at in range(first, min(last, first + 4)):
        if CAPTION.match(bands[at].entries[0].text):
            first = at + 1
    for at in range(max(first, last - 4), last):
        if CAPTION.match(bands[at].entries[0].text):
            last = at
            break
    if last - first > 2 and _far(bands[first], bands[first + 1]):
        spaces = [_space(one, other) for one, other in pairwise(bands[first + 1 : last])]
        apart = _space(bands[first], bands[first + 1]) > max(1.5, 1.8 * max(spaces))
        if apart or _strays(bands[first], bands[first + 1 : last]):
            first += 1
    while (
        first < last
        and len(bands[first].entries) == 1
        and bands[first].entries[0].columns > 1
        and 0 in bands[first].columns
    ):
        first += 1
    return bands[first:last]


def _is_note(bands: Sequence[Band], columns: Sequence[Lane]) -> bool:
    last = bands[-1]
    first = last.entries[0]
    if CAPTION.match(first.text):
        return True
    if len(bands) > 1 and first.columns > 1 and len(first.text) > LONG // 2 and _far(bands[-2], last):
        return True
    if len(bands) > 2 and _strays(last, bands[:-1]) and _far(bands[-2], last):
        return True
    if len(last.entries) == 1:
        return len(bands) < 2 or not _ends_cell(bands, columns)
    return False


def _strays(band: Band, others: Sequence[Band]) -> bool:
    """Whether a line of few parts has text where no other has."""
    filled = frozenset(column for other in others for column in other.columns)
    return not band.columns <= filled and len(band.columns) <= 0.6 * len(filled | band.columns)


def _far(above: Band, below: Band) -> bool:
    return _space(above, below) > 1.0


def _space(above: Band, below: Band) -> float:
    """White space between two lines in type sizes."""
    return (below.box.top - above.box.bottom) / below.size


def _ends_cell(bands: Sequence[Band], columns: Sequence[Lane]) -> bool:
    """Whether the last line only ends a cell of the row above it."""
    above, last = bands[-2], bands[-1]
    column = last.entries[0].column
    left, right = columns[column]
    within = last.box.x0 >= left - 2 and last.box.x1 <= right + 2
    tight = last.box.top - above.box.bottom < 0.4 * last.size
    return within and tight and column in above.columns and (column > 0 or last.entries[0].text[:1].islower())
