"""How each page of a document is read, as a person chose it for this document: by its text layer, by OCR, or as it is.

Comes in: profiles, page numbers, the text that the store keeps for a document. Goes out: profiles with the choice put
in, that text. Refuses nothing: a text that cannot be understood is no choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pipeline import profiles
from pipeline.model import UsageError
from pipeline.profiles import LAST_PAGE, Profile, ReadingProfile, page_runs

Way = Literal["auto", "never", "always"]
Run = tuple[int, int]


def own(profile: Profile, text: str) -> Profile:
    """The profile with the document's own ways in place of its own; as it is where the document has none."""
    if not text:
        return profile
    try:
        chosen = profiles.loads(text, "the document's own choice").reading
    except UsageError:
        return profile
    ways = replace(profile.reading, ocr=chosen.ocr, ocr_pages=chosen.ocr_pages, text_pages=chosen.text_pages)
    return replace(profile, reading=ways)


def written(reading: ReadingProfile) -> str:
    """The text that `own` understands."""
    plain = ReadingProfile(ocr=reading.ocr, ocr_pages=reading.ocr_pages, text_pages=reading.text_pages)
    return profiles.dumps(Profile(reading=plain))


def with_document(reading: ReadingProfile, way: Way) -> ReadingProfile:
    """All pages read that way; what was chosen for single pages is forgotten."""
    return replace(reading, ocr=way, ocr_pages="", text_pages="")


def with_page(reading: ReadingProfile, page: int, way: Way) -> ReadingProfile:
    """One page read by OCR (`always`), by its text layer (`never`), or as the rest of the document (`auto`)."""
    by_ocr, by_text = (_without(page_runs(text), page) for text in (reading.ocr_pages, reading.text_pages))
    if way == "always":
        by_ocr.append((page, page))
    elif way == "never":
        by_text.append((page, page))
    return replace(reading, ocr_pages=_listed(by_ocr), text_pages=_listed(by_text))


def of_page(reading: ReadingProfile, page: int) -> Way:
    """What was chosen for this page apart from the document; `auto`: nothing."""
    return replace(reading, ocr="auto").way(page)


def alike(one: ReadingProfile, other: ReadingProfile) -> bool:
    """Whether two differ in their ways at most."""
    return with_document(one, "auto") == with_document(other, "auto")


def _without(runs: Sequence[Run], page: int) -> list[Run]:
    cut = [(first, min(last, page - 1)) for first, last in runs] + [
        (max(first, page + 1), last) for first, last in runs
    ]
    return [(first, last) for first, last in cut if first <= last]


def _listed(runs: list[Run]) -> str:
    """Runs as a list of pages, those that meet joined."""
    joined: list[Run] = []
    for first, last in sorted(runs):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return ",".join(
        str(first) if first == last else f"{first}-{'' if last >= LAST_PAGE else last}" for first, last in joined
    )
