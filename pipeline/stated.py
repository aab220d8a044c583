"""Facts that a sentence states: who, when, how much, how long, or what a clause says of its subject.

Comes in: what a question asks for, passages. Goes out: `Reply`s that quote the sentence, the best first; several where
sections say as much. A sentence answers where all that the question is about stands in it or in the titles over it,
and where it holds a value of the type asked for, near one of these words. Without a type it must stand in a clause
that is titled so. What a sentence only mentions is not stated: a value must be tied to its word (`a fee of 5 %`, `sixty
days’ notice`, `the term is three years`), and a subject to what it is. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline import entries, folding, inquiry, languages, topics, typed, verbatim
from pipeline.engine import Passage, Reply
from pipeline.inquiry import Inquiry
from pipeline.stems import stem
from pipeline.topics import Topic, spaced

NEAR = 8  # words between a value and what it is said of
_LAW = """law laws governs govern governing applicable state country whose recht gilt anwendbare anwendbares anwendbaren
    massgebliche pravo zakon primenjuje merodavno merodavni"""
LAW = frozenset(_LAW.split())  # words that ask for the governing law alone
APART = 3  # words that may part two that are one name
ABOUT = 33  # percent of a title's words that must be those asked for, where it does not hold all of these
BESIDE = 3  # words between a value and a word behind it
BEGINS, TIED = 8, 5  # words within which what is asked for begins a sentence, and a verb follows it
CLOSE = 4  # the same where a sentence holds several values
KEEPING = ("governing_law", "jurisdiction", "force_majeure")  # topics whose words all mean the same
ALIKE = (
    "start begin commence commencement effective", "end expire expiry expiration", "late overdue", "buy purchase",
    "beginnen beginn inkrafttreten", "enden ende ablauf", "početak početi stupa", "kraj istek",
)  # fmt: skip


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
    asked = ["governing", "law"] if LAW.issuperset(words) else words
    found = topics.asked(" ".join(asked), {}, {word: stem(word, language) for word in asked})
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
        about = all(titled) or (2 * sum(titled) >= len(wanted) and share >= ABOUT)
        says = _acts(asked, sentence, here) if inquiry.is_action(asked) else _tells(sentence, wanted, here)
        return _Said(sentence, sentence.text, weight) if about and says else None
    if not (all(here) or (all(titled) and any(here))) or not _together(asked, sentence, words, language):
        return None
    near = {one for one in set().union(*wanted) if one in sentence.stems}
    value = _value(asked, sentence, near, language)
    return _Said(sentence, value, weight) if value else None


def adjoining(asked: Inquiry, text: str, language: str) -> bool:
    """Whether what is one name in the question (`commitment fee`) is one in a text."""
    words = _stems(text, language)
    for one, other in pairwise(folding.words(asked.text)):
        if one in asked.words and other in asked.words and {stem(one, language), stem(other, language)} <= set(words):
            places = [[at for at, word in enumerate(words) if word == stem(name, language)] for name in (one, other)]
            if min(abs(a - b) for a in places[0] for b in places[1]) > APART:
                return False
    return True


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


def _acts(asked: Inquiry, sentence: _Sentence, here: Sequence[bool]) -> bool:
    """Whether the sentence says what somebody may or must do: it holds most of what is asked, and a verb for that."""
    return 2 * sum(here) > len(here) and bool(typed.MODAL.search(sentence.text))


def _tells(sentence: _Sentence, wanted: Sequence[frozenset[str]], here: Sequence[bool]) -> bool:
    """Whether what is asked for begins the sentence, and a verb ties it to what it is."""
    if not all(here) or typed.SUBORDINATE.match(sentence.text):
        return False
    last = max(min(at for at, word in enumerate(sentence.stems) if word in names) for names in wanted)
    words = sentence.text.split()
    return last < BEGINS and bool(typed.BEING.search(" ".join(words[last + 1 : last + 1 + TIED])))


def _of_topic(asked: Inquiry, sentence: _Sentence, topic: Topic) -> _Said | None:
    said = spaced(sentence.text)
    titled, done = topic.entitles(spaced(sentence.passage.section.title)), topic.done(said)
    held = {*sentence.stems, *sentence.title}
    done = done or (titled and bool(typed.RULING.search(sentence.text)))
    if asked.expected or not done or topic.mentioned(said) < 0 or not held.issuperset(topic.narrow):
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
    matches = [
        match for match in typed.VALUES[asked.expected].finditer(sentence.text) if _fits(asked, sentence.text, match)
    ]
    far = {match: _distance(match, sentence, near, asked, language) for match in matches}
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
    return any(found.start() <= match.start() and match.end() <= found.end() for found in typed.NOTICE.finditer(text))


def _distance(match: re.Match[str], sentence: _Sentence, near: set[str], asked: Inquiry, language: str) -> int:
    """How many words part a value from the nearest word that it is said of; more than `NEAR` where nothing ties it to
    one.
    """
    before, behind = sentence.text[: match.start()], sentence.text[match.end() :]
    first = _apart(_stems(before, language)[::-1], near)
    then = _apart(_stems(behind, language), near)
    ways = [NEAR + 1]
    if first is not None and first <= NEAR and _leads(_last_words(before, first), asked):
        ways.append(first)
    if then is not None and then <= BESIDE and not typed.PARTING.search(_first_words(behind, then)):
        ways.append(then)
    return min(ways)


def _apart(words: Sequence[str], near: set[str]) -> int | None:
    return next((at for at, word in enumerate(words) if word in near), None)


def _leads(between: str, asked: Inquiry) -> bool:
    """Whether the words between a subject and a value tie them: `is`, `of`; for what somebody does also `within`."""
    tied = any(typed.TYING.fullmatch(between, match.start()) for match in re.finditer(r"\b\w|:", between))
    return tied or (inquiry.is_action(asked) and bool(typed.DURING.fullmatch(between.strip())))


def _last_words(text: str, count: int) -> str:
    tokens = verbatim.tokens(text)
    return text[tokens[-count - 1].end :] if count < len(tokens) else text


def _first_words(text: str, count: int) -> str:
    tokens = verbatim.tokens(text)
    return text[: tokens[count].start] if count < len(tokens) else text
