"""A page read from its picture: straightened, turned upright, read by Tesseract, put back in its place. Runs inside the
worker process only.

Comes in: an opened page, its `Coverage` by pictures, a `ReadingProfile`. Goes out: `Scan`: words in points of the page
as displayed, and what was done in words; or, of a text layer, how far the picture bears it out.
Refuses: `ocr.Unavailable`.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import pypdfium2 as pdfium

from pipeline import ink, ocr, pictures, posture
from pipeline.health import Borne
from pipeline.model import Box, Word
from pipeline.ocr import Token
from pipeline.pictures import Coverage
from pipeline.profiles import ReadingProfile

LEAST_DPI = 150
MOST_DPI = 400
MOST_PIXELS = 16_000_000
LONGEST = 12_000  # pixels; Tesseract takes 32 767
SMALL, GOOD, LARGE = 17, 24, 40  # pixels: height of words
MARKS = frozenset("|¦!_-–—~=.,:;'’‘`´\"“”„°*•·^<>«»()[]{}\\/+¬")
SURE_MARK = 0.7
FEW_LETTERS = 12
TRIED = 0.1  # of the height: the strip that a text layer is held against
CONFIDENT = 0.8


@dataclass(frozen=True)
class Scan:
    """Words in points of the page as displayed, and what a person should know of how they were read."""

    words: tuple[Word, ...]
    notes: tuple[str, ...]


def read(page: pdfium.PdfPage, covered: Coverage, profile: ReadingProfile) -> Scan:
    """All words that the page shows."""
    ocr.wanted(profile.languages)
    size = page.get_size()
    dpi = _bounded(size, min(max(covered.dpi, LEAST_DPI), profile.ocr_dpi) if covered.dpi else profile.ocr_dpi)
    picture = pictures.picture(page, dpi)
    stand = posture.found(picture, dpi, profile.languages)
    finer = _bounded(size, _fitting(dpi, stand.height))
    if abs(finer - dpi) > 0.05 * dpi:
        dpi, picture = finer, pictures.picture(page, finer)
    straight = posture.straightened(picture, stand.angle)
    tokens = ocr.tokens(straight, dpi, stand.languages)
    if sum(map(len, (token.text for token in tokens))) < FEW_LETTERS:
        sparse = ocr.tokens(straight, dpi, stand.languages, "sparse")
        tokens = max(tokens, sparse, key=lambda found: sum(token.confidence * len(token.text) for token in found))
    kept = [token for token in tokens if not _is_mark(token)]
    words = _placed(kept, stand.angle, (straight.size, picture.size), 72 / dpi)
    return Scan(tuple(words), _notes(stand, len(tokens) - len(kept)))


def _bounded(size: tuple[float, float], dpi: float) -> float:
    """At most so fine that the picture stays within its limits."""
    area, side = size[0] * size[1] / 72**2, max(size) / 72
    return min(dpi, math.sqrt(MOST_PIXELS / area), LONGEST / side)


def _fitting(dpi: float, height: float) -> float:
    """The resolution at which words of that height are read best."""
    if not height or SMALL <= height <= LARGE:
        return dpi
    return min(MOST_DPI, max(50.0, dpi * GOOD / height))


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
    dpi = _bounded(page.get_size(), min(profile.ocr_dpi, LEAST_DPI))
    picture = pictures.picture(page, dpi)
    stand = posture.found(picture, dpi, profile.languages)
    straight = posture.straightened(picture, stand.angle)
    top, bottom = ink.densest(straight, TRIED)
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
