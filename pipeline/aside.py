"""Words of a page that are printed beside or across its text: line numbers in the margin, large words laid over it.

Comes in: a `Page`. Goes out: groups of words, each to be a line of its own, so that they join no line of the text.
Refuses to guess: a column of figures is line numbers only where sentences run on over its rows, or rows are empty; a
numbered list or a table's first column is neither.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from pipeline.model import Box, Line, Page, Word

FEWEST, FEWEST_COARSE = 5, 3  # figures of a column that counts by ones; by twos, fives or tens
DIGITS = 4
MARGIN = 72  # points from the leftmost word of the page in which line numbers begin
STEPS = (1, 2, 5, 10)
ALIGNED = 2.5  # points that the figures' edges may differ
SAME_ROW = 0.5  # of the type size
PITCH = 0.12  # share that a step may differ from the usual one
EVEN = 0.7  # share of steps that must be the usual one: headings may stand further apart
COVERED = 0.97  # share of the words between the figures that stand beside one
RUN_ON = 0.25  # share of rows that are empty or go on with the sentence above
FULL = 0.8  # share of the widest row that a row reaches whose sentence goes on
PAGEFUL, TALL, LONG = 20, 0.6, 35  # figures, share of the page's height, characters of the usual row
LARGE, LARGER = 30, 2.5  # points, and of the median size: a word laid across the page
LETTERS = 3


class Column(NamedTuple):
    """Where line numbers stand: their left edge, or their right one."""

    left: float
    right: float

    def holds(self, box: Box) -> bool:
        return abs(box.x0 - self.left) <= ALIGNED or abs(box.x1 - self.right) <= ALIGNED


def groups(page: Page, column: Column | None = None) -> list[tuple[Word, ...]]:
    """The words that stand apart, each group a line, top to bottom. column: where the line numbers of other pages are;
    figures that stand there count lines here too, however few they are.
    """
    found = _across(page) if page.sizes and max(page.sizes) >= LARGE else []
    if not page.boxes:
        return found
    lefts = page.boxes[::4]
    left = min(lefts) + MARGIN
    texts = page.text.split("\n")
    figures = [at for at, text in enumerate(texts) if len(text) <= DIGITS and text.isdecimal() and lefts[at] < left]
    if column is not None:
        return found + _in_column(page, figures, column)
    return found + _line_numbers(page, figures) if len(figures) >= FEWEST_COARSE else found


def column(lines: Iterable[Line]) -> Column | None:
    """Where the line numbers among these lines stand, if there are any."""
    boxes = [line.box for line in lines if is_line_numbers(line)]
    return Column(median(box.x0 for box in boxes), median(box.x1 for box in boxes)) if boxes else None


def is_line_numbers(line: Line) -> bool:
    """Whether a line is the figures of a margin, put together by `groups`."""
    words = line.words
    if not _figure(words[0]):
        return False
    return len(words) > 1 and words[1].box.top > words[0].box.bottom and all(map(_figure, words))


def _figure(word: Word) -> bool:
    return len(word.text) <= DIGITS and word.text.isdecimal() and word.rotation == 0


# ---------------------------------------------------------------- line numbers


class _Row(NamedTuple):
    """What stands right of a figure: the words of its row from left to right."""

    figure: Word
    words: tuple[Word, ...]

    @property
    def goes_on(self) -> bool:
        return self.words[0].text[0].islower()

    @property
    def open(self) -> bool:
        return self.words[-1].text[-1] not in ".;:!?"


def _line_numbers(page: Page, at: Sequence[int]) -> list[tuple[Word, ...]]:
    """The figures of each column of line numbers, among the words with these indexes."""
    figures = sorted((page.words[index] for index in at), key=_top)
    columns = list(_columns([word for word in figures if word.rotation == 0]))
    words = [word for word in page.words if word.rotation == 0] if columns else []
    found: list[tuple[Word, ...]] = []
    for column in columns:
        if not _is_leftmost(column, words) or not (_is_even(column) or _is_of_each_row(column, words)):
            continue
        rows = [_row(figure, words) for figure in column]
        if _are_prose(rows) and (_is_pageful(rows, page) or _is_margin(rows)):
            found.append(tuple(column))
    return found


def _in_column(page: Page, at: Sequence[int], column: Column) -> list[tuple[Word, ...]]:
    """The figures that count from one, or by fives, where other pages have their line numbers."""
    figures = sorted((page.words[index] for index in at if column.holds(page.words[index].box)), key=_top)
    step = int(figures[0].text) if figures else 0
    if step not in STEPS or any(int(word.text) != step * (index + 1) for index, word in enumerate(figures)):
        return []
    return [tuple(figures)] if _is_leftmost(figures, [word for word in page.words if word.rotation == 0]) else []


def _top(word: Word) -> float:
    return word.box.top


def _columns(figures: Sequence[Word]) -> Iterator[list[Word]]:
    """Figures below each other, at one left or right edge, that count on in even steps."""
    by_value: dict[int, list[Word]] = {}
    for figure in figures:
        by_value.setdefault(int(figure.text), []).append(figure)
    taken: set[Word] = set()
    for first in figures:
        for step in STEPS if first not in taken else ():
            column = _counting(first, by_value, step)
            if len(column) >= (FEWEST if step == 1 else FEWEST_COARSE) and (step == 1 or _is_even(column)):
                taken.update(column)
                yield column
                break


def _counting(first: Word, by_value: Mapping[int, Sequence[Word]], step: int) -> list[Word]:
    column = [first]
    while True:
        last = column[-1]
        following = by_value.get(int(last.text) + step, ())
        under = next((word for word in following if word.box.top > last.box.bottom - 1 and _aligned(first, word)), None)
        if under is None:
            return column
        column.append(under)


def _aligned(one: Word, other: Word) -> bool:
    edges = (one.box.x0 - other.box.x0, one.box.x1 - other.box.x1, one.box.middle[0] - other.box.middle[0])
    return min(map(abs, edges)) <= ALIGNED and abs(one.size - other.size) < 0.5


def _is_even(column: Sequence[Word]) -> bool:
    steps = [other.box.bottom - one.box.bottom for one, other in pairwise(column)]
    usual = median(steps)
    even = sum(abs(step - usual) <= PITCH * usual for step in steps)
    return even >= EVEN * len(steps) and min(steps) >= (1 - PITCH) * usual


def _is_of_each_row(column: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether each row of the text has a figure: next to nothing stands between two of them."""
    bottoms = sorted(word.box.bottom for word in column)
    text = [word for word in words if word.box.x0 > column[0].box.x1 and bottoms[0] < word.box.bottom < bottoms[-1]]
    near = 0
    for word in text:
        at = bisect_left(bottoms, word.box.bottom)
        apart = min(word.box.bottom - bottoms[at - 1], bottoms[at] - word.box.bottom)
        near += apart <= SAME_ROW * max(word.size, column[0].size)
    return near >= COVERED * len(text)


def _is_leftmost(column: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether nothing stands left of the figures, from the first to the last of them."""
    left, top, bottom = max(word.box.x1 for word in column), column[0].box.top, column[-1].box.bottom
    mates = set(column)
    return not any(word.box.x0 < left and top <= word.box.middle[1] <= bottom and word not in mates for word in words)


def _is_margin(rows: Sequence[_Row]) -> bool:
    """Whether enough of the rows are empty or go on with a sentence: the figures count lines, not items."""
    first, second = (int(row.figure.text) for row in rows[:2])
    filled = [row for row in rows if row.words]
    if not filled:
        return False
    empty = len(rows) - len(filled) if first == 1 else 0
    if second - first > 1:  # the rows between those that are counted are not seen here
        return empty + sum(row.goes_on for row in filled) >= max(2, RUN_ON * len(rows))
    left = min(row.words[0].box.x0 for row in filled)
    full = FULL * (max(row.words[-1].box.x1 for row in filled) - left)
    runs = sum(row.goes_on and above.open and above.words[-1].box.x1 - left >= full for above, row in pairwise(filled))
    return empty + runs >= max(2, RUN_ON * len(rows))


def _is_pageful(rows: Sequence[_Row], page: Page) -> bool:
    """Whether the figures count from one down a page of long rows, without a step that differs."""
    figures = [row.figure for row in rows]
    steps = [other.box.bottom - one.box.bottom for one, other in pairwise(figures)]
    long = sum(sum(len(word.text) + 1 for word in row.words) > LONG for row in rows)
    tall = figures[-1].box.bottom - figures[0].box.top >= TALL * page.height
    even = max(steps) - min(steps) <= PITCH * median(steps)
    return len(rows) >= PAGEFUL and figures[0].text == "1" and tall and even and 2 * long >= len(rows)


def _are_prose(rows: Sequence[_Row]) -> bool:
    """Whether few rows have wide gaps, as the rows of a table have."""
    gapped = sum(any(other.box.x0 - one.box.x1 > 2.5 * one.size for one, other in pairwise(row.words)) for row in rows)
    return gapped <= 0.3 * len(rows)


def _row(figure: Word, words: Sequence[Word]) -> _Row:
    middle, reach = figure.box.middle[1], SAME_ROW * figure.size
    beside = [word for word in words if abs(word.box.middle[1] - middle) <= reach and word.box.x0 > figure.box.x1]
    return _Row(figure, tuple(sorted(beside, key=lambda word: word.box.x0)))


# ---------------------------------------------------------------- words across the text


def _across(page: Page) -> list[tuple[Word, ...]]:
    """Large level words with words of the text under them, by their rows."""
    least = max(LARGE, LARGER * median(page.sizes))
    words = [word for word in page.words if word.rotation == 0]
    large = [word for word in words if word.size >= least and sum(map(str.isalpha, word.text)) >= LETTERS]
    small = [word for word in words if word.size < least] if large else []
    over = [word for word in large if any(word.box.holds(*other.box.middle) for other in small)]
    rows: dict[int, list[Word]] = {}
    for word in over:
        rows.setdefault(round(word.box.bottom), []).append(word)
    return [tuple(sorted(row, key=lambda word: word.box.x0)) for _, row in sorted(rows.items())]
