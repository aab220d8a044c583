"""Which sections may answer a question: ever wider steps, the surest first.

Comes in: a document's sections, then questions. Goes out: `Step`s, each with the passages that it adds: the sections
whose number is named, those that hold the question's codes, those that words (BM25) and vectors find, fused by rank,
then what these refer to, what they stand under and beside, then other words for the same, then more of all. A passage
has the titles above it, what these say themselves, and of a long section the parts that the question is about. Refuses
nothing: a question that nothing fits gives steps without passages.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pipeline import (
    addresses,
    contract,
    definitions,
    entries,
    inquiry,
    languages,
    references,
    sentences,
    topics,
    verbatim,
)
from pipeline.contract import Contract, Span
from pipeline.definitions import Definition
from pipeline.engine import Passage
from pipeline.inquiry import Inquiry
from pipeline.model import Section
from pipeline.references import Reference
from pipeline.stems import stem, stems

FULL = (".", ".”", '."', "!", "?")
ANOTHER = re.compile(r"(?:\(?\w{1,5}[.)]\s*)?[“„\"«]")

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIRST, WIDER, WIDEST = 3, 6, 8  # sections that a step by words adds at most
HOLDING = 12  # sections with a code that are looked at
ROOM = 1_300  # characters of a section that are sent; one that is asked for by its number is sent whole
LISTING = 4_000  # the same where clauses are listed
ABOVE = 300  # characters of each section above it
FUSED = 60  # how little the first ranks count more than the next ones: reciprocal rank fusion
TITLE = 4.0  # weight of a word in a title
ASKED = 100.0  # weight of a row with the code, of a definition of the term
RIVALS = 60  # sections that each of the two searches ranks
VECTOR_TEXT = 2_000  # characters of a section that make its vector


@dataclass(frozen=True)
class Step:
    """A round of looking: what was looked for, in words, and the passages that it adds."""

    what: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Retriever:
    """Finds passages in the sections of one document; what it searches by is made when it is first needed."""

    sections: tuple[Section, ...]

    def steps(self, question: str) -> Iterator[Step]:
        """Ever wider steps; made as they are asked for."""
        asked = inquiry.parse(question)
        seen: dict[str, None] = {}
        for step in self._steps(asked, seen):
            seen |= dict.fromkeys(passage.section_id for passage in step.passages)
            yield step

    def _steps(self, asked: Inquiry, seen: dict[str, None]) -> Iterator[Step]:
        if asked.written:
            yield self._numbered(asked)
        if asked.codes:
            yield self._holding(asked, seen)
        if asked.kind == "section":
            return
        if defining := self.defining(asked):
            names = ((one.section_id, f"defines {one.term}") for one in defining)
            yield self._step("where it is defined", asked, names, seen, HOLDING)
        words = inquiry.topic(asked) or asked.words
        if asked.written:  # only the section that is named may answer
            return
        most = WIDEST if asked.kind == "clauses" else FIRST
        yield self._step("its words", asked, self._found(words, asked.text), seen, most)
        if asked.codes:  # a row that is not there is not found by what stands near it either
            return
        yield self._step("what these refer to, stand under and beside", asked, self._around(tuple(seen)), seen, WIDER)
        others = self._other_words(asked)
        yield self._step("other words for the same", asked, self._found((*words, *others), asked.text), seen, WIDER)
        yield self._step("more sections with its words", asked, self._found(words, asked.text), seen, WIDEST)

    # ---- sections by number and by code

    def _numbered(self, asked: Inquiry) -> Step:
        """The clauses whose numbers are named, whole, and those that stand under them."""
        passages: dict[str, Passage] = {}
        for written in asked.written:
            for span in self.named(written)[:1]:
                section = self.sections[span.section]
                shown = (self._paragraph(span),) if span.below else self._units[section.section_id]
                passages[section.section_id] = self._cut(section, shown, f"{written} is asked for")
                for one in () if span.below else self.below(section.section_id):
                    why = f"stands in {written}"
                    passages.setdefault(one.section_id, self._passage(one.section_id, asked, why))
        return Step(f"the number {', '.join(asked.written)}", tuple(passages.values())[: 1 + HOLDING])

    def named(self, written: str) -> list[Span]:
        """The clauses with that very number; no section in which only some line begins with a part of it."""
        return [span for span in self.contract.named(written) if self._has_number(written, span)]

    def _has_number(self, written: str, span: Span) -> bool:
        section = self.sections[span.section]
        own = {addresses.key(span.name)}
        paths = [address.path for address in addresses.parse(section.number or "")]
        for address in addresses.parse(written):
            if span.below or address.paragraph or own & set(address.anchors()) or address.path in paths:
                return True
            if len(address.path) == 1 and re.search(
                rf"^{re.escape(address.path[0])}\.\s", section.content, re.MULTILINE
            ):
                return True
        return False

    def _paragraph(self, span: Span) -> tuple[int, int]:
        """Where in its section's content a numbered paragraph stands."""
        begin, end = self.contract.bare.slice(span.start, span.end)
        start = self.contract.starts[span.section][1]
        content = self.sections[span.section].content
        line = content.rfind("\n", 0, begin - start) + 1  # with its own mark
        return line, end - start

    def _holding(self, asked: Inquiry, seen: dict[str, None]) -> Step:
        codes = ", ".join(asked.codes)
        found = {
            one.section_id: list(entries.find(one, self._units[one.section_id], asked.codes)) for one in self.sections
        }
        held = [one for one in self.sections if found[one.section_id] or entries.titled(one, asked.codes)]
        held.sort(key=lambda one: not any(entry.listed for entry in found[one.section_id]))
        names = [one.section_id for one in held[:HOLDING] if one.section_id not in seen]
        return Step(f"the code {codes}", tuple(self._passage(name, asked, f"holds {codes}") for name in names))

    # ---- sections by words and vectors

    def _step(
        self, what: str, asked: Inquiry, found: Iterable[tuple[str, str]], seen: dict[str, None], most: int
    ) -> Step:
        new = [(name, why) for name, why in dict(found).items() if name not in seen][:most]
        if asked.kind == "clauses":  # a list in reading order
            new.sort(key=lambda one: self._order[one[0]])
        return Step(what, tuple(self._passage(name, asked, why) for name, why in new))

    def _found(self, words: Sequence[str], text: str) -> Iterator[tuple[str, str]]:
        """section_ids with why, the best first: the ranks by words and those by vectors fused."""
        scores: dict[str, float] = defaultdict(float)
        by_words = self._by_words(words)
        for ranked in (by_words, self._by_vectors(text)):
            for rank, name in enumerate(ranked):
                scores[name] += 1 / (FUSED + rank)
        for name in sorted(scores, key=lambda name: -scores[name]):
            yield name, "its words" if name in by_words else "like it in meaning"

    def _by_words(self, words: Sequence[str]) -> list[str]:
        wanted = [f'"{one}"' for word in words for one in stem(word, self.language).split()]
        if not wanted:
            return []
        found = self._index.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, ?, 1.0) LIMIT ?",
            (" OR ".join(wanted), TITLE, RIVALS),
        )
        return [self.sections[row].section_id for (row,) in found]

    def _by_vectors(self, text: str) -> list[str]:
        from pipeline import embedding

        alike = self._vectors @ embedding.vectors([text])[0]
        return [self.sections[int(at)].section_id for at in (-alike).argsort(kind="stable")[:RIVALS] if alike[at] > 0]

    def _other_words(self, asked: Inquiry) -> list[str]:
        """Words of the topic that the question means, as patterns give them."""
        meant = topics.meant(asked.text)
        patterns = (*meant.words.words, *meant.words.titles) if meant else ()
        return [word for pattern in patterns for word in pattern.split() if word.isalpha() and len(word) > 3]

    # ---- sections near those that were found

    def _around(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        for name in names:
            for reference in self.references.get(name, ()):
                if target := self.at(reference):
                    yield target.section_id, f"{called(self.by_id[name])} refers to it as {_line(reference.text)}"
        for name in names:
            for above in self.above(name)[-1:]:
                yield above.section_id, f"{called(self.by_id[name])} stands in it"
        for name in names:
            for beside in self._children.get(self.by_id[name].parent_id, ()):
                if abs(self._order[beside.section_id] - self._order[name]) == 1:
                    yield beside.section_id, f"stands beside {called(self.by_id[name])}"

    def at(self, reference: Reference) -> Section | None:
        """The section that a reference leads to, or in which the paragraph is that it leads to."""
        spans = self.contract.named(reference.anchor) if reference.anchor else ()
        return self.sections[spans[0].section] if spans else None

    def units(self, section: Section) -> tuple[tuple[int, int], ...]:
        """The rows and sentences of a section, as offsets into its content."""
        return self._units[section.section_id]

    def above(self, name: str) -> tuple[Section, ...]:
        """The sections that one stands under, from the top."""
        found: list[Section] = []
        section = self.by_id.get(self.by_id[name].parent_id or "")
        while section and section not in found:
            found.append(section)
            section = self.by_id.get(section.parent_id or "")
        return tuple(reversed(found))

    def below(self, name: str) -> Iterator[Section]:
        """All sections under one, in reading order."""
        for child in self._children.get(name, ()):
            yield child
            yield from self.below(child.section_id)

    # ---- what is sent of a section

    def _passage(self, name: str, asked: Inquiry, why: str) -> Passage:
        section = self.by_id[name]
        return self._cut(section, self._shown(section, asked), why)

    def _cut(self, section: Section, shown: tuple[tuple[int, int], ...], why: str) -> Passage:
        above = self.above(section.section_id)
        parts = [f"{called(one)}\n{_short(_prose(one), ABOVE)}".rstrip() for one in above]
        own = "".join(_joined(section.content, shown))
        text = "\n".join([*parts, f"[{section.section_id}] {called(section)}", own])
        return Passage(section, above, shown, text, why)

    def _shown(self, section: Section, asked: Inquiry) -> tuple[tuple[int, int], ...]:
        """Of a long section: its first words, the rows with a code and their header, the sentences likest to the
        question; each in its place.
        """
        units = self._units[section.section_id]
        room = LISTING if asked.kind == "clauses" else ROOM
        if not asked.codes and not section.tables and len(section.content) <= room:
            return units
        weights = [self._weight(section, unit, asked) for unit in units]
        for at in [at for at, weight in enumerate(weights) if weight == ASKED and not asked.codes]:
            for index in range(at, meaning(section.content, units, at) + 1):
                weights[index] = ASKED
        kept: list[int] = []
        left = room
        for index in sorted(range(len(units)), key=lambda at: (-weights[at], at)):
            size = units[index][1] - units[index][0]
            if kept and (size > left or weights[index] < 0):
                continue
            kept.append(index)
            left -= size
        return tuple(units[index] for index in sorted(kept))

    def _weight(self, section: Section, unit: tuple[int, int], asked: Inquiry) -> float:
        """How much a sentence or row has to do with the question; below 0 for rows of other products."""
        text = section.content[unit[0] : unit[1]]
        if asked.codes:
            if any(entries.code_pattern(code).search(text) for code in asked.codes):
                return ASKED
            if entries.is_row(text):
                return 50 if self._is_head(section, text) else -1
            return 1
        if any(one.section_id == section.section_id and unit[0] <= one.start < unit[1] for one in self.defining(asked)):
            return ASKED
        if entries.is_row(text) and asked.kind != "membership" and self._is_head(section, text):
            return 0
        own = self._stems(text)
        wanted = {stem(word, self.language) for word in asked.words}
        held = sum(f" {one} " in own for one in wanted)
        return held if held or not entries.is_row(text) else -1

    def _is_head(self, section: Section, text: str) -> bool:
        return verbatim.needle(text) in self._heads[section.section_id]

    # ---- what it searches by

    @cached_property
    def by_id(self) -> dict[str, Section]:
        return {section.section_id: section for section in self.sections}

    @cached_property
    def contract(self) -> Contract:
        return contract.contract(self.sections)

    @cached_property
    def references(self) -> dict[str, list[Reference]]:
        """The references of each section."""
        found: dict[str, list[Reference]] = defaultdict(list)
        for one in references.find(self.sections, self.contract.targets):
            found[one.section_id].append(one)
        return found

    @cached_property
    def language(self) -> str:
        return languages.language(word for section in self.sections for word in section.content.split())

    @cached_property
    def _units(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """The sentences and rows of each section, as offsets."""
        return {section.section_id: tuple(_units(section.content)) for section in self.sections}

    @cached_property
    def _heads(self) -> dict[str, set[str]]:
        """The rows that head the tables of each section, as they are compared."""
        return {section.section_id: set(_heads(section)) for section in self.sections}

    def defining(self, asked: Inquiry) -> list[Definition]:
        """The definitions of the first term that the question may ask for and that the document defines."""
        return next(filter(None, (self.defined.get(self._stems(term)) for term in asked.subjects)), [])

    @cached_property
    def defined(self) -> dict[str, list[Definition]]:
        """Definitions by the stems of their term."""
        found: dict[str, list[Definition]] = defaultdict(list)
        for one in definitions.find(self.sections, self.contract.subclauses):
            found[self._stems(one.term)].append(one)
        return found

    @cached_property
    def _order(self) -> dict[str, int]:
        return {section.section_id: index for index, section in enumerate(self.sections)}

    @cached_property
    def _children(self) -> dict[str | None, list[Section]]:
        found: dict[str | None, list[Section]] = defaultdict(list)
        for section in self.sections:
            found[section.parent_id].append(section)
        return found

    @cached_property
    def _index(self) -> sqlite3.Connection:
        """The stems of titles and texts, in memory."""
        index = sqlite3.connect(":memory:", check_same_thread=False)
        index.execute("CREATE VIRTUAL TABLE words USING fts5(title, body)")
        rows = ((at, self._stems(called(one)), self._stems(_all_text(one))) for at, one in enumerate(self.sections))
        index.executemany("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", rows)
        return index

    def _stems(self, text: str) -> str:
        return stems((token.bare for token in verbatim.tokens(text)), self.language)

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        from pipeline import embedding

        return embedding.vectors([f"{called(one)}\n{one.content[:VECTOR_TEXT]}" for one in self.sections])


def meaning(content: str, units: Sequence[tuple[int, int]], at: int) -> int:
    """The last of the sentences or rows that a definition goes on in: its list, but no other definition."""
    while at + 1 < len(units):
        following = content[slice(*units[at + 1])]
        if content[slice(*units[at])].endswith(FULL) or ANOTHER.match(following):
            break
        at += 1
    return at


def called(section: Section) -> str:
    """A section's number and title."""
    return " ".join([*(section.number or "").split(), *section.title.split()]) or section.section_id


def _units(content: str) -> Iterator[tuple[int, int]]:
    """The rows of tables, and the sentences between them."""
    at = 0
    for line in content.split("\n"):
        inside = [(0, len(line))] if entries.is_row(line) else sentences.spans(line)
        yield from ((at + start, at + end) for start, end in inside)
        at += len(line) + 1


def _heads(section: Section) -> Iterator[str]:
    for table in section.tables:
        for head in table.heads:
            yield verbatim.needle(entries.CELL.join(head.texts(len(table.header))))


def _joined(content: str, shown: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The parts as they stand, with a line feed where something between them is left out."""
    last = None
    for start, end in shown:
        if last is not None:
            between = content[last:start]
            yield "\n" if between.strip() else between
        yield content[start:end]
        last = end


def _all_text(section: Section) -> str:
    return "\n".join((section.content, *section.context))


def _prose(section: Section) -> str:
    return " ".join(line for line in section.content.split("\n") if not entries.is_row(line))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rpartition(" ")[0] + " …"


def _line(text: str) -> str:
    return " ".join(text.split())
