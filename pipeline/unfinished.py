"""Values of scanned pages behind which another word stands so near that it may be a part of them.

Comes in: a field, its pages. Goes out: the field, with a failed check where that is so. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline import labels
from pipeline.model import Check, Field, Page, Word

NAMES = frozenset({
    "supplier_name", "supplier_address", "buyer_name", "buyer_address", "payment_reference", "iban",
    "line_item_description",
})  # fmt: skip
SPACE = 0.7  # of the type size: the widest space between two words of one value
LEVEL = 0.5  # of the type size


def told(field: Field, check: str, pages: Sequence[Page]) -> Field:
    """The field with a failed check of that name where a word stands right behind it."""
    if labels.bare(field.name)[0] not in NAMES:
        return field
    behind = next((word for page in pages for word in page.words if _is_behind(field, page.number, word)), None)
    if behind is None:
        return field
    found = Check(check, "failed", f"“{behind.text}” stands right behind it and may be a part of it")
    return replace(field, checks=(*field.checks, found))


def _is_behind(field: Field, page: int, word: Word) -> bool:
    if word.font != "ocr" or not any(map(str.isalnum, word.text)):
        return False
    places = [place.box for place in field.places if place.page == page]
    if any(box.holds(*word.box.middle) for box in places):
        return False
    return any(
        -LEVEL * word.size < word.box.x0 - box.x1 < SPACE * word.size
        and box.top - LEVEL * word.size < word.box.middle[1] < box.bottom + LEVEL * word.size
        for box in places
    )
