"""Statements: the rows of a document, window by window, held against its printed totals and against truth.

Comes in: settings, a truth, clicks. Goes out: drawings, CSV, JSON. Refuses, in one line: an overlap that is not
smaller than the window, a truth that cannot be understood, a document that cannot be read.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ui
from pipeline import evaluate, statements
from pipeline.evaluate import Truth
from pipeline.model import PipelineError, Statement
from pipeline.profiles import Profile
from pipeline.store import Entry, Job
from ui import picker, rowcharts, rowexports, rows, state, views, words
from ui.picker import Parsed

TRUTH_HELP = "Rows with a page and their values, as in sample_docs/statement.truth.json, or CSV with a column page."


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


def controls(entry: Entry, parsed: Parsed) -> Profile | None:
    last = next((job for job in state.the_store().jobs(entry.sha256) if job.kind == "rows"), None)
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="center")
    with left, st.container(horizontal=True, vertical_alignment="bottom", key="settings"):
        profile = settings(entry)
        blocked = profile is None or bool(last and last.live)
        st.button("Extract rows", type="primary", on_click=start, args=(entry, profile), disabled=blocked)
    if profile is None:
        st.error("The overlap must be smaller than the window, or the windows would never move on.")
        return None
    with right:
        drawn(entry, parsed, profile)
    return None if last and unfinished(last, entry) else profile


def drawn(entry: Entry, parsed: Parsed, profile: Profile) -> None:
    """The windows as they were read, or as they will be."""
    pages = parsed.reading.document.pages
    cut = statements.windows(pages, profile.statement.chunk_pages, profile.statement.overlap)
    done = rows.kept(entry.sha256, profile)
    rowcharts.strip(done.windows if done else cut, pages)


def unfinished(job: Job, entry: Entry) -> bool:
    if job.live:
        picker.watch(job, f"Extracting rows of {entry.name}")
    elif job.state == "failed":
        st.error(words.escaped(job.message), icon=":material/block:")
    elif job.state == "cancelled":
        st.info("The extraction was cancelled.", icon=":material/cancel:")
    return job.live


def start(entry: Entry, profile: Profile) -> None:
    try:
        picker.submit("rows", entry.sha256, profile)
    except PipelineError as error:
        picker.note("bad", str(error))


@st.fragment
def table(parsed: Parsed, statement: Statement) -> None:
    left, right = st.columns([8, 5], gap="medium")
    chosen = st.session_state.get("rows", {}).get("selection", {}).get("rows", [])
    selected = chosen[0] if chosen and chosen[0] < len(statement.rows) else None
    with left:
        st.subheader("Rows")
        rows.table(statement, lambda: turn_to_row(statement))
        st.caption("Select a row, or click a box on the page, to see its cells.")
    document = parsed.reading.document
    page = parsed.reading.pages[min(state.where().page, document.pages) - 1]
    marks = rows.marks(statement, page.number, selected)
    shown = views.pictured(document, page, marks, rows.LEGEND)
    with right:
        chosen_mark = "" if selected is None else str(selected)
        views.page_view("row_picture", replace(shown, selected=chosen_mark), select, state.turn_to)


def select(index: str) -> None:
    st.session_state.rows = {"selection": {"rows": [int(index)] if index.isdecimal() else []}}


def turn_to_row(statement: Statement) -> None:
    chosen = st.session_state.rows["selection"]["rows"]
    if chosen and chosen[0] < len(statement.rows):
        state.turn_to(statement.rows[chosen[0]].page)


def known(entry: Entry) -> Truth | None:
    text = state.the_store().truth(entry.sha256)
    try:
        return evaluate.read_truth(text) if text else None
    except PipelineError:
        return None  # a truth about sections or fields says nothing about rows


def truth_uploader(entry: Entry) -> None:
    generation = st.session_state.setdefault("truths", 0)
    with st.popover("Compare with a truth", icon=":material/fact_check:"):
        key = f"truth_{generation}"
        st.file_uploader("Truth", ["json", "csv"], key=key, on_change=take_truth, args=(entry,), help=TRUTH_HELP)


def take_truth(entry: Entry) -> None:
    file = st.session_state[f"truth_{st.session_state.truths}"]
    st.session_state.truths += 1
    try:
        truth = evaluate.read_truth(file.getvalue().decode("utf-8-sig", "replace"), file.name)
        state.the_store().save_truth(entry.sha256, evaluate.truth_json(truth))
    except PipelineError as error:
        picker.note("bad", str(error))


def result(entry: Entry, parsed: Parsed, profile: Profile, statement: Statement) -> None:
    rows.told(statement)
    rowcharts.handed(statement)
    table(parsed, statement)
    one, two = st.columns(2, gap="medium")
    with one:
        rows.accuracy(statement, known(entry))
        with st.container(horizontal=True):
            truth_uploader(entry)
            rowexports.menu(entry.name, statement)
        rowcharts.compared(entry.sha256, profile, parsed.reading, known(entry))
        rowcharts.running(statement)
    with two:
        rowcharts.bridges(statement)
        rows.deltas(statement)


ui.begin()
entry = picker.choose()
parsed = picker.parsed(entry) if entry else None
if entry and parsed and (profile := controls(entry, parsed)):
    statement = rows.kept(entry.sha256, profile)
    if statement:
        result(entry, parsed, profile, statement)
    else:
        st.info("No rows were extracted with these settings yet.", icon=":material/receipt_long:")
