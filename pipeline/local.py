"""The engine by rules: rows, totals and supplier headings read out of the geometry of a page.

Comes in: an excerpt's pages, the columns wanted, the summary of the pages before. Goes out: quotes with their places.
It needs no key and no network. Refuses nothing: a page without a known table gives no rows, and figures in a table
that fit neither row nor total are handed over as lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pipeline import terms
from pipeline.engine import (
    Column,
    Excerpt,
    Found,
    Item,
    Quote,
    RawHeading,
    RawLine,
    RawRow,
    RawTotal,
    Summary,
    Wanted,
)
from pipeline.grid import Cells, Grid, Run, TableLine, header, learn, phrases
from pipeline.model import Box, Line, Page, Place, Word

MONEY = ("amount", "debit", "credit", "balance")
OUTSIDE = frozenset({"opening", "closing", "document", "debits", "credits"})


@dataclass(frozen=True)
class _Table:
    """A header (none where the table goes on from the page before) and the lines under it."""

    columns: tuple[Column, ...]
    lines: tuple[TableLine, ...]


@dataclass(frozen=True)
class _Seen:
    """A page that was read, what it was read with, and what came of it."""

    page: Page
    columns: tuple[Column, ...]
    wanted: tuple[Wanted, ...]
    items: list[Item]
    after: Summary


@dataclass
class LocalEngine:
    """Rows by rules. Keeps what it read of a window's pages, since windows overlap."""

    name: str = "local"
    _seen: dict[int, _Seen] = field(default_factory=dict, repr=False)

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        known = terms.titles({wanted.name: wanted.titles for wanted in columns})
        items: list[Item] = []
        summaries = []
        kept = {}
        for page, page_lines in zip(excerpt.pages, excerpt.lines, strict=True):
            seen = self._seen.get(page.number)
            if not (seen and seen.page is page and (seen.columns, seen.wanted) == (summary.columns, columns)):
                found, after = _page(_table_lines(page_lines), known, excerpt.furniture, summary)
                seen = _Seen(page, summary.columns, columns, found, replace(after, page=page.number))
            kept[page.number] = seen
            items += seen.items
            summary = seen.after
            summaries.append(summary)
        self._seen = kept
        return Found(tuple(items), tuple(summaries))


def _table_lines(page_lines: tuple[Line, ...]) -> tuple[TableLine, ...]:
    return tuple(TableLine(line.page, line.words, line.box, line.block) for line in page_lines)


def _page(
    page_lines: tuple[TableLine, ...], known: Mapping[str, str], furniture: frozenset[Place], summary: Summary
) -> tuple[list[Item], Summary]:
    """One page's items and the summary after it."""
    items: list[Item] = []
    before, tables = _tables(page_lines, known, summary.columns)
    for line in before:
        items += _outside(line)
    for table in tables:
        reader = _Reader(table, furniture, fresh=not any(isinstance(item, RawRow) for item in items))
        items += reader.read()
        summary = replace(summary, columns=table.columns)
    headings = [item for item in items if isinstance(item, RawHeading)]
    rows = [item for item in items if isinstance(item, RawRow)]
    return items, replace(
        summary,
        supplier=headings[-1].name if headings else summary.supplier,
        last_row=rows[-1] if rows else summary.last_row,
    )


def _tables(
    page_lines: tuple[TableLine, ...], known: Mapping[str, str], columns: tuple[Column, ...]
) -> tuple[tuple[TableLine, ...], list[_Table]]:
    """The lines before the first table of the page, and its tables. Without a header the last one's columns hold."""
    starts: list[tuple[int, int, tuple[Column, ...]]] = []
    at = 0
    while at < len(page_lines):
        found = header(page_lines, at, known)
        if found:
            starts.append((at, at + found[1], found[0]))
        at += found[1] if found else 1
    if not starts:
        return ((), [_Table(columns, page_lines)]) if columns else (page_lines, [])
    ends = [start for start, _, _ in starts[1:]] + [len(page_lines)]
    tables = [_Table(named, page_lines[body:end]) for (_, body, named), end in zip(starts, ends, strict=True)]
    return page_lines[: starts[0][0]], tables


def _outside(line: TableLine) -> list[Item]:
    """Totals in a summary outside the tables: labels, each with the amount behind it."""
    found: list[Item] = []
    for text, figure in line.pairs:
        label = terms.label(text)
        if label and label.kind in OUTSIDE:
            quote = _quote("amount", [figure], line.page)
            found.append(RawTotal(line.page, label.kind, text, label.rest, (quote,), line.box, inside=False))
    return found


def _label(line: TableLine, figures: list[Run]) -> str:
    taken = {word for run in figures for word in run.words}
    return " ".join(word.text for word in line.words if word not in taken).strip()


def _quote(column: str, runs: list[Run], page: int) -> Quote:
    text = runs[0].text
    for run in runs[1:]:
        broken = text[-1:] == "-" and text[-2:-1].isalpha() and run.text[:1].islower()
        text += run.text if broken else f" {run.text}"
    return Quote(column, text, tuple(Place(page, run.box) for run in runs))


def _name_box(run: Run, name: str) -> Box:
    """Where the words of a name stand within its heading."""
    size = len(name.split())
    for at in range(len(run.words) - size + 1):
        part = Run(run.words[at : at + size])
        if part.text == name:
            return part.box
    return run.box


@dataclass
class _Open:
    """A row that further lines may still belong to."""

    first: TableLine
    last: TableLine
    runs: dict[str, list[Run]]
    doubts: list[str]

    def raw(self, goes_on: bool = False) -> RawRow:
        page = self.first.page
        quotes = tuple(_quote(name, runs, page) for name, runs in self.runs.items())
        return RawRow(page, quotes, self.first.box, tuple(self.doubts), goes_on)


class _Reader:
    """Reads the lines of one table on one page, from the top."""

    def __init__(self, table: _Table, furniture: frozenset[Place], fresh: bool) -> None:
        self.grid: Grid = learn(table.columns, table.lines)
        self.table = table
        self.furniture = furniture
        self.fresh = fresh  # nothing but carried sums and headers stood above on this page
        self.items: list[Item] = []
        self.open: _Open | None = None
        self.cells = [(line, self.grid.cells(line)) for line in table.lines]
        self.summed = False  # a total stood above: what follows needs a date to be a row
        self.pitch = self._row_pitch()

    def read(self) -> list[Item]:
        for line, cells in self.cells:
            self._line(line, cells)
        self._close()
        return self.items

    def _row_pitch(self) -> float:
        """The least distance of two rows, in points: what stands further below is no part of the row above."""
        tops = [line.box.top for line, cells in self.cells if self._is_row(cells) and not self._total(line, cells)]
        return min((below - above for above, below in pairwise(tops)), default=1000.0)

    def _line(self, line: TableLine, cells: Cells) -> None:
        if total := self._total(line, cells):
            self._close()
            self.items.append(total)
            self.summed = self.summed or total.kind in ("document", "total", "closing")
            self.fresh = self.fresh and total.kind in ("brought", "carry", "opening")
        elif self._is_row(cells):
            self._row(line, cells)
        elif self._belongs(line, cells):
            self._continue(line, cells)
        elif Place(line.page, line.box) in self.furniture:
            return
        elif name := self._heading(line, cells):
            self._close()
            self.items.append(name)
            self.summed = self.summed and not name.labelled
        elif self._opens_page(line, cells):
            self.open = _Open(line, line, {}, [])
            self._extend(line, cells)
        elif line.figures:
            self._close()
            self.items.append(RawLine(line.page, line.text, line.box))
        else:
            if self.open and self._near(line) and self._alike(line):
                self.open.doubts.append(f"“{line.text}” stands close below and was not taken for a part of it")
            self._close()

    def _close(self) -> None:
        if self.open:
            self.items.append(self.open.raw(goes_on=not self._has_row(self.open)))
            self.open = None
            self.fresh = False

    def _has_row(self, row: _Open) -> bool:
        return any(name in row.runs for name in (*MONEY, "date", "invoice_number"))

    def _name(self, index: int) -> str:
        return self.grid.lanes[index].column.name

    def _money(self, cells: Cells) -> bool:
        return any(self._name(index) in MONEY for index in cells.typed)

    # ---- rows

    def _is_row(self, cells: Cells) -> bool:
        """A line that begins a row: something in a column of money, and what tells it from other lines."""
        names = {self._name(index) for index in cells.by_lane}
        typed = {self._name(index) for index in cells.typed}
        if not names & set(MONEY) and not (typed & {"date"} and names & {"description", "invoice_number"}):
            return False
        if "date" in typed:
            return True
        if self.summed and "date" in self.grid.by_name:
            return False
        if "invoice_number" in names and self._money(cells):
            return True
        keyed = {"date", "invoice_number"} & set(self.grid.by_name)
        return bool(self._money(cells) and "description" in names and (not keyed or self._date_may_lack()))

    def _date_may_lack(self) -> bool:
        """Bank statements print a date once for all movements of a day."""
        return "invoice_number" not in self.grid.by_name and bool(
            {"debit", "credit", "balance"} & set(self.grid.by_name)
        )

    def _row(self, line: TableLine, cells: Cells) -> None:
        dated = any(self._name(index) == "date" for index in cells.typed)
        waiting = self.open is not None and not any(name in self.open.runs for name in MONEY)
        if waiting and not dated and "date" in (self.open.runs if self.open else {}):
            self._extend(line, cells)
            return
        self._close()
        self.fresh = False
        self.open = _Open(line, line, {}, [])
        self._extend(line, cells)

    def _continue(self, line: TableLine, cells: Cells) -> None:
        """Add a line of words to the open row; where rows stand as close as lines do it may be a line of its own."""
        assert self.open is not None
        above = self.open.last.words[-1].text
        tight = self.pitch - (line.box.top - self.open.last.box.top) < 1.0
        if tight and line.words[0].text[0].isupper() and above[-1] not in ",-–/(&":
            self.open.doubts.append(f"“{line.text}” may be a line of its own")
        self._extend(line, cells)

    def _extend(self, line: TableLine, cells: Cells) -> None:
        assert self.open is not None
        for index, run in sorted(cells.by_lane.items()):
            self.open.runs.setdefault(self._name(index), []).append(run)
        self.open.doubts += cells.doubts
        self.open.last = line

    def _belongs(self, line: TableLine, cells: Cells) -> bool:
        """Whether words without a figure continue the open row: close below, set alike, under its text."""
        if self.open is None or self._money(cells):
            return False
        names = {self._name(index) for index in cells.by_lane}
        close = line.box.top - self.open.last.box.top <= self.pitch + 0.5
        known = names <= {*self.open.runs, "description"} and not names & set(MONEY)
        return close and known and self._near(line) and self._alike(line)

    def _near(self, line: TableLine) -> bool:
        assert self.open is not None
        last = self.open.last
        return line.box.top - last.box.bottom <= 0.6 * last.words[0].size

    def _alike(self, line: TableLine) -> bool:
        assert self.open is not None
        word, last = line.words[0], self.open.last.words[0]
        return abs(word.size - last.size) < 0.2 * last.size and word.bold == last.bold

    def _opens_page(self, line: TableLine, cells: Cells) -> bool:
        """Words at the page's top, before any row, that can only go on from the page before."""
        names = {self._name(index) for index in cells.by_lane}
        return self.fresh and names == {"description"} and not any(word.bold for word in line.words) and not cells.loose

    # ---- totals and headings

    def _total(self, line: TableLine, cells: Cells) -> RawTotal | None:
        figures = {self._name(index): cells.by_lane[index] for index in cells.typed if index in self._figure_lanes()}
        loose = list(cells.loose)
        if not figures and not loose:
            return None
        names = {self._name(index) for index in cells.typed}
        label = _label(line, [*figures.values(), *loose])
        dates = [cells.by_lane[index] for index in cells.typed if self._name(index) in ("date", "other_date")]
        bare = _label(line, [*figures.values(), *loose, *dates])
        found = terms.label(label) or (terms.label(bare) if dates else None)
        if (
            not found
            or "unit_price" in names
            or (dates and found.kind not in ("opening", "closing", "brought", "carried"))
        ):
            return None
        money = {name: run for name, run in figures.items() if name in MONEY}
        quotes = [_quote(name, [run], line.page) for name, run in (money or figures).items()]
        quotes = quotes or [_quote("amount", [loose[-1]], line.page)]
        return RawTotal(line.page, found.kind, label, found.rest, tuple(quotes), line.box)

    def _figure_lanes(self) -> set[int]:
        return {index for index, lane in enumerate(self.grid.lanes) if lane.column.kind == "amount"}

    def _heading(self, line: TableLine, cells: Cells) -> RawHeading | None:
        """A supplier's heading: named so, or words at the table's left edge, which others have to confirm."""
        runs = phrases(line.words)
        name = terms.heading(runs[0].text)
        if name:
            return RawHeading(line.page, name, _name_box(runs[0], name), labelled=True)
        name = terms.unmarked(runs[0].text)
        first: Word = line.words[0]
        size = self._body_size()
        at_left = first.box.x0 <= self.grid.width[0] + size
        if self.summed or self._money(cells) or not (at_left and name and name[0].isalpha()):
            return None
        stands_out = all(word.bold for word in runs[0].words) or first.size > 1.08 * size
        return RawHeading(line.page, name, _name_box(runs[0], name), stands_out=stands_out)

    def _body_size(self) -> float:
        sizes = [line.words[0].size for line in self.table.lines if len(line.words) > 3]
        return sorted(sizes)[len(sizes) // 2] if sizes else 10.0
