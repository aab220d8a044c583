"""The calls journal, told: what was asked of Claude about a document, what became of it, and what it cost.

Comes in: a document's sha256. Goes out: drawings; nothing where no model was ever asked about it. Refuses nothing.
"""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from pipeline import journal
from ui import state, words

STATES = {"sent": "no reply (yet)", "answered": "answered", "failed": "failed"}


def draw(sha256: str) -> None:
    """Draw the newest calls on the document, folded away, with what they cost together."""
    calls = journal.entries(state.the_store(), sha256)
    if not calls:
        return
    cost = sum((call.outcome.dollars for call in calls), Decimal(0))
    with st.expander(f"{words.counted(len(calls), 'call')} to Claude: \\${cost:.4f}", icon=":material/receipt_long:"):
        st.dataframe(
            [
                {
                    "Made": f"{call.made:%Y-%m-%d %H:%M:%S}",
                    "US$": f"{call.outcome.dollars:.4f}",
                    "Became": call.fault or STATES[call.state],
                    "For": call.call.purpose,
                    "Model": call.call.model,
                    "Tokens in": call.outcome.usage.sent,
                    "Tokens out": call.outcome.usage.output,
                }
                for call in calls
            ],
            hide_index=True,
            alt="Calls to Claude",
        )
