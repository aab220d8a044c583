"""Tables as files for spreadsheets: CSV and XLSX, whatever the lines are made of.

Comes in: `Column`s that say what a line holds, and lines. Goes out: the bytes of a CSV or XLSX file. Amounts are exact
in each: as numbers where the form can hold them, else as text. No text starts a formula. Refuses, as UsageError: more
lines than a sheet has, a text that no cell holds, a path that cannot be written.
"""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pipeline import export, terms
from pipeline.model import UsageError

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook

FLOAT_DIGITS = 15  # decimal digits that every 64-bit float, and every cell of a spreadsheet, keeps
SHEET_ROWS = 1_048_575  # below the header
SHEET_TEXT = 32_767  # characters a cell may hold
MADE = datetime(2000, 1, 1)  # the time that a workbook says, for equal lines give equal bytes

Value = Decimal | date | str | int | float | None
T = TypeVar("T")


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of a file: its name, what it holds, and its value in a line (taken as it is where it is no text)."""

    name: str
    kind: terms.Kind
    value: Callable[[T], Value]


@dataclass(frozen=True)
class Sheet(Generic[T]):
    """A sheet of a workbook."""

    name: str
    columns: Sequence[Column[T]]
    lines: Sequence[T]

    @property
    def cells(self) -> list[list[Value]]:
        """Its values by column, typed."""
        return [[typed(column.value(line), column.kind) for line in self.lines] for column in self.columns]


def typed(value: Value, kind: terms.Kind) -> Value:
    """The value as a Decimal or date where it is one to the letter, else as its text; None where there is none."""
    if not isinstance(value, str):
        return value
    if kind == "amount" and value.isascii():
        with suppress(InvalidOperation):
            number = Decimal(value)
            return number if number.is_finite() and format(number, "f") == value else value
    if kind == "date":
        with suppress(ValueError):
            found = date.fromisoformat(value)
            return found if found.isoformat() == value else value
    return value or None


def text(value: Value) -> str:
    """The value as a text file has it, digit by digit."""
    return "" if value is None else format(value, "f") if isinstance(value, Decimal) else str(value)


def to_csv(columns: Sequence[Column[T]], lines: Iterable[T]) -> bytes:
    """A line each, as `export.table_csv` has it."""
    values = ([text(column.value(line)) for column in columns] for line in lines)
    return export.table_csv([column.name for column in columns], values)


def write(path: Path, content: bytes) -> None:
    """Write a file whole, or not at all."""
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            partial.unlink()


# ---- XLSX


def to_xlsx(*sheets: Sheet[Any]) -> bytes:
    """A workbook of these sheets. Texts that look like formulas are marked as text, as an apostrophe would."""
    import xlsxwriter

    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"in_memory": True})
    book.set_properties({"created": MADE})
    formats = _Formats(book)
    for sheet in sheets:
        if len(sheet.lines) > SHEET_ROWS:
            raise UsageError(
                f"A sheet holds {SHEET_ROWS:,} rows, not {len(sheet.lines):,}. Take --format parquet or csv."
            )
        _add(book.add_worksheet(sheet.name), sheet, formats)
    book.close()
    return target.getvalue()


def _add(target: Any, sheet: Sheet[Any], formats: _Formats) -> None:
    for at, (column, cells) in enumerate(zip(sheet.columns, sheet.cells, strict=True)):
        target.write_string(0, at, column.name, formats.header)
        target.set_column(at, at, min(48, 2 + max(len(text(cell)) for cell in (column.name, *cells))))
        for line, cell in enumerate(cells, 1):
            _put(target, (line, at), cell, formats)
    target.freeze_panes(1, 0)
    if sheet.lines:
        target.autofilter(0, 0, len(sheet.lines), len(sheet.columns) - 1)


class _Formats:
    """The formats of a workbook, each made once: numbers by their decimals, dates, text that is no formula."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._numbers: dict[int, Format] = {}
        self.header = book.add_format({"bold": True, "bottom": 1})
        self.date = book.add_format({"num_format": "yyyy-mm-dd"})
        self.exact = book.add_format({"num_format": "@", "align": "right"})
        self.guarded = book.add_format({"num_format": "@", "quote_prefix": True})

    def number(self, places: int) -> Format:
        if places not in self._numbers:
            code = "#,##0" + ("." + "0" * places if places else "")
            self._numbers[places] = self._book.add_format({"num_format": code})
        return self._numbers[places]


def _put(sheet: Any, at: tuple[int, int], value: Value, formats: _Formats) -> None:
    match value:
        case None:
            return
        case Decimal() if _fits(value):
            # as a Decimal, for XlsxWriter cuts floats to 16 digits: 9.61 became 9.609999999999999
            sheet.write_number(*at, value, formats.number(decimals(value)))
        case Decimal():
            sheet.write_string(*at, format(value, "f"), formats.exact)
        case date() if value >= date(1900, 3, 1):  # spreadsheets miscount the days before
            sheet.write_datetime(*at, datetime(value.year, value.month, value.day), formats.date)
        case int() | float():
            sheet.write_number(*at, value)
        case _:
            told = text(value).encode("utf-8", "replace").decode("utf-8")
            if len(told) > SHEET_TEXT:
                raise UsageError(
                    f"Row {at[0]} has a text of {len(told):,} characters, more than a cell holds: take csv."
                )
            sheet.write_string(*at, told, formats.guarded if export.guarded(told) != told else None)


def _fits(value: Decimal) -> bool:
    """Whether a float shows the number digit by digit."""
    return len(value.as_tuple().digits) <= FLOAT_DIGITS and decimals(value) <= FLOAT_DIGITS


def decimals(value: Decimal) -> int:
    """How many digits stand behind the point."""
    return max(0, -int(value.as_tuple().exponent))
