"""Where a page's words come from: its text layer, or its picture by OCR, or both. Runs inside the worker process only.

Comes in: an opened page, its number, a `ReadingProfile`. Goes out: a `Page` with its health and the reasons for it.
A page that needs OCR and cannot have it keeps what its text layer has, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pypdfium2 as pdfium

from pipeline import health, ocr, textlayer
from pipeline.health import Health
from pipeline.page import Box, Page, Word
from pipeline.profiles import ReadingProfile
from pipeline.textlayer import Columns

LEGIBLE = 0.5  # mean confidence: below, OCR is no better than a poor text layer
BOTH = "read both ways"
NO_MORE = "OCR found no more text than the text layer has"
OFF = "the page needs OCR, and the profile switches OCR off"


def read(page: pdfium.PdfPage, number: int, profile: ReadingProfile, ocr_starts: Callable[[], None]) -> Page:
    """The page by its text layer, or by OCR where the layer cannot be trusted or the profile says so."""
    columns = textlayer.columns(page)
    found = health.health(page, columns)
    way = profile.way(number)
    layer = _text_page(page.get_size(), number, columns)
    try:
        if way == "auto" and found.suspect:
            ocr_starts()
            found = _held_against_picture(page, columns, found, profile)
        if not found.blank and (way == "always" or (way == "auto" and found.wants_ocr)):
            ocr_starts()
            return _by_ocr(page, layer, found, profile)
    except ocr.Unavailable as error:
        return replace(layer, health=min(found.trust, 0.4), reasons=(*found.reasons, str(error)))
    needless = found.blank or not found.wants_ocr
    return replace(layer, health=found.trust, reasons=found.reasons if needless else (*found.reasons, OFF))


def _text_page(size: tuple[float, float], number: int, columns: Columns) -> Page:
    """A page of what its text layer holds, in full health."""
    return Page(
        number=number,
        width=size[0],
        height=size[1],
        origin="text",
        health=1.0,
        reasons=(),
        text="\n".join(columns.texts),
        boxes=columns.boxes,
        sizes=columns.sizes,
        font_ids=columns.font_ids,
        rotations=columns.rotations,
        confidences=columns.confidences,
        fonts=tuple(columns.fonts),
    )


def _held_against_picture(page: pdfium.PdfPage, columns: Columns, found: Health, profile: ReadingProfile) -> Health:
    from pipeline import scan  # numpy takes a while to load, and most documents do without

    words = list(zip(columns.texts, health.boxes(columns), strict=True))
    return health.weighed(found, scan.borne_out(page, words, profile))


def _by_ocr(page: pdfium.PdfPage, layer: Page, found: Health, profile: ReadingProfile) -> Page:
    from pipeline import scan

    seen = scan.read(page, found.covered, profile)
    reasons = (*found.reasons, *seen.notes)
    kept = _visible(layer, found) if found.sound and profile.way(layer.number) == "auto" else []
    added = [word for word in seen.words if not _taken(word.box, kept)]
    if kept and not added:
        return replace(layer, health=max(found.trust, 0.8), reasons=(*reasons, NO_MORE))
    words = [*kept, *added]
    sure = _surety(words)
    if not words or (sure < LEGIBLE and len(layer) and profile.way(layer.number) == "auto"):
        failed = "OCR found no text" if not words else "OCR could not read what the page shows"
        return replace(layer, health=min(found.trust, 0.4), reasons=(*reasons, failed))
    if kept:
        reasons = (*reasons, f"{BOTH}: {_count(kept)} by its text layer, {_count(added)} by OCR")
    return replace(layer, origin="ocr", health=sure, reasons=reasons).with_words(words)


def _count(words: Sequence[Word]) -> str:
    return "1 word" if len(words) == 1 else f"{len(words)} words"


def _visible(layer: Page, found: Health) -> list[Word]:
    hidden = set(found.hidden)
    return [word for index, word in enumerate(layer.words) if index not in hidden]


def _taken(box: Box, words: Sequence[Word]) -> bool:
    """Whether a word of the text layer stands in the place already."""
    x, y = box.middle
    return any(word.box.holds(x, y) or box.holds(*word.box.middle) for word in words)


def _surety(words: Sequence[Word]) -> float:
    """Mean confidence, each word by its length."""
    letters = sum(len(word.text) for word in words)
    return sum(len(word.text) * word.confidence for word in words) / letters if letters else 0.0
