"""Whether a page that shows nothing is blank, or could not be drawn. Runs inside the worker process only.

Comes in: an opened page without words and ink, and its document as qpdf reads it. Goes out: what is wrong with the
page, in words; empty where it is blank. Refuses nothing: what qpdf cannot read, either, is what is wrong.

PDFium draws what it can and passes over the rest without a word. So the page's own description is looked at: parts that
cannot be unpacked, commands that draw although nothing came of them, pictures that cannot be decoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from pikepdf import Array, Dictionary, Object, Pdf, Stream

from pipeline import repair
from pipeline.model import DocumentError

PICTURE = "its picture is damaged, or stored in a form that cannot be read"
PACKED = "its content cannot be unpacked"
IDLE = "its content has commands to draw, but none of them could be carried out"
BROKEN = "the file is broken where the page should be described"
DRAWS = re.compile(rb"(?<![^\s)>\]])(?:Tj|TJ|Do|EI|sh)(?=[\s/(<\[%]|$)")
DEEPEST = 4  # forms within forms
FAULTS = (pikepdf.PdfError, RuntimeError, ValueError, TypeError, NotImplementedError)


def parsed(path: Path, content: bytes, password: str, document: pdfium.PdfDocument) -> Pdf | None:
    """The document as qpdf reads it: from the file, from a repaired copy, or from what PDFium made of it; None where
    none of them has the same pages.
    """
    attempts: tuple[Callable[[], bytes | Path], ...] = (
        lambda: content or path,
        lambda: repair.repaired(content or path.read_bytes(), password).content,
        lambda: _copied(document),
    )
    for attempt in attempts:
        with suppress(*FAULTS, DocumentError):
            source = attempt()
            found = pikepdf.open(BytesIO(source) if isinstance(source, bytes) else source, password=password)
            if len(found.pages) == len(document):
                return found
    return None


def _copied(document: pdfium.PdfDocument) -> bytes:
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def fault(page: pdfium.PdfPage, number: int, document: Pdf | None) -> str:
    """Why page `number` shows nothing; empty: it is blank."""
    if any(not _decodes(picture) for picture in _pictures(page)):
        return PICTURE
    if document is None:
        return BROKEN
    described = document.pages[number - 1].obj
    try:
        commands = b"\n".join(part.read_bytes() for part in _parts(described.get("/Contents")))
        for form in _forms(described, 0):
            form.read_bytes()
    except FAULTS:
        return PACKED
    return IDLE if DRAWS.search(commands) and not raw.FPDFPage_CountObjects(page) else ""


def _pictures(page: pdfium.PdfPage) -> Iterator[raw.FPDF_PAGEOBJECT]:
    for item in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=DEEPEST):
        yield item.raw


def _decodes(picture: raw.FPDF_PAGEOBJECT) -> bool:
    bitmap = raw.FPDFImageObj_GetBitmap(picture)
    if not bitmap:
        return False
    raw.FPDFBitmap_Destroy(bitmap)
    return True


def _parts(contents: Object | None) -> Iterator[Object]:
    """The streams that describe the page."""
    for part in contents if isinstance(contents, Array) else (contents,):
        if isinstance(part, Stream):
            yield part


def _forms(described: Object, depth: int) -> Iterator[Object]:
    """The forms that the page may draw, with those inside them."""
    resources = described.get("/Resources")
    named = resources.get("/XObject") if isinstance(resources, Dictionary) else None
    if not isinstance(named, Dictionary) or depth >= DEEPEST:
        return
    for _, item in named.items():
        if isinstance(item, Stream) and item.get("/Subtype") == pikepdf.Name.Form:
            yield item
            yield from _forms(item, depth + 1)
