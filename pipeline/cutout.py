"""A part of a page's picture around what is asked, and the page small with the same box on it.

Comes in: the picture of a page with its dots per inch, boxes in points. Goes out: a `Cut`, as PNG. Refuses nothing.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline.model import Box

if TYPE_CHECKING:
    from PIL.Image import Image

AROUND = 55.0  # points above and below what is looked at
SHORT = 0.35  # of a page's width: what is shorter is shown larger
BESIDE = 0.65  # of a page's width that such a cut has
BEHIND = 0.06  # of a page's width that it shows behind the value
ALONE = 140.0  # points shown of a page where no place on it is known
SMALL = 420  # pixels: the width of the small page
LINE = 3  # pixels

Shows = Literal["wide", "left", "right"]


@dataclass(frozen=True)
class Cut:
    """A part of a page as PNG, the whole page small, and its size in points. shows: whether the part is as wide as the
    page, else on which of its sides what is looked at stands.
    """

    png: bytes
    whole: bytes
    width: float
    height: float
    shows: Shows


def cut(picture: Path, dpi: int, box: Box | None, boxes: tuple[Box, ...], color: str) -> Cut:
    """The page around `box`, with all boxes drawn."""
    from PIL import Image, ImageDraw

    scale = dpi / 72
    with Image.open(picture) as opened:
        image = opened.convert("RGB")
    small = image.copy()
    small.thumbnail((SMALL, 2 * SMALL))
    shrunk = scale * small.width / image.width
    for one in boxes:
        ImageDraw.Draw(image).rectangle([edge * scale for edge in one.padded(2.0)], outline=color, width=LINE)
        ImageDraw.Draw(small).rectangle([edge * shrunk for edge in one.padded(4.0)], outline=color, width=LINE)
    width, height = image.width / scale, image.height / scale
    low, high = (box.top - AROUND, box.bottom + AROUND) if box else (0.0, ALONE)
    left, right = _sides(box, width)
    x0, top, x1, bottom = (round(edge * scale) for edge in (left, max(0.0, low), right, min(height, high)))
    shows: Shows = "wide" if right - left == width or box is None else "left"
    if shows == "left" and box and box.middle[0] > (left + right) / 2:
        shows = "right"
    return Cut(_png(image.crop((x0, top, x1, bottom))), _png(small), width, height, shows)


def _png(image: Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", compress_level=1)
    return target.getvalue()


def _sides(box: Box | None, width: float) -> tuple[float, float]:
    """Where a cut begins and ends: a short value with its label and what else stands before it, or the whole width."""
    if box is None or box.width > SHORT * width:
        return 0.0, width
    left = min(max(0.0, box.x1 + (BEHIND - BESIDE) * width), (1 - BESIDE) * width)
    return left, left + BESIDE * width
