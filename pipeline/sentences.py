"""The sentences of a text: where each begins and ends.

Comes in: text, its paragraphs parted by line feeds. Goes out: (start, end) offsets, in order, without the spaces
around. A full stop after an abbreviation, a number of a list or a single letter ends no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

END = re.compile(r"[.!?;]+[”“\"’)\]]*\s+(?=[^\Wa-zа-шђјљњћџ_]|[„“«\"(§\[])")
NUMBER = re.compile(r"\s*\(?\d{1,3}[.)]\s*")
ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|e\.g|i\.e|z\.B|d\.h|u\.a|No|Nos|Nr|Art|Abs|Sec|Ziff|Inc|Ltd|Co|Corp|plc|bzw|ggf|vgl|inkl|"
    r"usw|etc|čl|чл|st|ст|tač|тач|br|бр|tzv|тзв|npr|нпр|Mr|Mrs|Ms|Dr|St|vs|para|paras|cl|cf|approx|ca)\.\s*$"
)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence stands."""
    at = 0
    for line in text.split("\n"):
        yield from _of_line(text, at, at + len(line))
        at += len(line) + 1


def _of_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in END.finditer(text, start, end):
        before = text[max(start, match.end() - 12) : match.end()]
        if not ABBREVIATED.search(before) and not NUMBER.fullmatch(text, start, match.end()):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
