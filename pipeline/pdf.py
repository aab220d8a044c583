"""PDF bytes to words, bookmarks and pictures, by PDFium and Tesseract. Runs inside the worker process only.

Comes in: a path and a `ReadingProfile`. Goes out: `Page` values (columns of words), `Bookmark`s, PNG bytes.
Refuses: `NotAPdf`, `Locked`, `Damaged`, `OverLimit`. One thread at a time: PDFium is not thread safe.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline import health, ocr, ruled, textlayer
from pipeline.model import Bookmark, Damaged, Font, Locked, NotAPdf, OverLimit, Page
from pipeline.profiles import ReadingProfile
from pipeline.textlayer import Columns

NO_PAGES = "The PDF has no page that can be read. Export it again from the program that made it."
MAX_PAGES = 5_000
MAX_BOOKMARKS = 20_000
MAX_PAGE_POINTS = 14_400.0
MAX_PIXELS = 60_000_000
OCR_PIXELS = 3_600
if TYPE_CHECKING:
    from PIL.Image import Image


def open_document(path: Path) -> pdfium.PdfDocument:
    """The opened document, with one page at least."""
    with path.open("rb") as stream:
        head = stream.read(1024)
    if not head:
        raise NotAPdf("The file is empty (0 bytes). Save or download it again.")
    if b"%PDF-" not in head:
        raise NotAPdf(f"The file is not a PDF: it looks like {_guess(head)}. Export it as PDF and try again.")
    document = _load(path)
    if not len(document):
        raise Damaged(NO_PAGES)
    if len(document) > MAX_PAGES:
        raise OverLimit(f"The PDF has {len(document)} pages, more than {MAX_PAGES}. Split it and read the parts.")
    return document


def _load(path: Path) -> pdfium.PdfDocument:
    """PDFium keeps the last error of an earlier file, and sets none for a file without pages: so one is set that
    this file cannot give, for it was opened a moment ago.
    """
    raw.FPDF_LoadDocument(b"", None)
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        match error.err_code:
            case raw.FPDF_ERR_PASSWORD:
                raise Locked("The PDF is locked with a password. Save a copy without one and read that.") from error
            case raw.FPDF_ERR_SECURITY:
                raise Locked("The PDF uses a protection that cannot be opened. Print it to a new PDF.") from error
            case raw.FPDF_ERR_FILE:
                raise Damaged(NO_PAGES) from error
            case _:
                raise Damaged("The PDF is damaged and cannot be opened. Save it again from a viewer.") from error


def _guess(head: bytes) -> str:
    signatures = {
        b"\x89PNG": "a PNG picture",
        b"\xff\xd8\xff": "a JPEG picture",
        b"II*\x00": "a TIFF picture",
        b"MM\x00*": "a TIFF picture",
        b"PK\x03\x04": "a ZIP or Office file",
        b"\xd0\xcf\x11\xe0": "an old Office file",
        b"{\\rtf": "a rich text file",
        b"<": "a web page",
    }
    for signature, name in signatures.items():
        if head.lstrip().startswith(signature):
            return name
    return "text" if b"\x00" not in head else "some other file"


def read_page(document: pdfium.PdfDocument, number: int, profile: ReadingProfile) -> Page:
    """Page `number` (from 1) by its text layer, or by OCR where the layer says nothing that can be trusted."""
    try:
        page = document[number - 1]
    except pdfium.PdfiumError:
        return _blank(number, "the page is damaged and cannot be read")
    try:
        width, height = page.get_size()
        if max(width, height) > MAX_PAGE_POINTS:
            return _blank(number, f"the page is {width:.0f} × {height:.0f} points, larger than any PDF page may be")
        columns = textlayer.columns(page)
        trust, reasons = health.health(page, columns)
        if profile.ocr == "always" or (profile.ocr == "auto" and trust < 0.5):
            return _by_ocr(page, number, profile, reasons, columns)
        read = _page(number, (width, height), columns, (trust, reasons))
        drawn = ruled.drawn(page)
        return replace(read, rules=drawn.rules, cells=drawn.cells)
    finally:
        page.close()


def _blank(number: int, reason: str) -> Page:
    return _page(number, (612.0, 792.0), Columns(), (0.0, (reason,)))


def _page(number: int, size: tuple[float, float], columns: Columns, trust: tuple[float, tuple[str, ...]]) -> Page:
    return Page(
        number=number,
        width=size[0],
        height=size[1],
        origin="text",
        health=trust[0],
        reasons=trust[1],
        text="\n".join(columns.texts),
        boxes=columns.boxes,
        sizes=columns.sizes,
        font_ids=columns.font_ids,
        rotations=columns.rotations,
        confidences=columns.confidences,
        fonts=tuple(columns.fonts),
    )


# ---------------------------------------------------------------- OCR


def _by_ocr(
    page: pdfium.PdfPage, number: int, profile: ReadingProfile, reasons: tuple[str, ...], columns: Columns
) -> Page:
    """The page read from its picture; its text layer, with the reason, where no OCR can be had."""
    size = page.get_size()
    try:
        dpi = _bounded_dpi(size, min(profile.ocr_dpi, int(OCR_PIXELS * 72 / max(size))))
        words = ocr.words(_picture(page, dpi), dpi, profile.languages)
    except ocr.Unavailable as error:
        return _page(number, size, columns, (0.0, (*reasons, str(error))))
    fonts = (Font("ocr", False, False),)
    return Page(
        number=number,
        width=size[0],
        height=size[1],
        origin="ocr",
        health=sum(word.confidence for word in words) / len(words) if words else 0.0,
        reasons=reasons if words else (*reasons, "OCR found no text"),
        text="\n".join(word.text for word in words),
        boxes=array("f", [side for word in words for side in word.box]),
        sizes=array("f", [word.size for word in words]),
        font_ids=array("H", [0] * len(words)),
        rotations=array("h", [0] * len(words)),
        confidences=array("f", [word.confidence for word in words]),
        fonts=fonts,
    )


# ---------------------------------------------------------------- pictures, bookmarks


def render(document: pdfium.PdfDocument, number: int, dpi: int) -> bytes:
    """PNG of page `number` as displayed, at `dpi` (less where the picture would pass 60 megapixels)."""
    try:
        page = document[number - 1]
    except (pdfium.PdfiumError, IndexError) as error:
        raise Damaged(f"Page {number} cannot be drawn.") from error
    try:
        buffer = BytesIO()
        _picture(page, _bounded_dpi(page.get_size(), dpi)).save(buffer, "PNG", compress_level=3)
        return buffer.getvalue()
    finally:
        page.close()


def _bounded_dpi(size: tuple[float, float], dpi: int) -> int:
    pixels = size[0] * size[1] * (dpi / 72) ** 2
    return dpi if pixels <= MAX_PIXELS else max(1, int(dpi * math.sqrt(MAX_PIXELS / pixels)))


def _picture(page: pdfium.PdfPage, dpi: int) -> Image:
    bitmap = page.render(scale=dpi / 72)
    try:
        picture: Image = bitmap.to_pil().convert("RGB")
        return picture
    finally:
        bitmap.close()


def bookmarks(document: pdfium.PdfDocument) -> tuple[Bookmark, ...]:
    """The document's own outline, in its order; entries that lead to no page are left out."""
    return tuple(entry for entry in _entries(document) if entry.title)


def _entries(document: pdfium.PdfDocument) -> Iterator[Bookmark]:
    for count, (item, level) in enumerate(_outline(document)):
        if count >= MAX_BOOKMARKS:
            return
        destination = item.get_dest()
        index = destination.get_index() if destination else None
        if index is None or not 0 <= index < len(document):
            continue
        title = " ".join(item.get_title().split())
        yield Bookmark(title, level, index + 1, _destined(document, index, destination))


def _outline(document: pdfium.PdfDocument) -> Iterator[tuple[pdfium.PdfBookmark, int]]:
    for item in document.get_toc(max_depth=9):
        yield item, item.level + 1


def _destined(document: pdfium.PdfDocument, index: int, destination: pdfium.PdfDest) -> float | None:
    """Distance from the top of the displayed page in points, where the destination names one."""
    mode, view = destination.get_view()
    position = {raw.PDFDEST_VIEW_XYZ: 1, raw.PDFDEST_VIEW_FITH: 0, raw.PDFDEST_VIEW_FITBH: 0}.get(mode)
    if position is None or len(view) <= position:
        return None
    page = document[index]
    try:
        turn, _ = textlayer.turned(page)
        return turn(0.0, view[position])[1]
    finally:
        page.close()
