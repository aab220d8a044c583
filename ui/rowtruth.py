"""How right the rows of a statement are, page by page: one setting in full, and several over each other.

Comes in: a `Statement`, the document's truth or none, the profile it was extracted with. Goes out: drawings, a truth
kept for the document, jobs that extract with other settings. Without a truth the share of witnessed values is drawn,
and named so. Refuses, in one line: a truth that cannot be understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pipeline import charts, evaluate
from pipeline.charts import PageRun
from pipeline.evaluate import Truth
from pipeline.model import PipelineError, Reading, Statement
from pipeline.profiles import Profile, StatementProfile
from pipeline.store import Entry
from ui import picker, rows, state, words

TRUTH_HELP = "Rows with a page and their values, as in sample_docs/statement.truth.json, or CSV with a column page."
SETTINGS = ((5, 1), (10, 1), (5, 0))  # pages a window and overlap, beside one call and what is set
LONGEST = 60  # pages that are simulated while a person waits
SIMULATION_HELP = "A reader whose mistakes are made on purpose: the longer a call, the more it misreads in its middle."


@dataclass(frozen=True)
class Measured:
    """A document as it was read, the profile that its rows were extracted with, and its truth, if there is one."""

    entry: Entry
    reading: Reading
    profile: Profile
    truth: Truth | None

    @property
    def unit(self) -> str:
        """What is counted."""
        return "values witnessed" if self.truth is None else "rows right"


def known(entry: Entry) -> Truth | None:
    """The truth about the document's rows, where one is kept."""
    return evaluate.known(state.the_store().truth(entry.sha256))


def uploader(entry: Entry) -> None:
    """Draw the button that takes a truth."""
    picker.truth_uploader("row", partial(_keep, entry), TRUTH_HELP)


def _keep(entry: Entry, text: str, name: str) -> None:
    state.the_store().save_truth(entry.sha256, evaluate.truth_json(evaluate.read_truth(text, name)))


def accuracy(statement: Statement, measured: Measured) -> None:
    """Draw accuracy by page against the truth; without one, the share of witnessed values, named so."""
    truth = measured.truth
    st.subheader("Witnessed values by page" if truth is None else "Accuracy by page, against the truth")
    if truth is None:
        st.caption(
            "Share of values in confirmed rows that stand on the page as they were read. There is no truth for this "
            "document: what is missing altogether, only a truth can show."
        )
    shares = evaluate.page_shares(statement, truth)
    if truth is not None:
        right, count = sum(one.right for one in shares), sum(one.count for one in shares)
        st.caption(f"{right:,} of {count:,} rows are right in every column.")
    if not shares:
        st.info("There are no rows to measure.")
        return
    figure = charts.page_shares(shares, measured.unit)
    rows.chart("accuracy", figure, f"Share of {measured.unit} by page", rows.at_x)
    if truth is not None and not (wrong := evaluate.differences(statement, truth)).is_empty():
        with st.expander(f"{len(wrong)} rows differ from the truth"):
            st.dataframe(wrong, hide_index=True)


def compared(measured: Measured) -> None:
    """Draw the same for several settings over each other, and on demand for a simulated reader."""
    st.subheader("Settings compared" + ("" if measured.truth is None else ", against the truth"))
    runs, missing = _kept(measured)
    if missing:
        label, named = f"Extract with {words.counted(len(missing), 'further setting')}", ", ".join(missing)
        st.button(
            label, key="extract_others", icon=":material/stacked_line_chart:", on_click=_extract,
            args=(measured, list(missing.values())), help=f"By {named}.",
        )  # fmt: skip
    elif len(runs) == 1:
        st.caption("The document fits one window: every setting cuts it alike.")
    elif len({run.shares for run in runs}) == 1:
        st.caption("All settings give the same on every page: their lines lie on each other.")
    if measured.truth is not None:
        runs += _simulations(measured, measured.truth)
    alt = f"Share of {measured.unit} by page and setting"
    rows.chart("compared", charts.compared(runs, measured.unit), alt, rows.at_x)


def _settings(part: StatementProfile, pages: int) -> dict[str, StatementProfile]:
    """What is set, one call, and others, by their names; those that cut the document alike are one."""
    one_call = replace(part, chunk_pages=min(pages, 40), overlap=0)
    others = [replace(part, chunk_pages=chunk, overlap=overlap) for chunk, overlap in SETTINGS if chunk < pages]
    found: dict[str, StatementProfile] = {}
    for one in (part, one_call, *others):
        found.setdefault(evaluate.setting(one, pages), one)
    return found


def _kept(measured: Measured) -> tuple[list[PageRun], dict[str, StatementProfile]]:
    """The settings that were extracted, and those that were not."""
    found: list[PageRun] = []
    missing = {}
    for name, part in _settings(measured.profile.statement, len(measured.reading.pages)).items():
        if statement := rows.kept(measured.entry.sha256, replace(measured.profile, statement=part)):
            found.append(evaluate.page_run(name, statement, measured.truth))
        else:
            missing[name] = part
    return found, missing


def _extract(measured: Measured, missing: Sequence[StatementProfile]) -> None:
    try:
        for part in missing:
            picker.submit("rows", measured.entry.sha256, replace(measured.profile, statement=part))
    except PipelineError as error:
        picker.note("bad", str(error))


def _simulations(measured: Measured, truth: Truth) -> list[PageRun]:
    if len(measured.reading.pages) > LONGEST:
        st.caption(f"A reader that errs is simulated for documents of up to {LONGEST} pages.")
        return []
    if not st.toggle("Add a simulated reader that errs in long calls", key="simulation", help=SIMULATION_HELP):
        return []
    st.caption("Simulation: these lines say nothing about a real model. Compare their shapes, not their heights.")
    return _simulated(measured.entry.sha256, measured.profile, measured.reading, truth)


@st.cache_resource(max_entries=4, show_spinner="Simulating a reader that errs…", hash_funcs={Profile: Profile.id})
def _simulated(sha256: str, profile: Profile, _reading: Reading, _truth: Truth) -> list[PageRun]:
    settings = _settings(profile.statement, len(_reading.pages))
    return [evaluate.simulated(_reading, _truth, part) for part in settings.values()]
