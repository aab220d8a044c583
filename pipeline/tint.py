"""Takes stamps and other pale coloured ink off the picture of a scanned page. Runs inside the worker process only.

Comes in: a picture of the page in colours. Goes out: whether some of it is tinted, or the picture in shades of grey
with white where only pale colour was. Dark colour stays: coloured text is text. Refuses nothing.

A stamp is translucent: over paper it is pale and coloured, over print the print shows through. In the lightest of the
three colours the stamp is nearly paper, while print is dark in each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

COLOURED = 22  # of 255: how far the three colours of a pixel lie apart, more than those of the paper do
LEAST, MOST = 0.0004, 0.1  # share of the page: less is a speck; more is paper or a photograph in colour
DARK = 125  # of 255: darker is print, whatever its colour
PALE = 60  # of 255: less than this darker than paper is nothing, in tinted places
BLACK = 30
CELL = 4  # pixels: colours are looked at by cells, since a scanner's noise has colours too
REACH = 7  # cells, odd: how far around coloured ones the picture is cleared

Mask = NDArray[np.bool_]


def tinted(picture: Image.Image) -> bool:
    """Whether there is coloured ink on some of the page, and not all over it."""
    return LEAST < float(_coloured(picture).mean()) < MOST


def cleared(picture: Image.Image) -> Image.Image:
    """The picture in shades of grey, cleared of pale colour."""
    grey = picture.convert("L")
    cells = Image.fromarray(_coloured(picture)).convert("L").filter(ImageFilter.MaxFilter(REACH))
    if not (around := cells.getbbox()):
        return grey
    across, down = picture.width / cells.width, picture.height / cells.height
    x0, top, x1, bottom = around
    place = round(x0 * across), round(top * down), round(x1 * across), round(bottom * down)
    part, under = picture.crop(place), grey.crop(place)
    mask = cells.crop(around).resize(under.size)
    grey.paste(_clean(part, under, float(np.median(np.asarray(picture)[::7, ::7].max(axis=2)))), place[:2], mask)
    return grey


def _clean(part: Image.Image, grey: Image.Image, paper: float) -> Image.Image:
    """Part of a picture with pale colour in white; dark shades as they are."""
    shades, lightest = np.asarray(grey), np.asarray(part).max(axis=2).astype(np.float32)
    clean = np.clip((lightest - BLACK) / max(1.0, paper - PALE - BLACK), 0, 1) * 255
    return Image.fromarray(np.where(shades < DARK, np.minimum(shades, clean), clean).astype(np.uint8))


def _coloured(picture: Image.Image) -> Mask:
    """Cells of the picture that have a colour other than the paper's."""
    small = picture.resize([max(1, side // CELL) for side in picture.size], Image.Resampling.BOX)
    shades = np.asarray(small, dtype=np.int16)
    apart = shades - np.median(shades, axis=(0, 1)).astype(np.int16)
    return np.asarray(apart.max(axis=2) - apart.min(axis=2) > COLOURED)
