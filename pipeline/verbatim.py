"""What of a text counts when words are compared: letters, digits and punctuation; not how the lines were set.

Comes in: text. Goes out: `Bare`, the text without spaces, line breaks, hyphens, quote marks and the signs of lists and
tables, with the way back to each character; where another `Bare` stands in it; the differences between two texts.
Any other letter or digit counts, and its case. Kept of what is dropped elsewhere: a minus sign, the hyphen of a range
(`10-15`), and that two numbers are two (`30 60` is not `3060`, while `1 000` is `1000`). Refuses nothing.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain
from typing import Literal, NamedTuple

from pipeline.terms import plainly

DASHES = "-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
HYPHENS = "-\u00ad\u2010\u2011\ufe63\uff0d"
QUOTES = "\"'`´\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb\u2039\u203a\uff02\uff07"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"
BULLETS = "|•◦▪■●○‣·➢✓\uf0b7"
DROPPED = re.compile(rf"[\s{re.escape(DASHES + QUOTES + UNSEEN + BULLETS)}]+")
MINUS = re.compile(r"(?:^|[\s(])[-\u2012\u2013\u2212]$|\u2212$")
ENDS = " .,;:!?…()[]{}*_"
MONEY = "€$£¥"
NUMBER_GOES_ON = re.compile(r"\d[.,]\d")
TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*")
LOOKALIKES = str.maketrans("АВЕКМНОРСТУХаеорсухіјѕԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXaeopcyxijsdhABEZHIKMNOPTYXo")

Kind = Literal["case", "diacritics", "look-alike letters", "script", "figures", "words", "punctuation"]


@dataclass(frozen=True)
class Bare:
    """text as given; bare: what counts of it; its pieces begin at `bare_starts` and stand in the text at `starts`."""

    text: str
    bare: str
    bare_starts: tuple[int, ...]
    starts: tuple[int, ...]

    def offset(self, at: int) -> int:
        """Where in the text the character `at` of `bare` stands."""
        piece = bisect_right(self.bare_starts, at) - 1
        offset = self.starts[piece] + at - self.bare_starts[piece]
        return min(offset, self.starts[piece + 1] - 1) if piece + 1 < len(self.starts) else offset

    def slice(self, start: int, end: int) -> tuple[int, int]:
        """The part of the text, as offsets, that the characters [start, end) of `bare` stand for."""
        stop = self.offset(end - 1) + 1
        while stop < len(self.text) and unicodedata.combining(self.text[stop]):
            stop += 1
        return self.offset(start), stop

    def index(self, offset: int) -> int:
        """The first character of `bare` that stands at the text's `offset` or behind it."""
        piece = bisect_right(self.starts, offset) - 1
        if piece < 0:
            return 0
        end = self.bare_starts[piece + 1] if piece + 1 < len(self.bare_starts) else len(self.bare)
        return min(self.bare_starts[piece] + offset - self.starts[piece], end)


def bare(text: str) -> Bare:
    """What counts of the text."""
    pieces: list[str] = []
    bare_starts: list[int] = []
    starts: list[int] = []
    length = 0
    for start, piece in _pieces(text):
        bare_starts.append(length)
        starts.append(start)
        pieces.append(piece)
        length += len(piece)
    return Bare(text, "".join(pieces), tuple(bare_starts), tuple(starts))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Parts that count, each with where it stands; a sign that stands for a dropped run has a part of its own."""
    at = 0
    for run in chain(DROPPED.finditer(text), [None]):
        start, end = run.span() if run else (len(text), len(text))
        if start > at:
            yield from _composed(text, at, start)
        if run and (sign := _sign(text, start, end)):
            yield end - 1, sign
        at = end


def _composed(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """A part in one spelling: ligatures apart, letters and their accents together."""
    part = text[start:end]
    if unicodedata.is_normalized("NFKC", part):
        yield start, part
        return
    at = start
    while at < end:
        stop = at + 1
        while stop < end and unicodedata.combining(text[stop]):
            stop += 1
        yield at, "".join(unicodedata.normalize("NFKC", text[at:stop]).split())
        at = stop


def _sign(text: str, start: int, end: int) -> str:
    """What a dropped run still says between numbers: `-` of a range or a minus, ` ` between two numbers, or nothing."""
    before, after = text[start - 1 : start], text[end : end + 1]
    run = text[start:end]
    if before.isdigit() and after.isdigit():
        if any(char in DASHES for char in run):
            return "-"
        celled = "|" in run
        return "" if (run.strip() and not celled) or _grouped(text, start, end) else " "
    signed = after.isdigit() or (after != "" and after in MONEY)
    return "-" if signed and MINUS.search(before + run) else ""


def _grouped(text: str, start: int, end: int) -> bool:
    """Whether a space between digits groups thousands, or two cells read so: at most three before it, exactly three
    behind it.
    """
    before = re.search(r"(?<![\d.,])\d{1,3}(?:\s\d{3})*$", text[max(0, start - 16) : start])
    alone = end - start == 1 or "|" in text[start:end]
    return bool(before and alone and re.match(r"\d{3}(?!\d)", text[end : end + 4]))


def needle(text: str) -> str:
    """What is looked for where a text is quoted: without the punctuation at either end, which a quote may add."""
    return bare(text).bare.strip(ENDS)


def occurrences(within: Bare, sought: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Where `sought` (as `needle` gives it) stands in whole words within [start, end) of the bare text."""
    stop = len(within.bare) if end is None else end
    at = within.bare.find(sought, start, stop) if sought else -1
    while at >= 0:
        if _parted(within, at - 1) and _parted(within, at + len(sought) - 1):
            yield at
        at = within.bare.find(sought, at + 1, stop)


def _parted(within: Bare, at: int) -> bool:
    """Whether a word ends with the bare character `at`: `twenty-five`, `1.5` and `10-15` are one each."""
    if at < 0 or at + 1 >= len(within.bare):
        return True
    one, other = within.bare[at], within.bare[at + 1]
    if one == "-" or other == "-":
        return not (one.isdigit() or other.isdigit() or one in MONEY or other in MONEY)
    here, there = within.offset(at), within.offset(at + 1)
    gap = within.text[here + 1 : there]
    if one.isalnum() and other.isalnum():
        return gap != "" and gap[0] not in HYPHENS and gap not in ("'", "\u2019")
    if gap or (one not in ".," and other not in ".,"):
        return True
    return not NUMBER_GOES_ON.match(within.text, here if one.isdigit() else max(0, here - 1))


class Difference(NamedTuple):
    """Words that differ: as quoted, as printed (either may be empty), and what kind of difference it is."""

    quoted: str
    printed: str
    kind: Kind

    def told(self) -> str:
        if not self.printed:
            return f"“{self.quoted}” is not printed"
        if not self.quoted:
            return f"“{self.printed}” is left out"
        return f"“{self.quoted}” is printed “{self.printed}” ({self.kind})"


def differences(quoted: str, printed: str) -> tuple[Difference, ...]:
    """What differs between two texts, word by word; nothing where they count as the same."""
    one, other = (tokens(text) for text in (quoted, printed))
    matcher = SequenceMatcher(None, [token.bare for token in one], [token.bare for token in other], autojunk=False)
    found = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        mine = quoted[one[a].start : one[b - 1].end] if b > a else ""
        theirs = printed[other[c].start : other[d - 1].end] if d > c else ""
        found.append(Difference(mine, theirs, _kind(mine, theirs)))
    if not found and needle(quoted) != needle(printed):
        return (Difference(" ".join(quoted.split()), " ".join(printed.split()), "punctuation"),)
    return tuple(found)


class Token(NamedTuple):
    """A word or number of a text, and where it stands; words with a hyphen are one."""

    bare: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The words of a text, in order; one that is broken at a line's end is whole."""
    found: list[Token] = []
    for match in TOKEN.finditer(text):
        start, end = match.span()
        gap = text[found[-1].end : start] if found else " "
        joined = gap.strip() and all(char in HYPHENS or char.isspace() for char in gap) and gap[0] in HYPHENS
        if found and joined and match[0][0].isalpha() and text[found[-1].end - 1].isalpha():
            found[-1] = Token(found[-1].bare + bare(match[0]).bare, found[-1].start, end)
        else:
            found.append(Token(bare(match[0]).bare, start, end))
    return found


def _kind(quoted: str, printed: str) -> Kind:
    one, other = bare(quoted).bare, bare(printed).bare
    if one == other:
        return "punctuation"
    if one.casefold() == other.casefold():
        return "case"
    if one.translate(LOOKALIKES) == other.translate(LOOKALIKES):
        return "look-alike letters"
    if _unaccented(one) == _unaccented(other):
        return "diacritics"
    if plainly(quoted) and plainly(quoted) == plainly(printed):
        return "script"
    return "figures" if any(map(str.isdigit, one + other)) else "words"


def _unaccented(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.replace("đ", "d").replace("Đ", "D").replace("ł", "l"))
    return "".join(char for char in apart if not unicodedata.combining(char))
