"""How the windows of a statement were read, told in full: what each was handed, what was merged and why, what a second
try changed.

Comes in: a `Statement`. Goes out: drawings, folded away under one line that says what is in them.
"""

from __future__ import annotations

import streamlit as st

from pipeline import series
from pipeline.model import SecondTry, Statement, Window
from pipeline.series import Merge
from ui import words

STATE_COLUMNS = {"Window": 70, "Pages": 70, "Supplier": 190, "Subtotal": 100, "Columns": 240, "Last row": 330}
MERGE_COLUMNS = {"Row": 60, "Page": 60, "Windows": 90, "What stands there": 380, "Why it is one row": 420}


def told(statement: Statement) -> None:
    """Draw all of it."""
    merged, loose = series.merges(statement), series.ungrounded(statement)
    with st.expander(_headline(statement, len(merged), len(loose)), icon=":material/join:"):
        _handed(statement)
        _merged(merged)
        _loose(statement, loose)
        _tried_again(statement.second_tries)


def _headline(statement: Statement, merged: int, loose: int) -> str:
    told = [f"{words.counted(len(statement.windows), 'window')}: {words.counted(merged, 'row')} merged"]
    if loose:
        told.append(f"{loose} not found on the page")
    if statement.second_tries:
        told.append(f"{words.counted(len(statement.second_tries), 'window')} read a second time")
    return ", ".join(told)


def _handed(statement: Statement) -> None:
    st.caption("What each window was handed of the pages before it")
    lines = [_state(window) for window in statement.windows if window.state]
    if not lines:
        st.info("This result does not say it. Extract the rows again.")
        return
    config = {name: st.column_config.TextColumn(width=width) for name, width in STATE_COLUMNS.items()}
    st.dataframe(lines, hide_index=True, column_config=config, alt="What each window was handed")


def _state(window: Window) -> dict[str, str]:
    handed = window.state
    assert handed is not None
    ahead = "not known ahead" if handed.page else ""
    return {
        "Window": str(window.number),
        "Pages": f"{window.first}–{window.last}",
        "Supplier": handed.supplier if handed.page else "nothing before it",
        "Subtotal": ahead if handed.subtotal is None else f"{handed.subtotal:,f}",
        "Columns": ", ".join(handed.columns),
        "Last row": handed.last_row or ahead,
    }


def _merged(merged: tuple[Merge, ...]) -> None:
    if not merged:
        st.caption("Nothing was merged: no row was read by two windows.")
        return
    doubted = sum(bool(one.parted) for one in merged)
    st.caption(
        f"{words.counted(len(merged), 'row')} read by several windows, {doubted} of them read differently. "
        "What stands on one line of a page is one row; equal lines elsewhere stay apart."
    )
    config = {name: st.column_config.TextColumn(width=width) for name, width in MERGE_COLUMNS.items()}
    st.dataframe([_merge(one) for one in merged], hide_index=True, column_config=config, alt="What was merged, and why")


def _merge(one: Merge) -> dict[str, str]:
    windows = " and ".join(map(str, one.windows))
    why = f"windows {windows} read the line {one.top:.0f} to {one.bottom:.0f} points from the top"
    return {
        "Row": str(one.row),
        "Page": str(one.page),
        "Windows": windows,
        "What stands there": one.told,
        "Why it is one row": "; ".join((why, *one.parted)),
    }


def _loose(statement: Statement, loose: tuple[int, ...]) -> None:
    if not loose:
        st.caption("Every value of every row stands on its page.")
        return
    pages = sorted({statement.rows[at].page for at in loose})
    where = ", ".join(map(str, pages[:12])) + (" …" if len(pages) > 12 else "")
    st.warning(f"{words.counted(len(loose), 'row')} with a value that does not stand on the page (page {where}).")


def _tried_again(tries: tuple[SecondTry, ...]) -> None:
    for one in tries:
        pages = f"Page {one.first}" if one.first == one.last else f"Pages {one.first} to {one.last}"
        outcome = "kept, since all sums then agreed" if one.kept else "not kept: something still spoke against it"
        st.caption(f"{pages}, window {one.window}: read a second time, {outcome}.")
        changes = [("came", row) for row in one.added] + [("went", row) for row in one.removed]
        if changes:
            rows = [{"": what, "Row": row} for what, row in changes]
            st.dataframe(rows, hide_index=True, alt="What the second try changed")
        else:
            st.caption("It read the same rows.")
