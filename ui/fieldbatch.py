"""Invoices of many documents: adding several at once, how far each is, what became of them, all in one file.

Comes in: uploads, clicks, the profile they are read with. Goes out: jobs, drawings, downloads. Refuses nothing: a
document that cannot be read says why in its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pipeline import jobs
from pipeline.fieldfiles import Read
from pipeline.model import PipelineError
from pipeline.profiles import Profile
from pipeline.store import Entry, Job
from ui import fieldexports, fields, picker, rows, state, words
from ui.fields import Shown

STATES = {"queued": "waits", "running": "is read", "failed": "failed", "cancelled": "cancelled"}


@dataclass(frozen=True)
class Line:
    """A document, the newest job that reads its fields, and what was read."""

    entry: Entry
    job: Job | None
    shown: Shown | None

    @property
    def live(self) -> bool:
        return bool(self.job and self.job.live)


def draw(profile: Profile) -> None:
    """Draw the documents that have fields or are to have them."""
    busy = any(job.live for job in _newest().values())
    st.fragment(run_every=picker.POLL_SECONDS * 2 if busy else None)(_listed)(profile, busy)


def actions(profile: Profile) -> None:
    """Draw what has the fields of further documents read: several files at once, or documents that are there."""
    with st.popover("Add invoices", icon=":material/add:", key="batch_add"):
        picker.uploader("batch", partial(start, profile=profile))
        st.caption("Several at once; the fields of each are read, one document after the other.")
    _others(profile)


def start(sha256: str, profile: Profile) -> None:
    """Have the fields of a document read."""
    picker.submit("fields", sha256, profile)


def lines(profile: Profile) -> list[Line]:
    """The documents that have fields under the profile, or a job that reads them; the newest first."""
    newest = _newest()
    found = [
        Line(entry, newest.get(entry.sha256), fields.kept(entry.sha256, profile))
        for entry in state.the_store().documents()
    ]
    return [line for line in found if line.job or line.shown]


def _newest() -> dict[str, Job]:
    """The newest job that reads its fields, by document."""
    newest: dict[str, Job] = {}
    for job in state.the_store().jobs():
        if job.kind == "fields":
            newest.setdefault(job.sha256, job)
    return newest


def _others(profile: Profile) -> None:
    """Draw what has documents read that are in the store already."""
    known = {line.entry.sha256 for line in lines(profile) if line.shown or line.live}
    names = {entry.sha256: entry.name for entry in state.the_store().documents() if entry.sha256 not in known}
    if not names:
        return
    with st.popover("Read others", icon=":material/library_add_check:", key="batch_others"):
        chosen = st.multiselect("Documents", list(names), format_func=names.__getitem__, key="batch_chosen")
        st.button("Read their fields", type="primary", on_click=_start_all, args=(chosen, profile), disabled=not chosen)


def _start_all(chosen: Sequence[str], profile: Profile) -> None:
    for sha256 in chosen:
        try:
            start(sha256, profile)
        except PipelineError as error:
            picker.note("bad", str(error))


def _listed(profile: Profile, busy: bool) -> None:
    found = lines(profile)
    live = [line for line in found if line.live]
    if bool(live) != busy:
        st.rerun()
    if not found:
        st.info("No invoices yet. Add them above: several files at once, and a file may hold several.")
        return
    _totals(found, live)
    if live:
        with st.container(horizontal=True, vertical_alignment="center"):
            done = len(found) - len(live)
            st.progress(done / len(found), f"{done} of {words.counted(len(found), 'document')} done")
            st.button("Cancel all", key="cancel_fields", on_click=_cancel, args=(live,))
    _table(found)
    read = [Read(line.entry.name, line.shown.judged.invoices) for line in found if line.shown]
    with st.container(horizontal=True):
        fieldexports.menu("invoices", read, profile.fields)


def _cancel(live: Sequence[Line]) -> None:
    for line in live:
        if line.job:
            jobs.cancel(state.the_store(), line.job.id)


def _totals(found: Sequence[Line], live: Sequence[Line]) -> None:
    read = [line.shown for line in found if line.shown]
    count, waiting = sum(len(one.fields) for one in read), sum(one.waiting for one in read)
    invoices = sum(len(one.judged.invoices.pages) for one in read)
    below = f"{len(live):,} under way" if live else words.counted(invoices, "invoice")
    with st.container(horizontal=True, gap="medium", key="batch_totals"):
        for label, value, under in (
            ("Documents", f"{len(found):,}", below),
            ("Confirmed", f"{(count - waiting) / count:.0%}" if count else "–", f"of {words.counted(count, 'field')}"),
            ("In review", f"{waiting:,}", "fields"),
            ("Time", fields.seconds(sum(one.seconds for one in read)), "for all"),
        ):
            rows.metric(label, value, under)


def _table(found: Sequence[Line]) -> None:
    share = st.column_config.ProgressColumn("Confirmed", format="%.0f %%", min_value=0, max_value=100, width=110)
    st.dataframe(
        [_row(line) for line in found],
        hide_index=True,
        column_config={"Confirmed": share, "Document": st.column_config.TextColumn(width=260)},
        key="batch_table",
        on_select=lambda: _open(found),
        selection_mode="single-row",
        alt="Documents with invoices: what was confirmed, what is in review, the time",
    )
    st.caption("Select a document to look at its fields.")


def _row(line: Line) -> dict[str, str | int | float | None]:
    shown, job = line.shown, line.job
    state_now = STATES.get(job.state, "") if job and not (shown and not job.live) else "read"
    return {
        "Document": line.entry.name,
        "State": f"{state_now}: {job.message}" if job and state_now == "failed" else state_now,
        "Pages": line.entry.pages,
        "Invoices": len(shown.judged.invoices.pages) if shown else None,
        "Fields": len(shown.fields) if shown else None,
        "Confirmed": 100 * (1 - shown.waiting / len(shown.fields)) if shown and shown.fields else None,
        "In review": shown.waiting if shown else None,
        "Time": fields.seconds(shown.seconds) if shown else "",
    }


def _open(found: Sequence[Line]) -> None:
    chosen = st.session_state.batch_table["selection"]["rows"]
    if chosen and chosen[0] < len(found):
        state.open_document(found[chosen[0]].entry.sha256)
        st.session_state.invoices_view = "document"
