"""Amounts, dates and currencies as they are printed, turned into exact values.

Comes in: the text of a cell, and what is known of the document's habits (decimal separator, day before month).
Goes out: `Amount`, `Separator`, `Date`. Refused with None: whatever is no amount or date (part codes, IBANs,
`1.2.3`, percentages unless asked for). What stays ambiguous says so and carries both readings; nothing is guessed.
A trailing or leading `CR` negates, `DR` does not; `Amount.mark` keeps it for fields with another convention.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

Point = Literal[",", "."]
Mark = Literal["", "CR", "DR"]

_CODES = """
    AED ALL ARS AUD BAM BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY KES KRW KWD
    LKR MAD MDL MKD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND
    ZAR
"""
CODES = frozenset(_CODES.split())
PLUS = " + "  # between the amounts of several cells that are one value
SIGNS = {
    "€": "EUR", "Euro": "EUR", "euro": "EUR", "EURO": "EUR", "Eur": "EUR", "eur": "EUR",
    "$": "USD", "US$": "USD", "S$": "SGD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "C$": "CAD", "CA$": "CAD",
    "HK$": "HKD", "R$": "BRL", "MX$": "MXN", "NT$": "TWD", "£": "GBP", "¥": "JPY", "￥": "JPY", "₹": "INR",
    "Rs.": "INR", "Rs": "INR", "RS.": "INR", "Kč": "CZK", "zł": "PLN", "Ft": "HUF", "₽": "RUB", "руб.": "RUB",
    "руб": "RUB", "₴": "UAH", "₺": "TRY", "TL": "TRY", "₪": "ILS", "₩": "KRW", "₫": "VND", "₱": "PHP", "฿": "THB",
    "дин.": "RSD", "дин": "RSD", "din.": "RSD", "din": "RSD", "РСД": "RSD", "KM": "BAM", "КМ": "BAM", "лв.": "BGN",
    "лв": "BGN", "SFr.": "CHF", "SFr": "CHF", "Fr.": "CHF", "lei": "RON", "kn": "HRK",
}  # fmt: skip

_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\u00ad\uff0d\ufe63", "-"),
        **dict.fromkeys("\u00a0\u202f\u2009\u2007\u2008\u200a\u3000\t", " "),
        **dict.fromkeys("\u2019\u2018\u02bc\u00b4\u055a\uff07", "'"),
        **dict.fromkeys("\u200b\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff", None),
        "\uff0c": ",", "\uff0e": ".", "\uff08": "(", "\uff09": ")", "\uff0b": "+", "\uff05": "%", "\u066a": "%",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Amount:
    """An amount; `currency` is an ISO code or empty, `places` the decimals printed, `mark` a CR or DR beside it.

    ambiguous: the text has another reading, `other`; `value` is then the one whose separator is the decimal one.
    """

    value: Decimal
    currency: str
    ambiguous: bool
    places: int = 0
    mark: Mark = ""
    other: Decimal | None = None


@dataclass(frozen=True)
class Separator:
    """The decimal separator of a document, why, and the texts that stay ambiguous (none where it is known)."""

    decimal: Point | None
    evidence: tuple[str, ...]
    ambiguous: tuple[str, ...]


@dataclass(frozen=True)
class Date:
    """An ISO date; ambiguous: day and month could change places."""

    iso: str
    ambiguous: bool


class _Reading(NamedTuple):
    value: Decimal
    point: str
    group: str
    places: int

    @property
    def decimal(self) -> Point | None:
        """The decimal separator that this reading implies."""
        match self.point, self.group:
            case (".", _) | ("", ","):
                return "."
            case (",", _) | ("", "."):
                return ","
        return None


class _Bare(NamedTuple):
    core: str
    minus: int
    brackets: int
    currency: str
    mark: Mark


def normal(text: str) -> str:
    """Dashes, spaces, apostrophes and digits of other scripts as ASCII; marks of direction dropped."""
    if text.isascii():
        return text.strip()
    text = text.translate(_SAME)
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text).strip()


def plain(value: Decimal) -> str:
    """The value in digits: a point, no exponent, no sign on zero."""
    if not value.is_finite():
        raise ValueError(f"{value} is no amount")
    return format(abs(value) if value.is_zero() else value, "f")


@lru_cache(maxsize=65536)
def parse(text: str, decimal: Point | None, percent: bool = False) -> Amount | None:
    """The amount that `text` is as a whole, or None.

    decimal: the document's separator; it decides only what the form leaves open (`1.250`). Currency before or
    after, brackets, minus before or after, CR, DR and OD (overdrawn) are understood. percent: take `7,5 %` too, as 7.5.
    """
    bare = _peeled(normal(text), percent)
    if bare is None or bare.minus > 1 or bare.brackets > 1:
        return None
    readings = _readings(bare.core)
    if not readings:
        return None
    if len(readings) > 1 and decimal:
        readings = tuple(reading for reading in readings if reading.decimal == decimal)
    first, *others = readings
    negations = bare.minus + bare.brackets + (bare.mark == "CR")
    sign = -1 if negations else 1
    other = sign * others[0].value if others else None
    return Amount(sign * first.value, bare.currency, bool(others) or negations > 1, first.places, bare.mark, other)


_LETTERED = "|".join(sorted((re.escape(s) for s in {*SIGNS, *CODES} if s[0].isalpha()), key=len, reverse=True))
_SYMBOLS = "|".join(re.escape(s) for s in SIGNS if not s[0].isalpha())
_BEFORE = re.compile(
    rf"(?P<minus>-)|(?P<plus>\+)|(?P<percent>%)|(?P<currency>(?:{_LETTERED})(?![^\W\d_])|{_SYMBOLS})"
    r"|(?P<mark>[CD][Rr]\.?(?![^\W\d_]))"
)
_AFTER = re.compile(
    r"(?:(?P<minus>-)|(?P<plus>\+)|(?P<percent>%)"
    rf"|(?P<currency>(?<![^\W\d_])(?:{_LETTERED})|{_SYMBOLS})"
    r"|(?<![^\W\d_])(?P<mark>[CDcd][Rr]\.?)|(?<=[.,]\d\d)\s?(?P<soll>[SH]|OD))$"
)
_DASHED = re.compile(r"(?<=\d)[.,]-{1,2}(?=\D*$)")
_CORE = re.compile(r"[\d.,' \u066b\u066c]*\d")


def _peeled(text: str, percent: bool) -> _Bare | None:
    """The digits of `text` without all that may stand around them; None where something else does."""
    text = _DASHED.sub("", text)
    seen: Counter[str] = Counter()
    currencies: set[str] = set()
    marks: set[Mark] = set()
    while text and not _CORE.fullmatch(text):
        if text[0] == "(" and text[-1] == ")":
            seen["brackets"] += 1
            text = text[1:-1].strip()
            continue
        found = _BEFORE.match(text) or _AFTER.search(text)
        if not found or not found.lastgroup:
            return None
        part, kind = found[found.lastgroup], found.lastgroup
        seen[kind] += 1
        if kind == "currency":
            currencies.add(SIGNS.get(part, part))
        elif kind in ("mark", "soll"):
            marks.add("CR" if part[0] in "CcH" else "DR")
        text = (text[: found.start()] + text[found.end() :]).strip()
    if not text or len(currencies) > 1 or len(marks) > 1 or seen["plus"] + seen["minus"] > 1:
        return None
    if bool(seen["percent"]) and not percent:
        return None
    return _Bare(text, seen["minus"], seen["brackets"], "".join(currencies), next(iter(marks), ""))


_WHOLE = re.compile(r"0|[1-9]\d{0,11}")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?P<group>[.,' \u066c])\d{3}(?:(?P=group)\d{3})*")
_INDIAN = re.compile(r"[1-9]\d?(?:,\d\d)+,\d{3}")


def _readings(core: str) -> tuple[_Reading, ...]:
    """All ways to read the digits: none, one, or two (the separator as the decimal one first)."""
    found = []
    for point in ".,\u066b":
        head, mark, tail = core.rpartition(point)
        if mark and tail.isdigit() and (whole := _whole(head)) is not None and whole[1] != point:
            found.append(_Reading(Decimal(f"{whole[0]}.{tail}"), point, whole[1], len(tail)))
    if core and (whole := _whole(core)) is not None:
        found.append(_Reading(Decimal(whole[0]), "", whole[1], 0))
    return tuple(found)


def _whole(digits: str) -> tuple[str, str] | None:
    """A whole number's digits and its group separator (empty: none)."""
    if not digits:
        return "0", ""
    if _WHOLE.fullmatch(digits):
        return digits, ""
    if found := _GROUPED.fullmatch(digits):
        return digits.replace(found["group"], ""), found["group"]
    if _INDIAN.fullmatch(digits):
        return digits.replace(",", ""), ","
    return None


_CURRENCY = re.compile(rf"(?<![^\W\d_])(?:{_LETTERED})(?![^\W\d_])|{_SYMBOLS}")


def currency(text: str) -> str:
    """The ISO code of the one currency that `text` names, or empty: none, or several."""
    found = {SIGNS.get(part, part) for part in _CURRENCY.findall(text)}
    return found.pop() if len(found) == 1 else ""


def separator(texts: Iterable[str]) -> Separator:
    """The decimal separator that all amounts among `texts` agree on.

    Telling: both separators in one amount, groups that repeat, cents. Only where nothing of the kind is there do
    other lengths of decimals count. Where the telling ones contradict each other the answer is None.
    """
    telling: dict[Point, Counter[str]] = {".": Counter(), ",": Counter()}
    weak: dict[Point, Counter[str]] = {".": Counter(), ",": Counter()}
    open_texts: list[str] = []
    for text, count in Counter(texts).items():
        bare = _peeled(normal(text), percent=True)
        readings = _readings(bare.core) if bare else ()
        if len(readings) == 2:
            open_texts.append(text)
        elif readings and (decimal := readings[0].decimal):
            strong = readings[0].places == 2 or readings[0].group in (".", ",")
            (telling if strong else weak)[decimal][text] += count
    votes = telling if telling["."] or telling[","] else weak
    return _judged(votes, open_texts)


def _judged(votes: dict[Point, Counter[str]], open_texts: list[str]) -> Separator:
    evidence = []
    names: dict[Point, str] = {",": "comma", ".": "point"}
    for decimal, counted in votes.items():
        if counted:
            total, example = counted.total(), max(counted, key=len)
            evidence.append(f"{total} amount{'s' * (total > 1)} such as {example}: decimal {names[decimal]}")
    winners = [decimal for decimal, counted in votes.items() if counted]
    if len(winners) == 1:
        return Separator(winners[0], tuple(evidence), ())
    evidence.append("the amounts contradict each other" if winners else "no amount tells the decimal separator")
    return Separator(None, tuple(evidence), tuple(open_texts))


_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january januar janner janvier gennaio enero januari januara јануар јануара",
            "february februar fevrier febbraio febrero februari februara фебруар фебруара",
            "march marz mrz mars marzo maart mrt mart marta март марта",
            "april avril aprile abril aprila април априла",
            "may mai maggio mayo mei maj maja мај маја",
            "june juni juin giugno junio jun juna јун јуна јуни",
            "july juli juillet luglio julio jul jula јул јула јули",
            "august aout agosto augustus avgust avgusta август августа",
            "september septembre settembre septiembre setiembre septembar septembra септембар септембра",
            "october oktober octobre ottobre octubre oktobar oktobra октобар октобра",
            "november novembre noviembre novembar novembra новембар новембра",
            "december dezember decembre dicembre diciembre decembar decembra децембар децембра",
        ),
        start=1,
    )
    for name in names.split()
}
_YEAR = r"(?P<year>\d{4}|\d{2})"
_TAIL = r"(?:\.?\s?(?:god\.?|godine|год\.?|године))?\.?(?:,?\s+\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?)?"
_LINK = r"(?:\s*(?:de|del|of)\s+|[\s\-/.,']*)"
_ISO = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})" + _TAIL)
_NUMERIC = re.compile(rf"(?P<first>\d{{1,2}})(?P<sep>[-/.]\s?)(?P<second>\d{{1,2}})(?:\.?|(?P=sep){_YEAR}){_TAIL}")
_DAY_MONTH = re.compile(
    rf"(?:le\s)?(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.|º|°)?{_LINK}(?P<name>[^\W\d_]{{3,}})\.?(?:{_LINK}{_YEAR})?{_TAIL}",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"(?P<name>[^\W\d_]{{3,}})\.?[\s\-/]*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[\s,\-/']+{_YEAR})?{_TAIL}",
    re.IGNORECASE,
)


@lru_cache(maxsize=16384)
def date(text: str, day_first: bool, year: int | None = None) -> Date | None:
    """The date that `text` is as a whole (a time after it is left out), or None.

    day_first decides `03/04/2025`, which is ambiguous all the same; dots always put the day first.
    year: for dates printed without one; without it those are None.
    """
    text = normal(text)
    if not text or not any(c.isdigit() for c in text):
        return None
    if found := _ISO.fullmatch(text):
        return _dated(found["year"], int(found["month"]), int(found["day"]))
    if found := _NUMERIC.fullmatch(text):
        return _numeric(found, day_first, year)
    if found := _DAY_MONTH.fullmatch(text) or _MONTH_DAY.fullmatch(text):
        month = _month(found["name"])
        return _dated(found["year"] or year, month, int(found["day"])) if month else None
    return None


def _numeric(found: re.Match[str], day_first: bool, year: int | None) -> Date | None:
    first, second, dots = int(found["first"]), int(found["second"]), found["sep"].startswith(".")
    if not found["year"] and (not year or (found["sep"] == "-" and len(found["first"] + found["second"]) < 4)):
        return None  # `1-30` is a span
    day, month = (first, second) if day_first or dots else (second, first)
    if not dots and month > 12:
        day, month = month, day
    either = not dots and first != second and max(first, second) <= 12
    return _dated(found["year"] or year, month, day, either)


def is_month(name: str) -> bool:
    """Whether it is a month's name, or the beginning of one month's alone, in any of the languages."""
    return _month(name) is not None


def _month(name: str) -> int | None:
    """A month's number by its name or the beginning of it, three letters at least, in any of the languages."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    if bare in _MONTHS:
        return _MONTHS[bare]
    months = {month for full, month in _MONTHS.items() if full.startswith(bare)}
    return months.pop() if len(months) == 1 and len(bare) >= 3 else None


def _dated(year: str | int | None, month: int, day: int, ambiguous: bool = False) -> Date | None:
    if not year:
        return None
    number = int(year)
    if isinstance(year, str) and len(year) == 2:
        number += 2000 if number < 70 else 1900
    try:
        return Date(datetime.date(number, month, day).isoformat(), ambiguous)
    except ValueError:
        return None
