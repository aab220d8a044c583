"""The items of an invoice: rows of the table that names quantities, prices and amounts, cell by cell.

Comes in: a `Print`. Goes out: `Items`: `RawField`s of each item, and the lines that the table takes, which hold nothing
else. A line with an amount begins an item; lines below it, close and without one, go on with its description. The table
ends at the first total. Refuses nothing: an invoice without such a table has no items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline import amounts, labels, scanitems, titled
from pipeline.bands import Entry
from pipeline.engine import Column, RawField
from pipeline.figures import TableLine, figures, phrases
from pipeline.grid import Cells, header
from pipeline.labels import TOTALS
from pipeline.marks import Print, is_sum
from pipeline.model import Place, Word, around
from pipeline.sheet import Sheet
from pipeline.titled import Titled

PARTS = ("description", "quantity", "unit", "unit_price", "tax_rate", "amount")
FIGURES = frozenset({"quantity", "unit_price", "amount"})
APART = 5.0  # of the type size: the space inside a table at most
CLOSE = 0.9  # of the type size: the space between two lines of an item at most


@dataclass(frozen=True)
class Items:
    """The fields of the items, and the lines of the invoice that their tables take."""

    fields: tuple[RawField, ...]
    lines: frozenset[int]


@dataclass
class _Item:
    """An item that further lines may belong to: its words by column, from the top."""

    words: dict[str, list[tuple[Word, ...]]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    last: TableLine | None = None

    def holds(self, *names: str) -> bool:
        return any(name in self.words for name in names)


def find(prints: Print) -> Items:
    """The items over all pages."""
    known = labels.item_titles()
    found: list[RawField] = []
    lines: set[int] = set()
    columns: tuple[Column, ...] = ()
    first = number = 0
    for sheet in prints.sheets:
        scanned = _scanned(prints, sheet, first, number) if scanitems.is_scanned(sheet) else None
        if scanned:
            found += [one for row in scanned.rows for one in row]
            number += len(scanned.rows)
            lines |= _within(prints, first, sheet, scanned)
            first += len(sheet.lines)
            continue
        extent = _extent(prints, sheet, first, known, bool(columns))
        tables = titled.tables_of(_cut(sheet, extent.end), known, columns)[1] if extent else []
        before, columns = columns, ()
        for table in tables:
            going_on = table is tables[0] and table.grid.columns == before
            if extent is None or not _is_items(table) or (going_on and not _goes_on(prints, table, first)):
                continue
            rows, taken, ended = _rows(prints, table, first)
            lines |= taken | set(range(first + extent.start, first + min(extent.body, extent.end)))
            for row in rows:
                number += 1
                found += _fields(row, number, sheet)
            columns = () if ended else table.grid.columns
        first += len(sheet.lines)
    return Items(tuple(found), frozenset(lines))


def _scanned(prints: Print, sheet: Sheet, first: int, number: int) -> scanitems.Found | None:
    """The items of a scanned page, counted on from `number`."""

    def end(top: float) -> float:
        held = range(first, first + len(sheet.lines))
        ends = (at for at in held if _ends(prints, at) or _sums_up(prints, at))
        tops = [prints.lines[at].box.top for at in ends if prints.lines[at].box.top > top]
        return min(tops, default=max(line.box.bottom for line in sheet.lines) + 1)

    return scanitems.find(sheet, labels.item_titles(), end, number + 1)


def _sums_up(prints: Print, line: int) -> bool:
    """Whether a line says in several words what its only figure is the total of."""
    if len(prints.lines[line].figures) > 1:
        return False
    return any(is_sum(mark) and mark.stop - mark.start > 1 for mark in prints.by_line.get(line, ()))


def _within(prints: Print, first: int, sheet: Sheet, found: scanitems.Found) -> set[int]:
    """The lines that stand in the table of a scanned page."""
    held = range(first, first + len(sheet.lines))
    return {at for at in held if found.top - 1 <= prints.lines[at].box.middle[1] < found.bottom}


@dataclass(frozen=True)
class _Extent:
    """Where the items of a page stand: the first line of their titles, the first with figures, the line behind them."""

    start: int
    body: int
    end: int


def _extent(prints: Print, sheet: Sheet, first: int, known: Mapping[str, str], going_on: bool) -> _Extent | None:
    held = prints.lines[first : first + len(sheet.lines)]
    titles = next((at for at in range(len(held)) if header(held, at, known)), None)
    if titles is None and not going_on:
        return None
    start = _top(held, titles) if titles is not None else 0
    behind = titles + 1 if titles is not None else 0
    body = next((at for at in range(behind, len(held)) if held[at].figures), len(held))
    parts = (at for at in range(behind, body) if _is_part(prints, first + at))
    ends = (at for at in range(body, len(held)) if _ends(prints, first + at) or _apart(held, at))
    end = next(parts, None) or next(ends, len(held))
    return _Extent(start, min(body, end), end)


def _top(lines: Sequence[TableLine], titles: int) -> int:
    """The first line of titles that are set on several lines: close above, without figures."""
    start = titles
    while start and titles - start < 3 and not lines[start - 1].figures and _close(lines[start - 1], lines[start]):
        start -= 1
    return start


def _close(above: TableLine, line: TableLine) -> bool:
    return line.box.top - above.box.bottom <= 0.3 * line.words[0].size


def _cut(sheet: Sheet, end: int) -> Sheet:
    """The sheet up to the end of its items, so that what follows does not blur their columns."""
    reaching = [draft.lines[-1] + 1 for draft in sheet.ruled if draft.lines[0] < end]
    end = max([end, *reaching])
    ruled = tuple(draft for draft in sheet.ruled if draft.lines[0] < end)
    return replace(sheet, lines=sheet.lines[:end], ruled=ruled)


def _apart(lines: Sequence[TableLine], at: int) -> bool:
    return lines[at].box.top - lines[at - 1].box.bottom > APART * lines[at].words[0].size


def _is_items(table: Titled) -> bool:
    names = table.grid.names
    return "description" in names and bool(names & {"amount", "unit_price"})


def _goes_on(prints: Print, table: Titled, first: int) -> bool:
    """Whether a page without titles begins with a row of the table: figures in two of its columns. What is brought
    forward may stand before it.
    """
    for line, band in zip(table.lines, table.bands, strict=True):
        if line.figures and not any(_is_carried(prints, first + index) for index in band.lines):
            cells = table.grid.cells(line, band)
            names = {table.grid.columns[at].name for at in cells.typed}
            return len(names & FIGURES) > 1
    return False


def _rows(prints: Print, table: Titled, first: int) -> tuple[list[_Item], set[int], bool]:
    """The items of a table, the lines that it takes, and whether it ended before the page did."""
    rows: list[_Item] = []
    taken: set[int] = set()
    for at, (line, band) in enumerate(zip(table.lines, table.bands, strict=True)):
        held = {first + index for index in band.lines}
        if rows and any(_ends(prints, index) for index in held):
            return rows, taken, True
        if not any(_is_carried(prints, index) for index in held):
            _put(rows, table, table.grid.cells(line, band), line, whole=at in table.whole)
        taken |= held
    following = max(taken, default=first) + 1
    ended = following < len(prints.lines) and prints.lines[following].page == prints.lines[first].page
    return [row for row in rows if row.holds(*FIGURES)], taken, ended


def _is_part(prints: Print, line: int) -> bool:
    """Whether a line begins a part of its own behind the items (`Terms of payment`)."""
    marks = prints.by_line.get(line, [])
    return not prints.lines[line].figures and any(mark.means("section") and mark.start == 0 for mark in marks)


def _ends(prints: Print, line: int) -> bool:
    """Whether a line is no item any more: it begins with the label of a total, titles a table of tax or totals, or
    begins a part of its own.
    """
    marks = prints.by_line.get(line, [])
    words, has_figures = prints.lines[line].words, bool(prints.lines[line].figures)
    first = next((mark for mark in marks if mark.start <= 1 and not any(map(str.isdigit, words[0].text))), None)
    if _is_part(prints, line):
        return True
    if sum(map(is_sum, marks)) > (2 if has_figures else 1):
        return True
    leads = first is not None and any(first.means(name) for name in TOTALS)
    return leads and (has_figures or len(words) <= 4)


def _is_carried(prints: Print, line: int) -> bool:
    """Whether a line carries the sum of the items on to the next page, or from the one before; or says no more than an
    amount that is no item, such as the balance before.
    """
    held = prints.lines[line]
    first = next((mark for mark in prints.by_line.get(line, ()) if mark.start == 0), None)
    if first is None or len(held.figures) != 1:
        return False
    alone = held.words[first.stop :] == held.figures[0].words
    return bool(first.means("carried") or (alone and first.means("other_amount")))


def _put(rows: list[_Item], table: Titled, cells: Cells, line: TableLine, whole: bool) -> None:
    """Add a line to the items: as a new one, or to the last."""
    entries = _by_name(table.grid.columns, cells)
    figures = FIGURES & {name for name, entry in entries.items() if _figure(name, entry)}
    last = rows[-1] if rows else None
    completes = last is not None and not whole and _completes(last, entries, line)
    if whole or (figures and not completes):
        rows.append(_Item())
    elif last is None or not _near(last.last, line):
        return
    item = rows[-1]
    item.last = line
    item.titles.update({column.name: column.title for column in table.grid.columns})
    if not figures and not whole:
        if "tax_rate" in entries and not item.holds("tax_rate"):
            item.words["tax_rate"] = [piece.words for piece in entries["tax_rate"].pieces]
        if words := _described(table.grid.columns, cells, line):
            item.words.setdefault("description", []).append(words)
        return
    for name, entry in entries.items():
        item.words.setdefault(name, []).extend(piece.words for piece in entry.pieces)
    title = item.titles.get("quantity", "")
    item.doubts += [doubt for doubt in cells.doubts if f"in the column {title} beside" not in doubt]


def _described(columns: Sequence[Column], cells: Cells, line: TableLine) -> tuple[Word, ...]:
    """The words of a line without figures that go on with the description, from the phrase in its column on."""
    held = next((entry for at, entry in sorted(cells.by_column.items()) if columns[at].name == "description"), None)
    if held is None:
        return ()
    first = held.pieces[0].words[0]
    runs = [run for run in phrases(line.words) if run.box.x1 >= first.box.x0]
    return tuple(word for run in runs for word in run.words)


def _by_name(columns: Sequence[Column], cells: Cells) -> dict[str, Entry]:
    return {
        columns[at].name: entry
        for at, entry in sorted(cells.by_column.items())
        if columns[at].name in PARTS and entry.columns == 1
    }


def _figure(name: str, entry: Entry) -> bool:
    first = entry.text.split()[0]
    return bool(amounts.parse(entry.text, None) or (name == "quantity" and amounts.parse(first, None)))


def _completes(item: _Item, entries: dict[str, Entry], line: TableLine) -> bool:
    """Whether a line gives the amount that the item lacks, in the rows of a table set to several lines."""
    lacking = not item.holds("amount") and "amount" in entries
    alone = item.words.keys() == {"amount"} and "amount" not in entries
    apart = item.words.keys().isdisjoint(entries.keys() - {"description"})
    return (lacking or alone) and apart and _near(item.last, line)


def _near(above: TableLine | None, line: TableLine) -> bool:
    return above is not None and line.box.top - above.box.bottom <= CLOSE * line.words[0].size


# ---- as fields


def _fields(item: _Item, number: int, sheet: Sheet) -> Iterator[RawField]:
    """The item's cells; a unit that is printed behind the quantity is a field of its own."""
    cells = dict(item.words)
    if "quantity" in cells and "unit" not in cells:
        cells["quantity"], unit = _parted(cells["quantity"])
        if unit:
            cells["unit"] = unit
    doubts = tuple(dict.fromkeys(item.doubts))
    for name in PARTS:
        if lines := _one_figure(name, [words for words in cells.get(name, ()) if words]):
            text = "\n".join(" ".join(word.text for word in words) for words in lines)
            boxes = [sheet.word(word).box for words in lines for word in words]
            places = (Place(sheet.page, around(boxes)),)
            title = item.titles.get(name) or item.titles.get("quantity", "")
            yield RawField(f"line_item_{name}", text, sheet.page, number, title, places, None, (), doubts)


def _one_figure(name: str, lines: list[tuple[Word, ...]]) -> list[tuple[Word, ...]]:
    """A cell of figures without what else stands in it: of several the last is the amount, else the first counts."""
    runs = figures(lines[0]) if name in FIGURES and len(lines) == 1 else ()
    return [runs[-1 if name == "amount" else 0].words] if len(runs) > 1 else lines


def _parted(lines: list[tuple[Word, ...]]) -> tuple[list[tuple[Word, ...]], list[tuple[Word, ...]]]:
    """A quantity and the unit behind it (`10 Stk`)."""
    words = [word for line in lines for word in line]
    count = next((at for at, word in enumerate(words) if word.text[0].isalpha()), len(words))
    return [tuple(words[:count])], [tuple(words[count:])] if words[count:] else []
