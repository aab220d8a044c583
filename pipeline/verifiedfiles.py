"""Verified values as files: a table with a line a value, and the values as they were nested, each with its verdict.

Comes in: `Verified`, the values that it was made of. Goes out: CSV, XLSX, JSON. The status stands beside each value,
with its reason, page and box; rows that the values lack are lines of their own. Refuses what `tablefiles` refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pipeline import amounts, tablefiles, verify
from pipeline.leaves import Path, Value
from pipeline.model import Place, Source
from pipeline.tablefiles import Column, Sheet
from pipeline.verify import Verdict, Verified
from pipeline.witness import begins

Format = Literal["csv", "xlsx"]
BOX = ("x0", "top", "x1", "bottom")
MISSING = "missing"
WHY_MISSING = "the line looks like a row, and no row of the values is it"


@dataclass(frozen=True)
class _Line:
    path: str
    value: tablefiles.Value
    status: str
    reason: str
    nature: str
    source: Source

    @property
    def place(self) -> Place | None:
        return begins(self.source)


def made(verified: Verified, form: Format) -> bytes:
    """A line a value in the order of the values, then a line for each row that they lack."""
    lines = [*map(_of_value, verified.values), *map(_of_missing, verified.missing)]
    columns = list(_columns())
    return tablefiles.to_csv(columns, lines) if form == "csv" else tablefiles.to_xlsx(Sheet("Values", columns, lines))


def nested(values: object, verified: Verified) -> str:
    """JSON of the shape of the values: in each value's place an object of the value and what the page says of it.

    Nulls and empty texts, which say nothing, stay as they are.
    """
    told = dict(zip((one.path for one in verified.values), verify.to_json(verified)["values"], strict=True))
    whole = verify.to_json(verified)
    found = {"values": _nested(values, (), told), "missing": whole["missing"], "summary": whole["summary"]}
    return json.dumps(found, ensure_ascii=False, indent=1)


def named(path: Path) -> str:
    """A path as it is written: `items[3].amount`, rows counted from 1."""
    text = ""
    for step in path:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the value"


def plain(value: Value) -> str:
    """A value as JSON writes it, texts without their quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else amounts.plain(value)


def _nested(value: object, path: Path, told: Mapping[Path, Mapping[str, Any]]) -> Any:
    match value:
        case Mapping():
            return {str(key): _nested(below, (*path, str(key)), told) for key, below in value.items()}
        case list():
            return [_nested(below, (*path, index), told) for index, below in enumerate(value)]
    verdict = told.get(path)
    return {key: one for key, one in verdict.items() if key != "path"} if verdict else value


def _of_value(one: Verdict) -> _Line:
    value = plain(one.value) if isinstance(one.value, bool) else one.value
    return _Line(named(one.path), value, one.status, one.reason, one.nature, one.source)


def _of_missing(source: Source) -> _Line:
    return _Line("", None, MISSING, WHY_MISSING, "", source)


def _columns() -> Iterator[Column[_Line]]:
    yield Column("path", "text", lambda line: line.path)
    yield Column("value", "text", lambda line: line.value)
    yield Column("status", "text", lambda line: line.status)
    yield Column("reason", "text", lambda line: line.reason)
    yield Column("kind", "text", lambda line: line.nature)
    yield Column("printed", "text", lambda line: line.source.quote)
    yield Column("match", "text", lambda line: line.source.match if line.source.places else "")
    yield Column("page", "amount", lambda line: line.place.page if line.place else None)
    for at, edge in enumerate(BOX):
        yield Column(edge, "amount", _edge(at))
    yield Column("other_boxes", "text", lambda line: "; ".join(map(_told, line.source.places[1:])))


def _edge(at: int) -> Callable[[_Line], tablefiles.Value]:
    return lambda line: line.place.box.rounded()[at] if line.place else None


def _told(place: Place) -> str:
    return f"page {place.page}: {' '.join(f'{edge:g}' for edge in place.box.rounded())}"
