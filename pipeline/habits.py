"""How an invoice prints its numbers and dates: the decimal separator, and whether the day stands before the month.

Comes in: the lines of its pages. Goes out: `Habits`. Nothing is refused: what the pages do not tell stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline import amounts
from pipeline.amounts import Point
from pipeline.figures import TableLine

DAY_FIRST = frozenset({"de", "fr", "it", "es", "nl", "sr", "hr", "bs", "pl", "cs", "sk", "pt"})
_ORDER = re.compile(r"(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?!\d)")


@dataclass(frozen=True)
class Habits:
    """decimal: None where amounts do not tell; sure: whether the order of day and month is known."""

    decimal: Point | None
    day_first: bool
    sure: bool = True


def habits(lines: Iterable[TableLine], language: str, day_first: bool) -> Habits:
    """By the amounts and dates of the lines, then by the language; who prints decimal commas prints the day first.
    day_first: what holds where none of these tells.
    """
    held = list(lines)
    decimal = amounts.separator(run.text for line in held for run in line.figures).decimal
    pairs = [(int(one), int(other)) for line in held for one, other in _ORDER.findall(line.text)]
    days = {one > 12 for one, other in pairs if (one > 12) != (other > 12)}
    if len(days) == 1:
        return Habits(decimal, days.pop())
    return Habits(decimal, day_first, not days and (language in DAY_FIRST or decimal == ","))
