"""What notebooks show: pages as pictures with boxes, trees, rows, checks in colours. After `enable()`, results of the
pipeline that end a cell are drawn; `page` and `debug` draw what a stage saw on a page.

Comes in: results of any stage, the path of their document. Goes out: HTML that stands alone, with all text escaped.
Refuses, as UsageError: a page that is not there, what has no places to show.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path

from markupsafe import Markup

from pipeline import charts, marked, worker
from pipeline.citations import Verdict
from pipeline.evaluate import rows_frame
from pipeline.marked import Mark
from pipeline.model import Document, Invoices, Outline, Reading, Reconciliation, Section, Statement, UsageError
from pipeline.verify import Verified

DPI = 84
UNSURE = 0.6  # OCR's confidence below which a word is marked as in review
FIRST = 12  # rows of a statement that are shown
WIDE = 640  # pixels of a page's picture
RULINGS = {"verified": charts.GOOD, "wrong_section": charts.DOUBT, "invented": charts.PALETTE[3]}
OUTCOMES = {"confirmed": charts.GOOD, "passed": charts.GOOD, "review": charts.DOUBT, "failed": charts.DOUBT}


@dataclass(frozen=True)
class Drawing:
    """HTML that a notebook shows where it ends a cell."""

    html: Markup

    def _repr_html_(self) -> str:
        return str(self.html)


def page(path: Path, reading: Reading, number: int, marks: Iterable[Mark] = ()) -> Drawing:
    """A page's picture with boxes in points; number from 1."""
    if not 1 <= number <= len(reading.pages):
        raise UsageError(f"There is no page {number}: pages count from 1 to {len(reading.pages)}.")
    found = reading.pages[number - 1]
    drawn = marked.figure(worker.render(path, number, DPI), (found.width, found.height), f"Page {number}", marks)
    return Drawing(Markup('<div style="max-width: {}px">{}</div>').format(WIDE, drawn))


def debug(path: Path, reading: Reading, result: object, number: int = 0) -> Drawing:
    """What a stage saw on a page: words of a reading, headings of an outline, rows, fields, values, quotes; number 0:
    on the first page where there is something, what is in review first.
    """
    found = list(places(result))
    if not found:
        raise UsageError(f"Nothing of this {type(result).__name__} has a place on a page. Give what a stage concluded.")
    doubted = next((page for page, mark in found if mark.form == "dashed"), found[0][0])
    chosen = number or doubted
    return page(path, reading, chosen, [mark for page, mark in found if page == chosen])


@singledispatch
def places(result: object) -> Iterator[tuple[int, Mark]]:
    """The places of a result, each with its page and what is told of it."""
    if isinstance(result, Sequence) and not isinstance(result, str):
        for one in result:
            yield from places(one)


@places.register
def _(reading: Reading) -> Iterator[tuple[int, Mark]]:
    for one in reading.pages:
        for word in one.words:
            told = f"{word.text}: {word.size:g} points, {word.font or 'no font'}, confidence {word.confidence:.2f}"
            yield one.number, marked.value(word.box, "confirmed" if word.confidence >= UNSURE else "review", told)


@places.register
def _(outline: Outline) -> Iterator[tuple[int, Mark]]:
    yield from marked.headings(outline)
    for line in outline.removed:
        yield line.page, Mark(line.box, charts.QUIET, "faint", f"{line.reason}: {line.text}")


@places.register
def _(statement: Statement) -> Iterator[tuple[int, Mark]]:
    for number, row in enumerate(statement.rows, 1):
        told = " · ".join(filter(None, (f"row {number}", *(cell.value for cell in row.cells))))
        yield row.page, marked.value(row.box, row.status, told, row.reasons)


@places.register
def _(invoices: Invoices) -> Iterator[tuple[int, Mark]]:
    for field in invoices.fields:
        for place in field.places:
            yield place.page, marked.value(place.box, field.status, f"{field.name}: {field.value}", field.reasons)


@places.register
def _(verified: Verified) -> Iterator[tuple[int, Mark]]:
    for one in verified.values:
        for place in one.source.places:
            yield place.page, marked.value(place.box, one.status, f"{one.path}: {one.value}", [one.reason])


@places.register
def _(verdict: Verdict) -> Iterator[tuple[int, Mark]]:
    for place in verdict.source.places:
        held = verdict.verdict == "verified"
        told = f"{verdict.cited.anchor}: {verdict.verdict}"
        yield place.page, marked.value(place.box, "confirmed" if held else "review", told, [verdict.reason])


# ---------------------------------------------------------------- what ends a cell


def enable() -> None:
    """From now on, results that end a cell are drawn; without a notebook nothing happens."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["text/html"]
    for kind, shown in SHOWN.items():
        formatter.for_type(kind, lambda result, draw=shown: str(draw(result)))


def table(heads: Sequence[str], lines: Iterable[Sequence[object]], color: Callable[[Sequence[object]], str]) -> Markup:
    """A table; color: of each line's edge."""
    style = "text-align: left; vertical-align: top; padding: 2px 8px"
    head = Markup().join(Markup('<th style="{}">{}</th>').format(style, one) for one in heads)
    rows = Markup().join(
        Markup('<tr style="border-left: 4px solid {}">{}</tr>').format(
            color(line),
            Markup().join(Markup('<td style="{}">{}</td>').format(style, "" if one is None else one) for one in line),
        )
        for line in lines
    )
    return Markup('<table style="border-collapse: collapse"><tr>{}</tr>{}</table>').format(head, rows)


def verdicts(found: Sequence[Verdict]) -> Drawing:
    """Citations with what became of each."""
    lines = [(one.verdict, one.cited.anchor, one.cited.quote, one.reason) for one in found]
    heads = ("verdict", "cited", "quote", "why")
    return Drawing(table(heads, lines, lambda line: RULINGS.get(str(line[0]), charts.QUIET)))


def _by_status(line: Sequence[object]) -> str:
    return OUTCOMES.get(str(line[0]), charts.QUIET)


def _document(document: Document) -> Markup:
    return Markup("<b>{}</b>: {} pages, {}").format(document.name, document.pages, document.kind)


def _reading(reading: Reading) -> Markup:
    lines = [
        ("confirmed" if one.health > 0.5 else "review", one.number, one.origin, len(one), "; ".join(one.reasons))
        for one in reading.pages
        if one.reasons
    ]
    heads = ("health", "page", "read by", "words", "why")
    return _document(reading.document) + (table(heads, lines, _by_status) if lines else Markup(""))


def _outline(outline: Outline) -> Markup:
    below: dict[str | None, list[Section]] = {}
    for section in outline.sections:
        below.setdefault(section.parent_id, []).append(section)
    return _branch(below, None)


def _branch(below: dict[str | None, list[Section]], parent: str | None) -> Markup:
    lines = Markup().join(
        Markup('<li><span style="color: {}">{} {}</span> <small>page {}, {}</small>{}</li>').format(
            charts.level_color(one.level), one.number or "", one.title or "…", one.page, one.section_id,
            _branch(below, one.section_id),
        )
        for one in below.get(parent, ())
    )  # fmt: skip
    return Markup("<ul>{}</ul>").format(lines) if lines else Markup("")


def _reconciliation(found: Reconciliation) -> Markup:
    lines = [
        ("open" if one.delta is None else "failed" if one.delta else "passed", one.scope, one.name, one.page,
         one.currency, one.printed, one.computed, one.delta, one.rows)
        for one in found.scopes
    ]  # fmt: skip
    heads = ("sum", "of", "name", "page", "currency", "printed", "computed", "delta", "rows")
    return Markup("<p><b>{}</b></p>").format(found.action.replace("_", " ")) + table(heads, lines, _by_status)


def _statement(statement: Statement) -> Markup:
    rows = Markup(rows_frame(statement).head(FIRST)._repr_html_())  # polars escapes what it shows
    told = [(one.severity, one.message) for one in statement.findings]
    found = table(("", "what a person must see"), told, lambda line: charts.DOUBT) if told else Markup("")
    return (
        Markup("<p>{} rows</p>").format(len(statement.rows)) + rows + found + _reconciliation(statement.reconciliation)
    )


def _invoices(invoices: Invoices) -> Markup:
    lines = [(one.status, one.invoice, one.name, one.value, "; ".join(one.reasons)) for one in invoices.fields]
    return table(("status", "invoice", "field", "value", "why in review"), lines, _by_status)


def _verified(verified: Verified) -> Markup:
    lines = [(one.status, "/".join(map(str, one.path)), one.value, one.reason) for one in verified.values]
    return table(("status", "path", "value", "why"), lines, _by_status)


SHOWN: dict[type, Callable[..., Markup]] = {
    Document: _document,
    Reading: _reading,
    Outline: _outline,
    Reconciliation: _reconciliation,
    Statement: _statement,
    Invoices: _invoices,
    Verified: _verified,
}
