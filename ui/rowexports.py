"""The rows of a statement as files, behind one button.

Comes in: a `Statement`, the name of its document. Goes out: download buttons; a file is made when it is asked for. The
accounting import is not offered while anything is in review, and why is said.
"""

from __future__ import annotations

import json
from functools import partial

import streamlit as st

from pipeline import rowfiles, statements
from pipeline.model import Statement
from ui import words

FILES = (
    ("CSV", "csv", "rows.csv"),
    ("Excel workbook", "xlsx", "rows.xlsx"),
    ("Parquet", "parquet", "rows.parquet"),
    ("JSON Lines", "jsonl", "rows.jsonl"),
)


def menu(name: str, statement: Statement) -> None:
    """Draw the button with a download for each form."""
    stem = name.removesuffix(".pdf")
    with st.popover("Export rows", icon=":material/download:", key="row_exports"):
        for label, form, ending in FILES:
            _download(label, partial(rowfiles.made, statement, form, name), f"{stem}.{ending}")
        _download("JSON with places and sums", partial(_whole, statement), f"{stem}.rows.json")
        reason = rowfiles.refusal(statement)
        made = partial(rowfiles.made, statement, "accounting", name)
        _download("Accounting import (CSV)", made, f"{stem}.accounting.csv", blocked=bool(reason))
        if reason:
            st.caption(words.escaped(f"No accounting import: {reason}."))


def _download(label: str, made: partial[str] | partial[bytes], name: str, blocked: bool = False) -> None:
    st.download_button(
        label, made, name, on_click="ignore", key=f"rows_as_{name.split('.', 1)[-1]}", width="stretch", type="tertiary",
        disabled=blocked,
    )  # fmt: skip


def _whole(statement: Statement) -> str:
    return json.dumps(statements.to_json(statement), ensure_ascii=False, indent=1)
