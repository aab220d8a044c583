"""A field that nobody found, given by a person: its words clicked or framed on the page, or typed.

Comes in: what was read, clicks, frames, what is typed. Goes out: drawings, marks of the page's words, decisions.
Refuses, in one line: what `asked.decide` refuses, such as an amount that is none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pipeline import asked, charts, decisions, fieldnames, fieldreview, pointed, run
from pipeline.asked import Choice
from pipeline.decisions import Part, Value
from pipeline.model import Box, Page, PipelineError
from pipeline.pointed import Pointed
from pipeline.profiles import FieldProfile, Profile
from pipeline.store import Entry
from ui import picker, state, views, words
from ui.fields import Shown
from ui.views import Legend, Mark, Picture

OPEN, CHOSEN, NAME, TYPED = "giving_open", "giving_words", "giving_name", "giving_value"
REFUSED, DONE = "giving_refused", "giving_done"
ON_PAGE, FREE = charts.PALETTE[8], charts.QUIET
LEGEND = (Legend(ON_PAGE, "the words of the value"), Legend(FREE, "words to click", form="thin"))
HINT = "Click its words on the page or draw a frame around them with the mouse, or type it."


@dataclass(frozen=True)
class Giving:
    """The invoice on the page that is looked at, and what it lacks. profile: of fields; language: of the document."""

    invoice: int
    lacking: tuple[str, ...]
    page: Page
    profile: FieldProfile
    language: str


def button(shown: Shown) -> None:
    """Draw what opens the giving of a field."""
    if not any(shown.judged.lacking(number) for number in range(1, len(shown.judged.invoices.pages) + 1)):
        return
    is_open = st.session_state.get(OPEN, False)
    st.button(
        "Leave it" if is_open else "Give a missing field", key="give_field",
        icon=":material/close:" if is_open else ":material/add_circle:",
        on_click=_toggle,
    )  # fmt: skip


def _toggle() -> None:
    st.session_state[OPEN] = not st.session_state.get(OPEN, False)
    _unchoose()


def _unchoose() -> None:
    st.session_state[CHOSEN] = (0, ())
    st.session_state[TYPED] = ""


def looked_at(entry: Entry, profile: Profile, shown: Shown, number: int) -> Giving | None:
    """What is lacking on a page; None where nothing is to be given."""
    if st.session_state.pop(DONE, False):
        st.rerun()  # what follows from the value is on the whole page
    page = (
        state.the_store().page(entry.sha256, run.reading_key(profile), number) if st.session_state.get(OPEN) else None
    )
    if page is None:
        return None
    invoice = next((at for at, pages in enumerate(shown.judged.invoices.pages, 1) if number in pages), 0)
    lacking = shown.judged.lacking(invoice) if invoice else ()
    return Giving(invoice, lacking, page, profile.fields, entry.language)


# ---------------------------------------------------------------- the page


def picture(page: Picture, giving: Giving) -> None:
    """Draw the page with all of its words, to be clicked or framed."""
    drawn = replace(page, marks=_marks(giving), legend=LEGEND, frame=True)
    views.page_view("field_picture", drawn, partial(_pick, giving), state.turn_to, partial(_frame, giving))


def _marks(giving: Giving) -> list[Mark]:
    held = _chosen(giving.page)
    return [
        Mark(str(at), word.box, ON_PAGE if at in held else FREE, word.text, form="" if at in held else "faint")
        for at, word in enumerate(giving.page.words)
    ]


def _chosen(page: Page) -> tuple[int, ...]:
    number, held = st.session_state.get(CHOSEN, (0, ()))
    return pointed.sensible(page, held) if number == page.number else ()


def _pick(giving: Giving, key: str) -> None:
    """Take a word to the value, or away from it."""
    at = int(key) if key.isdecimal() else -1
    _take(giving, tuple(sorted({*_chosen(giving.page)} ^ {*pointed.sensible(giving.page, (at,))})))


def _frame(giving: Giving, box: Box) -> None:
    """Take the words in a frame for the value."""
    _take(giving, pointed.framed(giving.page, box))


def _take(giving: Giving, held: tuple[int, ...]) -> None:
    st.session_state[CHOSEN] = (giving.page.number, held)
    st.session_state[TYPED] = _value(giving).plain if held else ""


def _value(giving: Giving) -> Pointed:
    name = _name(giving)
    return pointed.value(giving.page, _chosen(giving.page), name, giving.profile, giving.language)


def _name(giving: Giving) -> str:
    name = st.session_state.get(NAME)
    return name if name in giving.lacking else giving.lacking[0]


# ---------------------------------------------------------------- the form


def draw(shown: Shown, giving: Giving) -> None:
    """Draw which field is given, and its value."""
    with st.container(border=True, key="giving", gap="small"):
        if not giving.lacking:
            st.caption("The invoice on this page lacks no field.")
            return
        several = f" of invoice {giving.invoice}" if len(shown.judged.invoices.pages) > 1 else ""
        if st.session_state.get(NAME) not in giving.lacking:
            st.session_state[NAME] = giving.lacking[0]
        st.selectbox(
            f"Missing field{several}", giving.lacking, format_func=fieldnames.shown, key=NAME,
            on_change=_again, args=(giving,),
        )  # fmt: skip
        st.caption(HINT)
        st.text_input("Its value", key=TYPED)
        _pointed(giving)
        if refused := st.session_state.pop(REFUSED, ""):
            st.error(words.escaped(refused), icon=":material/error:")
        with st.container(horizontal=True):
            st.button("Save", type="primary", icon=":material/check:", on_click=_save, args=(shown, giving))
            st.button("Clear", on_click=_unchoose)


def _again(giving: Giving) -> None:
    """Another field is of another kind: its words are understood anew."""
    _take(giving, _chosen(giving.page))


def _pointed(giving: Giving) -> None:
    if not _chosen(giving.page):
        return
    found = _value(giving)
    printed = words.escaped(" ".join(found.text.split()))
    st.markdown(f":small[:gray[On page {giving.page.number}] **{printed}**]")
    if found.doubt:
        st.caption(words.escaped(f"{found.doubt[:1].upper()}{found.doubt[1:]}: type it plainly."))


def _save(shown: Shown, giving: Giving) -> None:
    name, typed = _name(giving), str(st.session_state.get(TYPED, "")).strip()
    if not typed:
        st.session_state[REFUSED] = "There is no value yet: click its words on the page, or type it."
        return
    held = _chosen(giving.page)
    places = fieldreview.told_places(_value(giving).places) if held else ""
    part: Part = (Value(name, typed), *((Value(fieldreview.PLACE, places),) if places else ()))
    who = st.session_state.get("reviewer", "")
    try:
        made = asked.decide(
            state.the_store(), shown.judged, Choice(f"{fieldreview.INVOICE}{giving.invoice}", "add", (part,), who)
        )
    except PipelineError as error:
        st.session_state[REFUSED] = str(error)
        return
    st.session_state.field_chosen = made[0].mark.id
    picker.note("good", f"{fieldnames.shown(name)}: {typed}. It is kept as a decision of {decisions.name(who)}.")
    st.session_state[OPEN], st.session_state[DONE] = False, True
    _unchoose()
