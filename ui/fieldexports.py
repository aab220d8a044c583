"""The fields of invoices as files, behind one button.

Comes in: documents with what was read from them. Goes out: download buttons; a file is made when it is asked for.
Refuses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import streamlit as st

from pipeline import fieldfiles, invoices
from pipeline.fieldfiles import Read
from pipeline.profiles import FieldProfile

FILES = (("CSV, a line a field", "csv"), ("Excel workbook: invoices, items, fields", "xlsx"))


def menu(stem: str, read: Sequence[Read], profile: FieldProfile) -> None:
    """Draw the button with a download for each form; `stem`: what the files are called."""
    with st.popover("Export fields", icon=":material/download:", key="field_exports", disabled=not read):
        for label, form in FILES:
            _download(label, partial(fieldfiles.made, read, form, profile), f"{stem}.fields.{form}")
        _download("JSON with places and checks", partial(_json, read), f"{stem}.fields.json")


def _download(label: str, made: partial[bytes] | partial[str], name: str) -> None:
    ending = name.rpartition(".")[2]
    st.download_button(
        label, made, name, on_click="ignore", key=f"fields_as_{ending}", width="stretch", type="tertiary"
    )


def _json(read: Sequence[Read]) -> str:
    """As the command `fields` prints it; of several documents, by their names."""
    told = {name: invoices.to_json(found) for name, found in read}
    return json.dumps(next(iter(told.values())) if len(told) == 1 else told, ensure_ascii=False, indent=1)
