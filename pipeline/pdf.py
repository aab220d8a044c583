"""PDF bytes to words, bookmarks and pictures, by PDFium and Tesseract. Runs inside the worker process only.

Comes in: a path and a `ReadingProfile`. Goes out: `Page` values (columns of words), `Bookmark`s, PNG bytes.
Refuses: `NotAPdf`, `Locked`, `Damaged`, `OverLimit`. One thread at a time: PDFium is not thread safe.
"""

from __future__ import annotations

import math
import mmap
import re
import stringprep
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline import health, pictures, ruled, source, tags, textlayer
from pipeline.annotations import opened
from pipeline.leaf import Leaf
from pipeline.limits import Limits
from pipeline.page import USUAL_SIZE, Bookmark, Damaged, DocumentError, NotAPdf, OverLimit, Page, unread
from pipeline.profiles import ReadingProfile

if TYPE_CHECKING:
    from pikepdf import Pdf

MAX_BOOKMARKS = 20_000
MAX_PIXELS = 60_000_000
HEADER = re.compile(rb"%PDF-\d")
HEADER_WITHIN = 1_000  # PDFium looks no further
PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")
PACKED = {
    b"PK\x03\x04": "a ZIP or Office file",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"{\\rtf": "a rich text file",
}


@dataclass(frozen=True)
class Access:
    """How a document is opened: what it may cost, its password (never shown, never kept), who is told of a repair."""

    limits: Limits = Limits()
    password: str = field(default="", repr=False)
    repair_starts: Callable[[], None] = lambda: None


class PageRefused(Exception):
    """A page of which nothing is read, why, and its size in points where that is known."""

    def __init__(self, reason: str, size: tuple[float, float] = USUAL_SIZE) -> None:
        super().__init__(reason)
        self.size = size


class Book:
    """A document in PDFium's hands. `repaired` says, in words, what had to be mended first; empty: nothing."""

    def __init__(self, path: Path, access: Access) -> None:
        self.path, self.access = path, access
        self.limits = access.limits
        self.repaired = ""
        self.copy: pdfium.PdfDocument | None = None
        self.tried = False
        self.picture = _as_pdf(path, access.limits)
        self.start = 0 if self.picture else _start(path)
        self.document = self._opened()
        if not len(self.document):
            self.document.close()
            self.document, self.repaired = self._mended("it seemed to have no pages")
        elif not self.repaired and not _first_page(self.document):
            with suppress(DocumentError):
                mended, repaired = self._mended("its first page was not where it should be")
                if len(mended) >= len(self.document):
                    self.document, self.repaired = mended, repaired
        if len(self.document) > self.limits.pages:
            raise OverLimit(
                f"The PDF has {len(self.document)} pages, more than {self.limits.pages}. Split it and read the parts."
            )

    def __len__(self) -> int:
        return len(self.document)

    def page(self, number: int) -> pdfium.PdfPage:
        """Page `number` (from 1), from a repaired copy where PDFium refuses it; PdfiumError where it still does."""
        try:
            return opened(self.document, number - 1)
        except pdfium.PdfiumError:
            if not self.repaired and not self.tried:
                self.tried = True
                with suppress(DocumentError):
                    self._copied(f"page {number} could not be opened")
            if self.copy is None:
                raise
            return opened(self.copy, number - 1)

    def fault(self, page: pdfium.PdfPage, number: int) -> str:
        """Why a page that shows nothing could not be drawn; empty: it is blank."""
        from pipeline import undrawn  # most files need none, and it takes a while to load

        return undrawn.fault(page, number, self._parsed)

    @cached_property
    def _parsed(self) -> Pdf | None:
        """The document as qpdf reads it, for `fault`."""
        from pipeline import undrawn

        content = b"" if self.start == 0 and not self.picture else self._content()
        return undrawn.parsed(self.path, content, self.access.password, self.document)

    def _copied(self, fault: str) -> None:
        """Have a repaired copy beside the document, if it has the same pages."""
        copy, repaired = self._mended(fault)
        if len(copy) == len(self.document):
            self.copy, self.repaired = copy, repaired
        else:
            copy.close()

    def close(self) -> None:
        for document in (self.document, self.copy):
            if document is not None:
                document.close()

    def _opened(self) -> pdfium.PdfDocument:
        try:
            if self.picture:
                return _load(self.picture, "")
            if self.start <= HEADER_WITHIN:
                return _load(self.path, self.access.password)
            document = _load(self._content(), self.access.password)
        except pdfium.PdfiumError as error:
            security = error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
            document, self.repaired = self._mended(
                "its protection is unusual" if security else "its structure was broken"
            )
            return document
        self.repaired = f"The file begins with {self.start} bytes that are no PDF; they were left out."
        return document

    def _mended(self, fault: str) -> tuple[pdfium.PdfDocument, str]:
        """The repaired copy, and what was mended. `fault` is said where qpdf finds none."""
        from pipeline import repair  # most files need none, and it takes a while to load

        self.access.repair_starts()
        found = repair.repaired(self._content(), self.access.password)
        try:
            document = _load(found.content, "")
        except pdfium.PdfiumError as error:
            raise Damaged(repair.BEYOND) from error
        if not len(document):
            raise Damaged(repair.NO_PAGES)
        return document, f"The file was read from a repaired copy: {'; '.join(found.faults or (fault,))}."

    def _content(self) -> bytes:
        if self.picture:
            return self.picture
        with self.path.open("rb") as stream:
            stream.seek(max(0, self.start))
            return stream.read()


def _first_page(document: pdfium.PdfDocument) -> bool:
    """Whether the first page can be found; its content is not looked at."""
    return bool(raw.FPDF_GetPageSizeByIndexF(document, 0, raw.FS_SIZEF()))


def _as_pdf(path: Path, limits: Limits) -> bytes:
    """A picture as a PDF; nothing of what is none."""
    with path.open("rb") as stream:
        if not stream.read(4).startswith(PICTURES):
            return b""
    from pipeline import photo  # few files need it, and it takes a while to load

    return photo.as_pdf(path, limits)


def _start(path: Path) -> int:
    """Where the PDF begins in the file, in bytes; 0 where the header is missing, and the rest may be one all the same.

    Refuses, as NotAPdf, what is none.
    """
    with path.open("rb") as stream:
        head = stream.read(1024)
        if not head:
            raise NotAPdf("The file is empty (0 bytes). Save or download it again.")
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            found = HEADER.search(content)
            headless = not found and content.find(b" obj") >= 0 and content.find(b"/Page") >= 0
    packed = next((name for sign, name in PACKED.items() if head.lstrip().startswith(sign)), "")
    if packed or not (found or headless):
        raise NotAPdf(f"The file is not a PDF: it looks like {packed or _guess(head)}. Export it as PDF and try again.")
    return found.start() if found else 0


def _guess(head: bytes) -> str:
    if re.match(rb"(\xef\xbb\xbf)?\s*<[!?a-zA-Z]", head):
        return "a web page"
    return "text" if b"\x00" not in head else "some other file"


def _load(source: Path | bytes, password: str) -> pdfium.PdfDocument:
    """PDFium keeps the last error of an earlier file, and sets none for a file without pages: so one is set that
    this file cannot give, for it was opened a moment ago.
    """
    for attempt in dict.fromkeys((password, _prepared(password))):
        raw.FPDF_LoadDocument(b"", None)
        try:
            return pdfium.PdfDocument(source, password=attempt or None)
        except pdfium.PdfiumError as error:
            refusal = error
            if error.err_code != raw.FPDF_ERR_PASSWORD:
                break
    raise refusal


def _prepared(password: str) -> str:
    """As PDF 2.0 wants a password before it is tried (SASLprep: odd spaces, compatibility letters)."""
    mapped = "".join(" " if stringprep.in_table_c12(char) else char for char in password)
    return unicodedata.normalize("NFKC", "".join(char for char in mapped if not stringprep.in_table_b1(char)))


def read_page(book: Book, number: int, profile: ReadingProfile, ocr_starts: Callable[[], None]) -> Page:
    """Page `number` (from 1) by its text layer, or by OCR where the layer says nothing that can be trusted.

    Raises PageRefused where it can be neither.
    """
    try:
        page = book.page(number)
    except pdfium.PdfiumError:
        raise PageRefused("the page is damaged and cannot be read") from None
    told = (book.repaired,) if book.repaired and (number == 1 or book.copy) else ()
    try:
        width, height = page.get_size()
        if max(width, height) > book.limits.page_points:
            most = book.limits.page_points
            raise PageRefused(f"the page is {width:.0f} × {height:.0f} points; the limit is {most:.0f}")
        read = source.read(page, number, profile, ocr_starts)
        if is_blank(read) and (fault := book.fault(page, number)):
            raise PageRefused(f"page {number} could not be drawn: {fault}", (width, height))
        read = replace(read, reasons=(*told, *read.reasons))
        drawn = ruled.drawn(page)
        return replace(read, rules=drawn.rules, cells=drawn.cells)
    finally:
        page.close()


def is_blank(page: Page) -> bool:
    """Whether nothing is printed on the page."""
    return health.BLANK in page.reasons


def blank(number: int, refusal: PageRefused) -> Page:
    """A page of which nothing can be read, and why."""
    return unread(number, str(refusal), refusal.size)


# ---------------------------------------------------------------- pictures, bookmarks


def render(book: Book, number: int, dpi: int) -> bytes:
    """PNG of page `number` as displayed, at `dpi` (less where the picture would pass 60 megapixels)."""
    page = _drawable(book, number)
    try:
        buffer = BytesIO()
        fine = _bounded_dpi(page.get_size(), dpi)
        pictures.picture(page, fine, colour=True).save(buffer, "PNG", compress_level=3, dpi=(fine, fine))
        return buffer.getvalue()
    finally:
        page.close()


def leaf(book: Book, number: int, turn: int) -> Leaf:
    """The picture of page `number` with its lines level, the text turned back by `turn` degrees."""
    from pipeline import scan  # numpy has threads of its own, and a process with threads is not forked

    page = _drawable(book, number)
    try:
        return scan.leaf(page, number, turn)
    finally:
        page.close()


def _drawable(book: Book, number: int) -> pdfium.PdfPage:
    try:
        return book.page(number)
    except (pdfium.PdfiumError, IndexError) as error:
        raise Damaged(f"Page {number} cannot be drawn.") from error


def _bounded_dpi(size: tuple[float, float], dpi: int) -> int:
    pixels = size[0] * size[1] * (dpi / 72) ** 2
    return dpi if pixels <= MAX_PIXELS else max(1, int(dpi * math.sqrt(MAX_PIXELS / pixels)))


def bookmarks(document: pdfium.PdfDocument) -> tuple[Bookmark, ...]:
    """The document's own outline, in its order, or its tagged headings; entries that lead to no page are left out."""
    return tuple(entry for entry in _entries(document) if entry.title) or tags.headings(document)


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
