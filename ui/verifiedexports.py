"""Verified values as files, behind one button.

Comes in: a verification with what people decided. Goes out: download buttons; a file is made when it is asked for.
Refuses nothing.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import PurePath

import streamlit as st

from pipeline import verifiedfiles, verify
from ui.verified import Shown


def menu(shown: Shown | None) -> None:
    """Draw the button with a download for each form."""
    with st.popover("Export", icon=":material/download:", key="verify_exports", disabled=shown is None):
        if shown:
            _download("JSON, verdicts in the place of the values", partial(_nested, shown), shown, "nested.json")
            _download("JSON, a list of verdicts", partial(_list, shown), shown, "json")
            _download("CSV, a line a value", partial(verifiedfiles.made, shown.whole, "csv"), shown, "csv")
            _download("Excel workbook", partial(verifiedfiles.made, shown.whole, "xlsx"), shown, "xlsx")


def _download(label: str, made: partial[bytes] | partial[str], shown: Shown, ending: str) -> None:
    name = f"{PurePath(shown.held.supplied.name).stem}.verified.{ending}"
    key = f"verified_as_{ending.partition('.')[0]}"
    st.download_button(label, made, name, on_click="ignore", key=key, width="stretch", type="tertiary")


def _nested(shown: Shown) -> str:
    return verifiedfiles.nested(shown.held.supplied.values(), shown.whole)


def _list(shown: Shown) -> str:
    """As the command `verify` prints it."""
    return json.dumps(verify.to_json(shown.whole), ensure_ascii=False, indent=1)
