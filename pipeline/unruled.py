"""Takes drawn lines off the picture of a scanned page: rules of tables, frames, streaks of the scanner. Runs inside the
worker process only.

Comes in: a level picture in shades of grey and its resolution. Goes out: the picture with what stands beside each line
in its place. Refuses nothing: a picture without lines stays as it is.

Tesseract takes rules for letters, streaks for a part of the words that they run through, and parts lines of text where
they cross. No stroke of a letter is as long and as thin as what is taken off.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

RUN = 18  # points: a straight stroke of this length may be part of a line
DOWN, ACROSS = 40, 60  # points: the shortest lines
THICK = 2.5  # points: lines are no thicker
DARKER = 28  # of 255: ink is so much darker than the paper around it
PAPER = 8  # the paper is looked at in a picture this much smaller
REACH = 3  # pixels beside a line that tell what is under it

Grey = NDArray[np.uint8]

cv2.setNumThreads(1)  # a process with threads is not forked: see reader.py


def cleared(picture: Image.Image, dpi: float) -> Image.Image:
    """The picture without its upright and level lines."""
    grey = np.asarray(picture.convert("L"), dtype=np.uint8)
    point = dpi / 72
    ink = _ink(grey)
    across = np.ascontiguousarray(_upright(np.ascontiguousarray(ink.T), point, ACROSS).T)
    down = _upright(ink, point, DOWN)
    lines = cv2.bitwise_or(cv2.dilate(down, np.ones((1, 3), np.uint8)), cv2.dilate(across, np.ones((3, 1), np.uint8)))
    if not lines.any():
        return picture
    return Image.fromarray(np.asarray(cv2.inpaint(grey, lines, REACH, cv2.INPAINT_TELEA), dtype=np.uint8))


def _ink(grey: Grey) -> Grey:
    """1 where a pixel is darker than the paper around it."""
    height, width = grey.shape
    size = max(1, width // PAPER), max(1, height // PAPER)
    paper = cv2.resize(cv2.medianBlur(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), 9), (width, height))
    return np.asarray(paper.astype(np.int16) - grey > DARKER, dtype=np.uint8)


def _upright(ink: Grey, point: float, shortest: float) -> Grey:
    """1 where an upright line is. point: pixels a point; shortest: points."""
    run = max(3, round(RUN * point))
    strokes = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 1), np.uint8))
    strokes = cv2.morphologyEx(strokes, cv2.MORPH_OPEN, np.ones((run, 1), np.uint8))
    strokes = cv2.morphologyEx(strokes, cv2.MORPH_CLOSE, np.ones((run, 3), np.uint8))
    _, parts, stats, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    long, area = stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
    kept = (long >= shortest * point) & (area <= THICK * point * long)
    kept[0] = False
    return np.asarray(kept[parts], dtype=np.uint8)
