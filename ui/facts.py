"""What only the cover and the signature blocks of a document say, as a small table.

Comes in: an `Outline`. Goes out: a table of facts; a click on a row turns to its page. Nothing is drawn where nothing
is said.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from pipeline import facts
from pipeline.facts import Fact
from pipeline.model import Outline
from ui import state, words

MOST_LINKS = 3  # pages of one fact that are linked


def draw(found: Outline) -> None:
    """Draw the facts; their table is made only where it is open."""
    said = facts.find(found.removed)
    if not said:
        return
    box = st.expander(
        f"What cover and signatures say: {words.counted(len(said), 'fact')}",
        icon=":material/contract:",
        key="facts_box",
        on_change="rerun",
    )
    with box:
        if box.open:
            _rows(said)


def _rows(said: tuple[Fact, ...]) -> None:
    for number, fact in enumerate(said):
        what, value, where = st.columns([3, 6, 2], vertical_alignment="center")
        about = f" of {words.escaped(fact.about)}" if fact.about else ""
        what.caption(f"{fact.name}{about}")
        value.markdown(words.escaped(fact.value))
        pages = list(dict.fromkeys(place.page for place in fact.source.places))[:MOST_LINKS]
        with where.container(horizontal=True):
            for page in pages:
                key = f"fact_{number}_{page}"
                st.button(f"page {page}", key=key, type="tertiary", on_click=partial(state.turn_to, page))
