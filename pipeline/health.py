"""How far a page's text layer can be trusted, and why not further. Runs inside the worker process only.

Comes in: an opened page and the words of its text layer. Goes out: `Health`: a share 0..1 and reasons that a person
understands. Below 0.5 the page is to be read by OCR. `suspect` layers are first held against the picture by `weighed`.

Sound pages cost next to nothing: the words are looked at as strings, the drawing order at its two ends. Only where
pictures, pale or few words or unmapped letters make a page suspicious is it drawn, small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from pipeline import glyphs, pictures, textlayer
from pipeline.page import Box
from pipeline.pictures import Coverage
from pipeline.textlayer import Columns

if TYPE_CHECKING:
    from PIL.Image import Image

    from pipeline.ink import Layer

BLANK = "the page is blank"
ENOUGH = 0.5  # below: OCR
FEW = 30  # words
MUCH = 0.3  # of the page: pictures that may hold text
DRAWN_DPI = 72
LONGEST = 1_600  # pixels
UNREAD = 0.6  # of the ink under words: as much text-like ink elsewhere is text that the layer lacks
LEAST_CELLS = 12
ODD = 0.12
MOSTLY = 0.7
OUTLINES = 150
MOST_ROWS = 12


@dataclass(frozen=True)
class Borne:
    """A text layer held against a strip of the picture: a `share` of 0..1 of the `words` tried is what is shown there.
    `layer` and `picture`: what the two say in one place where they differ.
    """

    share: float
    words: int
    layer: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Health:
    """trust: 0..1. reasons: sentences. suspect: the picture must bear the layer out. sound: what the layer has is
    right, though it may lack words. unseen: it lies under or over a picture. hidden: indexes of words not seen.
    """

    trust: float
    reasons: tuple[str, ...]
    covered: Coverage
    suspect: bool = False
    sound: bool = True
    unseen: bool = False
    hidden: tuple[int, ...] = ()

    @property
    def blank(self) -> bool:
        return self.reasons == (BLANK,)

    @property
    def wants_ocr(self) -> bool:
        return self.trust < ENOUGH


def health(page: pdfium.PdfPage, columns: Columns) -> Health:
    """How far the text layer can be trusted."""
    covered = pictures.coverage(page)
    words = len(columns.texts)
    if not words:
        return _wordless(page, covered)
    doubts = glyphs.doubts(columns.texts)
    trust = max(0.0, 1.0 - sum(doubt.cost for doubt in doubts))
    found = Health(trust, tuple(doubt.reason for doubt in doubts), covered, sound=trust >= 0.8)
    if columns.unmapped > 0.2 * words:
        found = _added(found, 0.6, "the font does not say which letters its shapes are", suspect=True)
    large = covered.covered > pictures.LARGE
    if max(columns.invisible, len(columns.faint) if large else 0) > words / 2:
        return _behind(found, columns, "is invisible")
    if covered.over_text and _inside(page, columns, covered.largest) > MOSTLY:
        return _behind(found, columns, "lies under a picture")
    if covered.covered > MUCH or (words < FEW and covered.outlines > OUTLINES):
        return _looked_at(page, columns, found)
    return _faint_looked_at(page, columns, found) if columns.faint else found


def _wordless(page: pdfium.PdfPage, covered: Coverage) -> Health:
    from pipeline import ink

    if not ink.shows(_small(page)):
        return Health(1.0, (BLANK,), covered)
    if covered.covered > 0.05:
        return Health(0.0, (f"no text; pictures cover {covered.covered:.0%} of the page",), covered)
    return Health(0.0, ("no text; what the page shows is drawn as shapes",), covered)


def _inside(page: pdfium.PdfPage, columns: Columns, sides: pictures.Sides) -> float:
    """Share of the words that stand in a rectangle of PDFium's coordinates."""
    turn, _ = textlayer.turned(page)
    (x0, y0), (x1, y1) = turn(sides[0], sides[1]), turn(sides[2], sides[3])
    picture = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    return sum(picture.holds(*box.middle) for box in boxes(columns)) / len(columns.texts)


def _behind(found: Health, columns: Columns, how: str) -> Health:
    """A text that lies unseen under or over a picture: an older OCR left it."""
    found = _added(found, 0.6, f"the text {how}, as an older OCR leaves it", suspect=True)
    odd = glyphs.odd_share(columns.texts)
    if odd > ODD:
        found = _added(found, 0.3, f"{odd:.0%} of its words look misread{_example(columns.texts)}", sound=False)
    return replace(found, sound=False, unseen=True)


def _example(texts: Sequence[str]) -> str:
    odd = [text for text in texts if len(text) > 3 and glyphs.is_odd(text.strip(glyphs.EDGES) or "-")]
    return f", such as “{odd[0][:24]}”" if odd else ""


def _looked_at(page: pdfium.PdfPage, columns: Columns, found: Health) -> Health:
    """The page drawn small, and its words held against what can be seen there."""
    from pipeline import ink

    picture = _small(page)
    scale = picture.width / page.get_size()[0]
    layer = ink.layer(picture, [Box(*(side * scale for side in box)) for box in boxes(columns)])
    return _lacking(_hiding(found, columns, layer.hidden), len(columns.texts), layer)


def _faint_looked_at(page: pdfium.PdfPage, columns: Columns, found: Health) -> Health:
    """Rows of pale words drawn, to see whether they stand on something dark."""
    placed = boxes(columns)
    hidden: list[int] = []
    rows = _rows([(index, placed[index]) for index in columns.faint])
    if len(rows) > MOST_ROWS:
        return _looked_at(page, columns, found)
    for row in rows:
        top, bottom = min(box.top for _, box in row), max(box.bottom for _, box in row)
        if bottom <= 0 or top >= page.get_height():
            hidden += [index for index, _ in row]
            continue
        blind = pictures.unseen(page, DRAWN_DPI, (top, bottom), [box for _, box in row])
        hidden += [row[index][0] for index in blind]
    return _hiding(found, columns, tuple(sorted(hidden)))


def _rows(placed: Sequence[tuple[int, Box]]) -> list[list[tuple[int, Box]]]:
    """Words by rows, from the top."""
    rows: list[list[tuple[int, Box]]] = []
    for item in sorted(placed, key=lambda item: item[1].top):
        if rows and item[1].top < rows[-1][0][1].bottom:
            rows[-1].append(item)
        else:
            rows.append([item])
    return rows


def _hiding(found: Health, columns: Columns, hidden: tuple[int, ...]) -> Health:
    """Health where these words of the layer cannot be seen."""
    texts = [columns.texts[index] for index in hidden if any(map(str.isalnum, columns.texts[index]))]
    if not texts:
        return found
    share = len(texts) / len(columns.texts)
    most = 0.3 if share > 0.5 else 1.0 - share if share > 0.1 else 1.0
    return replace(_added(found, most, _hidden(texts), sound=share <= 0.5), hidden=hidden)


def _lacking(found: Health, words: int, layer: Layer) -> Health:
    """Health where the page shows more text than its layer holds: a header over a scan, outlined letters."""
    covered = found.covered.covered
    if layer.unread <= max(LEAST_CELLS, UNREAD * layer.read) or (words >= FEW and covered <= MUCH):
        return found
    if covered > MUCH:
        reason = f"pictures cover {covered:.0%} of the page and show text that is not among its {words} words"
    else:
        reason = f"the page shows more than its {words} words, drawn as shapes"
    return _added(found, 0.3, reason)


def _hidden(words: Sequence[str]) -> str:
    quoted = " ".join(words)[:60]
    what = "1 word" if len(words) == 1 else f"{len(words)} words"
    return f"{what} of the text cannot be seen on the page: “{quoted}”"


def boxes(columns: Columns) -> list[Box]:
    """The words' boxes in points."""
    return [Box(*quad) for quad in zip(*[iter(columns.boxes)] * 4, strict=True)]


def weighed(found: Health, borne: Borne) -> Health:
    """A suspect layer's health after its words were held against the picture."""
    if borne.words < 3:
        trust = min(found.trust, 0.6 if found.unseen else 0.4)
        return replace(found, suspect=False, sound=False, trust=trust)
    if borne.share >= 0.8:
        trust = 0.75 if found.unseen or borne.share < 0.95 else 0.9
        reason = f"the picture bears it out: {borne.share:.0%} of {borne.words} words tried"
        return replace(found, trust=max(found.trust, trust), reasons=(*found.reasons, reason), suspect=False)
    says = f"says “{borne.layer[:40]}”" if borne.layer else "says nothing"
    reason = f"the text {says} where the picture shows “{borne.picture[:40]}”"
    return replace(_added(found, 0.3, reason), suspect=False, sound=False)


def _added(found: Health, most: float, reason: str, *, suspect: bool = False, sound: bool = True) -> Health:
    return replace(
        found,
        trust=min(found.trust, most),
        reasons=(*found.reasons, reason),
        suspect=found.suspect or suspect,
        sound=found.sound and sound,
    )


def _small(page: pdfium.PdfPage) -> Image:
    return pictures.picture(page, min(DRAWN_DPI, LONGEST * 72 / max(1.0, *page.get_size())))
