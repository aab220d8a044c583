"""Units of items by what units are called: which of two reads of a cell is one.

Comes in: two reads of a cell, the text in its row. Goes out: the unit, where one read is a unit in the script of its
row and the other is the same shapes, or all but one of its letters, and no unit. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pipeline import labels, lookalike, scripts

MOST = 0.5  # share of a column's cells that are units
ENDS = ".,"

Script = Literal["latin", "cyrillic"]


def is_known(text: str) -> bool:
    """Whether it is a unit as it is written in small letters."""
    return text.strip(ENDS) in labels.units()


def are(texts: Sequence[str]) -> bool:
    """Whether the cells of a column are units, some of them perhaps misread."""
    known = {lookalike.shape(unit) for unit in labels.units()}
    return sum(lookalike.shape(text) in known for text in texts) > MOST * len(texts)


def settled(first: str, second: str, cyrillic: bool) -> str:
    """The read that is a unit where the other is none, or nothing. cyrillic: the script of the row."""
    for read, other in ((second, first), (first, second)):
        mine, theirs = (_is_unit(text, cyrillic) for text in (read, other))
        if mine and not theirs and len(read.strip(ENDS)) > 1 and _is_near(read, other):
            return read.strip(ENDS)
    return ""


def _is_unit(text: str, cyrillic: bool) -> bool:
    return is_known(text) and scripts.is_cyrillic(text) == cyrillic


def _is_near(unit: str, other: str) -> bool:
    """Whether another read has the shapes of a unit, or all but one of its letters."""
    if lookalike.shape(unit) == lookalike.shape(other):
        return True
    return len(unit) == len(other) and sum(a != b for a, b in zip(unit, other, strict=True)) == 1 and len(unit) > 2
