"""Terms that a document defines, and where: `“Affiliate” means …`, `(the “Supplier”)`, `„Dienste“ bezeichnet …`.

Comes in: the sections. Goes out: `Definition`s in reading order, each with the anchor of the smallest part that it
stands in. English, German and Serbian in both scripts. A quoted word that nothing defines is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline import subclauses
from pipeline.model import Section
from pipeline.subclauses import Subclause

QUOTED = r"[“„\"«][^“”„\"«»\n]{1,80}?[”“\"»]"
LIST = (
    r"[“„\"«](?P<term>[^“”„\"«»\n]{1,80}?),?[”“\"»]"
    rf"(?P<more>(?:\s*(?:(?:,|and|or|each|an?|the|collectively|individually|und|oder|и|или|i|ili)\s*)+{QUOTED}){{0,9}})"
)
VERBS = (
    r"shall\s+mean|shall\s+have\s+the\s+meaning|means?|has\s+the\s+(?:same\s+)?meaning|have\s+the\s+(?:same\s+)?meanings?|"
    r"(?:is|are)\s+defined|has\s+the\s+definition|refers?\s+to|includes?|bezeichne[nt]|bedeute[nt]|mein(?:t|en)|"
    r"hat\s+die|haben\s+die|sind|ist|означава(?:ју)?|označava(?:ju)?|подразумева(?:ју)?|podrazumeva(?:ju)?|знач[ие]|"
    r"znač[ie]|има(?:ју)?\s+значење|ima(?:ju)?\s+značenje|јесте|jeste|су|su|је|je"
)
MEANS = re.compile(
    rf"{LIST}(?:\s*\([^()\n]{{0,80}}\)|,?\s+in\s+relation\s+to\s+[^“”,\n]{{1,60}},?|,?\s+with\s+respect\s+to\s+[^“”,\n]{{1,80}},)?"
    rf"[,:]?\s+(?:(?:shall|will)\s+)?(?:{VERBS})\b",
)
CALLED = (
    r"(?:the|an?|each|both|collectively|together|this|these|such|any|all|as|herein|hereinafter|or|and|called|individually|referred\s+to"
    r"(?:\s+herein)?\s+as|der|die|das|den|dem|nachfolgend|nachstehend|kurz|im\s+folgenden|у\s+даљем\s+тексту|u\s+daljem\s+tekstu|"
    r"даље|dalje|zajedno|заједно)"
)
BRACKETED = re.compile(
    rf"\((?:[^()“”„\"\n]{{0,160}}\b)?(?:{CALLED}[,:]?\s+)*(?<=[(\s]){LIST}(?:\s+genannt)?\)",
    re.IGNORECASE,
)
LEAD = re.compile(rf"\((?:.*[\s,;(])?{CALLED}[,:]?\s*$|\(\s*$", re.IGNORECASE | re.DOTALL)
UNQUOTED = re.compile(r"\((?:у даљем тексту|u daljem tekstu)[:,]?\s+(?P<term>[^()“”„\"\n]{2,60}?)\)", re.IGNORECASE)
FURTHER = re.compile(r"[“„\"«]([^“”„\"«»\n]{1,80}?)[”“\"»]")


@dataclass(frozen=True)
class Definition:
    """A term and the place of its definition: the term with its quotes, at offsets into the section's content.
    anchor: of the paragraph or section, or None where that has no number.
    """

    term: str
    section_id: str
    anchor: str | None
    start: int
    end: int


def find(
    sections: Sequence[Section], within: Mapping[str, tuple[Subclause, ...]] | None = None
) -> tuple[Definition, ...]:
    """The definitions of a document. within: the subclauses of its sections, where they are at hand."""
    within = subclauses.within(sections) if within is None else within
    found: list[Definition] = []
    seen: set[tuple[str, str, int]] = set()
    for section in sections:
        for term, start, end in sorted(_terms(section.content), key=lambda one: one[1]):
            if (key := (section.section_id, term, start)) not in seen:
                seen.add(key)
                anchor = _around(within.get(section.section_id, ()), start) or section.anchor
                found.append(Definition(term, section.section_id, anchor, start, end))
    return tuple(found)


def _terms(text: str) -> Iterator[tuple[str, int, int]]:
    for match in MEANS.finditer(text):
        yield from _listed(match)
    for match in BRACKETED.finditer(text):
        if LEAD.match(text[match.start() : match.start("term") - 1]):
            yield from _listed(match)
    for match in UNQUOTED.finditer(text):
        yield match["term"].strip(), match.start("term"), match.end("term")


def _listed(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Each term of `“Tax” or “Taxes”`, with the place of its quotes."""
    yield _plain(match["term"]), match.start("term") - 1, match.end("term") + 1
    for further in FURTHER.finditer(match["more"]):
        at = match.start("more")
        yield _plain(further[1]), at + further.start(), at + further.end()


def _plain(term: str) -> str:
    return " ".join(term.split()).rstrip(",")


def _around(found: Sequence[Subclause], start: int) -> str | None:
    """The anchor of the innermost paragraph that holds this offset."""
    return next((one.anchor for one in reversed(found) if one.start <= start < one.end), None)
