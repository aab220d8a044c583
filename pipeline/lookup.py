"""Questions answered by rules, out of the passages given: the tree, table cells, definitions, clauses, facts.

Comes in: a question and passages. Goes out: `Reply`s that quote, never paraphrase; several where the document says it
in several places; none where the passages do not hold the answer, which is the rule in doubt. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline import attributes, clauses, definitions, entries, folding, inquiry, languages, stated, topics
from pipeline.engine import Passage, Reply
from pipeline.entries import Entry
from pipeline.inquiry import Inquiry
from pipeline.model import Section
from pipeline.retrieval import called, meaning
from pipeline.stems import stem, stems

MOST = 8  # places that one question may be answered by; more say that it asks for nothing in particular
_BELONGING = "belong belongs listed find found gehort gehoren pripada pripadaju"
BELONGING = frozenset(_BELONGING.split())
_DEALING = """
    deal deals govern governs regulate regulates contain contains handelt handeln regelt regeln betrifft betreffen
    uredjuje uredjuju govori govore odnosi odnose regulise regulisu
"""
DEALING = frozenset(_DEALING.split())
MEANING = re.compile(rf"(?:\s*\([^()\n]*\)|,[^,\n]{{0,80}},)?[,:]?\s+(?:(?:shall|will)\s+)?(?:{definitions.VERBS})\b")
WHO = re.compile(r"(?:who|wer|ko|which (?:company|party)|welche (?:firma|partei)|koja (?:firma|strana))\b")
PARTING = re.compile(r"\)\s*(?:,|;|and|und|i|и)\s+|\b(?:between|zwischen|između|између)\s+", re.IGNORECASE)
NAME = re.compile(
    r"(?:\(\w+\)\s*|\d+\.\s*)?(?P<name>[^\W\da-z][^,(]*?)(?=,|\s\(|\s(?:is|ist|je|je|mit|with|has|having)\s|\s*$)"
)


def answer(question: str, passages: Sequence[Passage]) -> tuple[Reply, ...]:
    """What the passages answer, the best first."""
    asked = inquiry.parse(question)
    found: list[Reply] = []
    match asked.kind:
        case "membership":
            found = list(_memberships(asked, passages) if asked.codes else _categories(asked, passages))
        case "attribute":
            found = list(_cells(asked, passages))
        case "section":
            found = list(_whole(passages))
        case "clauses":
            found = list(_clauses(asked, passages))
        case "definition":
            found = list(_definitions(asked, passages))
        case "fact":
            found = list(_definitions(asked, passages)) or list(stated.replies(asked, passages))
    distinct = list({(reply.section_id, reply.quote): reply for reply in found}.values())
    return tuple(distinct) if len(distinct) <= MOST or asked.kind == "clauses" else ()


# ---- products


def _entries(asked: Inquiry, passages: Sequence[Passage]) -> list[tuple[Passage, Entry]]:
    """The entries of the product: where it is listed; else the rows that say what a product is by this code."""
    found = [(one, entry) for one in passages for entry in entries.find(one.section, one.shown, asked.codes)]
    listed = [(one, entry) for one, entry in found if entry.listed]
    return listed or [(one, entry) for one, entry in found if _describes(entry)]


def _describes(entry: Entry) -> bool:
    return entry.column < len(entry.header) and attributes.describes(entry.header[entry.column])


def _memberships(asked: Inquiry, passages: Sequence[Passage]) -> Iterator[Reply]:
    """The sections in which the codes are listed, or which stand above a section about them alone."""
    for passage in passages:
        if passage.above and entries.titled(passage.section, asked.codes):
            yield Reply(_named(asked, passage.above[-1]), passage.above[-1].section_id, called(passage.section))
    places = {
        (passage.section_id, entry.page): (passage, entry) for passage, entry in reversed(_entries(asked, passages))
    }
    sections = {name: one for (name, _), one in places.items()}
    for passage, entry in reversed((places if asked.level == "page" else sections).values()):
        section = passage.section
        if asked.level == "page":
            yield Reply(str(entry.page), section.section_id, entry.text)
            continue
        if asked.level == "chapter" and passage.above:
            section = passage.above[0]
        yield Reply(_named(asked, section), section.section_id, entry.text)


def _named(asked: Inquiry, section: Section) -> str:
    """What a section is called: with its number where a section, not a category, is asked for."""
    numbered = re.search(r"\b(?:section|abschnitt|odelj|chapter|kapitel|poglavlj)", folding.plain(asked.text))
    return called(section) if numbered else " ".join(section.title.split())


def _cells(asked: Inquiry, passages: Sequence[Passage]) -> Iterator[Reply]:
    """The cell of the product's row under the header that is asked for, or what its text says by its form."""
    for passage, entry in _entries(asked, passages):
        if not entry.listed:
            continue
        language = languages.language(passage.section.content.split())
        if not asked.words:  # what is X-204?
            yield Reply(entry.text, passage.section_id, entry.text)
            continue
        at = attributes.column(asked.words, entry.header, entry.text, language) if entry.header else None
        if at is not None and at < len(entry.cells) and entry.cells[at].strip(" –—-"):
            yield Reply(attributes.with_unit(entry.cells[at], entry.header[at]), passage.section_id, entry.text)
        elif at is None and (value := _by_form(asked, entry)):
            yield Reply(value, passage.section_id, entry.text)


def _by_form(asked: Inquiry, entry: Entry) -> str | None:
    texts = [cell for at, cell in enumerate(entry.cells) if at != entry.column] or [entry.text]
    found = [value for text in texts if (value := attributes.told(asked.words, text))]
    return found[0] if len(found) == 1 else None


def _categories(asked: Inquiry, passages: Sequence[Passage]) -> Iterator[Reply]:
    """The sections above one that is titled as asked, or in which rows of products are called so."""
    words = [word for word in asked.words if not inquiry.LEVEL.fullmatch(word) and word not in BELONGING]
    if not words:
        return
    language = languages.language(word for passage in passages for word in passage.section.content.split())
    wanted = stems(words, language)
    titled = [one for one in passages if one.above and stems(folding.words(one.section.title), language) == wanted]
    for passage in titled:
        yield Reply(_named(asked, passage.above[-1]), passage.above[-1].section_id, called(passage.section))
    if titled:
        return
    for passage in passages:
        for start, end in passage.shown:
            text = passage.section.content[start:end]
            held = stems(folding.words(text), language).split()
            if entries.is_row(text) and set(wanted.split()) <= set(held):
                yield Reply(_named(asked, passage.section), passage.section_id, text)
                break


# ---- clauses


def _whole(passages: Sequence[Passage]) -> Iterator[Reply]:
    """What the section that was asked for says: the paragraph, the section's own text, or its title and those below."""
    if not passages:
        return
    passage = passages[0]
    content = passage.section.content[passage.shown[0][0] : passage.shown[-1][1]] if passage.shown else ""
    below = [called(one.section) for one in passages[1:] if one.above and one.above[-1] == passage.section]
    said = content or "; ".join([called(passage.section), *below])
    yield Reply(said, passage.section_id, content or called(passage.section))


def _clauses(asked: Inquiry, passages: Sequence[Passage]) -> Iterator[Reply]:
    """The clauses about something: their titles, and the words that say so."""
    by_id = {passage.section_id: passage.section for passage in passages}
    words = " ".join(word for word in asked.words if word not in topics.SKIP and word not in DEALING)
    language = languages.language(word for one in by_id.values() for word in one.content.split())
    asks = topics.asked(words, {}, {word: stem(word, language) for word in folding.words(words)})
    for hit in clauses.find(words, tuple(by_id.values()), {}):
        section = by_id[hit.section_id]
        held = set(stems(folding.words(f"{section.title} {hit.quote}"), language).split())
        same = any(topic.name in stated.KEEPING and held.issuperset(topic.narrow) for topic in asks)
        named = held.issuperset(stems(words.split(), language).split())
        if same or (named and stated.adjoining(asked, f"{section.title}\n{hit.quote}", language)):
            yield Reply(called(section), hit.section_id, hit.quote)


def _definitions(asked: Inquiry, passages: Sequence[Passage]) -> Iterator[Reply]:
    """The sentences that define the term; for a person or company what is so called, as printed."""
    for subject in asked.subjects:
        found = list(_defining(subject, asked, passages))
        yield from found
        if found:
            return


def _defining(subject: str, asked: Inquiry, passages: Sequence[Passage]) -> Iterator[Reply]:
    language = languages.language(word for passage in passages for word in passage.section.content.split())
    wanted = stems(subject.split(), language)
    for passage in passages:
        for one in definitions.find([passage.section]):
            unit = next((span for span in passage.shown if span[0] <= one.start < span[1]), None)
            if unit is None or stems(folding.words(one.term), language) != wanted:
                continue
            content = passage.section.content
            text = content[one.start : passage.shown[meaning(content, passage.shown, passage.shown.index(unit))][1]]
            if MEANING.match(content, one.end):
                yield Reply(text, passage.section_id, text)
            else:
                whole = content[unit[0] : unit[1]]
                yield Reply(_party(asked, content[unit[0] : one.start]) or whole, passage.section_id, whole)


def _party(asked: Inquiry, before: str) -> str:
    """Who is asked for: the name in front of the bracket that says what it is called."""
    if not WHO.match(folding.plain(asked.text)):
        return ""
    part = PARTING.split(before.rpartition("(")[0])[-1]
    match = NAME.match(part.strip())
    return match["name"].strip() if match else ""
