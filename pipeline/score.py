"""An outline against the truth: the document's own outline, or a list that a person gives.

Comes in: the found headings and the expected ones as `Entry`s in reading order; truth as JSON text (a list of
{title, level, page}, or an object with `sections` as beside the samples). Goes out: `Score`. Refuses, as UsageError:
text that is no such list.

Two entries are the same where their titles are (letters and digits alone, with or without the printed number; nearly
so where 85 % is alike) and their pages differ by one at most. Expected lists often stop at an upper level: what was
found deeper than they go is not held against the outline, but counted apart.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from pipeline import numbering
from pipeline.model import Bookmark, Section, UsageError

PAGE_SLACK = 1
ALIKE = 0.85
PUNCTUATION = re.compile(r"[\W_]+")
NO_TRUTH = 'The truth must be a JSON list such as [{"title": "Scope", "level": 1, "page": 3}].'


class Entry(NamedTuple):
    """A heading: title (with or without its number), level from 1, page from 1 or None where it is not known."""

    title: str
    level: int
    page: int | None
    number: str | None = None


@dataclass(frozen=True)
class Score:
    """Shares are 0..1. precision: of the found ones down to the level that the truth goes to; deeper: how many were
    found below that. levels: of the matched ones, how many have the expected level, where all may be `shift` deeper (a
    truth that counts the document's title as level 1, say). parents: how many stand under the expected heading, the
    nearest above them that is matched. pairs: (index of found, index of expected).
    """

    precision: float
    recall: float
    f1: float
    levels: float
    parents: float
    matched: int
    found: int
    expected: int
    deeper: int
    shift: int
    pairs: tuple[tuple[int, int], ...]
    missed: tuple[Entry, ...]
    surplus: tuple[Entry, ...]


def score(found: Sequence[Entry], expected: Sequence[Entry]) -> Score:
    """The found headings against the expected ones."""
    pairs = _pairs(found, expected)
    hit = {one for one, _ in pairs}
    known = {other for _, other in pairs}
    deepest = _deepest(found, expected, pairs)
    judged = [at for at, entry in enumerate(found) if at in hit or entry.level <= deepest]
    shifts = Counter(found[one].level - expected[other].level for one, other in pairs)
    shift, level = min(shifts.items(), key=lambda item: (-item[1], abs(item[0]), item[0]), default=(0, 0))
    precision, recall = _share(len(pairs), len(judged)), _share(len(pairs), len(expected))
    return Score(
        precision=precision,
        recall=recall,
        f1=_share(2 * precision * recall, precision + recall),
        levels=_share(level, len(pairs)),
        parents=_share(_parents_right(found, expected, pairs), len(pairs)),
        matched=len(pairs),
        found=len(found),
        expected=len(expected),
        deeper=len(found) - len(judged),
        shift=shift,
        pairs=pairs,
        missed=tuple(entry for at, entry in enumerate(expected) if at not in known),
        surplus=tuple(found[at] for at in judged if at not in hit),
    )


def of_sections(sections: Iterable[Section]) -> tuple[Entry, ...]:
    """The headings of an outline; the text before the first is none."""
    return tuple(Entry(one.title, one.level, one.page, one.number) for one in sections if one.level)


def of_bookmarks(bookmarks: Iterable[Bookmark]) -> tuple[Entry, ...]:
    """The document's own outline."""
    return tuple(Entry(one.title, one.level, one.page) for one in bookmarks)


def loads(text: str) -> tuple[Entry, ...]:
    """The truth that a person gives."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"The truth is no JSON ({error}). {NO_TRUTH}") from error
    if isinstance(value, dict):
        value = value.get("sections")
    if not isinstance(value, list):
        raise UsageError(NO_TRUTH)
    return tuple(_entry(item, at) for at, item in enumerate(value, 1))


def to_json(result: Score) -> dict[str, Any]:
    """All figures, and what was missed or is too much."""
    shares = {name: round(getattr(result, name), 4) for name in ("precision", "recall", "f1", "levels", "parents")}
    counts = {name: getattr(result, name) for name in ("matched", "found", "expected", "deeper", "shift")}
    entries = {name: [entry._asdict() for entry in getattr(result, name)] for name in ("missed", "surplus")}
    return {**shares, **counts, **entries}


def _entry(item: object, at: int) -> Entry:
    if isinstance(item, dict):
        title, level, page, number = (item.get(name) for name in ("title", "level", "page", "number"))
        if (
            isinstance(title, str)
            and isinstance(level, int)
            and level >= 1
            and isinstance(page, int | None)
            and isinstance(number, str | None)
        ):
            return Entry(title, level, page, number)
    raise UsageError(f"Entry {at} of the truth lacks a title, a level from 1 or a page. {NO_TRUTH}")


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


# ---------------------------------------------------------------- which is which


def _pairs(found: Sequence[Entry], expected: Sequence[Entry]) -> tuple[tuple[int, int], ...]:
    """Equal titles first, the nearest pages first; then those that are alike."""
    forth: dict[int, int] = {}
    back: dict[int, int] = {}
    for stage in (_equal(found, expected), _similar(found, expected, forth, back)):
        for _, _, one, other in sorted(stage):
            if one not in forth and other not in back:
                forth[one], back[other] = other, one
    return tuple(sorted(forth.items()))


Candidate = tuple[float, int, int, int]  # less likeness, distance in the list, index of found, of expected


def _equal(found: Sequence[Entry], expected: Sequence[Entry]) -> Iterator[Candidate]:
    named: dict[str, list[int]] = defaultdict(list)
    for other, entry in enumerate(expected):
        for form in _forms(entry):
            named[form].append(other)
    for one, entry in enumerate(found):
        for form in _forms(entry):
            for other in named.get(form, ()):
                if (apart := _apart(entry, expected[other])) is not None:
                    yield apart - len(form) / 1000, abs(one - other), one, other


def _similar(
    found: Sequence[Entry], expected: Sequence[Entry], forth: dict[int, int], back: dict[int, int]
) -> Iterator[Candidate]:
    """Candidates among what found no equal; asked for only after the equal ones were paired."""
    by_page: dict[int | None, list[int]] = defaultdict(list)
    for one, entry in enumerate(found):
        if one not in forth:
            by_page[entry.page].append(one)
    for other, entry in enumerate(expected):
        if other in back:
            continue
        pages = by_page if entry.page is None else [None, *range(entry.page - PAGE_SLACK, entry.page + PAGE_SLACK + 1)]
        for one in (one for page in pages for one in by_page.get(page, ())):
            if (likeness := _likeness(found[one], entry)) >= ALIKE:
                yield -likeness, abs(one - other), one, other


def _apart(one: Entry, other: Entry) -> int | None:
    """Pages between them, 0 where one is not known; None where they are too far."""
    apart = abs(one.page - other.page) if one.page is not None and other.page is not None else 0
    return apart if apart <= PAGE_SLACK else None


def _likeness(one: Entry, other: Entry) -> float:
    mine, theirs = _forms(one)[-1], _forms(other)[-1]
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()


def _forms(entry: Entry) -> list[str]:
    """The title with its number and without, as letters and digits alone; the barest last."""
    whole = f"{entry.number or ''} {entry.title}".strip()
    number = numbering.parse(whole)
    rest = number.rest if number and not number.bare else entry.title
    forms = (_folded(text) for text in (whole, entry.title, rest))
    return list(dict.fromkeys(form for form in forms if form)) or [""]


def _folded(text: str) -> str:
    return PUNCTUATION.sub("", unicodedata.normalize("NFKC", text).casefold())


# ---------------------------------------------------------------- levels and parents


def _deepest(found: Sequence[Entry], expected: Sequence[Entry], pairs: Sequence[tuple[int, int]]) -> int:
    """The level, as found, that nearly all matched headings lie above: the truth does not go deeper."""
    hit = sorted(found[one].level for one, _ in pairs)
    return hit[(len(hit) * 95 - 1) // 100] if hit else max((entry.level for entry in expected), default=0)


def _parents_right(found: Sequence[Entry], expected: Sequence[Entry], pairs: Sequence[tuple[int, int]]) -> int:
    forth = dict(pairs)
    mine = _matched_above(found, set(forth))
    theirs = _matched_above(expected, set(forth.values()))
    right = 0
    for one, other in pairs:
        above = mine[one]
        right += (None if above is None else forth[above]) == theirs[other]
    return right


def _matched_above(entries: Sequence[Entry], matched: set[int]) -> list[int | None]:
    """The nearest matched heading above each."""
    above: list[int | None] = []
    stack: list[int] = []
    for at, entry in enumerate(entries):
        while stack and entries[stack[-1]].level >= entry.level:
            stack.pop()
        above.append(next((one for one in reversed(stack) if one in matched), None))
        stack.append(at)
    return above
