"""Colours of type: which of them tell headings from the text, and their names in words.

Comes in: printed lines, colours as 0xRRGGBB. Goes out: `Palette`. Refuses nothing: a document in one colour has a
palette that tells nothing. Headings are set in a colour of their own line by line; links and marked words stand inside
lines of another colour, notes in grey recede, and white type lies on dark fills. None of those tells a heading.
"""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from pipeline.model import Line

SAME = 0x08  # colours whose parts differ by less are one
CLOSE = 0x30  # colours whose parts differ by less are hardly told apart
PALE = 0.8  # lightness 0..1 from which type needs a dark fill behind it
VIVID = 0x28  # what the strongest part of a colour has over the weakest, where it is more than a grey
RARE = 0.15  # of the characters in the body's colour
WHOLE = 0.8  # of the characters in a colour that tells headings stand in lines that have no other
ENDS = (".", ";", ",", ":")
SENTENCES = 0.3  # share of a colour's blocks that end as sentences do, from which it is one of running text
GREYS = ((0.2, "black"), (0.9, "grey"), (2.0, "white"))
HUES = (
    *((20, "red"), (45, "orange"), (70, "yellow"), (160, "green"), (200, "teal"), (255, "blue"), (290, "violet")),
    *((340, "pink"), (361, "red")),
)


@dataclass(frozen=True)
class Palette:
    """body: the colour of most characters; same: each colour → the commonest one next to it; telling: the colours (as
    `same` has them) that tell headings from the text.
    """

    body: int = 0
    same: Mapping[int, int] = field(default_factory=dict)
    telling: frozenset[int] = frozenset()

    def of(self, line: Line) -> int:
        """The colour of the line; the body's where it has several."""
        found = {word.colour for word in line.words}
        if len(found) > 1:
            found = {self.same.get(colour, colour) for colour in found}
        one = found.pop()
        return self.body if found else self.same.get(one, one)


def palette(printed: Sequence[Line]) -> Palette:
    """The palette of a document."""
    exact = _counts(printed)
    same = _grouped(exact)
    counts: Counter[int] = Counter()
    for colour, count in exact.items():
        counts[same[colour]] += count
    body = max(counts, key=lambda colour: (counts[colour], -colour), default=0)
    rare = {colour for colour in counts if _stands_out(colour, body) and counts[colour] <= RARE * counts[body]}
    uses = _uses(printed, same) if rare else {}
    pages = len({line.page for line in printed})
    telling = (colour for colour in rare if colour in uses and uses[colour].tells(counts[colour], pages))
    return Palette(body, same, frozenset(telling))


def name(colour: int) -> str:
    """The colour in a word."""
    hue, light, _ = colorsys.rgb_to_hls(*(part / 255 for part in _parts(colour)))
    if _vivid(colour):
        return next(word for end, word in HUES if hue * 360 < end)
    return next(word for end, word in GREYS if light < end)


@dataclass
class _Use:
    """Of the lines in one colour alone: pages, characters, blocks, and blocks that end as sentences do."""

    pages: set[int] = field(default_factory=set)
    characters: int = 0
    blocks: int = 0
    sentences: int = 0

    def tells(self, characters: int, pages: int) -> bool:
        again = self.blocks >= 2 and len(self.pages) >= min(2, pages)
        return again and self.characters >= WHOLE * characters and self.sentences < SENTENCES * self.blocks


def _counts(printed: Iterable[Line]) -> Counter[int]:
    counts: Counter[int] = Counter()
    for line in printed:
        letters = [len(word.text) for word in line.words]
        first, *others = {word.colour for word in line.words}
        if not others:
            counts[first] += sum(letters)
            continue
        for word, count in zip(line.words, letters, strict=True):
            counts[word.colour] += count
    return counts


def _uses(printed: Sequence[Line], same: Mapping[int, int]) -> dict[int, _Use]:
    uses: dict[int, _Use] = {}
    for line, following in zip_longest(printed, printed[1:]):
        first, *others = {same[word.colour] for word in line.words}
        if others:
            continue
        use = uses.setdefault(first, _Use())
        use.pages.add(line.page)
        use.characters += sum(len(word.text) for word in line.words)
        if following is None or (following.page, following.block) != (line.page, line.block):
            use.blocks += 1
            use.sentences += line.text.endswith(ENDS)
    return uses


def _grouped(counts: Mapping[int, int]) -> dict[int, int]:
    """Each colour → the commonest colour that is next to it."""
    chosen: dict[int, int] = {}
    for colour in sorted(counts, key=lambda colour: (-counts[colour], colour)):
        if colour not in chosen:
            near = (other for other in counts if other not in chosen and _apart(colour, other) < SAME)
            chosen |= dict.fromkeys(near, colour)
    return chosen


def _stands_out(colour: int, body: int) -> bool:
    """Whether a colour is neither close to the body's nor recedes behind it: it is vivid or darker, and not pale."""
    light, text = sum(_parts(colour)) / 765, sum(_parts(body)) / 765
    return light < PALE and _apart(colour, body) >= CLOSE and (_vivid(colour) or light < text)


def _vivid(colour: int) -> bool:
    return max(_parts(colour)) - min(_parts(colour)) >= VIVID


def _apart(one: int, other: int) -> int:
    return max(abs(mine - theirs) for mine, theirs in zip(_parts(one), _parts(other), strict=True))


def _parts(colour: int) -> tuple[int, int, int]:
    return colour >> 16 & 255, colour >> 8 & 255, colour & 255
