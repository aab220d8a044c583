"""Values as somebody supplies them, as a file of JSON or CSV: nested values, or one line that says what is wrong.

Comes in: the bytes of a file and its name; a JSON Schema beside it. Goes out: `Supplied`, and the values as
`leaves.leaves` takes them: of a CSV an object a line, under the header's names. Refuses, as UsageError: what is not
text in UTF-8, JSON or a table; files and numbers of values beyond the limits; nested too deep; without any value.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline import leaves
from pipeline.model import UsageError

LARGEST = 20_000_000  # bytes of a file
MOST = 20_000  # values of a file
TABLES = (".csv", ".tsv")
DELIMITERS = ",;\t|"
SNIFFED = 20_000  # characters of a table by which its delimiter is told


@dataclass(frozen=True)
class Supplied:
    """The text of a file of values under its name, and of a schema (empty: none)."""

    name: str
    text: str
    schema_name: str = ""
    schema: str = ""

    @cached_property
    def digest(self) -> str:
        """What tells it from other values: the hash of values and schema, whatever they are called."""
        kind = "table" if self.name.lower().endswith(TABLES) else "json"
        return hashlib.sha256("\0".join((kind, self.text, self.schema)).encode("utf-8", "replace")).hexdigest()

    def values(self) -> Any:
        """The values, nested, numbers exact."""
        return values(self.text, self.name)

    def described(self) -> Mapping[str, Any] | None:
        """The schema, or None."""
        return leaves.load(self.schema, self.schema_name) if self.schema else None


def taken(name: str, content: bytes, schema: tuple[str, bytes] | None = None) -> Supplied:
    """A file of values, and a schema by its name and content; what is refused is refused now."""
    schema_name, described = schema or ("", b"")
    found = Supplied(name, decoded(content, name), schema_name, decoded(described, schema_name))
    held = leaves.leaves(found.values(), found.described())
    if not held:
        raise UsageError(f"{name} holds no values: nothing can be verified; give the file that the extraction made")
    if len(held) > MOST:
        raise UsageError(f"{name} holds {len(held):,} values, and {MOST:,} are taken at once; split it by pages")
    return found


def decoded(content: bytes, name: str) -> str:
    """The text of a file."""
    if len(content) > LARGEST:
        raise UsageError(f"{name} is larger than {LARGEST // 1_000_000} MB; split it and verify the parts")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name} is no text in UTF-8; save it as that") from None


def values(text: str, name: str) -> Any:
    """The values of a file by its name: a table where it ends with .csv or .tsv, else JSON."""
    return _table(text, name) if name.lower().endswith(TABLES) else leaves.load(text, name)


def is_schema(text: str) -> bool:
    """Whether a text is a JSON Schema and no values."""
    try:
        held = leaves.load(text)
    except UsageError:
        return False
    if not isinstance(held, Mapping):
        return False
    told = held.get("$schema")
    return isinstance(told, str) or (
        held.get("type") in ("object", "array") and isinstance(held.get("properties", held.get("items")), Mapping)
    )


def _table(text: str, name: str) -> list[dict[str, str]]:
    try:
        told: Any = csv.Sniffer().sniff(text[:SNIFFED], DELIMITERS)
    except csv.Error:
        told = "excel"
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), told) if any(map(str.strip, line))]
    except csv.Error as error:
        raise UsageError(f"{name} is no table ({error}); save it as CSV anew") from None
    if len(lines) < 2:
        raise UsageError(f"{name} has no row below its header; give a CSV whose first line names the columns")
    header = [one.strip() for one in lines[0]]
    if twice := [one for one, count in Counter(filter(None, header)).items() if count > 1]:
        raise UsageError(f"{name} has several columns called {twice[0]!r}; name each otherwise")
    return [{key: cell.strip() for key, cell in zip(header, line, strict=False) if key} for line in lines[1:]]
