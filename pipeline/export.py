"""Results as files for other programs.

Comes in: a table's cells, the sections of an outline. Goes out: CSV for spreadsheets (UTF-8 with a byte-order mark),
where what could start a formula is put behind an apostrophe, numbers excepted; sections as a list, as JSON Lines, and
as a SQLite file. Refuses, as UsageError: a path that cannot be written.
"""

from __future__ import annotations

import csv
import io
import json
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from pipeline.model import Section, UsageError

SECTIONS = """CREATE TABLE sections (
    section_id TEXT PRIMARY KEY,
    parent_id  TEXT REFERENCES sections(section_id),
    page       INTEGER,
    title      TEXT,
    content    TEXT,
    level      INTEGER,
    number     TEXT,
    anchor     TEXT,
    position   INTEGER
)"""
LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"})
STARTERS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # the wide ones, too, start formulas


def table_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A line a row under the columns' names. Half surrogate pairs of broken text layers become ?."""
    target = io.StringIO(newline="")
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([guarded(value) for value in row] for row in rows)
    return target.getvalue().encode("utf-8-sig", "replace")


def sections_list(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """The sections as a plain list, in reading order: id, parent, page, title, text; level, number and anchor."""
    return [
        {
            "section_id": one.section_id,
            "parent_id": one.parent_id,
            "page": one.page,
            "title": one.title,
            "content": one.content,
            "level": one.level,
            "number": one.number,
            "anchor": one.anchor,
        }
        for one in sections
    ]


def sections_jsonl(sections: Iterable[Section]) -> str:
    """A line a section; no character in it that any reader takes for the end of a line."""
    lines = (json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in sections_list(sections))
    return "".join(f"{line.translate(LINE_ENDS)}\n" for line in lines)


def sections_sqlite(sections: Sequence[Section], path: Path) -> None:
    """Write a SQLite file with the table `sections` and its index by parent, whole or not at all."""
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    names = ", ".join(f":{name}" for name in ("section_id", "parent_id", "page", "title", "content", "level"))
    rows = [{**item, "position": at} for at, item in enumerate(sections_list(sections))]
    try:
        with closing(sqlite3.connect(partial)) as db, db:
            db.execute(SECTIONS)
            db.executemany(f"INSERT INTO sections VALUES ({names}, :number, :anchor, :position)", map(_utf8, rows))
            db.execute("CREATE INDEX idx_parent ON sections(parent_id)")
        partial.replace(path)
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path} cannot be written: {reason}") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _utf8(row: dict[str, Any]) -> dict[str, Any]:
    """Half surrogate pairs of broken text layers become ?: SQLite takes no others."""
    return {
        name: value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value
        for name, value in row.items()
    }


def guarded(text: str) -> str:
    """The text as a spreadsheet may have it: never a formula."""
    return f"'{text}" if text.startswith(STARTERS) and not is_number(text) else text


def is_number(text: str) -> bool:
    """Whether a text is a number as a computer writes it."""
    try:
        return text.isascii() and Decimal(text).is_finite() and "_" not in text
    except InvalidOperation:
        return False
