"""Text as it is searched: words in plain Latin letters, and the codes and numbers that stand in it, whole.

Comes in: any text. Goes out: words without case, accents and punctuation, Cyrillic in Latin letters, so that either
script finds the other; codes (`X-204`, `7.3(b)`, `316L`, `M8x40`, `1.847,00`) as one word each, their parts joined by
a low line, and the parts that stand for something by themselves. Refuses nothing.
"""

from __future__ import annotations

import re
import unicodedata

from pipeline.terms import LATIN

UNDECOMPOSED = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "ı": "i", "×": "x"})
FIGURE, FIGURED = re.compile(r"\d"), re.compile(r"\S*\d\S*")
WORD = re.compile(r"[^\W_]+")
PRINTED = re.compile(r"[^\W_]+(?:(?:[-./,:_]|\)?\(|\))[^\W_]+)*")
DASHES = str.maketrans(dict.fromkeys("‐‑‒–−", "-"))
TOUCHING = re.compile(r"(?<=[^\W\d_])_(?=\d)|(?<=\d)_(?=[^\W\d_])")
RUNS = re.compile(r"[^\W\d_]*\d+|[^\W\d_]{2,}")


def plain(text: str) -> str:
    """Lower case, without accents, in Latin letters; punctuation stays."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.casefold().translate(LATIN).translate(UNDECOMPOSED))
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    return bare.translate(LATIN).translate(DASHES)


def printed(text: str) -> list[str]:
    """The words of a text as they are printed, in order."""
    return WORD.findall(text if text.isascii() else unicodedata.normalize("NFC", text))


def words(text: str) -> list[str]:
    """The words of a text, in order; a code falls into its parts."""
    return WORD.findall(plain(text))


def codes(text: str) -> list[str]:
    """The codes and the numbers with marks inside, in order: each whole, also without marks between letters and
    figures (`x_204` and `x204`), then its parts that mix or are long.
    """
    return [form for parts in _codes(text) for form in _forms(parts)]


def printed_codes(text: str) -> list[str]:
    """The words that are or hold codes, as they are printed."""
    return list(dict.fromkeys(one.strip("?.,;:!") for one in text.split() if _codes(one)))


def whole_codes(text: str) -> list[str]:
    """The same without their parts."""
    return list(dict.fromkeys("_".join(parts) for parts in _codes(text)))


def _codes(text: str) -> list[list[str]]:
    """The parts of each code."""
    printed = [one for word in FIGURED.findall(text) for one in PRINTED.findall(plain(word)) if FIGURE.search(one)]
    split = [(one, WORD.findall(one)) for one in printed]
    return [parts for one, parts in split if len(parts) > 1 or not one.isdecimal()]


def _forms(parts: list[str]) -> list[str]:
    whole = "_".join(parts)
    forms = [whole, TOUCHING.sub("", whole), *(part for part in parts if not part.isdecimal() and len(part) > 1)]
    forms += [run for part in parts if not part.isdecimal() for run in RUNS.findall(part) if len(run) > 1]
    return list(dict.fromkeys(forms))
