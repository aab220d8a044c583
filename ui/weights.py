"""How much each kind of evidence for a heading counts: live sliders from 0 to 1.

Comes in: moves of the sliders (a browser may send anything). Goes out: weights, in ui/state.py. Refuses: what is no
known evidence and no number from 0 to 1; it counts as nothing.
"""

from __future__ import annotations

import streamlit as st

from ui import state, views

LABELS = {
    "size": "Size",
    "bold": "Bold",
    "numbering": "Numbering",
    "caps": "Capitals",
    "colour": "Colour",
    "contents": "Contents list",
}

_sliders = st.components.v2.component(
    "weight_sliders", html=views.asset("weights.html"), css=views.asset("weights.css"), js=views.asset("weights.js")
)


def sliders() -> None:
    """Draw a slider for each kind of evidence; those that are switched off wait."""
    tuned = state.tuned().outline
    rows = [
        {
            "name": name,
            "label": label,
            "value": getattr(tuned.weights, name),
            "off": "" if getattr(tuned, f"by_{name}", True) else f"{label} is switched off",
        }
        for name, label in LABELS.items()
    ]
    with st.expander("Weights", icon=":material/balance:", key="weights_box"):
        _sliders(key="weights", data={"rows": rows}, on_moved_change=_moved)


def _moved() -> None:
    value = st.session_state.weights.get("moved")
    if not isinstance(value, dict):
        return
    name, weight = value.get("name"), value.get("value")
    if name in state.WEIGHTS and isinstance(weight, int | float) and 0 <= weight <= 1:
        state.weigh(name, float(weight))
