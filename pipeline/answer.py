"""Questions to a document: one answered with its section, or the list of its clauses about something; each citation is
checked, by the same check for every engine.

Comes in: a question or a `Query`, a document's sections and reading, an `Engine`. Goes out: an `Answer`, honest about
what is not there and what was tried, or `Clause`s in reading order; with the quote, its place on the page and the
verdict on both. A section that an engine names and that is not there stays in the list, as not found. Refusals are the
engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline import witness
from pipeline.citations import Checker, Cited, Ruling, Verdict
from pipeline.engine import Engine, Query
from pipeline.model import Place, Reading, Section, Status
from pipeline.retrieval import Retriever, Step


@dataclass(frozen=True)
class Clause:
    """A clause about a query: its section (None where the engine named one that is not there), what was quoted from
    it, and the verdict on that, which also holds the quote's places.
    """

    section_id: str
    section: Section | None
    quote: str
    verdict: Verdict

    @property
    def page(self) -> int | None:
        """The page on which the quote begins; that of the heading where the quote has no place."""
        begins = witness.begins(self.verdict.source)
        if begins:
            return begins.page
        return self.section.page if self.section else None


@dataclass(frozen=True)
class Given:
    """A place of the document that answers a question: the answer in its words, the section (None where an engine
    named one that is not there), the titles above it from the top, the quote, and the verdict on that.
    """

    answer: str
    section: Section | None
    above: tuple[Section, ...]
    quote: str
    verdict: Verdict

    @property
    def place(self) -> Place | None:
        """The page on which the quote begins, and the box of it there."""
        return witness.begins(self.verdict.source)


@dataclass(frozen=True)
class Answer:
    """What became of a question.

    answer: None where the document does not say; given: the places that say it, the best first, several where the
    document itself is ambiguous; reasons: the witnesses of a confirmed answer, or why it is in review; steps: what
    was looked for, in order; tried: section_ids that were sent, in order; notes: what references were followed.
    tokens: sent in all steps, the question with them.
    """

    question: str
    answer: str | None
    given: tuple[Given, ...]
    status: Status
    reasons: tuple[str, ...]
    steps: tuple[Step, ...]
    tried: tuple[str, ...]
    notes: tuple[str, ...]
    tokens: int

    @property
    def section_id(self) -> str | None:
        """The section that is cited, by its id."""
        return self.given[0].verdict.cited.anchor if self.given else None

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The other sections that answer it, by their ids."""
        return tuple(one.verdict.cited.anchor for one in self.given[1:])


def ask(question: str, book: Book, engine: Engine) -> Answer:
    """The answer of a document; looked for ever wider, until the engine finds it or nothing is left to look at."""
    return Answer(question, None, (), "review", (), (), (), (), 0)


@dataclass(frozen=True)
class Book:
    """A document to ask: its sections and its reading. Keep it for further questions: what it is searched by is made
    once.
    """

    sections: tuple[Section, ...]
    reading: Reading

    @cached_property
    def retriever(self) -> Retriever:
        return Retriever(self.sections)

    @cached_property
    def checker(self) -> Checker:
        return Checker(self.sections, self.reading)


def clauses(query: Query, sections: Sequence[Section], reading: Reading, engine: Engine) -> tuple[Clause, ...]:
    """The clauses of the document about the query, as the engine finds them."""
    checker = Checker(tuple(sections), reading)
    by_id = {section.section_id: section for section in sections}
    found = []
    for hit in engine.find(query, sections):
        verdict = checker.verdict(Cited(hit.section_id, hit.quote))
        found.append(Clause(hit.section_id, by_id.get(hit.section_id), hit.quote, verdict))
    return tuple(found)


def to_json(query: Query, found: Sequence[Clause], engine: str) -> dict[str, Any]:
    """The list by contract."""
    return {"query": query.text, "engine": engine, "clauses": [_told(clause) for clause in found]}


def _told(clause: Clause) -> dict[str, Any]:
    section, source = clause.section, clause.verdict.source
    begins = witness.begins(source)
    ruling: Ruling = clause.verdict.verdict
    return {
        "section_id": clause.section_id,
        "anchor": section.anchor if section else None,
        "number": section.number if section else None,
        "title": section.title if section else None,
        "quote": clause.quote,
        "page": clause.page,
        "box": begins.box.rounded() if begins else None,
        "places": [{"page": place.page, "box": place.box.rounded()} for place in source.places],
        "verdict": ruling,
        "reason": clause.verdict.reason,
    }


def to_text(query: Query, found: Sequence[Clause]) -> str:
    """The list for a person."""
    lines = []
    for clause in found:
        number = (clause.section.number or "–") if clause.section else clause.section_id
        title = clause.section.title if clause.section else "there is no such clause"
        lines.append(f"{number:<16} {title} · page {clause.page} · {clause.verdict.verdict}")
        lines.append(f"{'':<16} “{' '.join(clause.quote.split())}”")
    count = f"{len(found)} clause{'' if len(found) == 1 else 's'} about {query.text!r}"
    return "\n".join([*lines, count if found else f"no clause is about {query.text!r}"])
