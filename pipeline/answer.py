"""Questions to a document: one answered with its section, or the list of its clauses about something; each citation is
checked, by the same check for every engine.

Comes in: a question or a `Query`, a document's sections and reading, an `Engine`. Goes out: an `Answer`, honest about
what is not there and what was tried, or `Clause`s in reading order; with the quote, its place on the page and the
verdict on both. A section that an engine names and that is not there stays in the list, as not found. Refusals are the
engine's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline import facts, grounds, inquiry, tokens, witness
from pipeline.citations import Checker, Cited, Ruling, Verdict
from pipeline.engine import Answerer, ClauseFinder, Query, Reply
from pipeline.facts import Fact
from pipeline.model import Place, Reading, Section, Status
from pipeline.retrieval import Retriever, Step, called

NOT_THERE = "not in this document, as far as the sections tried tell"
NOTES = 6


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


def ask(question: str, book: Book, engine: Answerer) -> Answer:
    """The answer of a document; looked for ever wider, until the engine finds it or nothing is left to look at."""
    steps: list[Step] = []
    replies: tuple[Reply, ...] = ()
    for step in book.retriever.steps(question):
        steps.append(step)
        replies = engine.answer(question, step.passages) if step.passages else ()
        if replies:
            break
    tried = tuple(passage.section_id for step in steps for passage in step.passages)
    sent = sum(tokens.counts([part for step in steps for part in _sent(question, step)]))
    if not replies:
        notes = _on_cover(question, book)
        return Answer(question, None, (), "review", (NOT_THERE,), tuple(steps), tried, notes, sent)
    given = tuple(_given(reply, book) for reply in replies)
    claims = [grounds.Claim(one.answer, one.verdict) for one in given]
    status, reasons = grounds.judge(question, claims, book.retriever, book.reading)
    notes = (*_on_cover(question, book), *_notes(given, steps, book))
    said = " / ".join(dict.fromkeys(one.answer for one in given))
    return Answer(question, said, given, status, reasons, tuple(steps), tried, notes, sent)


def _sent(question: str, step: Step) -> list[str]:
    """The texts of a step: of one without passages nothing is sent."""
    return [question, *(passage.text for passage in step.passages)] if step.passages else []


def _given(reply: Reply, book: Book) -> Given:
    section = book.retriever.by_id.get(reply.section_id)
    above = book.retriever.above(reply.section_id) if section else ()
    verdict = book.checker.verdict(Cited(reply.section_id, reply.quote))
    return Given(reply.answer, section, above, reply.quote, verdict)


def _notes(given: Sequence[Given], steps: Sequence[Step], book: Book) -> tuple[str, ...]:
    """What the quoted words refer to, and how a section was come to that another one refers to."""
    cited = {one.section.section_id for one in given if one.section}
    last = steps[-1].passages if steps else ()
    ways = [passage.why for passage in last if passage.section_id in cited and " refers to it " in passage.why]
    further = (note for one in given for note in _referred(one, book.retriever))
    return tuple(dict.fromkeys([*ways, *further]))[:NOTES]


def _referred(given: Given, retriever: Retriever) -> Iterator[str]:
    """The other sections that the quoted words refer to."""
    section = given.section
    start = section.content.find(given.quote) if section else -1
    if section is None or start < 0:
        return
    for reference in retriever.references.get(section.section_id, ()):
        target = retriever.at(reference)
        if target and target != section and start <= reference.start < start + len(given.quote):
            yield f"it refers to {' '.join(reference.text.split())}: {called(target)}, page {target.page}"


def _on_cover(question: str, book: Book) -> tuple[str, ...]:
    """What the cover says of the date that is asked for."""
    if inquiry.parse(question).subjects != inquiry.START_TERMS:
        return ()
    dates = [one for one in book.facts if one.name in (facts.DATE, facts.EFFECTIVE)]
    return tuple(f"the cover says: {one.source.quote}, page {one.source.places[0].page}" for one in dates)


@dataclass(frozen=True)
class Book:
    """A document to ask: its sections and its reading, and what only its cover and signatures say. Keep it for further
    questions: what it is searched by is made once.
    """

    sections: tuple[Section, ...]
    reading: Reading
    facts: tuple[Fact, ...] = ()

    @cached_property
    def retriever(self) -> Retriever:
        return Retriever(self.sections)

    @cached_property
    def checker(self) -> Checker:
        return Checker(self.sections, self.reading, self.retriever.contract)

    @cached_property
    def tokens(self) -> int:
        """What sending all sections would take."""
        return sum(tokens.counts([f"{called(one)}\n{one.content}" for one in self.sections]))


def answer_json(found: Answer, engine: str) -> dict[str, Any]:
    """The answer by contract."""
    first = found.given[0] if found.given else None
    place = first.place if first else None
    source = first.verdict.source if first else None
    return {
        "question": found.question,
        "engine": engine,
        "answer": found.answer,
        "section_id": found.section_id,
        "alternatives": list(found.alternatives),
        "quote": first.quote if first else None,
        "page": place.page if place else None,
        "box": place.box.rounded() if place else None,
        "places": [{"page": one.page, "box": one.box.rounded()} for one in source.places] if source else [],
        "status": found.status,
        "reasons": list(found.reasons),
        "verdict": first.verdict.verdict if first else None,
        "context": [_crumb(one) for one in (*first.above, first.section) if one] if first else [],
        "others": [_other(one) for one in found.given[1:]],
        "notes": list(found.notes),
        "tried": list(found.tried),
        "steps": [
            {"looked_for": step.what, "sections": [one.section_id for one in step.passages]} for step in found.steps
        ],
        "tokens": found.tokens,
    }


def _crumb(section: Section) -> dict[str, Any]:
    return {"section_id": section.section_id, "number": section.number, "title": section.title}


def _other(given: Given) -> dict[str, Any]:
    place = given.place
    return {
        "answer": given.answer,
        "section_id": given.verdict.cited.anchor,
        "quote": given.quote,
        "page": place.page if place else None,
        "box": place.box.rounded() if place else None,
        "verdict": given.verdict.verdict,
    }


def answer_text(found: Answer, whole: int) -> str:
    """The answer for a person. whole: tokens of the whole document."""
    sent = f"{found.tokens:,} tokens were sent; the whole document has {whole:,}"
    if found.answer is None:
        lines = ["not in this document"]
        lines += [f"  looked for {step.what}: {len(step.passages)} sections" for step in found.steps]
        return "\n".join([*lines, sent])
    lines = [found.answer]
    for one in found.given:
        trail = " › ".join(called(section) for section in (*one.above, one.section) if section)
        page = f", page {one.place.page}" if one.place else ""
        lines.append(f"  {trail or one.verdict.cited.anchor}{page} ({one.verdict.verdict})")
        if one.quote != found.answer:
            lines.append(f"  “{' '.join(one.quote.split())}”")
    lines += [f"  {note}" for note in found.notes]
    return "\n".join([*lines, f"{found.status}: {'; '.join(found.reasons)}", sent])


def clauses(query: Query, sections: Sequence[Section], reading: Reading, engine: ClauseFinder) -> tuple[Clause, ...]:
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
