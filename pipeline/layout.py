"""Words to lines in reading order, and lines to blocks.

Comes in: a `Page`. Goes out: `Line`s: columns read one after the other, rows of a table kept whole, turned text
behind the upright, Hebrew and Arabic from the right. Nothing is refused: a page without words has no lines.

A column gutter is a white strip that a run of rows leaves free and that has text on both sides; it is told from a
gap between table columns by what stands there: prose, or rows that do not share their baselines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from pipeline import numbering
from pipeline.model import Box, Line, Page, Word, around

LEAST_SKEW = math.radians(0.03)
LEANING = 0.012  # slope at most that is left of a skew whose whole degrees are known
FAR = 40.0  # points between two words that tell it
REACH = 12  # words
GAP = 1.0  # of the type size: a wider gap ends a fragment
SAME_BASELINE = 0.3  # of the type size
GUTTER = 0.8  # of the type size: narrower strips are no gutter
MINIMUM_ROWS = 3
INDENT = 3  # of three points: cells stand that far inside their column
NOTE = 0.88  # of the size of the text: notes beside it are smaller, labels hardly
BESIDE, LEAST_NOTE = 3.0, 4  # points between a side note and the text; letters and digits of a note
MOST_NOTES = 0.3  # of the rows: the cells of a column stand in most of them
PROSE = 18  # characters: the median fragment of prose is longer
LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")  # Hebrew and Arabic
DESCENDING = re.compile(r"[gjpqyçşţQруфцщдџјЈ,;()\[\]{}|§@/\\]")  # letters that reach below the baseline
RAISED = frozenset("-–—~*'\"‘’“”„°•·=+<>«»")
NEW_BLOCK = 0.65  # of the type size: a wider space between lines ends a block


class Fragment(NamedTuple):
    """Words of one row without a gap between them, in coordinates in which they are upright."""

    box: Box
    size: float
    row: int
    words: tuple[tuple[Box, Word], ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for _, word in self.words)

    @property
    def length(self) -> int:
        return sum([len(word.text) + 1 for _, word in self.words]) - 1


Leaf = list[Fragment]


def lines(page: Page) -> tuple[Line, ...]:
    """The page's lines in reading order, each with the number of its block."""
    found: list[Line] = []
    block = -1
    some_leftward = LEFTWARD.search(page.text) is not None
    for _, upright in _by_rotation(page):
        leftward = some_leftward and _leftward(upright)
        parts = (part for leaf in _ordered(_fragments(upright), leftward) for part in _with_margin(leaf))
        for leaf in parts:
            for number, row in _blocks(_rows(leaf), block + 1):
                words = [word for fragment in row for _, word in fragment.words]
                read = logical(words, leftward) if some_leftward else tuple(words)
                found.append(Line(page.number, read, around([word.box for word in read]), number))
                block = number
    return tuple(found)


def columns(page: Page) -> tuple[Box, ...]:
    """The parts that are read one after the other, in that order: columns, and what stands above, between or below."""
    some_leftward = LEFTWARD.search(page.text) is not None
    return tuple(
        around([word.box for fragment in leaf for _, word in fragment.words])
        for _, upright in _by_rotation(page)
        for leaf in _ordered(_fragments(upright), some_leftward and _leftward(upright))
    )


def level(page: Page) -> list[tuple[Box, Word]]:
    """The words of the page's main direction, each with the box where it would stand were its line level."""
    parts = _by_rotation(page)
    return parts[0][1] if parts else []


def directions(page: Page) -> list[list[tuple[Box, Word]]]:
    """The same for each direction that words of the page run in, the main one first."""
    return [words for _, words in _by_rotation(page)]


def across(words: list[tuple[Box, Word]]) -> list[list[Word]]:
    """Level words by baseline over the whole width, from the top; the words of a row from the left."""
    return [[word for _, word in sorted(row, key=lambda item: item[0].x0)] for row in _raised(_baselines(words))]


def cells(line: Line, gap: float = GAP) -> tuple[tuple[Word, ...], ...]:
    """The line's words, parted where the gap is wider than `gap` of the type size."""
    return parts(line.words, gap)


def gap(left: Word, right: Word) -> float:
    """The white between two words, in ems of the larger one."""
    return (right.box.x0 - left.box.x1) / max(left.size, right.size, 1.0)


def parts(words: Sequence[Word], gap: float = GAP) -> tuple[tuple[Word, ...], ...]:
    """Words of one line, parted where the gap is wider than `gap` of the type size, whichever way the words run."""
    if not words:
        return ()
    starts = [0]
    x0, top, x1, bottom = words[0].box
    for at, word in enumerate(words):
        left, upper, right, lower = word.box
        most = gap * word.size if word.size > 1 else gap
        if left - x1 > most or x0 - right > most or upper - bottom > most or top - lower > most:
            starts.append(at)
        x0, top, x1, bottom = left, upper, right, lower
    return tuple(tuple(words[start:end]) for start, end in pairwise([*starts, len(words)]))


# ---------------------------------------------------------------- right to left


def _is_leftward(word: Word) -> bool:
    text = word.text
    return LEFTWARD.search(text) is not None


def _leftward(words: list[tuple[Box, Word]]) -> bool:
    """Whether most of the words are Hebrew or Arabic: then columns and words are read from the right."""
    return 2 * sum(_is_leftward(word) for _, word in words) > len(words)


def logical(words: list[Word], leftward: bool) -> tuple[Word, ...]:
    """Words of one row, left to right, in the order in which they are read: runs of the other direction turned."""
    directions = [_is_leftward(word) for word in words]
    if not any(directions):
        return tuple(words)
    if not leftward:
        leftward = 2 * sum(directions) > len(words)
    ordered = words[::-1] if leftward else words
    runs = [list(run) for _, run in groupby(ordered, lambda word: _is_leftward(word) == leftward)]
    with_row = _is_leftward(ordered[0]) == leftward
    turned: list[Word] = []
    for run in runs:
        turned += run if with_row else run[::-1]
        with_row = not with_row
    return tuple(turned)


# ---------------------------------------------------------------- turned text


def _turn(word: Word) -> int:
    """The word's rotation: quarter turns within ten degrees, others to five; vertical writing is read as if turned."""
    if word.vertical:
        return 90
    quarter = round(word.rotation / 90) * 90
    if abs(word.rotation - quarter) <= 10:
        return quarter % 360
    return round(word.rotation / 5) * 5 % 360


def _by_rotation(page: Page) -> list[tuple[int, list[tuple[Box, Word]]]]:
    """The words by rotation, the commonest first, with boxes in coordinates in which they are upright."""
    words = page.words
    heights = zip(page.boxes[1::4], page.boxes[3::4], page.sizes, strict=True)
    straight = not any(page.rotations) and not any(bottom - top > 1.6 * size for top, bottom, size in heights)
    if straight and page.origin != "ocr":
        return [(0, _evened([(word.box, word) for word in words], page))]
    parts: dict[int, list[tuple[Box, Word]]] = {}
    for word in words:
        turn = _turn(word)
        parts.setdefault(turn, []).append((upright(word.box, turn, page), word))
    levelled = {turn: _evened(_levelled(part, turn), page) for turn, part in parts.items()}
    if page.origin == "ocr":
        levelled = {turn: _fine(part) for turn, part in levelled.items()}
    return sorted(levelled.items(), key=lambda part: (-len(part[1]), part[0]))


def upright(box: Box, rotation: int, page: Page) -> Box:
    """The box in coordinates in which text that is turned clockwise by `rotation` runs left to right."""
    match rotation:
        case 0:
            return box
        case 90:
            return Box(box.top, page.width - box.x1, box.bottom, page.width - box.x0)
        case 180:
            return Box(page.width - box.x1, page.height - box.bottom, page.width - box.x0, page.height - box.top)
        case 270:
            return Box(page.height - box.bottom, box.x0, page.height - box.top, box.x1)
        case _:
            return _unskewed(box, math.radians(rotation))


def _unskewed(box: Box, angle: float) -> Box:
    """About where a skewed word would stand if its line were level: its middle turned, its length kept."""
    x, y = box.middle
    along, down = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
    length = math.hypot(box.width, box.height) / 2
    return Box(along - 0.8 * length, down - 4, along + 0.8 * length, down + 4)


# ---------------------------------------------------------------- pages that were scanned askew


def _levelled(words: list[tuple[Box, Word]], turn: int) -> list[tuple[Box, Word]]:
    """The boxes as they would stand, were the page not askew; as they are where most words stand straight."""
    rough = round(median([(word.rotation - turn + 180) % 360 - 180 for _, word in words]))
    if not 0 < abs(rough) <= 10:
        return words
    angle = _askew([box for box, _ in words], math.radians(rough))
    return [(_turned_back(box, angle), word) for box, word in words]


def _fine(words: list[tuple[Box, Word]]) -> list[tuple[Box, Word]]:
    """The boxes of a scanned page without what is left of its skew, which no word tells by its whole degrees."""
    angle = _leaning([box for box, _ in words])
    return [(_turned_back(box, angle), word) for box, word in words] if abs(angle) > LEAST_SKEW else words


def _leaning(boxes: list[Box]) -> float:
    """The angle of nearly level lines in radians: the median slope between baselines that stand far apart on a line."""
    slopes: list[tuple[float, float]] = []
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 : at + 1 + REACH]:
            across, down = abs(other.x0 - one.x0), other.bottom - one.bottom
            if across > FAR and abs(down) < LEANING * across + 0.3 * one.height:
                slopes.append((down / across if other.x0 > one.x0 else -down / across, across))
    half, passed = sum(across for _, across in slopes) / 2, 0.0
    for slope, across in sorted(slopes):
        passed += across
        if passed >= half:
            return math.atan(slope)
    return 0.0


def _askew(boxes: list[Box], rough: float) -> float:
    """The angle of the lines in radians, told by the ends of each run of words that go on in the rough direction."""
    slopes: list[tuple[float, float]] = []
    start = 0
    for index in range(1, len(boxes) + 1):
        if index < len(boxes) and _goes_on(boxes[index - 1], boxes[index], rough):
            continue
        (x0, y0), (x1, y1) = boxes[start].middle, boxes[index - 1].middle
        if index - start > 3 and x1 > x0:
            slopes.append((x1 - x0, math.atan2(y1 - y0, x1 - x0)))
        start = index
    total = sum(length for length, _ in slopes)
    return sum(length * slope for length, slope in slopes) / total if total else rough


def _goes_on(one: Box, other: Box, angle: float) -> bool:
    across, down = other.middle[0] - one.middle[0], other.middle[1] - one.middle[1]
    apart = abs(down * math.cos(angle) - across * math.sin(angle))
    return across > 0 and apart < 0.4 * min(one.height, other.height)


def _turned_back(box: Box, angle: float) -> Box:
    """The level rectangle around which the box was drawn when it stood askew by `angle` radians."""
    x, y = box.middle
    cos, sin = math.cos(angle), math.sin(angle)
    twice, lean = math.cos(2 * angle), abs(sin)
    width = max(1.0, (box.width * cos - box.height * lean) / twice) / 2
    height = max(1.0, (box.height * cos - box.width * lean) / twice) / 2
    along, down = x * cos + y * sin, y * cos - x * sin
    return Box(along - width, down - height, along + width, down + height)


# ---------------------------------------------------------------- boxes drawn close around the ink


def _evened(words: list[tuple[Box, Word]], page: Page) -> list[tuple[Box, Word]]:
    """Boxes from ascender to descender. OCR's are close around the ink, so that words of one line end at different
    heights; those of a text layer are left as they are.
    """
    if page.origin == "text":
        return words
    return [(_line_high(box, word) if word.font == "ocr" else box, word) for box, word in words]


def _line_high(box: Box, word: Word) -> Box:
    size = min(word.size, 2 * box.height) if any(map(str.isalnum, word.text)) else word.size
    if RAISED.issuperset(word.text):
        baseline = box.bottom + 0.3 * size
    elif DESCENDING.search(word.text):
        baseline = box.bottom - (0.2 * size if box.height > 0.45 * size else 0.0)
    else:  # some ink of the line below may be in the box
        baseline = min(box.bottom, box.top + 0.85 * size)
    return Box(box.x0, baseline - 0.75 * size, box.x1, baseline + 0.22 * size)


# ---------------------------------------------------------------- fragments


def _fragments(words: list[tuple[Box, Word]]) -> list[Fragment]:
    """Fragments by row from the top, left to right in each."""
    found = []
    for number, row in enumerate(_raised(_baselines(words))):
        row.sort(key=lambda item: item[0].x0)
        part = row[:1]
        for item in row[1:]:
            if item[0].x0 - part[-1][0].x1 > GAP * max(item[1].size, 1.0):
                found.append(_fragment(part, number))
                part = []
            part.append(item)
        found.append(_fragment(part, number))
    return found


def _fragment(part: list[tuple[Box, Word]], row: int) -> Fragment:
    size = max([word.size for _, word in part])
    return Fragment(around([box for box, _ in part]), size, row, tuple(part))


def _baselines(words: list[tuple[Box, Word]]) -> list[list[tuple[Box, Word]]]:
    rows: list[list[tuple[Box, Word]]] = []
    reference = -1e9
    for item in sorted(words, key=lambda item: item[0].bottom):
        tolerance = SAME_BASELINE * (item[1].size or item[0].height)
        if item[0].bottom - reference > tolerance:
            rows.append([])
            reference = item[0].bottom
        rows[-1].append(item)
    return rows


def _raised(rows: list[list[tuple[Box, Word]]]) -> list[list[tuple[Box, Word]]]:
    """Rows of small raised or lowered characters joined to the row that they belong to."""
    kept: list[list[tuple[Box, Word]]] = []
    for row in rows:
        if kept and _overlap(kept[-1], row):
            kept[-1] += row
        else:
            kept.append(row)
    return kept


def _overlap(upper: list[tuple[Box, Word]], lower: list[tuple[Box, Word]]) -> bool:
    above, below = max([word.size for _, word in upper]), max([word.size for _, word in lower])
    small, large, size = (upper, lower, below) if above <= below else (lower, upper, above)
    if min(above, below) > 0.8 * size or len(small) > len(large):
        return False
    top, bottom = min(box.top for box, _ in large), max(box.bottom for box, _ in large)
    left, right = min(box.x0 for box, _ in large) - size, max(box.x1 for box, _ in large) + size
    return all(
        top <= box.middle[1] <= bottom and left <= box.x0 and box.x1 <= right and len(word.text) <= 4
        for box, word in small
    )


# ---------------------------------------------------------------- columns


class Run(NamedTuple):
    """A run of fragments (by index, from the top) that leave the strip before `x` free."""

    x: float
    first: int
    last: int
    weight: int


def _ordered(fragments: list[Fragment], leftward: bool = False) -> list[Leaf]:
    """Fragments as leaves in reading order: what stands above a pair of columns, the left, the right, below."""
    if len(fragments) < 2 * MINIMUM_ROWS:
        return [fragments] if fragments else []
    by_top = sorted(fragments, key=lambda fragment: (fragment.row, fragment.box.x0))
    run = max((run for x in _edges(by_top) for run in _runs(by_top, x)), key=lambda run: run.weight, default=None)
    if run is None:
        return [by_top]
    inside = by_top[run.first : run.last + 1]
    left = [fragment for fragment in inside if fragment.box.x1 <= run.x]
    right = [fragment for fragment in inside if fragment.box.x1 > run.x]
    above, below = by_top[: run.first], by_top[run.last + 1 :]
    sides = (right, left) if leftward else (left, right)
    return [leaf for part in (above, *sides, below) for leaf in _ordered(part, leftward)]


def _edges(fragments: Sequence[Fragment]) -> list[float]:
    """Left edges that several rows share, or what stands a little left of them: where a right column may begin."""
    leftmost = min(fragment.box.x0 for fragment in fragments)
    counts: dict[int, list[float]] = {}
    for fragment in fragments:
        if fragment.box.x0 > leftmost + 40:
            counts.setdefault(round(fragment.box.x0 / 3), []).append(fragment.box.x0)
    shared = [edge for edge, found in counts.items() if len(found) >= MINIMUM_ROWS]
    edges = [min(min(counts.get(edge - by, [math.inf])) for by in range(INDENT)) for edge in shared]
    return edges + [x for _, row in groupby(fragments, lambda one: one.row) if (x := _second_start(list(row)))]


def _second_start(row: Sequence[Fragment]) -> float | None:
    """Where the second half of a row begins, if it says what the first does: the header of two tables."""
    half = len(row) // 2
    if len(row) % 2 or half < 2 or [one.text for one in row[:half]] != [one.text for one in row[half:]]:
        return None
    return row[half].box.x0


def _runs(fragments: Sequence[Fragment], x: float) -> list[Run]:
    """Runs of whole rows that no fragment crosses at `x`, and that are two columns."""
    edge = x - 1.0
    runs, start = [], 0
    for index, fragment in enumerate([*fragments, None]):
        if fragment is None or fragment.box.x0 < edge < fragment.box.x1:
            end = index - 1
            while fragment and end >= start and fragments[end].row == fragment.row:
                end -= 1
            if run := _trimmed(fragments, edge, start, end):
                runs.append(run)
            start = index + 1
            while fragment and start < len(fragments) and fragments[start].row == fragment.row:
                start += 1
    return runs


def _trimmed(fragments: Sequence[Fragment], x: float, first: int, last: int) -> Run | None:
    """The run without rows that stand far off at its ends (a running header or footer), if it is two columns."""
    if last - first < 3:
        return None  # two rows on either side at least
    rows = [list(row) for _, row in groupby(range(first, last + 1), lambda index: fragments[index].row)]
    while len(rows) > 1 and _apart(fragments, rows[0], rows[1]):
        del rows[0]
    while len(rows) > 1 and _apart(fragments, rows[-2], rows[-1]):
        del rows[-1]
    if not rows:
        return None
    first, last = rows[0][0], rows[-1][-1]
    inside = fragments[first : last + 1]
    left = [fragment for fragment in inside if fragment.box.x1 <= x]
    right = [fragment for fragment in inside if fragment.box.x1 > x]
    least = min(_height(left), _height(right))
    if least < 2 or not (_columns(left, right, x) if least >= MINIMUM_ROWS else _headed_alike(left, right)):
        return None
    return Run(x, first, last, len(left) + len(right))


def _apart(fragments: Sequence[Fragment], upper: Sequence[int], lower: Sequence[int]) -> bool:
    space = min(fragments[index].box.top for index in lower) - max(fragments[index].box.bottom for index in upper)
    return space > 2.5 * max(fragments[index].size for index in (*upper, *lower))


def _height(fragments: Iterable[Fragment]) -> int:
    return len({fragment.row for fragment in fragments})


def _columns(left: list[Fragment], right: list[Fragment], x: float) -> bool:
    """Whether two sides of a strip are columns of text, not columns of one table."""
    size = median(fragment.size for fragment in left + right)
    if x - max(fragment.box.x1 for fragment in left) < GUTTER * size - 1:
        return False
    prose = min(median(fragment.length for fragment in side) for side in (left, right)) >= PROSE
    if prose:
        return _wide(left) and (_wide(right) or any(_runs(right, edge) for edge in _edges(right)))
    return _independent(left, right) or _mirrored(left, right) or _headed_alike(left, right)


def _wide(side: list[Fragment]) -> bool:
    """Lines fill their column: half of them reach over half of its width."""
    width = max(fragment.box.x1 for fragment in side) - min(fragment.box.x0 for fragment in side)
    return median(fragment.box.width for fragment in side) >= 0.5 * width


def _independent(left: list[Fragment], right: list[Fragment]) -> bool:
    """Most rows of either side have no row beside them on the same baseline."""
    rows, others = {fragment.row for fragment in left}, {fragment.row for fragment in right}
    return min(len(rows), len(others)) >= 6 and len(rows & others) < 0.4 * min(len(rows), len(others))


def _headed_alike(left: list[Fragment], right: list[Fragment]) -> bool:
    """A row has the same titles, two or more, on both sides, and one side has rows that the other has not."""
    rows, others = _by_row(left), _by_row(right)
    shared = rows.keys() & others.keys()
    if len(shared) > 0.8 * max(len(rows), len(others)):
        return False
    return any(len(rows[row]) > 1 and rows[row] == others[row] for row in shared)


def _by_row(side: list[Fragment]) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = {}
    for fragment in side:
        texts.setdefault(fragment.row, []).append(fragment.text)
    return texts


def _mirrored(left: list[Fragment], right: list[Fragment]) -> bool:
    """Both sides are set on the same inner edges, three or more of them: the same form twice."""
    sides = []
    for side in (left, right):
        start = min(fragment.box.x0 for fragment in side)
        counts: dict[int, int] = {}
        for fragment in side:
            edge = round((fragment.box.x0 - start) / 3)
            counts[edge] = counts.get(edge, 0) + 1
        sides.append({edge for edge, count in counts.items() if count >= MINIMUM_ROWS})
    shared = sum(any(abs(edge - other) <= 1 for other in sides[1]) for edge in sides[0])
    return shared >= 3 and shared >= 0.7 * max(map(len, sides))


# ---------------------------------------------------------------- notes in the margin


def _with_margin(leaf: Leaf) -> list[Leaf]:
    """The leaf, and behind it what stands beside its text in a smaller type."""
    text = [one for one in leaf if one.length >= PROSE]
    if len(text) < 2 * MINIMUM_ROWS:
        return [leaf]
    least = NOTE * median(one.size for one in text)
    small = [one for one in leaf if one.size <= least]
    if not small:
        return [leaf]
    body = around([one.box for one in leaf if one.size > least])
    top, bottom = min(one.box.top for one in text), max(one.box.bottom for one in text)
    notes = {one for one in small if top < one.box.middle[1] < bottom and _is_beside(one, body)}
    rows = {one.row for one in notes}
    headed = any(one.row in rows for one in small if one not in notes)  # a row set in small type is no text
    if not notes or headed or len(rows) > MOST_NOTES * _height(leaf):
        return [leaf]
    return [[one for one in leaf if one not in notes], [one for one in small if one in notes]]


def _is_beside(note: Fragment, body: Box) -> bool:
    """Left or right of all text; some letters or digits, so neither a mark nor a bullet, and not figures alone."""
    outside = note.box.x1 < body.x0 - BESIDE or note.box.x0 > body.x1 + BESIDE
    words = [char for char in note.text if char.isalnum()]
    return outside and len(words) >= LEAST_NOTE and any(map(str.isalpha, words))


# ---------------------------------------------------------------- lines and blocks


def _rows(leaf: Leaf) -> list[Leaf]:
    """The leaf's fragments by row, left to right."""
    rows: dict[int, Leaf] = {}
    for fragment in leaf:
        rows.setdefault(fragment.row, []).append(fragment)
    return [sorted(rows[number], key=lambda fragment: fragment.box.x0) for number in sorted(rows)]


def _blocks(rows: list[Leaf], first: int) -> Iterable[tuple[int, Leaf]]:
    """Each row with its block: a new one after a wide space, and where size or weight change."""
    number = first
    spaces = [0.0, *(_space(above, below) for above, below in pairwise(rows))]
    widest = max(NEW_BLOCK, _usual_space(rows, spaces[1:]) + 0.4)
    for index, row in enumerate(rows):
        if index and (spaces[index] > widest or _changes(rows[index - 1], row)):
            number += 1
        yield number, row


def _space(above: Leaf, below: Leaf) -> float:
    """White space between two rows, as a share of the smaller type size."""
    space = min([fragment.box.top for fragment in below]) - max([fragment.box.bottom for fragment in above])
    return space / max(1.0, min([fragment.size for fragment in above + below]))


def _usual_space(rows: list[Leaf], spaces: list[float]) -> float:
    """The space between lines that most of a leaf's lines have: wide where it is set double-spaced."""
    if len(spaces) < 8:
        return 0.0
    wide = [fragment for row in rows for fragment in row if fragment.length >= PROSE]
    return max(0.0, sorted(spaces)[len(spaces) // 4]) if len(wide) >= 0.7 * len(rows) else 0.0


def _changes(above: Leaf, below: Leaf) -> bool:
    one, other = max([fragment.size for fragment in above]), max([fragment.size for fragment in below])
    if abs(one - other) > 0.1 * max(one, other) or _bold(above) != _bold(below):
        return True
    return _titles(above, below)


def _titles(above: Leaf, below: Leaf) -> bool:
    """Whether two bold rows are two headings: the lower begins with a number of its own and a capital."""
    if not below[0].words[0][1].text[:1].isdigit() or not _bold(below):
        return False
    number, before = numbering.parse(_said(below)), _said(above)
    if number is None or not number.rest[:1].isupper() or before.split()[-1].lower() in numbering.BY_WORD:
        return False
    return not number.bare or numbering.parse(before) is not None


def _said(row: Leaf) -> str:
    return " ".join(fragment.text for fragment in row)


def _bold(row: Leaf) -> bool:
    return all(word.bold for fragment in row for _, word in fragment.words)
