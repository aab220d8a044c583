"""Verify: values that anything made, each held against the page; what does not hold is for a person.

Comes in: a document, files of values, clicks. Goes out: drawings, JSON, CSV, XLSX; questions in Review. Refuses, in one
line: files that are no values, a document that cannot be read.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ui
from pipeline import decisions, valuereview, valuestore, verifications
from pipeline.model import PipelineError
from pipeline.store import Entry, Overview
from pipeline.verifications import Past
from ui import picker, state, supply, verdict, verified, verifiedexports, views, words
from ui.verified import Shown

EMPTY = (
    "Whatever made the values, a model, another service or a person: drop them with their document, and each is "
    "looked for on its pages. What does not stand in its place is for a person, with the reason."
)


def send(shown: Shown) -> None:
    try:
        valuereview.send(state.the_store(), shown.sha256, shown.held.supplied.name, shown.held.verified)
    except PipelineError as error:
        picker.note("bad", str(error))


def review(shown: Shown) -> None:
    name = decisions.name(shown.held.supplied.name)
    if valuestore.of(state.the_store(), shown.sha256, name) == shown.held.verified:
        st.page_link("pages/review.py", label="Decide in Review", icon=":material/rule:")
        return
    waiting = bool(shown.judged.questions)
    st.button("Send to review", icon=":material/rule:", on_click=send, args=(shown,), disabled=not waiting)


def unfinished(entry: Entry, number: int) -> None:
    last = picker.last_job("verify", entry.sha256)
    if last and last.live:
        picker.watch(last, f"Verifying the values of {entry.name}")
        return
    if last and (trouble := supply.trouble(last, number)):
        st.error(words.escaped(trouble), icon=":material/block:")
        st.button("Try again", key="verify_again", on_click=supply.start, args=(entry,))
        return
    st.session_state.verify_tried = number
    picker.watch(picker.submit("verify", entry.sha256, supply.profile(entry)), f"Verifying the values of {entry.name}")


def empty() -> None:
    st.info(EMPTY, icon=":material/fact_check:")
    supply.uploader("empty")
    supply.sample_button()


def document(entry: Entry, overview: Overview) -> None:
    past = verifications.history(state.the_store(), entry.sha256)
    with st.container(horizontal=True, vertical_alignment="bottom", key="verify_settings"):
        looked = supply.choose(past)
        if looked is None:
            shown = None
        else:
            shown = verified.kept(entry.sha256, looked.number, supply.profile(entry))
            actions(looked, shown)
    if looked is None:
        empty()
    elif shown is None:
        unfinished(entry, looked.number)
    else:
        supply.sample_told(looked.name)
        verified.told(shown)
        st.fragment(glass)(entry, len(overview.pages), shown)


def actions(looked: Past, shown: Shown | None) -> None:
    with st.popover("Add values", icon=":material/add:", key="verify_add"):
        supply.uploader("more")
        supply.sample_button()
        st.button("Forget these values", icon=":material/delete:", on_click=supply.forget, args=(looked.number,))
    verifiedexports.menu(shown)
    if shown:
        review(shown)


def glass(entry: Entry, pages: int, shown: Shown) -> None:
    left, right = st.columns([7, 6], gap="medium")
    with right:
        verdict.draw(shown)
        verified.listed(shown)
    with left:
        picture(entry, pages, shown)


def picture(entry: Entry, pages: int, shown: Shown) -> None:
    number = min(max(verified.page(shown), 1), pages)
    if page := picker.picture(entry, supply.profile(entry), number, pages):
        chosen = verified.chosen(shown)
        selected = "" if chosen is None else str(chosen)
        drawn = replace(page, marks=verified.marks(shown, number), legend=verified.LEGEND, selected=selected)
        views.page_view("verify_picture", drawn, lambda key: verified.pick(shown, key), state.turn_to)


ui.begin()
entry = picker.choose()
if entry is None:
    empty()
elif overview := picker.overview(entry):
    document(entry, overview)
