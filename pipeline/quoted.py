"""Fields that an engine only quoted, found on the words of their pages; and their labels, where they stand beside them.

Comes in: `RawField`s, some without places, the pages, and what was sought. Goes out: the same in their order, with
places. Where a value stands several times it is the one by its label, then the one in the box that the engine claimed;
each place is given to one field of a name only. What is not found keeps no place and says so. A label counts where it
is known for that field and stands beside the value, or above its column: the engine's word alone is no witness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline import layout
from pipeline.engine import RawField, Sought
from pipeline.model import Box, Line, Page, Place, Word, around
from pipeline.terms import plainly

ABOVE = 3.0  # heights of a value: how far above it its label may stand
UNFOUND = "its words were not found on the page"


@dataclass(frozen=True)
class _Printed:
    """A page's words in lines."""

    page: Page

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return layout.lines(self.page)

    def places(self, text: str) -> list[tuple[Word, ...]]:
        """Where these words stand one after the other on a line."""
        wanted = [plainly(word) or word for word in text.split()]
        found = []
        for line in self.lines if wanted else ():
            bare = [plainly(word.text) or word.text for word in line.words]
            ends = range(len(bare) - len(wanted) + 1)
            found += [line.words[at : at + len(wanted)] for at in ends if bare[at : at + len(wanted)] == wanted]
        return found

    def exactly(self, text: str) -> list[Box]:
        """Where the words stand letter by letter."""
        runs = self.places(text)
        return [around([word.box for word in run]) for run in runs if " ".join(word.text for word in run) == text]


def placed(fields: Sequence[RawField], pages: Sequence[Page], sought: Sequence[Sought]) -> tuple[RawField, ...]:
    """The fields with the places of those that have none."""
    if all(one.places for one in fields):
        return tuple(fields)
    printed = {page.number: _Printed(page) for page in pages}
    known = {one.name: frozenset(map(plainly, one.labels)) for one in sought}
    taken: set[tuple[str, int, Box]] = set()
    done = []
    for one in fields:
        if not one.places:
            one = one if plainly(one.label) in known.get(one.name, ()) else replace(one, label="")
            one = _placed(one, printed[one.page], taken)
        done.append(one)
    return tuple(done)


def _placed(field: RawField, printed: _Printed, taken: set[tuple[str, int, Box]]) -> RawField:
    free = [box for box in printed.exactly(field.text) if (field.name, field.page, box) not in taken]
    labels = [around([word.box for word in run]) for run in printed.places(field.label)] if field.label else []
    by_label = [box for box in free if any(_beside(label, box, bool(field.number)) for label in labels)]
    choice = _nearest(by_label or free, field.claimed)
    if choice is None:
        return replace(field, label="", doubts=(*field.doubts, UNFOUND))
    taken.add((field.name, field.page, choice))
    label = field.label if choice in by_label else ""
    return replace(
        field,
        places=(Place(field.page, choice),),
        label=label,
        doubts=(*field.doubts, *_unsure(field, by_label or free)),
    )


def _unsure(field: RawField, candidates: Sequence[Box]) -> tuple[str, ...]:
    """Whether nothing but the order tells which of several places is meant."""
    if field.number or field.claimed or len(candidates) < 2:
        return ()
    return (f"it stands {len(candidates)} times on the page",)


def _beside(label: Box, value: Box, in_column: bool) -> bool:
    """Whether a label stands before the value on its line, or above it: near, or anywhere above in a column."""
    shared = min(label.bottom, value.bottom) - max(label.top, value.top)
    if shared > 0.4 * min(label.height, value.height):
        return label.x0 < value.x0
    gap = value.top - label.bottom
    return gap >= -1.0 and (in_column or gap <= ABOVE * value.height) and label.x0 < value.x1 and value.x0 < label.x1


def _nearest(boxes: Sequence[Box], claimed: Place | None) -> Box | None:
    """The box nearest to the claimed one, else the first."""
    if not boxes:
        return None
    if claimed is None:
        return boxes[0]
    x, y = claimed.box.middle
    return min(boxes, key=lambda box: (box.middle[0] - x) ** 2 + (box.middle[1] - y) ** 2)
