"""The fields of invoices as files for spreadsheets: a line a field; in a workbook also a line an invoice and an item.

Comes in: `Invoices` with the names of their documents. Goes out: the bytes of a CSV or XLSX file; each value with its
status, reasons, both reads, checks, page and box (points, origin top left). Amounts are exact, as numbers where the
form can hold them; no text starts a formula. Refuses, as UsageError: a form that it does not know, lines that no sheet
holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from pipeline import fieldnames, labels, tablefiles, terms
from pipeline.model import Field, Invoices, Place, UsageError
from pipeline.profiles import FieldProfile
from pipeline.tablefiles import Column, Sheet, Value

FORMS = ("csv", "xlsx")
BOX = ("x0", "top", "x1", "bottom")
LEFT = "in_review"


class Read(NamedTuple):
    """What was read from a document; `name` as its lines say it."""

    name: str
    invoices: Invoices


class _Line(NamedTuple):
    """A field of a document."""

    document: str
    field: Field


@dataclass(frozen=True)
class _Group:
    """Fields that make a line together: the header of an invoice, or one of its items (number 0: the header)."""

    document: str
    invoice: int
    number: int
    fields: dict[str, Field]

    @property
    def waiting(self) -> list[str]:
        """The names of those in review."""
        return [name for name, field in self.fields.items() if field.status == "review"]


def made(read: Sequence[Read], form: str, profile: FieldProfile) -> bytes:
    """The file in one of FORMS."""
    lines = [_Line(name, field) for name, found in read for field in found.fields]
    columns = tuple(_columns(profile))
    match form:
        case "csv":
            return tablefiles.to_csv(columns, lines)
        case "xlsx":
            groups = list(_groups(lines))
            headers, items = [one for one in groups if not one.number], [one for one in groups if one.number]
            sheets = (_sheet("Invoices", headers, profile), _sheet("Line items", items, profile))
            return tablefiles.to_xlsx(*sheets, Sheet("Fields", columns, lines))
    raise UsageError(f"There is no format {form!r} for fields. There are: json, {', '.join(FORMS)}.")


# ---- a line a field


def _columns(profile: FieldProfile) -> Iterator[Column[_Line]]:
    texts: dict[str, Callable[[Field], Value]] = {
        "status": lambda field: field.status,
        "reasons": lambda field: "; ".join(field.reasons),
        "first_read": lambda field: field.first_read,
        "second_read": lambda field: field.second_read,
        "checks": lambda field: "; ".join(f"{one.check} {one.outcome}: {one.detail}" for one in field.checks),
        "other_boxes": lambda field: "; ".join(map(_place, field.places[1:])),
    }
    yield Column("document", "text", lambda line: line.document)
    yield Column("invoice", "amount", lambda line: line.field.invoice)
    yield Column("name", "text", lambda line: line.field.name)
    yield Column("value", "text", lambda line: line.field.value)
    yield Column("normalised", "text", lambda line: _typed(line.field, profile))
    yield Column("page", "amount", lambda line: line.field.places[0].page if line.field.places else None)
    for at, edge in enumerate(BOX):
        yield Column(edge, "amount", _edge(at))
    for name, value in texts.items():
        yield Column(name, "text", _of_field(value))


def _of_field(value: Callable[[Field], Value]) -> Callable[[_Line], Value]:
    return lambda line: value(line.field)


def _edge(at: int) -> Callable[[_Line], Value]:
    return lambda line: line.field.places[0].box.rounded()[at] if line.field.places else None


def _place(place: Place) -> str:
    return f"page {place.page}: {' '.join(f'{edge:g}' for edge in place.box.rounded())}"


def _typed(field: Field, profile: FieldProfile) -> Value:
    """The plain value as a number or date where it is one."""
    return tablefiles.typed(field.normalised, _kind(field.name, profile))


def _kind(name: str, profile: FieldProfile) -> terms.Kind:
    match fieldnames.kind(name, profile):
        case "amount" | "rate":
            return "amount"
        case "date":
            return "date"
    return "text"


# ---- a line an invoice, and a line an item


def _groups(lines: Sequence[_Line]) -> Iterator[_Group]:
    """Of each invoice its header, then its items by their numbers."""
    for (document, invoice), group in groupby(lines, lambda line: (line.document, line.field.invoice)):
        numbered: dict[int, dict[str, Field]] = {0: {}}
        for _, field in group:
            base, number = labels.bare(field.name)
            item = labels.group_of(base) == "line_item"
            numbered.setdefault(number if item else 0, {})[base if item else field.name] = field
        for number in sorted(numbered):
            yield _Group(document, invoice, number, numbered[number])


def _sheet(name: str, groups: Sequence[_Group], profile: FieldProfile) -> Sheet[_Group]:
    order = [*labels.standard()]
    known = {name: None for group in groups for name in group.fields}
    names = sorted(known, key=lambda one: order.index(one) if one in order else len(order))
    columns = [
        Column[_Group]("document", "text", lambda group: group.document),
        Column[_Group]("invoice", "amount", lambda group: group.invoice),
        *([Column[_Group]("item", "amount", lambda group: group.number)] if any(one.number for one in groups) else []),
        Column[_Group](LEFT, "text", lambda group: ", ".join(group.waiting)),
        *(Column(_short(one), _kind(one, profile), _of_group(one, profile)) for one in names),
    ]
    return Sheet(name, columns, groups)


def _short(name: str) -> str:
    """`line_item_amount` → `amount`, for the sheet says the rest."""
    return name.removeprefix("line_item_") if labels.group_of(name) == "line_item" else name


def _of_group(name: str, profile: FieldProfile) -> Callable[[_Group], Value]:
    def value(group: _Group) -> Value:
        field = group.fields.get(name)
        return _typed(field, profile) if field else None

    return value
