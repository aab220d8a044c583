"""Facts that a sentence states: who, when, how much, how long, or what a clause says of its subject.

Comes in: what a question asks for, passages. Goes out: `Reply`s that quote the sentence, the best first; several where
sections say as much. A sentence answers where all that the question is about stands in it or in the titles over it,
and where it holds a value of the type asked for, near one of these words. Without a type it must stand in a clause
that is titled so. Words in passing answer nothing. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline import entries, folding, inquiry, languages, topics, verbatim
from pipeline.engine import Passage, Reply
from pipeline.inquiry import Inquiry
from pipeline.stems import stem
from pipeline.topics import Topic, spaced

NEAR = 8  # words between a value and what it is said of
APART = 3  # words that may part two that are one name
ABOUT = 33  # percent of a title's words that must be those asked for, where it does not hold all of these
CLOSE = 4  # the same where a sentence holds several values
KEEPING = ("governing_law", "jurisdiction", "force_majeure")  # topics whose words all mean the same
ALIKE = (
    "start begin commence commencement effective", "end expire expiry expiration", "late overdue", "buy purchase",
    "beginnen beginn inkrafttreten", "enden ende ablauf", "početak početi stupa", "kraj istek",
)  # fmt: skip
_MONTH = (
    r"(?:jan|feb|mar|apr|may|mai|maj|jun|jul|aug|avg|sep|oct|okt|nov|dec|dez|märz|јан|феб|мар|апр|мај|јун|јул|авг|сеп|"
    r"окт|нов|дец)[^\W\d]*"
)
_WRITTEN = """
    one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty sixty ninety hundred
    ein eine einem einen zwei drei vier fünf sechs sieben acht neun zehn zwölf vierzehn dreißig sechzig neunzig
    jedan jedna dva dve tri četiri pet šest sedam osam devet deset petnaest dvadeset trideset šezdeset devedeset
    један један два две три четири пет шест седам осам девет десет петнаест двадесет тридесет шездесет деведесет
"""
_ONE = "|".join(_WRITTEN.split())
_NUMBER = rf"(?:\d[\d.,]*|(?:{_ONE})(?:[- ](?:{_ONE}))?)"
_CURRENCY = r"(?:EUR|USD|GBP|CHF|RSD|US\$|[€$£]|euros?|dollars?|pounds?|dinara|динара)"
_SPAN = (
    r"(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?|minuten?|stunden?|tag(?:e|en|es)?|wochen?|monat(?:e|en|"
    r"s)?|jahr(?:e|en|es)?|minut\w*|sat[ia]?|dan[a]?|nedelj\w|mesec[ia]?|godin[aeu]|минут\w*|сат[иа]?|дан[а]?|недељ\w|"
    r"месец[иа]?|годин[аеу])"
)
_KIND = (
    r"(?:consecutive|business|working|calendar|full|further|contract|werk|kalender|arbeits|radnih|kalendarskih|радних)"
)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:day of )?"
DATE = (
    r"\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}|\d{4}-\d\d-\d\d|"
    rf"{_ORDINAL}{_MONTH},?\s+\d{{4}}|{_MONTH}\s+\d{{1,2}},?\s+\d{{4}}"
)
LENGTH = rf"{_NUMBER}(?:\s?\([^\W_]+\))?[- ](?:{_KIND}[- ]?){{0,2}}{_SPAN}"
_BIG = r"(?:\s(?:million|billion))?"
MONEY = rf"{_CURRENCY}\s?\d[\d.,' ]*{_BIG}|\d[\d.,' ]*{_BIG}\s?{_CURRENCY}"
SHARE = rf"{_NUMBER}(?:\s?\([^\W_]+%?\))?\s?(?:%|per\s?cent(?:age points?)?|percent|prozent|odsto|procenata|одсто)"
TYPES = {
    "date": DATE,
    "time": f"{DATE}|{LENGTH}",
    "amount": f"{MONEY}|{SHARE}",
    "rate": f"{SHARE}|{MONEY}",
    "duration": LENGTH,
    "number": _NUMBER,
    "place": r"(?<=\bat )\S.*?(?= \(|;|\.$|$)|(?<=\bin )\d{4,5} \S+",
    "email": r"[\w.+-]+@[\w-]+\.[\w.]+\w",
    "phone": r"\+?\d[\d ()/-]{6,}\d",
}
NOTICE = re.compile(
    rf"(?:{LENGTH})[’']?s?(?:,? (?:prior|written|advance|further|previous|and|or))*,? notice|"
    rf"notice (?:period )?of (?:not less than |at least |no less than |a minimum of )?(?:{LENGTH})|"
    rf"notice period (?:is|shall be|of)\b.{{0,30}}?(?:{LENGTH})",
    re.IGNORECASE,
)
VALUES = {name: re.compile(rf"(?<![\w.,])(?:{pattern})(?!\w)", re.IGNORECASE) for name, pattern in TYPES.items()}


@dataclass(frozen=True)
class _Sentence:
    """A sentence of a passage with the stems of its words, in order, and of the titles: its section's, those above."""

    passage: Passage
    text: str
    stems: tuple[str, ...]
    title: frozenset[str]
    above: frozenset[str]


@dataclass(frozen=True)
class _Said:
    """A sentence that answers: the answer in its words, and how much speaks for it."""

    sentence: _Sentence
    answer: str
    weight: tuple[int, int, int]


def replies(asked: Inquiry, passages: Sequence[Passage]) -> tuple[Reply, ...]:
    """What sentences of the passages say; of each section the best, and only sections of which as much speaks."""
    words = inquiry.topic(asked)
    if not words:
        return ()
    language = languages.language(word for passage in passages for word in passage.section.content.split())
    topic = _known(words, language)
    found = [
        said
        for sentence in _sentences(passages, language)
        if (said := _answers(asked, sentence, words, topic, language))
    ]
    best: dict[str, _Said] = {}
    for said in found:
        name = said.sentence.passage.section_id
        if name not in best or said.weight > best[name].weight:
            best[name] = said
    most = max((said.weight for said in best.values()), default=None)
    return tuple(Reply(said.answer, name, said.sentence.text) for name, said in best.items() if said.weight == most)


def _sentences(passages: Sequence[Passage], language: str) -> Iterator[_Sentence]:
    for passage in passages:
        title = frozenset(_stems(passage.section.title, language))
        above = frozenset(one for section in passage.above for one in _stems(section.title, language))
        for start, end in passage.shown:
            text = passage.section.content[start:end]
            if not entries.is_row(text):
                yield _Sentence(passage, text, tuple(_stems(text, language)), title, above)


def _stems(text: str, language: str) -> list[str]:
    return [stem(token.bare, language) for token in verbatim.tokens(text)]


def _known(words: Sequence[str], language: str) -> Topic | None:
    """The topic that the words name, where other words for it mean the same."""
    found = topics.asked(" ".join(words), {}, {word: stem(word, language) for word in words})
    return found[0] if len(found) == 1 and found[0].name in KEEPING else None


def _answers(
    asked: Inquiry, sentence: _Sentence, words: Sequence[str], topic: Topic | None, language: str
) -> _Said | None:
    """What the sentence says of what is asked; None where it does not."""
    if topic:
        return _of_topic(asked, sentence, topic)
    wanted = [_alike(word, language) for word in words]
    here = [bool(one & set(sentence.stems)) for one in wanted]
    titled = [bool(one & sentence.title) for one in wanted]
    above = [bool(one & sentence.above) for one in wanted]
    if not all(map(any, zip(here, titled, above, strict=True))):
        return None
    share = 100 * sum(titled) // max(len(sentence.title), 1)  # of the title that is about what is asked
    weight = (sum(here), sum(titled), share)
    if not asked.expected:
        enough = all(titled) or (2 * sum(titled) >= len(wanted) and share >= ABOUT and any(here))
        return _Said(sentence, sentence.text, weight) if enough else None
    if not (all(here) or (all(titled) and any(here))) or not _together(asked, sentence, words, language):
        return None
    near = {one for one in set().union(*wanted) if one in sentence.stems}
    value = _value(asked, sentence, near, language)
    return _Said(sentence, value, weight) if value else None


def _together(asked: Inquiry, sentence: _Sentence, words: Sequence[str], language: str) -> bool:
    """Whether what is one name in the question (`commitment fee`) is one in the sentence, or in its title."""
    plain = folding.words(asked.text)
    for one, other in pairwise(plain):
        if one not in words or other not in words:
            continue
        first, second = _alike(one, language), _alike(other, language)
        places = [[at for at, word in enumerate(sentence.stems) if word in names] for names in (first, second)]
        apart = min((abs(a - b) for a in places[0] for b in places[1]), default=APART + 1)
        if apart > APART and not (first & sentence.title and second & sentence.title):
            return False
    return True


def _of_topic(asked: Inquiry, sentence: _Sentence, topic: Topic) -> _Said | None:
    said = spaced(sentence.text)
    titled, done = topic.entitles(spaced(sentence.passage.section.title)), topic.done(said)
    held = {*sentence.stems, *sentence.title}
    if asked.expected or not (titled or done) or topic.mentioned(said) < 0 or not held.issuperset(topic.narrow):
        return None
    return _Said(sentence, sentence.text, (int(done), int(titled), 0))


def _alike(word: str, language: str) -> frozenset[str]:
    own = stem(word, language)
    groups = ({stem(one, language) for one in group.split()} for group in ALIKE)
    return frozenset({own}.union(*(group for group in groups if own in group)))


def _value(asked: Inquiry, sentence: _Sentence, near: set[str], language: str) -> str:
    """The value of the type asked for, as printed; the whole sentence where it holds several; "" where it holds none
    near the words that it must be said of.
    """
    matches = [match for match in VALUES[asked.expected].finditer(sentence.text) if _fits(asked, sentence.text, match)]
    far = {match: _distance(match, sentence, near, language) for match in matches}
    close = [match for match in matches if far[match] <= NEAR]
    if not close:
        return ""
    nearest = min(close, key=lambda match: far[match])
    alone = len(matches) == 1 or sum(far[match] <= CLOSE for match in matches) == 1
    return nearest[0].strip(" .,") if alone else sentence.text


def _fits(asked: Inquiry, text: str, match: re.Match[str]) -> bool:
    """Whether a value can be the one: a period of notice is one that notice is given of, none after a notice."""
    if asked.expected != "duration" or "notice" not in asked.words:
        return True
    return any(found.start() <= match.start() and match.end() <= found.end() for found in NOTICE.finditer(text))


def _distance(match: re.Match[str], sentence: _Sentence, near: set[str], language: str) -> int:
    """How many words part a value from the nearest word that it may be said of."""
    before = _stems(sentence.text[: match.start()], language)[::-1]
    behind = _stems(sentence.text[match.end() :], language)
    inside = _stems(match[0], language)
    if near & set(inside):
        return 0
    ways = [side.index(one) for side in (before, behind) for one in near if one in side]
    return min(ways, default=NEAR + 1)
