"""What a picture of a page shows: ink, text-like ink, words that cannot be seen, and how askew the lines stand.

Comes in: a Pillow picture in shades of grey, boxes in its pixels. Goes out: plain values. Numpy is imported here, so
this module belongs inside the worker process.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image

from pipeline.model import Box
from pipeline.pictures import VISIBLE

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]

CONTRAST = 60  # of 255: a difference from the background that is ink
LONG_RUN = 18  # pixels at 72 dpi: longer strokes are rules and drawings
CELL = 8
LEAST_CELLS = 12
STEEPEST = 15.0
DOTS = 40_000


class Layer(NamedTuple):
    """A text layer held against the picture. hidden: indexes of words of which nothing is seen.
    read, unread: cells of text-like ink under words, and elsewhere.
    """

    hidden: tuple[int, ...]
    read: int
    unread: int


def array(picture: Image) -> Grey:
    return np.asarray(picture, dtype=np.uint8)


def background(grey: Grey) -> int:
    """The commonest shade, to eight levels."""
    counts = np.bincount((grey >> 3).ravel(), minlength=32)
    return int(counts.argmax()) * 8 + 4


def inked(grey: Grey) -> Mask:
    """Pixels that differ clearly from the background."""
    difference = np.abs(grey.astype(np.int16) - background(grey))
    return np.asarray(difference > CONTRAST)


def shows(picture: Image) -> bool:
    """Whether anything can be seen: more than a speck or two."""
    return int(inked(array(picture)).sum()) >= 6


def layer(picture: Image, boxes: Sequence[Box]) -> Layer:
    """The words' boxes held against a picture at about 72 dpi."""
    hidden = unseen(picture, boxes)
    cells = _text_cells(inked(array(picture)))
    under = np.zeros_like(cells)
    for index, box in enumerate(boxes):
        if index not in hidden:
            rows = slice(max(0, int(box.top) - 2) // CELL, max(0, math.ceil(box.bottom) + 2) // CELL + 1)
            under[rows, max(0, int(box.x0) - 2) // CELL : max(0, math.ceil(box.x1) + 2) // CELL + 1] = True
    return Layer(tuple(sorted(hidden)), int((cells & under).sum()), int((cells & ~under).sum()))


def unseen(picture: Image, boxes: Sequence[Box]) -> frozenset[int]:
    """Indexes of the boxes in which there is nothing to see."""
    grey = array(picture)
    height, width = grey.shape
    found = []
    for index, box in enumerate(boxes):
        left, top = max(0, math.floor(box.x0)), max(0, math.floor(box.top))
        right, bottom = min(width, math.ceil(box.x1) + 1), min(height, math.ceil(box.bottom) + 1)
        part = grey[top:bottom, left:right]
        if not part.size or int(part.max()) - int(part.min()) < VISIBLE:
            found.append(index)
    return frozenset(found)


def _text_cells(ink: Mask) -> Mask:
    """Cells of 8 × 8 pixels that hold short strokes, in rows of three and more: about half a character each."""
    strokes = ink & ~_long(ink, LONG_RUN) & ~_long(ink.T, LONG_RUN).T
    height, width = (side // CELL * CELL for side in strokes.shape)
    counts = strokes[:height, :width].reshape(height // CELL, CELL, width // CELL, CELL).sum(axis=(1, 3))
    some = (counts >= 4) & (counts <= 44)
    if some.shape[1] < 3:
        return np.zeros(some.shape, dtype=np.bool_)
    three = some[:, :-2] & some[:, 1:-1] & some[:, 2:]
    kept = np.zeros(some.shape, dtype=np.bool_)
    for shift in range(3):
        kept[:, shift : some.shape[1] - 2 + shift] |= three
    return kept


def _long(ink: Mask, length: int) -> Mask:
    """Pixels of horizontal runs of at least `length`."""
    found = np.zeros_like(ink)
    if ink.shape[1] < length:
        return found
    total = np.zeros((ink.shape[0], ink.shape[1] + 1), dtype=np.int32)
    np.cumsum(ink, axis=1, out=total[:, 1:])
    starts = (total[:, length:] - total[:, :-length]) == length
    edges = np.zeros((ink.shape[0], ink.shape[1] + 1), dtype=np.int32)
    edges[:, : starts.shape[1]] += starts
    edges[:, length : length + starts.shape[1]] -= starts
    return np.asarray(np.cumsum(edges, axis=1)[:, :-1] > 0)


def erased(picture: Image, boxes: Sequence[Box]) -> Image:
    """The picture with blank paper in place of these boxes."""
    rest = picture.copy()
    paper = background(array(picture))
    for box in boxes:
        wide = box.padded(2)
        rest.paste(paper, (round(wide.x0), round(wide.top), round(wide.x1), round(wide.bottom)))
    return rest


# ---------------------------------------------------------------- how the lines stand


def skew(picture: Image) -> float:
    """Degrees, clockwise, by which the lines are askew, within ±15 of level or of upright; 0 where none can be told.

    The angle at which the ink, projected along it, falls into the sharpest rows (Postl): the sum of squared
    differences of neighbouring rows.
    """
    ink = inked(array(picture))
    down, across = np.nonzero(ink)
    if len(down) < 200 or len(down) > 0.5 * ink.size:
        return 0.0
    step = max(1, len(down) // DOTS)
    x, y = across[::step].astype(np.float32), down[::step].astype(np.float32)
    level = _best(x, y)
    upright = _best(-y, x)
    angle, sharp, at_zero = max(level, upright, key=lambda found: found[1])
    return angle if sharp > 1.1 * at_zero and abs(angle) < STEEPEST else 0.0


def _best(x: NDArray[np.float32], y: NDArray[np.float32]) -> tuple[float, float, float]:
    """(angle, its sharpness, sharpness at 0)."""
    coarse = {angle: _sharpness(x, y, angle) for angle in np.arange(-STEEPEST, STEEPEST + 0.5, 1.0).tolist()}
    near = max(coarse, key=lambda angle: coarse[angle])
    fine = {angle: _sharpness(x, y, angle) for angle in np.arange(near - 1.0, near + 1.05, 0.1).round(1).tolist()}
    angle = max(fine, key=lambda angle: fine[angle])
    return angle, fine[angle], coarse[0.0]


def _sharpness(x: NDArray[np.float32], y: NDArray[np.float32], angle: float) -> float:
    turn = math.radians(angle)
    rows = y * math.cos(turn) - x * math.sin(turn)
    counts = np.bincount((rows - rows.min()).astype(np.int32)).astype(np.float64)
    return float((np.diff(counts) ** 2).sum())


def densest(picture: Image, share: float) -> tuple[int, int]:
    """(top, bottom) in pixels of the band of this share of the height that holds the most text-like ink."""
    ink = inked(array(picture))
    strokes = ink & ~_long(ink, LONG_RUN) & ~_long(ink.T, LONG_RUN).T
    rows = strokes.sum(axis=1)
    height = max(1, round(share * len(rows)))
    total = np.concatenate([[0], np.cumsum(rows)])
    sums = total[height:] - total[:-height]
    top = int(sums.argmax()) if len(sums) else 0
    return top, min(len(rows), top + height)
