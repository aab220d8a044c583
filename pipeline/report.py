"""A document with all that was found in it as one HTML file: fit to be mailed, opened offline and printed.

Comes in: a document of the store (`of`), or a `Subject` and what draws a page as PNG. Goes out: HTML that loads nothing
and asks nothing: pictures of the pages that are spoken of, with their boxes, charts that answer the pointer, every
value with its place and why it is in review, who decided what, and what all of it rests on.
Refuses nothing; what is too much to show (pictures beyond PICTURES, lines beyond ROWS) is counted and said so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, Template
from markupsafe import Markup
from plotly import graph_objects as go
from plotly.offline import get_plotlyjs

from pipeline import __version__, charts, decisions, docket, export, marked, outline, run, series
from pipeline.asked import Item, Judged, Question
from pipeline.charts import FieldShare
from pipeline.decisions import Decision
from pipeline.docket import Kind, Result
from pipeline.invoices import NO_INVOICE
from pipeline.marked import Mark
from pipeline.model import Document, Outline, Page, Section
from pipeline.profiles import Profile
from pipeline.review import Reviewed
from pipeline.store import Store

Draw = Callable[[int, int], bytes]  # page from 1, dpi → PNG

KINDS: tuple[Kind, ...] = ("rows", "fields", "values")
PICTURES = 12  # pages that are shown, those in question first
ROWS = 2_000  # lines of a table
DPI = 84
QUESTION = charts.PALETTE[3]
TITLES = {"rows": "Rows and their sums", "fields": "Fields of invoices", "values": "Values that were supplied"}
VERDICTS = {"auto_import": "can be imported as it is", "human_review": "waits for a person"}


@dataclass(frozen=True)
class Part:
    """A result about the document, with the decisions on it. kind: rows, fields or values; by: the engine's name."""

    kind: Kind
    judged: Judged
    by: str


@dataclass(frozen=True)
class Subject:
    """What is reported of. pages: as they were read; profile: its name; made: when the report is."""

    document: Document
    pages: Sequence[Page]
    outline: Outline
    parts: Sequence[Part]
    profile: str
    made: datetime


class Picture(NamedTuple):
    """A page as it is shown."""

    page: int
    html: Markup


class Chart(NamedTuple):
    """A chart with what it shows, in words."""

    title: str
    html: Markup


class Node(NamedTuple):
    """A section with those below it."""

    section: Section
    below: list[Node]


def gather(store: Store, sha256: str, profile: Profile, password: str = "") -> tuple[Kind, ...]:
    """Read a document for its report: fields if it holds invoices, else rows if it has some. Returns which."""
    if password:
        run.unlock(store, sha256, profile, run.Unlock(password, DPI))
    found = run.fields(store, sha256, profile)
    others = sum(one.kind == NO_INVOICE for one in found.findings)
    if len(found.pages) > others:
        return ("fields",)
    return ("rows",) if run.rows(store, sha256, profile).rows else ()


def of(store: Store, sha256: str, profile: Profile, kinds: Collection[Kind] = KINDS) -> str:
    """The report of a document of the store, with the newest of its results of these kinds."""
    read = run.reading(store, sha256, profile)
    found = outline.build(outline.features(read), profile.outline)
    cases = [case for one in docket.results(store, sha256) if one.kind in kinds and (case := docket.case(store, one))]
    parts = [Part(case.result.kind, case.judged, _by(case.result)) for case in cases]
    subject = Subject(read.document, read.pages, found, parts, profile.name or "default", datetime.now(UTC))
    return html(subject, lambda page, dpi: run.page_image(store, sha256, page, dpi).read_bytes())


def _by(result: Result) -> str:
    """Who read it, in words."""
    if result.kind == "values":
        return f"another, and sent as {result.key.profile}"
    return "the rules, on this machine" if result.key.engine in ("", "local") else result.key.engine


def html(subject: Subject, draw: Draw) -> str:
    """The whole file."""
    known = {page.number: page for page in subject.pages}
    spoken = [known[page] for page in dict.fromkeys(_spoken_of(subject)) if page in known]
    pictures = _pictures(subject, spoken[:PICTURES], draw)
    sizes = subject.outline.histogram and _chart("Characters by size of type", charts.sizes(subject.outline))
    return _template().render(
        document=subject.document,
        provenance=list(_provenance(subject)),
        chapters=[_Chapter(part) for part in subject.parts],
        outline=subject.outline,
        tree=_tree(subject.outline.sections),
        sizes=sizes,
        pictures=pictures,
        pictured={picture.page for picture in pictures},
        unshown=len(spoken) - len(pictures),
        health=[page for page in subject.pages if page.reasons],
        colors={"confirmed": charts.GOOD, "review": charts.DOUBT, "question": QUESTION, "heading": charts.QUIET},
        plotly=Markup(get_plotlyjs()),  # the library's own text
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    made = Environment(loader=PackageLoader("pipeline", ""), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return made.get_template("report.html")


def _provenance(subject: Subject) -> Iterator[tuple[str, str]]:
    """What the report rests on, as names and values."""
    document = subject.document
    yield "File", document.name
    yield "SHA-256", document.sha256
    yield "Pages", f"{document.pages}, {document.kind}"
    if document.language:
        yield "Language", document.language
    if document.repaired:
        yield "Repaired", document.repaired
    yield "Template", subject.profile
    yield "Read by", ", ".join(dict.fromkeys(part.by for part in subject.parts)) or "rules"
    yield "Made", f"{subject.made:%Y-%m-%d %H:%M} UTC, Pagewitness {__version__}"


class _Chapter:
    """A result as the template shows it."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.kind = part.kind
        self.title = TITLES.get(part.kind, part.kind)
        self.judged = part.judged
        self.verdict = VERDICTS.get(part.judged.verdict, part.judged.verdict.replace("_", " "))
        self.good = part.judged.verdict == "auto_import"

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.judged.questions

    @property
    def follows(self) -> tuple[str, ...]:
        return self.judged.follows

    @cached_property
    def confirmed(self) -> int:
        return sum(item.status == "confirmed" for item in self.judged.items)

    @property
    def items(self) -> tuple[Item, ...]:
        return self.judged.items

    @property
    def shown(self) -> tuple[Item, ...]:
        return self.judged.items[:ROWS]

    @cached_property
    def figures(self) -> set[str]:
        """The columns of which every value is a number."""
        values: dict[str, list[str]] = {}
        for item in self.judged.items:
            for column, value in item.values:
                values.setdefault(column, []).extend([value] * bool(value))
        return {column for column, found in values.items() if found and all(map(export.is_number, found))}

    @cached_property
    def columns(self) -> list[str]:
        """The columns that the table has; none where each item is one value."""
        if self.kind != "rows":
            return []
        return list(dict.fromkeys(value.column for item in self.judged.items for value in item.values))

    @property
    def decided(self) -> list[Decision]:
        return sorted(self.judged.made, key=lambda one: one.made)

    @cached_property
    def charts(self) -> list[Chart]:
        return [_chart(title, figure) for title, figure in _figures(self.judged)]

    def after(self, made: Decision) -> str:
        """What a decision gave, in words."""
        return " | ".join(decisions.words(part) for part in made.parts)


def _figures(judged: Judged) -> Iterator[tuple[str, go.Figure]]:
    if isinstance(judged, Reviewed):
        yield from _of_statement(judged)
    elif judged.items:
        counts: dict[str, Counter[str]] = {}
        for item in judged.items:
            counts.setdefault(_named(item), Counter())[item.status] += 1
        shares = [FieldShare(name, (one["confirmed"], one["review"])) for name, one in counts.items()]
        yield "Values by field", charts.field_shares(shares[:60], charts.STATES)


def _of_statement(judged: Reviewed) -> Iterator[tuple[str, go.Figure]]:
    statement = judged.statement
    for bridge in series.bridges(statement, "supplier"):
        yield f"From computed to printed, {bridge.currency or 'no currency'}", charts.waterfall(bridge)
    if by_page := series.sums(statement, "page"):
        yield "Printed minus computed by page", charts.page_deltas(by_page)
    if by_supplier := series.sums(statement, "supplier"):
        yield "Printed minus computed by supplier", charts.supplier_deltas(by_supplier)
    if lines := series.balances(statement):
        yield (
            "The balance after each row" if lines[0].printed else "The sum of the amounts so far",
            charts.balances(lines),
        )


def _named(item: Item) -> str:
    """What an item of one value is called: its column, without numbers of lines."""
    column = item.values[0].column if item.values else item.mark.field
    return column.replace("_", " ")


def _chart(title: str, figure: go.Figure) -> Chart:
    made = figure.to_html(full_html=False, include_plotlyjs=False, config={"displayModeBar": False, "responsive": True})
    return Chart(title, Markup(made))  # names out of documents are escaped in `charts`


# ---------------------------------------------------------------- the tree


def _tree(sections: Sequence[Section]) -> list[Node]:
    """The sections, each with those below it."""
    roots: list[Node] = []
    by_id: dict[str, Node] = {}
    for section in sections:
        node = by_id[section.section_id] = Node(section, [])
        above = by_id.get(section.parent_id or "")
        (above.below if above else roots).append(node)
    return roots


# ---------------------------------------------------------------- pictures of pages


def _spoken_of(subject: Subject) -> Iterator[int]:
    """Pages in the order in which they matter: those in question, those with values, those with headings."""
    for part in subject.parts:
        for question in part.judged.questions:
            yield from (page for page in (question.page, *(item.page for item in question.items[:3])) if page)
    for part in subject.parts:
        yield from (item.page for item in part.judged.items)
    yield from (heading.page for heading in subject.outline.headings if heading.level == 1)


def _pictures(subject: Subject, pages: Sequence[Page], draw: Draw) -> list[Picture]:
    """The pages in their order, with all that is marked on them."""
    marks: dict[int, list[Mark]] = {page.number: [] for page in pages}
    for number, mark in _marks(subject):
        if number in marks:
            marks[number].append(mark)
    return [
        Picture(page.number, _drawn(page, draw, marks[page.number]))
        for page in sorted(pages, key=lambda page: page.number)
    ]


def _drawn(page: Page, draw: Draw, marks: Sequence[Mark]) -> Markup:
    return marked.figure(draw(page.number, DPI), (page.width, page.height), f"Page {page.number}", marks)


def _marks(subject: Subject) -> Iterator[tuple[int, Mark]]:
    """What is marked on pages: headings; over them values, those in review dashed; over these what is in question."""
    yield from marked.headings(subject.outline)
    for part in subject.parts:
        for item in part.judged.items:
            if item.box:
                yield item.page, marked.value(item.box, item.status, item.told, item.reasons)
        for question in part.judged.questions:
            if question.page and question.box:
                yield question.page, Mark(question.box, QUESTION, "dashed", question.cause)
