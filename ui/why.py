"""Why a line is a heading, or is none: a switch, boxes over all lines of the page, and the evidence of one in words.

Comes in: what was decided, a page, clicks on lines (a browser may send anything). Goes out: marks, drawings.
Refuses: keys that name no line of the page; they count as nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pipeline import charts
from pipeline.features import Features
from pipeline.outline import Decided
from pipeline.reasons import Why
from ui import state, views, words

PREFIX = "line-"
ASK = "Click any line on the page."


def switch() -> bool:
    """Draw the switch; whether it is on."""
    return st.toggle(
        "Why a heading, or why not", key="why", persist_state="session",
        help="Every line of the page can be clicked then, and its evidence is told.",
    )  # fmt: skip


def marks(features: Features, page: int) -> list[views.Mark]:
    """A box for each line of the page."""
    return [
        views.Mark(f"{PREFIX}{line.at}", line.box, charts.QUIET, line.text, form="faint")
        for line in features.lines
        if line.page == page
    ]


def chosen(features: Features, page: int) -> str:
    """The key of the line that was clicked last, if it stands on the page."""
    key = str(st.session_state.get("why_line", ""))
    number = key.removeprefix(PREFIX)
    if not (key.startswith(PREFIX) and number.isascii() and number.isdigit() and int(number) < len(features.lines)):
        return ""
    return key if features.lines[int(number)].page == page else ""


def pick(key: str) -> None:
    """Remember the line that was clicked; a box of a section selects that."""
    if key.startswith(PREFIX):
        st.session_state.why_line = key
    else:
        state.select(key)


def told(decided: Decided, page: int) -> None:
    """Draw the evidence for the line that was clicked."""
    key = chosen(decided.document, page)
    with st.container(border=True, height=190, key="why_told"):
        if not key:
            st.caption(ASK)
            return
        why = decided.why(int(key.removeprefix(PREFIX)))
        lines = [
            f"{_verdict(why)} · “{words.escaped(_short(why.text))}”",
            _listed("For", "add", why.speaks_for or ("nothing",)),
            _listed("Against", "remove", why.against or ("nothing",)),
        ]
        st.markdown("  \n".join(lines))


def _verdict(why: Why) -> str:
    if why.level is None:
        return "**No heading**"
    return f"**{'Heading' if why.begins else 'Part of a heading'}, level {why.level}**"


def _short(text: str) -> str:
    return text if len(text) <= 70 else f"{text[:69].rstrip()}…"


def _listed(name: str, icon: str, reasons: Sequence[str]) -> str:
    return f":material/{icon}: **{name}:** :small[{words.escaped('; '.join(reasons))}]"
