"""How numbers, names and pages are said in a page's text.

Comes in: plain values; names and errors are data. Goes out: short texts, safe as Markdown. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

JOINER = "\u2060"  # takes no room, and parts no words
ADDRESS = re.compile(r"(https?(?=://)|www(?=\.)|@(?=\w))", re.IGNORECASE)
LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "it": "Italian",
    "es": "Spanish",
    "nl": "Dutch",
    "sr": "Serbian",
}


def counted(count: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def escaped(text: str) -> str:
    """Text as Markdown shows it letter by letter; what looks like an address is no link, for something unseen stands in
    it: Streamlit makes links of addresses whatever stands before their letters.
    """
    text = ADDRESS.sub(f"\\1{JOINER}", text)
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#+-.!|<>~$:^=&" else c for c in text)


def size(count: int) -> str:
    """Bytes as a person says them."""
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.0f} kB" if count >= 1000 else f"{count} bytes"


def language(code: str) -> str:
    """The language's name; the code itself where it is none of ours."""
    return LANGUAGES.get(code, code)


def runs(numbers: Sequence[int]) -> str:
    """Rising numbers with runs drawn together: `3, 7–9`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in found)
