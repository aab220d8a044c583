"""What a person points at on a page as the value of a field: words that they click, or a frame that they draw.

Comes in: the pages of an invoice, words by page and number or a frame in points, the field's name. Goes out: a
`Pointed`: the words as printed, their plain form, where they stand. Refuses nothing: words that are no value of the
field's kind are given as they are, with what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pipeline import fieldnames, habits, invoices, labels, marks
from pipeline.model import Box, Page, Place, around
from pipeline.profiles import FieldProfile

LEVEL = 0.5  # of a word's height: middles that far from each other are two lines


@dataclass(frozen=True)
class Pointed:
    """The words of a value as printed, its plain form, what is wrong with it in words (or nothing), its places."""

    text: str
    plain: str
    doubt: str
    places: tuple[Place, ...]


def framed(page: Page, frame: Box) -> tuple[int, ...]:
    """The words of a page, by number, whose middle is inside a frame."""
    return tuple(at for at, word in enumerate(page.words) if frame.holds(*word.box.middle))


def value(page: Page, chosen: Collection[int], name: str, profile: FieldProfile, language: str) -> Pointed:
    """The chosen words of a page as the value of a field: line by line, each line a place."""
    lines = _lines(page, chosen)
    texts = [" ".join(page.words[at].text for at in line) for line in lines]
    places = tuple(Place(page.number, around([page.words[at].box for at in line])) for line in lines)
    text = "\n".join(texts)
    prints = marks.printed([page], labels.vocabulary())
    way = habits.habits(prints.lines, language, profile.day_first)
    plain, doubt = invoices.normal(name, fieldnames.kind(name, profile), text, way)
    return Pointed(text, " ".join(plain.split()), doubt, places)


def _lines(page: Page, chosen: Collection[int]) -> list[list[int]]:
    """Words, by number, in lines from the top, each from left to right."""
    lines: list[list[int]] = []
    for at in sorted(chosen, key=lambda at: page.words[at].box.middle[1]):
        box = page.words[at].box
        if lines and box.middle[1] - page.words[lines[-1][-1]].box.middle[1] < LEVEL * box.height:
            lines[-1].append(at)
        else:
            lines.append([at])
    return [sorted(line, key=lambda at: page.words[at].box.x0) for line in lines]


def sensible(page: Page, numbers: Sequence[int]) -> tuple[int, ...]:
    """Those of the numbers that are words of the page."""
    return tuple(at for at in numbers if 0 <= at < len(page))
