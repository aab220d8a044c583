"""The fields of a document's invoices as the page shows them: numbers, list, boxes on the page.

Comes in: a document, the profile they were read with, clicks. Goes out: drawings, `Mark`s; which field is chosen (its
number among all, kept by the session). Refuses nothing: a choice that fits no field is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pipeline import charts, decisions, fieldnames, run
from pipeline.fieldreview import JudgedFields, decided_by
from pipeline.model import Field, Finding
from pipeline.profiles import Profile
from pipeline.store import Key
from ui import engine, hits, rows, state, views, words
from ui.hits import Hits
from ui.views import Legend, Mark

ALL, REVIEW, CONFIRMED = "All", "In review", "Confirmed"
NOTES = 4  # lines of what only an embedded XML says
DECIDED = charts.PALETTE[8]
TONES = {"confirmed": charts.GOOD, "review": charts.DOUBT, "decided": DECIDED}
BADGES = {"confirmed": "✓ confirmed", "review": "● in review", "decided": "✓ decided"}
LEGEND = (
    Legend(charts.GOOD, "confirmed"),
    Legend(charts.DOUBT, "in review"),
    Legend(DECIDED, "decided by a person"),
)


@dataclass(frozen=True)
class Shown:
    """What was read from a document, with what people decided; seconds: how long reading took."""

    judged: JudgedFields
    seconds: float

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.judged.invoices.fields

    @property
    def waiting(self) -> int:
        """How many fields are in review."""
        return sum(field.status == "review" for field in self.fields)


class _NotRead(Exception):
    """The store has no such result (yet)."""


def kept(sha256: str, profile: Profile) -> Shown | None:
    """What the chosen engine read from the document under the profile, with what people decided since."""
    try:
        made = len(decisions.of(state.the_store(), sha256))
        return _kept(str(state.the_store().home), sha256, run.fields_key(profile, engine.chosen()), made)
    except _NotRead:
        return None


@st.cache_resource(max_entries=400, show_spinner=False)  # a batch asks for all of its documents again and again
def _kept(home: str, sha256: str, key: Key, made: int) -> Shown:
    found = run.judged_fields(state.the_store(), sha256, key)
    if found is None:
        raise _NotRead
    return Shown(*found)


def status(field: Field) -> str:
    """`confirmed`, `review`, or `decided` where a person settled it."""
    return "decided" if decided_by(field) else field.status


def share(shown: Shown) -> str:
    """How many of the fields need no person."""
    return f"{(len(shown.fields) - shown.waiting) / len(shown.fields):.0%}" if shown.fields else "–"


# ---------------------------------------------------------------- numbers and list


def told(shown: Shown) -> None:
    """Draw how many fields there are, how many need a person, and how long it took."""
    invoices = len(shown.judged.invoices.pages)
    with st.container(horizontal=True, gap="medium", key="field_totals"):
        for label, value, below in (
            ("Fields", f"{len(shown.fields):,}", words.counted(invoices, "invoice")),
            ("Confirmed", share(shown), f"{len(shown.fields) - shown.waiting:,} without a person"),
            ("In review", f"{shown.waiting:,}", words.counted(len(shown.judged.questions), "question")),
            ("Time", seconds(shown.seconds), "to read them"),
        ):
            rows.metric(label, value, below)
    findings = shown.judged.invoices.findings
    if found := [finding for finding in findings if finding.severity != "info"]:
        st.warning("  \n".join(words.escaped(_placed(finding)) for finding in found), icon=":material/flag:")
    if notes := [finding for finding in findings if finding.kind.startswith("embedded_xml") and finding not in found]:
        st.info("  \n".join(words.escaped(_placed(finding)) for finding in notes[:NOTES]), icon=":material/info:")
    if shown.judged.questions:
        st.page_link("pages/review.py", label="Decide in Review", icon=":material/rule:")


def _placed(finding: Finding) -> str:
    return f"Page {finding.page}: {finding.message}" if finding.page else finding.message


def seconds(value: float) -> str:
    """A time as a person says it."""
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s" if value < 60 else f"{value / 60:.1f} min"


def listed(shown: Shown) -> None:
    """Draw the fields that the filters let through; a click chooses one and turns to its page."""
    places = _filtered(shown)
    items = [_item(shown.fields[place]) for place in places]
    if not items:
        st.caption("No field is in this list.")
        return
    at = chosen(shown)
    heads = ("Field", "Value, and why it is in review", "Page", "Status")
    table = Hits(shown.judged.sha256, "Fields", heads, items, str(hash(tuple(items))), "min(52vh, 34rem)")
    picked = places.index(at) if at in places else -1
    hits.draw("fields", table, picked, lambda place: choose(shown, places[place]))


def _filtered(shown: Shown) -> list[int]:
    numbers = range(1, len(shown.judged.invoices.pages) + 1)
    with st.container(horizontal=True, vertical_alignment="bottom", key="field_filters"):
        which = st.segmented_control(
            "Show", [ALL, REVIEW, CONFIRMED], default=ALL, key="fields_which", required=True, width="content"
        )
        invoice = 0
        if len(numbers) > 1:
            invoice = st.selectbox(
                "Invoice", [0, *numbers], key="fields_invoice", width=170,
                format_func=lambda number: _invoice(shown, number),
            )  # fmt: skip
    return [
        place
        for place, field in enumerate(shown.fields)
        if invoice in (0, field.invoice) and (which == ALL or (which == REVIEW) == (field.status == "review"))
    ]


def _invoice(shown: Shown, number: int) -> str:
    if not number:
        return "all"
    return f"{number} (page {words.runs(shown.judged.invoices.pages[number - 1])})"


def _item(field: Field) -> hits.Item:
    badge = status(field)
    return hits.Item(
        name=fieldnames.shown(field.name),
        title=field.value,
        text="; ".join(field.reasons),
        page=field.places[0].page if field.places else 0,
        badge=BADGES[badge],
        tone=TONES[badge],
    )


# ---------------------------------------------------------------- choosing


def chosen(shown: Shown) -> int | None:
    """The number of the field that is looked at: the first in review, until another is chosen or none."""
    mark = st.session_state.get("field_chosen")
    if mark == "" or not shown.fields:
        return None
    waiting = next((number for number, field in enumerate(shown.fields) if field.status == "review"), 0)
    return next((item.number for item in shown.judged.items if item.mark.id == mark), waiting)


def choose(shown: Shown, place: int) -> None:
    """Look at a field, and turn to its page."""
    item = shown.judged.items[place]
    st.session_state.field_chosen = item.mark.id
    if shown.fields[place].places:
        state.turn_to(item.page)


def pick(shown: Shown, key: str) -> None:
    """Look at the field whose box was clicked; nothing where the click was beside all of them."""
    place = hits.numbered(key, len(shown.fields))
    st.session_state.field_chosen = "" if place is None else shown.judged.items[place].mark.id


def marks(fields: Sequence[Field], page: int) -> list[Mark]:
    """The boxes of the fields on a page, coloured by status."""
    found = [
        Mark(str(number), place.box, TONES[status(field)], _tip(field))
        for number, field in enumerate(fields)
        for place in field.places
        if place.page == page
    ]
    return views.stacked(found)


def _tip(field: Field) -> str:
    why = f": {'; '.join(field.reasons)}" if field.reasons else ""
    return f"{fieldnames.shown(field.name)}: {field.value} ({decided_by(field) or status(field)}{why})"
