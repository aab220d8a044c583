"""The rows of a statement as a table beside the page, each marking the other.

Comes in: a document as it was read, its `Statement`, the row that is chosen. Goes out: drawings. Choosing a row turns
the page picture to its page; a click on a box of the page chooses its row.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pipeline import charts, evaluate
from pipeline.model import Cell, Place, Row, Statement
from pipeline.settled import decided_by
from ui import state, views
from ui.picker import Parsed
from ui.views import Legend, Mark

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


@st.fragment
def beside(parsed: Parsed, statement: Statement) -> None:
    """Draw the table, and the page that is looked at with the boxes of its rows."""
    left, right = st.columns([8, 5], gap="medium")
    selected = chosen(statement)
    with left:
        st.subheader("Rows")
        _table(statement)
        st.caption("Select a row, or click a box on the page, to see its cells.")
    document = parsed.reading.document
    page = parsed.reading.pages[min(state.where().page, document.pages) - 1]
    shown = views.pictured(document, page, marks(statement, page.number, selected), LEGEND)
    with right:
        mark = "" if selected is None else str(selected)
        views.page_view("row_picture", replace(shown, selected=mark), _select, state.turn_to)


def chosen(statement: Statement) -> int | None:
    """The index of the chosen row; None where none is, or the statement has no such row (any more)."""
    picked = st.session_state.get("rows", {}).get("selection", {}).get("rows", [])
    return picked[0] if picked and picked[0] < len(statement.rows) else None


def _select(index: str) -> None:
    st.session_state.rows = {"selection": {"rows": [int(index)] if index.isdecimal() else []}}


def _table(statement: Statement) -> None:
    def turn() -> None:
        if (at := chosen(statement)) is not None:
            state.turn_to(statement.rows[at].page)

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
        on_select=turn,
        selection_mode="single-row",
        alt="The rows that were extracted",
    )


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
        Mark(None, place.box, CELL, f"{cell.column}: {cell.value} (printed: {_printed(row, cell, place)})")
        for cell in row.cells
        for place in cell.source.places
        if place.page == page
    ]


def _printed(row: Row, cell: Cell, place: Place) -> str:
    """What is printed for a cell; a value that is printed once for several rows stands above or beside this one."""
    elsewhere = place.page == row.page and not row.box.top <= place.box.middle[1] <= row.box.bottom
    once = ", once for several rows" if elsewhere else ""
    return f"{cell.source.quote}, {cell.source.match}{once}"
