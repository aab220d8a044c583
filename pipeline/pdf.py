"""PDF bytes to words, bookmarks and pictures, by PDFium and Tesseract. Runs inside the worker process only.

Comes in: a path and a `ReadingProfile`. Goes out: `Page` values (columns of words), `Bookmark`s, PNG bytes.
Refuses: `NotAPdf`, `Locked`, `Damaged`, `OverLimit`. One thread at a time: PDFium is not thread safe.

Sizes come through the text matrix, for many files set size 1 and scale. Boxes are turned and moved to the page
as it is displayed. Text index and character index part ways on surrogate pairs: such pages are read by character.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline import ocr
from pipeline.model import Bookmark, Box, Damaged, Font, Locked, NotAPdf, OverLimit, Page
from pipeline.profiles import ReadingProfile

NO_PAGES = "The PDF has no page that can be read. Export it again from the program that made it."
MAX_PAGES = 5_000
MAX_BOOKMARKS = 20_000
MAX_PAGE_POINTS = 14_400.0
MAX_PIXELS = 60_000_000
OCR_PIXELS = 3_600
SEPARATED = dict.fromkeys((*range(2), *range(3, 33), 127, 8203, 65279), " ") | {0x02: "\ufffe"}
EXPANDED = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)} | {0xFFFE: "-"}
WORDS = re.compile(r"[^\s\ufffe]*\ufffe|[^\s\ufffe]+")  # PDFium puts U+FFFE for a hyphen at a line's end
INVISIBLE = 3
STROKED = 2
BOLD_NAMES = ("bold", "black", "heavy", "demi")
LIGHTER_NAMES = ("semilight", "demilight")
ITALIC_NAMES = ("italic", "oblique", "kursiv")

if TYPE_CHECKING:
    from PIL.Image import Image

Point = tuple[float, float]
Corners = tuple[float, float, float, float]
Turn = Callable[[float, float], Point]


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


# ---------------------------------------------------------------- words


@dataclass
class _Columns:
    """The columns of a `Page` while they grow."""

    texts: list[str] = field(default_factory=list)
    boxes: array[float] = field(default_factory=lambda: array("f"))
    sizes: array[float] = field(default_factory=lambda: array("f"))
    font_ids: array[int] = field(default_factory=lambda: array("H"))
    rotations: array[int] = field(default_factory=lambda: array("h"))
    confidences: array[float] = field(default_factory=lambda: array("f"))
    fonts: dict[Font, int] = field(default_factory=dict)
    invisible: int = 0

    def add(self, text: str, box: Box, style: _Style) -> None:
        self.texts.append(text)
        self.boxes.extend(box)
        self.sizes.append(style.size)
        self.font_ids.append(self.fonts.setdefault(style.font, len(self.fonts)))
        self.rotations.append(style.rotation)
        self.confidences.append(1.0)
        self.invisible += style.invisible


@dataclass(frozen=True)
class _Style:
    """What a text object says of all its characters."""

    size: float
    font: Font
    rotation: int
    invisible: bool
    level: bool = True


class _Placed(NamedTuple):
    """A word with its corners in user space."""

    text: str
    corners: Corners
    style: _Style


UNSTYLED = _Style(0.0, Font("", False, False), 0, False)


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
        columns = _columns(page)
        health, reasons = _health(page, columns)
        if profile.ocr == "always" or (profile.ocr == "auto" and health < 0.5):
            return _by_ocr(page, number, profile, reasons, columns)
        return _page(number, (width, height), columns, (health, reasons))
    finally:
        page.close()


def _blank(number: int, reason: str) -> Page:
    return _page(number, (612.0, 792.0), _Columns(), (0.0, (reason,)))


def _page(number: int, size: tuple[float, float], columns: _Columns, health: tuple[float, tuple[str, ...]]) -> Page:
    return Page(
        number=number,
        width=size[0],
        height=size[1],
        origin="text",
        health=health[0],
        reasons=health[1],
        text="\n".join(columns.texts),
        boxes=columns.boxes,
        sizes=columns.sizes,
        font_ids=columns.font_ids,
        rotations=columns.rotations,
        confidences=columns.confidences,
        fonts=tuple(columns.fonts),
    )


def _columns(page: pdfium.PdfPage) -> _Columns:
    """All words of the page in PDFium's order, their boxes as displayed."""
    columns = _Columns()
    textpage = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(textpage)
        if count > 0:
            reader = _Reader(page, textpage, columns)
            reader.read(_codes(textpage, count))
    finally:
        textpage.close()
    return columns


def _codes(textpage: pdfium.PdfTextPage, count: int) -> list[int]:
    """One code point a character index."""
    buffer = (ctypes.c_ushort * (count + 1))()
    written = raw.FPDFText_GetText(textpage, 0, count, buffer) - 1
    if written == count and not any(0xD800 <= unit < 0xE000 for unit in buffer):
        return list(buffer[:count])
    return [raw.FPDFText_GetUnicode(textpage, index) for index in range(count)]


class _Reader:
    """Characters of one page to words: split at spaces, at gaps wider than a space, and at jumps."""

    def __init__(self, page: pdfium.PdfPage, textpage: pdfium.PdfTextPage, columns: _Columns) -> None:
        self.textpage = textpage.raw
        self.columns = columns
        self.turn, self.page_rotation = _turn(page)
        self.styles: dict[int, _Style] = {}
        self.fonts: dict[int, Font] = {}
        self.rect = raw.FS_RECTF()
        self.into = ctypes.byref(self.rect)

    def read(self, codes: list[int]) -> None:
        """Words by their two ends; by every character where the ends do not fit a plain run of text."""
        text = "".join(map(chr, codes)).translate(SEPARATED)
        found: list[_Placed] = []
        for match in WORDS.finditer(text):
            first, last = match.start(), match.end() - 1
            style = self._style(first)
            start = self._box(first)
            end = self._box(last) if last > first else start
            if not style.level:
                found.append(_Placed(match[0], self._around_all(first, last), style))
            elif _plain_run(start, end, last - first + 1):
                found.append(_Placed(match[0], _around(start, end), style))
            else:
                found += self._by_character(match[0], first)
        for word in _unspaced(found):
            self._add(word)

    def _by_character(self, text: str, first: int) -> Iterator[_Placed]:
        begin, corners = 0, self._box(first)
        for offset in range(1, len(text)):
            box = self._box(first + offset)
            if _joined(corners, box):
                corners = _around(corners, box)
            else:
                yield _Placed(text[begin:offset], corners, self._style(first + begin))
                begin, corners = offset, box
        yield _Placed(text[begin:], corners, self._style(first + begin))

    def _around_all(self, first: int, last: int) -> Corners:
        corners = self._box(first)
        for index in range(first + 1, last + 1):
            corners = _around(corners, self._box(index))
        return corners

    def _box(self, index: int) -> Corners:
        raw.FPDFText_GetLooseCharBox(self.textpage, index, self.into)
        rect = self.rect
        return rect.left, rect.bottom, rect.right, rect.top

    def _add(self, word: _Placed) -> None:
        box, style = _turned(self.turn, word.corners), word.style
        if not all(map(math.isfinite, box)):
            return
        if style.size == 0.0:
            style = replace(style, size=box.height)
        self.columns.add(word.text.translate(EXPANDED), box, style)

    def _style(self, index: int) -> _Style:
        pointer = raw.FPDFText_GetTextObject(self.textpage, index)
        if not pointer:
            return UNSTYLED
        address = ctypes.cast(pointer, ctypes.c_void_p).value or 0
        if address not in self.styles:
            self.styles[address] = self._measured(pointer, index)
        return self.styles[address]

    def _measured(self, pointer: raw.FPDF_PAGEOBJECT, index: int) -> _Style:
        nominal = ctypes.c_float()
        raw.FPDFTextObj_GetFontSize(pointer, nominal)
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(self.textpage, index, matrix)
        scale = math.hypot(matrix.c, matrix.d) or 1.0
        angle = math.degrees(math.atan2(matrix.b, matrix.a))
        mode = raw.FPDFTextObj_GetTextRenderMode(pointer)
        font = self._font(raw.FPDFTextObj_GetFont(pointer))
        if mode == STROKED and not font.bold:
            font = font._replace(bold=True)
        rotation = round(self.page_rotation - angle) % 360
        size = round(abs(nominal.value) * scale, 2)
        return _Style(size, font, rotation, mode == INVISIBLE, level=abs(angle) < 1)

    def _font(self, pointer: raw.FPDF_FONT) -> Font:
        address = ctypes.cast(pointer, ctypes.c_void_p).value or 0
        if address not in self.fonts:
            self.fonts[address] = _named(pointer) if address else UNSTYLED.font
        return self.fonts[address]


def _turned(turn: Turn, corners: Corners) -> Box:
    x0, y0 = turn(corners[0], corners[1])
    x1, y1 = turn(corners[2], corners[3])
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _unspaced(words: Iterable[_Placed]) -> Iterator[_Placed]:
    """Words with the letters of spaced-out titles (`T E R M I N A T I O N`) put together."""
    for letters, group in groupby(words, _spaced_letter):
        run = list(group)
        if letters is None or len(run) < 4:
            yield from run
            continue
        gaps = [other.corners[0] - one.corners[2] for one, other in pairwise(run)]
        usual = sorted(gaps)[len(gaps) // 2]
        if not 0 <= usual < 1.5 * run[0].style.size:
            yield from run
            continue
        word = run[0]
        for letter, gap in zip(run[1:], gaps, strict=True):
            if -0.2 * usual <= gap <= 1.7 * usual:
                word = _Placed(word.text + letter.text, _around(word.corners, letter.corners), word.style)
            else:
                yield word
                word = letter
        yield word


def _spaced_letter(word: _Placed) -> tuple[int, float, bool] | None:
    """What neighbouring letters of one spaced-out title share: baseline, size, weight."""
    if len(word.text) != 1 or not word.text.isupper() or not word.style.level:
        return None
    return round(word.corners[1]), word.style.size, word.style.font.bold


def _around(one: Corners, other: Corners) -> Corners:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _plain_run(start: Corners, end: Corners, count: int) -> bool:
    """Whether the ends of a word are those of a level run of `count` characters without a gap."""
    height = start[3] - start[1]
    level = abs(start[1] - end[1]) < 0.2 * height and abs(start[3] - end[3]) < 0.2 * height
    return level and end[0] >= start[0] and end[2] - start[0] < 0.75 * height * count


def _joined(word: Corners, char: Corners) -> bool:
    """Whether a character goes on with the word: no gap wider than a space, no jump to another line, and no raised
    note marker.
    """
    height = max(word[3] - word[1], char[3] - char[1], 0.1)
    if char[3] - char[1] < 0.8 * height and char[1] - word[1] > 0.15 * height:
        return False
    across = max(char[0] - word[2], word[0] - char[2])
    along = max(char[1] - word[3], word[1] - char[3])
    return across < 0.6 * height and along < 0.6 * height


def _turn(page: pdfium.PdfPage) -> tuple[Turn, int]:
    """User space → points of the page as displayed, and the page's rotation in degrees clockwise."""
    rect = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page, rect)
    left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
    rotation = page.get_rotation()
    match rotation:
        case 90:
            return (lambda x, y: (y - bottom, x - left)), rotation
        case 180:
            return (lambda x, y: (right - x, y - bottom)), rotation
        case 270:
            return (lambda x, y: (top - y, right - x)), rotation
        case _:
            return (lambda x, y: (x - left, top - y)), 0


def _named(pointer: raw.FPDF_FONT) -> Font:
    buffer = ctypes.create_string_buffer(256)
    raw.FPDFFont_GetBaseFontName(pointer, buffer, 256)
    name = buffer.value.decode("utf-8", "replace")
    name = name.partition("+")[2] if name[6:7] == "+" else name
    lower = name.lower()
    heavy = any(part in lower for part in BOLD_NAMES) and not any(part in lower for part in LIGHTER_NAMES)
    bold = heavy or raw.FPDFFont_GetWeight(pointer) >= 600 or bool(raw.FPDFFont_GetFlags(pointer) & 1 << 18)
    italic = any(part in lower for part in ITALIC_NAMES) or bool(raw.FPDFFont_GetFlags(pointer) & 1 << 6)
    return Font(name, bold, italic)


# ---------------------------------------------------------------- health


def _health(page: pdfium.PdfPage, columns: _Columns) -> tuple[float, tuple[str, ...]]:
    """How far the text layer can be trusted, 0..1, and why not further. Below 0.5 OCR is wanted."""
    words = len(columns.texts)
    if not words:
        covered, drawn = _covered(page)
        if covered > 0.05:
            return 0.0, (f"no text; pictures cover {covered:.0%} of the page",)
        return (0.0, ("no text; the page is drawn as shapes",)) if drawn > 20 else (1.0, ("the page is blank",))
    characters = "".join(columns.texts)
    broken = sum(map(_unmapped, characters)) / len(characters)
    reasons = []
    health = 1.0
    if broken > 0.01:
        health -= min(1.0, 2 * broken)
        reasons.append(f"{broken:.0%} of the characters have no known letter")
    if columns.invisible > words / 2:
        health = min(health, 0.6)
        reasons.append("the text is invisible, as an older OCR leaves it")
    if words < 30 and (covered := _covered(page)[0]) > 0.7:
        health = min(health, 0.3)
        reasons.append(f"pictures cover {covered:.0%} of the page and only {words} words are text")
    return max(0.0, health), tuple(reasons)


def _unmapped(char: str) -> bool:
    return char == "\ufffd" or unicodedata.category(char) in ("Co", "Cn", "Cc")


def _covered(page: pdfium.PdfPage) -> tuple[float, int]:
    """Share of the page that pictures cover (overlaps count twice, at most 1), and the number of other shapes."""
    width, height = page.get_size()
    area, shapes = 0.0, 0
    for item in page.get_objects(max_depth=4):
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = item.get_bounds()
            area += max(0.0, min(right - left, width)) * max(0.0, min(top - bottom, height))
        else:
            shapes += 1
    return min(1.0, area / max(1.0, width * height)), shapes


# ---------------------------------------------------------------- OCR


def _by_ocr(
    page: pdfium.PdfPage, number: int, profile: ReadingProfile, reasons: tuple[str, ...], columns: _Columns
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
        turn, _ = _turn(page)
        return turn(0.0, view[position])[1]
    finally:
        page.close()
