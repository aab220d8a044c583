"""Values of scanned pages that may lack a part, or hold one too many, though all readers agree on what is there.

Comes in: a field, its pages. Goes out: what speaks against it, or the field with a failed check where another word
stands so near behind it that it may be a part of it. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from pipeline import amounts, folding, labels
from pipeline.engine import RawField
from pipeline.model import Check, Field, Page, Place, Word

NAMES = frozenset({
    "supplier_name", "supplier_address", "buyer_name", "buyer_address", "payment_reference", "iban",
    "line_item_description",
})  # fmt: skip
SPACE = 0.7  # of the type size: the widest space between two words of one value
LEVEL = 0.5  # of the type size
ADJACENT = 0.6  # of the type size: wider, and another column begins
LONGEST_DATE = 4  # words of a date behind its day, as in `de septiembre de 2025`
LATIN_WORD = re.compile(r"[a-zA-ZÀ-ɏ]{3,}")


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


def doubt(raw: RawField, kind: str, pages: Sequence[Page]) -> str:
    """What speaks against a value that is read from a picture, or nothing."""
    if raw.name == "line_item_description":
        if not any(map(str.isalpha, raw.text)):
            return f"“{raw.text}” has no word in it"
        if re.match(rf"{raw.number}[.)]?\s+[^\W\d]", raw.text):
            return f"the row's number {raw.number} may have been taken along"
    if kind == "text" and (twin := _accented(raw.text, pages)):
        return f"the page has “{twin}” elsewhere: an accent may be lost"
    if kind == "date" and amounts.date(text := " ".join([raw.text[-2:], *_behind(raw.places, pages)]), True):
        return f"its last figures begin another date, “{text}”: one may be printed over the other"
    return ""


def _accented(text: str, pages: Sequence[Page]) -> str:
    """A Latin word of the pages that is one of the text's but for its accents, which that one lacks; or nothing."""
    bare = [word.lower() for word in map(str, LATIN_WORD.findall(text)) if folding.plain(word) == word.lower()]
    return next((found for page in pages for word in bare if (found := _with_accents(page.text).get(word))), "")


@lru_cache(maxsize=64)
def _with_accents(text: str) -> Mapping[str, str]:
    """The words of a page that have accents, by what they are without."""
    words = map(str, LATIN_WORD.findall(text))
    return {plain: word for word in words if (plain := folding.plain(word)) != word.lower()}


def _behind(places: Sequence[Place], pages: Sequence[Page]) -> list[str]:
    """As many words as a date has, on the same line behind the last of the places."""
    page = next((page for page in pages if page.number == places[-1].page), None) if places else None
    if page is None:
        return []
    end, (_, y) = places[-1].box.x1, places[-1].box.middle
    line = [word for word in page.words if word.box.x0 > end - 1 and word.box.top <= y <= word.box.bottom]
    line.sort(key=lambda word: word.box.x0)
    close = bool(line) and line[0].box.x0 - end < ADJACENT * line[0].size
    return [word.text for word in line[:LONGEST_DATE]] if close else []
