"""Fields of scanned pages with their second read, and the value where the two reads differ.

Comes in: fields as first read, their kinds, the pages and their pictures. Goes out: the fields with the check of their
second read; where readers differ and a sum closes over what one of them saw, that is the value, and the sum its second
witness. Fields that a sound text layer witnesses are left as they are. Refuses what the readers refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline import alike, closing, firms, labels, reread, units
from pipeline.habits import Habits
from pipeline.model import Check, Field, Page
from pipeline.reread import Leaves, Seen, Value

BY_LABEL = "label"  # the check that quotes a field's label

Typed = Callable[[Field, str], Field]


@dataclass(frozen=True)
class Scans:
    """Pages and their pictures, how the document prints, and how far sums may be off. typed: a field with another
    text as its value.
    """

    pages: Sequence[Page]
    leaves: Leaves
    way: Habits
    tolerance: Decimal
    typed: Typed


def read(fields: Sequence[Field], kinds: Mapping[str, str], scans: Scans) -> list[Field]:
    """The fields, each read a second time. kinds: by the name of a field without number."""
    values = [value(field, kinds, fields) for field in fields]
    seen = reread.seen(values, scans.pages, scans.leaves, scans.way)
    told = [_named(field, value, one) for field, value, one in zip(fields, values, seen, strict=True)]
    found = [
        _with(scans.typed(field, one.text), one.second, one.check) for field, one in zip(fields, told, strict=True)
    ]
    return _by_sums(found, [value.kind for value in values], scans)


def value(field: Field, kinds: Mapping[str, str], fields: Sequence[Field]) -> Value:
    """What of a field is read again, and what stands beside it."""
    name, _ = labels.bare(field.name)
    mates = [one for one in fields if one.invoice == field.invoice] if name == "line_item_unit" else []
    beside = " ".join(one.value for one in mates if labels.bare(one.name)[0] == "line_item_description")
    if name == "currency":  # in the script of its label
        beside = " ".join(check.detail.partition("“")[2] for check in field.checks if check.check == BY_LABEL)
    return Value(kinds[name], field.value, field.places, beside)


def _named(field: Field, value: Value, seen: Seen) -> Seen:
    """What was seen of a unit or of a firm's name, by what such are called."""
    if field.name.endswith("_name") and seen.check.outcome != "open":
        first, second = firms.mended(seen.text), firms.mended(seen.second)
        if first == second and (first, second) != (seen.text, seen.second):
            told = f"{alike.told(value.text, seen.second)}; “{first.split()[-1]}” is a legal form"
            return Seen(first, seen.second, Check(alike.NAME, "passed", told))
    return _unit(value, seen)


def _unit(value: Value, seen: Seen) -> Seen:
    """What was seen of a unit, where only one of its reads is the name of one."""
    if not value.beside or seen.check.outcome == "passed":
        return seen
    cyrillic = reread.script(value.beside) == "cyrillic"
    if unit := units.settled(value.text, seen.second, cyrillic):
        told = f"{alike.told(value.text, seen.second)}; “{unit}” is a unit"
        return Seen(unit, seen.second, Check(alike.NAME, "passed", told))
    return seen


def _with(field: Field, second: str, check: Check) -> Field:
    kept = tuple(one for one in field.checks if one.check != alike.NAME)
    return replace(field, second_read=second, checks=(*kept, check))


# ---- sums as the witness between two reads


def _by_sums(fields: list[Field], kinds: Sequence[str], scans: Scans) -> list[Field]:
    """The second read where sums close over it, then the first one where they do over that."""
    open_ = [at for at, field in enumerate(fields) if kinds[at] in alike.NUMBERS and not _agreed(field)]
    for text in (_second, _first):
        trial = list(fields)
        for at in open_:
            if alike.sound(kinds[at], text(fields[at]), scans.way):
                trial[at] = scans.typed(fields[at], text(fields[at]))
        sums = closing.checks(trial, scans.tolerance)
        for at in open_:
            told = _closes(sums.get(at, ()))
            if told and alike.sound(kinds[at], text(fields[at]), scans.way):
                fields[at] = _with(trial[at], _second(fields[at]), Check(alike.NAME, "passed", told))
        open_ = [at for at in open_ if not _agreed(fields[at])]
    return fields


def _agreed(field: Field) -> bool:
    return any(check.check == alike.NAME and check.outcome == "passed" for check in field.checks)


def _first(field: Field) -> str:
    return field.first_read


def _second(field: Field) -> str:
    return field.second_read or ""


def _closes(checks: Sequence[Check]) -> str:
    """The sum that closes, where one does and none fails."""
    passed = [check.detail for check in checks if check.outcome == "passed"]
    if not passed or any(check.outcome == "failed" for check in checks):
        return ""
    return f"one reader's figure, over which a sum closes: {passed[0]}"
