"""The rows of a statement as files for spreadsheets, data tools and accounting.

Comes in: a `Statement` and the name of its document. Goes out: the bytes of a CSV, XLSX, Parquet or JSON Lines file
with a line a row, its status, currency, page, box (points, origin top left) and reasons; or of an accounting import.
Amounts are exact in each: as numbers where the form can hold them, else as text. No text starts a formula.
Refuses, as InReview: an accounting import while the verdict is human review. As UsageError: a form that it does not
know, rows that no sheet holds.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from pipeline import export, statements, tablefiles, terms
from pipeline.model import InReview, Row, Statement, UsageError
from pipeline.settled import decided_by
from pipeline.tablefiles import Column, Sheet, Value

if TYPE_CHECKING:
    import polars as pl

FORMS = ("csv", "xlsx", "parquet", "jsonl", "accounting")
BOX = ("x0", "top", "x1", "bottom")
PARQUET_DIGITS = 38  # of a decimal of 128 bits


def made(statement: Statement, form: str, name: str = "") -> bytes:
    """The file in one of FORMS; `name`: the document's, which an accounting import says in each line."""
    match form:
        case "csv":
            return tablefiles.to_csv(_columns(statement), statement.rows)
        case "xlsx":
            return tablefiles.to_xlsx(Sheet("Rows", _columns(statement), statement.rows))
        case "parquet":
            return _parquet(Sheet("Rows", _columns(statement), statement.rows))
        case "jsonl":
            return _jsonl(statement)
        case "accounting":
            return _accounting(statement, name)
    raise UsageError(f"There is no format {form!r} for rows. There are: {', '.join(FORMS)}.")


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


def _columns(statement: Statement) -> tuple[Column[Row], ...]:
    """page, status, the statement's columns, currency, the row's box, windows, reasons or who settled it."""
    return (
        Column("page", "amount", lambda row: row.page),
        Column("status", "text", lambda row: row.status),
        *_values(statement),
        *(Column(edge, "amount", _edge(at)) for at, edge in enumerate(BOX)),
        Column("windows", "text", lambda row: " ".join(map(str, row.windows))),
        Column("reasons", "text", lambda row: "; ".join(row.reasons) or decided_by(row)),
    )


def _values(statement: Statement) -> Iterator[Column[Row]]:
    for name in statement.columns:
        if name != "currency":
            yield Column(name, terms.KINDS.get(name, "text"), _cell(name))
    yield Column("currency", "text", lambda row: row.value("currency") or row.currency)


def _cell(name: str) -> Callable[[Row], Value]:
    return lambda row: row.value(name)


def _edge(at: int) -> Callable[[Row], Value]:
    return lambda row: row.box.rounded()[at]


# ---- lines, and the accounting import


def _jsonl(statement: Statement) -> bytes:
    """A line a row, as the command `rows --json` has it: values as exact strings, each cell with its places."""
    lines = (
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in statements.to_json(statement)["rows"]
    )
    return "".join(f"{line.translate(export.LINE_ENDS)}\n" for line in lines).encode("utf-8", "replace")


def _accounting(statement: Statement, name: str) -> bytes:
    if reason := refusal(statement):
        raise InReview(f"{name or 'This document'}: {reason}: nothing was exported. `rows FILE` lists what to look at.")
    columns: tuple[Column[Row], ...] = (
        Column("document", "text", lambda _: name),
        Column("page", "amount", lambda row: row.page),
        *_values(statement),
    )
    return tablefiles.to_csv(columns, statement.rows)


# ---- Parquet


def _parquet(sheet: Sheet[Row]) -> bytes:
    """Amounts as decimals with the places that the column prints at most, dates as dates; a column in which one value
    is neither stays text.
    """
    import polars as pl

    target = io.BytesIO()
    frame = pl.DataFrame(
        [_series(column.name, cells) for column, cells in zip(sheet.columns, sheet.cells, strict=True)]
    )
    frame.write_parquet(target, compression="zstd")
    return target.getvalue()


def _series(name: str, values: Sequence[Value]) -> pl.Series:
    import polars as pl

    have = [value for value in values if value is not None]
    if name == "page":
        return pl.Series(name, values, pl.Int32)
    if name in BOX:
        return pl.Series(name, values, pl.Float64)
    if have and all(isinstance(value, date) for value in have):
        return pl.Series(name, values, pl.Date)
    numbers = [value for value in have if isinstance(value, Decimal)]
    if have and len(numbers) == len(have):
        scale = max(map(tablefiles.decimals, numbers))
        if max(value.adjusted() + 1 for value in numbers) + scale <= PARQUET_DIGITS:
            return pl.Series(name, values, pl.Decimal(PARQUET_DIGITS, scale))
    texts = [None if value is None else tablefiles.text(value) for value in values]
    return pl.Series(name, texts, pl.String)
