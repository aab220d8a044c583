"""Names of sections that last: `section_id` from number and title, `anchor` from the number path alone.

Comes in: numbers, titles, ancestors. Goes out: ids unique within the document, the same for the same input. Equal
slugs take the number of the nearest ancestor that differs, else four hex digits of their first words; ordinals last.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.numbering import ANNEXES, Numbering
from pipeline.terms import LATIN

LONGEST = 60
UNDECOMPOSED = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe"})
PARTS = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Named:
    """What a section is named by. parent: index of its parent, or None. words: the first words of its content."""

    number: Numbering | None
    title: str
    parent: int | None
    words: str


def slug(text: str) -> str:
    """Lower case, words joined by _, Latin diacritics folded, Cyrillic in Latin letters, cut at a word's end."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(LATIN).translate(UNDECOMPOSED))
    parts = PARTS.findall("".join(char for char in plain if not unicodedata.combining(char)))
    kept: list[str] = []
    for part in parts:
        if kept and len("_".join(kept)) + len(part) >= LONGEST:
            break
        kept.append(part[:LONGEST])
    return "_".join(kept)


def section_ids(sections: Sequence[Named]) -> list[str]:
    """One id a section, in order."""
    plain = ["_".join(filter(None, ("sec", _own(section)))) for section in sections]
    ids = _told_apart(plain, [_ancestor(sections, index) for index in range(len(sections))])
    ids = _told_apart(ids, [_digest(section.words) for section in sections])
    return _counted(ids, "_")


def _own(section: Named) -> str:
    number = slug(section.number.label) if section.number else ""
    return "_".join(filter(None, (number, slug(section.title)))) or "untitled"


def _told_apart(ids: list[str], marks: list[str]) -> list[str]:
    counts = Counter(ids)
    return [f"{name}_{mark}" if counts[name] > 1 and mark else name for name, mark in zip(ids, marks, strict=True)]


def _ancestor(sections: Sequence[Named], index: int) -> str:
    """Number of the nearest ancestor that has one and whose number this section's own does not repeat."""
    mine = sections[index].number
    above = sections[index].parent
    while above is not None:
        number = sections[above].number
        inside = mine and mine.path[: number.depth] == number.path if number else False
        if number and (number.keyword in ANNEXES or not inside):
            return slug(number.label)
        above = sections[above].parent
    return ""


def _digest(words: str) -> str:
    return hashlib.sha256(" ".join(words.split()[:12]).encode()).hexdigest()[:4]


def _counted(names: Iterable[str], joint: str) -> list[str]:
    seen: Counter[str] = Counter()
    taken: set[str] = set()
    counted = []
    for name in names:
        seen[name] += 1
        unique = name if seen[name] == 1 else f"{name}{joint}{seen[name]}"
        while unique in taken:
            seen[name] += 1
            unique = f"{name}{joint}{seen[name]}"
        taken.add(unique)
        counted.append(unique)
    return counted


def anchors(sections: Sequence[Named]) -> list[str | None]:
    """One anchor a numbered section, in order; None without a number."""
    plain: list[str | None] = []
    for section in sections:
        plain.append(_anchor(sections, section) if section.number else None)
    counted = iter(_counted([anchor for anchor in plain if anchor], "-"))
    return [anchor and next(counted) for anchor in plain]


def _anchor(sections: Sequence[Named], section: Named) -> str:
    number = section.number
    assert number is not None
    path = "-".join(slug(part) for part in number.path)
    if number.keyword in ANNEXES or number.keyword in ("part", "chapter", "article", "item"):
        return f"{number.keyword}-{path}"
    above = section.parent
    while above is not None:
        one = sections[above].number
        if one and one.keyword in ANNEXES:
            inner = number.path[1:] if number.depth > 1 and number.path[0] == one.path[0] else number.path
            return "-".join([one.keyword, *map(slug, one.path), *map(slug, inner)])
        above = sections[above].parent
    return f"section-{path}"
