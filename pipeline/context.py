"""What running headers and footers say that the text does not: a part number, a party, an edition, a date.

Comes in: `Features`, which of their lines are set aside, and why. Goes out: what each running line says of its own: its
parts, without page numbers, in which a word stands that no line of the text has. Refuses nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from pipeline.boilerplate import CONTENTS_TITLES, DIGITS, OF_PAGES, PAGE_NUMBER, PAGE_WORDS, pattern
from pipeline.features import Feature, Features, vocabulary, words

PAGES = re.compile(
    rf"(?<![\w/])(?:(?:{PAGE_WORDS})\.?\s*\d+(?:\s*(?:{OF_PAGES})\s*\d+)?|\d+\s*/\s*\d+)(?![\w/])",
    re.IGNORECASE,
)
TELLING = re.compile(r"\d|[^\W\d_]{3}")  # what a word has that says something by itself
SAYING_NOTHING = frozenset((*PAGE_WORDS.split("|"), *CONTENTS_TITLES))
AROUND = " \t·|–—-•,;:"
Counting = Mapping[tuple[str, int], int]


def told(features: Features, reasons: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """By the line's index. reasons: of each line that is set aside, by index."""
    running = [features.lines[at] for at, reason in reasons.items() if reason.startswith("running")]
    if not running:
        return {}
    aside = vocabulary(features.lines[at].text for at in reasons)
    own = {word for word, count in aside.items() if features.words[word] == count and TELLING.search(word)}
    counting = _counting(running)
    found = {}
    for line in running:
        parts = [_without_numbers(part, line.page, counting) for part in map(_bare, line.parts)]
        sure = own if not line.ocr else {word for word in own if aside[word] > 1}  # once it may be misread
        if mine := tuple(part for part in parts if sure & (set(words(part)) - SAYING_NOTHING)):
            found[line.at] = mine
    return found


def _bare(part: str) -> str:
    """The part without `Page 3 of 52`."""
    return PAGES.sub("", part).strip(AROUND) if DIGITS.search(part) else part


def _counting(running: Sequence[Feature]) -> Counting:
    """By a part's pattern and the position of a number in it, what the number is ahead of its page, where it counts
    along with the pages.
    """
    ahead: dict[tuple[str, int], list[int]] = defaultdict(list)
    for line in running:
        for part in map(_bare, line.parts):
            like = pattern(part)
            for position, number in enumerate(DIGITS.findall(part)):
                ahead[like, position].append(int(number) - line.page)
    commonest = {key: Counter(each).most_common(1)[0] for key, each in ahead.items()}
    return {key: most for key, (most, count) in commonest.items() if count >= max(2, 0.5 * len(ahead[key]))}


def _without_numbers(part: str, page: int, counting: Counting) -> str:
    """The part without numbers that count along with the pages; empty where it is nothing else."""
    if not DIGITS.search(part):
        return part.strip(AROUND)
    if PAGE_NUMBER.fullmatch(part):
        return ""
    like, parts, end = pattern(part), [], 0
    for position, match in enumerate(DIGITS.finditer(part)):
        if counting.get((like, position)) == int(match[0]) - page:
            parts.append(part[end : match.start()])
            end = match.end()
    return "".join((*parts, part[end:])).strip(AROUND)
