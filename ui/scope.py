"""Where a question is looked for: the document that is open, chosen ones, or all that are in the store.

Comes in: what a person chooses. Goes out: the documents that may answer a question, the likeliest first, each as a
`Desk`. Refuses nothing: documents that are not searched yet are counted and said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from pipeline import run
from pipeline.answer import Book
from pipeline.library import Library
from pipeline.model import Section
from pipeline.store import Entry, Store
from ui import state, words
from ui.desk import Desk

Reach = Literal["this", "chosen", "all"]
NAMES: dict[Reach, str] = {"this": "this document", "chosen": "chosen documents", "all": "all documents"}
SECTIONS = 40  # that the library is asked for
MOST = 5  # documents that are asked themselves


@dataclass(frozen=True)
class Scope:
    """Where to look; documents: those that were chosen, none for this one or all."""

    reach: Reach
    documents: tuple[str, ...] = ()


def choose(desk: Desk) -> Scope:
    """Draw the choice. What cannot be looked into yet is said."""
    store = state.the_store()
    entries = [entry for entry in store.documents() if entry.state == "read"]
    st.session_state.setdefault("reach", "this")
    reach: Reach = st.selectbox(
        "Look in", list(NAMES), format_func=NAMES.__getitem__, key="reach", persist_state="session", width=200
    )
    if reach == "this":
        return Scope("this")
    if reach == "chosen":
        st.session_state.setdefault("reach_documents", [desk.sha256])
        known = {entry.sha256 for entry in entries}
        st.session_state.reach_documents = [sha256 for sha256 in st.session_state.reach_documents if sha256 in known]
        chosen = st.multiselect(
            "Documents",
            [entry.sha256 for entry in entries],
            format_func=partial(_named, entries),
            key="reach_documents",
            persist_state="session",
        )
        entries = [entry for entry in entries if entry.sha256 in chosen]
    _waiting(store, entries)
    return Scope(reach, tuple(sorted(entry.sha256 for entry in entries)) if reach == "chosen" else ())


def _named(entries: list[Entry], sha256: str) -> str:
    return next((entry.name for entry in entries if entry.sha256 == sha256), sha256[:8])


def _waiting(store: Store, entries: list[Entry]) -> None:
    """Say which documents have no section tree yet."""
    searched = set(Library(store).documents())
    if lacking := [entry.name for entry in entries if entry.sha256 not in searched]:
        named = ", ".join(lacking[:3]) + (" …" if len(lacking) > 3 else "")
        st.caption(words.escaped(f"Not searched until opened in Structure once: {named}"))


def likely(question: str, scope: Scope) -> tuple[Desk, ...]:
    """The documents within the scope that may answer, the likeliest first."""
    library = _library(str(state.the_store().home))
    within = scope.documents if scope.reach == "chosen" else None
    found = library.search(question, within, SECTIONS)
    names = tuple(dict.fromkeys(hit.sha256 for hit in found))[:MOST]
    return tuple(desk for desk in (kept(sha256) for sha256 in names) if desk)


@st.cache_resource(max_entries=2, show_spinner=False)
def _library(home: str) -> Library:
    """The library, with what it holds between searches."""
    library = Library(state.the_store())
    assert str(library.store.home) == home
    return library


def kept(sha256: str) -> Desk | None:
    """A document by the tree that it is searched by; None where it was deleted, or is to be read anew."""
    store = state.the_store()
    entry, sections = store.document(sha256), _library(str(store.home)).sections(sha256)
    if entry is None or not sections:
        return None
    revision = hash(tuple((section.section_id, section.content) for section in sections))
    return _kept(f"{sha256}-{revision}", entry, sections)


@st.cache_resource(max_entries=2 * MOST, show_spinner=False)
def _kept(key: str, _entry: Entry, _sections: tuple[Section, ...]) -> Desk | None:
    profile = state.own(_entry)
    reading = state.the_store().reading(_entry.sha256, run.reading_key(profile))
    return Desk(_entry.name, _entry.sha256, key, profile, Book(_sections, reading)) if reading else None
