"""Results of many documents as one Parquet data set: a file a document, with the same columns in each.

Comes in: a result as the commands tell it. Goes out: the bytes of a Parquet file, and where it lies in the data set
(`document=<sha256>/part.parquet`, the form in which polars, DuckDB, Spark and pandas find the partition by its name).
Amounts are decimals and dates are dates where that holds them to the letter, else they are null; `values` has all
values of a row exactly as text, in JSON. Refuses nothing.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from pipeline import tablefiles, terms

if TYPE_CHECKING:
    import polars as pl

Do = Literal["sections", "rows", "fields"]
Line = dict[str, Any]

FILE = "part.parquet"
PLACES = 10  # of decimals
DIGITS = 38
VALUES = (
    *("invoice_number", "date", "supplier", "description", "quantity", "unit_price", "amount"),
    *("debit", "credit", "balance"),
)


def path(do: Do, sha256: str) -> str:
    """Where a document's part of the data set lies, below the folder of results."""
    return f"{do}.parquet/document={sha256}/{FILE}"


def table(do: Do, told: dict[str, Any]) -> bytes:
    """The Parquet file of one document's result."""
    import polars as pl

    lines: Callable[[dict[str, Any]], Iterator[Line]] = {"sections": _sections, "rows": _rows, "fields": _fields}[do]
    target = io.BytesIO()
    pl.DataFrame(list(lines(told)), schema=_schema(do)).write_parquet(target, compression="zstd")
    return target.getvalue()


def _schema(do: Do) -> dict[str, pl.DataType | type[pl.DataType]]:
    import polars as pl

    box = dict.fromkeys(("x0", "top", "x1", "bottom"), pl.Float64)
    match do:
        case "sections":
            texts = ("section_id", "parent_id", "number", "title", "anchor", "content")
            return {"position": pl.Int32, "level": pl.Int32, "page": pl.Int32, **dict.fromkeys(texts, pl.String)}
        case "rows":
            typed = {name: _type(name) for name in VALUES}
            ends = dict.fromkeys(("currency", "status", "reasons", "values"), pl.String)
            return {"position": pl.Int32, "page": pl.Int32, **typed, **box, **ends}
    fields = ("name", "value", "normalised", "first_read", "second_read", "status", "reasons", "checks")
    return {"position": pl.Int32, "invoice": pl.Int32, "page": pl.Int32, **box, **dict.fromkeys(fields, pl.String)}


def _type(name: str) -> pl.DataType | type[pl.DataType]:
    import polars as pl

    match terms.KINDS[name]:
        case "amount":
            return pl.Decimal(DIGITS, PLACES)
        case "date":
            return pl.Date
    return pl.String


def _sections(told: dict[str, Any]) -> Iterator[Line]:
    names = ("section_id", "parent_id", "number", "title", "anchor", "content", "level", "page")
    for position, section in enumerate(told["sections"]):
        yield {"position": position} | {name: _clean(section[name]) for name in names}


def _rows(told: dict[str, Any]) -> Iterator[Line]:
    for position, row in enumerate(told["rows"]):
        values = row["values"]
        yield {
            "position": position,
            "page": row["page"],
            **{name: _value(name, values.get(name)) for name in VALUES},
            **_edges(row["box"]),
            "currency": _clean(values.get("currency") or row["currency"] or None),
            "status": row["status"],
            "reasons": _clean("; ".join(row["reasons"])),
            "values": _json(values),
        }


def _fields(told: dict[str, Any]) -> Iterator[Line]:
    names = ("invoice", "name", "value", "normalised", "page", "first_read", "second_read", "status")
    for position, field in enumerate(told["fields"]):
        yield {
            "position": position,
            **{name: _clean(field[name]) for name in names},
            **_edges(field["box"]),
            "reasons": _clean("; ".join(field["reasons"])),
            "checks": _json(field["checks"]),
        }


def _value(name: str, text: str | None) -> Decimal | date | str | None:
    """The value where its column holds it exactly."""
    if text is None or terms.KINDS[name] == "text":
        return _text(text)
    value = tablefiles.typed(text, terms.KINDS[name])
    if isinstance(value, Decimal):
        fits = tablefiles.decimals(value) <= PLACES and value.adjusted() + 1 + PLACES <= DIGITS
        return value if fits else None
    return value if isinstance(value, date) else None


def _edges(box: list[float] | None) -> Line:
    return dict(zip(("x0", "top", "x1", "bottom"), box or (None,) * 4, strict=True))


def _json(value: object) -> str:
    return str(_clean(json.dumps(value, ensure_ascii=False, separators=(",", ":"))))


def _text(text: str | None) -> str | None:
    """Half surrogate pairs of broken text layers become ?."""
    return None if text is None else text.encode("utf-8", "replace").decode("utf-8")


def _clean(value: Any) -> Any:
    return _text(value) if isinstance(value, str) else value
