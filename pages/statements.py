"""Statements: the rows of a document, window by window, held against its printed totals and against truth.

Comes in: settings, a truth, clicks. Goes out: drawings, files. Refuses, in one line: an overlap that is not smaller
than the window, a truth that cannot be understood, a document that cannot be read.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ui
from pipeline import statements
from pipeline.model import PipelineError, Statement
from pipeline.profiles import Profile
from pipeline.store import Entry, Job
from ui import (
    engine,
    handed,
    offers,
    picker,
    readtask,
    reports,
    rowcharts,
    rowexports,
    rows,
    rowtable,
    rowtruth,
    spent,
    state,
)
from ui.offers import Task
from ui.picker import Parsed
from ui.rowtruth import Measured


def settings(entry: Entry) -> Profile | None:
    base = state.own(entry)
    st.session_state.setdefault("chunk", base.statement.chunk_pages)
    st.session_state.setdefault("overlap", base.statement.overlap)
    chunk = st.number_input("Pages a window", 1, 40, key="chunk", bind="query-params", width=150)
    overlap = st.number_input("Overlap (pages)", 0, 39, key="overlap", bind="query-params", width=150)
    if overlap >= chunk:
        return None
    # headings have no part in it: tuning them leaves the rows that were extracted
    return Profile(reading=base.reading, statement=replace(base.statement, chunk_pages=chunk, overlap=overlap))


def controls(entry: Entry, parsed: Parsed, last: Job | None) -> Profile | None:
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="center")
    with left, st.container(horizontal=True, vertical_alignment="bottom", key="settings"):
        profile = settings(entry)
        engine.choose()
        paid = readtask.rows(entry, parsed, profile) if profile and engine.is_paid() else None
        busy = offers.is_live(paid) if paid else bool(last and last.live)
        st.button(
            "Extract rows", type="primary", on_click=start, args=(entry, profile, paid), disabled=not profile or busy
        )
    if profile is None:
        st.error("The overlap must be smaller than the window, or the windows would never move on.")
        return None
    pages = parsed.reading.document.pages
    cut = statements.windows(pages, profile.statement.chunk_pages, profile.statement.overlap)
    with right:
        rowcharts.strip(cut, pages, rows.kept(entry.sha256, profile))
    return profile


def start(entry: Entry, profile: Profile, paid: Task | None) -> None:
    if paid:
        offers.ask(paid.name)
        return
    try:
        picker.submit("rows", entry.sha256, profile)
    except PipelineError as error:
        picker.note("bad", str(error))


def result(parsed: Parsed, statement: Statement, measured: Measured) -> None:
    entry = measured.entry
    rows.told(statement)
    handed.told(statement)
    rowtable.beside(parsed, statement)
    one, two = st.columns(2, gap="medium")
    with one:
        rowtruth.accuracy(statement, measured)
        with st.container(horizontal=True):
            rowtruth.uploader(entry)
            rowexports.menu(entry.name, statement)
            reports.offer(entry, state.own(entry))
        rowtruth.compared(measured)
        rowcharts.running(statement)
    with two:
        rowcharts.bridges(statement)
        rowcharts.deltas(statement)


def page(entry: Entry, parsed: Parsed) -> None:
    last = picker.last_job("rows", entry.sha256)
    profile = controls(entry, parsed, last)
    busy = bool(last and last.live)
    if engine.is_paid():
        engine.bar(entry.sha256)
        busy = profile is not None and offers.draw(readtask.rows(entry, parsed, profile))
    elif last:
        picker.told(last, f"Extracting rows of {entry.name}", "The extraction was cancelled.")
    statement = rows.kept(entry.sha256, profile) if profile else None
    if profile and statement:
        result(parsed, statement, Measured(entry, parsed.reading, profile, rowtruth.known(entry)))
    elif profile and not busy:
        st.info("No rows were extracted with these settings yet.", icon=":material/receipt_long:")
    spent.draw(entry.sha256)


ui.begin()
entry = picker.choose()
if entry and (parsed := picker.parsed(entry)):
    page(entry, parsed)
