"""Invoices: every field with its place on the page, its crop, both reads and its checks; of one document or of many.

Comes in: settings, uploads, a truth, clicks. Goes out: drawings, CSV, XLSX, JSON. Refuses, in one line: settings and
truths that cannot be understood, a document that cannot be read.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ui
from pipeline.fieldfiles import Read
from pipeline.model import PipelineError
from pipeline.profiles import Profile
from pipeline.store import Entry, Overview
from ui import (
    engine,
    fieldbatch,
    fieldcharts,
    fieldexports,
    fields,
    fieldsettings,
    fieldview,
    giving,
    offers,
    picker,
    readtask,
    reports,
    spent,
    state,
    views,
)
from ui.fields import Shown
from ui.giving import Giving
from ui.offers import Task
from ui.views import Picture

VIEWS = {"document": "One document", "batch": "All documents"}
SAMPLE = "invoices_scanned.pdf"
ONE_BY_ONE = (
    "Claude reads documents one at a time here: open one. A whole folder is read at half the price by "
    "`pagewitness batch FOLDER -o OUT --do fields --engine claude`."
)


def view() -> str:
    return st.segmented_control(
        "What to look at", list(VIEWS), format_func=VIEWS.__getitem__, key="invoices_view", default="document",
        required=True, label_visibility="collapsed", persist_state="session",
    )  # fmt: skip


def settings(entry: Entry | None) -> Profile | None:
    reading = (state.own(entry) if entry else state.tuned()).reading
    chosen = fieldsettings.chosen()
    # headings have no part in it: tuning them leaves the fields that were read
    return Profile(reading=reading, fields=chosen) if chosen else None


def start(entry: Entry, profile: Profile, paid: Task | None) -> None:
    if paid:
        offers.ask(paid.name)
        return
    try:
        fieldbatch.start(entry.sha256, profile)
    except PipelineError as error:
        picker.note("bad", str(error))


def sample() -> None:
    try:
        sha256 = picker.add_sample(SAMPLE)
        fieldbatch.start(sha256, Profile(reading=state.tuned().reading, fields=state.base().fields))
    except PipelineError as error:
        picker.note("bad", str(error))


def sample_button() -> None:
    st.button("Try the sample invoices", icon=":material/receipt:", key="sample_invoices", on_click=sample)


def document(entry: Entry) -> None:
    last = picker.last_job("fields", entry.sha256)
    with st.container(horizontal=True, vertical_alignment="bottom", key="field_settings"):
        profile = settings(entry)
        engine.choose()
        paid = readtask.fields(entry, profile) if profile and engine.is_paid() else None
        busy = offers.is_live(paid) if paid else bool(last and last.live)
        st.button(
            "Read fields", type="primary", on_click=start, args=(entry, profile, paid), disabled=not profile or busy
        )
        shown = fields.kept(entry.sha256, profile) if profile else None
        if profile and shown:
            fieldcharts.uploader(entry)
            read = Read(entry.name, shown.judged.invoices)
            fieldexports.menu(entry.name.removesuffix(".pdf"), [read], profile.fields)
            reports.offer(entry, profile)
    if engine.is_paid():
        engine.bar(entry.sha256)
        busy = paid is not None and offers.draw(paid)
    elif last:
        picker.told(last, f"Reading the fields of {entry.name}", "Reading the fields was cancelled.")
    if profile and shown:
        if overview := picker.overview(entry):
            result(entry, profile, overview, shown)
    elif profile and not busy:
        st.info("No fields were read with these settings yet.", icon=":material/receipt:")
        sample_button()
    spent.draw(entry.sha256)


def result(entry: Entry, profile: Profile, overview: Overview, shown: Shown) -> None:
    fields.told(shown)
    st.fragment(glass)(entry, profile, len(overview.pages), shown)
    fieldcharts.draw(entry, shown, profile.fields)


def glass(entry: Entry, profile: Profile, pages: int, shown: Shown) -> None:
    number = min(max(state.where().page, 1), pages)
    given = giving.looked_at(entry, profile, shown, number)
    left, right = st.columns([7, 6], gap="medium")
    with right:
        giving.button(shown)
        if given:
            giving.draw(shown, given)
        else:
            fieldview.draw(shown)
        fields.listed(shown)
    with left:
        if page := picker.picture(entry, profile, number, pages):
            picture(page, shown, given)


def picture(page: Picture, shown: Shown, given: Giving | None) -> None:
    if given and given.lacking:
        giving.picture(page, given)
        return
    chosen = fields.chosen(shown)
    selected = "" if chosen is None else str(chosen)
    drawn = replace(page, marks=fields.marks(shown.fields, page.page), legend=fields.LEGEND, selected=selected)
    views.page_view("field_picture", drawn, lambda key: fields.pick(shown, key), state.turn_to)


ui.begin()
if view() == "batch":
    picker.notes()
    with st.container(horizontal=True, vertical_alignment="bottom", key="field_settings"):
        profile = settings(None)
        engine.choose()
        if profile and not engine.is_paid():
            fieldbatch.actions(profile)
    if engine.is_paid():
        engine.bar()
        st.caption(ONE_BY_ONE)
    if profile:
        fieldbatch.draw(profile)
else:
    entry = picker.choose()
    if entry:
        document(entry)
    else:
        sample_button()
