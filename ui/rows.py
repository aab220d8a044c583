"""How a statement is told, drawn and marked: verdict, findings, charts, and the boxes of its rows on a page.

Comes in: a `Statement`, a truth or none, a page, the selected row (an index, from 0). Goes out: drawings, `Mark`s.
A click on a finding or a bar turns the page picture to its page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import polars as pl
import streamlit as st
from plotly.graph_objects import Figure

from pipeline import charts, decisions, evaluate, run
from pipeline.evaluate import Truth
from pipeline.model import Finding, Row, Scope, Statement
from pipeline.profiles import Profile
from pipeline.settled import decided_by
from pipeline.store import Key
from ui import state
from ui.views import Legend, Mark

ENGINE = "local"
LISTED = 6
BARE = {"displayModeBar": False}

WHOLE = ("document", "account")
COLUMNS = {
    "page": ("Page", 45),
    "status": ("Status", 80),
    "invoice_number": ("Invoice", 80),
    "date": ("Date", 82),
    "supplier": ("Supplier", 150),
    "description": ("Description", 120),
    "quantity": ("Qty", 52),
    "unit_price": ("Unit price", 72),
    "debit": ("Debit", 85),
    "credit": ("Credit", 85),
    "amount": ("Amount", 85),
    "balance": ("Balance", 95),
    "reasons": ("Why in review", 220),
}
NUMBERS = ("page", "quantity", "unit_price", "debit", "credit", "amount", "balance")
CELL = charts.PALETTE[3]
LEGEND = (
    Legend(charts.GOOD, "confirmed row"),
    Legend(charts.DOUBT, "row in review"),
    Legend(CELL, "cell of the selected row"),
)


class _NotExtracted(Exception):
    """The store has no such result (yet)."""


def kept(sha256: str, profile: Profile) -> Statement | None:
    """What was extracted from the document under the profile, if it was, with what people decided since."""
    try:
        made = len(decisions.of(state.the_store(), sha256))
        return _kept(str(state.the_store().home), sha256, run.result_key(profile, ENGINE), made)
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
        _metric("Rows", f"{len(statement.rows):,}", f"{review:,} in review" if review else f"{confirmed:,} confirmed")
        for label, value, delta in totals(statement):
            _metric(label, value, delta)
    if statement.findings:
        with st.expander(f"What needs a person: {len(statement.findings)}", icon=":material/flag:", expanded=True):
            _findings(statement.findings)


def _metric(label: str, value: str, below: str) -> None:
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


def table(statement: Statement, selected: Callable[[], None]) -> None:
    """Draw the rows as a table; `selected` is called when a row is chosen (state key `rows`)."""
    text, order = st.column_config.TextColumn, [name for name in statement.columns if name != "supplier"]
    config = {name: text(label, width=width) for name, (label, width) in COLUMNS.items()}
    config |= {name: text(COLUMNS[name][0], width=COLUMNS[name][1], alignment="right") for name in NUMBERS}
    st.dataframe(
        evaluate.rows_frame(statement),
        height=560,
        hide_index=True,
        column_order=["page", "status", *order, *(["supplier"] if "supplier" in statement.columns else []), "reasons"],
        column_config=config,
        key="rows",
        on_select=selected,
        selection_mode="single-row",
        alt="The rows that were extracted",
    )


def accuracy(statement: Statement, truth: Truth | None) -> None:
    """Draw accuracy by page against the truth; without one, the share of witnessed values, named so."""
    if truth is None:
        st.subheader("Witnessed values by page")
        frame, unit = evaluate.witnessed(statement), "values witnessed"
        st.caption(
            "Share of values in confirmed rows that stand on the page as they were read. There is no truth for this "
            "document: what is missing altogether, only a truth can show."
        )
    else:
        st.subheader("Accuracy by page, against the truth")
        frame, unit = evaluate.page_accuracy(statement, truth), "rows right"
        right, count = frame["right"].sum(), frame.select(pl.max_horizontal("expected", "found").sum()).item()
        st.caption(f"{right:,} of {count:,} rows are right in every column.")
    if frame.is_empty():
        st.info("There are no rows to measure.")
        return
    notes = evaluate.doubted_rows(statement) if truth is None else evaluate.wrong_rows(statement, truth)
    chart("accuracy", charts.page_shares(evaluate.shares(frame, notes), unit), f"Share of {unit} by page", at_x)
    if truth is not None and not (wrong := evaluate.differences(statement, truth)).is_empty():
        with st.expander(f"{len(wrong)} rows differ from the truth"):
            st.dataframe(wrong, hide_index=True)


def deltas(statement: Statement) -> None:
    """Draw printed − computed by page and by supplier, and the table of all sums."""
    scopes = statement.reconciliation.scopes
    by_page = [scope for scope in scopes if scope.scope == "page"]
    by_supplier = [scope for scope in scopes if scope.scope == "supplier"]
    st.subheader("Reconciliation by page")
    if by_page:
        chart("page_deltas", charts.page_deltas(by_page), "Printed minus computed by page", at_x)
    else:
        st.info("No page of this document prints a total of its own.")
    st.subheader("Reconciliation by supplier")
    if by_supplier:
        alt = "Printed minus computed by supplier"
        st.plotly_chart(charts.supplier_deltas(by_supplier), config=BARE, key="supplier_deltas", alt=alt)
    else:
        st.info("No total is printed for a supplier.")
    with st.expander(f"All {len(scopes)} sums"):
        right = {name: st.column_config.TextColumn(alignment="right") for name in ("printed", "computed", "delta")}
        st.dataframe(evaluate.scopes_frame(statement), hide_index=True, column_config=right)


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


def marks(statement: Statement, page: int, selected: int | None) -> list[Mark]:
    """The boxes of the rows on a page, and of the cells of the selected one."""
    found = [
        Mark(str(index), row.box, charts.GOOD if row.status == "confirmed" else charts.DOUBT, _told(index, row))
        for index, row in enumerate(statement.rows)
        if row.page == page
    ]
    if selected is not None and selected < len(statement.rows):
        found += _cells(statement.rows[selected], page)
    return found


def _told(index: int, row: Row) -> str:
    reasons = f": {'; '.join(row.reasons)}" if row.reasons else ""
    return f"Row {index + 1}, {decided_by(row) or row.status}{reasons}"


def _cells(row: Row, page: int) -> list[Mark]:
    return [
        Mark(None, place.box, CELL, f"{cell.column}: {cell.value} (printed: {cell.source.quote}, {cell.source.match})")
        for cell in row.cells
        for place in cell.source.places
        if place.page == page
    ]
