"""Every number that a printed text holds, in all ways it may be read.

Comes in: a piece of a line (a cell). Goes out: `Numeral`s with their place in the text: the values that the digits
may have (`1.250` is two), the sign as printed (minus before or after, brackets, `△`), what stands after it (`%`,
`万`, `千円`, `Mio.`) as a factor. Refuses nothing: a text without digits holds none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from pipeline import amounts

FIGURE = re.compile(r"\d(?:[\d.,'’٫٬ ]*\d)?|(?<![\w.,])[.,]\d+")
GROUP = re.compile(r"\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?")
FIGURES = re.compile(r"\d+")
PIECES = re.compile(r"[^\s]*\d")
MINUS_BEFORE = re.compile(r"(?:(?<![\w)])-|[△▲▵]|(?<![\w)])-\s?[^\w\s-]{1,3}|(?<![\w)])-\s)\s?$")
OPEN, SHUT = re.compile(r"\(\s?[^\w\s()-]{0,3}\s?$"), re.compile(r"^\s?[^\w\s()]{0,3}\s?\)")
TURNED_BEFORE, TURNED_AFTER = re.compile(r"^\s*\)\s?\(\s?$"), re.compile(r"^\s?\)\s?\(\s*$")
MINUS_AFTER = re.compile(r"^\s?(?:[^\w\s()-]\s?)?(?:-(?![\w-])|CR\b)")
PERCENT = re.compile(r"^\s?(?:%|per\s?cent\b|percent\b|Prozent\b)")
NOTES: tuple[tuple[str, int], ...] = (
    (r"百万円|\bin millions|\bmillions of|millones de|en millions|in millioni|em milhões|in Mio|במיליוני", 1_000_000),
    (r"千円|千元|仟元|in thousands|\$000|£000|€000|[’']000s?\b|\bT€|\bTEUR|\bTsd|\bk€|miles de|en milliers"
     r"|in migliaia|em milhares|באלפי|אלפי ש|x\s?1[., ]?000\b|in duizenden|tys\.|хиљад|тыс", 1_000),
    (r"万円|万元|萬元", 10_000), (r"億円|亿元", 100_000_000),
)  # fmt: skip
FACTORS = {
    "万": 10_000, "萬": 10_000, "千": 1_000, "仟": 1_000, "百万": 1_000_000, "億": 100_000_000, "亿": 100_000_000,
    "兆": 10**12, "k": 1_000, "tsd": 1_000, "t€": 1_000, "teur": 1_000, "m": 1_000_000, "mn": 1_000_000,
    "mio": 1_000_000, "mln": 1_000_000, "million": 1_000_000, "millions": 1_000_000, "millionen": 1_000_000,
    "mrd": 10**9, "bn": 10**9, "billion": 10**9, "thousand": 1_000, "אלף": 1_000, "מיליון": 1_000_000,
    "مليون": 1_000_000, "ألف": 1_000, "tys": 1_000, "тыс": 1_000, "млн": 1_000_000,
}  # fmt: skip
FACTOR = re.compile(rf"^\s?({'|'.join(sorted(map(re.escape, FACTORS), key=len, reverse=True))})(?![a-zà-ÿ])", re.I)


TENS = {"百": 100, "千": 1_000, "万": 10_000, "萬": 10_000, "億": 10**8, "亿": 10**8, "兆": 10**12}
SEN = re.compile(r"(\d[\d,]*)\s?円\s?(\d{1,2})\s?銭")
COMPOUND = re.compile(
    r"(?:\d[\d,.]*[百千万萬億亿兆]+){2,}(?:\d[\d,]*)?|\d[\d,.]*[万萬億亿兆]+\d[\d,]*|\d[\d,.]*[百千][万萬億亿]"
)
UNITS = re.compile(r"(\d[\d,.]*)([百千万萬億亿兆]*)")


class Numeral(NamedTuple):
    """A number at text[start:end]. values: all readings without their sign; negative: as printed; factor: by a unit
    word right after it, else 1; percent: a % after it; part: of a longer run of figures, such as a date's day; either:
    a percent in brackets, `(10%)`, which are a minus or none.
    """

    start: int
    end: int
    values: tuple[Decimal, ...]
    negative: bool
    factor: int
    percent: bool
    part: bool
    either: bool = False


def note(text: str) -> int:
    """The factor that a text announces for the amounts around it (`in thousands`, `(千円)`), else 1."""
    return next((factor for pattern, factor in NOTES if re.search(pattern, text, re.I)), 1)


@lru_cache(maxsize=65536)
def values(digits: str) -> tuple[Decimal, ...]:
    """The readings of figures without sign and currency, the likelier first; none where they are no number."""
    found = amounts.parse(digits, None)
    if found is None:
        return (Decimal(digits),) if digits.isdecimal() and digits.isascii() else ()
    return (found.value,) if found.other is None else (found.value, found.other)


@lru_cache(maxsize=65536)
def numerals(text: str) -> tuple[Numeral, ...]:
    """All numbers of a text; a run of figures is read as a whole, in groups, and piece by piece."""
    if not any(char.isdecimal() for char in text):
        return ()
    even = _even(text)
    found: dict[tuple[int, int], Numeral] = {}
    for run in FIGURE.finditer(even):
        for start, end, part in _parts(run[0]):
            span = run.start() + start, run.start() + end
            if span not in found and (readings := values(even[slice(*span)])):
                part = part or any(one[0] <= span[0] and span[1] <= one[1] for one in found)
                found[span] = _numeral(even, span, readings, part)
    for span, value in _compounds(even):
        found[span] = _numeral(even, span, (value,), False)
    return tuple(found.values())


def _parts(run: str) -> Iterator[tuple[int, int, bool]]:
    """The run, its groups of thousands, what spaces part, and the figures of what is no number (`31.12.2023`): start,
    end, and whether it is known to be a part only.
    """
    yield 0, len(run), False
    for found in GROUP.finditer(run):
        yield *found.span(), False
    for piece in PIECES.finditer(run):
        yield *piece.span(), False
        if not values(piece[0]):
            for figures in FIGURES.finditer(piece[0]):
                yield piece.start() + figures.start(), piece.start() + figures.end(), True


def _even(text: str) -> str:
    """Figures, signs and spaces as ASCII, character for character."""
    if text.isascii():
        return text
    return "".join(_ascii(char) for char in text)


@lru_cache(maxsize=4096)
def _ascii(char: str) -> str:
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    even = amounts.normal(char)
    return even if len(even) == 1 else (" " if char.isspace() else char)


def _numeral(text: str, span: tuple[int, int], readings: tuple[Decimal, ...], part: bool) -> Numeral:
    before, after = text[max(0, span[0] - 6) : span[0]], text[span[1] : span[1] + 12]
    opened, shut = OPEN.search(before), SHUT.match(after)
    turned = TURNED_AFTER.match(after) or TURNED_BEFORE.match(text[: span[0]])  # brackets of lines read from the right
    bracketed = opened is not None and shut is not None
    either = bracketed and "%" in f"{before[-4:]}{after[:4]}"
    negative = (
        bracketed
        or turned is not None
        or MINUS_BEFORE.search(before) is not None
        or MINUS_AFTER.match(after) is not None
    )
    unit = FACTOR.match(after)
    factor = FACTORS[unit[1].casefold()] if unit else 1
    return Numeral(*span, readings, negative, factor, PERCENT.match(after) is not None, part, either)


def _compounds(text: str) -> Iterator[tuple[tuple[int, int], Decimal]]:
    """What figures and units make together: `86円42銭` is 86.42, `12億3千万` is 1 230 000 000."""
    for found in SEN.finditer(text):
        yield found.span(), Decimal(found[1].replace(",", "")) + Decimal(found[2]) / 100
    for found in COMPOUND.finditer(text):
        total = Decimal(0)
        for figures, units in UNITS.findall(found[0]):
            size = Decimal(figures.replace(",", "") or 1)
            for unit in units:
                size *= TENS[unit]
            total += size
        yield found.span(), total
