"""One verified value under the glass: what was given, what the page has there, and why it is in review.

Comes in: a verification, the place of a value in it. Goes out: drawings. Refuses, in one line: a crop that cannot be
drawn.
"""

from __future__ import annotations

import streamlit as st

from ui import crops, verified, words
from ui.verified import Shown, Told

HIGH = 250  # pixels: what is below stays in its place whatever is chosen
COLORS = {"confirmed": "blue", "review": "orange", "decided": "green", "missing": "red"}
NATURES = {
    "choice": "One of the schema's choices: no page prints it so.",
    "yesno": "True and false are concluded, not printed.",
    "computed": "It is computed of other values, and printed nowhere.",
}
HINT = "Choose a value in the tree, or click a box on the page: what stands there and what is wrong is said here."


def draw(shown: Shown) -> None:
    """Draw the chosen value; a hint where none is chosen."""
    place = verified.chosen(shown)
    with st.container(border=True, key="verdict", height=HIGH, gap="xsmall"):
        if place is None:
            st.caption(HINT)
            return
        line = shown.lines[place]
        _head(line)
        crops.draw(shown.sha256, line.source.places)
        _reads(line)


def _head(line: Told) -> None:
    where = f"page {line.place.page}" if line.place else "found on no page"
    badge = f":{COLORS[line.status]}-badge[{verified.BADGES[line.status]}]"
    st.markdown(f"**{words.escaped(line.name)}** {badge} :small[{where}]")
    if line.reason:
        tone = COLORS[line.status]
        st.markdown(f":{tone}[{words.escaped(line.reason)}]")


def _reads(line: Told) -> None:
    if line.status == "missing":
        lines = [("The page has", line.source.quote)]
    else:
        there = "Stands there instead" if line.source.match == "missing" else "The page has"
        lines = [("Given", line.value)] + ([(there, line.source.quote)] if line.source.quote else [])
    said = [(name, words.escaped(" ".join(text.split()))) for name, text in lines]
    st.markdown("  \n".join(f":small[:gray[{name}]] **{text}**" for name, text in said))
    if line.nature in NATURES and line.status == "review":
        st.caption(NATURES[line.nature])
