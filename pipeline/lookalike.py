"""Titles by the shapes of their letters, in either script, as OCR mistakes them.

Comes in: words as read, titles that are known in plain Latin letters. Goes out: what a title names. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pipeline.terms import plainly

CYRILLIC = str.maketrans(
    dict(zip("abvgdežzijklmnoprstćufhcčš", "абвгдежзијклмнопрстћуфхцчш", strict=True))
    | {"đ": "ђ", "q": "к", "w": "в", "x": "кс", "y": "и"}
)
PAIRS = (("lj", "љ"), ("nj", "њ"), ("dž", "џ"), ("dz", "џ"), ("dj", "ђ"))
SHAPES = str.maketrans(
    {
        shape: group[0]
        for group in (
            "oадаaодdd0q@",
            "nnhнплnњљћђh",
            "u" + "uицшwџvй",
            "ssзs3",
            "bвb6бb",
            "ееeеё",
            "rгr",
            "ррp",
            "ссc",
            "ууy",
            "ччч",
            "ттt",
            "ккk",
            "ммm",
            "ииi",
        )
        for shape in group[1:]
    }
    | {"ж": "x", "х": "x", "ј": "j", "ф": "o", "č": "c", "ć": "c", "š": "s", "ž": "z", "đ": "d"}
)
EXACT = 3  # letters: shorter titles are known by each of their shapes


def shape(text: str) -> str:
    """The shapes of a text's letters, without what else stands in it."""
    return "".join(filter(str.isalnum, text.casefold().translate(SHAPES)))


def named(words: Sequence[str], known: Mapping[str, str]) -> str:
    """What a title names, or nothing. known: by the title in plain Latin letters."""
    text = " ".join(words)
    if name := known.get(plainly(text)):
        return name
    seen = shape(text)
    if len(seen) < EXACT:
        return ""
    shapes = _shapes(tuple(known.items()))
    if name := shapes.get(seen):
        return name
    if len(seen) <= EXACT:
        return ""
    return next((name for other, name in shapes.items() if len(other) > EXACT and _near(seen, other)), "")


@lru_cache(maxsize=4)
def _shapes(known: tuple[tuple[str, str], ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for title, name in known:
        for form in (title, _in_cyrillic(title)):
            found.setdefault(shape(form), name)
    return {form: name for form, name in found.items() if len(form) >= EXACT}


def _in_cyrillic(text: str) -> str:
    for latin, cyrillic in PAIRS:
        text = text.replace(latin, cyrillic)
    return text.translate(CYRILLIC)


def _near(one: str, other: str) -> bool:
    """Whether a letter at most is another, missing or too many."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[at + 1 :] == other[at + 1 :] or one[at:] == other[at + 1 :] or one[at + 1 :] == other[at:]
