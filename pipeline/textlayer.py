"""The words of a page's text layer, by PDFium. Runs inside the worker process only.

Comes in: an opened page. Goes out: `Columns` of words, their boxes as the page is displayed.

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
from itertools import groupby, pairwise
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline.model import Box, Font

SEPARATED = dict.fromkeys((*range(2), *range(3, 33), 127, 8203, 65279), " ") | {0x02: "\ufffe"}
EXPANDED = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)} | {0xFFFE: "-"}
WORDS = re.compile(r"[^\s\ufffe]*\ufffe|[^\s\ufffe]+")  # PDFium puts U+FFFE for a hyphen at a line's end
INVISIBLE = 3
STROKED = 2
BOLD_NAMES = ("bold", "black", "heavy", "demi")
LIGHTER_NAMES = ("semilight", "demilight")
ITALIC_NAMES = ("italic", "oblique", "kursiv")

Point = tuple[float, float]
Corners = tuple[float, float, float, float]
Turn = Callable[[float, float], Point]


@dataclass
class Columns:
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


def columns(page: pdfium.PdfPage) -> Columns:
    """All words of the page in PDFium's order, their boxes as displayed."""
    found = Columns()
    textpage = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(textpage)
        if count > 0:
            reader = _Reader(page, textpage, found)
            reader.read(_codes(textpage, count))
    finally:
        textpage.close()
    return found


def _codes(textpage: pdfium.PdfTextPage, count: int) -> list[int]:
    """One code point a character index."""
    buffer = (ctypes.c_ushort * (count + 1))()
    written = raw.FPDFText_GetText(textpage, 0, count, buffer) - 1
    if written == count and not any(0xD800 <= unit < 0xE000 for unit in buffer):
        return list(buffer[:count])
    return [raw.FPDFText_GetUnicode(textpage, index) for index in range(count)]


class _Reader:
    """Characters of one page to words: split at spaces, at gaps wider than a space, and at jumps."""

    def __init__(self, page: pdfium.PdfPage, textpage: pdfium.PdfTextPage, columns: Columns) -> None:
        self.textpage = textpage.raw
        self.columns = columns
        self.turn, self.page_rotation = turned(page)
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
        box, style = _box_turned(self.turn, word.corners), word.style
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


def _box_turned(turn: Turn, corners: Corners) -> Box:
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


def turned(page: pdfium.PdfPage) -> tuple[Turn, int]:
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
