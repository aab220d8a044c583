"""Which saved profile a document looks made for, said in one line above its structure.

Comes in: an `Entry` and what was read of it. Goes out: a line with a button, or one that says that nothing is close.
Refuses nothing: where no profile tells what its documents look like, nothing is drawn.
"""

from __future__ import annotations

import streamlit as st

from pipeline import profiles, run
from pipeline.likeness import Suggestion
from pipeline.store import Entry
from ui import state, words
from ui.picker import Parsed

MOST_REASONS = 3


def line(entry: Entry, parsed: Parsed) -> None:
    """Draw the suggestion, as long as no profile was chosen and nothing tuned."""
    if state.is_tuned() or state.base().name != "default":
        return
    ranked = [item for item in _ranked(entry.sha256, _stamp(), parsed) if item.name != "default"]
    if not ranked:
        return
    best = ranked[0]
    if not best.close and best.name in profiles.shipped():
        return
    with st.container(horizontal=True, vertical_alignment="center", key="likely"):
        if best.close:
            st.markdown(f":material/lightbulb: Looks like **{words.escaped(best.name)}** ({_reasons(best)})")
            st.button("Use it", key="use_likely", on_click=state.load_profile, args=(best.name,))
        else:
            against = f": {words.escaped('; '.join(best.against[:MOST_REASONS]))}" if best.against else ""
            st.caption(
                f"No saved profile looks close. The nearest, {words.escaped(best.name)}, "
                f"is alike by {best.likeness:.0%}{against}."
            )


def _reasons(suggestion: Suggestion) -> str:
    return words.escaped("; ".join(suggestion.speaks_for[:MOST_REASONS])) or f"alike by {suggestion.likeness:.0%}"


def _stamp() -> tuple[tuple[str, float], ...]:
    """Changes whenever a profile is saved."""
    folder = state.the_store().profiles
    return tuple((name, (folder / f"{name}.toml").stat().st_mtime) for name in profiles.saved(folder))


@st.cache_resource(max_entries=50, show_spinner=False)
def _ranked(sha256: str, stamp: tuple[tuple[str, float], ...], _parsed: Parsed) -> tuple[Suggestion, ...]:
    store = state.the_store()
    assert _parsed.reading.document.sha256 == sha256
    return run.suggest(_parsed.reading, _parsed.features, store.profiles, store)
