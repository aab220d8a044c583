"""The vocabulary that every module speaks: words, lines, sections, rows, checks, and the errors.

Comes in: nothing; this module imports nothing of ours. Goes out: frozen values and the error tree.
Coordinates are PDF points with the origin at the top left of the page as it is displayed (after /Rotate and
CropBox). Pages count from 1. Money is `Decimal`.

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
from decimal import Decimal
from functools import cached_property
from typing import Literal, NamedTuple

Origin = Literal["text", "ocr"]
Kind = Literal["digital", "scanned", "mixed"]
Status = Literal["confirmed", "review"]
Match = Literal["exact", "normalised", "fuzzy", "missing"]
Outcome = Literal["passed", "failed", "open"]
Severity = Literal["info", "warning", "error"]
Action = Literal["auto_import", "human_review"]
ScopeKind = Literal["document", "supplier", "page", "account"]
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
        columns = (texts, map(Box._make, quads), sizes, names, bolds, italics, self.rotations, confidences, colours)
        return tuple(map(Word._make, zip(*columns, strict=True)))

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


@dataclass(frozen=True)
class Document:
    """A file by its content. `language` is an ISO 639-1 code, or empty where it cannot be told; `repaired` says what
    had to be mended before it could be read, or is empty.
    """

    sha256: str
    name: str
    pages: int
    kind: Kind
    language: str
    repaired: str = ""


@dataclass(frozen=True)
class Reading:
    """All that was read from a file, before anything is concluded from it."""

    document: Document
    pages: tuple[Page, ...]
    bookmarks: tuple[Bookmark, ...] = ()


@dataclass(frozen=True)
class Line:
    """Words on one baseline, in reading order; `block` counts from 0 within the page."""

    page: int
    words: tuple[Word, ...]
    box: Box
    block: int

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


class TableCell(NamedTuple):
    """A cell with text, its lines parted by line feeds. `column` from 0; a merged cell covers several `columns` or
    `rows`. A cell that goes on over a page's end has a place on each page.
    """

    text: str
    column: int
    columns: int
    rows: int
    places: tuple[Place, ...]


@dataclass(frozen=True)
class TableRow:
    """A row: its cells by column (those without text left out), and where it stands."""

    cells: tuple[TableCell, ...]
    places: tuple[Place, ...]

    def texts(self, columns: int) -> tuple[str, ...]:
        """The text of each column; a merged cell stands in the first of its columns."""
        found = {cell.column: cell.text for cell in self.cells}
        return tuple(found.get(column, "") for column in range(columns))


@dataclass(frozen=True)
class Table:
    """A table, also over several pages. header: a title for each column, the titles over several columns in front
    of each of theirs; heads: the header's rows as printed; places: one a page.
    """

    header: tuple[str, ...]
    heads: tuple[TableRow, ...]
    rows: tuple[TableRow, ...]
    places: tuple[Place, ...]
    ruled: bool = False


@dataclass(frozen=True)
class Heading:
    """A line, or lines, that name a section; `evidence` says in words why it was taken for one."""

    title: str
    number: str | None
    level: int
    places: tuple[Place, ...]
    evidence: tuple[str, ...]

    @property
    def page(self) -> int:
        return self.places[0].page


@dataclass(frozen=True)
class Section:
    """A node of the section tree; `content` is its own text, up to the next heading of any level. `context`: what the
    headers and footers of its pages say that the text of the document does not.
    """

    section_id: str
    parent_id: str | None
    level: int
    number: str | None
    title: str
    page: int
    anchor: str | None
    content: str
    places: tuple[Place, ...] = ()
    tables: tuple[Table, ...] = ()
    context: tuple[str, ...] = ()


@dataclass(frozen=True)
class Removed:
    """A line that the boilerplate ledger holds; `repeats`: on how many pages its like was found. `context`: what it
    says that the text of the document does not.
    """

    page: int
    text: str
    reason: str
    box: Box
    repeats: int
    context: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tier:
    """A size that headings are set in: points, and the level it gives (1 is the highest)."""

    size: float
    level: int


@dataclass(frozen=True)
class Outline:
    """What `outline.build` concludes: sections in reading order, the ledger, and what decided the levels.

    histogram: (size in points, characters set in it), by size; body_size: the mode.
    """

    headings: tuple[Heading, ...]
    sections: tuple[Section, ...]
    removed: tuple[Removed, ...]
    tiers: tuple[Tier, ...]
    body_size: float
    histogram: tuple[tuple[float, int], ...]


@dataclass(frozen=True)
class Source:
    """Where a value comes from: its places (an item over two pages has one on each) and the words there."""

    places: tuple[Place, ...]
    quote: str
    match: Match


@dataclass(frozen=True)
class Check:
    """One comparison: what was compared, with what outcome, in words."""

    check: str
    outcome: Outcome
    detail: str


@dataclass(frozen=True)
class Finding:
    """Something that a person must see."""

    kind: str
    severity: Severity
    message: str
    page: int | None = None
    box: Box | None = None


@dataclass(frozen=True)
class Cell:
    """A value of a row in plain form (ISO date, decimal with a point) and where it was read."""

    column: str
    value: str
    source: Source


@dataclass(frozen=True)
class Row:
    """A transaction or line item. `windows` that read it, `reasons` why it is in review, `currency` of its amounts
    (ISO code, or empty where nothing tells).
    """

    cells: tuple[Cell, ...]
    page: int
    box: Box
    windows: tuple[int, ...]
    status: Status
    reasons: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    currency: str = ""

    def value(self, column: str) -> str | None:
        """The cell's value, or None where the row has no such cell."""
        return next((cell.value for cell in self.cells if cell.column == column), None)


@dataclass(frozen=True)
class State:
    """What a window was handed of the pages before it: everything up to the end of `page` (0: nothing), the columns by
    their titles and the last row as printed. subtotal: of the supplier so far; None where it was not known ahead.
    """

    page: int
    supplier: str
    subtotal: Decimal | None
    columns: tuple[str, ...]
    last_row: str


@dataclass(frozen=True)
class Window:
    """A run of pages sent in one call; `number` from 1, pages inclusive. `state`: what it was handed, once it was."""

    number: int
    first: int
    last: int
    state: State | None = None


@dataclass(frozen=True)
class Scope:
    """A printed total held against the sum of its rows. `printed` is None where no total was found."""

    scope: ScopeKind
    name: str
    page: int | None
    currency: str
    printed: Decimal | None
    computed: Decimal
    rows: int

    @property
    def delta(self) -> Decimal | None:
        """printed − computed, signed and exact."""
        return None if self.printed is None else self.printed - self.computed


@dataclass(frozen=True)
class Reconciliation:
    """The verdict on a document's sums, and the scopes that it rests on."""

    action: Action
    scopes: tuple[Scope, ...]


@dataclass(frozen=True)
class SecondTry:
    """Pages that were read again since their sums failed: in which window, whether that was kept (all sums then agree),
    and the rows that came and went by it, their values joined by ` · `.
    """

    window: int
    first: int
    last: int
    kept: bool
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Statement:
    """What a run over a statement gives."""

    rows: tuple[Row, ...]
    reconciliation: Reconciliation
    findings: tuple[Finding, ...]
    windows: tuple[Window, ...] = ()
    columns: tuple[str, ...] = field(default=())
    second_tries: tuple[SecondTry, ...] = ()


@dataclass(frozen=True)
class Field:
    """A value of an invoice. value as printed; normalised: ISO date, plain decimal, bare identifier; `places` of its
    words (a value over several cells has several). second_read: what another reader saw on the crop alone, None where
    none was asked. reasons: what stayed open, in words; none where it is confirmed.
    """

    invoice: int
    name: str
    value: str
    normalised: str
    places: tuple[Place, ...]
    first_read: str
    second_read: str | None
    status: Status
    checks: tuple[Check, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Invoices:
    """What a run over invoices gives: the fields of each, in reading order, and the pages that each one has."""

    fields: tuple[Field, ...]
    pages: tuple[tuple[int, ...], ...]
    findings: tuple[Finding, ...] = ()
