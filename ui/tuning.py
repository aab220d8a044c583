"""Tuning what makes a heading: tiers by size, kinds of evidence, and profiles that keep both.

Comes in: a document as it was decided, moves of sliders and switches. Goes out: drawings; the tuning lies in state.py.
Refuses, in one line above the page: a profile under a name that ships, or that cannot name a file.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pipeline import charts, fit, likeness, outline, profiles, run
from pipeline.model import PipelineError
from pipeline.outline import Decided
from pipeline.profiles import Kind, Profile
from pipeline.store import Entry
from ui import picker, state, views, words
from ui.picker import Parsed

SWITCHES = {
    "by_size": "Size",
    "by_bold": "Bold",
    "by_numbering": "Numbering",
    "by_caps": "Capitals",
    "by_colour": "Colour",
    "by_bookmarks": "Bookmarks",
    "strip_boilerplate": "Set aside running lines",
    "strip_contents": "Set aside the contents list",
    "strip_formalities": "Set aside cover and signatures",
    "strip_margins": "Set aside margins",
}


def decided(entry: Entry, parsed: Parsed) -> Decided:
    """The document under the tuned profile; decided anew only where that changed."""
    return _decided(entry.sha256, state.own(entry), parsed)


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs={Profile: run.parse_key})
def _decided(sha256: str, profile: Profile, _parsed: Parsed) -> Decided:
    assert _parsed.reading.document.sha256 == sha256
    return outline.decide(_parsed.features, profile.outline)


def tiers(decided: Decided) -> None:
    """Draw the sizes of type with the tiers marked, a live slider for each tier, and why one changes nothing."""
    found = decided.outline
    body = found.body_size
    if not body:
        st.info("No text was found in this document, so there is nothing to tune.")
        return
    st.plotly_chart(charts.sizes(found), config={"displayModeBar": False}, key="sizes")
    top = max(size for size, _ in found.histogram)
    by_hand = bool(state.tuned().outline.tier_ratios)
    scale = views.Scale(
        tiers=[tier.size for tier in found.tiers][: views.MOST_TIERS],
        body=body,
        low=round(body, 1),
        high=round(max(top * 1.05, body * 1.5), 1),
        revision=st.session_state.get("moves", 0),
        state="set by hand" if by_hand else "found in the document",
    )
    views.tier_sliders("tiers", scale, lambda points: _moved(points, body))
    with st.container(key="idle_tiers"):  # always there, so that what follows it is not made anew
        if idle := "; ".join(fit.idle_tiers(decided)):
            st.caption(f"Changes nothing: {words.escaped(idle)}.")


def switches() -> None:
    """Draw a switch for each kind of evidence."""
    tuned = state.tuned().outline
    with st.container(horizontal=True, gap="small", key="switches"):
        for name, label in SWITCHES.items():
            st.session_state[f"switch_{name}"] = getattr(tuned, name)
            st.toggle(label, key=f"switch_{name}", on_change=state.switch, args=(name,))


def _moved(points: tuple[float, ...], body: float) -> None:
    st.session_state.moves = st.session_state.get("moves", 0) + 1
    state.tune_tiers(points, body)


def profile_row(parsed: Parsed) -> None:
    """Draw the choice of a profile, saving what was tuned as one, and the way back."""
    folder = state.the_store().profiles
    names = sorted({*profiles.shipped(), *profiles.saved(folder)}, key=lambda name: (name != "default", name))
    st.session_state.profile_name = state.base().name
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Profile", names, key="profile_name", on_change=lambda: state.load_profile(st.session_state.profile_name)
        )
        with st.popover("Save as profile", icon=":material/save:"):
            name = st.text_input("Name", key="save_name", max_chars=80)
            told = st.text_input("Note", key="save_note", help="What it is for, who made it.")
            st.button("Save", type="primary", on_click=_save, args=(name, told, parsed), disabled=not name.strip())
        st.button(
            "Back to automatic",
            icon=":material/restart_alt:",
            on_click=state.load_profile,
            args=("default",),
            disabled=not state.is_tuned() and state.base().name == "default",
        )
    if state.base().name != "default" and state.base().note:
        st.caption(words.escaped(state.base().note))


def _save(name: str, told: str, parsed: Parsed) -> None:
    """Keep what was tuned, what a document of this template looks like, and this one's tree, to be compared later."""
    looks = likeness.taken(parsed.reading, parsed.features)
    store = state.the_store()
    entry = store.document(parsed.reading.document.sha256)
    if save(replace(state.tuned(), name=name.strip(), note=told.strip(), fingerprint=looks, kind=Kind())) and entry:
        run.parse(store, entry.sha256, state.own(entry), parsed.features)


def save(profile: Profile) -> bool:
    """Keep the profile under its name, and use it from now on; whether that went well, which is said."""
    name, folder = profile.name, state.the_store().profiles
    if name in profiles.shipped():
        picker.note("bad", f"The profile {name} comes with Pagewitness and stays as it is. Choose another name.")
        return False
    try:
        version = profiles.load(name, folder).version + 1 if name in profiles.saved(folder) else 1
        profiles.save(replace(profile, version=version), folder)
    except PipelineError as error:
        picker.note("bad", str(error))
        return False
    state.load_profile(name)
    picker.note("good", f"The profile {name} was saved (version {version}).")
    return True
