"""The sums of a statement as charts: windows, ways from computed to printed, what differs, running balances.

Comes in: a `Statement`. Goes out: drawings. A hover shows the rows, a click on a mark opens its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pipeline import charts, evaluate, series
from pipeline.model import Statement, Window
from ui import rows


def _first(point: dict[str, Any]) -> object:
    """The page where a point carries it: first in its custom data, or all of it."""
    found = point.get("customdata")
    return found[0] if isinstance(found, list | tuple) and found else found


def strip(cut: Sequence[Window], pages: int, done: Statement | None) -> None:
    """Draw the windows over the pages, and where they overlap; as they were read, or as they will be."""
    windows = done.windows if done else cut
    figure = charts.windows(windows, pages, series.read(done) if done else None)
    rows.chart("windows", figure, f"{len(windows)} windows over {pages} pages", _first)


def bridges(statement: Statement) -> None:
    """Draw the way from the sum of the rows to the printed total, by supplier or by page."""
    st.subheader("From computed to printed")
    found = {by: series.bridges(statement, by) for by in ("supplier", "page")}
    if not any(found.values()):
        printed = any(scope.printed is not None for scope in statement.reconciliation.scopes)
        st.info("No total differs from its rows: there is nothing to bridge." if printed else "No total is printed.")
        return
    by = st.segmented_control("Steps by", ["supplier", "page"], default="supplier", key="bridge_by", width="content")
    for bridge in found["page" if by == "page" else "supplier"]:
        alt = f"From {bridge.computed:,f} to {bridge.printed:,f} {bridge.currency}".strip()
        rows.chart(f"bridge_{bridge.currency}", charts.waterfall(bridge), alt, _first)


def running(statement: Statement) -> None:
    """Draw the balance after each row."""
    st.subheader("Running balance")
    lines = series.balances(statement)
    if not lines:
        st.info("No row has a balance or an amount.")
        return
    if not lines[0].printed:
        st.caption("This statement prints no balances: drawn is the sum of the amounts so far.")
    rows.chart("balance", charts.balances(lines), "The balance after each row", _first)


def deltas(statement: Statement) -> None:
    """Draw printed − computed by page and by supplier, and the table of all sums."""
    st.subheader("Reconciliation by page")
    if by_page := series.sums(statement, "page"):
        rows.chart("page_deltas", charts.page_deltas(by_page), "Printed minus computed by page", rows.at_x)
    else:
        st.info("No page of this document prints a total of its own.")
    st.subheader("Reconciliation by supplier")
    if by_supplier := series.sums(statement, "supplier"):
        alt = "Printed minus computed by supplier"
        rows.chart("supplier_deltas", charts.supplier_deltas(by_supplier), alt, _first)
    else:
        st.info("No total is printed for a supplier.")
    with st.expander(f"All {len(statement.reconciliation.scopes)} sums"):
        right = {name: st.column_config.TextColumn(alignment="right") for name in ("printed", "computed", "delta")}
        st.dataframe(evaluate.scopes_frame(statement), hide_index=True, column_config=right)
