"""The cover of a document, whatever its kind: a first page with a title and little else.

Comes in: the lines of a document that are in question. Goes out: those on its cover, and those there below the title.
Refuses nothing: a short document, or one that begins with text or clauses, has no cover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from pipeline.features import Feature

SHORTEST = 4  # pages of a document that has a cover
SPARSE = 0.45  # a cover has at most this share of the letters of the usual page


def cover(lines: Sequence[Feature], pages: int) -> tuple[Feature, ...]:
    """The lines of the cover, of a document of so many pages."""
    letters: Counter[int] = Counter()
    for line in lines:
        letters[line.page] += len(line.text)
    if pages < SHORTEST or not letters[1] or letters[1] > SPARSE * median(letters.values()):
        return ()
    first = tuple(line for line in lines if line.page == 1)
    prose = any(line.block_lines >= 3 and len(line.text) > 60 for line in first)
    clauses = any(line.number and not line.number.bare and line.number.rest for line in first)
    return () if prose or clauses else first


def beside_title(lines: Sequence[Feature]) -> frozenset[int]:
    """Of the lines of a cover, by index, those that are not set as large as its title: who, when, which version."""
    largest = max((line.size for line in lines), default=0.0)
    return frozenset(line.at for line in lines if line.size < largest)
