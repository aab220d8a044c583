"""The document that all pages share: choosing it, adding files, waiting until it is read.

Comes in: uploads and choices. Goes out: the chosen document's `Entry`, and its reading with its features. Refuses:
nothing by itself; what store and reader refuse is drawn as their one clear line.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from pipeline import jobs, outline, profiles, run, ways
from pipeline.model import PipelineError, Reading
from pipeline.outline import Features
from pipeline.profiles import Profile
from pipeline.store import Entry, Job, JobKind, JobOptions, Key, Overview
from ui import locked, state, visitor, words
from ui.views import Picture

LARGEST_MB = 200
NOTE_SECONDS = 10.0
DOCUMENTS = ("pdf", "png", "jpg", "jpeg", "tif", "tiff")  # endings of files that can be read
POLL_SECONDS = 0.5

Tone = Literal["good", "known", "bad"]


class _NotRead(Exception):
    """The store has no such reading (yet)."""


@dataclass(frozen=True)
class Parsed:
    """What was read from a document, and what its outline is decided by."""

    reading: Reading
    features: Features


# ------------------------------------------------------------ choosing


def choose() -> Entry | None:
    """Draw the row that chooses a document; the one that is chosen, or None after saying what to do."""
    entries = state.the_store().documents()
    chosen = state.chosen()
    st.session_state.picker = chosen.sha256 if chosen else None
    with st.container(horizontal=True, vertical_alignment="bottom", key="picker_row"):
        st.selectbox(
            "Document",
            [entry.sha256 for entry in entries],
            format_func=_labels(entries).__getitem__,
            key="picker",
            placeholder="Choose a document" if entries else "No document yet: add one",
            on_change=_picked,
            disabled=not entries,
        )
        with st.popover("Add documents", icon=":material/add:"):
            uploader("picker")
            samples_button("picker")
    notes()
    if chosen is None:
        _none_chosen(bool(entries))
    return chosen


def _none_chosen(any_entries: bool) -> None:
    if state.where().doc:
        st.warning("The document of this link is not in the store. Add its file: it is recognised by its content.")
    elif any_entries:
        st.info("Choose a document above, or add one.", icon=":material/description:")
    else:
        st.info(
            "There is no document yet. Add your own PDFs, or the samples that come with Pagewitness.",
            icon=":material/upload_file:",
        )
        samples_button("empty")


def _labels(entries: Sequence[Entry]) -> dict[str, str]:
    """What each document is called in the list, by its hash; of one name, they are told apart by its beginning."""
    counts = Counter(entry.name for entry in entries)
    return {entry.sha256: _label(entry, counts[entry.name] > 1) for entry in entries}


def _label(entry: Entry, twins: bool) -> str:
    failed = "" if entry.state != "failed" else "locked" if entry.locked else "cannot be read"
    told = words.counted(entry.pages, "page") if entry.pages else failed
    return " · ".join(filter(None, [f"{entry.name}{f' ({entry.sha256[:6]})' if twins else ''}", told]))


def _picked() -> None:
    if sha256 := st.session_state.picker:
        state.open_document(sha256)
    else:
        state.close_document()


# ------------------------------------------------------------ adding


def uploader(place: str, then: Callable[[str], object] | None = None) -> None:
    """Draw a file uploader; what arrives goes to the store at once, and the uploader is empty again.

    then: what is done with each document, by its sha256; it is read where nothing is said.
    """
    generation = st.session_state.setdefault(f"uploads_{place}", 0)
    st.file_uploader(
        "Add PDFs or pictures",
        type=DOCUMENTS,
        accept_multiple_files=True,
        key=f"upload_{place}_{generation}",
        on_change=_taken,
        args=(place, then or _read_first),
        help=f"Several at once, up to {LARGEST_MB} MB each. They stay on this machine.",
    )


def _taken(place: str, then: Callable[[str], object]) -> None:
    generation = st.session_state[f"uploads_{place}"]
    opened, added = False, []
    for file in st.session_state[f"upload_{place}_{generation}"] or ():
        try:
            stored = state.the_store().add_file(file, file.name)
            then(stored.sha256)
        except PipelineError as error:
            note("bad", f"{file.name}: {error}")
            continue
        if not opened:
            state.open_document(stored.sha256)
            opened = True
        if stored.known:
            renamed = "" if stored.name == file.name else f", as {stored.name}"
            note("known", f"{file.name} was here already{renamed}: the content is the same, so nothing was added.")
        else:
            added.append(stored.name)
    if added:
        note("good", f"{added[0]} was added." if len(added) == 1 else f"{len(added)} documents were added.")
    st.session_state[f"uploads_{place}"] = generation + 1


def _read_first(sha256: str) -> None:
    entry = state.the_store().document(sha256)
    submit("ingest", sha256, ways.own(profiles.load("default"), entry.own if entry else ""))


def samples_button(place: str) -> None:
    """Draw the button that adds the sample documents, as long as one of them is missing."""
    names = {entry.name for entry in state.the_store().documents()}
    if missing := [name for name in run.samples() if name not in names]:
        st.button(
            f"Add {words.counted(len(missing), 'sample document')}",
            icon=":material/library_add:",
            key=f"samples_{place}",
            on_click=_add_samples,
        )


def _add_samples() -> None:
    try:
        added = [stored for stored in run.add_samples(state.the_store()) if not stored.known]
        for stored in added:
            _read_first(stored.sha256)
    except PipelineError as error:
        note("bad", str(error))
        return
    note("good", f"{', '.join(stored.name for stored in added) or 'All samples'} added.")
    if state.chosen() is None and added:
        state.open_document(added[0].sha256)


def add_sample(name: str) -> str:
    """Put a sample into the store, as far as it is not there, and look at it; its sha256."""
    stored = run.add_sample(state.the_store(), name)
    state.open_document(stored.sha256)
    return stored.sha256


def truth_uploader(of: str, keep: Callable[[str, str], None], told: str) -> None:
    """Draw the button that takes a truth `of` something; `keep` gets its text and its file's name, and may refuse."""
    generation = st.session_state.setdefault(f"{of}_truths", 0)
    with st.popover("Compare with a truth", icon=":material/fact_check:", key=f"{of}_truth"):
        key = f"{of}_truth_{generation}"
        st.file_uploader("Truth", ["json", "csv"], key=key, on_change=_truth_taken, args=(of, keep), help=told)


def _truth_taken(of: str, keep: Callable[[str, str], None]) -> None:
    file = st.session_state[f"{of}_truth_{st.session_state[f'{of}_truths']}"]
    st.session_state[f"{of}_truths"] += 1
    try:
        keep(file.getvalue().decode("utf-8-sig", "replace"), file.name)
    except PipelineError as error:
        note("bad", str(error))


def note(tone: Tone, text: str) -> None:
    """Say something: good news passes by, the rest stays above the page for a while."""
    if tone == "good":
        st.toast(words.escaped(text), icon=":material/check:")
        return
    st.session_state.setdefault("notes", []).append((time.monotonic(), tone, text))


def unsay() -> None:
    """Leave out what was said before."""
    st.session_state.notes = []


def notes() -> None:
    """Draw what was said lately."""
    now = time.monotonic()
    fresh = [item for item in st.session_state.get("notes", []) if now - item[0] < NOTE_SECONDS]
    st.session_state.notes = fresh
    for tone, draw, icon in (
        ("bad", st.error, ":material/error:"),
        ("known", st.info, ":material/content_copy:"),
    ):
        if texts := [text for _, kind, text in fresh if kind == tone]:
            draw("  \n".join(words.escaped(text) for text in texts), icon=icon)


# ------------------------------------------------------------ waiting


def submit(kind: JobKind, sha256: str, profile: Profile) -> Job:
    """A job for the document (the same one where it waits or runs already), and a process to do it."""
    store = state.the_store()
    job = jobs.submit(store, kind, sha256, JobOptions(profile=profiles.dumps(profile)), visitor.asker())
    jobs.ensure_running(store)
    return job


def last_job(kind: JobKind, sha256: str) -> Job | None:
    """The newest job of a kind for the document."""
    return next((job for job in state.the_store().jobs(sha256) if job.kind == kind), None)


def told(job: Job, title: str, cancelled: str) -> None:
    """Draw how far a job is, or why it gave nothing; cancelled: said where somebody cancelled it."""
    if job.live:
        watch(job, title)
    elif job.state == "failed":
        st.error(words.escaped(job.message), icon=":material/block:")
    elif job.state == "cancelled":
        st.info(cancelled, icon=":material/cancel:")


def parsed(entry: Entry) -> Parsed | None:
    """The document as read; None after drawing how far the reading is, or why it failed."""
    profile = state.own(entry)
    try:
        return _parsed(str(state.the_store().home), entry.sha256, profile)
    except _NotRead:
        _reading_page(entry, profile)
        return None


@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs={Profile: run.reading_key})
def _parsed(home: str, sha256: str, profile: Profile) -> Parsed:
    store = state.the_store()
    reading = store.reading(sha256, run.reading_key(profile))
    if reading is None:
        raise _NotRead
    parsed = Parsed(reading, outline.features(reading))
    run.count_sections(store, reading, profile, parsed.features)
    gc.collect()
    gc.freeze()  # as `ui.settle` does: these stay, and need not be looked at after every run
    return parsed


def overview(entry: Entry) -> Overview | None:
    """What is known of the document's pages; None after drawing how far the reading is, or why it failed."""
    profile = state.own(entry)
    if found := looked_over(entry.sha256, run.reading_key(profile)):
        return found
    _reading_page(entry, profile)
    return None


def looked_over(sha256: str, key: Key) -> Overview | None:
    """What is known of the pages of a reading, if it was made; 4 ms for 1 000 pages, so it is not kept here."""
    return state.the_store().overview(sha256, key)


def picture(entry: Entry, profile: Profile, number: int, pages: int) -> Picture | None:
    """A page as the reading has it, with nothing marked; None after saying that it is gone."""
    page = state.the_store().page(entry.sha256, run.reading_key(profile), number)
    if page is None:
        st.error("This page is no longer in the store. Choose the document again.", icon=":material/block:")
        return None
    return Picture(entry.sha256, entry.name, number, pages, page.width, page.height)


def _reading_page(entry: Entry, profile: Profile) -> None:
    if entry.locked:
        locked.wait(entry, profile)
        return
    last = last_job("ingest", entry.sha256)
    trouble = entry.error if entry.state == "failed" else last.message if last and last.state == "failed" else ""
    if last and last.state == "cancelled":
        trouble = trouble or "The reading was cancelled."
    if trouble and not (last and last.live):
        st.error(words.escaped(trouble), icon=":material/block:")
        with st.container(horizontal=True):
            st.button("Try again", on_click=_again, args=(entry.sha256, profile), key="again")
            if entry.own:
                st.button("Read it as before", on_click=state.choose_ways, args=(entry, state.tuned().reading))
        return
    watch(submit("ingest", entry.sha256, profile), f"Reading {entry.name}")


def _again(sha256: str, profile: Profile) -> None:
    submit("ingest", sha256, profile)


def watch(job: Job, title: str) -> None:
    """Draw a job's progress and a button to cancel it; the page is drawn anew when it ends."""
    st.fragment(run_every=POLL_SECONDS)(_progress)(job.id, title)


def _progress(job_id: str, title: str) -> None:
    store = state.the_store()
    job = jobs.get(store, job_id)
    if job is None or not job.live:
        st.rerun()
    share = min(job.done / job.total, 1.0) if job.total else 0.0
    told = "waits for its turn" if job.state == "queued" else f"{job.done} of {job.total}" if job.total else "starts"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(share, f"{words.escaped(title)} · {told}")
        st.button("Cancel", key=f"cancel_{job_id}", on_click=jobs.cancel, args=(store, job_id))
