"""The values of any JSON, each with its path, its type and what is said of it: the words of its key, a schema's.

Comes in: nested values as `json.loads` gives them (floats may be `Decimal`s), and a JSON Schema or None. Goes out:
`Leaf`s in order. Empty strings and nulls say nothing and are left out. Refuses, as UsageError, a schema that is no
object.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

from pipeline import amounts, calendars
from pipeline.model import UsageError

Step = str | int
Path = tuple[Step, ...]
Value = str | Decimal | bool
Kind = Literal["number", "date", "text", "yesno"]

CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u024f]+|\d+|[^\W\d_a-zA-Z]+")
MONEY = re.compile(r"[^\w\s]?\s?[-+(]?(?:\d{1,3}(?:[., '’]\d{3})+|\d+)[.,]\d{1,4}\)?-?\s?\D{0,4}")
DATE_TEXT = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}.*)?")
DIGITS = 60  # before or behind the point that a number may have
DEPTH = 64  # levels of nesting of values and of references in a schema


@dataclass(frozen=True)
class Said:
    """What a schema says of a value: in words, its type, format and choices."""

    title: str = ""
    type: str = ""
    format: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Leaf:
    """A value of the JSON. path: keys and indices; about: the keys that name it, from the outermost; array: the path
    of the innermost array of objects or values it is in, indices as -1; row: the indices, () where it is in none.
    """

    path: Path
    value: Value
    kind: Kind
    said: Said = Said()

    @cached_property
    def text(self) -> str:
        return amounts.plain(self.value) if isinstance(self.value, Decimal) else str(self.value)

    @cached_property
    def row(self) -> tuple[int, ...]:
        """The indices on the way to it: which row of which array."""
        return tuple(step for step in self.path if isinstance(step, int))

    @cached_property
    def array(self) -> tuple[str, ...] | None:
        """The keys on the way to its innermost array; None where it is in none."""
        last = max((at for at, step in enumerate(self.path) if isinstance(step, int)), default=-1)
        return tuple(step for step in self.path[:last] if isinstance(step, str)) if last >= 0 else None

    @cached_property
    def key(self) -> tuple[str, ...]:
        """The keys below its row, or all where it is in none."""
        last = max((at for at, step in enumerate(self.path) if isinstance(step, int)), default=-1)
        return tuple(step for step in self.path[last + 1 :] if isinstance(step, str))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its key, small: `dueDate` and `due_date` are (due, date)."""
        keys = self.key or tuple(step for step in self.path if isinstance(step, str))[-1:]
        return tuple(word.casefold() for key in keys for word in CAMEL.findall(key))


def load(text: str, name: str = "the text") -> Any:
    """The JSON with its numbers exact; `name` is the file's. Raises UsageError where it is none, where an object has a
    key twice, and where it is nested too deep.
    """

    def held(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(found := dict(pairs)) < len(pairs):
            twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            raise UsageError(f"{name} has {twice[:60]!r} twice in one object; keep the one that is meant")
        return found

    def refused(constant: str) -> Any:
        raise UsageError(f"{name} holds {constant}, which is no number that a page prints; leave it out")

    deep = f"{name} is nested more than {DEPTH} deep; give the part that holds the fields"
    try:
        values = json.loads(
            text, parse_float=Decimal, parse_int=Decimal, parse_constant=refused, object_pairs_hook=held
        )
    except (ValueError, ArithmeticError) as error:
        raise UsageError(f"{name} is no JSON ({error}); give the file that the extraction made") from None
    except RecursionError:
        raise UsageError(deep) from None
    if _deeper(values, DEPTH):
        raise UsageError(deep)
    return values


def _deeper(value: object, levels: int) -> bool:
    """Whether values are nested deeper than so many levels."""
    layer: list[Any] = [value]
    for _ in range(levels + 1):
        within = [one.values() if isinstance(one, dict) else one for one in layer if isinstance(one, dict | list)]
        layer = [below for one in within for below in one]
    return bool(layer)


def leaves(values: object, schema: Mapping[str, Any] | None = None) -> tuple[Leaf, ...]:
    """The values in order, typed. Raises UsageError where they are nested too deep or hold what JSON does not."""
    if schema is not None and not isinstance(schema, Mapping):
        raise UsageError("the schema is no JSON Schema (an object); leave --schema out, or give another file")
    return tuple(_leaves(values, (), schema or {}, schema or {}))


def _leaves(value: object, path: Path, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Leaf]:
    if len(path) > DEPTH:
        raise UsageError(f"the values are nested more than {DEPTH} deep; give the part that holds the fields")
    schema = _resolved(schema, root)
    match value:
        case None | "":
            return
        case Mapping():
            inner = schema.get("properties")
            for key, below in value.items():
                yield from _leaves(below, (*path, str(key)), _child(inner, str(key)), root)
        case list() | tuple():
            for index, below in enumerate(value):
                yield from _leaves(below, (*path, index), _child(schema, "items"), root)
        case _:
            yield _leaf(value, path, _said(schema))


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with references into its own document followed, and the first telling one of several choices."""
    for _ in range(DEPTH):
        if isinstance(target := schema.get("$ref"), str) and target.startswith("#/"):
            found: Any = root
            for step in target[2:].split("/"):
                found = found.get(step, {}) if isinstance(found, Mapping) else {}
            schema = found if isinstance(found, Mapping) else {}
            continue
        ways: list[Any] = next(
            (schema[word] for word in ("anyOf", "oneOf", "allOf") if isinstance(schema.get(word), list)), []
        )
        telling = [way for way in ways if isinstance(way, Mapping) and way.get("type") != "null"]
        if not telling:
            return schema
        rest = {word: said for word, said in schema.items() if word not in ("anyOf", "oneOf", "allOf")}
        schema = {**telling[0], **rest}
    return {}


def _child(schema: object, key: str) -> Mapping[str, Any]:
    below = schema.get(key) if isinstance(schema, Mapping) else None
    return below if isinstance(below, Mapping) else {}


def _said(schema: Mapping[str, Any]) -> Said:
    kinds = schema.get("type")
    names = kinds if isinstance(kinds, list) else [kinds]
    kind = next((name for name in names if isinstance(name, str) and name != "null"), "")
    words = " ".join(str(schema[word]) for word in ("title", "description") if isinstance(schema.get(word), str))
    choices = schema.get("enum")
    listed = tuple(str(one) for one in choices if one is not None) if isinstance(choices, list) else ()
    form = schema.get("format")
    return Said(words, kind, form if isinstance(form, str) else "", listed)


def _leaf(value: object, path: Path, said: Said) -> Leaf:
    match value:
        case bool():
            return Leaf(path, value, "yesno", said)
        case int() | float() | Decimal():
            exact = value if isinstance(value, Decimal) else Decimal(str(value))
            if not exact.is_finite() or abs(exact.adjusted()) > DIGITS:
                told = f"{_named(path)} is {value!s:.40}, which is no number that a page prints"
                raise UsageError(f"{told}; leave it out, or give the number")
            return Leaf(path, exact, "number", said)
        case str():
            return _typed(value, path, said)
    raise UsageError(f"{_named(path)} is a {type(value).__name__}; give text, numbers, true or false")


def _typed(text: str, path: Path, said: Said) -> Leaf:
    """A text is a date where it is written as one, an amount where it has decimals; else text."""
    if DATE_TEXT.fullmatch(text.strip()):
        return Leaf(path, text, "date", said)
    whole = [one for one in calendars.dates(text.strip()) if one.end - one.start >= len(text.strip()) - 1]
    if whole and not calendars.SHORT.fullmatch(text):
        return Leaf(path, text, "date", said)
    if said.type in ("", "string", "number") and MONEY.fullmatch(text.strip()):
        return Leaf(path, text, "number", said)
    return Leaf(path, text, "text", said)


def _named(path: Sequence[Step]) -> str:
    return ".".join(map(str, path)) or "the value"


# ---------------------------------------------------------------- kinds

ALIKE, FEW = 0.75, 2  # of the others of its key that a value is unlike; how many there must be
NAMES = frozenset(("name", "description", "title"))
NUMBERED = frozenset(("number", "iban", "phone", "fax", "zip", "nr"))  # keys whose values have figures
DATES = frozenset(("date", "datum", "birthdate"))
SPACED, MANY = 0.95, 4  # of the others of a column, written in one word or not; how many there must be
ISO_ASKED = re.compile(r"yyyy-mm-dd|iso 8601", re.IGNORECASE)


def unlike(found: Sequence[Leaf]) -> dict[Path, str]:
    """The values of another kind than asked for, or than the others of their column, and why."""
    columns: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Leaf]] = {}
    for leaf in found:
        if leaf.array is not None:
            columns.setdefault((leaf.array, leaf.key), []).append(leaf)
    told = {leaf.path: why for leaf in found if (why := _unasked(leaf))}
    for column in columns.values():
        dates = sum(leaf.kind == "date" for leaf in column)
        worded = sum(_worded(leaf) for leaf in column)
        spaced = sum(_spaced(leaf) for leaf in column)
        coded = sum(_coded(leaf) for leaf in column)
        for leaf in column:
            others = len(column) - 1
            if others >= MANY and (
                (_coded(leaf) and spaced >= SPACED * others) or (_spaced(leaf) and coded >= SPACED * others)
            ):
                told.setdefault(leaf.path, "it is of another kind than the other values of its column")
            if others < FEW:
                continue
            dated, in_words = leaf.kind == "date", _worded(leaf)
            if _stands_out(dated, dates, others) or _stands_out(in_words, worded, others):
                told.setdefault(leaf.path, "it is of another kind than the other values of its column")
    return told


def _unasked(leaf: Leaf) -> str:
    dated = leaf.said.format in ("date", "date-time") or ISO_ASKED.search(leaf.said.title)
    if dated and leaf.kind != "date":
        return "a date is asked for, and this is none"
    if leaf.said.type in ("number", "integer") and leaf.kind == "text":
        return "a number is asked for, and this is none"
    last = leaf.words[-1] if leaf.words else ""
    if leaf.kind == "text" and not any(char.isnumeric() for char in leaf.text):
        if last in DATES:
            return "a date is asked for, and this is none"
        if last in NUMBERED:
            return "figures are asked for, and here are words only"
    if last in NAMES and not any(char.isalpha() for char in leaf.text):
        return "words are asked for, and here are figures only"
    return ""


def _spaced(leaf: Leaf) -> bool:
    return leaf.kind == "text" and " " in leaf.text.strip() and any(char.isalpha() for char in leaf.text)


def _coded(leaf: Leaf) -> bool:
    """Whether it is one word with figures: a code."""
    return leaf.kind == "text" and " " not in leaf.text.strip() and any(char.isdecimal() for char in leaf.text)


def _worded(leaf: Leaf) -> bool:
    return leaf.kind != "date" and any(char.isalpha() for char in leaf.text)


def _stands_out(has: bool, count: int, others: int) -> bool:
    """Whether nearly all others have what this one lacks, or lack what it has."""
    with_it = count - has
    return with_it <= (1 - ALIKE) * others if has else with_it >= ALIKE * others
