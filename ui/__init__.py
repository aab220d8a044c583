"""Drawing that the pages share. `begin()` is the first call of every page, `navigation()` the entrypoint's.

Comes in: nothing. Goes out: the page that is asked for, under a menu that is the same everywhere.
"""

from __future__ import annotations

import gc
from importlib import import_module
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from ui import state, visitor

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("pandas", "pyarrow", "plotly.graph_objects", "polars", "pipeline.charts", "pipeline.evaluate", "pipeline.run")
ICON = Path(__file__).parent / "assets" / "icon.png"


@st.cache_resource(show_spinner=False)
def settle() -> bool:
    """Import what is heavy, once, and take it out of the collector's sight: Streamlit collects after every run."""
    for name in HEAVY:
        import_module(name)
    gc.collect()
    gc.freeze()
    return True


def navigation() -> Page:
    """Make the menu known, and give the page that is asked for."""
    return st.navigation(
        [
            st.Page(ROOT / "pages" / "documents.py", title="Documents", icon=":material/folder_open:", default=True),
            st.Page(ROOT / "pages" / "pages.py", title="Pages", icon=":material/pageview:"),
            st.Page(ROOT / "pages" / "structure.py", title="Structure", icon=":material/account_tree:"),
            st.Page(ROOT / "pages" / "ask.py", title="Ask", icon=":material/quiz:"),
            st.Page(ROOT / "pages" / "compare.py", title="Compare", icon=":material/compare_arrows:"),
            st.Page(ROOT / "pages" / "statements.py", title="Statements", icon=":material/receipt_long:"),
            st.Page(ROOT / "pages" / "invoices.py", title="Invoices", icon=":material/receipt:"),
            st.Page(ROOT / "pages" / "verify.py", title="Verify", icon=":material/fact_check:"),
            st.Page(ROOT / "pages" / "review.py", title="Review", icon=":material/rule:"),
            st.Page(ROOT / "pages" / "queue.py", title="Queue", icon=":material/pending_actions:"),
            st.Page(ROOT / "pages" / "evaluate.py", title="Evaluate", icon=":material/query_stats:"),
            st.Page(ROOT / "pages" / "tour.py", title="Tour", icon=":material/tour:"),
        ],
        position="top",
    )


def enter() -> None:
    """The entrypoint: run the page that is asked for."""
    settle()
    st.set_page_config(page_icon=str(ICON), layout="wide")  # first: the menu would fetch an icon from elsewhere
    page = navigation()
    st.set_page_config(page_title=f"{page.title} · Pagewitness")
    st.session_state.entered = True
    page.run()


def begin() -> None:
    """Before anything of a page is drawn. Goes through the entrypoint where Streamlit ran the page without it.

    On a fresh server Streamlit would run a file of the folder pages/ by itself, with another menu and layout,
    until `st.navigation` was called once.
    """
    if not st.session_state.pop("entered", False) and not st.session_state.get("turned_back"):
        st.session_state.turned_back = True
        navigation()
        st.rerun()
    visitor.enter()
    state.restore()
