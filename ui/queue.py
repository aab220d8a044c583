"""The store's jobs as a queue: those that run, those that wait, those that ended.

Comes in: the jobs of the store that a visitor sees. Goes out: drawings; clicks that cancel jobs and do them again.
Refuses nothing. What is drawn lies in the store and is done by another process, so it outlives a reload of the page and
a restart of the app.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import streamlit as st

from pipeline import jobs, spans
from pipeline.model import PipelineError
from pipeline.store import Entry, Job, JobState
from ui import picker, state, visitor, words

KINDS = {"ingest": "Read pages", "rows": "Extract rows", "fields": "Read fields", "verify": "Verify values"}
ICONS = {
    "done": ":green[:material/check_circle:]",
    "failed": ":red[:material/error:]",
    "cancelled": ":material/cancel:",
}
SHOWN = 20
LEAST_SECONDS = 5.0  # of work, before the time left is told


def draw() -> None:
    """Draw the queue; it is drawn anew by itself while something is under way."""
    st.caption(visitor.shared())
    busy = any(job.live for job in state.the_store().jobs())
    st.fragment(run_every=picker.POLL_SECONDS * 2 if busy else None)(_listed)(busy)


def _listed(busy: bool) -> None:
    store = state.the_store()
    found = store.jobs()
    live = [job for job in reversed(found) if job.live]
    if bool(live) != busy:
        st.rerun()
    names = {entry.sha256: entry for entry in store.documents()}
    running = [job for job in live if job.state == "running"]
    waiting = [job for job in live if job.state == "queued"]
    ended = [job for job in found if not job.live]
    if not found:
        st.info("Nothing waits and nothing was done yet. Add a document and it is read here.", icon=":material/inbox:")
        return
    _summary(running, waiting, ended)
    for title, some in (("Running", running), ("Waiting", waiting)):
        if some:
            st.subheader(title)
        for job in some[:SHOWN]:
            _line(job, names.get(job.sha256))
        _more(len(some))
    if ended:
        st.subheader("Ended")
    for job in ended[:SHOWN]:
        _line(job, names.get(job.sha256))
    _more(len(ended))


def _more(count: int) -> None:
    if count > SHOWN:
        st.caption(f"… and {count - SHOWN:,} more")


def _summary(running: Sequence[Job], waiting: Sequence[Job], ended: Sequence[Job]) -> None:
    failed = [job for job in ended if job.state == "failed"]
    done = _count(ended, "done")
    told = f"{len(running):,} running · {len(waiting):,} waiting · {done:,} done · {len(failed):,} failed"
    with st.container(horizontal=True, vertical_alignment="center", key="queue_summary"):
        st.markdown(told)
        if live := [*running, *waiting]:
            st.button("Cancel all", icon=":material/cancel:", on_click=_cancel, args=(live,), key="queue_cancel_all")
        if failed:
            st.button("Retry failed", icon=":material/replay:", on_click=_retry, args=(failed,), key="queue_retry_all")


def _count(some: Sequence[Job], what: JobState) -> int:
    return sum(job.state == what for job in some)


def _line(job: Job, entry: Entry | None) -> None:
    name = words.escaped(entry.name if entry else job.sha256[:12])
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"queue_{job.id}"):
        with st.container(width="stretch"):
            st.markdown(f"**{name}**  \n:small[{_told(job)}]")
            if job.state == "running":
                st.progress(min(job.done / job.total, 1.0) if job.total else 0.0)
            elif job.state == "failed":
                st.markdown(f":red[{words.escaped(job.message)}]")
        if job.live:
            st.button("Cancel", key=f"queue_cancel_{job.id}", on_click=_cancel, args=([job],))
        elif job.state != "done":
            st.button("Retry", key=f"queue_retry_{job.id}", on_click=_retry, args=([job],))


def _told(job: Job) -> str:
    """What is done, how far it is, how long it takes."""
    kind = KINDS.get(job.kind, job.kind)
    match job.state:
        case "queued":
            return f"{kind} · waits for its turn since {_span(datetime.now(UTC) - job.created)}"
        case "running":
            return f"{kind} · {_progress(job)}"
    after = "in" if job.state == "done" else "after"
    took = f" {after} {_span(job.finished - job.started)}" if job.finished and job.started else ""
    when = f" · {job.finished:%d %b, %H:%M} UTC" if job.finished else ""
    return f"{ICONS[job.state]} {kind} · {job.state}{took}{when}"


def _progress(job: Job) -> str:
    if not job.total:
        return "starts"
    told = f"{job.done:,} of {job.total:,}"
    spent = (datetime.now(UTC) - job.started).total_seconds() if job.started else 0.0
    if job.done and spent > LEAST_SECONDS:
        rate = job.done / spent
        speed = f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.0f} a minute"
        return f"{told} · {speed} · about {spans.told((job.total - job.done) / rate)} left"
    return told


def _span(time: timedelta) -> str:
    return spans.told(time.total_seconds())


def _cancel(some: Sequence[Job]) -> None:
    for job in some:
        jobs.cancel(state.the_store(), job.id)


def _retry(some: Sequence[Job]) -> None:
    store = state.the_store()
    for job in {(one.kind, one.sha256): one for one in some}.values():
        try:
            jobs.retry(store, job)
        except PipelineError as error:
            picker.note("bad", str(error))
    jobs.ensure_running(store)
