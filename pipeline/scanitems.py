"""The items of a scanned page as fields, cell by cell, those too in which no word was read.

Comes in: a `Sheet` with what ends its table of items. Goes out: `Found`: `RawField`s by row and what of the page the
table takes. A cell without a word has an empty text and the place where it should stand, for a second reader to see.
Refuses nothing: a page whose table is not sure has none here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pipeline import scanrows, units
from pipeline.engine import RawField
from pipeline.model import Box, Place, Word, around
from pipeline.scanrows import FIGURES, Lane, Row, Table
from pipeline.sheet import Sheet

PARTS = ("description", "quantity", "unit", "unit_price", "tax_rate", "amount")
REREAD = frozenset({"quantity", "unit", "unit_price", "amount"})
USUAL = 0.5  # share of the rows that fill a column whose blank cells are looked at
SURE = 0.5  # share of the rows whose product closes, or whose amounts are read, in a table that is sure
UNITS = "names of units"
PRODUCTS = "quantity × price = amount"


@dataclass(frozen=True)
class Found:
    """rows: the fields of each item; top, bottom: of the table on the level page."""

    rows: tuple[tuple[RawField, ...], ...]
    top: float
    bottom: float


def is_scanned(sheet: Sheet) -> bool:
    """Whether the page's words were read from its picture."""
    return bool(sheet.lines) and all(line.words[0].font == "ocr" for line in sheet.lines)


def find(sheet: Sheet, known: Mapping[str, str], end: Callable[[float], float], number: int) -> Found | None:
    """The items of the page, counted from `number`, where its table is sure."""
    table = scanrows.find([word for line in sheet.lines for word in line.words], known, end)
    if table is None or (table.closing < SURE * len(table.rows) and not scanrows.is_named(table)):
        return None
    lanes = tuple(lane for lane in table.lanes if lane.name in PARTS)
    usual = {lane.name for lane in lanes if _filled(table, lane) >= USUAL * len(table.rows)} & REREAD | set(FIGURES)
    rows = [
        tuple(field for lane in lanes if (field := _cell(sheet, table, (row, lane), at, lane.name in usual)))
        for at, row in enumerate(table.rows, start=number)
    ]
    return Found(tuple(rows), table.top, table.bottom)


def _filled(table: Table, lane: Lane) -> int:
    return sum(lane.name in row.cells for row in table.rows)


def _cell(sheet: Sheet, table: Table, cell: tuple[Row, Lane], number: int, expected: bool) -> RawField | None:
    """A cell as a field; an empty one only where a value is expected."""
    row, lane = cell
    lines = row.cells.get(lane.name, [])
    if not lines and not expected:
        return None
    label = lane.title or _untitled(table, lane)
    if lines:
        text = "\n".join(map(scanrows.text, lines))
        place = sheet.place([word for line in lines for word in line])
    else:
        text, place = "", Place(sheet.page, _blank(sheet, row, lane))
    return RawField(f"line_item_{lane.name}", text, sheet.page, number, label, (place,))


def _untitled(table: Table, lane: Lane) -> str:
    """What tells a column without a title, where anything does."""
    if lane.name == "unit":
        cells = [scanrows.text(row.cells["unit"][0]) for row in table.rows if "unit" in row.cells]
        return UNITS if units.are(cells) else ""
    return PRODUCTS if lane.name in FIGURES and len(table.rows) > 1 else ""


def _blank(sheet: Sheet, row: Row, lane: Lane) -> Box:
    """Where a cell should stand on the page, told by the words of its row that lie furthest apart."""
    words = sorted(_first_lines(row), key=lambda word: word.box.x0)
    left, right = words[0], words[-1]
    high = max(6.0, min(word.box.height for word in words))
    x = (lane.x0 + lane.x1) / 2
    apart = right.box.middle[0] - left.box.middle[0]
    share = (x - left.box.middle[0]) / apart if apart else 0.0
    (left_x, left_y), (right_x, right_y) = (_moved(sheet, word) for word in (left, right))
    middle = row.middle + left_y + share * (right_y - left_y)
    across = left_x + share * (right_x - left_x)
    return Box(lane.x0 + across - 2, middle - 0.7 * high, lane.x1 + across + 2, middle + 0.7 * high)


def _first_lines(row: Row) -> Iterator[Word]:
    for name, lines in row.cells.items():
        if name != "tax_rate":
            yield from lines[0]


def _moved(sheet: Sheet, level: Word) -> tuple[float, float]:
    """How far a word stands from where it would stand were the page level."""
    printed = around([sheet.word(level).box]).middle
    return printed[0] - level.box.middle[0], printed[1] - level.box.middle[1]
