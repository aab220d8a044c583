"""The text layer against the picture of its page: what a forged or broken layer says is not what is printed.

Comes in: fields that a text layer gave, their kinds, the pages and their pictures. Goes out: the fields with a check of
what a reader of crops saw there; their values stay. Refuses what the readers refuse.

A layer can be right everywhere but in the one figure that counts, so no measure of its health tells. The fields that
are paid by, and the amounts of items and taxes, are held against the picture each time, some hundredths of a second
each; all others of the invoice as soon as one of these differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline import amounts, labels, reread, scripts, secondread
from pipeline.habits import Habits
from pipeline.model import Check, Field
from pipeline.secondread import Scans

PICTURE = "text layer and picture"
KEYS = frozenset({
    "invoice_number", "issue_date", "supply_date", "due_date", "net_total", "tax_total", "gross_total", "iban",
    "payment_reference", "supplier_tax_id", "buyer_tax_id", "line_item_amount", "tax_base", "tax_amount",
})  # fmt: skip


def held(fields: Sequence[Field], kinds: Mapping[str, str], scans: Scans) -> list[Field]:
    """The fields of one invoice, the keys among them held against the picture; all where one of these differs."""
    keys = [at for at, one in enumerate(fields) if labels.bare(one.name)[0] in KEYS]
    found = dict(zip(keys, _read([fields[at] for at in keys], kinds, scans), strict=True))
    if any(_differs(one) for one in found.values()):
        others = [at for at in range(len(fields)) if at not in found]
        found |= zip(others, _read([fields[at] for at in others], kinds, scans), strict=True)
    return [found.get(at, one) for at, one in enumerate(fields)]


def _differs(field: Field) -> bool:
    return any((check.check, check.outcome) == (PICTURE, "failed") for check in field.checks)


def _read(fields: Sequence[Field], kinds: Mapping[str, str], scans: Scans) -> list[Field]:
    parts = [_cells(field) for field in fields]
    values = [secondread.value(part, kinds, fields) for held in parts for part in held]
    seen = iter(reread.seen(values, scans.pages, scans.leaves, scans.way) if values else ())
    found = []
    for field, held in zip(fields, parts, strict=True):
        each = [next(seen) for _ in held]
        checks = [_check(part, one, scans.way) for part, one in zip(held, each, strict=True)]
        worst = min(checks, key=lambda check: ("failed", "open", "passed").index(check.outcome))
        second = amounts.PLUS.join(one.second for one in each)
        if len(each) > 1 and worst.outcome == "passed":
            worst = Check(PICTURE, "passed", f"the picture shows {second}")
        found.append(replace(field, second_read=second, checks=(*field.checks, worst)))
    return found


def _cells(field: Field) -> list[Field]:
    """The field, or one for each of the cells that an amount stands in."""
    texts = field.value.split(amounts.PLUS)
    if len(texts) != len(field.places) or len(texts) == 1:
        return [field]
    return [replace(field, value=text, places=(place,)) for text, place in zip(texts, field.places, strict=True)]


def _is_amount(field: Field, seen: reread.Seen, way: Habits) -> bool:
    """Whether the picture shows the amount without its currency in Cyrillic, which the reader of figures leaves out."""
    if not any(map(scripts.is_cyrillic, field.value)):
        return False
    read, told = (amounts.parse(text.strip(" ."), way.decimal) for text in (seen.second, field.value))
    return read is not None and told is not None and read.value == told.value and not read.ambiguous


def _check(field: Field, seen: reread.Seen, way: Habits) -> Check:
    """Failed where the crop shows something else, also where two readers of it agree on that."""
    if seen.check.outcome == "open" and seen.text == field.value:
        return Check(PICTURE, "open", seen.check.detail)
    if _is_amount(field, seen, way) or (seen.check.outcome == "passed" and seen.text == field.value):
        return Check(PICTURE, "passed", f"the picture shows {seen.second}")
    shown = f"“{seen.second}”" if seen.second else "nothing"
    return Check(PICTURE, "failed", f"the text layer says “{field.value}”, but the picture shows {shown} there")
