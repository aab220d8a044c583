"""How documents with a truth fare, and how ways to put a document to a model did: as the page Evaluate shows it.

Comes in: what is kept in the store. Goes out: drawings; a click opens a document where most is wrong. What was
published of such ways stands beside what was measured, in columns of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import streamlit as st

from pipeline import arms, charts, measures, scoreboard
from pipeline.scoreboard import Case, Scored
from ui import hits, picker, rows, state
from ui.hits import Hits, Item

PAGES = {"rows": "pages/statements.py", "fields": "pages/invoices.py"}
SHOWN = 40  # documents of the chart


def found() -> tuple[Scored, ...]:
    """All results with a truth; each is judged anew only when it, its truth or a decision on its document changed."""
    store = state.the_store()
    with st.spinner("Holding results against their truths"):
        return scoreboard.ordered(_scored(str(store.home), case) for case in scoreboard.cases(store))


@st.cache_resource(max_entries=2_000, show_spinner=False, hash_funcs={Case: repr})
def _scored(home: str, case: Case) -> Scored | None:
    return scoreboard.score(state.the_store(), case)


def totals(found: Sequence[Scored]) -> None:
    """Draw the figures over all documents."""
    expected = sum(one.expected for one in found)
    for column, (label, count) in zip(
        st.columns(4),
        (
            ("Right", sum(one.right for one in found)),
            ("In review", sum(one.review for one in found)),
            ("Missing, and said so", sum(one.count("missing") for one in found)),
            ("Wrong and nobody told", sum(one.silent for one in found)),
        ),
        strict=True,
    ):
        column.metric(
            label, f"{count:,}", f"{count / max(1, expected):.1%} of {expected:,}", delta_color="off", delta_arrow="off"
        )


def documents(found: Sequence[Scored]) -> None:
    """Draw what became of the values of each document, and the list of them."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Documents, the worst first")
        items = tuple(map(_item, found))
        table = Hits("", "Documents with a truth", ("Document", "Against its truth", "Page", ""), items, repr(found))
        hits.draw("scored", table, -1, lambda place: _open(found[place]))
    with right:
        st.subheader("What became of their values")
        figure = charts.field_shares([one.share for one in found[:SHOWN]], charts.FATES)
        alt = "Share of values by document: right, in review, wrong, missing"
        st.plotly_chart(figure, config=rows.BARE, key="scored_chart", alt=alt)
        if len(found) > SHOWN:
            st.caption(f"The worst {SHOWN} of {len(found)}.")


def _item(one: Scored) -> Item:
    badge, tone = ("✓ none silent", charts.GOOD)
    if one.silent:
        badge, tone = f"✗ {one.silent} silent", charts.PALETTE[3]
    said = f"{one.right:,} of {one.expected:,} {one.kind} right, {one.review:,} in review"
    return Item(one.name, "", said, one.page, badge, tone)


def _open(one: Scored) -> None:
    state.open_document(one.sha256)
    if one.page:
        state.turn_to(one.page)
    st.session_state.scored_open = PAGES[one.kind]


def followed() -> None:
    """Go where a click led."""
    if page := st.session_state.pop("scored_open", ""):
        st.switch_page(page)


def ways() -> None:
    """Draw what was measured of ways to put a document to a model, and what was published of such."""
    st.subheader("Ways to ask, measured")
    st.caption(
        "Made by `pagewitness evaluate` (by rules) and `pagewitness evaluate --engine claude`; columns that begin with "
        "*published* are figures that others printed of such ways: they were not measured here."
    )
    suites = {suite: measures.kept(state.the_store(), suite) for suite in arms.ARMS}
    if not any(suites.values()):
        st.info("Nothing was measured yet: run `pagewitness evaluate`.", icon=":material/query_stats:")
        return
    frame = arms.frame([one for found in suites.values() for one in found])
    shares = pl.selectors.by_name("accuracy", "invented", "published_accuracy", "published_invented")
    shown = frame.select(
        "suite", "arm", "model", "made", "document", "expected", "right", "silent", shares * 100, "dollars", "seconds"
    )
    percent = st.column_config.NumberColumn(format="%.1f %%")
    names = ("accuracy", "invented", "published_accuracy", "published_invented")
    st.dataframe(shown, hide_index=True, column_config=dict.fromkeys(names, percent))


def none_yet() -> None:
    """Say how there will be something to see."""
    st.info(
        "No document has both a result and a truth yet. Extract rows or fields of one, and give its truth there "
        "(*Compare with a truth*); or add the samples, which have theirs.",
        icon=":material/query_stats:",
    )
    picker.samples_button("evaluate")
