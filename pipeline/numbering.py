"""The grammar of printed numbers: `4.2`, `Article IV`, `Section 7.3(b)`, `§ 5`, `Члан 5`, `Schedule 2`, `B-3`, `(a)`.

Comes in: the text of a line. Goes out: `Numbering`, or None where the line does not begin with a number of its own.
What may follow a number (a title, a sentence) is for the caller to judge.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Style = Literal["decimal", "roman", "letter", "coded", "parenthesised"]
Keyword = Literal["", "part", "chapter", "article", "section", "schedule", "appendix", "item"]

KEYWORDS: dict[Keyword, str] = {
    "part": "part teil partie parte deo део deel book livre title titel",
    "chapter": "chapter kapitel chapitre capitolo capítulo hoofdstuk glava глава poglavlje поглавље",
    "article": "article artikel art articolo artículo član члан čl чл",
    "section": "section abschnitt ziffer sezione sección sectie odeljak одељак sec clause klausel klauzula § §§",
    "schedule": "schedule prilog прилог anlage bijlage allegato",
    "appendix": "appendix annex annexe anhang exhibit anexo appendice dodatak додатак",
    "item": "item tačka тачка pos",
}
ANNEXES: tuple[Keyword, ...] = ("schedule", "appendix")
BY_WORD: dict[str, Keyword] = {word: key for key, words in KEYWORDS.items() for word in words.split()}
ROMAN = r"(?:M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
ENDED = r"(?=[.\s):–—-]|$)"
CAPITAL = "[A-ZА-ЯЂЈЉЊЋЏ]"
NUMBER = rf"(?:\d{{1,3}}[A-Z]?(?:\.\d{{1,3}}[A-Za-z]?)*|{CAPITAL}(?:[.-]\d{{1,3}})+|{ROMAN}{ENDED}|{CAPITAL}{ENDED})"
ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
TENS = {"twenty": 20, "thirty": 30, "forty": 40}
BY_NUMBER_WORD = {word: count for count, word in enumerate((*ONES, *TEENS), 1)} | TENS
BY_NUMBER_WORD |= {ten + one: count + BY_NUMBER_WORD[one] for ten, count in TENS.items() for one in ONES}
WORDS = "|".join([f"(?:{'|'.join(TENS)})-?(?:{'|'.join(ONES)})", *sorted(BY_NUMBER_WORD, key=len, reverse=True)])
WRITTEN = rf"\d{{1,3}}\.\s0\d(?!\d)|(?:{WORDS})(?=[.\s:–—-]|$)"  # `8. 01`, which is spaced so, and words
SUBCLAUSE = r"(?:\([A-Za-z]{1,5}\)|\(\d{1,3}\))"
KEYWORDED = re.compile(
    rf"(?P<word>{'|'.join(sorted(map(re.escape, BY_WORD), key=len, reverse=True))})(?:\.?\s+|(?<=§)|\.(?=\d))"
    rf"(?P<number>(?:{WRITTEN}|{NUMBER})(?:\s?{SUBCLAUSE})*)(?P<end>[.:)]?)(?=\s|[–—:-]|$)",
    re.IGNORECASE,
)
PLAIN = re.compile(
    rf"(?P<number>\d{{1,3}}[A-Z]?(?:\.\d{{1,3}}[A-Z]?)*(?:\.\d{{1,3}}[A-Za-z])?|{CAPITAL}(?:[.-]\d{{1,3}})+|{ROMAN}|{CAPITAL})"
    rf"(?P<end>[.)]?)(?=\s|$)"
)
LETTER = "[a-zа-яђјљњћџ]"
PARENTHESISED = re.compile(
    rf"\((?P<number>[a-z]{{1,5}}|[A-Z]{{1,4}}|\d{{1,3}}|{LETTER}|{CAPITAL})\)(?=\s|$)|(?P<half>{LETTER})\)(?=\s)"
)
SPACED = re.compile(r"(?<=\d)\.\s(?=0\d)")
ROMAN_ONLY = re.compile(ROMAN, re.IGNORECASE)
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


@dataclass(frozen=True)
class Numbering:
    """A printed number.

    label: as printed, without the full stop at its end. path: its parts (("7", "3", "b")). rest: the text after it.
    bare: a lone number or letter without keyword or full stop, which says little by itself.
    """

    label: str
    keyword: Keyword
    style: Style
    path: tuple[str, ...]
    rest: str
    bare: bool = False

    @property
    def depth(self) -> int:
        return len(self.path)


def keyword(text: str) -> Keyword:
    """The keyword that `text` is, all of it (`CHAPTER`), in capitals or with one; "" where it is none."""
    return BY_WORD.get(text.lower(), "") if text[:1].isupper() else ""


def parse(text: str) -> Numbering | None:
    """The number that `text` begins with."""
    if match := KEYWORDED.match(text):
        number = match["number"]
        if not number or (number.islower() and _counted(number)):
            return None
        if match["word"] == "§" or match["word"].istitle() or match["word"].isupper():
            keyword = BY_WORD[match["word"].lower()]
            rest = text[match.end() :].lstrip(" .:–—-\t")
            return Numbering(_label(match), keyword, _style(number), _path(number), rest)
    if match := PARENTHESISED.match(text):
        number = match["number"] or match["half"]
        return Numbering(match[0], "", "parenthesised", (number,), text[match.end() :].lstrip())
    if (match := PLAIN.match(text)) and match["number"]:
        number = match["number"]
        bare = not match["end"] and "." not in number and "-" not in number
        return Numbering(number, "", _style(number), _path(number), text[match.end() :].lstrip(), bare)
    return None


def _label(match: re.Match[str]) -> str:
    printed = match[0].removesuffix(match["end"]) if match["end"] else match[0]
    return SPACED.sub(".", printed).strip()


def _path(number: str) -> tuple[str, ...]:
    if count := _counted(number):
        return (str(count),)
    return tuple(part for part in re.split(r"[.\-()\s]+", number) if part)


def _counted(number: str) -> int:
    """What a number in words counts; 0 where it is in figures or letters."""
    return BY_NUMBER_WORD.get(number.lower().replace("-", ""), 0)


def _style(number: str) -> Style:
    if number[:1].isdigit() or _counted(number):
        return "decimal"
    if "." in number or "-" in number:
        return "coded"
    return "roman" if (ROMAN_ONLY.fullmatch(number) and len(number) > 1) or number.upper() in "IVX" else "letter"


def value(part: str, style: Style) -> int:
    """The place of one part in its count (`IV` → 4, `c` → 3, `12` → 12); 0 where it has none."""
    if part.isdigit():
        return int(part)
    digits = re.match(r"\d+", part)
    if digits:
        return int(digits[0])
    if style == "roman" and ROMAN_ONLY.fullmatch(part):
        return _roman(part.upper())
    return ord(part.lower()) - 96 if len(part) == 1 and part.isascii() else 0


def _roman(text: str) -> int:
    total = 0
    for one, following in zip(text, [*text[1:], ""], strict=True):
        step = VALUES[one]
        total += -step if following and VALUES[following] > step else step
    return total
