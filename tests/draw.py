"""Small PDFs drawn for tests: text at given places, so that what must be read is known."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from pipeline import worker
from pipeline.model import Font, Page, Reading
from pipeline.profiles import ReadingProfile

WIDTH, HEIGHT = A4
FILLER = "parts of this long text are drawn to fill their column and say nothing of any use to a reader"
STOCK = FILLER.split()


class Put(NamedTuple):
    """A string at (x, distance of its baseline from the top), in points; colour as 0xRRGGBB."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = "Helvetica"
    colour: int = 0


def pdf(path: Path, pages: Iterable[Iterable[Put]], prepare: Callable[[Canvas], None] | None = None) -> Path:
    """A PDF of A4 pages with what is put on each."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for page in pages:
        if prepare:
            prepare(canvas)
        for put in page:
            canvas.setFont(put.font, put.size)
            canvas.setFillColor(HexColor(put.colour))
            canvas.drawString(put.x, HEIGHT - put.y, put.text)
        canvas.showPage()
    canvas.save()
    path.write_bytes(buffer.getvalue())
    return path


def reading(path: Path) -> Reading:
    """What the worker reads from it, without OCR."""
    return worker.read(path, ReadingProfile(ocr="never"))


def prose(words: int, seed: int = 0) -> str:
    """A sentence of that many words, the same for the same seed."""
    return (
        " ".join(STOCK[(seed * 7 + seed // 20 + index * 3) % len(STOCK)] for index in range(words)).capitalize() + "."
    )


def column(x: float, top: float, count: int, seed: int = 0, size: float = 10) -> list[Put]:
    """Lines of running text, 12 points apart, each about 190 points wide at size 10."""
    return [Put(x, top + 12 * index, prose(8, seed + index)[:38].strip(), size) for index in range(count)]


def page(words: Iterable[tuple[str, float, float]], size: float = 10) -> Page:
    """A page with each text at (left edge, baseline), as wide as letters of half the size would make it."""
    texts, boxes = [], array("f")
    for text, x, y in words:
        texts.append(text)
        boxes.extend((x, y - size, x + len(text) * size / 2, y))
    count = len(texts)
    return Page(
        number=1,
        width=WIDTH,
        height=HEIGHT,
        origin="text",
        health=1.0,
        reasons=(),
        text="\n".join(texts),
        boxes=boxes,
        sizes=array("f", [size] * count),
        font_ids=array("H", [0] * count),
        rotations=array("h", [0] * count),
        confidences=array("f", [1.0] * count),
        fonts=(Font("Plain", False, False),),
    )
