"""Pages: one document's pages as they were read: health, the way each is read, and its words and boxes on the picture.

Comes in: clicks on cells, switches and boxes. Goes out: drawings; a choice of the way in which pages are read.
Refuses nothing: a document that cannot be read says why in one line.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ui
from pipeline import run
from pipeline.model import Page
from pipeline.store import Entry, Overview
from ui import overlay, picker, reading, state, strip, views, words
from ui.overlay import Layers


def layers(page: Page) -> Layers:
    st.session_state.setdefault("layers", ["Words"])
    on = st.pills(
        "Show on the page", overlay.LAYERS, selection_mode="multi", key="layers", persist_state="session",
        label_visibility="collapsed",
    )  # fmt: skip
    return Layers(page, tuple(on))


def picture(entry: Entry, pages: int, shown: Layers) -> None:
    page = shown.page
    drawn = views.Picture(
        sha256=entry.sha256,
        name=entry.name,
        page=page.number,
        pages=pages,
        width=page.width,
        height=page.height,
        marks=overlay.marks(shown),
        legend=overlay.legend(shown),
    )
    views.page_view("page_picture", replace(drawn, selected=picked(page)), pick, state.turn_to)


def pick(key: str) -> None:
    st.session_state.picked = (state.where().page, key)


def picked(page: Page) -> str:
    number, key = st.session_state.get("picked", (0, ""))
    return str(key) if number == page.number else ""


def details(shown: Layers) -> None:
    text, facts = overlay.facts(shown, picked(shown.page))
    if not facts:
        st.caption("Click a box on the page to see what was read there.")
        return
    with st.container(border=True, key="details"):
        st.text(text)
        st.markdown("  \n".join(f":small[{fact.name}: **{words.escaped(fact.value)}**]" for fact in facts))


def all_words(page: Page) -> None:
    with st.expander(f"All {words.counted(len(page), 'word')} as a table", icon=":material/table_rows:"):
        st.dataframe(
            [
                {
                    "word": word.text,
                    "size": round(word.size, 2),
                    "font": word.font,
                    "confidence": round(word.confidence, 2),
                    "turned": word.rotation,
                }
                for word in page.words
            ],
            hide_index=True,
            height=360,
            alt="The words of the page in the order in which they were read",
        )


def workbench(entry: Entry, overview: Overview) -> None:
    pages = len(overview.pages)
    number = min(max(state.where().page, 1), pages)
    profile = state.own(entry)
    page = state.the_store().page(entry.sha256, run.reading_key(profile), number)
    strip.draw("health", strip.Strip(overview, profile.reading, number), state.turn_to)
    if overview.repaired:
        st.warning(words.escaped(overview.repaired), icon=":material/build_circle:")
    if page is None:
        st.error("This page is no longer in the store. Choose the document again.", icon=":material/block:")
        return
    left, right = st.columns([7, 4], gap="medium")
    with left:
        shown = layers(page)
        picture(entry, pages, shown)
    with right:
        reading.told(overview.pages[number - 1])
        reading.choices(entry, number)
        details(shown)
        all_words(page)
        strip.listed(overview)
        st.caption(strip.legend())


ui.begin()
entry = picker.choose()
if entry:
    overview = picker.overview(entry)
    if overview:
        workbench(entry, overview)
