"""The health of a document's pages as a strip of cells, and in words.

Comes in: an `Overview`, how pages are to be read. Goes out: drawings; the page of a cell that is clicked arrives
through a callback. Refuses: events that are not of the expected shape; they count as nothing.

A cell says the same three times: by its colour, by its form (how full it is; striped for OCR) and by its letter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from pipeline import charts, ways
from pipeline.profiles import ReadingProfile
from pipeline.store import Overview, PageHealth
from ui import views, words

Level = Literal["sound", "doubtful", "poor", "blank"]
COLORS: dict[Level, str] = {
    "sound": charts.GOOD,
    "doubtful": charts.DOUBT,
    "poor": charts.PALETTE[3],
    "blank": charts.QUIET,
}
BLANK = "the page is blank"  # as health.py says it
BOTH = "read both ways"  # as source.py says it
SOUND, POOR = 0.8, 0.5
BINS = 120  # cells in a list of documents
DENSE = 250  # as many cells have no room for letters
LISTED = 40
SOURCES = ("by text layer", "by OCR", "by text layer and OCR", "blank", "without words")

_strip = st.components.v2.component(
    "health_strip", html=views.asset("strip.html"), css=views.asset("strip.css"), js=views.asset("strip.js")
)


@dataclass(frozen=True)
class Strip:
    """What is drawn: the pages, how each is to be read, the page that is looked at (0: none); at most `most` cells."""

    overview: Overview
    reading: ReadingProfile
    page: int = 0
    most: int = 100_000
    height: str = "9.5rem"


def level(page: PageHealth) -> Level:
    """How far the words of a page can be trusted, in four steps."""
    if page.empty and BLANK in page.reasons:
        return "blank"
    return "sound" if page.health >= SOUND else "doubtful" if page.health >= POOR else "poor"


def source(page: PageHealth) -> str:
    """Where the page's words come from, in words."""
    if page.empty:
        return "blank" if level(page) == "blank" else "without words"
    if is_both(page):
        return "by text layer and OCR"
    return "by OCR" if page.origin == "ocr" else "by text layer"


def is_both(page: PageHealth) -> bool:
    """Whether some of the page's words are its text layer's, the others OCR's."""
    return any(reason.startswith(BOTH) for reason in page.reasons)


def told(page: PageHealth) -> str:
    """A page in one line: where its words come from, how far they can be trusted, and why not further."""
    trust = "" if level(page) == "blank" else f", trust {page.health:.2f}"
    reasons = [reason for reason in page.reasons if level(page) != "blank" or reason != BLANK]
    return f"Page {page.page}: {source(page)}{trust}{'; ' if reasons else ''}{'; '.join(reasons)}"


def draw(key: str, strip: Strip, opened: Callable[[int], None]) -> None:
    """Draw the strip. `opened` gets the page of the cell that was clicked, before the next rerun."""
    pages = strip.overview.pages
    step = -(-len(pages) // strip.most)
    bins = [pages[at : at + step] for at in range(0, len(pages), step)]
    _strip(
        key=key,
        data={
            "cells": [_cell(part, strip.reading) for part in bins],
            "sel": strip.page,
            "said": summary(pages),
            "dense": len(bins) > DENSE,
            "height": strip.height,
        },
        on_picked_change=lambda: views.page_number(key, "picked", len(pages), opened),
    )


def _cell(part: Sequence[PageHealth], reading: ReadingProfile) -> dict[str, object]:
    worst = min(part, key=lambda page: (page.health, page.page))
    first, last = part[0].page, part[-1].page
    chosen = [page.page for page in part if ways.of_page(reading, page.page) != "document"]
    more = f"Pages {first} to {last}, the worst: " if last > first else ""
    by_hand = ". Chosen by hand" if chosen else ""
    return {
        "page": worst.page,
        "first": first,
        "last": last,
        "letter": _letter(worst),
        "look": " ".join([level(worst), worst.origin, *["both"] * is_both(worst), *["empty"] * worst.empty]),
        "color": COLORS[level(worst)],
        "fill": max(6, round(100 * worst.health)),
        "tip": f"{more}{told(worst)}{by_hand}",
        "chosen": bool(chosen),
    }


def _letter(page: PageHealth) -> str:
    if page.empty:
        return "–" if level(page) == "blank" else "×"
    return "B" if is_both(page) else "O" if page.origin == "ocr" else "T"


def summary(pages: Sequence[PageHealth]) -> str:
    """How many pages are read in which way, and how many need a look; a single page in full."""
    if len(pages) == 1:
        return told(pages[0])
    counts = {name: sum(source(page) == name for page in pages) for name in SOURCES}
    read = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    if max(counts.values()) == len(pages):
        read = f"All {read}"
    look = [
        f"{count:,} {name}" for name in ("doubtful", "poor") if (count := sum(level(page) == name for page in pages))
    ]
    return " · ".join([read, *look])


def remarks(pages: Sequence[PageHealth]) -> list[tuple[str, str]]:
    """Everything that is said of pages: which pages, and what; pages of which the same is said in one."""
    found: dict[str, list[int]] = {}
    for page in pages:
        for reason in page.reasons:
            found.setdefault(reason, []).append(page.page)
    return [(words.runs(numbers), reason) for reason, numbers in found.items()]


def listed(overview: Overview) -> None:
    """Draw the remarks as a list, for those who cannot hover; nothing where there are none."""
    said = remarks(overview.pages)
    if not said or len(overview.pages) == 1:  # a single page says all under its cell
        return
    count = sum(bool(page.reasons) for page in overview.pages)
    with st.expander(f"Remarks on {words.counted(count, 'page')}", icon=":material/notes:"):
        st.markdown(
            "\n".join(f"- Page{'s' if len(numbers.split()) > 1 or '–' in numbers else ''} {numbers}: "
                      f"{words.escaped(reason)}" for numbers, reason in said[:LISTED])
        )  # fmt: skip
        if len(said) > LISTED:
            st.caption(f"{len(said) - LISTED:,} further remarks: open the pages.")


def legend() -> str:
    """What the cells mean, in a line of Markdown."""
    return (
        "A cell is a page: **T** text layer, **O** OCR (striped), **B** both, **–** blank, **×** no words. "
        "The fuller it is, the further its words can be trusted."
    )
