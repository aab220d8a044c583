"""The rows of a statement as files for spreadsheets, data tools and accounting.

Comes in: a `Statement` and the name of its document. Goes out: the bytes of a CSV, XLSX, Parquet or JSON Lines file
with a line a row, its status, currency, page, box (points, origin top left) and reasons; or of an accounting import.
Amounts are exact in each: as numbers where the form can hold them, else as text. No text starts a formula.
Refuses, as InReview: an accounting import while the verdict is human review. As UsageError: a form that it does not
know, a path that cannot be written, rows that no sheet holds.
"""

from __future__ import annotations

import io
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import export, statements, terms
from pipeline.model import InReview, Row, Statement, UsageError

if TYPE_CHECKING:
    import polars as pl
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook

FORMS = ("csv", "xlsx", "parquet", "jsonl", "accounting")
BOX = ("x0", "top", "x1", "bottom")
FLOAT_DIGITS = 15  # decimal digits that every 64-bit float, and every cell of a spreadsheet, keeps
PARQUET_DIGITS = 38  # of a decimal of 128 bits
SHEET_ROWS = 1_048_575  # below the header
SHEET_TEXT = 32_767  # characters a cell may hold
MADE = datetime(2000, 1, 1)  # the time that a workbook says, for equal rows give equal bytes

Value = Decimal | date | str | int | float | None


@dataclass(frozen=True)
class _Column:
    """A column of a file: its name, what it holds, and its value in a row."""

    name: str
    kind: terms.Kind
    value: Callable[[Row], Value]


def made(statement: Statement, form: str, name: str = "") -> bytes:
    """The file in one of FORMS; `name`: the document's, which an accounting import says in each line."""
    match form:
        case "csv":
            return _csv(_columns(statement), statement.rows)
        case "xlsx":
            return _xlsx(_columns(statement), statement.rows)
        case "parquet":
            return _parquet(_columns(statement), statement.rows)
        case "jsonl":
            return _jsonl(statement)
        case "accounting":
            return _accounting(statement, name)
    raise UsageError(f"There is no format {form!r} for rows. There are: {', '.join(FORMS)}.")


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


def refusal(statement: Statement) -> str:
    """Why no accounting import can be made, in one line without the document's name; empty where it can."""
    found = statement.findings
    waiting = sum(row.status == "review" for row in statement.rows)
    if statement.reconciliation.action == "auto_import" and not waiting:
        return ""
    first = next((one.message for one in found if one.severity == "error"), found[0].message if found else "")
    told = f"the verdict is human review ({len(found)} findings, {waiting} of {len(statement.rows)} rows in review"
    return f"{told}{f'; first: {first}' if first else ''})"


# ---- columns


def _columns(statement: Statement) -> tuple[_Column, ...]:
    """page, status, the statement's columns, currency, the row's box, the windows that read it, reasons."""
    return (
        _Column("page", "amount", lambda row: row.page),
        _Column("status", "text", lambda row: row.status),
        *_values(statement),
        *(_Column(edge, "amount", _edge(at)) for at, edge in enumerate(BOX)),
        _Column("windows", "text", lambda row: " ".join(map(str, row.windows))),
        _Column("reasons", "text", lambda row: "; ".join(row.reasons)),
    )


def _values(statement: Statement) -> Iterator[_Column]:
    for name in statement.columns:
        if name != "currency":
            yield _Column(name, terms.KINDS.get(name, "text"), _cell(name))
    yield _Column("currency", "text", lambda row: row.value("currency") or row.currency)


def _cell(name: str) -> Callable[[Row], Value]:
    return lambda row: row.value(name)


def _edge(at: int) -> Callable[[Row], Value]:
    return lambda row: row.box.rounded()[at]


def _typed(column: _Column, row: Row) -> Value:
    """The value as a Decimal or date where it is one to the letter, else as its text; None where there is none."""
    value = column.value(row)
    if not isinstance(value, str):
        return value
    if column.kind == "amount" and value.isascii():
        with suppress(InvalidOperation):
            number = Decimal(value)
            return number if number.is_finite() and format(number, "f") == value else value
    if column.kind == "date":
        with suppress(ValueError):
            found = date.fromisoformat(value)
            return found if found.isoformat() == value else value
    return value or None


# ---- text


def _csv(columns: Sequence[_Column], rows: Iterable[Row]) -> bytes:
    lines = ([_text(column.value(row)) for column in columns] for row in rows)
    return export.table_csv([column.name for column in columns], lines)


def _text(value: Value) -> str:
    return "" if value is None else str(value)


def _jsonl(statement: Statement) -> bytes:
    """A line a row, as the command `rows --json` has it: values as exact strings, each cell with its places."""
    lines = (
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in statements.to_json(statement)["rows"]
    )
    return "".join(f"{line.translate(export.LINE_ENDS)}\n" for line in lines).encode("utf-8", "replace")


def _accounting(statement: Statement, name: str) -> bytes:
    if reason := refusal(statement):
        raise InReview(f"{name or 'This document'}: {reason}: nothing was exported. `rows FILE` lists what to look at.")
    columns = (_Column("document", "text", lambda _: name), _Column("page", "amount", lambda row: row.page))
    return _csv((*columns, *_values(statement)), statement.rows)


# ---- XLSX


def _xlsx(columns: Sequence[_Column], rows: Sequence[Row]) -> bytes:
    """A workbook with one sheet. Texts that look like formulas are marked as text, as an apostrophe would."""
    import xlsxwriter

    if len(rows) > SHEET_ROWS:
        raise UsageError(f"A sheet holds {SHEET_ROWS:,} rows, not {len(rows):,}. Take --format parquet or csv.")
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"in_memory": True})
    book.set_properties({"created": MADE})
    sheet = book.add_worksheet("Rows")
    formats = _Formats(book)
    for at, column in enumerate(columns):
        cells = [_typed(column, row) for row in rows]
        sheet.write_string(0, at, column.name, formats.header)
        sheet.set_column(at, at, min(48, 2 + max(len(_text(cell)) for cell in (column.name, *cells))))
        for line, cell in enumerate(cells, 1):
            _put(sheet, (line, at), cell, formats)
    sheet.freeze_panes(1, 0)
    if rows:
        sheet.autofilter(0, 0, len(rows), len(columns) - 1)
    book.close()
    return target.getvalue()


class _Formats:
    """The formats of a workbook, each made once: numbers by their decimals, dates, text that is no formula."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._numbers: dict[int, Format] = {}
        self.header = book.add_format({"bold": True, "bottom": 1})
        self.date = book.add_format({"num_format": "yyyy-mm-dd"})
        self.exact = book.add_format({"num_format": "@", "align": "right"})
        self.guarded = book.add_format({"num_format": "@", "quote_prefix": True})

    def number(self, decimals: int) -> Format:
        if decimals not in self._numbers:
            code = "#,##0" + ("." + "0" * decimals if decimals else "")
            self._numbers[decimals] = self._book.add_format({"num_format": code})
        return self._numbers[decimals]


def _put(sheet: Any, at: tuple[int, int], value: Value, formats: _Formats) -> None:
    match value:
        case None:
            return
        case Decimal() if _fits(value):
            # as a Decimal, for XlsxWriter cuts floats to 16 digits: 9.61 became 9.609999999999999
            sheet.write_number(*at, value, formats.number(_decimals(value)))
        case Decimal():
            sheet.write_string(*at, format(value, "f"), formats.exact)
        case date() if value >= date(1900, 3, 1):  # spreadsheets miscount the days before
            sheet.write_datetime(*at, datetime(value.year, value.month, value.day), formats.date)
        case int() | float():
            sheet.write_number(*at, value)
        case _:
            text = _text(value).encode("utf-8", "replace").decode("utf-8")
            if len(text) > SHEET_TEXT:
                raise UsageError(
                    f"Row {at[0]} has a text of {len(text):,} characters, more than a cell holds: take csv."
                )
            sheet.write_string(*at, text, formats.guarded if export.guarded(text) != text else None)


def _fits(value: Decimal) -> bool:
    """Whether a float shows the number digit by digit."""
    return len(value.as_tuple().digits) <= FLOAT_DIGITS and _decimals(value) <= FLOAT_DIGITS


def _decimals(value: Decimal) -> int:
    return max(0, -int(value.as_tuple().exponent))


# ---- Parquet


def _parquet(columns: Sequence[_Column], rows: Sequence[Row]) -> bytes:
    """Amounts as decimals with the places that the column prints at most, dates as dates; a column in which one value
    is neither stays text.
    """
    import polars as pl

    target = io.BytesIO()
    frame = pl.DataFrame([_series(column, [_typed(column, row) for row in rows]) for column in columns])
    frame.write_parquet(target, compression="zstd")
    return target.getvalue()


def _series(column: _Column, values: Sequence[Value]) -> pl.Series:
    import polars as pl

    have = [value for value in values if value is not None]
    if column.name == "page":
        return pl.Series(column.name, values, pl.Int32)
    if column.name in BOX:
        return pl.Series(column.name, values, pl.Float64)
    if have and all(isinstance(value, date) for value in have):
        return pl.Series(column.name, values, pl.Date)
    numbers = [value for value in have if isinstance(value, Decimal)]
    if have and len(numbers) == len(have):
        scale = max(map(_decimals, numbers))
        if max(value.adjusted() + 1 for value in numbers) + scale <= PARQUET_DIGITS:
            return pl.Series(column.name, values, pl.Decimal(PARQUET_DIGITS, scale))
    texts = [None if value is None else _plain_text(value) for value in values]
    return pl.Series(column.name, texts, pl.String)


def _plain_text(value: Value) -> str:
    return format(value, "f") if isinstance(value, Decimal) else _text(value)
