"""The vocabulary that every module speaks: words, lines, sections, rows, checks, and the errors.

Comes in: nothing. Goes out: frozen values and the error tree; what a page and the errors are is defined in page.py.
Coordinates are PDF points with the origin at the top left of the page as it is displayed (after /Rotate and
CropBox). Pages count from 1. Money is `Decimal`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Literal, NamedTuple

from pipeline.page import (
    USUAL_SIZE as USUAL_SIZE,
    Bookmark as Bookmark,
    Box as Box,
    Cancelled as Cancelled,
    Damaged as Damaged,
    DocumentError as DocumentError,
    EngineError as EngineError,
    Font as Font,
    InReview as InReview,
    Locked as Locked,
    NotAPdf as NotAPdf,
    Origin as Origin,
    OverLimit as OverLimit,
    Page as Page,
    PipelineError as PipelineError,
    Place as Place,
    StoreError as StoreError,
    UsageError as UsageError,
    Word as Word,
    around as around,
    unread as unread,
)

Kind = Literal["digital", "scanned", "mixed"]
Status = Literal["confirmed", "review"]
Match = Literal["exact", "normalised", "fuzzy", "missing"]
Outcome = Literal["passed", "failed", "open"]
Severity = Literal["info", "warning", "error"]
Action = Literal["auto_import", "human_review"]
ExtraKind = Literal["allowance", "charge", "rounding", "prepaid"]
ScopeKind = Literal["document", "supplier", "page", "account"]


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
    """Something that a person must see. pages: where it may lie on several, all of them, the likeliest first."""

    kind: str
    severity: Severity
    message: str
    page: int | None = None
    box: Box | None = None
    pages: tuple[int, ...] = ()


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
class Extra:
    """An amount that stands between the lines and what is to be paid. value: as printed, whatever its sign."""

    invoice: int
    kind: ExtraKind
    value: Decimal

    @property
    def signed(self) -> tuple[Decimal, ...]:
        """What it adds to a sum; rounding goes either way."""
        match self.kind:
            case "charge":
                return (self.value,)
            case "rounding":
                return (self.value, -self.value)
        return (-abs(self.value),)


@dataclass(frozen=True)
class Invoices:
    """What a run over invoices gives: the fields of each, in reading order, the pages that each one has, and what is
    printed between their sums.
    """

    fields: tuple[Field, ...]
    pages: tuple[tuple[int, ...], ...]
    findings: tuple[Finding, ...] = ()
    extras: tuple[Extra, ...] = ()
