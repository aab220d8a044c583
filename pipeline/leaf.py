"""A page's picture with its lines level: what crops are cut from.

Comes in: shades of grey in rows, and how they lie on the page. Goes out: boxes of the page as boxes in the picture.
Refuses nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pipeline.page import Box


@dataclass(frozen=True)
class Leaf:
    """grey: one byte a pixel, row by row, `width` in each; drawn: width and height in pixels of the page's picture
    before it was turned back by `angle` degrees; scale: pixels a point.
    """

    page: int
    grey: bytes
    width: int
    height: int
    drawn: tuple[int, int]
    angle: float
    scale: float

    def level(self, box: Box) -> Box:
        """A box of the page, in points, as the box in this picture's pixels around which it was drawn.

        On a page that is askew, a word's box is the smallest upright one around the word's own, slanted box.
        """
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        x, y = (at * self.scale - side / 2 for at, side in zip(box.middle, self.drawn, strict=True))
        middle = x * cos + y * sin + self.width / 2, -x * sin + y * cos + self.height / 2
        wide, high = _unslanted(box.width * self.scale, box.height * self.scale, abs(cos), abs(sin))
        return Box(middle[0] - wide / 2, middle[1] - high / 2, middle[0] + wide / 2, middle[1] + high / 2)


def _unslanted(width: float, height: float, cos: float, sin: float) -> tuple[float, float]:
    """Sides of the slanted box inside an upright one; at 45° and near it they cannot be told."""
    apart = cos * cos - sin * sin
    if abs(apart) < 0.1:
        return width, height
    sides = (width * cos - height * sin) / apart, (height * cos - width * sin) / apart
    return max(1.0, sides[0]), max(1.0, sides[1])
