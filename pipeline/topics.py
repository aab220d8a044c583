"""What clauses can be about, as patterns of words: the topics that ship, a profile's own, or the words of a query.

Comes in: a query and a profile's synonyms. Goes out: `Topic`s, each a set of patterns over words as `terms.plainly`
gives them, with a space around each. Words beside a topic (`termination for convenience`) narrow it. Refuses nothing: a
query of instruction words alone gives none.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from pipeline.profiles import built
from pipeline.terms import plainly

FILE = Path(__file__).parent / "topics.toml"
SKIPPED = """
    a about all also an any are as at be by can clause clauses contract contracts agreement agreements deal deals
    dealing document does each every exact exactly find for from give given have how in is it its list lists me
    mention mentions number numbers of on or out please provision provisions quote quotes related relating regarding
    section sections show speak speaks talk talks tell text that the their there these this those to under what when
    where which who with article articles paragraph paragraphs concerning cover covers covering address addresses
    term terms condition conditions right rights obligation obligations alle aller allen zum zur zu der die das des
    dem den ein eine einer eines mit von vom fur uber im in klausel klauseln bestimmung bestimmungen regelung
    regelungen nenne zeige liste auf auffuhren finde welche welcher vertrag vertrages abschnitt abschnitte ziffer
    ziffern nummer nummern genau jede jeden jeder sve svi svaka svaku svaki o od za u na sa koje koji koja odredba
    odredbe odredbi klauzula klauzule ugovor ugovora ugovoru navedi prikazi nadji pronadji odeljak odeljke clan
    clanovi clanove broj brojem tacan tacnim
"""
SKIP = frozenset(SKIPPED.split())
PARTED = re.compile(r"\s*(?:,|;|/|\b(?:and|or|und|oder|sowie|i|ili|и|или)\b)\s*", re.IGNORECASE)
ALIKE = 0.45  # paraphrases of a topic were found at 0.46 and above, other things at 0.30 and below
GAP = r"(?:\S+ ){0,6}"


@dataclass(frozen=True)
class Words:
    """The patterns of a topic, as the file writes them; what each list means is told there."""

    says: str = ""
    words: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


@dataclass(frozen=True)
class Topic:
    """What a clause is looked for by. narrow: stems of further words of the query, which hits should have too; free:
    the topic is none that is known but the query's own stems.
    """

    name: str
    words: Words
    narrow: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    @cached_property
    def _found(self) -> re.Pattern[str]:
        return _pattern(self.words.words)

    @cached_property
    def _titled(self) -> re.Pattern[str]:
        return _pattern((*self.words.words, *self.words.titles))

    @cached_property
    def _weak(self) -> re.Pattern[str]:
        return _pattern(self.words.weak)

    @cached_property
    def _beside(self) -> re.Pattern[str]:
        return _pattern(self.words.beside)

    @cached_property
    def _acts(self) -> re.Pattern[str]:
        return _pattern(self.words.acts)

    @cached_property
    def _apart(self) -> re.Pattern[str]:
        return _pattern(self.words.apart)

    def with_words(self, further: Sequence[str]) -> Topic:
        """The topic with further words of its own."""
        return replace(self, words=replace(self.words, words=(*self.words.words, *further))) if further else self

    def entitles(self, title: str) -> bool:
        """Whether a title (its words as `spaced` gives them) names the topic."""
        return bool(self._titled.search(self._apart.sub(" ", title)))

    def mentioned(self, sentence: str) -> int:
        """Where a sentence speaks of the topic: an index into it, or -1."""
        rest = self._apart.sub(lambda match: "_" * (len(match[0]) - 1) + " ", sentence)
        if found := self._found.search(rest):
            return found.start()
        weak = self._weak.search(rest)
        return weak.start() if weak and self._beside.search(rest) else -1

    def done(self, sentence: str) -> bool:
        """Whether a sentence does what the topic is: gives a right to terminate, limits liability."""
        return bool(self._acts.search(self._apart.sub(" ", sentence)))


def spaced(text: str) -> str:
    """The words of a text as they are compared, with a space around each."""
    return f" {plainly(text)} "


def _pattern(written: Sequence[str]) -> re.Pattern[str]:
    """One pattern for several written ones, each of whole words that are followed by a space."""
    parts = []
    for text in written:
        words = [GAP if word == "~" else re.escape(word).replace(r"\*", r"[^\s_]*") + " " for word in text.split()]
        parts.append("".join(words))
    return re.compile(rf"(?<= )(?:{'|'.join(parts)})" if parts else r"(?!)")


@cache
def shipped() -> Mapping[str, Words]:
    """The topics that ship, by name."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: built(Words, values, f"topic {name}") for name, values in table.items()}


def asked(query: str, synonyms: Mapping[str, tuple[str, ...]], stemmed: Mapping[str, str]) -> tuple[Topic, ...]:
    """The topics that a query asks for, one for each part of it (`liability and indemnity`).

    synonyms: a profile's own, by what they mean: words of a topic that ships, or a topic of their own.
    stemmed: the stem of each word of the query, by the word.
    """
    found = []
    for part in PARTED.split(query):
        words = [word for word in plainly(part).split() if word not in SKIP]
        if words:
            free = Topic(part, Words(), free=tuple(stemmed.get(word, word) for word in words))
            found.append(_known(words, synonyms, stemmed) or free)
    return tuple(found)


def _known(words: Sequence[str], synonyms: Mapping[str, tuple[str, ...]], stemmed: Mapping[str, str]) -> Topic | None:
    """The topic that most of the words name; a profile's own comes first."""
    text = f" {' '.join(words)} "
    best: tuple[int, Topic] | None = None
    for name, patterns in _all(synonyms).items():
        named = _pattern((plainly(name.replace("_", " ")), *patterns.words, *patterns.weak, *patterns.titles))
        rest = named.sub("", text).split()
        taken = len(words) - len(rest)
        if taken and (best is None or taken > best[0]):
            best = taken, Topic(name, patterns, tuple(stemmed.get(word, word) for word in rest))
    return best[1] if best else None


def _all(synonyms: Mapping[str, tuple[str, ...]]) -> dict[str, Words]:
    """All topics, a profile's own first, its words added to those that ship under the same name."""
    topics: dict[str, Words] = {}
    for name, own in synonyms.items():
        shared = shipped().get(plainly(name).replace(" ", "_"), Words())
        plain = tuple(" ".join(plainly(word) + "*" * word.endswith("*") for word in text.split()) for text in own)
        topics[name] = replace(shared, words=(*shared.words, *plain))
    return {**topics, **{name: words for name, words in shipped().items() if name not in topics}}


def meant(query: str) -> Topic | None:
    """The topic that a query in other words means (`ending the contract early`), by vectors; None if none is near."""
    from pipeline import embedding

    names = list(shipped())
    alike = embedding.vectors([shipped()[name].says for name in names]) @ embedding.vectors([query])[0]
    best = int(alike.argmax())
    return Topic(names[best], shipped()[names[best]]) if alike[best] >= ALIKE else None
