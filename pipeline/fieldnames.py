"""What fields are called for a person, and what each of them holds.

Comes in: names of fields as results have them (`line_item_3_amount`), or without their number. Goes out: names to read
(`Item 3 · amount`), kinds of values. Refuses nothing: a name of no known form stands for itself, and is text.
"""

from __future__ import annotations

from pipeline import labels
from pipeline.profiles import FieldProfile

GROUPS = {"line_item": "Item", "tax": "Tax"}


def kind(name: str, profile: FieldProfile) -> str:
    """What the field holds: text, date, amount, identifier or rate."""
    base, _ = labels.bare(name)
    return {**labels.standard(), **profile.kinds}.get(base, "text")


def shown(name: str) -> str:
    """The name as a person reads it."""
    base, number = labels.bare(name)
    group = labels.group_of(base)
    part = (base.removeprefix(f"{group}_") if group and number else base).replace("_", " ").replace("iban", "IBAN")
    named = f"{GROUPS[group]} {number} · {part}" if group and number else part
    return named[:1].upper() + named[1:]
