"""How a document's pages are read: what is known of one, and choosing another way for it or for all.

Comes in: an `Entry`, the health of a page, clicks. Goes out: drawings; choices, kept for the document or in a profile.
Refuses, in one line above the page: a profile under a name that ships, or that cannot name a file.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pipeline import ways
from pipeline.profiles import ReadingProfile
from pipeline.store import Entry, PageHealth
from ui import state, strip, tuning, words

WAYS = ("auto", "never", "always")
OF_PAGE = {"document": "As the document", "auto": "Automatic", "never": "Text layer", "always": "OCR"}
OF_DOCUMENT = {
    "auto": "Each page as its health has it",
    "never": "Text layer everywhere, never OCR",
    "always": "OCR everywhere",
}


def told(page: PageHealth) -> None:
    """Draw where a page's words come from and how far they can be trusted, with the reasons."""
    level = strip.level(page)
    color, icon = {
        "sound": ("blue", "check"),
        "doubtful": ("orange", "help"),
        "poor": ("red", "warning"),
        "blank": ("gray", "check_box_outline_blank"),
    }[level]
    trust = "" if level == "blank" else f" :{color}-badge[:material/{icon}: trust {page.health:.2f}, {level}]"
    st.markdown(f"**Page {page.page}** · {strip.source(page)}{trust}")
    if page.reasons:
        st.markdown("\n".join(f"- {words.escaped(reason)}" for reason in page.reasons))
    elif level == "sound":
        st.caption("Nothing speaks against this page's text layer." if page.origin == "text" else "OCR was sure.")


def choices(entry: Entry, page: int) -> None:
    """Draw the choice of the way in which this page is read, and of that for all pages."""
    st.caption("This page is read by")
    with st.container(horizontal=True, vertical_alignment="center", key="ways"):
        _of_page(entry, page)
        _of_document(entry)


def _of_page(entry: Entry, page: int) -> None:
    """Draw the choice of the way in which this page is read."""
    reading = state.own(entry).reading
    key = f"way_{page}"
    st.session_state[key] = ways.of_page(reading, page)
    st.segmented_control(
        "How this page is read", ways.choices(reading), key=key, label_visibility="collapsed", required=True,
        format_func=lambda way: _name(way, reading),
        on_change=lambda: state.choose_ways(entry, ways.with_page(reading, page, st.session_state[key])),
    )  # fmt: skip


def _name(choice: str, reading: ReadingProfile) -> str:
    return OF_PAGE["auto"] if choice == "document" and reading.ocr == "auto" else OF_PAGE[choice]


def _of_document(entry: Entry) -> None:
    """Draw the choice for all pages, the way back, and keeping it in a profile."""
    reading = state.own(entry).reading
    with st.popover("Whole document", icon=":material/menu_book:"):
        st.session_state.whole = reading.ocr
        st.radio(
            "All pages are read by", WAYS, format_func=lambda way: OF_DOCUMENT[way], key="whole",
            on_change=lambda: state.choose_ways(entry, ways.with_document(reading, st.session_state.whole)),
        )  # fmt: skip
        if chosen := _chosen(reading):
            st.caption(chosen)
        if entry.own:
            st.button(
                "Back to what the profile says", icon=":material/restart_alt:", key="ways_back",
                on_click=state.choose_ways, args=(entry, state.tuned().reading),
            )  # fmt: skip
            name = st.text_input(
                "Or keep this in a profile named", key="ways_profile", max_chars=80,
                help="Other documents can then be read in the same way, too.",
            )  # fmt: skip
            st.button("Keep in the profile", on_click=_keep, args=(entry, name.strip()), disabled=not name.strip())


def _chosen(reading: ReadingProfile) -> str:
    parts = (
        ("by OCR", reading.ocr_pages),
        ("by text layer", reading.text_pages),
        ("as its health has it", reading.auto_pages),
    )
    named = [f"{text.replace('-', '–').replace(',', ', ')} {how}" for how, text in parts if text]
    return f"Chosen by hand: page {'; page '.join(named)}" if named else ""


def _keep(entry: Entry, name: str) -> None:
    if tuning.save(replace(state.own(entry), name=name, note=f"reading as chosen for {entry.name}")):
        state.the_store().set_own(entry.sha256, "")
