"""How the windows of a statement were read, drawn: strip, states, merges, settings compared, bridges, balances.

Comes in: a `Statement`, a truth or none, what was read. Goes out: drawings. A click on a mark opens its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pipeline import charts, evaluate, series
from pipeline.charts import PageRun
from pipeline.evaluate import Truth
from pipeline.model import Reading, Statement, Window
from pipeline.profiles import Profile, StatementProfile
from ui import rows, words

SETTINGS = ((5, 1), (10, 1), (5, 0))  # pages a window and overlap, beside one call and what is set
LONGEST = 60  # pages that are simulated while a person waits
STATE_COLUMNS = {"Window": 70, "Pages": 70, "Supplier": 190, "Subtotal": 100, "Columns": 240, "Last row": 330}


def _first(point: dict[str, Any]) -> object:
    """The page where a point carries it: first in its custom data, or all of it."""
    found = point.get("customdata")
    return found[0] if isinstance(found, list | tuple) and found else found


def strip(cut: Sequence[Window], pages: int) -> None:
    """Draw the windows over the pages, and where they overlap."""
    alt = f"{len(cut)} windows over {pages} pages"
    rows.chart("windows", charts.windows(cut, pages), alt, _first)


def handed(statement: Statement) -> None:
    """Draw what each window was handed, and what was merged and why."""
    merged = series.merges(statement)
    count, doubted = sum(one.rows for one in merged), sum(one.doubted for one in merged)
    loose = series.ungrounded(statement)
    with st.expander(_headline(len(statement.windows), count, len(loose)), icon=":material/join:"):
        st.caption("What each window was handed of the pages before it")
        lines = [_state(window) for window in statement.windows if window.state]
        if lines:
            config = {name: st.column_config.TextColumn(width=width) for name, width in STATE_COLUMNS.items()}
            st.dataframe(lines, hide_index=True, column_config=config, alt="What each window was handed")
        else:
            st.info("This result does not say it. Extract the rows again.")
        if merged:
            told = "Each stands on one line of its page, so it is one row; equal lines elsewhere stay apart."
            st.caption(
                f"{words.counted(count, 'row')} read by several windows, {doubted} of them read differently. {told}"
            )
            st.dataframe([_merge(one) for one in merged], hide_index=True, alt="What was merged")
        else:
            st.caption("Nothing was merged: no row was read by two windows.")
        if loose:
            pages = sorted({statement.rows[at].page for at in loose})
            where = ", ".join(map(str, pages[:12])) + (" …" if len(pages) > 12 else "")
            st.warning(
                f"{words.counted(len(loose), 'row')} with a value that does not stand on the page (page {where})."
            )
        else:
            st.caption("Every value of every row stands on its page.")


def _headline(windows: int, merged: int, loose: int) -> str:
    told = f"{words.counted(windows, 'window')}: {words.counted(merged, 'row')} merged"
    return f"{told}, {loose} not found on the page" if loose else told


def _state(window: Window) -> dict[str, str]:
    handed = window.state
    assert handed is not None
    ahead = "not known ahead" if handed.page else ""
    return {
        "Window": str(window.number),
        "Pages": f"{window.first}–{window.last}",
        "Supplier": handed.supplier if handed.page else "nothing before it",
        "Subtotal": ahead if handed.subtotal is None else f"{handed.subtotal:,f}",
        "Columns": ", ".join(handed.columns),
        "Last row": handed.last_row or ahead,
    }


def _merge(one: series.Merge) -> dict[str, str | int]:
    return {
        "Page": one.page,
        "Windows": " and ".join(map(str, one.windows)),
        "Rows on the same lines": one.rows,
        "Read differently": one.doubted,
    }


def compared(sha256: str, profile: Profile, reading: Reading, truth: Truth | None) -> None:
    """Draw accuracy by page for the settings that were extracted, and on demand for a simulated reader."""
    if truth is None:
        return
    st.subheader("Settings compared, against the truth")
    runs = _kept(sha256, profile, reading, truth)
    pages = len(reading.pages)
    if pages <= LONGEST:
        help_text = (
            "A reader whose mistakes are made on purpose: the longer a call, the more it misreads in its middle."
        )
        if st.toggle("Add a simulated reader that errs in long calls", key="simulation", help=help_text):
            runs += _simulated(sha256, profile, reading, truth)
            st.caption(
                "Simulation: these lines say nothing about a real model. Compare their shapes, not their heights."
            )
    else:
        st.caption(f"A reader that errs is simulated for documents of up to {LONGEST} pages.")
    rows.chart("compared", charts.compared(runs, "rows right"), "Share of rows right by page and setting", rows.at_x)


def _settings(profile: Profile, pages: int) -> list[StatementProfile]:
    """One call, what is set, and others, each once."""
    part = profile.statement
    one_call = replace(part, chunk_pages=min(pages, 40), overlap=0)
    others = [replace(part, chunk_pages=chunk, overlap=overlap) for chunk, overlap in SETTINGS if chunk < pages]
    return list({(one.chunk_pages, one.overlap): one for one in (one_call, part, *others)}.values())


def _kept(sha256: str, profile: Profile, reading: Reading, truth: Truth) -> list[PageRun]:
    pages = len(reading.pages)
    found = []
    for part in _settings(profile, pages):
        if statement := rows.kept(sha256, replace(profile, statement=part)):
            found.append(evaluate.page_run(f"{evaluate.setting(part, pages)}, local", statement, truth))
    return found


@st.cache_resource(max_entries=4, show_spinner="Simulating a reader that errs…", hash_funcs={Profile: Profile.id})
def _simulated(sha256: str, profile: Profile, _reading: Reading, _truth: Truth) -> list[PageRun]:
    return [evaluate.simulated(_reading, _truth, part) for part in _settings(profile, len(_reading.pages))]


def bridges(statement: Statement) -> None:
    """Draw the way from the sum of the rows to the printed total, by supplier or by page."""
    st.subheader("From computed to printed")
    found = {by: series.bridges(statement, by) for by in ("supplier", "page")}
    if not any(found.values()):
        printed = any(scope.printed is not None for scope in statement.reconciliation.scopes)
        st.info("No total differs from its rows: there is nothing to bridge." if printed else "No total is printed.")
        return
    by = st.segmented_control("Steps by", ["supplier", "page"], default="supplier", key="bridge_by", width="content")
    for bridge in found["page" if by == "page" else "supplier"]:
        alt = f"From {bridge.computed:,f} to {bridge.printed:,f} {bridge.currency}".strip()
        rows.chart(f"bridge_{bridge.currency}", charts.waterfall(bridge), alt, _first)


def running(statement: Statement) -> None:
    """Draw the balance after each row."""
    st.subheader("Running balance")
    lines = series.balances(statement)
    if not lines:
        st.info("No row has a balance or an amount.")
        return
    if not lines[0].printed:
        st.caption("This statement prints no balances: drawn is the sum of the amounts so far.")
    rows.chart("balance", charts.balances(lines), "The balance after each row", _first)
