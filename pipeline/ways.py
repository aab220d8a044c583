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
Choice = Literal["document", "auto", "never", "always"]  # for one page; document: as the rest of it
PAGES = {"always": "ocr_pages", "never": "text_pages", "auto": "auto_pages"}
Run = tuple[int, int]


def own(profile: Profile, text: str) -> Profile:
    """The profile with the document's own ways in place of its own; as it is where the document has none."""
    if not text:
        return profile
    try:
        chosen = profiles.loads(text, "the document's own choice").reading
    except UsageError:
        return profile
    return replace(profile, reading=_with(profile.reading, chosen))


def written(reading: ReadingProfile) -> str:
    """The text that `own` understands."""
    return profiles.dumps(Profile(reading=_with(ReadingProfile(), reading)))


def _with(reading: ReadingProfile, chosen: ReadingProfile) -> ReadingProfile:
    """The one, with the ways of the other."""
    return replace(
        reading,
        ocr=chosen.ocr,
        ocr_pages=chosen.ocr_pages,
        text_pages=chosen.text_pages,
        auto_pages=chosen.auto_pages,
    )


def with_document(reading: ReadingProfile, way: Way) -> ReadingProfile:
    """All pages read that way; what was chosen for single pages is forgotten."""
    return replace(reading, ocr=way, ocr_pages="", text_pages="", auto_pages="")


def choices(reading: ReadingProfile) -> tuple[Choice, ...]:
    """What can be chosen for a page: as the document, or one of the other two ways."""
    others: tuple[Way, ...] = ("auto", "never", "always")
    return ("document", *(way for way in others if way != reading.ocr))


def with_page(reading: ReadingProfile, page: int, choice: Choice) -> ReadingProfile:
    """One page read by OCR (`always`), by its text layer (`never`), as its health has it (`auto`), or as the rest."""
    runs = {name: _without(page_runs(getattr(reading, name)), page) for name in PAGES.values()}
    if choice not in ("document", reading.ocr):
        runs[PAGES[choice]].append((page, page))
    listed = {name: _listed(found) for name, found in runs.items()}
    return replace(
        reading,
        ocr_pages=listed["ocr_pages"],
        text_pages=listed["text_pages"],
        auto_pages=listed["auto_pages"],
    )


def of_page(reading: ReadingProfile, page: int) -> Choice:
    """What was chosen for this page apart from the document."""
    return "document" if reading.way(page) == reading.ocr else reading.way(page)


def single(reading: ReadingProfile) -> bool:
    """Whether pages are named that are read in a way of their own."""
    return bool(reading.ocr_pages or reading.text_pages or reading.auto_pages)


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
