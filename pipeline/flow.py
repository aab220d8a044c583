"""A section's content as blocks: paragraphs, bullet lists, tables, and numbered paragraphs with what is inside them.

Comes in: a `Section` and its subclauses. Goes out: `Block`s with offsets into the content, so that each word of it is
in exactly one of them. Rows of a table are told by what the section's tables hold; rows that no table holds stay
paragraphs.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pipeline import subclauses
from pipeline.model import Section, Table, TableRow
from pipeline.subclauses import Subclause

CELL = " | "
BULLET = re.compile(r"[•◦▪■●○‣➢✓]\s+")
LOOSE = re.compile(r"[\s|\u00ad-]+")


class Span(NamedTuple):
    """Part of the content: offsets."""

    start: int
    end: int


class Cell(NamedTuple):
    """A cell of a row: its text's place, or None where it is empty, and how many columns it covers."""

    span: Span | None
    columns: int


@dataclass(frozen=True)
class Paragraph:
    """A line of running text."""

    span: Span


@dataclass(frozen=True)
class Bullets:
    """Lines with bullets, which are left out."""

    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Grid:
    """Rows of a table, those of its header first."""

    heads: tuple[tuple[Cell, ...], ...]
    rows: tuple[tuple[Cell, ...], ...]
    page: int


@dataclass(frozen=True)
class Item:
    """A numbered paragraph. number: the mark's place; text: the rest of its line; blocks: what else is inside."""

    anchor: str | None
    number: Span
    text: Span
    blocks: tuple[Block, ...]


Block = Paragraph | Bullets | Grid | Item


class _Line(NamedTuple):
    start: int
    end: int
    table: int  # which of the section's tables it is a row of, or -1
    row: int  # which of its rows, those of the header first


@dataclass
class _Open:
    """A container that is being filled: an item, or the section itself."""

    end: int
    number: Span
    text: Span
    anchor: str | None
    blocks: list[Block] = field(default_factory=list)


def blocks(section: Section, found: Sequence[Subclause] | None = None) -> tuple[Block, ...]:
    """The blocks of a section. found: its subclauses; None: one without an anchor, whose items get none either."""
    named = found is not None
    if found is None:
        found = subclauses.of(replace(section, anchor="x"))
    text = section.content
    begins: dict[int, list[Subclause]] = defaultdict(list)
    lines = list(_lines(text, section.tables, {one.start for one in found}))
    starts = [line.start for line in lines]
    for one in found:
        begins[starts[bisect_left(starts, one.start + 1) - 1]].append(one)
    stack = [_Open(len(text) + 1, Span(0, 0), Span(0, 0), None)]
    run: list[_Line] = []
    for line in lines:
        if run and (line.table != run[-1].table or line.start in begins):
            stack[-1].blocks.append(_grid(text, section.tables[run[0].table], run))
            run = []
        while stack[-1].end <= line.start:
            _shut(stack)
        if line.table >= 0 and line.start not in begins:
            run.append(line)
        elif line.start in begins:
            if (first := begins[line.start][0].start) > line.start:
                stack[-1].blocks.append(Paragraph(Span(line.start, first)))
            _items(stack, text, line, begins[line.start], named)
        else:
            _text(stack[-1].blocks, text, line)
    if run:
        stack[-1].blocks.append(_grid(text, section.tables[run[0].table], run))
    while len(stack) > 1:
        _shut(stack)
    return tuple(stack[0].blocks)


def _shut(stack: list[_Open]) -> None:
    done = stack.pop()
    stack[-1].blocks.append(Item(done.anchor, done.number, done.text, tuple(done.blocks)))


def _items(stack: list[_Open], text: str, line: _Line, found: Sequence[Subclause], named: bool) -> None:
    """Open the numbered paragraphs that a line begins with; its text belongs to the last."""
    for at, one in enumerate(found):
        end = found[at + 1].start if at + 1 < len(found) else line.end
        number = Span(one.start, one.start + len(one.number))
        rest = _trimmed(text, Span(number.end, end))
        stack.append(_Open(one.end, number, rest, one.anchor if named else None))


def _trimmed(text: str, span: Span) -> Span:
    """Without the spaces and the bar that part it from its number."""
    start, end = span
    while start < end and text[start] in " |":
        start += 1
    while end > start and text[end - 1] in " |":
        end -= 1
    return Span(start, end)


def _text(into: list[Block], text: str, line: _Line) -> None:
    """A paragraph, or one more bullet."""
    bullet = BULLET.match(text, line.start, line.end)
    if bullet is None:
        into.append(Paragraph(Span(line.start, line.end)))
        return
    span = Span(bullet.end(), line.end)
    match into[-1] if into else None:
        case Bullets(spans):
            into[-1] = Bullets((*spans, span))
        case _:
            into.append(Bullets((span,)))


def _lines(text: str, tables: Sequence[Table], taken: set[int]) -> Iterator[_Line]:
    """The lines with the rows that they are; a line that begins a numbered paragraph is no row."""
    spans = []
    start = 0
    for part in text.split("\n"):
        if part.strip():
            spans.append(Span(start, start + len(part)))
        start += len(part) + 1
    rows = _rows([_bare(text[span.start : span.end]) for span in spans], tables)
    for at, span in enumerate(spans):
        table, row = rows.get(at, (-1, -1)) if span.start not in taken else (-1, -1)
        yield _Line(*span, table, row)


def _rows(bare: Sequence[str], tables: Sequence[Table]) -> Mapping[int, tuple[int, int]]:
    """Which lines are rows of which table, told by their letters, in order."""
    where: dict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(bare):
        where[line].append(at)
    found: dict[int, tuple[int, int]] = {}
    for number, table in enumerate(tables):
        cursor = 0
        for row, one in enumerate((*table.heads, *table.rows)):
            lines = where.get(_bare(" ".join(cell.text for cell in one.cells)), [])
            free = next((at for at in lines[bisect_left(lines, cursor) :] if at not in found), None)
            if free is not None:
                found[free] = (number, row)
                cursor = free + 1
    return found


def _bare(text: str) -> str:
    """The letters by which a row is told: without spaces, bars and hyphens."""
    return LOOSE.sub("", text)


def _grid(text: str, table: Table, lines: Sequence[_Line]) -> Grid:
    wholes = (*table.heads, *table.rows)
    cells = _begun([_cells(text, line, wholes[line.row], len(table.header)) for line in lines])
    body = next((at for at, line in enumerate(lines) if line.row >= len(table.heads)), len(lines))
    pages = [place.page for line in lines for place in wholes[line.row].places]
    return Grid(tuple(cells[:body]), tuple(cells[body:]), min(pages, default=0))


def _begun(rows: Sequence[Sequence[Cell]]) -> list[tuple[Cell, ...]]:
    """The rows without the columns in which none of their cells begins."""
    starts = [[sum(cell.columns for cell in row[:at]) for at in range(len(row))] for row in rows]
    begun = sorted({start for each in starts for start in each})
    return [
        tuple(
            cell._replace(columns=bisect_left(begun, start + cell.columns) - bisect_left(begun, start))
            for cell, start in zip(row, each, strict=True)
        )
        for row, each in zip(rows, starts, strict=True)
    ]


def _cells(text: str, line: _Line, row: TableRow, columns: int) -> tuple[Cell, ...]:
    """One cell a column, or one over several; a row whose text does not fall into its columns is one cell."""
    spans = []
    start = line.start
    for part in text[line.start : line.end].split(CELL):
        spans.append(Span(start, start + len(part)))
        start += len(part) + len(CELL)
    covered = {cell.column: cell.columns for cell in row.cells}
    columns = max(columns, 1)
    if len(spans) > columns:
        return (Cell(Span(line.start, line.end), columns),)
    cells: list[Cell] = []
    at = 0
    while at < columns:
        span = spans[at] if at < len(spans) and spans[at].end > spans[at].start else None
        wide = min(max(covered.get(at, 1), 1), columns - at)
        while wide > 1 and any(one.end > one.start for one in spans[at + 1 : at + wide]):
            wide -= 1  # what was merged over has text of its own
        cells.append(Cell(span, wide))
        at += wide
    return tuple(cells)
