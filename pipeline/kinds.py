"""Which kind of document it is (an agreement, a manual, a catalogue …), so that the template for it is suggested.

Comes in: a `Reading`, the `Kind`s that profiles are for. Goes out: a ranking of `Suggestion`s with their reasons.
Refuses nothing: a document that is of none of the kinds gets a suggestion that is not close, or none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from pipeline.likeness import CLOSE, Suggestion
from pipeline.model import Reading
from pipeline.profiles import Kind

WORDS = re.compile(r"[^\W\d_]{2,}")
LETTER = (612, 792)  # points
NAMED = 4  # words that are named in the reasons


class Counts(NamedTuple):
    """How often each word stands in a document, in small letters, and whether its pages are of the size Letter."""

    words: Counter[str]
    letter: bool


def counts(reading: Reading) -> Counts:
    """What tells the kind of a document."""
    words: Counter[str] = Counter()
    for page in reading.pages:
        words.update(WORDS.findall(page.text.casefold()))
    sizes = Counter(tuple(sorted((round(page.width), round(page.height)))) for page in reading.pages)
    return Counts(words, bool(sizes) and sizes.most_common(1)[0][0] == LETTER)


def ranked(document: Counts, known: Iterable[tuple[str, Kind]]) -> tuple[Suggestion, ...]:
    """The named kinds of which the document has any word, the likest first."""
    found = (_suggestion(document, name, kind) for name, kind in known if kind.words)
    return tuple(sorted((one for one in found if one.speaks_for), key=lambda one: (-one.likeness, one.name)))


def _suggestion(document: Counts, name: str, kind: Kind) -> Suggestion:
    """As alike as its words are many: CLOSE where they just suffice, towards 1 where they are many times that."""
    met = sorted((word for word in kind.words if word in document.words), key=lambda word: -document.words[word])
    share = sum(document.words[word] for word in met) / max(document.words.total(), 1)
    against = []
    if share < kind.share:
        against.append(f"they are {share:.1%} of the words, not {kind.share:.1%}")
    if len(met) < kind.distinct:
        against.append(f"{len(met)} of them occur, not {kind.distinct}")
    if kind.letter and not document.letter:
        against.append("its pages are not of the size Letter")
    ratio = min(share / max(kind.share, 0.001), len(met) / max(kind.distinct, 1) if len(met) < kind.distinct else 1000)
    likeness = ratio / (ratio + 1 / CLOSE - 1)
    return Suggestion(
        name=name,
        likeness=round(likeness if not kind.letter or document.letter else min(likeness, CLOSE / 2), 3),
        close=not against,
        basis=f"the template for {kind.documents}",
        speaks_for=(f"words of {kind.documents}: {', '.join(met[:NAMED])}{', …' * (len(met) > NAMED)}",) if met else (),
        against=tuple(against),
    )
