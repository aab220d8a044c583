"""Ruled tables: the cells that rules make, the words in them, row by row.

Comes in: a `Page` with the cells of its ruled tables. Goes out: `Lattice`s: lines of words and a `Draft`, for those
that are tables; frames, boxes in a row and diagrams are left to be read as text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from pipeline.bands import Band, Cuts, Draft, Entry, Piece, collide, heads, rows
from pipeline.model import Box, Line, Page, Word, around

NEAR = 2.0  # points: edges closer than this are one
BASELINE = 0.3  # of the type size
MOST_LINES = 12  # of a cell over the whole width: more are a page in a frame
APART = 0.6  # of the type size: words of a merged cell that stand in columns of their own are further apart
WIDE = 1.0  # of the type size: words of one cell stand closer
BESIDE = 60.0  # points: text further from a table is none of its columns


class Lattice(NamedTuple):
    """A ruled table: its lines from the top, and the draft over them."""

    lines: tuple[Line, ...]
    draft: Draft


class _Cell(NamedTuple):
    """A cell of the grid: first and last row and column."""

    top: int
    bottom: int
    left: int
    right: int


def lattices(page: Page) -> list[Lattice]:
    """The ruled tables of the page."""
    found = []
    values = zip(*[iter(page.cells)] * 5, strict=True)
    for _, group in groupby(values, lambda value: value[0]):
        boxes = [Box(*value[1:]) for value in group]
        if len(boxes) >= 4 and (lattice := _lattice(page, boxes)):
            found.append(lattice)
    return found


def _lattice(page: Page, boxes: list[Box]) -> Lattice | None:
    across = _edges(side for box in boxes for side in (box.x0, box.x1))
    down = _edges(side for box in boxes for side in (box.top, box.bottom))
    if len(across) < 3 or len(down) < 3:
        return None
    slots: dict[tuple[int, int], _Cell] = {}
    for box in boxes:
        cell = _Cell(
            _slot(down, box.top + NEAR),
            _slot(down, box.bottom - NEAR),
            _slot(across, box.x0 + NEAR),
            _slot(across, box.x1 - NEAR),
        )
        for row in range(cell.top, cell.bottom + 1):
            for column in range(cell.left, cell.right + 1):
                slots[row, column] = cell
    words: dict[_Cell, list[Word]] = {}
    beside = []
    for word in page.words:
        x, y = word.box.middle
        if across[0] < x < across[-1] and down[0] < y < down[-1]:
            held = slots.get((_slot(down, y), _slot(across, x)))
            if held:
                words.setdefault(held, []).append(word)
        elif down[0] < y < down[-1] and across[0] - BESIDE < x < across[-1] + BESIDE:
            beside.append(word)
    _leave_pages(words, len(across) - 1)
    if _goes_on_beside(words, beside):
        return None
    if not _is_table(words, len(set(slots.values()))):
        return None
    return _read(page.number, words, across, down)


def _edges(values: Iterable[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > NEAR:
            found.append(value)
    return found


def _slot(edges: Sequence[float], value: float) -> int:
    return min(max(bisect_right(edges, value) - 1, 0), len(edges) - 2)


def _is_table(words: dict[_Cell, list[Word]], cells: int) -> bool:
    """Text in two rows and two columns at least, and in a fair share of the cells."""
    tops, lefts = {cell.top for cell in words}, {cell.left for cell in words}
    return len(words) >= 4 and len(tops) >= 2 and len(lefts) >= 2 and len(words) >= 0.25 * cells


def _leave_pages(words: dict[_Cell, list[Word]], columns: int) -> None:
    """Take out cells over the whole width that hold a page of text: frames around it."""
    for cell in [cell for cell in words if cell.right - cell.left + 1 == columns]:
        if len({round(word.box.bottom) for word in words[cell]}) > MOST_LINES:
            del words[cell]


def _goes_on_beside(words: dict[_Cell, list[Word]], beside: Sequence[Word]) -> bool:
    """Whether most rows have words outside the rules on the baselines of those inside: columns without rules."""
    if not words or not beside:
        return False
    outside = {round(word.box.bottom) for word in beside}
    rows_: dict[int, list[int]] = {}
    for cell, held in words.items():
        rows_.setdefault(cell.top, []).extend(round(word.box.bottom) for word in held)
    meeting = sum(any(bottom + by in outside for bottom in bottoms for by in (-1, 0, 1)) for bottoms in rows_.values())
    return meeting >= 2 and meeting >= 0.7 * len(rows_)


def _read(number: int, words: dict[_Cell, list[Word]], across: list[float], down: list[float]) -> Lattice | None:
    columns = _columns(words)
    lanes = tuple((across[group[0]], across[group[-1] + 1]) for group in columns)
    place = {column: at for at, group in enumerate(columns) for column in group}
    lines: list[Line] = []
    groups: list[list[Band]] = []
    for _, held in groupby(sorted(words), lambda cell: cell.top):
        row = [(_Span(place[cell.left], place[cell.right], cell.bottom - cell.top + 1), words[cell]) for cell in held]
        groups.append(_bands(number, row, lanes, lines))
    if _unfinished(groups):
        return None
    parted = [_parted(group) for group in groups]
    bands = [row for rows_ in parted for row in rows_]
    count = heads(bands, Cuts(frozenset(), ()))
    draft = Draft(number, lanes, tuple(bands[:count]), tuple(bands[count:]), True, len(bands) == len(groups))
    return Lattice(tuple(lines), draft)


def _columns(words: Iterable[_Cell]) -> list[list[int]]:
    """The grid's columns, those put together that no row has apart: edges of grounds and of double rules."""
    rows_: dict[int, set[int]] = {}
    for cell in words:
        rows_.setdefault(cell.top, set()).add(cell.left)
    groups: list[list[int]] = [[0]]
    last = max(cell.right for cell in words)
    for column in range(1, last + 1):
        group = groups[-1]
        if any(column in lefts and lefts & set(group) for lefts in rows_.values()):
            groups.append([])
        groups[-1].append(column)
    return groups


class _Span(NamedTuple):
    """First and last column of a cell, and how many rows it covers."""

    first: int
    last: int
    rows: int


Placed = tuple[Word, _Span]


def _bands(
    number: int, row: list[tuple[_Span, list[Word]]], lanes: tuple[tuple[float, float], ...], lines: list[Line]
) -> list[Band]:
    """The lines of one row of the grid, each with its words by cell; the lines are added to `lines`."""
    found = []
    for group in _baselines([(word, span) for span, held in row for word in held]):
        group.sort(key=lambda item: (item[1], item[0].box.x0))
        at = len(lines)
        held = tuple(word for word, _ in group)
        lines.append(Line(number, held, around([word.box for word in held]), 0))
        entries = []
        for span, part in groupby(group, lambda item: item[1]):
            for first, last, words in _apart([word for word, _ in part], span, lanes):
                entries.append(Entry(first, last - first + 1, span.rows, (Piece(at, tuple(words)),)))
        found.append(Band(tuple(entries)))
    return found


def _apart(
    words: list[Word], span: _Span, lanes: tuple[tuple[float, float], ...]
) -> Iterator[tuple[int, int, list[Word]]]:
    """The words of a merged cell by column, where they stand apart at the columns' edges as in rows with all rules."""
    if span.first == span.last:
        yield span.first, span.last, words
        return
    groups: list[tuple[int, list[Word]]] = []
    for word in words:
        middle = word.box.middle[0]
        column = next((at for at in range(span.first, span.last) if middle < lanes[at][1]), span.last)
        left, right = lanes[column]
        over = word.box.x0 < left - 1 or word.box.x1 > right + 1
        if over or (groups and groups[-1][0] != column and word.box.x0 - groups[-1][1][-1].box.x1 < APART * word.size):
            yield span.first, span.last, words
            return
        if not groups or groups[-1][0] != column:
            groups.append((column, []))
        groups[-1][1].append(word)
    if len(groups) == 1:
        yield span.first, span.last, words
        return
    yield from ((column, column, held) for column, held in groups)


def _unfinished(groups: list[list[Band]]) -> bool:
    """Whether most cells of a column hold several parts side by side: columns that no rule parts."""
    parts: dict[int, list[bool]] = {}
    for group in groups:
        for band in group:
            for entry in band.entries:
                if entry.columns == 1:
                    words = entry.pieces[0].words
                    wide = any(other.box.x0 - one.box.x1 > WIDE * one.size for one, other in pairwise(words))
                    parts.setdefault(entry.column, []).append(wide)
    return any(len(flags) >= 3 and sum(flags) > 0.6 * len(flags) for flags in parts.values())


def _baselines(placed: list[Placed]) -> list[list[Placed]]:
    groups: list[list[Placed]] = []
    last = -1e9
    for item in sorted(placed, key=lambda item: item[0].box.bottom):
        bottom = item[0].box.bottom
        if bottom - last > BASELINE * max(item[0].size, 1.0):
            groups.append([])
            last = bottom
        groups[-1].append(item)
    return groups


def _parted(bands: list[Band]) -> list[Band]:
    """One row, or several where a cell of the grid holds the lines of several."""
    if any(collide(one, other) for one, other in pairwise(bands)):
        return rows(bands, None)
    return rows(bands, frozenset())
