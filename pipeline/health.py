"""How far a page's text layer can be trusted, and why not further. Runs inside the worker process only.

Comes in: an opened page and the words of its text layer. Goes out: a share 0..1 and reasons that a person
understands. Below 0.5 the page is read by OCR.
"""

from __future__ import annotations

import unicodedata

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline.textlayer import Columns


def health(page: pdfium.PdfPage, columns: Columns) -> tuple[float, tuple[str, ...]]:
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
    trust = 1.0
    if broken > 0.01:
        trust -= min(1.0, 2 * broken)
        reasons.append(f"{broken:.0%} of the characters have no known letter")
    if columns.invisible > words / 2:
        trust = min(trust, 0.6)
        reasons.append("the text is invisible, as an older OCR leaves it")
    if words < 30 and (covered := _covered(page)[0]) > 0.7:
        trust = min(trust, 0.3)
        reasons.append(f"pictures cover {covered:.0%} of the page and only {words} words are text")
    return max(0.0, trust), tuple(reasons)


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
