"""Places of a document as a table in which one is chosen: clauses, citations, answers.

Comes in: `Item`s. Goes out: a drawing; the item that is chosen, and the section whose link was followed. Refuses: ids
that the table does not hold (a browser may send anything); they count as nothing. Document text reaches the table as
data only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from pipeline import charts
from pipeline.citations import Ruling
from pipeline.model import Section
from ui import state, views

TONES: Mapping[Ruling, str] = {
    "verified": charts.GOOD,
    "wrong_section": charts.DOUBT,
    "invented": charts.PALETTE[3],
    "not_found": charts.QUIET,
}
BADGES: Mapping[Ruling, str] = {
    "verified": "✓ verified",
    "wrong_section": "↷ wrong section",
    "invented": "✗ invented",
    "not_found": "? not found",
}
SHOWN = 400  # characters of a quote

_table = st.components.v2.component(
    "hits", html=views.asset("hits.html"), css=views.asset("hits.css"), js=views.asset("hits.js")
)


@dataclass(frozen=True)
class Item:
    """A row. name: a number, or what was cited; section: what its link opens, written as `link`; page: 0 for none;
    sha256: of its document, where that is not the table's.
    """

    name: str
    title: str
    text: str
    page: int
    badge: str
    tone: str
    section: Section | None = None
    link: str = ""
    note: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class Hits:
    """A table of a document's places. revision: changes with the items."""

    sha256: str
    label: str
    heads: tuple[str, str, str, str]
    items: Sequence[Item]
    revision: str
    height: str = "min(70vh, 44rem)"


def draw(key: str, hits: Hits, chosen: int, picked: Callable[[int], None]) -> None:
    """Draw the table; `picked` gets the place of a row in it, before the next rerun."""
    rows = [_row(hits.sha256, str(place), item) for place, item in enumerate(hits.items)]
    _table(
        key=key,
        data={
            "revision": hits.revision,
            "sel": str(chosen),
            "height": hits.height,
            "label": hits.label,
            "heads": list(hits.heads),
            "rows": rows,
        },
        on_picked_change=lambda: _picked(key, len(rows), picked),
        on_opened_change=lambda: _opened(key, hits),
    )


def _row(sha256: str, place: str, item: Item) -> dict[str, str | int]:
    return {
        "id": place,
        "name": item.name,
        "link": item.link if item.section else "",
        "href": address(item.sha256 or sha256, item.section) if item.section else "",
        "title": item.title,
        "text": item.text if len(item.text) <= SHOWN else f"{item.text[:SHOWN]}…",
        "note": item.note,
        "page": item.page,
        "badge": item.badge,
        "tone": item.tone,
    }


def address(sha256: str, section: Section) -> str:
    """Where the app shows a section in its tree, from any of its pages."""
    named = {"anchor": section.anchor} if section.anchor else {"section": section.section_id}
    return f"structure?{urlencode({**state.link(sha256), **named})}"


def sent(key: str, event: str) -> str:
    """The id that the part `key` sent as `event`; empty where it sent none."""
    value = st.session_state[key].get(event)
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _picked(key: str, count: int, act: Callable[[int], None]) -> None:
    place = numbered(sent(key, "picked"), count)
    if place is not None:
        st.session_state.hits_picked = times_picked() + 1
        act(place)


def numbered(text: str, count: int) -> int | None:
    """The place (from 0) in a list of that length that the browser sent; None where it is none."""
    return int(text) if text.isascii() and text.isdecimal() and int(text) < count else None


def times_picked() -> int:
    """How often a row was chosen, in all tables."""
    return int(st.session_state.get("hits_picked", 0))


def _opened(key: str, hits: Hits) -> None:
    place = numbered(sent(key, "opened"), len(hits.items))
    item = None if place is None else hits.items[place]
    if item and item.section:
        open_section(item.sha256 or hits.sha256, item.section, item.page)


def open_section(sha256: str, section: Section, page: int = 0) -> None:
    """Go to a section in the page Structure, at the next rerun."""
    state.open_document(sha256)
    state.select(section.section_id, page or section.page)
    st.session_state.go = "pages/structure.py"


def go() -> None:
    """Go where a link was followed to."""
    if page := st.session_state.pop("go", ""):
        st.switch_page(page)


def place(key: str, count: int) -> int:
    """The place (from 0) in a list of that length that the session holds; the last where the list became shorter."""
    return max(0, min(int(st.session_state.get(key, 0)), count - 1))
