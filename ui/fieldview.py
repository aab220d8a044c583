"""One field under the glass: its crop, what each reader saw there, the checks, and why it is in review.

Comes in: what was read, the number of the field. Goes out: drawings. Refuses, in one line: a crop that cannot be drawn.
"""

from __future__ import annotations

import streamlit as st

from pipeline import fieldnames
from pipeline.fieldreview import decided_by
from pipeline.model import Check, Field
from ui import crops, fields, words
from ui.fields import Shown

OUTCOMES = {
    "passed": ":blue[:material/check:]",
    "failed": ":orange[:material/close:]",
    "open": ":gray[:material/question_mark:]",
}
HIGH = 350  # pixels: what is below stays in its place whatever is chosen
HINT = "Choose a field in the list, or click a box on the page: its crop, both reads and the checks are shown here."


def draw(shown: Shown) -> None:
    """Draw the chosen field; a hint where none is chosen."""
    place = fields.chosen(shown)
    with st.container(border=True, key="field_view", height=HIGH, gap="xsmall"):
        if place is None:
            st.caption(HINT)
            return
        field = shown.fields[place]
        _head(shown, field)
        crops.draw(shown.judged.sha256, field.places)
        _reads(field)
        st.markdown("  \n".join(map(_check, field.checks)))


def _head(shown: Shown, field: Field) -> None:
    several = f" · invoice {field.invoice}" if len(shown.judged.invoices.pages) > 1 else ""
    where = f" · page {field.places[0].page}" if field.places else " · found nowhere on the page"
    badge = {"confirmed": "blue", "review": "orange", "decided": "green"}[fields.status(field)]
    name = words.escaped(fieldnames.shown(field.name))
    st.markdown(f"**{name}** :{badge}-badge[{fields.BADGES[fields.status(field)]}] :small[{several}{where}]")
    if field.reasons:
        st.markdown("  \n".join(f":orange[{words.escaped(reason)}]" for reason in field.reasons))


def _reads(field: Field) -> None:
    lines = [("First read", field.first_read), ("Second read, of the crop alone", field.second_read)]
    if decided_by(field) and field.value != field.first_read:
        lines.append(("Given", field.value))
    if field.normalised.split() != field.value.split():
        lines.append(("Taken as", field.normalised))
    st.markdown("  \n".join(f":small[:gray[{name}]] {_saw(text)}" for name, text in lines))


def _saw(text: str | None) -> str:
    if text is None:
        return ":small[*not asked*]"
    return f"**{words.escaped(' '.join(text.split()))}**" if text.strip() else ":small[*nothing*]"


def _check(check: Check) -> str:
    return f"{OUTCOMES[check.outcome]} **{words.escaped(check.check)}**: {words.escaped(check.detail)}"
