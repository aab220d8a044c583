"""A document's report as a file to mail, made when it is asked for.

Comes in: a document, the profile it is read with. Goes out: a download button. What the report refuses is said in it.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from pipeline.profiles import Profile
from pipeline.store import Entry, Store
from ui import state


def offer(entry: Entry, profile: Profile) -> None:
    """Draw the button."""
    st.download_button(
        "Report",
        partial(_made, state.the_store(), entry.sha256, profile),
        f"{entry.name.removesuffix('.pdf')}.report.html",
        "text/html",
        key="report",
        on_click="ignore",
        icon=":material/summarize:",
        help="One HTML file with all that was found, why, and what was decided: to open offline, to mail, to print.",
    )


def _made(store: Store, sha256: str, profile: Profile) -> str:
    from pipeline import report  # brings the charts' whole library along

    return report.of(store, sha256, profile)
