"""A page as it is read from a file: its words in their places, and the errors of whatever cannot be read.

Comes in: nothing; this module imports nothing of ours, and little else, since the process that reads starts with it.
Goes out: frozen values and the error tree, all of them part of the vocabulary in model.py.

    PipelineError
    ├── UsageError                  exit 2   wrong option, profile or argument
    ├── DocumentError               exit 3   the document cannot be read
    │   ├── NotAPdf                          other content, or nothing at all
    │   ├── Locked                           a password is needed
    │   ├── Damaged                          malformed beyond reading, or no page in it
    │   └── OverLimit                        too large, too slow or too hungry for the limits
    ├── EngineError                 exit 4   the engine failed or has no key
    ├── StoreError                  exit 5   the store cannot be read or written
    ├── InReview                    exit 1   a person must look before it goes on
    └── Cancelled                   exit 1   a person stopped it
"""

from __future__ import annotations

import sys
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat
from typing import Literal, NamedTuple

Origin = Literal["text", "ocr"]
USUAL_SIZE = (612.0, 792.0)  # points: of a page whose own size is not known


class PipelineError(Exception):
    """What went wrong in the user's words, and what helps next. One line; `exit_code` is the command's."""

    exit_code = 1


class UsageError(PipelineError):
    """A wrong option, argument or profile."""

    exit_code = 2


class DocumentError(PipelineError):
    """The document cannot be read."""

    exit_code = 3


class NotAPdf(DocumentError):
    """The file is empty, or its content is something else than a PDF."""


class Locked(DocumentError):
    """The document asks for a password."""


class Damaged(DocumentError):
    """Malformed beyond reading, or without a page."""


class OverLimit(DocumentError):
    """The document costs more time, memory or space than the limits allow."""


class EngineError(PipelineError):
    """The engine failed or cannot be used."""

    exit_code = 4


class StoreError(PipelineError):
    """The store cannot be read or written."""

    exit_code = 5


class InReview(PipelineError):
    """What is asked for takes confirmed values, and some are in review."""


class Cancelled(PipelineError):
    """A person stopped the work."""


class Box(NamedTuple):
    """A rectangle in page points, origin top left."""

    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.top + self.bottom) / 2

    def padded(self, by: float) -> Box:
        return Box(self.x0 - by, self.top - by, self.x1 + by, self.bottom + by)

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.top <= y <= self.bottom

    def rounded(self) -> tuple[float, float, float, float]:
        """Two decimals, as JSON carries a box."""
        return round(self.x0, 2), round(self.top, 2), round(self.x1, 2), round(self.bottom, 2)


def around(boxes: Iterator[Box] | list[Box] | tuple[Box, ...]) -> Box:
    """The smallest box that holds all of `boxes` (at least one)."""
    x0, top, x1, bottom = zip(*boxes, strict=True)
    return Box(min(x0), min(top), max(x1), max(bottom))


class Place(NamedTuple):
    """Where something stands: a page (from 1) and a box on it."""

    page: int
    box: Box


class Font(NamedTuple):
    """A font of a page, by its PostScript name without the subset prefix, and the colour it is set in (0xRRGGBB)."""

    name: str
    bold: bool
    italic: bool
    colour: int = 0


class Word(NamedTuple):
    """A word of a page; `size` in points, `confidence` 0..1 (1 for a text layer), `rotation` in degrees, `colour` as
    0xRRGGBB (black where it cannot be told).
    """

    text: str
    box: Box
    size: float
    font: str = ""
    bold: bool = False
    italic: bool = False
    rotation: int = 0
    confidence: float = 1.0
    colour: int = 0

    @property
    def type(self) -> Font:
        """What it is set in."""
        return Font(self.font, self.bold, self.italic, self.colour)

    @property
    def vertical(self) -> bool:
        """Whether its letters stand below each other, upright, as in Japanese set from top to bottom.

        A tall box alone is none, as some fonts have: its letters would not fit below each other, and two letters of
        a script that is set along lines are too few to tell.
        """
        tall = self.box.height > 1.6 * self.size > 0 and self.box.height > 0.6 * len(self.text) * self.box.width
        if not tall or len(self.text) < 2 or self.rotation % 180:
            return False
        wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in self.text)
        return wide or (len(self.text) > 2 and self.box.height > 0.9 * len(self.text) * self.size)


@dataclass(frozen=True)
class Page:
    """The words of one page as columns; `words` are views of them.

    text: the words joined by line feeds, boxes: four floats a word, sizes, font_ids, rotations (degrees) and
    confidences: one each a word; fonts: the table that font_ids point into. What is drawn, five floats each: rules
    and fills (a box, and the fill's lightness 0..1 or -1 for a rule), and cells of ruled tables (the table's number
    on the page, and a box).
    """

    number: int
    width: float
    height: float
    origin: Origin
    health: float
    reasons: tuple[str, ...]
    text: str
    boxes: array[float]
    sizes: array[float]
    font_ids: array[int]
    rotations: array[int]
    confidences: array[float]
    fonts: tuple[Font, ...]
    rules: array[float] = field(default_factory=lambda: array("f"))
    cells: array[float] = field(default_factory=lambda: array("f"))

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def mixed(self) -> bool:
        """Whether some of its words are those of the text layer, the others read by OCR."""
        by_ocr = {font.name == "ocr" for font in self.fonts}
        return self.origin == "ocr" and len(by_ocr) == 2

    @cached_property
    def words(self) -> tuple[Word, ...]:
        texts = map(sys.intern, self.text.split("\n") if self.text else [])
        quads = zip(*[iter(self.boxes)] * 4, strict=True)
        fonts = [self.fonts[index] for index in self.font_ids]
        # equal texts and numbers are one object: of 1 000 pages that is a third of the memory
        shared: dict[float, float] = {}
        sizes, confidences = (map(shared.setdefault, column, column) for column in (self.sizes, self.confidences))
        names, bolds, italics, colours = zip(*fonts, strict=True) if fonts else ((), (), (), ())
        boxes = map(tuple.__new__, repeat(Box), quads)  # as _make does, without a call in Python for each
        columns = (texts, boxes, sizes, names, bolds, italics, self.rotations, confidences, colours)
        return tuple(map(tuple.__new__, repeat(Word), zip(*columns, strict=True)))

    def with_words(self, words: Sequence[Word]) -> Page:
        """The page with these words in place of its own."""
        fonts: dict[Font, int] = {}
        ids = [fonts.setdefault(word.type, len(fonts)) for word in words]
        return replace(
            self,
            text="\n".join(word.text for word in words),
            boxes=array("f", [side for word in words for side in word.box]),
            sizes=array("f", [word.size for word in words]),
            font_ids=array("H", ids),
            rotations=array("h", [word.rotation for word in words]),
            confidences=array("f", [word.confidence for word in words]),
            fonts=tuple(fonts),
        )


def unread(number: int, reason: str, size: tuple[float, float] = USUAL_SIZE) -> Page:
    """A page of which nothing was read, and why."""
    return Page(
        number=number,
        width=size[0],
        height=size[1],
        origin="text",
        health=0.0,
        reasons=(reason,),
        text="",
        boxes=array("f"),
        sizes=array("f"),
        font_ids=array("H"),
        rotations=array("h"),
        confidences=array("f"),
        fonts=(),
    )


class Bookmark(NamedTuple):
    """An entry of the document's own outline; `level` from 1, `top` in page points where it is given."""

    title: str
    level: int
    page: int
    top: float | None
