"""What an engine is: who reads rows out of pages, finds clauses and answers questions, by rules or by a model.

Comes in: an `Excerpt` (a window and its pages), the columns wanted, and the `Summary` of what went before. Goes out:
`Found`: quotes of what is printed, in reading order. An engine neither converts, places, merges nor decides: a quote
without places is placed by the pipeline, the same for each engine. Refusals are `EngineError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol

from pipeline.model import Box, Line, Page, Place, Section, Window
from pipeline.sheet import Sheet
from pipeline.terms import Kind, TotalKind


@dataclass(frozen=True)
class Wanted:
    """A column to look for; `titles` are a profile's own names for it, beside those that are known anyway."""

    name: str
    kind: Kind
    titles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """A column as found: its title as printed, and the title's extent in points (both 0 where it is not known).

    Columns that were not asked for are there too (`other…`, and `unknown` where the title is none we know), since they
    bound their neighbours. exact: the title says the name and nothing else.
    """

    name: str
    title: str
    kind: Kind
    x0: float = 0.0
    x1: float = 0.0
    exact: bool = True

    @property
    def asked(self) -> bool:
        return is_asked(self.name)


def is_asked(column: str) -> bool:
    """Whether a column's name is one of those that rows are made of."""
    return not column.startswith(("other", "unknown"))


@dataclass(frozen=True)
class Quote:
    """The printed words of one cell; `places` is empty where an engine only quotes."""

    column: str
    text: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class RawRow:
    """A row as printed. box: the line it begins on. doubts: what was unsure about it, in words.

    goes_on: no row of its own but words that continue the last row of the page before.
    """

    page: int
    quotes: tuple[Quote, ...]
    box: Box | None = None
    doubts: tuple[str, ...] = ()
    goes_on: bool = False


@dataclass(frozen=True)
class RawTotal:
    """A printed total: its kind, its whole label, the name in it, and its amounts by column.

    inside: it stands in the table, not in a summary elsewhere on the page.
    """

    page: int
    kind: TotalKind
    label: str
    name: str
    quotes: tuple[Quote, ...]
    box: Box | None = None
    inside: bool = True


@dataclass(frozen=True)
class RawHeading:
    """A line that may name the supplier of the rows below it.

    labelled: it says so (`Supplier: …`). stands_out: set in bold, or larger than rows.
    """

    page: int
    name: str
    box: Box | None = None
    labelled: bool = False
    stands_out: bool = False


@dataclass(frozen=True)
class RawLine:
    """A line with amounts that is neither a row nor a total to the engine."""

    page: int
    text: str
    box: Box | None = None


Item = RawRow | RawTotal | RawHeading | RawLine


@dataclass(frozen=True)
class Summary:
    """What is carried from page to page: everything up to the end of `page`."""

    page: int = 0
    supplier: str = ""
    subtotal: Decimal | None = None
    columns: tuple[Column, ...] = ()
    last_row: RawRow | None = None


@dataclass(frozen=True)
class Excerpt:
    """A window with its pages, each also as a sheet of lines over its whole width.

    furniture: places of lines that repeat in the same spot from page to page. letterhead: what is printed above the
    document's first table. again: the pages were read before, and their sums failed: read them with more care.
    """

    window: Window
    pages: tuple[Page, ...]
    sheets: tuple[Sheet, ...]
    furniture: frozenset[Place] = frozenset()
    letterhead: frozenset[str] = frozenset()
    again: bool = False

    @property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        """Each page's lines as printed, from the top."""
        return tuple(sheet.printed for sheet in self.sheets)


@dataclass(frozen=True)
class Found:
    """Items in reading order, and the summary after each page (or only after the last one)."""

    items: tuple[Item, ...]
    summaries: tuple[Summary, ...]


@dataclass(frozen=True)
class Query:
    """What clauses are looked for; synonyms: a profile's own, by the word that they stand for."""

    text: str
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Hit:
    """A clause that is about a query, and the words of it that say so, as they stand in its content."""

    section_id: str
    quote: str


@dataclass(frozen=True)
class Passage:
    """A section as it is sent with a question. above: the sections that it stands under, from the top; shown: the parts
    of its content that are sent, as offsets; text: what is sent of all of them; why: what brought it here, in words
    (`holds X-204`, `7.1 Duty of Confidence refers to it as Section 7.3(b)`).
    """

    section: Section
    above: tuple[Section, ...]
    shown: tuple[tuple[int, int], ...]
    text: str
    why: str

    @property
    def section_id(self) -> str:
        return self.section.section_id


@dataclass(frozen=True)
class Reply:
    """An answer as an engine gives it: in the document's words, with the section and the words of it that say so.

    Several replies to a question are several places of the document that answer it.
    """

    answer: str
    section_id: str
    quote: str


class Named(Protocol):
    """Whoever reads has a name; results say it."""

    @property
    def name(self) -> str: ...


class RowReader(Named, Protocol):
    """Who reads statements."""

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        """The rows, totals and supplier headings of the excerpt's pages."""
        ...


class ClauseFinder(Named, Protocol):
    """Who finds clauses."""

    def find(self, query: Query, sections: Sequence[Section]) -> tuple[Hit, ...]:
        """The clauses about the query: the smallest titled ones, in reading order."""
        ...


class Answerer(Named, Protocol):
    """Who answers questions."""

    def answer(self, question: str, passages: Sequence[Passage]) -> tuple[Reply, ...]:
        """What the passages answer, the best first; none where they do not hold it."""
        ...


@dataclass(frozen=True)
class Sought:
    """A field to read. group: what it is one of several of (`line_item`, `tax`), or empty."""

    name: str
    kind: str
    labels: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True)
class RawField:
    """A field as printed. number: which of its group it is, from 1 (0 outside groups); label: the printed words that
    told what it is; `places` is empty where an engine only quotes, `claimed` then may hold the box that it gave;
    rivals: other words of the page that might be the field as well.
    """

    name: str
    text: str
    page: int
    number: int = 0
    label: str = ""
    places: tuple[Place, ...] = ()
    claimed: Place | None = None
    rivals: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


class FieldReader(Named, Protocol):
    """Who reads invoices."""

    def fields(self, pages: Sequence[Page], sought: Sequence[Sought]) -> tuple[RawField, ...]:
        """The fields of one invoice, which has these pages; nothing seen is left out."""
        ...


@dataclass(frozen=True)
class CropRead:
    """What a reader saw on a crop alone. confidence 0..1; reader: whose model read (`rapidocr`)."""

    text: str
    confidence: float
    reader: str


class CropReader(Named, Protocol):
    """Who reads crops: small pictures of one value, PNG, knowing nothing of what was read there before."""

    def read(self, crops: Sequence[bytes]) -> tuple[CropRead, ...]:
        """What each crop says, in their order."""
        ...


class Engine(RowReader, ClauseFinder, Answerer, FieldReader, Protocol):
    """Who reads: all that a document can be asked."""
