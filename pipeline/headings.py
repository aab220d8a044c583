"""Which lines are headings, joined over line breaks, and why.

Comes in: `Features`, the boilerplate `Ledger`, an `OutlineProfile`. Goes out: `Found` headings in reading order with
their evidence in words; levels are given by levels.py. Numbers inside tables, list items, footnotes and running
text are no headings: a number alone decides nothing, it needs a line of its own, weight, or the contents list.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, zip_longest

from pipeline import colours, covers, numbering
from pipeline.boilerplate import Ledger
from pipeline.features import Feature, Features
from pipeline.model import Tier
from pipeline.numbering import Numbering
from pipeline.profiles import OutlineProfile
from pipeline.roles import CAPTION

LONGEST = 220  # characters of a title
ENOUGH = 1.0  # the weights of what holds must reach it
SENTENCE_END = re.compile(r"[.;,]$")
WORD = re.compile(r"[^\W\d_]{2,}")
FOLDED = re.compile(r"\W+")
BULLETS = frozenset("•◦▪■●○‣·–—-*")
PARENTHESES = re.compile(r"\([^()]*\)")  # `(in millions)`, `(unaudited)`
STANDARDS = r"\b(?!(?:ISO|EN|IEC|DIN|NF|BS)\b)"  # `EN 16931` ends a title, `California 94-2404110` an address
VALUE = re.compile(rf"\w:\S|(?:^|:\s|{STANDARDS}[\w.]+\s)[\d-]*\d{{5,}}(?:-\d+)?$")  # of a label
THREE = re.compile(r"[^\W\d_]{3}")
ONE_SIGN = re.compile(r"[A-Za-z]{2}")  # in a figure
CODE = re.compile(r"[{};=<>]|::|->|\(\)|^\s*[#/]{1,2}\w|https?://")
CONSTANT = re.compile(r"[A-Z0-9]_[A-Z0-9]")  # a name in capitals as programs have them
LISTED = "named by the contents list"
FAR = 3  # heights of a title to the number above it
STRONG = frozenset({"part", "chapter", "article", "section", "schedule", "appendix", "item"})


@dataclass(frozen=True)
class Found:
    """A heading before it has a level.

    lines: features of its lines; words: how many words of the last line belong to it (the rest is text that runs
    on). tier: index of its size tier, None at body size. weight: 0 bold capitals, 1 bold, 2 capitals, 3 italic,
    4 plain. given: the level that the document's own outline or its contents list gives;
    listed, marked: whether either names it, whether its own outline does.
    """

    lines: tuple[Feature, ...]
    words: int | None
    title: str
    number: Numbering | None
    tier: int | None
    weight: int
    evidence: tuple[str, ...]
    given: int | None = None
    listed: bool = False
    marked: bool = False

    @property
    def first(self) -> Feature:
        return self.lines[0]


def tiers(features: Features, profile: OutlineProfile) -> tuple[Tier, ...]:
    """The size tiers, highest first: the profile's, or sizes above body that are rare, close ones as one."""
    body = features.body_size
    if profile.tier_ratios:
        return tuple(Tier(round(ratio * body, 2), level) for level, ratio in enumerate(profile.tier_ratios, 1))
    counts = dict(features.histogram)
    most = profile.max_share * counts.get(body, 0)
    sizes = [size for size, count in counts.items() if size >= profile.heading_ratio * body and count <= most]
    sizes = sorted(sizes, reverse=True)
    while len(sizes) > profile.max_tiers:
        gaps = [upper / lower for upper, lower in pairwise(sizes)]
        del sizes[gaps.index(min(gaps))]
    return tuple(Tier(size, level) for level, size in enumerate(sizes, 1))


def find(features: Features, ledger: Ledger, profile: OutlineProfile, rows: Container[int] = ()) -> tuple[Found, ...]:
    """The headings of the document, in reading order; none among the lines of tables, which are `rows`."""
    weighing = Judge(features, ledger, profile, rows)
    found: list[Found] = []
    position = 0
    while position < len(weighing.lines):
        heading = weighing.heading(position)
        if heading:
            found.append(heading)
        position += len(heading.lines) if heading else 1
    return tuple(found)


@lru_cache(maxsize=10_000)  # each line is compared several times
def folded(text: str) -> str:
    """The text without case, spaces and punctuation, for comparing titles."""
    return FOLDED.sub("", text.casefold())


class Judge:
    """The evidence for and against each line that may be a heading: none of the ledger, of tables (`rows`), none set
    sideways.
    """

    def __init__(self, features: Features, ledger: Ledger, profile: OutlineProfile, rows: Container[int] = ()) -> None:
        apart = [line for line in features.lines if line.at not in ledger.lines and not line.turned]
        self.features, self.profile = features, profile
        self.lines = [line for line in apart if line.at not in rows]
        self.beside_title = covers.beside_title(covers.cover(apart, len(features.pages)))
        self.sizes = [-tier.size for tier in tiers(features, profile)] if profile.by_size else []
        self.contents: dict[tuple[str, str], int] = {}
        for entry in ledger.entries:
            if len(folded(entry.title)) >= 2:
                number = numbering.parse(entry.number) if entry.number else None
                for key in _labels(number) if number else (folded(entry.number),):
                    self.contents.setdefault((key, folded(entry.title)), entry.level)
        self.numbers = {number for number, _ in self.contents if number}
        self.prose = _prose(features)
        self.bookmarks: dict[int, dict[str, int]] = {}
        if profile.by_bookmarks:
            for mark in features.bookmarks:
                self.bookmarks.setdefault(mark.page, {}).setdefault(folded(mark.title), mark.level)

    def tier(self, line: Feature) -> int | None:
        """Index of the line's size tier; sizes between two belong to the lower."""
        if not self.sizes or line.size < self.profile.heading_ratio * self.features.body_size:
            return None
        index = bisect_left(self.sizes, -line.size - 0.05)
        return index if index < len(self.sizes) else None

    def heading(self, position: int) -> Found | None:
        """The heading that begins at this line, if one does."""
        line = self.lines[position]
        if bookmarked := self._bookmarked(position):
            return bookmarked
        if self.profile.by_numbering and (numbered := self._under_label(position) or self._run_in_listed(position)):
            return numbered
        if not self._possible(line):
            return None
        tier = self.tier(line)
        evidence = self._evidence(position, tier)
        if evidence:
            lines = (line,) if self._named_whole(line) else self.joined(position, tier)
            text = " ".join(part.text for part in lines)
            if len(text) <= LONGEST and self.ends_well(text, line, tier):
                return self._found(lines, None, tier, evidence)
        return self._run_in(line) if self.profile.by_numbering else None

    def _found(self, lines: tuple[Feature, ...], words: int | None, tier: int | None, why: tuple[str, ...]) -> Found:
        line = lines[0]
        text = " ".join([*(part.text for part in lines[:-1]), *lines[-1].text.split()[:words]])
        number = line.number if self.profile.by_numbering and _counts(line, tier) else None
        title = text[len(line.text) - len(number.rest) :] if number and number.rest else "" if number else text
        if number and not number.rest and len(lines) > 1:
            title = " ".join(part.text for part in lines[1:])
        bold = line.bold or (words is not None and line.lead >= (words or 1))
        title = title.strip(" .:–—-\t") or title
        level = self._listed_level(number, title)
        listed = why[:1] == (LISTED,) or level is not None
        return Found(lines, words, title, number, tier, _weight(line, bold), why, level or None, listed)

    def _listed_level(self, number: Numbering | None, title: str) -> int | None:
        """The level that the contents list gives a number with a title, or a title; None where it names neither."""
        for key in _labels(number) if number else ():
            if (level := self.contents.get((key, folded(title)))) is not None:
                return level
        return self.contents.get(("", folded(title)))

    def _under_label(self, position: int) -> Found | None:
        """`Chapter 1`, or `CHAPTER` over `ONE`, over a title that is set at least as large, or in the middle too."""
        label = self._label(position)
        number = numbering.parse(" ".join(line.text for line in label)) if label else None
        following = self.lines[position + len(label) : position + len(label) + 1]
        if number is None or number.keyword not in STRONG or number.rest or not following:
            return None
        title, tier = following[0], self.tier(following[0])
        apart = title.page != label[0].page or not 0 <= title.above < FAR * title.size or title.number is not None
        if apart or title.cells >= 3 or not WORD.search(title.text):
            return None
        larger = tier is not None and title.size >= max(line.size for line in label) and label[0].starts
        if not larger and not _centred(label[-1], title):
            return None
        found = self._found(self.joined(position + len(label), tier), None, tier, ())
        level = self._listed_level(number, found.title)
        why = (*((LISTED,) if level is not None else ()), *self._look(title, tier), f"numbered {number.label}")
        lines = (*label, *found.lines)
        return replace(found, lines=lines, number=number, evidence=why, given=level or None, listed=level is not None)

    def _label(self, position: int) -> tuple[Feature, ...]:
        """The lines of a number that stands alone: one, or a keyword and what counts it."""
        line = self.lines[position]
        if line.at in self.beside_title:
            return ()
        if line.number and line.number.keyword and not line.number.rest:
            return (line,)
        counted = self.lines[position + 1 : position + 2] if numbering.keyword(line.text) in STRONG else []
        return (line, *counted) if counted and counted[0].page == line.page and counted[0].above < 2 * line.size else ()

    # what a heading cannot be

    def _possible(self, line: Feature) -> bool:
        text = line.text
        if len(text) > LONGEST or not (WORD.search(text) or (line.number and line.number.keyword)):
            return bool(line.number and line.starts and text.isalnum() is False and self.tier(line) is not None)
        if line.cells >= 3 or (line.size < 0.9 * self.features.body_size and not line.bold):
            return False
        if line.role == "footnote" or CAPTION.match(text) or text[0] in BULLETS or PARENTHESES.fullmatch(text):
            return False
        if ONE_SIGN.fullmatch(text):
            return False
        return not text[0].islower() or line.number is not None or (line.bold and self.tier(line) is not None)

    def ends_well(self, text: str, line: Feature, tier: int | None) -> bool:
        if tier is not None and line.size >= 1.15 * self.features.body_size:
            return not text.endswith((",", ";"))
        if line.number and not line.number.bare:
            return not text.endswith((",", ";")) and (not text.endswith(".") or len(text) < 90)
        return not SENTENCE_END.search(text) and not text.endswith(":")

    def in_table(self, position: int) -> bool:
        """Whether the lines around it, in its block or close by, are rows of a table."""
        line = self.lines[position]
        for other in (position - 1, position + 1):
            if 0 <= other < len(self.lines):
                near = self.lines[other]
                space = near.above if other > position else line.above
                if near.page == line.page and near.cells >= 3 and space < 0.9 * line.size:
                    return True
        return False

    # what speaks for it

    def _evidence(self, position: int, tier: int | None) -> tuple[str, ...]:
        """Reasons in words; none where their weights do not reach `ENOUGH`."""
        held = self.held(position, tier)
        if self.weight(held) < ENOUGH:
            return ()
        look = self._look(self.lines[position], tier)
        return (LISTED, *look) if "contents" in held else look

    def weight(self, held: Iterable[str]) -> float:
        """What the evidence of these names weighs together under the profile."""
        weights: Sequence[float] = [getattr(self.profile.weights, name) for name in held]
        return sum(weights)

    def held(self, position: int, tier: int | None) -> list[str]:
        """The evidence that holds for a line, by the names of its weights."""
        line, profile = self.lines[position], self.profile
        held = [] if self.listed(line) is None else ["contents"]
        if not line.starts or line.at in self.beside_title or self.in_table(position):
            return held
        coloured = self.coloured(line)
        large = line.size >= 1.12 * self.features.body_size or line.bold or line.number is not None or coloured
        if tier is not None and large and (line.size, line.bold, line.caps) not in self.prose:
            held.append("size")
        if CODE.search(line.text):
            return held
        if profile.by_numbering and self._numbered(position):
            held.append("numbering")
        if tier is None and VALUE.search(line.text) and line.number is None:
            return held
        bold = profile.by_bold and line.bold and not self.features.body_bold
        if bold and line.block_lines <= 3 and len(line.text) <= 120 and self._stands_free(line):
            held.append("bold")
        caps = profile.by_caps and line.caps and len(line.text) >= 6 and line.block_lines <= 2
        if (
            caps
            and THREE.search(line.text)
            and not line.ocr
            and not CONSTANT.search(line.text)
            and self._stands_free(line)
        ):
            held.append("caps")
        if coloured and line.block_lines <= 3 and len(line.text) <= 120 and self._stands_free(line):
            held.append("colour")
        return held

    def hue(self, line: Feature) -> str:
        """Its colour against the body's, in words."""
        return f"set in {colours.name(line.colour)}, the text is {colours.name(self.features.palette.body)}"

    def coloured(self, line: Feature) -> bool:
        """Whether the line is set in a colour that tells headings from the text."""
        return self.profile.by_colour and line.colour in self.features.palette.telling

    def _numbered(self, position: int) -> bool:
        """Whether a numbered line at body size is a heading by itself."""
        line = self.lines[position]
        number = line.number
        if number is None:
            return False
        short = len(line.text) <= 100 and (line.block_lines <= 2 or self._over_numbers(position))
        if number.keyword in STRONG:
            sentence = number.rest[:1].islower() or (SENTENCE_END.search(line.text) and len(line.text) > 60)
            return short and not sentence
        if number.style == "parenthesised" or number.bare or not number.rest[:1].isupper():
            return False
        weight = (line.bold and not self.features.body_bold) or line.caps or line.italic
        if not weight and (number.depth < 2 or (not number.keyword and self._sentence(position))):
            return False
        return short and not SENTENCE_END.search(line.text) and line.cells <= 2

    def _over_numbers(self, position: int) -> bool:
        """Whether the line right below it has a number of another kind: an article's title above its first clause."""
        number, following = self.lines[position].number, self.lines[position + 1 : position + 2]
        below = following[0].number if following and following[0].page == self.lines[position].page else None
        if number is None or below is None or below.bare or below.style == "parenthesised":
            return False
        return bool(number.keyword) and below.keyword != number.keyword and below.depth > number.depth

    def _sentence(self, position: int) -> bool:
        """Whether a plain numbered line is a paragraph's first: long, or going on below in small letters."""
        line = self.lines[position]
        following = self.lines[position + 1] if position + 1 < len(self.lines) else None
        goes_on = following is not None and following.page == line.page and following.text[:1].islower()
        return len(line.text) > 80 or (goes_on and following is not None and following.above < line.size)

    def _stands_free(self, line: Feature) -> bool:
        """Space above it, or the top of its page, and not the full width of the text."""
        width = self.features.pages[line.page - 1][0]
        return line.above >= 0.3 * line.size and line.box.width <= 0.8 * width and line.cells <= 2

    def listed(self, line: Feature) -> int | None:
        """The level that the contents list gives a line that it names; 0 where it names it without one."""
        number = line.number
        if number and number.rest:
            for key in _labels(number):
                if (level := self.contents.get((key, folded(number.rest)))) is not None:
                    return level
        if not line.starts and not line.bold:
            return None
        plain = self.contents.get(("", folded(line.text)))
        if plain is None and number and number.rest:
            plain = self.contents.get(("", folded(number.rest)))
        return plain

    def _named_whole(self, line: Feature) -> bool:
        """Whether the contents list names the line's number with the whole of its title."""
        number = line.number
        return bool(number and number.rest) and self.listed(line) is not None

    def _look(self, line: Feature, tier: int | None) -> tuple[str, ...]:
        parts = []
        if tier is not None:
            parts.append(f"{line.size:g} pt against a body of {self.features.body_size:g} pt")
        if line.bold and not self.features.body_bold:
            parts.append("bold")
        if line.caps:
            parts.append("capitals")
        if self.coloured(line):
            parts.append(self.hue(line))
        if line.number:
            parts.append(f"numbered {line.number.label}")
        if line.block_lines <= 2:
            parts.append("on its own line")
        return tuple(parts)

    # titles over several lines, and titles that text runs on from

    def joined(self, position: int, tier: int | None) -> tuple[Feature, ...]:
        """The lines of one title: the same type, close below each other, without a number of their own."""
        line = self.lines[position]
        lines = [line]
        while position + len(lines) < len(self.lines) and len(lines) < 5:
            following = self.lines[position + len(lines)]
            alone = len(lines) == 1 and line.number is not None and not line.number.rest
            if not self._continues(lines[-1], following, alone):
                break
            lines.append(following)
        return tuple(lines)

    def _continues(self, line: Feature, following: Feature, alone: bool) -> bool:
        if following.page != line.page or following.cells >= 3 or not WORD.search(following.text):
            return False
        if (following.number and not following.number.bare) or self.listed(following) is not None:
            return False
        if alone and line.number and (folded(line.number.label), folded(following.text)) in self.contents:
            return following.above < 2.5 * line.size
        large = self.tier(line) is not None and line.size >= 1.15 * self.features.body_size
        weight = following.bold == line.bold or (large and all(one.bold or one.lead for one in (line, following)))
        same = abs(following.size - line.size) <= 0.05 * line.size and weight
        close = following.above < (1.6 if alone else 0.6) * line.size
        if alone:
            distinct = following.bold or following.caps or self.tier(following) is not None
            return close and distinct and len(following.text) <= 120
        return same and close and line.caps == following.caps and (following.block == line.block or same)

    def _run_in(self, line: Feature) -> Found | None:
        """`4.2 Termination. Either party may …`: the number and the words that are bold."""
        number = line.number
        if number is None or number.style == "parenthesised" or number.bare or not number.rest:
            return None
        label_words = len(line.text.split()) - len(number.rest.split())
        bold = self.profile.by_bold and not self.features.body_bold and line.lead > label_words
        if bold and line.starts and (number.depth >= 2 or number.keyword) and line.lead - label_words <= 14:
            why = (f"numbered {number.label}", "bold", "text runs on")
            return self._found((line,), line.lead, self.tier(line), why)
        return None

    def _run_in_listed(self, position: int) -> Found | None:
        """A number and a title that the contents list names, over up to three lines, with text running on after it."""
        number = self.lines[position].number
        if number is None or not number.rest or folded(number.label) not in self.numbers:
            return None
        title, start = "", len(self.lines[position].text.split()) - len(number.rest.split())
        for count in range(1, 4):
            lines = tuple(self.lines[position : position + count])
            words = lines[-1].text.split()
            for used in range(start + 1, len(words) + 1):
                title += folded(words[used - 1])
                if (folded(number.label), title) in self.contents and not (count == 1 and used == len(words)):
                    return self._found(lines, used, self.tier(lines[0]), (LISTED, "text runs on"))
            start = 0
        return None

    def _bookmarked(self, position: int) -> Found | None:
        """A title of the document's own outline, on its page, over up to four lines."""
        marks = self.bookmarks.get(self.lines[position].page)
        if not marks:
            return None
        text = ""
        for count in range(1, 5):
            if position + count > len(self.lines):
                break
            line = self.lines[position + count - 1]
            text += folded(line.text)
            if line.page != self.lines[position].page:
                break
            if text in marks:
                lines = tuple(self.lines[position : position + count])
                tier = self.tier(lines[0])
                why = ("named by the document's own outline", *self._look(lines[0], tier))
                found = self._found(lines, None, tier, why)
                return replace(found, given=marks[text], listed=True, marked=True)
        return None


def _centred(label: Feature, title: Feature) -> bool:
    """Whether a title in capitals or bold is set close below its number, in the middle like it."""
    middle = abs(label.box.middle[0] - title.box.middle[0]) < 2 and label.box.x0 > title.box.x0
    return middle and (title.caps or title.bold) and title.caps == label.caps and title.above < 1.5 * label.size


def _labels(number: Numbering) -> tuple[str, ...]:
    """What a contents list may print for it: `Chapter 2`, or `2`."""
    return (folded(number.label), *([folded(number.path[0])] if number.keyword == "chapter" else []))


def _prose(features: Features) -> set[tuple[float, bool, bool]]:
    """Types (size, bold, capitals) that running text is set in: a third of their blocks end as sentences do."""
    blocks: dict[tuple[float, bool, bool], list[bool]] = {}
    for line, following in zip_longest(features.lines, features.lines[1:]):
        if following is None or following.starts:
            key = (line.size, line.bold, line.caps)
            blocks.setdefault(key, []).append(line.text.endswith((".", ";", ":", ",")))
    return {key for key, ends in blocks.items() if len(ends) >= 5 and sum(ends) >= 0.3 * len(ends)}


def _counts(line: Feature, tier: int | None) -> bool:
    """Whether the number at the start is a number and not a word of the title (`A guide`, `I agree`)."""
    number = line.number
    if number is None or (number.style == "parenthesised" and tier is None):
        return False
    return not (number.bare and number.style in ("letter", "roman"))


def _weight(line: Feature, bold: bool) -> int:
    if bold:
        return 0 if line.caps else 1
    return 2 if line.caps else 3 if line.italic else 4
