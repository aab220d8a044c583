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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise, repeat
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline.page import Font

SEPARATED = dict.fromkeys((*range(2), *range(3, 33), 127, 8203, 65279), " ") | {0x02: "\ufffe"}
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff]")  # what SEPARATED changes, but for white space
EXPANDED = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)} | {0xFFFE: "-"}
WORDS = re.compile(r"[^\s\ufffe]*\ufffe|[^\s\ufffe]+")  # PDFium puts U+FFFE for a hyphen at a line's end
DOTS = ".·…_"
LEADERS = re.compile(r"[.·…_]{4,}")
LONG = 14  # characters: longer words are looked through for spaces that PDFium missed
SPACE = 0.25  # of the type size: a gap between characters that is a space
CLOSE = 0.13  # of the type size: a gap that is none
LAID_OVER = 2.5  # of the type size: larger letters begin no word in the middle
LEADER = 0.03  # of the type size: a gap before or after leaders
INVISIBLE = 3
STROKED = 2
PALE = 235  # of 255: text filled so may not be seen
BOLD_NAMES = ("bold", "black", "heavy", "demi")
LIGHTER_NAMES = ("semilight", "demilight")
ITALIC_NAMES = ("italic", "oblique", "kursiv")


def _address(function: object) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


# what is called for each word or text object, without the checks of its arguments: they cost more than the calls
OBJECT_AT = ctypes.CFUNCTYPE(ctypes.c_void_p)(_address(raw.FPDFText_GetTextObject))
LOOSE_BOX = ctypes.CFUNCTYPE(ctypes.c_int)(_address(raw.FPDFText_GetLooseCharBox))
MATRIX_AT = ctypes.CFUNCTYPE(ctypes.c_int)(_address(raw.FPDFText_GetMatrix))
UNMAPPED_AT = ctypes.CFUNCTYPE(ctypes.c_int)(_address(raw.FPDFText_HasUnicodeMapError))
FONT_SIZE = ctypes.CFUNCTYPE(ctypes.c_int)(_address(raw.FPDFTextObj_GetFontSize))
RENDER_MODE = ctypes.CFUNCTYPE(ctypes.c_int)(_address(raw.FPDFTextObj_GetTextRenderMode))
FONT_OF = ctypes.CFUNCTYPE(ctypes.c_void_p)(_address(raw.FPDFTextObj_GetFont))
FILL_COLOUR = ctypes.CFUNCTYPE(ctypes.c_int)(_address(raw.FPDFPageObj_GetFillColor))
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
    unmapped: int = 0
    faint: list[int] = field(default_factory=list)

    def extend(self, words: Sequence[_Placed], boxes: Sequence[Corners]) -> None:
        """Add the words, with their boxes as displayed."""
        styles, fonts, before = [word.style for word in words], self.fonts, len(self.texts)
        self.texts += [word.text if word.text.isascii() else word.text.translate(EXPANDED) for word in words]
        self.boxes.extend(chain.from_iterable(boxes))
        self.sizes.extend([style.size or box[3] - box[1] for style, box in zip(styles, boxes, strict=True)])
        self.font_ids.extend([fonts.setdefault(style.font, len(fonts)) for style in styles])
        self.rotations.extend([style.rotation for style in styles])
        self.confidences.extend(repeat(1.0, len(words)))
        self.invisible += sum([style.invisible for style in styles])
        self.unmapped += sum([style.unmapped for style in styles])
        self.faint += [at for at, style in enumerate(styles, before) if style.pale or style.invisible]


class _Style(NamedTuple):
    """What a text object says of all its characters."""

    size: float
    font: Font
    rotation: int
    invisible: bool
    level: bool = True
    unmapped: bool = False
    pale: bool = False


class _Placed(NamedTuple):
    """A word with its corners in user space."""

    text: str
    corners: Corners
    style: _Style

    def with_(self, other: _Placed) -> _Placed:
        return _Placed(self.text + other.text, _around(self.corners, other.corners), self.style)


UNSTYLED = _Style(0.0, Font("", False, False), 0, False)


def columns(page: pdfium.PdfPage) -> Columns:
    """All words of the page in PDFium's order, their boxes as displayed."""
    found = Columns()
    textpage = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(textpage)
        if count > 0:
            reader = _Reader(page, textpage, found)
            reader.read(_characters(textpage, count))
    finally:
        textpage.close()
    return found


def _characters(textpage: pdfium.PdfTextPage, count: int) -> str:
    """One character a character index."""
    buffer = (ctypes.c_ushort * (count + 1))()
    written = raw.FPDFText_GetText(textpage, 0, count, buffer) - 1
    text = bytes(buffer)[: 2 * count].decode("utf-16-le", "surrogatepass")
    if written == len(text) == count:
        return text
    return "".join(chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count))


class _Reader:
    """Characters of one page to words: split at spaces, at gaps wider than a space, and at jumps."""

    def __init__(self, page: pdfium.PdfPage, textpage: pdfium.PdfTextPage, columns: Columns) -> None:
        self.textpage = textpage.raw
        self.address = ctypes.c_void_p(_address(textpage.raw))
        self.columns = columns
        self.turn, self.page_rotation = turned(page)
        self.styles: dict[int, _Style] = {}
        self.fonts: dict[int, Font] = {}
        self.rect = raw.FS_RECTF()
        self.into = ctypes.byref(self.rect)

    def read(self, characters: str) -> None:
        """Words by their two ends; by every character where the ends do not fit a plain run of text."""
        if CONTROL.search(characters):
            characters = characters.translate(SEPARATED)
        leaders = LEADERS.search(characters)
        found: list[_Placed] = []
        ended = -9
        for match in WORDS.finditer(characters):
            text, first, last = match[0], match.start(), match.end() - 1
            style, start = self._style(first), self._box(first)
            end = self._box(last) if last > first else start
            words = [_Placed(text, (start[0], min(start[1], end[1]), end[2], max(start[3], end[3])), style)]
            if not style.level or not _plain_run(start, end, len(text)) or (leaders and LEADERS.search(text)):
                words = list(self._words(text, first, style))
            if first - ended == 2 and self._gap_is_none(found[-1], words[0], ended + 1):
                words[0] = found.pop().with_(words[0])
            found += words
            ended = last
        words = [word for word in _unspaced(found) if math.isfinite(sum(word.corners))]
        self.columns.extend(words, self._displayed([word.corners for word in words]))

    def _words(self, text: str, first: int, style: _Style) -> Iterator[_Placed]:
        """The words in a run of characters without a space that is not plain."""
        if cut := self._laid_over(first, len(text), style):
            yield from self._words(text[:cut], first, style)
            yield from self._words(text[cut:], first + cut, self._style(first + cut))
            return
        if not style.level:
            yield _Placed(text, self._around_all(first, first + len(text) - 1), style)
            return
        begin, corners, skipped = 0, self._box(first), False
        for offset in range(1, len(text)):
            dots = (text[offset - 1] in DOTS) + (text[offset] in DOTS)
            if dots == 2:
                skipped = True
                continue
            if skipped:
                corners, skipped = _around(corners, self._box(first + offset - 1)), False
            box = self._box(first + offset)
            if _joined(corners, box, LEADER if dots else SPACE) and not self._raised(
                corners, box, style, first + offset
            ):
                corners = _around(corners, box)
            else:
                yield _Placed(text[begin:offset], corners, style)
                begin, corners, style = offset, box, self._style(first + offset)
        if skipped:
            corners = _around(corners, self._box(first + len(text) - 1))
        yield _Placed(text[begin:], corners, style)

    def _laid_over(self, first: int, count: int, style: _Style) -> int:
        """How many characters stand before those of a watermark, or of the text under it, that run on from them."""

        def other(index: int) -> bool:
            found = self._style(index)
            return found.level != style.level or found.size > LAID_OVER * style.size

        if count < 2 or not other(first + count - 1):
            return 0
        return next(offset for offset in range(1, count) if other(first + offset))

    def _raised(self, word: Corners, char: Corners, style: _Style, index: int) -> bool:
        """Whether a character is a small one set higher than the word: a note's marker."""
        height = word[3] - word[1]
        if char[3] - char[1] > 0.8 * height or char[1] - word[1] < 0.15 * height:
            return False
        return self._style(index).size < 0.85 * style.size

    def _gap_is_none(self, word: _Placed, following: _Placed, space: int) -> bool:
        """Whether PDFium made up the space between two halves of a word that stand close together."""
        size = word.style.size
        gap = following.corners[0] - word.corners[2]
        if not (word.style.level and -0.1 * size < gap < CLOSE * size):
            return False
        if abs(word.corners[1] - following.corners[1]) > 0.1 * size or not _alike(word, following):
            return False
        letters = word.text[-1].isalpha() and following.text[0].isalpha()
        return letters and raw.FPDFText_IsGenerated(self.textpage, space) == 1

    def _around_all(self, first: int, last: int) -> Corners:
        corners = self._box(first)
        for index in range(first + 1, last + 1):
            corners = _around(corners, self._box(index))
        return corners

    def _box(self, index: int) -> Corners:
        LOOSE_BOX(self.address, index, self.into)
        rect = self.rect
        return rect.left, rect.bottom, rect.right, rect.top

    def _displayed(self, placed: Sequence[Corners]) -> list[Corners]:
        """Boxes of the page as displayed, from corners in user space."""
        turn = self.turn
        right, down = turn(0.0, 0.0)
        if not self.page_rotation:
            return [(x0 + right, down - y1, x1 + right, down - y0) for x0, y0, x1, y1 in placed]
        turned = [(*turn(x0, y0), *turn(x1, y1)) for x0, y0, x1, y1 in placed]
        return [(min(x, u), min(y, v), max(x, u), max(y, v)) for x, y, u, v in turned]

    def _style(self, index: int) -> _Style:
        address = OBJECT_AT(self.address, index)
        if address is None:
            return UNSTYLED
        style = self.styles.get(address)
        if style is None:
            style = self.styles[address] = self._measured(ctypes.c_void_p(address), index)
        return style

    def _measured(self, pointer: ctypes.c_void_p, index: int) -> _Style:
        nominal, matrix = ctypes.c_float(), raw.FS_MATRIX()
        FONT_SIZE(pointer, ctypes.byref(nominal))
        MATRIX_AT(self.address, index, ctypes.byref(matrix))
        scale = math.hypot(matrix.c, matrix.d) or 1.0
        angle = math.degrees(math.atan2(matrix.b, matrix.a))
        mode = RENDER_MODE(pointer)
        colour, pale = _fill(pointer)
        font = self._font(FONT_OF(pointer))
        if colour or (mode == STROKED and not font.bold):
            font = font._replace(colour=colour, bold=font.bold or mode == STROKED)
        rotation = round(self.page_rotation - angle) % 360
        unmapped = UNMAPPED_AT(self.address, index) == 1
        size = round(abs(nominal.value) * scale, 2)
        return _Style(size, font, rotation, mode == INVISIBLE, abs(angle) < 1, unmapped, pale)

    def _font(self, address: int | None) -> Font:
        if address is None:
            return UNSTYLED.font
        if address not in self.fonts:
            self.fonts[address] = _named(ctypes.cast(address, raw.FPDF_FONT))
        return self.fonts[address]


def _alike(word: _Placed, other: _Placed) -> bool:
    """Whether both are set alike, in whatever colour."""
    style = other.style
    return word.style == style._replace(font=style.font._replace(colour=word.style.font.colour))


def _fill(pointer: ctypes.c_void_p) -> tuple[int, bool]:
    """The colour that the text is filled with (0xRRGGBB; black where it is none), and whether that is nearly white, or
    nearly nothing.
    """
    parts = (ctypes.c_uint * 4)()
    if not FILL_COLOUR(pointer, *[ctypes.byref(parts, 4 * index) for index in range(4)]):
        return 0, False
    red, green, blue, alpha = parts
    return red << 16 | green << 8 | blue, min(red, green, blue) > PALE or alpha < 255 - PALE


def _unspaced(words: Iterable[_Placed]) -> Iterator[_Placed]:
    """Words with the letters of spaced-out titles (`T E R M I N A T I O N`) put together."""
    words = list(words)
    if sum(len(word.text) == 1 for word in words) < 4:
        yield from words
        return
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
                word = word.with_(letter)
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
    return level and count < LONG and end[0] >= start[0] and end[2] - start[0] < 0.75 * height * count


def _joined(word: Corners, char: Corners, space: float) -> bool:
    """Whether a character goes on with the word: no gap of `space` of the type size, no jump to another line."""
    height = max(word[3] - word[1], char[3] - char[1], 0.1)
    across = max(char[0] - word[2], word[0] - char[2])
    along = max(char[1] - word[3], word[1] - char[3])
    return across < space * height and along < 0.6 * height


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
