"""Ask: questions to a document, lists of its clauses, and the check of citations that others made.

Comes in: questions, topics, pasted answers, clicks. Goes out: drawings; each quote beside the page on which it stands.
Refuses nothing: what is not in the document is said not to be there.
"""

from __future__ import annotations

import streamlit as st

import ui
from ui import bulk, checked, clauselist, desk, hits, picker, question, spent, state

VIEWS = {
    "question": "Question",
    "clauses": "Clauses",
    "citations": "Citations",
    "many": "Many questions",
}


def view() -> str:
    """The part of the page that is looked at."""
    shown = state.said("view") if state.said("view") in VIEWS else next(iter(VIEWS))
    st.session_state.ask_view = shown
    st.segmented_control(
        "What to do",
        list(VIEWS),
        format_func=VIEWS.__getitem__,
        key="ask_view",
        label_visibility="collapsed",
        required=True,
        on_change=lambda: state.say("view", st.session_state.ask_view),
    )
    return shown


ui.begin()
hits.go()
entry = picker.choose()
parsed = picker.parsed(entry) if entry else None
if entry and parsed:
    asked = desk.laid(entry, parsed)
    match view():
        case "clauses":
            clauselist.draw(asked)
        case "citations":
            checked.draw(asked)
        case "many":
            bulk.draw(asked)
        case _:
            question.draw(asked)
    spent.draw(entry.sha256)
