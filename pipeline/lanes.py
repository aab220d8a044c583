"""Columns of a table without rules: the strips that the parts of its lines share, and the column of each word.

Comes in: `Row`s, lines in parts. Goes out: lanes (left and right of each column) and `Band`s, lines by column. Parts
over two columns of several lines are titles over both; signs of currency belong to the amounts beside them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median
from typing import NamedTuple

from pipeline import amounts, layout
from pipeline.bands import Band, Entry, Piece, is_figure
from pipeline.model import Box, Line, Word, around

GAP = 0.85  # of the type size: parts of a line stand further apart
NARROW = 0.45  # of the type size: words over two columns stand closer at the columns' edge
SPACE = 0.65  # of the type size: a space of type whose letters are all of one width
THOUSANDS = re.compile(r"\d{3}(?!\d)")  # what follows the space in `12 345,60`
LEADERS = re.compile(r"(?:[.․…·_]\s?){4,}")
SIGN = re.compile("|".join((r"[%()]", *map(re.escape, sorted((*amounts.SIGNS, *amounts.CODES))))))

Lane = tuple[float, float]
Middled = tuple[float, Word]  # a word behind its middle's distance from the left


class Row(NamedTuple):
    """A line: its index, box, type size, and its parts."""

    at: int
    box: Box
    size: float
    parts: tuple[tuple[Word, ...], ...]

    @property
    def boxes(self) -> list[Box]:
        """The parts' boxes, without the leaders at their ends."""
        kept = ([word.box for word in part if not _is_leader(word)] for part in self.parts)
        return [around(boxes) for boxes in kept if boxes]


def _is_leader(word: Word) -> bool:
    return word.text[0] in ".․…·_" and LEADERS.fullmatch(word.text) is not None


def has_gap(line: Line) -> bool:
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


def row(at: int, line: Line) -> Row:
    """The line in parts: where its words stand apart, and behind leaders."""
    leaders = LEADERS.search(line.text) is not None
    parts = layout.cells(line, GAP) if leaders or has_gap(line) else (line.words,)
    if leaders:
        parts = tuple(piece for part in parts for piece in _behind_leaders(part))
    return Row(at, line.box, max([word.size for word in line.words]), parts)


def _behind_leaders(part: tuple[Word, ...]) -> Iterator[tuple[Word, ...]]:
    start = 0
    for index, word in enumerate(part):
        if _is_leader(word):
            yield part[start : index + 1]
            start = index + 1
    if start < len(part):
        yield part[start:]


def lanes(rows_: Sequence[Row], size: float) -> list[Lane]:
    """Columns under which the parts of most lines fall: (left, right) of each. Parts that stand over two columns of
    several lines are titles over both, and left aside.
    """
    parts = [row.boxes for row in rows_]
    spaces = _Spaces.of(parts)
    over = [[spaces.spanned(box) for box in row] for row in parts]
    single = [
        [box for box, flag in zip(row, flags, strict=True) if not flag] for row, flags in zip(parts, over, strict=True)
    ]
    full = _fullest(single)
    found = _covered_strips([box for row in full for box in row], 0 if len(full) < 12 else len(full) // 20, size)
    rest = [box for row in single for box in row]
    words = [[(word.box.middle[0], word) for part in row.parts for word in part] for row in rows_]
    found = _without_signs(_with_rare(found, rest, size), words)
    return [lane for column in found for lane in _parted(column, words, size)]


def _fullest(rows_: Sequence[list[Box]]) -> Sequence[list[Box]]:
    """The lines with the most parts, where there are several: titles over columns stand on lines of fewer."""
    counts = sorted((len(row) for row in rows_), reverse=True)
    usual = counts[min(len(counts) - 1, max(2, len(counts) // 5))]
    full = [row for row in rows_ if len(row) >= max(2, 0.7 * usual)]
    return full if len(full) >= 3 else rows_


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


class _Spaces(NamedTuple):
    """The spaces between the parts of each line, for boxes over two parts of many lines.

    rows: of each line of several parts, where one part all but ends and the next has just begun; starts, and of those
    from each start on the leftmost end.
    """

    rows: list[list[Lane]]
    starts: list[float]
    ends: list[float]

    @classmethod
    def of(cls, parts: Sequence[Sequence[Box]]) -> _Spaces:
        wide = ([box for box in row if box.width > 2] for row in parts if len(row) > 1)
        rows_ = [[(one.x1 - 2, other.x0 + 2) for one, other in pairwise(row)] for row in wide]
        spaces = sorted(space for row in rows_ for space in row)
        ends = list(accumulate((end for _, end in reversed(spaces)), min))[::-1]
        return cls(rows_, [start for start, _ in spaces], ends)

    def spanned(self, box: Box) -> bool:
        """Whether the box stands over two parts or more of a third of the lines."""
        at = bisect_right(self.starts, box.x0)
        if at == len(self.starts) or self.ends[at] >= box.x1:
            return False
        over = sum(any(box.x0 < start and end < box.x1 for start, end in row) for row in self.rows)
        return over >= max(2, 0.3 * len(self.rows))


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


def _without_signs(columns: list[Lane], rows_: Sequence[Sequence[Middled]]) -> list[Lane]:
    """Columns of nothing but currency signs put to the amounts behind them, those of `%` and `)` to those before."""
    texts: list[list[str]] = [[] for _ in columns]
    for row in rows_:
        for middle, word in row:
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


def _parted(column: Lane, rows_: Sequence[Sequence[Middled]], size: float) -> list[Lane]:
    """The column, or two where each line has two figures in it and a white strip stands between them."""
    held = []
    for row in rows_:
        words = [word for middle, word in row if column[0] <= middle <= column[1]]
        if words:
            held.append(words)
    cuts: list[tuple[float, float]] = []
    for words in held:
        for left, right in pairwise(words):
            gap = right.box.x0 - left.box.x1
            apart = gap >= NARROW * size and not (gap <= SPACE * size and THOUSANDS.match(right.text))
            if apart and is_figure(left.text) and is_figure(right.text):
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


# ---------------------------------------------------------------- words by column


def band(row: Row, columns: Sequence[Lane]) -> Band:
    """The line with each part in its column, parts over several columns parted where their words are."""
    entries: dict[tuple[int, int], list[Word]] = {}
    for part in row.parts:
        for (first, last), words in _split(part, columns):
            entries.setdefault((first, last - first + 1), []).extend(words)
    placed = sorted(entries.items())
    return Band(tuple(Entry(first, count, 1, (Piece(row.at, tuple(words)),)) for (first, count), words in placed))


def under(words: Sequence[Word], columns: Sequence[Lane]) -> tuple[int, int]:
    """First and last column that the words stand in."""
    if len(words) > 1:
        words = [word for word in words if not _is_leader(word)] or words
    x0, x1 = min([word.box.x0 for word in words]), max([word.box.x1 for word in words])
    under = []
    for at, (left, right) in enumerate(columns):
        shared = (x1 if x1 < right else right) - (x0 if x0 > left else left)
        if shared > 2.0 or shared > 0.3 * (right - left):
            under.append(at)
    if not under:
        nearest = min(range(len(columns)), key=lambda at: max(columns[at][0] - x1, x0 - columns[at][1]))
        return nearest, nearest
    return under[0], under[-1]


def _split(part: tuple[Word, ...], columns: Sequence[Lane]) -> list[tuple[tuple[int, int], list[Word]]]:
    """A part by its first and last column; one over several columns cut at their edges, where none of its words stands
    over one and the gaps are wide.
    """
    first, last = under(part, columns)
    if first == last:
        return [((first, last), list(part))]
    held = [under([word], columns) for word in part]
    groups = [[part[0]]]
    for (left, one), (right, other) in pairwise(zip(part, held, strict=True)):
        apart = layout.gap(left, right)
        if one[1] < other[0] and apart >= NARROW:
            groups.append([])
        groups[-1].append(right)
    return [(under(words, columns), words) for words in groups]
