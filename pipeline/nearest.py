"""The text of a document that is likest to a quote which stands nowhere in it.

Comes in: a text, once; quotes. Goes out: `Near`: where the likest text stands and what differs, or None where nothing
is like it. Words are compared without case, accents and script, so that what was altered a little is found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from pipeline import verbatim
from pipeline.terms import plainly
from pipeline.verbatim import Difference, Token

LEAST = 0.35  # share of words alike
COMMON = 60  # a pair of words that stands more often says little
REACH = 4  # words that may lie between two alike passages
LINES_TRIED = 4


@dataclass(frozen=True)
class Near:
    """A text [start, end) of the document, on one line, and how a quote differs from it. share: of words alike."""

    text: str
    start: int
    end: int
    share: float
    differences: tuple[Difference, ...]


class _Stretch(NamedTuple):
    """Words [first, last) of the text and the share that is alike."""

    share: float
    first: int
    last: int


@dataclass(frozen=True)
class Index:
    """Where each pair of words stands."""

    text: str
    words: tuple[Token, ...]
    folded: tuple[str, ...]
    pairs: dict[tuple[str, str], list[int]]

    def nearest(self, quote: str, preferred: Sequence[tuple[int, int]] = ()) -> Near | None:
        """The likest text; of equally like ones that within a preferred [start, end) of the text."""
        sought = [plainly(token.bare) for token in verbatim.tokens(quote)]
        stretches = [self._stretch(sought, start) for start in self._starts(sought)]
        likely = [stretch for stretch in stretches if stretch.share >= LEAST]
        if not likely:
            return None
        best = max(likely, key=lambda one: (round(one.share, 2), self._in(one, preferred), -one.first))
        start, end = self.words[best.first].start, self.words[best.last - 1].end
        printed = " ".join(self.text[start:end].split())
        return Near(printed, start, end, round(best.share, 3), verbatim.differences(quote, printed))

    def _in(self, stretch: _Stretch, preferred: Sequence[tuple[int, int]]) -> bool:
        return any(start <= self.words[stretch.first].start < end for start, end in preferred)

    def _starts(self, sought: Sequence[str]) -> list[int]:
        """Words at which a text like the one sought may begin, the likeliest first."""
        votes: Counter[int] = Counter()
        for at, pair in enumerate(pairwise(sought)):
            places = self.pairs.get(pair, [])
            weight = 3 if len(places) <= COMMON else 1
            for place in places[: 10 * COMMON]:
                votes[(place - at) // REACH] += weight
        return [line * REACH for line, _ in votes.most_common(LINES_TRIED)]

    def _stretch(self, sought: Sequence[str], start: int) -> _Stretch:
        """The likest stretch of words around a start."""
        low, high = max(0, start - REACH), min(len(self.folded), start + len(sought) + 3 * REACH)
        matcher = SequenceMatcher(None, sought, self.folded[low:high], autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        if not blocks:
            return _Stretch(0.0, low, low)
        alike = sum(block.size for block in blocks)
        first, last = blocks[0], blocks[-1]
        begin = max(low, low + first.b - first.a)
        end = min(high, low + last.b + last.size + len(sought) - last.a - last.size)
        return _Stretch(2 * alike / (len(sought) + end - begin), begin, end)


def index(text: str) -> Index:
    """The index of a text."""
    words = verbatim.tokens(text)
    folded = tuple(plainly(word.bare) for word in words)
    pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, pair in enumerate(pairwise(folded)):
        pairs[pair].append(at)
    return Index(text, tuple(words), folded, dict(pairs))
