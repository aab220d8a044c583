"""Which fields are read and how: names, labels, the second read, as settings of the page.

Comes in: what a person sets; what the loaded profile says where they set nothing. Goes out: a `FieldProfile`; a profile
saved under a name. Refuses, in one line: a line of labels that is none, a tolerance that is no amount.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Literal, cast, get_args

import streamlit as st

from pipeline import fieldnames, labels
from pipeline.model import UsageError
from pipeline.profiles import FieldProfile, Kind
from ui import state, tuning, words

FieldKind = Literal["text", "date", "amount", "identifier", "rate"]
KINDS = get_args(FieldKind)
SECOND: dict[Literal["auto", "always", "never"], str] = {
    "auto": "Where it is needed",
    "always": "Always",
    "never": "Never",
}
SEPARATORS: dict[Literal["auto", ",", "."], str] = {"auto": "Found in the document", ",": "Comma", ".": "Point"}
LINE = re.compile(r"(?P<name>[a-z][a-z0-9_]*)\s*(?:\((?P<kind>[a-z]+)\))?\s*:\s*(?P<labels>.*)")
LABELS_HELP = (
    "A line a field: its name, then words that stand before or over its value. A field of your own says what it holds"
    " (text, date, amount, identifier, rate): `order_number (identifier): Order no, Bestellnummer`"
)


def chosen() -> FieldProfile | None:
    """Draw the settings; what they come to, or None after saying what is wrong with them."""
    base = state.base().fields
    st.session_state.setdefault("fields_second", base.second_read)
    second = st.selectbox(
        "Second read", list(SECOND), format_func=SECOND.__getitem__, key="fields_second", persist_state="session",
        width=190, help="Another reader reads the crop of each field alone, knowing nothing of the first.",
    )  # fmt: skip
    with st.popover("Fields", icon=":material/tune:", key="field_tuning"):
        try:
            made = replace(_tuned(base), second_read=second)
        except UsageError as error:
            st.error(words.escaped(str(error)))
            return None
        _saving(made)
    return made


def _tuned(base: FieldProfile) -> FieldProfile:
    """What is set in the popover."""
    setdefault = st.session_state.setdefault
    setdefault("fields_labels", _written(base))
    told = st.text_area("Further labels and own fields", key="fields_labels", persist_state="session", help=LABELS_HELP)
    own, kinds = _read(told)
    known = {**labels.standard(), **kinds}
    setdefault("fields_names", [name for name in base.names if name in known])
    st.session_state.fields_names = [name for name in st.session_state.fields_names if name in known]
    names = st.multiselect(
        "Read these alone", list(known), format_func=fieldnames.shown, key="fields_names", persist_state="session",
        placeholder="All fields",
    )  # fmt: skip
    setdefault("fields_decimal", base.decimal)
    setdefault("fields_day_first", base.day_first)
    setdefault("fields_tolerance", f"{base.tolerance}")
    decimal = st.selectbox(
        "Decimal separator", list(SEPARATORS), format_func=SEPARATORS.__getitem__, key="fields_decimal",
        persist_state="session",
    )  # fmt: skip
    tolerance = st.text_input("Sums may differ by", key="fields_tolerance", persist_state="session", max_chars=12)
    day_first = st.toggle("In 03/04/2025 the day is first", key="fields_day_first", persist_state="session")
    return replace(
        base, names=tuple(names), labels=own, kinds=kinds, decimal=decimal, day_first=day_first,
        tolerance=_amount(tolerance),
    )  # fmt: skip


def _written(profile: FieldProfile) -> str:
    """Labels and own fields as lines."""
    lines = []
    for name in dict.fromkeys([*profile.kinds, *profile.labels]):
        kind = f" ({profile.kinds[name]})" if name in profile.kinds else ""
        lines.append(f"{name}{kind}: {', '.join(profile.labels.get(name, ()))}")
    return "\n".join(lines)


def _read(text: str) -> tuple[dict[str, tuple[str, ...]], dict[str, FieldKind]]:
    """Labels by field, and the kinds of own fields; UsageError where a line is none."""
    own: dict[str, tuple[str, ...]] = {}
    kinds: dict[str, FieldKind] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        found = LINE.fullmatch(line)
        kind = found["kind"] if found else None
        if not found or (kind is not None and kind not in KINDS):
            raise UsageError(f"“{line[:60]}” is no field. Write it as order_number (identifier): Order no, Order")
        if kind is None and found["name"] not in labels.standard():
            raise UsageError(f"{found['name']}: say what it holds, such as {found['name']} (text): …")
        if kind is not None:
            kinds[found["name"]] = cast(FieldKind, kind)
        own[found["name"]] = tuple(filter(None, (part.strip() for part in found["labels"].split(","))))
    return own, kinds


def _amount(text: str) -> Decimal:
    try:
        value = Decimal(text or "0")
    except InvalidOperation:
        value = Decimal(-1)
    if not (value.is_finite() and value >= 0):
        raise UsageError(f"“{text[:20]}” is no amount that sums may differ by. Write it as 0.01")
    return value


def _saving(made: FieldProfile) -> None:
    """Draw what keeps the settings as a profile."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Save as profile", key="fields_save_name", max_chars=80, placeholder="Name")
        st.button("Save", on_click=_save, args=(name, made), disabled=not name.strip(), key="fields_save")


def _save(name: str, made: FieldProfile) -> None:
    tuning.save(replace(state.tuned(), name=name.strip(), fields=made, kind=Kind()))
