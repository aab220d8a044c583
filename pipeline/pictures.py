"""Pictures on a page and pictures of a page, by PDFium. Runs inside the worker process only.

Comes in: an opened page. Goes out: how much of it pictures cover and how fine they are, or what it shows, as a Pillow
picture. Coordinates inside are PDFium's own; only shares and resolutions leave.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline.page import Box

if TYPE_CHECKING:
    from PIL.Image import Image

VISIBLE = 24  # of 255: a difference within a word's box that can be seen
MOST = 30  # objects looked at from each end of a page
DEEPEST = 4
LARGE = 0.5  # of the page: a picture that may be a scan

Matrix = tuple[float, float, float, float, float, float]
Sides = tuple[float, float, float, float]
NOWHERE: Sides = (0.0, 0.0, 0.0, 0.0)
AS_IS: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Coverage:
    """covered: share of the page under pictures (overlaps count twice, at most 1). dpi: of the largest picture, 0
    without one; largest: its sides in PDFium's coordinates. over_text: it is large and drawn after the text.
    outlines: corners and bends of all that is drawn with lines; letters have a dozen each, rules and boxes up to five.
    """

    covered: float
    dpi: float
    largest: Sides
    over_text: bool
    outlines: int


class _Seen(NamedTuple):
    """A picture: its place in drawing order, its sides on the page (left, bottom, right, top), its resolution."""

    order: int
    sides: Sides
    dpi: float

    @property
    def area(self) -> float:
        return max(0.0, self.sides[2] - self.sides[0]) * max(0.0, self.sides[3] - self.sides[1])


def coverage(page: pdfium.PdfPage) -> Coverage:
    """What pictures do on the page. Of a page with many objects the first and last thirty are looked at."""
    count = raw.FPDFPage_CountObjects(page)
    order = range(count) if count <= 2 * MOST else (*range(MOST), *range(count - MOST, count))
    rect = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page, rect)
    box = (rect.left, rect.bottom, rect.right, rect.top)
    whole = max(1.0, (box[2] - box[0]) * (box[3] - box[1]))
    images: list[_Seen] = []
    texts: list[int] = []
    outlines = 0
    for index in order:
        item = raw.FPDFPage_GetObject(page, index)
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            texts.append(index)
            continue
        for part, matrix in _parts(item, kind, AS_IS, 0):
            if raw.FPDFPageObj_GetType(part) == raw.FPDF_PAGEOBJ_PATH:
                outlines += max(0, raw.FPDFPath_CountSegments(part))
            else:
                images.append(_Seen(index, _sides(part, matrix, box), _dpi(part, matrix)))
    largest = max(images, key=lambda image: image.area, default=_Seen(0, NOWHERE, 0.0))
    before = sum(index < largest.order for index in texts)
    covered = min(1.0, sum(image.area for image in images) / whole)
    over = largest.area > LARGE * whole and 2 * before > len(texts) > 0
    return Coverage(covered, largest.dpi, largest.sides, over, outlines)


def _parts(item: raw.FPDF_PAGEOBJECT, kind: int, matrix: Matrix, depth: int) -> Iterator[tuple[object, Matrix]]:
    """A picture or a path, or all inside a form, each with the matrix from its surroundings to the page."""
    if kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_PATH):
        yield item, matrix
    elif kind == raw.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
        inner = _product(_matrix(item), matrix)
        for index in range(min(MOST, raw.FPDFFormObj_CountObjects(item))):
            part = raw.FPDFFormObj_GetObject(item, index)
            yield from _parts(part, raw.FPDFPageObj_GetType(part), inner, depth + 1)


def _sides(item: raw.FPDF_PAGEOBJECT, matrix: Matrix, box: Sides) -> Sides:
    """Where it stands on the page, as far as it is within."""
    bounds = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(item, *bounds):
        return NOWHERE
    sides = [side.value for side in bounds]
    corners = [_moved(matrix, x, y) for x in sides[::2] for y in sides[1::2]]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    found = max(min(xs), box[0]), max(min(ys), box[1]), min(max(xs), box[2]), min(max(ys), box[3])
    return found if all(map(math.isfinite, found)) else NOWHERE


def _dpi(item: raw.FPDF_PAGEOBJECT, matrix: Matrix) -> float:
    """Pixels an inch, over both directions."""
    across, down = ctypes.c_uint(), ctypes.c_uint()
    raw.FPDFImageObj_GetImagePixelSize(item, across, down)
    a, b, c, d, *_ = _product(_matrix(item), matrix)
    area = abs(a * d - b * c)
    return 72 * math.sqrt(across.value * down.value / area) if area > 0 else 0.0


def _matrix(item: raw.FPDF_PAGEOBJECT) -> Matrix:
    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(item, matrix):
        return AS_IS
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _product(one: Matrix, other: Matrix) -> Matrix:
    """First `one`, then `other`."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def picture(page: pdfium.PdfPage, dpi: float, colour: bool = False) -> Image:
    """The page as displayed, in colours or in shades of grey."""
    bitmap = page.render(scale=dpi / 72, grayscale=not colour)
    try:
        drawn: Image = bitmap.to_pil()
        return drawn.convert("RGB" if colour else "L")
    finally:
        bitmap.close()


def unseen(page: pdfium.PdfPage, dpi: float, rows: tuple[float, float], boxes: Sequence[Box]) -> frozenset[int]:
    """Indexes of the boxes (points) between `rows` in which the drawn page has nothing to see."""
    top, bottom = rows
    crop = (0, max(0.0, page.get_height() - bottom), 0, max(0.0, top))
    bitmap = page.render(scale=dpi / 72, grayscale=True, crop=crop)
    try:
        grey, stride = bytes(bitmap.buffer), bitmap.stride
        return frozenset(
            index
            for index, box in enumerate(boxes)
            if _contrast(grey, stride, _pixels(box, top, dpi / 72, (bitmap.width, bitmap.height))) < VISIBLE
        )
    finally:
        bitmap.close()


def _pixels(box: Box, top: float, scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    left, upper = max(0, math.floor(box.x0 * scale)), max(0, math.floor((box.top - top) * scale))
    right, lower = math.ceil(box.x1 * scale) + 1, math.ceil((box.bottom - top) * scale) + 1
    return left, upper, min(size[0], right), min(size[1], lower)


def _contrast(grey: bytes, stride: int, pixels: tuple[int, int, int, int]) -> int:
    """The brightest less the darkest of the pixels, 0 to 255."""
    left, top, right, bottom = pixels
    lines = [grey[row * stride + left : row * stride + right] for row in range(top, bottom)]
    seen = b"".join(lines)
    return max(seen) - min(seen) if seen else 0
