"""Crops: small pictures of one value each, cut from the page so that another reader sees all of it and little else.

Comes in: a page's `Leaf`, boxes in its pixels. Goes out: `Crop`s. Refuses nothing.

A crop has the height of its line, and ends left and right in the white beside the value: where ink as dark as the
value's goes on beyond the box that the first reader gave, the crop goes with it, so that a sign or figure which that
reader missed is seen. Rules and streaks that run down the page, and the paler ink of stamps, are not followed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from pipeline.leaf import Leaf
from pipeline.model import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Columns = NDArray[np.bool_]

FAINT = 40  # of 255: less contrast than this is no ink
DARK = 0.45  # of the way from paper to the value's darkest
ABOVE = 0.16  # of the height: white kept above and below
BESIDE = 0.3  # left and right
APART = 0.9  # a wider gap is the end of the value; a space is narrower, a faint point between figures may be as wide
TOUCHING = 0.1  # nearer than this, two words are one
FARTHEST = 12.0  # how far ink is followed
UPRIGHT = 0.97  # share of a column that is ink: a rule or a streak
CLEAN = 0.4  # of the way from paper to ink: what is paler is neither
LOW = 0.06  # share of the line that a column of a flat sign takes


@dataclass(frozen=True)
class Crop:
    """png: the picture. whole: it ends in white, or at rules; else other words touch the value, or ink goes on."""

    png: bytes
    whole: bool = True


@dataclass(frozen=True)
class Sheet:
    """A leaf as numbers, and the shade of its paper."""

    leaf: Leaf
    grey: NDArray[np.uint8]
    paper: int


def sheet(leaf: Leaf) -> Sheet:
    """The leaf, ready to be cut."""
    import numpy as np

    grey = np.frombuffer(leaf.grey, dtype=np.uint8).reshape(leaf.height, leaf.width)
    return Sheet(leaf, grey, int(np.median(grey[::7, ::7])))


def cut(sheet: Sheet, box: Box, around: Sequence[Box] = ()) -> Crop:
    """The crop of a box. around: boxes of other words, which it keeps clear of. All in the leaf's pixels."""
    others = [other for other in around if _beside(box, other)]
    ink, rules = _columns(sheet, box)
    left = _end(box.x0, -1, [other.x1 for other in others if other.x1 <= box.middle[0]], (ink, rules), box.height)
    right = _end(box.x1, 1, [other.x0 for other in others if other.x0 >= box.middle[0]], (ink, rules), box.height)
    above = ABOVE * box.height
    png = _png(sheet, Box(left.x, box.top - above, right.x, box.bottom + above))
    return Crop(png, left.white and right.white)


class _End(NamedTuple):
    """Where a crop ends, and whether it does so in white."""

    x: float
    white: bool


def _end(start: float, way: int, words: Sequence[float], columns: tuple[Columns, Columns], height: float) -> _End:
    """Looking left (-1) or right (1) from `start`: behind the ink that goes on, and a little white; before the nearest
    rule or word.
    """
    ink, rules = columns
    at = last = start
    limits = [*words, 0.0 if way < 0 else float(len(ink))]
    nearest = min(limits, key=lambda x: (x - start) * way if (x - start) * way > -0.2 * height else math.inf)
    while abs(at - last) <= APART * height and abs(at - start) < FARTHEST * height:
        at += way
        if not 0 <= int(at) < len(ink) or rules[int(at)]:
            return _End(at - way, True)
        if (at - nearest) * way >= 0:
            return _End(at, abs(at - last) > TOUCHING * height)
        if ink[int(at)]:
            last = at
    return _End(last + way * BESIDE * height, abs(at - last) > APART * height)


def cleaned(crop: bytes) -> bytes:
    """The crop with all that is paler than its ink in white: stamps, smears, the shadow of the page behind."""
    import numpy as np
    from PIL import Image

    with Image.open(BytesIO(crop)) as opened:
        grey = np.asarray(opened, dtype=np.float32)
    darkest, paper = np.percentile(grey, (3, 90)).tolist()
    pale = paper - CLEAN * (paper - darkest)
    stretched = np.clip((grey - darkest) / max(1.0, pale - darkest), 0, 1) * 255
    return _packed(stretched.astype(np.uint8))


def _beside(box: Box, other: Box) -> bool:
    """Whether they stand on one line, side by side."""
    shared = min(box.bottom, other.bottom) - max(box.top, other.top)
    return shared > 0.3 * min(box.height, other.height) and not other.x0 < box.middle[0] < other.x1


def _columns(sheet: Sheet, box: Box) -> tuple[Columns, Columns]:
    """Which columns of the picture hold ink at the height of the line, as dark as that in the box; and which a rule."""
    import numpy as np

    top, bottom = max(0, int(box.top)), min(sheet.leaf.height, int(box.bottom) + 1)
    left, right = max(0, int(box.x0)), min(sheet.leaf.width, int(box.x1) + 1)
    value = sheet.grey[top:bottom, left:right]
    darkest = int(np.percentile(value, 3)) if value.size else 0
    above = max(0, top - int(ABOVE * (bottom - top)) - 1)
    around = sheet.grey[above : 2 * bottom - above - (bottom - top)]
    rules = (around < sheet.paper - FAINT).mean(axis=0) > UPRIGHT
    line = sheet.grey[top:bottom] < sheet.paper - max(FAINT, DARK * (sheet.paper - darkest))
    return np.asarray((line.mean(axis=0) > LOW) & ~rules), np.asarray(rules)


def _png(sheet: Sheet, box: Box) -> bytes:
    x0, top = max(0, round(box.x0)), max(0, round(box.top))
    x1, bottom = min(sheet.leaf.width, round(box.x1)), min(sheet.leaf.height, round(box.bottom))
    return _packed(sheet.grey[top : max(bottom, top + 1), x0 : max(x1, x0 + 1)])


def _packed(grey: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    buffer = BytesIO()
    Image.fromarray(grey).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
