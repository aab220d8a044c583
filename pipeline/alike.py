"""Whether two reads of one value say the same: amounts as numbers, dates as dates, identifiers character by character.

Comes in: a field's kind, two texts, the habits of the document. Goes out: a `Check` that names what differs:
letters of two scripts that look alike, accents, 7 and 1, 0 and O, a lost sign or decimal mark. Refuses nothing.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

from pipeline import amounts
from pipeline.habits import Habits
from pipeline.model import Check
from pipeline.verbatim import LOOKALIKES

NAME = "second reader"
NUMBERS = frozenset({"amount", "rate", "quantity"})
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
QUOTES = str.maketrans(dict.fromkeys("„“”«»″", '"') | dict.fromkeys("‘’‚`´′", "'"))
_CENTS = re.compile(r"\d{1,3}([.,:;' ]?\d{3})*[.,:;]\d\d")
TWINS = {
    frozenset(pair): told
    for pairs, told in (
        ("71", "7 and 1"),
        ("1l 1I 1i 1| lI Il 1!", "1 and letters like it"),
        ("0O 0o 0D 0Q 0О 0о OD", "0 and O"),
        ("З3 З3 з3 Э3", "З and 3"),
        ("В8 B8", "B and 8"),
        ("5S 5s", "5 and S"),
        ("2Z 2z", "2 and Z"),
        ("6б 6G 6b", "6 and letters like it"),
        (".,", "point and comma"),
    )
    for pair in pairs.split()
}


def compare(kind: str, first: str, second: str, habits: Habits) -> Check:
    """Passed where both reads say the same; failed with what differs. kind: amount, rate, date, identifier or text."""
    if same(kind, first, second, habits):
        return Check(NAME, "passed", f"both readers say {first}")
    if not second:
        return Check(NAME, "failed", f"“{first}”; a second reader sees nothing there")
    if not first:
        return Check(NAME, "failed", f"“{second}” to a second reader only")
    return Check(NAME, "failed", told(first, second))


def told(first: str, second: str) -> str:
    """Two reads and what differs between them, in words."""
    return f"“{first}”, or “{second}” to a second reader: {difference(first, second)}"


def changed(first: str, second: str) -> str:
    """The characters of the second read that the first has not in their place."""
    one, other = signs(first), signs(second)
    apart = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return "".join(other[c:d] for tag, _, _, c, d in apart if tag != "equal")


def same(kind: str, first: str, second: str, habits: Habits) -> bool:
    """Whether both reads say the same value."""
    if not first or not second:
        return False
    if kind in NUMBERS and (one := amounts.parse(first, habits.decimal, percent=True)):
        if cents(first) and cents(first) == cents(second):
            return True
        other = amounts.parse(second, habits.decimal, percent=True)
        return other is not None and (one.value, one.currency) == (other.value, other.currency) and not one.ambiguous
    if kind == "date" and (day := amounts.date(first, habits.day_first)):
        return amounts.date(second, habits.day_first) == day
    return signs(first) == signs(second)


def cents(text: str) -> str:
    """The digits of an amount with two decimals, whatever stands for its points and commas; else nothing."""
    return "".join(filter(str.isdigit, text)) if _CENTS.fullmatch(text) else ""


def printed(digits: str, decimal: str) -> str:
    """An amount of so many cents as a document prints it whose decimal sign that is."""
    whole, apart = digits[:-2], "." if decimal == "," else ","
    groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)]
    return f"{apart.join(reversed(groups))}{decimal}{digits[-2:]}"


def sound(kind: str, text: str, habits: Habits) -> bool:
    """Whether a read has the form of its kind, as this document prints it."""
    if kind == "date":
        return amounts.date(text, habits.day_first) is not None
    if kind not in NUMBERS:
        return bool(text)
    found = amounts.parse(text, habits.decimal, percent=True)
    written = amounts.separator([text]).decimal
    return found is not None and written in (None, habits.decimal or written)


def signs(text: str) -> str:
    """The characters that count: all but spaces, in one spelling, with one kind of dash and of quote mark."""
    return "".join(unicodedata.normalize("NFKC", text).translate(DASHES).translate(QUOTES).split())


def difference(first: str, second: str) -> str:
    """What differs between two reads, in words."""
    one, other = signs(first), signs(second)
    if one == other:
        return "how the number is to be read"
    if one.translate(LOOKALIKES) == other.translate(LOOKALIKES):
        return "letters of two scripts that look alike"
    if _bare(one) == _bare(other):
        return "accents"
    if one.casefold() == other.casefold():
        return "capitals"
    if "".join(filter(str.isalnum, one)) == "".join(filter(str.isalnum, other)):
        return "signs between the figures and letters"
    apart = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    told = [_told(one[a:b], other[c:d]) for tag, a, b, c, d in apart if tag != "equal"]
    return ", ".join(dict.fromkeys(told))


def _bare(text: str) -> str:
    """Without accents."""
    apart = unicodedata.normalize("NFKD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(char for char in apart if not unicodedata.combining(char))


def _told(mine: str, theirs: str) -> str:
    """A part that differs."""
    twins = [TWINS.get(frozenset(pair)) for pair in zip(mine, theirs, strict=False)]
    if len(mine) == len(theirs) and all(twins):
        return ", ".join(dict.fromkeys(twin for twin in twins if twin))
    if not mine or not theirs:
        return f"“{mine or theirs}” is seen by one of them"
    return f"“{mine}” or “{theirs}”"
