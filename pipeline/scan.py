"""A page read from its picture: straightened, turned upright, read by Tesseract, put back in its place. Runs inside the
worker process only.

Comes in: an opened page, its `Coverage` by pictures, a `ReadingProfile`. Goes out: `Scan`: words in points of the page
as displayed, and what was done in words; or, of a text layer, how far the picture bears it out; or the page's `Leaf`.
Refuses: `ocr.Unavailable`.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import pypdfium2 as pdfium
from PIL.Image import Image, Resampling

from pipeline import ink, ocr, pictures, posture, tint, unruled
from pipeline.health import Borne
from pipeline.leaf import Leaf
from pipeline.model import Box, Word
from pipeline.ocr import Token
from pipeline.pictures import Coverage
from pipeline.profiles import ReadingProfile

LEAST_DPI = 150
MOST_DPI = 400
STAMP_DPI = 100  # enough to see a stamp
CROP_DPI = (200, 300)  # of the picture that crops are cut from, least and most
FIRST_PIXELS = 8_000_000  # of the first drawing, an A4 page at 290 dpi
MOST_PIXELS = 16_000_000
LONGEST = 12_000  # pixels; Tesseract takes 32 767
SMALL, GOOD, FINE, LARGE = 17, 24, 40, 60  # pixels: height of words
MARKS = frozenset("|¦!_-–—~=.,:;'’‘`´\"“”„°*•·^<>«»()[]{}\\/+¬")
SURE_MARK = 0.7
DOUBTFUL = 0.4  # confidence: a word below is read a second time
LIKELY = 0.5
LEFT_CELLS = 16  # text-like cells of 8 points without a word: two or three words
LEFT_SHARE = 0.1
TRIED = 0.1  # of the height: the strip that a text layer is held against
CONFIDENT = 0.8
CLEAR = 0.9  # mean confidence: above, the language that was tried reads the page


@dataclass(frozen=True)
class Scan:
    """Words in points of the page as displayed, and what a person should know of how they were read."""

    words: tuple[Word, ...]
    notes: tuple[str, ...]


def read(page: pdfium.PdfPage, covered: Coverage, profile: ReadingProfile) -> Scan:
    """All words that the page shows."""
    ocr.wanted(profile.languages)
    size = page.get_size()
    wanted = min(max(covered.dpi, LEAST_DPI), profile.ocr_dpi) if covered.dpi else profile.ocr_dpi
    dpi = _bounded(size, wanted, FIRST_PIXELS)
    stamped = tint.tinted(pictures.picture(page, STAMP_DPI, colour=True))
    picture = _picture(page, dpi, stamped)
    stand = posture.found(picture, dpi, profile.languages)
    finer = _bounded(size, _fitting(dpi, stand.height), MOST_PIXELS)
    if abs(finer - dpi) > 0.05 * dpi:
        dpi, picture = finer, _picture(page, finer, stamped)
    straight = posture.straightened(picture, stand.angle)
    tokens = _tokens(straight, dpi, stand, profile)
    kept = [token for token in tokens if not _is_mark(token)]
    words = _placed(kept, stand.angle, (straight.size, picture.size), 72 / dpi)
    return Scan(tuple(words), _notes(stand, len(tokens) - len(kept)))


def _picture(page: pdfium.PdfPage, dpi: float, stamped: bool) -> Image:
    """The page in shades of grey, without its stamps."""
    return tint.cleared(pictures.picture(page, dpi, colour=True)) if stamped else pictures.picture(page, dpi)


def leaf(page: pdfium.PdfPage, number: int, turn: int) -> Leaf:
    """The page's picture as fine as the page is, at most 300 dpi, level. turn: degrees, clockwise, by which its text is
    turned.
    """
    covered = pictures.coverage(page)
    dpi = _bounded(page.get_size(), min(max(covered.dpi, CROP_DPI[0]), CROP_DPI[1]), FIRST_PIXELS)
    picture = _picture(page, dpi, tint.tinted(pictures.picture(page, STAMP_DPI, colour=True)))
    angle = turn + posture.skew(picture)
    level = posture.straightened(picture, angle)
    return Leaf(number, level.tobytes(), *level.size, picture.size, angle, dpi / 72)


def _tokens(straight: Image, dpi: float, stand: posture.Posture, profile: ReadingProfile) -> list[Token]:
    """What Tesseract reads; once more where only the whole page tells its language, and where it left text out."""
    clear = unruled.cleared(straight, dpi)
    tokens = ocr.tokens(clear, dpi, stand.languages)
    languages = stand.languages
    if stand.open and tokens:
        names = ocr.wanted(profile.languages)
        languages = posture.settled(tokens, names)
        if not languages and posture.surety(tokens) < CLEAR:
            languages = posture.winner(straight, dpi, names, tokens)
        if languages and set(languages) != set(stand.languages):
            tokens = ocr.tokens(clear, dpi, languages)
    return _with_rest(tokens, clear, dpi, languages or stand.languages)


def _with_rest(tokens: list[Token], straight: Image, dpi: float, languages: tuple[str, ...]) -> list[Token]:
    """With what a second look finds where the picture shows text and none was read: Tesseract passes over whole
    tables at times.
    """
    sure = [token for token in tokens if token.confidence > DOUBTFUL and any(map(str.isalnum, token.text))]
    boxes = [token.box for token in sure]
    scale = min(1.0, 72 / dpi)
    small = straight.resize([max(1, round(side * scale)) for side in straight.size], Resampling.BOX)
    seen = ink.layer(small, [Box(*(side * scale for side in box)) for box in boxes])
    if seen.unread < max(LEFT_CELLS, LEFT_SHARE * seen.read):
        return tokens
    rest = [
        token
        for token in ocr.tokens(ink.erased(straight, boxes), dpi, languages, "sparse")
        if token.confidence > LIKELY and any(map(str.isalnum, token.text))
    ]
    kept = [token for token in tokens if token in sure or not any(_overlap(token.box, other.box) for other in rest)]
    return kept + rest


def _overlap(one: Box, other: Box) -> bool:
    return one.holds(*other.middle) or other.holds(*one.middle)


def _bounded(size: tuple[float, float], dpi: float, pixels: int) -> float:
    """At most so fine that the picture stays within its limits."""
    area, side = size[0] * size[1] / 72**2, max(size) / 72
    return min(dpi, math.sqrt(pixels / area), LONGEST / side)


def _fitting(dpi: float, height: float) -> float:
    """The resolution at which words of that height are read best."""
    if not height or SMALL <= height <= LARGE:
        return dpi
    return min(MOST_DPI, max(50.0, dpi * (GOOD if height < SMALL else FINE) / height))


def _is_mark(token: Token) -> bool:
    """A speck or a line that was taken for a sign; nothing with a letter or a digit in it is one."""
    return MARKS.issuperset(token.text) and token.confidence < SURE_MARK


def _notes(stand: posture.Posture, marks: int) -> tuple[str, ...]:
    notes = []
    if stand.turn:
        how = {90: "turned to the right", 180: "upside down", 270: "turned to the left"}[stand.turn]
        notes.append(f"the text stands {how}")
    if stand.skew:
        notes.append(f"the text is {abs(stand.skew):.1f}° askew and was straightened for reading")
    if stand.unread:
        notes.append(f"the text seems to be {stand.unread}, which no installed language of Tesseract reads")
    if marks:
        notes.append(f"{marks} specks or lines that are no text were left out" if marks > 1 else MARK)
    return tuple(notes)


MARK = "a speck or line that is no text was left out"


def _placed(
    tokens: Sequence[Token], angle: float, sizes: tuple[tuple[int, int], tuple[int, int]], scale: float
) -> list[Word]:
    """Words in points of the page; `sizes` of the straightened picture and of the page's, `scale` points a pixel."""
    rotation = round(angle) % 360
    found = []
    for token in tokens:
        box = posture.restored(token.box, angle, *sizes)
        placed = Box(*(side * scale for side in box))
        size = round(token.size * scale, 2)
        found.append(Word(token.text, placed, size, "ocr", rotation=rotation, confidence=token.confidence))
    return found


# ---------------------------------------------------------------- a text layer held against the picture


def borne_out(page: pdfium.PdfPage, layer: Sequence[tuple[str, Box]], profile: ReadingProfile) -> Borne:
    """How far the layer's words are those that a strip of the picture shows in their places."""
    ocr.wanted(profile.languages)
    dpi = _bounded(page.get_size(), min(profile.ocr_dpi, LEAST_DPI), FIRST_PIXELS)
    picture = pictures.picture(page, dpi)
    stand = posture.found(picture, dpi, profile.languages)
    straight = posture.straightened(picture, stand.angle)
    top, bottom = posture.densest(straight, TRIED)
    tokens = ocr.tokens(straight.crop((0, top, straight.width, bottom)), dpi, stand.languages, "block")
    sure = [token for token in tokens if token.confidence > CONFIDENT and sum(map(str.isalnum, token.text)) > 1]
    lowered = [token._replace(box=_moved(token.box, top)) for token in sure]
    placed = _placed(lowered, stand.angle, (straight.size, picture.size), 72 / dpi)
    pairs = [(word.text, _at(layer, word.box)) for word in placed]
    wrong = [(shown, said) for shown, said in pairs if _folded(shown) not in _folded(said)]
    if not wrong:
        return Borne(1.0, len(pairs))
    shown, said = next(((shown, said) for shown, said in wrong if said), wrong[0])
    return Borne(1 - len(wrong) / len(pairs), len(pairs), said, shown)


def _moved(box: Box, down: int) -> Box:
    return Box(box.x0, box.top + down, box.x1, box.bottom + down)


def _at(layer: Sequence[tuple[str, Box]], box: Box) -> str:
    """The layer's words that stand in the box or around its middle."""
    x, y = box.middle
    return " ".join(text for text, place in layer if box.holds(*place.middle) or place.holds(x, y))


def _folded(text: str) -> str:
    """Letters and digits alone, without accents and case."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if char.isalnum())
