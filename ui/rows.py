"""What is known of a statement, told: verdict, totals, findings; and any metric and any chart with pages in it.

Comes in: a `Statement`. Goes out: drawings. A click on a finding or a mark turns the page picture to its page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

from pipeline import decisions, run
from pipeline.model import Finding, Scope, Statement
from pipeline.profiles import Profile
from pipeline.store import Key
from ui import engine, state, words

LISTED = 6
BARE = {"displayModeBar": False}

WHOLE = ("document", "account")


class _NotExtracted(Exception):
    """The store has no such result (yet)."""


def kept(sha256: str, profile: Profile) -> Statement | None:
    """What the chosen engine extracted from the document under the profile, with what people decided since."""
    try:
        made = len(decisions.of(state.the_store(), sha256))
        return _kept(str(state.the_store().home), sha256, run.result_key(profile, engine.chosen()), made)
    except _NotExtracted:
        return None


@st.cache_resource(max_entries=12, show_spinner=False)
def _kept(home: str, sha256: str, key: Key, made: int) -> Statement:
    found = run.reviewed(state.the_store(), sha256, key)
    if found is None:
        raise _NotExtracted
    return found.statement


def told(statement: Statement) -> None:
    """Draw the verdict, the totals and the findings."""
    if statement.reconciliation.action == "auto_import":
        st.success(verdict(statement), icon=":material/check_circle:")
    else:
        st.warning(verdict(statement), icon=":material/visibility:")
        st.page_link("pages/review.py", label="Decide in Review", icon=":material/rule:")
    confirmed, review = counts(statement)
    with st.container(horizontal=True, gap="large", key="totals"):
        metric("Rows", f"{len(statement.rows):,}", f"{review:,} in review" if review else f"{confirmed:,} confirmed")
        for label, value, delta in totals(statement):
            metric(label, value, delta)
    if statement.findings:
        needy = sum(one.severity != "info" for one in statement.findings)
        notes = len(statement.findings) - needy
        title = f"What needs a person: {needy}" if needy else "Nothing needs a person"
        title += f", and {words.counted(notes, 'note')}" if notes else ""
        with st.expander(title, icon=":material/flag:", expanded=bool(needy)):
            _findings(tuple(sorted(statement.findings, key=lambda one: one.severity == "info")))


def metric(label: str, value: str, below: str) -> None:
    """Draw a number with its name, and a few quiet words below it."""
    st.metric(label, value, below, delta_color="off", delta_arrow="off", width="content")


def _findings(found: tuple[Finding, ...]) -> None:
    """The first ones in full, each with a button to its page; all others as a table."""
    for number, item in enumerate(found[:LISTED]):
        with st.container(horizontal=True, vertical_alignment="center", key=f"finding_{number}"):
            if item.page:
                st.button(
                    f"Page {item.page}", key=f"finding_page_{number}", type="tertiary", icon=":material/pageview:",
                    on_click=state.turn_to, args=(item.page,), width="content",
                )  # fmt: skip
            st.text(item.message)
    if rest := found[LISTED:]:
        st.dataframe(
            [{"Page": item.page, "Finding": item.message} for item in rest],
            hide_index=True,
            column_config={"Page": st.column_config.NumberColumn(width=60)},
            alt="Further findings",
        )


def chart(key: str, figure: Figure, alt: str, page: Callable[[dict[str, Any]], object]) -> None:
    """A chart; a click on a mark opens the page that `page` finds in the mark's point."""

    def turn() -> None:
        points = st.session_state[key]["selection"]["points"]
        found = page(points[0]) if points else None
        if isinstance(found, int | float):
            state.turn_to(int(found))

    st.plotly_chart(figure, config=BARE, key=key, alt=alt, on_select=turn, selection_mode="points")


def at_x(point: dict[str, Any]) -> object:
    """The page where a point carries it: along x, in charts over pages."""
    return point.get("x")


def verdict(statement: Statement) -> str:
    """What the reconciliation concludes, in one or two sentences."""
    scopes = statement.reconciliation.scopes
    printed = [scope for scope in scopes if scope.printed is not None]
    off = [scope for scope in printed if scope.delta]
    if statement.reconciliation.action == "auto_import":
        return (
            f"Auto import: all {len(printed)} printed totals agree with the sums of their rows, "
            f"and none of the {len(statement.rows)} rows needs a person."
        )
    if not statement.rows:
        return "Human review: no rows were found. Look at the pages, or choose another document."
    if not printed:
        return "Human review: no printed total was found, so nothing proves that no row is missing."
    if off:
        return f"Human review: {len(off)} of {len(printed)} printed totals differ from the sums of their rows."
    return "Human review: the sums agree, but something below needs a person."


def scope_name(scope: Scope) -> str:
    """What a scope is called in a table or chart."""
    match scope.scope:
        case "page":
            return f"page {scope.page}"
        case "document" | "account":
            return f"{scope.scope} total"
        case _:
            return scope.name


def totals(statement: Statement) -> list[tuple[str, str, str]]:
    """For each whole-document sum: its name, the printed total (else the computed one), the delta in words."""
    told = []
    for scope in statement.reconciliation.scopes:
        if scope.scope in WHOLE:
            label = f"{scope_name(scope).capitalize()}{f', {scope.currency}' if scope.currency else ''}"
            value = scope.computed if scope.printed is None else scope.printed
            told.append((label, f"{value:,f}", _delta(scope.delta)))
    return told


def _delta(delta: Decimal | None) -> str:
    if delta is None:
        return "computed; none is printed"
    return f"{delta:+,f} against the rows" if delta else "agrees to the cent"


def counts(statement: Statement) -> tuple[int, int]:
    """How many rows are confirmed, and how many are in review."""
    by_status = Counter(row.status for row in statement.rows)
    return by_status["confirmed"], by_status["review"]
