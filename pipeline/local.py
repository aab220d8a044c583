"""The engine by rules: rows, totals and supplier headings read out of the geometry of a page.

Comes in: an excerpt's pages, the columns wanted, the summary of the pages before. Goes out: quotes with their places.
It needs no key and no network. Refuses nothing: a page without a known table gives no rows, and figures in a table
that fit neither row nor total are handed over as lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from pipeline import amounts, terms
from pipeline.bands import Band, Entry, merged
from pipeline.cards import cards
from pipeline.continued import table_row
from pipeline.engine import (
    Column,
    Excerpt,
    Found,
    Hit,
    Item,
    Passage,
    Query,
    Quote,
    RawField,
    RawHeading,
    RawLine,
    RawRow,
    RawTotal,
    Reply,
    Sought,
    Summary,
    Wanted,
)
from pipeline.figures import Run, TableLine, phrases
from pipeline.grid import Cells, Grid
from pipeline.model import Box, Page, Place, Section, TableCell
from pipeline.sheet import Sheet
from pipeline.titled import MONEY, Titled, tables_of

WORDS = frozenset({"description", "supplier"})  # columns whose text goes on over lines
MANY = 15  # rows of a column, that show how far its words reach
WIDEST = 1.7  # of the type size: the step of lines that are set far apart
LOOSEST = 2.4  # of the type size: lines farther apart are no lines of one text
CARRIES = frozenset({"brought", "carried", "carry", "opening", "closing"})
OUTSIDE = frozenset({"opening", "closing", "document", "debits", "credits"})


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
        if excerpt.again:
            self._seen = {}
        for page, sheet in zip(
            excerpt.pages, map(_unruled, excerpt.sheets) if excerpt.again else excerpt.sheets, strict=True
        ):
            seen = self._seen.get(page.number)
            if not (seen and seen.page is page and (seen.columns, seen.wanted) == (summary.columns, columns)):
                found, after = _page(sheet, known, excerpt, summary)
                seen = _Seen(page, summary.columns, columns, found, replace(after, page=page.number))
            kept[page.number] = seen
            items += seen.items
            summary = seen.after
            summaries.append(summary)
        self._seen = kept
        return Found(tuple(items), tuple(summaries))

    def find(self, query: Query, sections: Sequence[Section]) -> tuple[Hit, ...]:
        from pipeline import clauses  # what finds clauses is of no use to rows

        return clauses.find(query.text, sections, query.synonyms)

    def answer(self, question: str, passages: Sequence[Passage]) -> tuple[Reply, ...]:
        from pipeline import lookup  # nor is what answers questions

        return lookup.answer(question, passages)

    def fields(self, pages: Sequence[Page], sought: Sequence[Sought]) -> tuple[RawField, ...]:
        from pipeline import fieldreader  # nor is what reads invoices

        return fieldreader.fields(pages, sought)


def _unruled(sheet: Sheet) -> Sheet:
    """The sheet without its drawn tables: a second reading goes by where words stand alone."""
    return replace(sheet, ruled=()) if sheet.ruled else sheet


def ahead(sheets: Sequence[Sheet], wanted: Sequence[Wanted]) -> tuple[Summary, ...]:
    """What each page hands on, from the headers of its tables and its labelled headings, without reading a row."""
    known = terms.titles({one.name: one.titles for one in wanted})
    before = Summary()
    found = []
    for sheet in sheets:
        tables = tables_of(sheet, known, before.columns)[1]
        names = [name for line in sheet.lines if (name := terms.heading(phrases(line.words)[0].text))]
        before = Summary(
            sheet.page,
            names[-1] if names else before.supplier,
            columns=tables[-1].grid.columns if tables else before.columns,
        )
        found.append(before)
    return tuple(found)


def _page(sheet: Sheet, known: Mapping[str, str], excerpt: Excerpt, summary: Summary) -> tuple[list[Item], Summary]:
    """One page's items and the summary after it."""
    items: list[Item] = []
    before, tables = tables_of(sheet, known, summary.columns)
    for line in before:
        items += _outside(line, sheet)
    if not (tables or summary.columns):
        items += cards(sheet, summary.last_row)
    if tables and before and (named := _headed(before, sheet)):
        items.append(named)
    for table in tables:
        reader = _Reader(table, sheet, excerpt, fresh=not any(isinstance(item, RawRow) for item in items))
        items += reader.read()
        summary = replace(summary, columns=table.grid.columns)
    headings = [item for item in items if isinstance(item, RawHeading)]
    rows = [item for item in items if isinstance(item, RawRow)]
    return items, replace(
        summary,
        supplier=headings[-1].name if headings else summary.supplier,
        last_row=rows[-1] if rows else summary.last_row,
    )


# ---- outside of tables


def _outside(line: TableLine, sheet: Sheet) -> list[Item]:
    """Totals in a summary outside the tables: labels, each with the amount behind it."""
    found: list[Item] = []
    for text, figure in line.pairs:
        label = terms.label(text)
        if label and label.kind in OUTSIDE:
            quote = Quote("amount", figure.text, (sheet.place(figure.words),))
            box = sheet.box(line)
            found.append(RawTotal(line.page, label.kind, text, label.rest, (quote,), box, inside=False))
    return found


def _headed(before: Sequence[TableLine], sheet: Sheet) -> RawHeading | None:
    """A supplier's labelled heading that is the last line above the page's first table."""
    first = phrases(before[-1].words)[0]
    name = terms.heading(first.text)
    return (
        RawHeading(before[-1].page, name, sheet.place(_naming(first, name).words).box, labelled=True) if name else None
    )


def _foot(line: TableLine) -> float:
    """Where a line's letters stand, without what reaches below."""
    return min(word.box.bottom for word in line.words)


def _step(above: TableLine, below: TableLine) -> float:
    """How far a line stands below another: at their feet or, where fonts box their letters closely and all of a line's
    reach below, where their words begin, without what an accent adds to some.
    """
    tops = [max(word.box.top for word in line.words) for line in (above, below)]
    return min(_foot(below) - _foot(above), tops[1] - tops[0])


def _has_cents(run: Run) -> bool:
    amount = amounts.parse(run.text, None)
    return amount is not None and amount.places > 0


def _end_behind(above: Entry, below: Entry) -> float:
    """Where the first word of a cell's line would end behind the cell's last line, a space apart, in points."""
    words, word = above.pieces[-1].words, below.pieces[0].words[0]
    spaces = [right.box.x0 - left.box.x1 for left, right in pairwise(words)]
    return words[-1].box.x1 + max(spaces, default=0.25 * word.size) + word.box.width


def _quote(column: str, cell: TableCell) -> Quote:
    """The cell as a quote, its lines joined; a word that a hyphen breaks is made whole."""
    text, *rest = cell.text.split("\n")
    for line in rest:
        broken = text[-1:] == "-" and text[-2:-1].isalpha() and line[:1].islower()
        text += line if broken else f" {line}"
    return Quote(column, text, cell.places)


def _naming(run: Run, name: str) -> Run:
    """The words of a name within its heading."""
    size = len(name.split())
    parts = (Run(run.words[at : at + size]) for at in range(len(run.words) - size + 1))
    return next((part for part in parts if part.text == name), run)


@dataclass
class _Open:
    """A row that further lines may still belong to, and the columns that it fills, with their names."""

    first: TableLine
    last: TableLine
    bands: list[Band]
    filled: set[int]
    names: set[str]
    doubts: list[str]


class _Reader:
    """Reads the lines of one table on one page, from the top."""

    def __init__(self, table: Titled, sheet: Sheet, excerpt: Excerpt, fresh: bool) -> None:
        self.grid: Grid = table.grid
        self.table = table
        self.sheet = sheet
        self.excerpt = excerpt
        self.fresh = fresh  # nothing but carried sums and headers stood above on this page
        self.items: list[Item] = []
        self.open: _Open | None = None
        self.cells = [(line, self.grid.cells(line, band)) for line, band in zip(table.lines, table.bands, strict=True)]
        self.cents = self._mostly_cents()
        self.summed = False  # a total stood above: what follows needs a date to be a row
        self.pitch = self._row_pitch()
        self.room = self._rooms()

    def read(self) -> list[Item]:
        for at, (line, cells) in enumerate(self.cells):
            if self.table.whole.start <= at <= self.table.whole.stop:
                self._close()
            self._line(line, cells)
        self._close()
        return self.items

    def _row_pitch(self) -> float:
        """The least distance of two rows, in points: what stands further below is no part of the row above."""
        begun = [
            (_foot(line), "date" in self._names(cells.typed)) for line, cells in self.cells if self._begins(line, cells)
        ]
        dated = 2 * sum(has_date for _, has_date in begun) > len(begun)  # other lines may then be the last of a row
        steps = (below - above for (above, _), (below, has_date) in pairwise(begun) if has_date or not dated)
        return min(steps, default=1000.0)

    def _begins(self, line: TableLine, cells: Cells) -> bool:
        return self._is_row(cells) and not self._total(line, cells)

    def _line(self, line: TableLine, cells: Cells) -> None:
        if total := self._total(line, cells):
            self._close()
            self.items.append(total)
            self.summed = self.summed or self._ends(total)
            self.fresh = self.fresh and total.kind in ("brought", "carry", "opening")
        elif self._is_row(cells):
            self._row(line, cells)
        elif self._belongs(line, cells):
            self._continue(line, cells)
        elif self._is_furniture(line):
            return
        elif self._opens_left(line) and self._opens_page(line, cells):
            self._begin(line, cells)
        elif name := self._heading(line, cells):
            self._close()
            self.items.append(name)
            self.summed = self.summed and not name.labelled
        elif self._opens_page(line, cells):
            self._begin(line, cells)
        elif line.figures:
            self._close()
            self.items.append(RawLine(line.page, line.text, self.sheet.box(line)))
        else:
            if self.open and self._may_belong(line, cells) and self._alike(line):
                self.open.doubts.append(f"“{line.text}” stands close below and was not taken for a part of it")
            self._close()

    def _is_furniture(self, line: TableLine) -> bool:
        """Whether a line repeats from page to page, or above the page's rows what stands above the first table."""
        if Place(line.page, self.sheet.box(line)) in self.excerpt.furniture:
            return True
        return self.fresh and terms.is_made_of(line.text, self.excerpt.letterhead)

    def _ends(self, total: RawTotal) -> bool:
        """Whether a total ends the table; a closing balance over the rows begins one with the newest row first."""
        if total.kind == "closing":
            return any(isinstance(item, RawRow) for item in self.items)
        return total.kind == "document" or (total.kind == "total" and not total.name)

    def _close(self) -> None:
        """Hand over the open row: the cells of its lines put under each other."""
        if self.open is None:
            return
        row = table_row(self.sheet.band(merged(self.open.bands)), self.sheet.pages)
        quotes = tuple(_quote(self._name(cell.column), cell) for cell in row.cells)
        goes_on = self.open.names.isdisjoint((*MONEY, "date", "invoice_number"))
        doubts = tuple(self.open.doubts)
        self.items.append(RawRow(self.sheet.page, quotes, self.sheet.box(self.open.first), doubts, goes_on))
        self.open = None
        self.fresh = False

    def _name(self, index: int) -> str:
        return self.grid.columns[index].name

    def _names(self, indices: Iterable[int]) -> set[str]:
        return {self._name(index) for index in indices}

    def _money(self, cells: Cells) -> bool:
        """Whether a sum stands in a column of money; where these have cents, `3` in `page 1 of 3` is none."""
        sums = [run for at, run in cells.typed.items() if self._name(at) in MONEY]
        return any(_has_cents(run) for run in sums) if self.cents else bool(sums)

    def _mostly_cents(self) -> bool:
        sums = [run for _, cells in self.cells for at, run in cells.typed.items() if self._name(at) in MONEY]
        return 2 * sum(map(_has_cents, sums)) >= len(sums)

    # ---- rows

    def _is_row(self, cells: Cells) -> bool:
        """A line that begins a row: something in a column of money, and what tells it from other lines."""
        names = self._names(cells.by_column)
        typed = self._names(cells.typed)
        if not names & set(MONEY) and not (typed & {"date"} and names & {"description", "invoice_number"}):
            return False
        if "date" in typed:
            return True
        if self.summed and "date" in self.grid.names:
            return False
        if "invoice_number" in names and self._money(cells):
            return True
        keyed = {"date", "invoice_number"} & self.grid.names
        whole = typed >= {"quantity", "unit_price", "amount"}  # a further item of the document above
        return bool(self._money(cells) and "description" in names and (not keyed or whole or self._date_may_lack()))

    def _date_may_lack(self) -> bool:
        """Bank statements print a date once for all movements of a day."""
        return "invoice_number" not in self.grid.names and bool({"debit", "credit", "balance"} & self.grid.names)

    def _row(self, line: TableLine, cells: Cells) -> None:
        dated = any(self._name(index) == "date" for index in cells.typed)
        waiting = self.open is not None and "date" in self.open.names and self.open.names.isdisjoint(MONEY)
        if waiting and not dated:
            self._extend(line, cells)
            return
        self._close()
        self.fresh = False
        self._begin(line, cells)

    def _begin(self, line: TableLine, cells: Cells) -> None:
        self.open = _Open(line, line, [], set(), set(), [])
        self._extend(line, cells)

    def _continue(self, line: TableLine, cells: Cells) -> None:
        """Add a line of words to the open row. Where rows stand as close as lines do it may be a line of its own: not
        while the row lacks its sum, nor where the line's first word had no room behind the last one above it.
        """
        assert self.open is not None
        above = self.open.last.words[-1].text
        tight = self.pitch - _step(self.open.last, line) < 1.0 and not self.open.names.isdisjoint(MONEY)
        if tight and line.words[0].text[0].isupper() and above[-1] not in ",-–/(&" and self._had_room(cells):
            self.open.doubts.append(f"“{line.text}” may be a line of its own")
        self._extend(line, cells)

    def _had_room(self, cells: Cells) -> bool:
        """Whether the first word of a line would have stood in its column behind the words above it."""
        assert self.open is not None
        at = min(cells.by_column)
        above = next((entry for band in reversed(self.open.bands) if (entry := band.entry(at))), None)
        return above is None or _end_behind(above, cells.by_column[at]) <= self.room.get(at, self.grid.lanes[at][1])

    def _rooms(self) -> dict[int, float]:
        """How far words reach in each column where text goes on over lines: lines below begin with a small letter, or
        the first words of several had all of them no room above, or of one where many rows show how far they reach.
        """
        pairs: dict[int, list[tuple[Entry, Entry]]] = defaultdict(list)
        for (line, above), (following, below) in pairwise(self.cells):
            if self._names(below.by_column) <= WORDS and _step(line, following) <= self.pitch + 0.5:
                for at in above.by_column.keys() & below.by_column.keys():
                    pairs[at].append((above.by_column[at], below.by_column[at]))
        begun = [cells.by_column for line, cells in self.cells if self._begins(line, cells)]
        found = {}
        for at, held in pairs.items():
            ends = [entry.box.x1 for entry in (*(row[at] for row in begun if at in row), *(low for _, low in held))]
            reach = max(ends) - 0.3 * held[0][0].pieces[0].words[0].size
            small = any(lower.text[0].islower() for _, lower in held)
            beyond = reach if len(held) > 1 else max(ends) if len(ends) > MANY else 10_000.0
            if small or all(_end_behind(*pair) > beyond for pair in held):
                found[at] = reach
        return found

    def _extend(self, line: TableLine, cells: Cells) -> None:
        assert self.open is not None
        self.open.bands.append(cells.band)
        self.open.filled |= cells.by_column.keys()
        self.open.names |= self._names(cells.by_column)
        self.open.doubts += cells.doubts
        self.open.last = line

    def _belongs(self, line: TableLine, cells: Cells) -> bool:
        """Whether a line continues the open row: close below, set alike, with words under its text or its figures."""
        if self.open is None or self._is_labelled(line, cells):
            return False
        names = self._names(cells.by_column)
        if self._money(cells):
            return self._completes(cells) and self._near(line) and self._alike(line)
        known = names <= {*self.open.names, "description"} and not names & set(MONEY)
        near = self._near(line) or (self._is_worded(cells) and not self._had_room(cells))  # as far apart as rows are
        return self._in_step(line) and known and near and self._alike(line)

    def _is_labelled(self, line: TableLine, cells: Cells) -> bool:
        """Whether a line heads a supplier's rows by its label, from the left edge on and not within a description."""
        edged = 0 in cells.by_column and self.grid.columns[0].name != "description"
        return edged and "supplier" not in self.grid.names and terms.heading(line.text) is not None

    def _may_belong(self, line: TableLine, cells: Cells) -> bool:
        """Whether a line that was not taken stands so that it may be a part of the open row all the same."""
        assert self.open is not None
        double = _step(self.open.last, line) <= LOOSEST * self.open.last.words[0].size
        return self._near(line) or (self._is_worded(cells) and double)

    def _is_worded(self, cells: Cells) -> bool:
        """Whether a line stands in columns whose text goes on over lines, and in no other."""
        return bool(cells.by_column) and self._names(cells.by_column) <= WORDS

    def _in_step(self, line: TableLine) -> bool:
        """Whether a line stands no farther below the open row than the next row would."""
        assert self.open is not None
        return _step(self.open.last, line) <= self.pitch + 0.5

    def _completes(self, cells: Cells) -> bool:
        """Whether a line has the figures that the open row lacks, as rows have that are set to their last line."""
        assert self.open is not None
        keyed = not self.open.names.isdisjoint(("date", "invoice_number"))
        twice = self._names(cells.by_column.keys() & self.open.filled)
        return keyed and self.open.names.isdisjoint(MONEY) and twice <= WORDS

    def _near(self, line: TableLine) -> bool:
        """Whether a line stands as close below the open row as lines of one text do, however widely these are set."""
        assert self.open is not None
        last, size = self.open.last, self.open.last.words[0].size
        step = _step(last, line)
        return line.box.top - last.box.bottom <= 0.6 * size or step <= min(WIDEST * size, 0.75 * self.pitch)

    def _alike(self, line: TableLine) -> bool:
        assert self.open is not None
        word, last = line.words[0], self.open.last.words[0]
        return abs(word.size - last.size) < 0.2 * last.size and word.bold == last.bold

    def _opens_left(self, line: TableLine) -> bool:
        """Whether words at the table's left edge may well go on from the page before rather than head a group."""
        first = self.grid.columns[0].name == "description" and not line.text[0].isupper()
        return first or "supplier" in self.grid.names

    def _opens_page(self, line: TableLine, cells: Cells) -> bool:
        """Words at the page's top, before any row, set as rows are, that can only go on from the page before."""
        names = self._names(cells.by_column)
        plain = not any(word.bold or word.size > 1.08 * self._body_size for word in line.words)
        named = "description" in names or "supplier" in names
        within = all(entry.columns == 1 for entry in cells.by_column.values())
        return self.fresh and named and names <= WORDS and plain and within and terms.heading(line.text) is None

    # ---- totals and headings

    def _total(self, line: TableLine, cells: Cells) -> RawTotal | None:
        figures = {self._name(at): cells.typed[at] for at in cells.typed if self.grid.columns[at].kind == "amount"}
        loose = list(cells.loose)
        if not figures and not loose:
            return None
        names = self._names(cells.typed)
        sums = [*(run for at, run in cells.typed.items() if self.grid.columns[at].kind == "amount"), *loose]
        label = line.without(sums)
        dates = [cells.typed[at] for at in cells.typed if self._name(at) in ("date", "other_date")]
        bare = line.without([*sums, *dates])
        found = terms.label(label) or (terms.label(bare) if dates else None)
        if (
            not found
            or "unit_price" in names
            or (dates and found.kind not in ("opening", "closing", "brought", "carried"))
        ):
            return None
        money = {name: run for name, run in figures.items() if name in MONEY}
        if found.kind in CARRIES and "balance" in money and len(money) == 2:
            return None  # a movement with the balance after it, whatever its words begin with
        quotes = tuple(
            Quote(name, run.text, (self.sheet.place(run.words),))
            for name, run in (money or figures or {"amount": loose[-1]}).items()
        )
        others = (run for at, run in cells.typed.items() if self._name(at) == "other_amount") if money else ()
        quotes += tuple(Quote("other_amount", run.text, (self.sheet.place(run.words),)) for run in others)
        return RawTotal(line.page, found.kind, label, found.rest, quotes, self.sheet.box(line))

    def _heading(self, line: TableLine, cells: Cells) -> RawHeading | None:
        """A supplier's heading: named so, or words at the table's left edge, which others have to confirm."""
        runs = phrases(line.words)
        name = terms.heading(runs[0].text)
        if name:
            return RawHeading(line.page, name, self._named(runs[0], name), labelled=True)
        name = terms.unmarked(runs[0].text)
        if terms.is_period(name) or terms.turns_over(name):
            return None
        first = line.words[0]
        size = self._body_size
        at_left = first.box.x0 <= self.grid.left + size
        if self.summed or self._money(cells) or not (at_left and name and name[0].isalpha()):
            return None
        stands_out = all(word.bold for word in runs[0].words) or first.size > 1.08 * size
        return RawHeading(line.page, name, self._named(runs[0], name), stands_out=stands_out)

    def _named(self, run: Run, name: str) -> Box:
        """Where the words of a name stand within its heading."""
        return self.sheet.place(_naming(run, name).words).box

    @cached_property
    def _body_size(self) -> float:
        sums = [line.words for line, cells in self.cells if self._money(cells)]
        sizes = sorted(word.size for words in sums or [line.words for line in self.table.lines] for word in words)
        return sizes[len(sizes) // 2] if sizes else 10.0
