"""Whether an answer has two witnesses, whoever gave it, or is one for a person to look at.

Comes in: a question, the places that answer it with the verdicts on their quotes, the document. Goes out: a status, and
why: the witnesses of a confirmed answer, or what stayed open. Confirmed is what can be checked without understanding
the words: a product's code that is listed once, in a row under a header; a term with one definition; a clause by its
number. A sentence that an engine chose has one witness, the page; it is in review.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pipeline import amounts, attributes, entries, folding, inquiry, verbatim
from pipeline.citations import Verdict
from pipeline.entries import Entry
from pipeline.inquiry import Inquiry
from pipeline.model import Page, Reading, Section, Status
from pipeline.retrieval import Retriever, called, meaning

POINTING = re.compile(r"\bmeanings? (?:set forth|set out|given|specified|assigned|ascribed)\b|\bas defined in\b")
SOUND = 0.9  # health of a text layer that alone says what is printed


class Claim(NamedTuple):
    """What an engine answered with one place: the answer, and the verdict on its section and quote."""

    answer: str
    verdict: Verdict


class Judgement(NamedTuple):
    """A status, and in words why."""

    status: Status
    reasons: tuple[str, ...]


def judge(question: str, claims: Sequence[Claim], retriever: Retriever, reading: Reading) -> Judgement:
    """The status of an answer with these places."""
    unfounded = [claim.verdict.reason for claim in claims if claim.verdict.verdict != "verified"]
    if unfounded:
        return Judgement("review", tuple(f"the quote is not grounded: {reason}" for reason in unfounded))
    if len(claims) != 1:
        return Judgement("review", (f"the document answers it in {len(claims)} places",))
    asked = inquiry.parse(question)
    doubt = _glyphs(claims[0].verdict, reading.pages)
    found = _witnessed(asked, claims[0], retriever)
    if doubt or found.status == "review":
        return Judgement("review", (*([doubt] if doubt else []), *(found.reasons if found.status == "review" else ())))
    return found


def _glyphs(verdict: Verdict, pages: Sequence[Page]) -> str:
    """What speaks against the letters of the quote being those that are printed."""
    for place in verdict.source.places:
        page = pages[place.page - 1]
        if page.origin != "text" or page.health < SOUND:
            return f"page {place.page} was read by one reader only, by OCR or from a text layer that is not sound"
    return "" if verdict.source.places else "the quote has no place on a page"


def _witnessed(asked: Inquiry, claim: Claim, retriever: Retriever) -> Judgement:
    match asked.kind:
        case "membership" if asked.codes:
            return _listed(asked, claim, retriever)
        case "attribute":
            return _cell(asked, claim, retriever)
        case "section":
            return _numbered(asked, claim, retriever)
        case "definition" | "fact":
            return _defined(asked, claim, retriever)
    return Judgement("review", ("one witness: the words that are quoted",))


def _all(asked: Inquiry, retriever: Retriever) -> list[Entry]:
    """Wherever the codes stand in the document."""
    return [entry for one in retriever.sections for entry in entries.find(one, retriever.units(one), asked.codes)]


def _only(asked: Inquiry, claim: Claim, retriever: Retriever) -> Entry | str:
    """The one entry of the product in the document, which is the one quoted; or what is in the way."""
    found = _all(asked, retriever)
    listed = [entry for entry in found if entry.listed]
    codes = ", ".join(asked.codes)
    if len(listed) != 1 or len(found) != 1:
        return f"{codes} stands in {len(found)} places, in {len(listed)} of them as a product's own code"
    if any(entries.titled(one, asked.codes) for one in retriever.sections):
        return f"a title names {codes} too"
    if verbatim.needle(listed[0].text) != verbatim.needle(claim.verdict.cited.quote):
        return f"the quote is not the row of {codes}"
    return listed[0]


def _listed(asked: Inquiry, claim: Claim, retriever: Retriever) -> Judgement:
    entry = _only(asked, claim, retriever)
    if isinstance(entry, str):
        return Judgement("review", (entry,))
    if entry.table is None or not entry.header:
        return Judgement("review", ("the line stands in no table with a header",))
    cited = claim.verdict.cited.anchor
    around = {one.section_id: one for one in (*retriever.above(entry.section.section_id), entry.section)}
    known = {_plain(name) for one in around.values() if one.section_id == cited for name in (one.title, called(one))}
    if asked.level == "page" or _plain(claim.answer) not in known:
        return Judgement("review", ("the answer is not the title of the section that is cited",))
    where = f"its row stands in the table of {called(entry.section)}, under the header {' | '.join(entry.header)}"
    return Judgement("confirmed", (where, f"{', '.join(asked.codes)} stands nowhere else in the document"))


def _cell(asked: Inquiry, claim: Claim, retriever: Retriever) -> Judgement:
    entry = _only(asked, claim, retriever)
    if isinstance(entry, str):
        return Judgement("review", (entry,))
    at = attributes.column(asked.words, entry.header, entry.text, retriever.language) if entry.header else None
    if at is None or entry.table is None or claim.answer != attributes.with_unit(entry.cells[at], entry.header[at]):
        return Judgement("review", ("one witness: no column's header names what is asked",))
    if attributes.is_price(entry.header[at]):
        return Judgement("review", (f"a price under {entry.header[at]}, with no sum that closes over it",))
    column = [row.texts(len(entry.header))[at] for row in entry.table.rows]
    numbers = sum(amounts.parse(text, ".") is not None for text in column)
    if numbers < len(column):
        return Judgement("review", (f"one witness: the column {entry.header[at]} holds no numbers alone",))
    where = f"it stands in the row of {', '.join(asked.codes)}, under {entry.header[at]}"
    return Judgement(
        "confirmed", (where, f"all {len(column)} cells of that column are numbers, and the code is listed once")
    )


def _numbered(asked: Inquiry, claim: Claim, retriever: Retriever) -> Judgement:
    spans = [span for written in asked.written for span in retriever.named(written)]
    names = {retriever.sections[span.section].section_id for span in spans}
    if len(spans) != 1 or names != {claim.verdict.cited.anchor}:
        return Judgement("review", (f"{', '.join(asked.written)} names {len(spans)} clauses",))
    if verbatim.needle(claim.answer) != verbatim.needle(claim.verdict.cited.quote):
        return Judgement("review", ("one witness: what is answered is not what is quoted",))
    return Judgement("confirmed", (f"{asked.written[0]} is the number of this clause alone", "the quote stands in it"))


def _defined(asked: Inquiry, claim: Claim, retriever: Retriever) -> Judgement:
    found = retriever.defining(asked)
    quote = claim.verdict.cited.quote
    if len(found) != 1 or found[0].section_id != claim.verdict.cited.anchor or claim.answer != quote:
        return Judgement("review", ("one witness: the words that are quoted",))
    term, section = found[0].term, retriever.by_id[found[0].section_id]
    begins = folding.words(quote)[: len(folding.words(term))] == folding.words(term)
    whole = verbatim.needle(quote) == verbatim.needle(_meaning(found[0].start, section, retriever))
    if not begins or not whole or not _exact(asked, term) or _points_on(quote):
        return Judgement("review", ("one witness: the words that are quoted",))
    return Judgement(
        "confirmed", (f"the quote begins with the term “{term}” and says what it means", "no other place defines it")
    )


def _exact(asked: Inquiry, term: str) -> bool:
    """Whether the question itself names the term."""
    words = folding.words(term)
    ends = folding.words(asked.text)[-len(words) :] == words
    return " ".join(words) in asked.subjects and (asked.kind == "definition" or ends)


def _meaning(start: int, section: Section, retriever: Retriever) -> str:
    """All of a definition that begins there."""
    units = retriever.units(section)
    at = next(index for index, unit in enumerate(units) if unit[0] <= start < unit[1])
    return section.content[start : units[meaning(section.content, units, at)][1]]


def _points_on(quote: str) -> bool:
    """Whether a definition only says where the meaning stands, or stops where a list would begin."""
    return bool(POINTING.search(folding.plain(quote))) or quote.rstrip().endswith((":", "—", "–"))


def _plain(text: str) -> str:
    return " ".join(folding.words(text))
