"""Questions to a document: the list of its clauses about something, each with a citation that was checked.

Comes in: a `Query`, a document's sections and reading, an `Engine`. Goes out: `Clause`s in reading order, with the
quote, its place on the page and the verdict on both, by the same check for every engine. A section that an engine
names and that is not there stays in the list, as not found. Refusals are the engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline import witness
from pipeline.citations import Checker, Cited, Ruling, Verdict
from pipeline.engine import Engine, Query
from pipeline.model import Reading, Section


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
