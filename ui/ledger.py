"""The ledger of lines that were set aside: by pattern, with reason, repeats and pages; restored by a click.

Comes in: `Features`, clicks (a browser may send anything). Goes out: a table; patterns that are kept, in ui/state.py,
from where they are saved with the profile. Refuses: patterns that the table does not hold; they count as nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pipeline import fit
from pipeline.features import Features
from pipeline.fit import Rule
from pipeline.model import Outline
from ui import state, views, words

MOST_NAMED = 3  # of what the lines of a pattern say
NOT_HERE = "restored, and not printed in this document"

_table = st.components.v2.component(
    "ledger", html=views.asset("ledger.html"), css=views.asset("ledger.css"), js=views.asset("ledger.js")
)


def draw(features: Features, found: Outline) -> None:
    """Draw the ledger; its table is made only where it is open."""
    kept = state.tuned().outline.keep
    restored = f" · {words.counted(len(kept), 'pattern')} restored" if kept else ""
    st.caption(f"{words.counted(len(found.removed), 'line')} set aside{restored}")
    box = st.expander("What was set aside", icon=":material/inventory_2:", key="ledger_box", on_change="rerun")
    with box:
        if not box.open:
            return
        if not found.removed and not kept:
            st.caption("No line was set aside as a running header, a footer or a contents list.")
            return
        _drawn(_rules(features), len(features.pages))
        st.caption(
            "Restored lines are text again. Save the profile to keep them in all documents that are read with it. What"
            " a header or footer says that the text does not (a part number, a party, a date) is kept as context of its"
            " pages and their sections."
        )


def _rules(features: Features) -> list[Rule]:
    """By reason, those that are on most pages first; then the restored ones that this document does not have."""
    profile = state.tuned().outline
    rules = fit.rules(features, profile)
    most: dict[str, int] = {}
    for rule in rules:
        most[rule.reason] = max(most.get(rule.reason, 0), rule.repeats)
    rules = tuple(sorted(rules, key=lambda rule: (-most[rule.reason], rule.reason, -rule.repeats)))
    here = {rule.pattern for rule in rules}
    return [*rules, *(Rule(kept, kept, (), NOT_HERE, 0, True) for kept in profile.keep if kept not in here)]


def _drawn(rules: Sequence[Rule], pages: int) -> None:
    sent = [
        {
            "pattern": rule.pattern,
            "reason": rule.reason,
            "repeats": rule.repeats,
            "pages": words.runs(rule.pages),
            "first": rule.pages[0] if rule.pages else 0,
            "kept": rule.kept,
            "context": "" if rule.kept else _named(rule.context),
        }
        for rule in rules
    ]
    _table(
        key="ledger",
        data={"revision": str(hash(tuple(rules))), "rules": sent},
        on_act_change=partial(_act, {rule.pattern for rule in rules}),
        on_turned_change=lambda: views.page_number("ledger", "turned", pages, state.turn_to),
    )


def _named(context: Sequence[str]) -> str:
    """The first few parts, and how many more there are."""
    more = len(context) - MOST_NAMED
    return " · ".join(context[:MOST_NAMED]) + (f" · {more} more" if more > 0 else "")


def _act(known: set[str]) -> None:
    value = st.session_state.ledger.get("act")
    pattern = value.get("pattern") if isinstance(value, dict) else None
    if isinstance(pattern, str) and pattern in known:
        toggle(pattern)


def toggle(pattern: str) -> None:
    """Restore the lines of a pattern, or set them aside again."""
    profile = state.tuned()
    changed = (fit.set_aside if pattern in profile.outline.keep else fit.restored)(profile, pattern)
    if not state.keep(changed.outline.keep):
        st.toast(
            "These are too many restored lines for one step. Save the profile, then go on.", icon=":material/save:"
        )
