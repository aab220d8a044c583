"""Tables without a grid of rules: lines whose parts stand under each other.

Comes in: the lines of a page in reading order, and what is drawn there. Goes out: `Draft`s over them. Prose, lists,
forms, contents lists and code are no tables: they have no columns that several lines share, or one of them is markers,
labels or leaders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from pipeline import layout
from pipeline.bands import Band, Cuts, Draft, Entry, Piece, header_rows, heads, is_figure, rows
from pipeline.model import Box, Line, Word, around

GAP = 0.85  # of the type size: parts of a line stand further apart
NARROW = 0.45  # of the type size: words over two columns stand closer at the columns' edge
MOST_BETWEEN = 2  # lines of one part between rows
FURTHEST = 3.2  # type sizes between two rows of a table
LEADERS = re.compile(r"(?:[.․…·_]\s?){4,}")
SIGN = re.compile(r"[$€£¥₹%()]|EUR|USD|GBP")
MARKER = re.compile(
    r"[•◦▪■●○–—·*‣➢✓\-o]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]{1,6}|[a-z]|[A-Z])[.):]*|§+\s?\d*\.?|\[\d+\]"
)
LABEL = re.compile(r".*:")
CAPTION = re.compile(
    r"(?:Table|Tabelle|Tableau|Tabela|Tabla|Табела|Exhibit|Figure|Fig\.|Abbildung|Sources?|Notes?|Quelle)\b"
)
DASHES = re.compile(r"[-–—=_─\s]{8,}")
LONG = 60  # characters over several columns: running text
ALIGNED = 2.5  # points: edges closer than this are one


class Row(NamedTuple):
    """A line: its index, box, type size, and its parts."""

    at: int
    box: Box
    size: float
    parts: tuple[tuple[Word, ...], ...]

    @property
    def boxes(self) -> list[Box]:
        """The parts' boxes, without the leaders at their ends."""
        kept = ([word.box for word in part if not LEADERS.fullmatch(word.text)] for part in self.parts)
        return [around(boxes) for boxes in kept if boxes]


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


def drafts(lines: Sequence[Line], ground: Ground, free: Sequence[bool]) -> list[Draft]:
    """The tables among the lines that are `free`."""
    found: list[Draft] = []
    for run in _runs(lines, free, ground):
        found += list(_tables(run, ground))
    return found


# ---------------------------------------------------------------- runs of lines


def _is_entry(row: Row) -> bool:
    """Whether leaders run to one last part: a line of a contents list."""
    last = [at for at, part in enumerate(row.parts) if LEADERS.search(part[-1].text)]
    return bool(last) and len(row.parts) - last[-1] <= 2


def _has_gap(line: Line) -> bool:
    """Whether two of the line's words stand apart as parts do; the cheap look that most lines end with."""
    words = line.words
    limit = GAP * words[0].size
    right = words[0].box[2]
    for word in words:
        box = word.box
        if box[0] - right > limit:
            return True
        right = box[2]
    return False


def _row(at: int, line: Line) -> Row:
    parts: list[tuple[Word, ...]] = []
    for part in layout.cells(line, GAP):
        start = 0
        for index, word in enumerate(part):
            if LEADERS.fullmatch(word.text):
                parts.append(part[start : index + 1])
                start = index + 1
        if start < len(part):
            parts.append(part[start:])
    return Row(at, line.box, max(word.size for word in line.words), tuple(parts))


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
        if not run and not _has_gap(line):
            continue
        row = _row(at, line)
        if _is_entry(row):
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
            if len(run) - last > MOST_BETWEEN:
                yield from _ended(run, last)
                run, last = [], -1
        else:
            continue
    yield from _ended(run, last)


def _ended(run: list[Row], last: int) -> Iterator[list[Row]]:
    """The run up to its last line with parts, and lines right below it that may end the cells of that one."""
    if sum(len(row.parts) > 1 for row in run[:last]) >= 2:
        yield run


def _is_heading(run: Sequence[Row], row: Row) -> bool:
    """Whether a line of one part is set larger than the rows."""
    return len(row.parts) == 1 and row.size > 1.08 * max(above.size for above in run if len(above.parts) > 1)


def _below(upper: Row, lower: Row) -> bool:
    size = min(upper.size, lower.size)
    space = lower.box.top - upper.box.bottom
    return -1.5 * size < space < FURTHEST * size and lower.box.bottom > upper.box.bottom - 0.5 * size


# ---------------------------------------------------------------- columns


Lane = tuple[float, float]


def lanes(rows_: Sequence[Row], size: float) -> list[Lane]:
    """Columns under which the parts of most lines fall: (left, right) of each. Parts that stand over two columns of
    several lines are titles over both, and left aside.
    """
    parts = [row.boxes for row in rows_]
    over = [[_spans(box, parts) for box in row] for row in parts]
    single = [
        box for row, flags in zip(parts, over, strict=True) for box, flag in zip(row, flags, strict=True) if not flag
    ]
    found = _covered_strips(single, 0 if len(parts) < 12 else len(parts) // 20, size)
    found = _without_signs(_with_rare(found, single, size), rows_)
    return [lane for column in found for lane in _parted(column, rows_, size)]


def _without_signs(columns: list[Lane], rows_: Sequence[Row]) -> list[Lane]:
    """Columns of nothing but currency signs put to the amounts behind them, those of `%` and `)` to those before."""
    texts: list[list[str]] = [[] for _ in columns]
    for row in rows_:
        for part in row.parts:
            for word in part:
                middle = word.box.middle[0]
                for at, (left, right) in enumerate(columns):
                    if left <= middle <= right:
                        texts[at].append(word.text)
    found: list[Lane] = []
    start: float | None = None
    for column, held in zip(columns, texts, strict=True):
        signs = bool(held) and all(map(SIGN.fullmatch, held))
        if signs and found and held[0] in "%)":
            found[-1] = (found[-1][0], column[1])
        elif signs and start is None:
            start = column[0]
        else:
            found.append((column[0] if start is None else start, column[1]))
            start = None
    return found if start is None else columns


def _parted(column: Lane, rows_: Sequence[Row], size: float) -> list[Lane]:
    """The column, or two where each line has two figures in it and a white strip stands between them."""
    held = []
    for row in rows_:
        words = [word for part in row.parts for word in part if column[0] <= word.box.middle[0] <= column[1]]
        if words:
            held.append(words)
    cuts: list[tuple[float, float]] = []
    for words in held:
        for left, right in pairwise(words):
            if right.box.x0 - left.box.x1 >= NARROW * size and is_figure(left.text) and is_figure(right.text):
                cuts.append((left.box.x1, right.box.x0))
    if len(cuts) < max(3, 0.6 * len(held)):
        return [column]
    at = median((start + end) / 2 for start, end in cuts)
    crossing = sum(any(word.box.x0 < at - 0.5 and word.box.x1 > at + 0.5 for word in words) for words in held)
    if crossing > 0.1 * len(held):
        return [column]
    boxes = [word.box for words in held for word in words]
    lefts = [box.x1 for box in boxes if box.x1 <= at + 0.5]
    rights = [box.x0 for box in boxes if box.x0 >= at - 0.5]
    if not lefts or not rights:
        return [column]
    return [
        *_parted((column[0], max(lefts)), rows_, size),
        *_parted((min(rights), column[1]), rows_, size),
    ]


def _with_rare(found: list[Lane], boxes: Sequence[Box], size: float) -> list[Lane]:
    """The columns, and those that few lines have: where two parts stand, or one far from all columns."""
    apart = sorted(box for box in boxes if not any(box.x0 < right and left < box.x1 for left, right in found))
    for left, right, count in _gathered(apart):
        distance = min((max(lane[0] - right, left - lane[1]) for lane in found), default=0.0)
        if count > 1 or distance > 1.5 * size:
            found = sorted([*found, (left, right)])
    return found


def _gathered(boxes: Sequence[Box]) -> list[tuple[float, float, int]]:
    groups: list[tuple[float, float, int]] = []
    for box in boxes:
        if groups and box.x0 < groups[-1][1]:
            left, right, count = groups[-1]
            groups[-1] = (left, max(right, box.x1), count + 1)
        else:
            groups.append((box.x0, box.x1, 1))
    return groups


def _spans(box: Box, parts: Sequence[Sequence[Box]]) -> bool:
    """Whether two parts or more of a third of the lines stand under the box."""
    lines = [row for row in parts if len(row) > 1]
    under = sum(sum(min(box.x1, other.x1) - max(box.x0, other.x0) > 2 for other in row) > 1 for row in lines)
    return under >= max(2, 0.3 * len(lines))


def _covered_strips(boxes: Sequence[Box], allowed: int, size: float) -> list[Lane]:
    """Strips that more than `allowed` boxes cover; strips closer than a third of the type size are one."""
    events = sorted([(box.x0, 1) for box in boxes] + [(box.x1, -1) for box in boxes])
    found: list[list[float]] = []
    count, start = 0, 0.0
    for x, step in events:
        before = count
        count += step
        if before <= allowed < count:
            start = x
        elif count <= allowed < before:
            if found and start - found[-1][1] < 0.3 * size:
                found[-1][1] = x
            else:
                found.append([start, x])
    return [(left, right) for left, right in found]


def _band(row: Row, columns: Sequence[Lane]) -> Band:
    """The line with each part in its column, parts over several columns parted where their words are."""
    entries: dict[tuple[int, int], list[Word]] = {}
    for part in row.parts:
        for words in _split(part, columns):
            first, last = _lane(words, columns)
            entries.setdefault((first, last - first + 1), []).extend(words)
    placed = sorted(entries.items())
    return Band(tuple(Entry(first, count, 1, (Piece(row.at, tuple(words)),)) for (first, count), words in placed))


def _lane(words: Sequence[Word], columns: Sequence[Lane]) -> tuple[int, int]:
    """First and last column that the words stand in."""
    box = around([word.box for word in words if not LEADERS.fullmatch(word.text)] or [word.box for word in words])
    under = [
        at
        for at, (left, right) in enumerate(columns)
        if min(box.x1, right) - max(box.x0, left) > min(2.0, 0.3 * (right - left))
    ]
    if not under:
        nearest = min(range(len(columns)), key=lambda at: max(columns[at][0] - box.x1, box.x0 - columns[at][1]))
        return nearest, nearest
    return under[0], under[-1]


def _split(part: tuple[Word, ...], columns: Sequence[Lane]) -> list[list[Word]]:
    """A part over several columns cut at their edges, where none of its words stands over one and the gaps are wide."""
    first, last = _lane(part, columns)
    if first == last:
        return [list(part)]
    groups = [[part[0]]]
    for left, right in pairwise(part):
        one, other = _lane([left], columns), _lane([right], columns)
        apart = (right.box.x0 - left.box.x1) / max(left.size, right.size, 1.0)
        if one[1] < other[0] and apart >= NARROW:
            groups.append([])
        groups[-1].append(right)
    return groups


# ---------------------------------------------------------------- what is a table


def _tables(run: list[Row], ground: Ground) -> Iterator[Draft]:
    """The tables of a run."""
    run = _trimmed(run)
    with_parts = [row for row in run if len(row.parts) > 1]
    if len(with_parts) < 2 or _marked(with_parts):
        return
    size = sorted(row.size for row in with_parts)[len(with_parts) // 2]
    columns = lanes(with_parts, size)
    if len(columns) < 2:
        return
    bands = _without_ends([_band(row, columns) for row in run], columns)
    if not bands:
        return
    if len(bands) < len(run):
        left = {line for band in bands for line in band.lines}
        yield from _tables([row for row in run if row.at in left], ground)
        return
    across = around([band.box for band in bands])
    above = (at for at in range(1, len(bands)) if ground.above(bands[at - 1].box, bands[at].box, across))
    cuts = Cuts(frozenset(above), tuple(ground.shade(band.box, across) for band in bands))
    if _is_table(bands, columns, 2 if _headed(bands, cuts) else 3):
        yield draft(bands, columns, cuts)


def _marked(rows_: Sequence[Row]) -> bool:
    """Whether most lines are a marker and text: the cheap look that most lists end with."""
    pairs = [row for row in rows_ if len(row.parts) == 2]
    marked = sum(len(row.parts[0]) == 1 and bool(MARKER.fullmatch(row.parts[0][0].text)) for row in pairs)
    return marked >= 0.6 * len(rows_) and not any(is_figure(" ".join(w.text for w in row.parts[1])) for row in pairs)


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
    if last - first > 2 and _strays(bands[first], bands[first + 1 : last]) and _far(bands[first], bands[first + 1]):
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


def draft(bands: list[Band], columns: Sequence[Lane], cuts: Cuts) -> Draft:
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


def _strays(band: Band, others: Sequence[Band]) -> bool:
    """Whether a line has text where no other has."""
    return not band.columns <= frozenset(column for other in others for column in other.columns)


def _far(above: Band, below: Band) -> bool:
    return below.box.top - above.box.bottom > below.size


def _ends_cell(bands: Sequence[Band], columns: Sequence[Lane]) -> bool:
    """Whether the last line only ends a cell of the row above it."""
    above, last = bands[-2], bands[-1]
    column = last.entries[0].column
    left, right = columns[column]
    within = last.box.x0 >= left - 2 and last.box.x1 <= right + 2
    tight = last.box.top - above.box.bottom < 0.4 * last.size
    return within and tight and column in above.columns and (column > 0 or last.entries[0].text[:1].islower())


def _headed(bands: Sequence[Band], cuts: Cuts) -> bool:
    """Whether the first line is set off as a header, over figures: then one row makes a table."""
    parted = 1 in cuts.at or abs(cuts.shades[0] - cuts.shades[min(1, len(bands) - 1)]) > 0.01
    return parted and not bands[0].figures and len(bands) > 1 and bool(bands[1].figures) and len(bands[0].columns) > 2


def _is_table(bands: Sequence[Band], columns: Sequence[Lane], least: int) -> bool:
    """Enough rows with cells in the same columns, and of a kind that tables have."""
    full = [band for band in bands if len(band.columns) > 1 and any(entry.columns == 1 for entry in band.entries)]
    if len(full) < least or len(full) < 0.4 * len(bands):
        return False
    cells = [[entry for band in full for entry in band.entries if entry.column == at] for at in range(len(columns))]
    texts = [[entry.text for entry in column if entry.columns == 1] for column in cells]
    running = sum(entry.columns > 1 and len(entry.text) > LONG for band in bands for entry in band.entries)
    if running > 0.2 * len(bands):
        return False
    if sum(_aligned(column) for column in cells) < min(len(columns), max(2, 0.7 * len(columns))):
        return False
    if _is_list(texts):
        return False
    if len(columns) == 2:
        figures = sum(map(is_figure, texts[1]))
        labels = sum(bool(LABEL.fullmatch(text)) for text in texts[0])
        return labels <= 0.4 * len(texts[0]) and len(texts[1]) >= 3 and figures >= 0.6 * len(texts[1])
    if sum(len(band.columns) for band in full) < 0.4 * len(full) * len(columns):
        return False
    figures = sum(is_figure(text) for column in texts[1:] for text in column)
    gaps = [_gap(one, other) for band in full for one, other in pairwise(band.entries)]
    return figures >= 0.15 * sum(map(len, texts[1:])) or median(gaps) >= 1.5


def _gap(left: Entry, right: Entry) -> float:
    """White space between two cells in type sizes."""
    return (right.box.x0 - left.box.x1) / max(1.0, left.pieces[0].words[0].size)


def _is_list(texts: Sequence[Sequence[str]]) -> bool:
    """Whether all columns but the last are markers, and that is text: a list, also one within another."""
    markers = [sum(bool(MARKER.fullmatch(text)) for text in column) >= 0.6 * len(column) for column in texts[:-1]]
    return all(markers) and sum(map(is_figure, texts[-1])) < 0.4 * max(1, len(texts[-1]))


def _aligned(cells: Sequence[Entry]) -> bool:
    """Whether most of a column's cells share their left, right or middle."""
    boxes = [entry.box for entry in cells if entry.columns == 1]
    if len(boxes) < 2:
        return False
    sides = ([box.x0 for box in boxes], [box.x1 for box in boxes], [box.middle[0] for box in boxes])
    figures = sum(is_figure(entry.text) for entry in cells)
    share = 0.45 if figures >= 0.8 * len(boxes) else 0.6  # figures may be set on two edges, prose on none
    return any(_sharing(side) >= share * len(boxes) for side in sides)


def _sharing(values: Sequence[float]) -> int:
    """How many values lie within `ALIGNED` of one."""
    ordered = sorted(values)
    best = start = 0
    for at, value in enumerate(ordered):
        while value - ordered[start] > 2 * ALIGNED:
            start += 1
        best = max(best, at - start + 1)
    return best
