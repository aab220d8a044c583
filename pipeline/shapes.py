"""What each line of a page says by itself, before the rest of the document is known.

Comes in: a page. Goes out: its lines and tables, the role of each line, and its shape. Commands make these page by
page, while the rest of the document is still being read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pipeline import layout, numbering, roles, tables
from pipeline.model import Line, Page, Word
from pipeline.numbering import Numbering
from pipeline.roles import Role
from pipeline.tables import Laid


class Shape(NamedTuple):
    """What a line says by itself. sizes: how many of its characters are set in each (to 0.1 point); the rest as in
    `features.Feature`.
    """

    sizes: dict[float, int]
    bold: bool
    italic: bool
    caps: bool
    lead: int
    parts: tuple[str, ...]
    turned: bool
    number: Numbering | None


class Shaped(NamedTuple):
    """A page: its lines and tables, and of each line the role and the shape."""

    laid: Laid
    roles: tuple[Role, ...]
    shapes: tuple[Shape, ...]


def shaped(page: Page, laid: Laid | None = None) -> Shaped:
    """The page with its lines' shapes. laid: as `tables.laid` gives it, if it is at hand."""
    laid = laid or tables.laid(page)
    return Shaped(laid, roles.of(page, laid), tuple(map(_shape, laid.lines)))


def _shape(line: Line) -> Shape:
    words = line.words
    cells = layout.cells(line, 1.5)
    return Shape(
        sizes=_letters(line),
        bold=all(word.bold for word in words),
        italic=all(word.italic for word in words),
        caps=_caps(words),
        lead=_lead(line),
        parts=tuple(" ".join([word.text for word in cell]) for cell in cells) if len(cells) > 1 else (line.text,),
        turned=any(word.rotation % 360 > 10 for word in words[:3]) and words[0].rotation % 360 < 350,
        number=numbering.parse(line.text),
    )


def added(items: Iterable[tuple[float, int]]) -> dict[float, int]:
    """The sum of the counts of each size."""
    counts: dict[float, int] = {}
    for size, count in items:
        counts[size] = counts.get(size, 0) + count
    return counts


def _letters(line: Line) -> dict[float, int]:
    """How many characters of the line are set in each size, to 0.1 point."""
    first = line.words[0].size
    if all(word.size == first for word in line.words):
        return {round(first, 1): sum([len(word.text) for word in line.words])}
    exact: dict[float, int] = {}
    for word in line.words:
        exact[word.size] = exact.get(word.size, 0) + len(word.text)
    return added((round(size, 1), count) for size, count in exact.items())


def _caps(words: Iterable[Word]) -> bool:
    """Whether all words with letters are set in capitals, and there are some."""
    found = False
    for word in words:
        if any(map(str.isalpha, word.text)):
            if not word.text == word.text.upper() != word.text.lower():
                return False
            found = True
    return found


def _lead(line: Line) -> int:
    for count, word in enumerate(line.words):
        if not word.bold:
            return count
    return 0
