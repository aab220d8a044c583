"""Opening a document that asks for its password.

Comes in: a locked `Entry`, a password that a person types. Goes out: the reading, in the store.
Refuses: a wrong password, named as that.

The password goes by hand from the form to a thread of this process and from there to the worker: it reaches neither
the store nor the job process. So the pages' pictures are drawn in the same go. One that opened its document stays in
memory as long as the browser's session, for reading pages another way; it is never shown and never written.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pipeline import run
from pipeline.model import PipelineError
from pipeline.profiles import Profile
from pipeline.store import Entry, Store
from ui import state, views, words

POLL_SECONDS = 0.5


@dataclass
class Opening:
    """How far the opening of a document is: pages read, then pages drawn. trouble: why it failed."""

    done: int = 0
    total: int = 0
    trouble: str = ""
    live: bool = True


_openings: dict[tuple[Path, str], Opening] = {}


def opening(sha256: str) -> Opening | None:
    """The opening that runs, or the last one that failed."""
    return _openings.get((state.the_store().home, sha256))


def is_opening(sha256: str) -> bool:
    """Whether a document is being opened just now."""
    found = opening(sha256)
    return bool(found and found.live)


def _known() -> dict[str, run.Unlock]:
    """The passwords that were given in this session, by document."""
    found: dict[str, run.Unlock] = st.session_state.setdefault("given", {})
    return found


def forget(sha256: str) -> None:
    """Forget a document's password."""
    _known().pop(sha256, None)


def resume(entry: Entry, profile: Profile) -> None:
    """Open the document again with the password that was given for it in this session, if there is one."""
    now, given = opening(entry.sha256), _known().get(entry.sha256)
    if now and now.trouble:
        forget(entry.sha256)
    elif given and not now:
        start(entry, profile, given.password)


def start(entry: Entry, profile: Profile, password: str) -> None:
    """Open the document in the background."""
    store = state.the_store()
    if is_opening(entry.sha256):
        return
    now = _openings[store.home, entry.sha256] = Opening()
    if not password:
        now.live, now.trouble = False, "Type the document's password first."
        return
    key = run.Unlock(password, views.DPI)
    threading.Thread(target=_open, args=(store, entry.sha256, profile, key, now), daemon=True, name="opening").start()


def _open(store: Store, sha256: str, profile: Profile, key: run.Unlock, now: Opening) -> None:
    def told(done: int, total: int) -> None:
        now.done, now.total = done, total

    try:
        run.unlock(store, sha256, profile, key, told)
        _openings.pop((store.home, sha256), None)
    except PipelineError as error:
        now.trouble = str(error)
    except Exception as error:
        now.trouble = f"An unexpected error ({type(error).__name__}) stopped the opening."
        raise
    finally:
        now.live = False


def ask(entry: Entry, profile: Profile) -> None:
    """Draw the question for the password, or how far the opening is."""
    now = opening(entry.sha256)
    if now and now.live:
        share = min(now.done / now.total, 1.0) if now.total else 0.0
        st.progress(share, f"Opening {words.escaped(entry.name)} · {now.done} of {now.total or '…'}")
        return
    field = f"password_{entry.sha256[:12]}"
    with st.form(f"unlock_{entry.sha256[:12]}", clear_on_submit=True, border=False):
        st.markdown(":material/lock: This document is locked with a password.")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "Password", type="password", key=field, autocomplete="off", width=260,
                help="It stays in memory until you close this page, and is stored nowhere.",
            )  # fmt: skip
            st.form_submit_button("Unlock", type="primary", on_click=_given, args=(entry, profile, field))
    if now and now.trouble:
        st.error(words.escaped(now.trouble), icon=":material/key_off:")


def _given(entry: Entry, profile: Profile, field: str) -> None:
    _known()[entry.sha256] = run.Unlock(st.session_state[field], views.DPI)
    start(entry, profile, st.session_state[field])


def wait(entry: Entry, profile: Profile) -> None:
    """The same on a page of its own, drawn anew when the document is open."""
    resume(entry, profile)
    st.fragment(run_every=POLL_SECONDS if is_opening(entry.sha256) else None)(_waiting)(entry, profile)


def _waiting(entry: Entry, profile: Profile) -> None:
    was = st.session_state.get("opening", False)
    st.session_state.opening = is_opening(entry.sha256)
    ready = state.the_store().overview(entry.sha256, run.reading_key(profile)) is not None
    if ready or was != st.session_state.opening:
        st.rerun()
    ask(entry, profile)
