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
    mask = Image.fromarray(_coloured(picture)).convert("L").filter(ImageFilter.MaxFilter(REACH))
    shades = np.asarray(grey)
    lightest = np.asarray(picture).max(axis=2).astype(np.float32)
    white = float(np.median(lightest[::7, ::7])) - PALE
    clean = np.clip((lightest - BLACK) / max(1.0, white - BLACK), 0, 1) * 255
    clean = np.where(shades < DARK, np.minimum(shades, clean), clean)
    return Image.composite(Image.fromarray(clean.astype(np.uint8)), grey, mask.resize(grey.size))


def _coloured(picture: Image.Image) -> Mask:
    """Cells of the picture that have a colour other than the paper's."""
    small = picture.resize([max(1, side // CELL) for side in picture.size], Image.Resampling.BOX)
    shades = np.asarray(small, dtype=np.int16)
    apart = shades - np.median(shades, axis=(0, 1)).astype(np.int16)
    return np.asarray(apart.max(axis=2) - apart.min(axis=2) > COLOURED)
