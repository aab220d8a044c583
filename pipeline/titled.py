"""The tables of a page under known titles: where each begins, its columns, and the words of its lines in them.

Comes in: a `Sheet`, the titles that are known, the columns of the last table of the page before. Goes out: `Titled`
tables, and the lines above the first. Nothing is refused: a page without known titles has none, or goes on with the
last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline import lanes, terms
from pipeline.bands import Band, Draft, Entry
from pipeline.engine import Column
from pipeline.figures import TableLine
from pipeline.grid import Grid, figured, header, learn, ruled
from pipeline.model import around
from pipeline.sheet import Sheet

MONEY = ("amount", "debit", "credit", "balance")


@dataclass(frozen=True)
class _Start:
    """Where a table begins: its first line, the first line behind its header, its columns, and its rules if it has any.

    rows: where rules part the rows, those below the header; `body` is then the first line behind all of them.
    """

    at: int
    body: int
    columns: tuple[Column, ...]
    draft: Draft | None = None
    rows: tuple[Band, ...] = ()


@dataclass(frozen=True)
class Titled:
    """A table on a page: its columns, its lines, and their words by column. whole: the lines that are rows by rules."""

    grid: Grid
    lines: tuple[TableLine, ...]
    bands: tuple[Band, ...]
    whole: range


def tables_of(
    sheet: Sheet, known: Mapping[str, str], columns: tuple[Column, ...]
) -> tuple[tuple[TableLine, ...], list[Titled]]:
    """The lines before the first table of the page, and its tables. Without a header the last one's columns hold."""
    page_lines = tuple(TableLine(line.page, line.words, line.box, line.block) for line in sheet.lines)
    starts = _starts(page_lines, sheet, known)
    if not starts:
        return ((), [_table(_going_on(sheet, columns), page_lines)]) if columns else (page_lines, [])
    ends = [*(start.at for start in starts[1:]), len(page_lines)]
    tables = [_table(start, page_lines[:end]) for start, end in zip(starts, ends, strict=True)]
    above = page_lines[: starts[0].at]
    if columns and above and _has_rows(rest := _table(_Start(0, 0, columns), above)):
        return (), [rest, *tables]
    return above, tables


def _has_rows(table: Titled) -> bool:
    """Whether the lines above a page's first header are rows that go on from the page before."""
    keys = {"date", "invoice_number"} & table.grid.names
    for line, band in zip(table.lines, table.bands, strict=True):
        names = {table.grid.columns[at].name for at in table.grid.cells(line, band).typed}
        texts = {table.grid.columns[entry.column].name for entry in band.entries if entry.columns == 1}
        if names & set(MONEY) and keys & (names | texts) and len(names | texts) > 2:
            return True
    return False


def _starts(page_lines: Sequence[TableLine], sheet: Sheet, known: Mapping[str, str]) -> list[_Start]:
    """The headers of the page, each with its columns, from the top."""
    drafts = {draft.lines[0]: draft for draft in sheet.ruled}
    starts: list[_Start] = []
    at = 0
    while at < len(page_lines):
        draft = drafts.get(at)
        if draft and (named := ruled(draft, known)):
            starts.append(_in_rules(draft, *named))
        elif found := header(page_lines, at, known):
            starts.append(_Start(at, at + found[1], found[0]))
        at = starts[-1].body if starts and starts[-1].at == at else at + 1
    return starts


def _in_rules(draft: Draft, columns: tuple[Column, ...], heads: int) -> _Start:
    """The table that rules make: row by row where they part its rows, else line by line."""
    bands = (*draft.heads, *draft.rows)
    first, last = draft.lines[0], draft.lines[-1]
    if draft.parted:
        return _Start(first, last + 1, columns, draft, _spread(bands[heads:], columns))
    body = max((line for band in bands[:heads] for line in band.lines), default=first - 1) + 1
    return _Start(first, body, columns, draft)


def _spread(rows: Sequence[Band], columns: Sequence[Column]) -> tuple[Band, ...]:
    """The rows, each with the cells that are merged from a row above over it; sums are those of their first row."""
    found: list[Band] = []
    reach: dict[int, tuple[Entry, int]] = {}
    for at, band in enumerate(rows):
        own = {column for entry in band.entries for column in range(entry.column, entry.last + 1)}
        above = [entry for column, (entry, last) in reach.items() if at <= last and column not in own]
        for entry in band.entries:
            if entry.rows > 1 and entry.columns == 1 and columns[entry.column].kind != "amount":
                reach[entry.column] = entry, at + entry.rows - 1
        found.append(replace(band, entries=tuple(sorted((*band.entries, *above)))) if above else band)
    return tuple(found)


def _going_on(sheet: Sheet, columns: tuple[Column, ...]) -> _Start:
    """A page without a header: in the rules that as many columns have, where there are such, or below the titles."""
    for draft in sheet.ruled:
        if len(draft.lanes) == len(columns):
            return replace(_in_rules(draft, columns, 0), at=0)
    return _Start(0, 0, columns)


def _table(start: _Start, page_lines: Sequence[TableLine]) -> Titled:
    """The table from its header, or from what stands above its rules, to the end of `page_lines`."""
    above = range(start.at, start.draft.lines[0]) if start.draft else range(0)
    plain = [
        (page_lines[at], figured(lanes.row(at, page_lines[at]))) for at in (*above, *range(start.body, len(page_lines)))
    ]
    grid = Grid(start.columns, start.draft.lanes) if start.draft else learn(start.columns, plain)
    read = [(line, grid.band(row)) for line, row in plain]
    ruled = [each for band in start.rows for each in _row_lines(band, page_lines, grid)]
    whole = range(len(above), len(above) + len(ruled))
    read[whole.start : whole.start] = ruled
    return Titled(grid, tuple(line for line, _ in read), tuple(band for _, band in read), whole)


def _row_lines(band: Band, page_lines: Sequence[TableLine], grid: Grid) -> list[tuple[TableLine, Band]]:
    """A row of a ruled table as one line; several where each of its lines is a total of its own."""
    held = [page_lines[at] for at in band.lines]
    if len(held) > 1 and all(terms.label(line.text) and any(map(str.isdigit, line.text)) for line in held):
        return [(page_lines[at], grid.band(figured(lanes.row(at, page_lines[at])))) for at in band.lines]
    return [(_row_line(band, page_lines[0].page), band)]


def _row_line(band: Band, page: int) -> TableLine:
    """A row of a ruled table as one line, its words cell by cell; those of merged cells only where it has no others."""
    own = [entry for entry in band.entries if entry.rows == 1] or band.entries
    words = tuple(word for entry in own for piece in entry.pieces for word in piece.words)
    return TableLine(page, words, around([word.box for word in words]), 0)
