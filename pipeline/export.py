"""Results as files for other programs.

Comes in: a `Statement`. Goes out: CSV text for spreadsheets (UTF-8 with a byte-order mark when written as bytes).
Refuses nothing; what could start a formula in a spreadsheet is put behind an apostrophe, numbers excepted.
"""

from __future__ import annotations

import csv
import io
from decimal import Decimal, InvalidOperation

from pipeline.model import Statement

STARTERS = ("=", "+", "-", "@", "\t", "\r", "\n")


def rows_csv(statement: Statement) -> bytes:
    """A line a row: page, status, the statement's columns, the reasons for review."""
    target = io.StringIO(newline="")
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(["page", "status", *statement.columns, "reasons"])
    for row in statement.rows:
        values = [guarded(row.value(column) or "") for column in statement.columns]
        writer.writerow([row.page, row.status, *values, guarded("; ".join(row.reasons))])
    return target.getvalue().encode("utf-8-sig")


def guarded(text: str) -> str:
    """The text as a spreadsheet may have it: never a formula."""
    return f"'{text}" if text.startswith(STARTERS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        return text.isascii() and Decimal(text).is_finite() and "_" not in text
    except InvalidOperation:
        return False
