"""Doubts about totals from their first read that their second read has answered: the sums close by now.

Comes in: fields read twice, the values that each total was in doubt over, what stands between sums. Goes out: the
fields without the doubts whose sums close. Refuses nothing.

That a net and a tax make the gross total, and that lines or taxes by rate add up to them, was asked of figures as they
were first read. A rival that differs in a figure or two is the same total misread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from pipeline import closing, labels, totals
from pipeline.engine import RawField
from pipeline.model import Check, Extra, Field

AS_WELL = "it might be "  # how the doubt over rivals begins
UNLIKE = 2  # figures that two reads of one amount differ in at most
WHOLE = frozenset({closing.LINES, closing.GROSS_LINES, closing.TAXES, closing.BASES})  # what says that nothing lacks

Rivals = Mapping[str, tuple[str, ...]]


def rivals(raw: Sequence[RawField]) -> Rivals:
    """What else each total might be, as it was first read."""
    return {one.name: one.rivals for one in raw if one.name in labels.TOTALS}


def freed(fields: Sequence[Field], held: Rivals, only: str, tolerance: Decimal, extras: Sequence[Extra]) -> list[Field]:
    """The fields without doubts of the kind `only` that are answered."""
    proven = closing.checks(fields, tolerance, extras)
    passed = {
        one.name: {check.check for check in proven.get(at, ()) if check.outcome == "passed"}
        for at, one in enumerate(fields)
    }
    whole = any(passed.get(name, set()) & WHOLE for name in held)
    found = []
    for one in fields:
        if closing.TOTAL in passed.get(one.name, ()) and one.name in held and whole:
            alike = all(_is_alike(one.normalised, rival) for rival in held[one.name])
            kept = tuple(check for check in one.checks if check.check != only or not _is_answered(check, alike))
            one = replace(one, checks=kept)
        found.append(one)
    return found


def _is_answered(check: Check, alike: bool) -> bool:
    return check.detail in (totals.NO_SUM, totals.UNEVEN) or (alike and check.detail.startswith(AS_WELL))


def _is_alike(value: str, rival: str) -> bool:
    """Whether an amount may be the same one misread."""
    one, other = ("".join(filter(str.isdigit, text)) for text in (value, rival))
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) <= UNLIKE
