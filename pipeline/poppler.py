"""Pictures of pages of an exact size, for a model: by poppler, and by PDFium where poppler is missing or fails.

Runs inside the worker process only. Comes in: an opened document, a page's number, a size in pixels. Goes out: a PNG of
the page as displayed (CropBox, /Rotate). A locked document goes by PDFium: poppler takes passwords where others on the
machine can see them; so does one that had to be mended first. Refuses, as Damaged, what neither can draw.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from pipeline import pdf

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 220  # by which PDFium draws what is then scaled


def sized(book: pdf.Book, number: int, size: tuple[int, int]) -> bytes:
    """PNG of page `number` (from 1), `size` pixels wide and high."""
    picture = _by_poppler(book, number, size) or _by_pdfium(book, number, size)
    buffer = BytesIO()
    picture.convert("RGB").save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def _by_poppler(book: pdf.Book, number: int, size: tuple[int, int]) -> Image | None:
    if book.repaired or book.access.password:
        return None
    from pdf2image import convert_from_path
    from pdf2image.exceptions import (
        PDFInfoNotInstalledError,
        PDFPageCountError,
        PDFPopplerTimeoutError,
        PDFSyntaxError,
    )

    seconds = max(1, int(book.limits.page_seconds))
    try:
        drawn = convert_from_path(
            book.path, first_page=number, last_page=number, size=size, use_cropbox=True, timeout=seconds
        )
    except (PDFInfoNotInstalledError, PDFPageCountError, PDFPopplerTimeoutError, PDFSyntaxError, OSError):
        return None
    return drawn[0] if len(drawn) == 1 and drawn[0].size == size else None


def _by_pdfium(book: pdf.Book, number: int, size: tuple[int, int]) -> Image:
    from PIL import Image

    with Image.open(BytesIO(pdf.render(book, number, DPI))) as picture:
        return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
