"""Review: what a person must see of any result, the dearest question first, and what they decide.

Comes in: clicks and typed values. Goes out: decisions, kept for good; the sums and the verdict that follow at once.
Refuses, in one line: values that are no plain amount or date, decisions that somebody else made meanwhile.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from pipeline import decisions, waiting
from pipeline.asked import Item
from pipeline.waiting import Kept
from ui import docket, picker, state, taught, views, words
from ui.docket import Looked

ALL = "All documents"
MANY = 5  # new results that take a while to put in order
ORDER = (
    "One queue over rows, fields and verified values. First comes the question on which the largest amount depends:"
    " the sum that differs, the rows or the invoice in doubt, in any currency by about what it is worth. Questions on"
    " which no amount depends come last."
)
BUTTONS = ", ".join(f'[class*="st-key-{one}_"]' for one in ("accept", "reject", "all", "leave"))
DECIDING = f'[data-testid="stFormSubmitButton"], {BUTTONS}'
PARTS = f'[class*="st-key-asks_"], [class*="st-key-seen_"], {BUTTONS}'
KEYS = (
    "Type to correct, Enter accepts, Esc leaves the field as it was. Outside of fields: Delete rejects, ← goes back,"
    " → skips, Ctrl+Z takes the last decision back, Shift+Enter accepts all rows of the question."
)


def queue() -> tuple[Kept, ...]:
    """All results; how far they are is shown while many are new."""
    place = st.empty()

    def progress(done: int, total: int) -> None:
        if total >= MANY:
            place.progress(done / total, f"Putting the questions in order: {done} of {total} results")

    found = waiting.kept(state.the_store(), progress)
    place.empty()
    return found


def scope(kept: tuple[Kept, ...]) -> str:
    names = {one.result.sha256: one.name for one in kept}
    here = state.chosen()
    st.session_state.setdefault("review_scope", here.sha256 if here and here.sha256 in names else ALL)
    if st.session_state.review_scope not in names:
        st.session_state.review_scope = ALL
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Documents", [ALL, *names], format_func=lambda one: names.get(one, one), key="review_scope")
        st.text_input("Who decides", decisions.user(), key="reviewer", persist_state="session", width=200)
    return "" if st.session_state.review_scope == ALL else str(st.session_state.review_scope)


def progress(looked: Looked, kept: tuple[Kept, ...]) -> None:
    made = sum(one.decided for one in kept)
    with st.container(horizontal=True, vertical_alignment="center", key="queue"):
        st.progress(made / (made + looked.count), f"{looked.number} of {looked.count} open, {made} decided")
        st.caption("The most valuable first", help=ORDER, width="content")


def asked(looked: Looked) -> Item | None:
    question = looked.question
    where = f", page {question.page}" if question.page else ""
    st.subheader(words.escaped(question.cause), anchor=False)
    stake = f" · {question.stake:,f} {question.currency}".rstrip() + " at stake" if question.stake else ""
    st.text(f"{looked.case.entry.name}{where}{stake}")
    st.text("\n".join(question.why))
    st.caption(words.escaped(question.fix))
    if not question.items:
        return None
    if len(question.items) == 1:
        return question.items[0]
    labels = {item.mark.id: item for item in question.items}
    chosen = st.selectbox(
        f"Which of {len(labels)} rows", list(labels), format_func=lambda one: labels[one].told,
        key=f"row_of_{question.id}",
    )  # fmt: skip
    return labels[chosen]


def detail(looked: Looked, item: Item) -> None:
    if item.reasons:
        st.text("In review: " + "\nand: ".join(item.reasons))
    docket.reads(item)
    docket.fields(looked.case, item)


def actions(looked: Looked, item: Item | None) -> None:
    case, question = looked.case, looked.question
    st.html(docket.NARROW)
    act = partial(st.button, on_click=docket.decide, width="content")
    with st.container(horizontal=True, gap="xsmall", key="actions"):
        if item and "split" in item.actions:
            docket.splitting(case, item)
        docket.adding(looked, item)
        docket.total(looked)
        taught.column(looked)
        if not question.each:
            alone = None if item else "Enter"
            act("Leave it as it is", key=f"leave_{question.id}", shortcut=alone, args=(case, question.id, "approve"))
        elif len(question.items) > 1:
            several = f"Accept all {len(question.items)}"
            act(several, key=f"all_{question.id}", shortcut="Shift+Enter", args=(case, question.id, "approve"))
    with st.container(horizontal=True, gap="xsmall", key="steps"):
        if item:
            act("Reject", key=f"reject_{item.mark.id}", shortcut="Delete", args=(case, item.mark.id, "reject"))
        st.button("Back", key="back", shortcut="Left", on_click=docket.step, args=(-1,), disabled=looked.count < 2)
        st.button("Skip", key="skip", shortcut="Right", on_click=docket.step, args=(1,), disabled=looked.count < 2)
        undoing()
    st.caption(KEYS)


def deciding(looked: Looked, item: Item | None) -> None:
    """A press counts for what is shown here, once all of it is."""
    turn = st.session_state.review_turn = st.session_state.get("review_turn", 0) + 1
    ids = [looked.question.id, *([item.mark.id] if item else [])]
    views.once(views.Asked(DECIDING, PARTS, ids, turn))


def undoing() -> None:
    nothing = "review_last" not in st.session_state
    st.button("Undo", key="undo", shortcut="Ctrl+Z", on_click=docket.undo, disabled=nothing)


def told() -> None:
    if text := st.session_state.pop("review_told", ""):
        st.success("  \n".join(map(words.escaped, text.splitlines())), icon=":material/check:")


def empty(kept: tuple[Kept, ...]) -> None:
    if kept:
        st.success("Nothing is left to decide.", icon=":material/check_circle:")
    else:
        st.info(
            "Nothing was extracted yet. Do that on the pages Statements and Invoices.", icon=":material/receipt_long:"
        )
    for one in kept:
        st.text(f"{one.name}: {one.verdict.replace('_', ' ')}")
    with st.container(horizontal=True):
        st.page_link("pages/statements.py", icon=":material/receipt_long:")
        st.page_link("pages/invoices.py", icon=":material/request_quote:")
    undoing()


ui.begin()
picker.notes()
everything = queue()
chosen = scope(everything)
kept = tuple(one for one in everything if chosen in ("", one.result.sha256))
told()
looked = docket.looked_at(chosen)
if looked is None:
    empty(kept)
else:
    progress(looked, kept)
    left, right = st.columns([4, 9], gap="medium")
    with left, st.container(key=f"asks_{looked.question.id}"):
        item = asked(looked)
    with right, st.container(key=f"seen_{item.mark.id if item else looked.question.id}"):
        docket.crop(looked.case, looked.question, item)
    if item:
        detail(looked, item)
    actions(looked, item)
    docket.page(looked.case, looked.question, item)
    deciding(looked, item)
    docket.ahead(looked, chosen)
docket.history(kept)
taught.draw()
