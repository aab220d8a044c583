"""The clauses of a document that are about something, by rules: titles, words, their families and synonyms.

Comes in: a query, the sections, a profile's synonyms. Goes out: `Hit`s in reading order: the smallest titled clause
whose own text is about it, with the sentences that speak of it. A clause is about a topic where its title names it,
where a sentence does it (`may terminate`), or where a third of its text speaks of it; words in passing (`after
termination`, `rights under Section 9.1`) count half. A query in other words (`ending the contract early`) that nothing
is found by is taken for the topic that it is likest to by vectors; the topic's words decide then, vectors alone list no
clause. A clause of definitions is about none of the terms that it defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pipeline import definitions, languages, sentences, topics, verbatim
from pipeline.engine import Hit
from pipeline.model import Section
from pipeline.stems import stem, stems
from pipeline.topics import Topic, spaced

ABOUT = 0.34  # share of the sentences that speak of the topic
BELOW = 0.2  # the same below a title that names it
HEAD = 2  # words between a defined term and what it is: `means the`
LONG = 60  # sentences from which on a text without a number is listed passage by passage
QUOTED = 3  # sentences quoted at most
_LEADS = """
    upon on after following until before prior.to during survive survives despite notwithstanding date.of time.of
    event.of case.of purposes.of unless.sooner unless.earlier unless.previously
    nach bei bis vor wahrend trotz im.falle posle nakon do pre pri uprkos u.slucaju
"""
_REFERRING = """
    under pursuant.to in.accordance.with according.to set.forth.in set.out.in referred.to.in described.in provided.in
    of in nach gemass aus prema iz po u.skladu.sa
"""
_CLAUSES = r"section|sections|clause|clauses|article|articles|paragraph|ziffer|artikel|abschnitt|odeljk\S*|clan\S*"


def _any(words: str) -> str:
    return "|".join(word.replace(".", " ") for word in words.split())


PASSING = re.compile(rf" (?:{_any(_LEADS)}) (?:\S+ ){{0,3}}$")
ELSEWHERE = re.compile(rf" (?:{_any(_REFERRING)}) (?:{_CLAUSES}) \d")
DEFINING = re.compile(
    r" (?:definitions?|defined terms|interpretation|begriffsbestimmungen|begriffe|definitionen|auslegung|"
    r"znacenje izraza|pojmovi|definicije|tumacenje) "
)


@dataclass(frozen=True)
class _Sentence:
    """A sentence of a section: its text as printed, and its words as they are compared."""

    section: Section
    start: int
    end: int
    language: str

    @property
    def text(self) -> str:
        return self.section.content[self.start : self.end]

    @cached_property
    def words(self) -> str:
        return spaced(self.text)

    @cached_property
    def stems(self) -> str:
        return stems((token.bare for token in verbatim.tokens(self.text)), self.language)


@dataclass(frozen=True)
class _Clause:
    """A titled section with the untitled ones below it. above: the titles over it."""

    section: Section
    language: str
    above: tuple[str, ...]
    parts: list[Section] = field(default_factory=list)

    @cached_property
    def sentences(self) -> list[_Sentence]:
        found = []
        for part in (self.section, *self.parts):
            found += [_Sentence(part, *span, self.language) for span in sentences.spans(part.content)]
        return found

    @property
    def long(self) -> bool:
        """Whether it is a long text without a number of its own, in which no clauses were told apart."""
        return self.section.anchor is None and len(self.sentences) > LONG

    @cached_property
    def title(self) -> str:
        return spaced(self.section.title)

    @cached_property
    def stemmed_title(self) -> str:
        return stems((token.bare for token in verbatim.tokens(self.section.title)), self.language)


@dataclass(frozen=True)
class _Evidence:
    """What speaks for a clause: its title or one above, the share of its sentences; those that speak of the topic
    otherwise than in passing, and those of them that do it.
    """

    titled: bool
    below: bool
    share: float
    speaking: tuple[int, ...]
    doing: tuple[int, ...] = ()

    @property
    def acts(self) -> bool:
        return bool(self.doing)

    def about(self) -> bool:
        if self.titled or self.acts:
            return True
        return bool(self.speaking) and self.share >= (BELOW if self.below else ABOUT)


def find(query: str, sections: Sequence[Section], synonyms: Mapping[str, tuple[str, ...]]) -> tuple[Hit, ...]:
    """The clauses about the query, in reading order."""
    language = languages.language(word for section in sections for word in section.content.split())
    stemmed = {part: stem(word, language) for word in query.split() for part in topics.spaced(word).split()}
    asked = topics.asked(query, synonyms, stemmed)
    clauses = list(_clauses(sections, language))
    found: dict[int, list[Hit]] = {}
    for topic in asked:
        hits = _about(topic.with_words(_defined(topic, sections)), clauses)
        if topic.free and not hits and (meant := topics.meant(topic.name)):
            hits = _about(meant, clauses)
        found = {**hits, **found}
    return tuple(hit for index in sorted(found) for hit in found[index])


def _defined(topic: Topic, sections: Sequence[Section]) -> tuple[str, ...]:
    """The terms that the document defines by the topic: `“Exit Event” means the termination of …`."""
    if topic.free:
        return ()
    contents = {section.section_id: section.content for section in sections}
    terms = []
    for one in definitions.find(sections):
        meaning = spaced(contents[one.section_id][one.end : one.end + 120])
        at = topic.mentioned(meaning)
        if at >= 0 and len(meaning[:at].split()) <= HEAD:
            terms.append(spaced(one.term).strip())
    return tuple(term for term in terms if term)


def _clauses(sections: Sequence[Section], language: str) -> Iterator[_Clause]:
    """The titled clauses; what has no title belongs to the one above it, or stands alone."""
    titles: dict[str, tuple[str, ...]] = {}
    homes: dict[str, _Clause] = {}
    made = []
    for section in sections:
        above = titles.get(section.parent_id or "", ())
        titles[section.section_id] = (*above, spaced(section.title))
        home = homes.get(section.parent_id or "")
        if not section.title and home is not None:
            home.parts.append(section)
            homes[section.section_id] = home
            continue
        clause = _Clause(section, language, above)
        homes[section.section_id] = clause
        made.append(clause)
    parents = {clause.section.parent_id for clause in made}
    for clause in made:
        if clause.sentences or clause.section.section_id not in parents:
            yield clause


def _about(topic: Topic, clauses: Sequence[_Clause]) -> dict[int, list[Hit]]:
    """The hits of one topic by the place of their clause."""
    evidence = [_evidence(topic, clause) for clause in clauses]
    chosen = [
        index
        for index, one in enumerate(evidence)
        if one.about() or (clauses[index].long and _passages(clauses[index], one))
    ]
    if topic.narrow:
        narrow = [index for index in chosen if _narrowed(topic, clauses[index], evidence[index])]
        chosen = narrow or chosen
    return {index: _hits(clauses[index], evidence[index]) for index in chosen}


def _evidence(topic: Topic, clause: _Clause) -> _Evidence:
    if DEFINING.search(clause.title):
        return _Evidence(False, False, 0.0, ())
    weight, speaking, doing = 0.0, [], []
    for index, sentence in enumerate(clause.sentences):
        at = _mentioned(topic, sentence)
        if at < 0:
            continue
        passing = bool(PASSING.search(sentence.words[:at])) or bool(ELSEWHERE.search(sentence.words[at:]))
        weight += 0.5 if passing else 1.0
        if not passing:
            speaking.append(index)
            if topic.done(sentence.words):
                doing.append(index)
    titled = _entitled(topic, clause)
    below = any(topic.entitles(title) for title in clause.above)
    share = weight / max(1, len(clause.sentences))
    return _Evidence(titled, below, share, tuple(speaking), tuple(doing))


def _entitled(topic: Topic, clause: _Clause) -> bool:
    if topic.free:
        return all(f" {one} " in clause.stemmed_title for one in topic.free)
    return topic.entitles(clause.title)


def _mentioned(topic: Topic, sentence: _Sentence) -> int:
    """Where a sentence speaks of the topic, or -1; words of a query must stand close to each other."""
    if not topic.free:
        return topic.mentioned(sentence.words)
    if not all(f" {one} " in sentence.stems for one in topic.free):
        return -1
    places = [sentence.stems.find(f" {one} ") for one in topic.free]
    between = sentence.stems[min(places) : max(places)].count(" ")
    return 0 if between <= 2 * len(topic.free) + 2 else -1


def _narrowed(topic: Topic, clause: _Clause, evidence: _Evidence) -> bool:
    """Whether the title and the sentences that speak of the topic have the query's further words."""
    text = clause.stemmed_title + "".join(clause.sentences[index].stems for index in evidence.speaking)
    return all(f" {one} " in text for one in topic.narrow)


def _hits(clause: _Clause, evidence: _Evidence) -> list[Hit]:
    """A hit for the clause; for each passage where it is a long text without a number of its own."""
    runs = sorted(_runs(clause, evidence.speaking), key=lambda run: (not set(run) & {*evidence.doing}, -len(run), run))
    kept = _passages(clause, evidence) if clause.long else runs[:1]
    return [Hit(clause.section.section_id, _quote(clause, run)) for run in kept or runs[:1] or [[0]]]


def _passages(clause: _Clause, evidence: _Evidence) -> list[list[int]]:
    """The passages of a long text that are about the topic: a sentence that does it, or two that speak of it."""
    return [run for run in _runs(clause, evidence.speaking) if len(run) > 1 or run[0] in evidence.doing]


def _runs(clause: _Clause, speaking: Sequence[int]) -> list[list[int]]:
    """The sentences that speak, those in a row together, at most `QUOTED`."""
    runs: list[list[int]] = []
    for index in speaking:
        if runs and index == runs[-1][-1] + 1 and len(runs[-1]) < QUOTED and _together(clause, index - 1):
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _quote(clause: _Clause, run: Sequence[int]) -> str:
    """The words of some sentences, as they stand in the content; the title where there is no text."""
    if not clause.sentences:
        return clause.section.title
    one, other = clause.sentences[run[0]], clause.sentences[run[-1]]
    return one.section.content[one.start : other.end]


def _together(clause: _Clause, index: int) -> bool:
    return clause.sentences[index].section is clause.sentences[index + 1].section
