"""Pictures at a size that a model sees as it is, and boxes in their pixels back in points.

Comes in: a PNG, or the size of a page in points, and the most that a picture may have: pixels on its longer side, and
tokens (a token is a square of 28 pixels). Goes out: sizes in pixels, PNGs, `Place`s. A box that is none, or that lies
outside the picture, gives no place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from pipeline.model import Box, Place

PATCH = 28  # pixels: the side of what counts as one token


class Most(NamedTuple):
    """The longer side in pixels, and the tokens, that a picture may have at most."""

    edge: int
    tokens: int


USUAL = Most(1_568, 1_568)  # what every model sees as it is


def tokens(width: int, height: int) -> int:
    """What a picture counts."""
    return math.ceil(width / PATCH) * math.ceil(height / PATCH)


def fitted(width: float, height: float, most: Most) -> tuple[int, int]:
    """The largest size in pixels with these proportions that a model sees as it is."""
    scale = min(most.edge / max(width, height), math.sqrt(most.tokens * PATCH**2 / (width * height)))
    while True:
        size = max(1, math.floor(width * scale)), max(1, math.floor(height * scale))
        if tokens(*size) <= most.tokens or max(size) == 1:
            return size
        scale *= 0.995


def shrunk(png: bytes, most: Most) -> tuple[bytes, int, int]:
    """The picture and its sides, made smaller where it is too large."""
    from PIL import Image

    with Image.open(BytesIO(png)) as picture:
        if max(picture.size) <= most.edge and tokens(*picture.size) <= most.tokens:
            return png, *picture.size
        size = fitted(*picture.size, most)
        buffer = BytesIO()
        picture.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(buffer, "PNG")
        return buffer.getvalue(), *size


def place(page: int, box: Sequence[int] | None, sides: tuple[int, int], points: tuple[float, float]) -> Place | None:
    """Where a box in pixels of a page's picture stands on the page, whose sides are `points`."""
    if box is None or len(box) != 4:
        return None
    x0, y0, x1, y1 = box
    if not (0 <= x0 < x1 <= sides[0] and 0 <= y0 < y1 <= sides[1]):
        return None
    across, down = points[0] / sides[0], points[1] / sides[1]
    return Place(page, Box(x0 * across, y0 * down, x1 * across, y1 * down))
