"""Rules, fills and ruled tables of a page: lines by PDFium, cells by pdfplumber. Runs inside the worker process only.

Comes in: an opened page. Goes out: `Drawn`: rules and fills, and the cells of each ruled table, in points of the page
as it is displayed. pdfplumber is imported only for pages whose rules cross each other. Nothing is refused: a page that
is a drawing (too many paths) has no rules.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline import textlayer
from pipeline.page import Box

THIN = 3.0  # points: a narrower box is a rule
SHORTEST = 4.0  # points: shorter rules are parts of characters and dashes
MOST_PATHS = 6_000
MOST_SEGMENTS = 24  # of one path: more are a drawing
MOST_CROSSINGS = 2_500
MOST_PAIRS = 1_000_000  # of level and upright rules: more are a drawing
NEAR = 3.0  # points: rules closer than this are one
WHITE = 0.98
DEEPEST = 3  # forms within forms

Matrix = tuple[float, float, float, float, float, float]
Rule = tuple[Box, Literal["h", "v"]]
PLAIN: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Drawn(NamedTuple):
    """rules: five floats each: box, and the lightness of a fill (0..1) or -1 for a rule; a rule's box is flat.
    cells: five floats each: the table's number on the page, and the cell's box.
    """

    rules: array[float]
    cells: array[float]


def drawn(page: pdfium.PdfPage) -> Drawn:
    """What is drawn on the page besides text and pictures, as far as tables are made of it."""
    turn, _ = textlayer.turned(page)
    lines: list[Rule] = []
    fills: list[tuple[Box, float]] = []
    for path in _paths(page):
        for box in _boxes(path, turn):
            if min(box.width, box.height) <= THIN:
                if (rule := _rule(box)) and (path.stroked or path.shade < WHITE):
                    lines.append(rule)
                continue
            if path.stroked:
                lines += _outline(box)
            if path.shade < WHITE:
                fills.append((box, path.shade))
    rules = array("f")
    for box, _ in lines:
        rules.extend((*box, -1.0))
    for box, shade in fills:
        rules.extend((*box, shade))
    cells = _cells(lines)  # grounds only where no rules make cells: they part the lines of one cell
    return Drawn(rules, cells or _cells([*lines, *_cell_fills([box for box, _ in fills])]))


def _rule(box: Box) -> Rule | None:
    if max(box.width, box.height) < SHORTEST:
        return None
    x, y = box.middle
    if box.width > box.height:
        return Box(box.x0, y, box.x1, y), "h"
    return Box(x, box.top, x, box.bottom), "v"


def _outline(box: Box) -> list[Rule]:
    x0, top, x1, bottom = box
    return [
        (Box(x0, top, x1, top), "h"),
        (Box(x0, bottom, x1, bottom), "h"),
        (Box(x0, top, x0, bottom), "v"),
        (Box(x1, top, x1, bottom), "v"),
    ]


def _cell_fills(fills: list[Box]) -> Iterator[Rule]:
    """The outlines of fills that stand side by side: cells with a ground of their own, not shaded rows."""
    bands: dict[tuple[int, int], list[Box]] = {}
    for box in fills:
        bands.setdefault((round(box.top), round(box.bottom)), []).append(box)
    for band in bands.values():
        if len({round(box.x0) for box in band}) > 1:
            for box in band:
                yield from _outline(box)


# ---------------------------------------------------------------- paths by PDFium


class _Path(NamedTuple):
    """A painted path: its object, the matrix of the form around it, its fill's lightness (1: none)."""

    pointer: raw.FPDF_PAGEOBJECT
    matrix: Matrix
    stroked: bool
    shade: float


def _paths(page: pdfium.PdfPage) -> list[_Path]:
    found: list[_Path] = []
    count = raw.FPDFPage_CountObjects(page)
    for index in range(count):
        _collect(raw.FPDFPage_GetObject(page, index), PLAIN, 0, found)
        if len(found) > MOST_PATHS:
            return []
    return found


def _collect(pointer: raw.FPDF_PAGEOBJECT, matrix: Matrix, depth: int, found: list[_Path]) -> None:
    kind = raw.FPDFPageObj_GetType(pointer)
    if kind == raw.FPDF_PAGEOBJ_PATH:
        if path := _painted(pointer, matrix):
            found.append(path)
    elif kind == raw.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
        inner = _product(_matrix(pointer), matrix)
        for index in range(raw.FPDFFormObj_CountObjects(pointer)):
            if len(found) > MOST_PATHS:
                return
            _collect(raw.FPDFFormObj_GetObject(pointer, index), inner, depth + 1, found)


def _painted(pointer: raw.FPDF_PAGEOBJECT, matrix: Matrix) -> _Path | None:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(pointer, ctypes.byref(fill), ctypes.byref(stroke))
    if not fill.value and not stroke.value:
        return None
    shade = _lightness(pointer) if fill.value else 1.0
    return _Path(pointer, matrix, bool(stroke.value), shade)


def _lightness(pointer: raw.FPDF_PAGEOBJECT) -> float:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    known = raw.FPDFPageObj_GetFillColor(pointer, *map(ctypes.byref, (red, green, blue, alpha)))
    if not known or not alpha.value:
        return 1.0
    light = (0.3 * red.value + 0.59 * green.value + 0.11 * blue.value) / 255
    return 1 - (1 - light) * alpha.value / 255


def _matrix(pointer: raw.FPDF_PAGEOBJECT) -> Matrix:
    found = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(pointer, found)
    return found.a, found.b, found.c, found.d, found.e, found.f


def _product(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _boxes(path: _Path, turn: textlayer.Turn) -> Iterator[Box]:
    """The box of each upright rectangle of the path; a flat one for each level or upright line that is stroked."""
    count = raw.FPDFPath_CountSegments(path.pointer)
    if count < 2 or count > MOST_SEGMENTS * 50:
        return
    a, b, c, d, e, f = _product(_matrix(path.pointer), path.matrix)
    points: list[tuple[float, float]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    curved = False
    for index in range(count):
        segment = raw.FPDFPath_GetPathSegment(path.pointer, index)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            yield from _shape(points, curved, path.stroked)
            points, curved = [], False
        curved = curved or kind == raw.FPDF_SEGMENT_BEZIERTO
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        points.append(turn(a * x.value + c * y.value + e, b * x.value + d * y.value + f))
        if raw.FPDFPathSegment_GetClose(segment) and len(points) > 2:
            points.append(points[0])
    yield from _shape(points, curved, path.stroked)


def _shape(points: list[tuple[float, float]], curved: bool, stroked: bool) -> Iterator[Box]:
    if curved or not 2 <= len(points) <= MOST_SEGMENTS:
        return
    sides = [_side(one, other) for one, other in pairwise(points)]
    around = _side(
        (min(x for x, _ in points), min(y for _, y in points)), (max(x for x, _ in points), max(y for _, y in points))
    )
    level = all(min(side.width, side.height) <= 0.5 for side in sides)
    if len(points) > 3 and len(points) <= 6 and (level or min(around.width, around.height) <= THIN):
        yield around
    elif stroked:
        yield from (side for side in sides if min(side.width, side.height) <= 0.5)


def _side(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return Box(min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1]))


# ---------------------------------------------------------------- cells by pdfplumber


def _cells(lines: Iterable[Rule]) -> array[float]:
    """The cells of tables whose rules cross, as pdfplumber finds them; none where too few or too many do."""
    rules = list(set(lines))
    level = [box for box, way in rules if way == "h"]
    upright = [box for box, way in rules if way == "v"]
    found: array[float] = array("f")
    if len(level) * len(upright) > MOST_PAIRS or not 6 <= _crossings(level, upright) <= 10 * MOST_CROSSINGS:
        return found
    from pdfplumber import table

    edges = table.merge_edges([_edge(box, way) for box, way in rules], NEAR, NEAR, NEAR, NEAR)
    crossings = table.edges_to_intersections(edges, NEAR, NEAR)
    if len(crossings) > MOST_CROSSINGS:
        return found
    for number, cells in enumerate(table.cells_to_tables(table.intersections_to_cells(crossings))):
        for cell in cells:
            found.extend((number, *cell))
    return found


def _crossings(level: list[Box], upright: list[Box]) -> int:
    return sum(
        h.x0 - NEAR <= v.x0 <= h.x1 + NEAR and v.top - NEAR <= h.top <= v.bottom + NEAR for v in upright for h in level
    )


def _edge(box: Box, way: str) -> dict[str, float | str]:
    """The rule as pdfplumber writes it."""
    return {**box._asdict(), "width": box.width, "height": box.height, "orientation": way}
