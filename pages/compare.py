"""Compare: two section trees side by side, what became of each section, how right each is, and the saved profiles.

Comes in: choices of two trees, clicks on changes and sections, a truth that is uploaded. Goes out: drawings. Refuses,
in one line: a tree that is gone, a truth that is none.
"""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import ui
from pipeline import score, treediff
from pipeline.model import PipelineError
from pipeline.store import Entry
from ui import compare, picker, state, words
from ui.compare import Side

TRUTH = '`[{"title": "Scope", "level": 1, "page": 3}]`'
WIDE = "@media (min-width: 641px) { .st-key-compare_picture { position: sticky; top: 4rem; } }"


def sides(entry: Entry) -> tuple[Side, Side]:
    options = compare.options(entry)
    now = compare.TUNED if state.is_tuned() else f"profile:{state.base().name}"
    keys = []
    if (linked := st.query_params.get("before")) in options:
        st.session_state.before = linked
        del st.query_params["before"]
    for column, name, wanted in zip(st.columns(2), ("before", "after"), ("profile:default", now), strict=True):
        if st.session_state.get(name) not in options:
            st.session_state[name] = wanted
        keys.append(
            column.selectbox(
                name.capitalize(), list(options), format_func=options.__getitem__, key=name, persist_state="session"
            )
        )
    old, new = (compare.side(entry, key, options[key]) for key in keys)
    return old, new


def changes(old: Side, new: Side) -> None:
    found = treediff.compare(old.sections, new.sections)
    counts = found.counts
    changed = [kind for kind in treediff.KINDS if kind != "kept" and counts[kind]]
    if not changed:
        st.info(f"Both trees are the same: {words.counted(counts['kept'], 'section')} kept.", icon=":material/check:")
    st.session_state.setdefault("kinds", [kind for kind in treediff.KINDS if kind != "kept"])
    wanted = st.pills(
        "Kinds of change", treediff.KINDS, selection_mode="multi", key="kinds", persist_state="session",
        format_func=lambda kind: f"{kind} {counts[kind]}", label_visibility="collapsed",
    )  # fmt: skip
    compare.changes(
        [item for item in enumerate(found.changes) if item[1].kind in wanted],
        old,
        new,
        partial(compare.open_change, new),
    )


def trees(old: Side, new: Side) -> None:
    for column, which, side in zip(st.columns(2), ("before", "after"), (old, new), strict=True):
        with column:
            st.caption(f"{words.escaped(side.label)} · {words.counted(len(side.sections), 'section')}")
            compare.tree("before" if which == "before" else "after", side)


def scores(entry: Entry, old: Side, new: Side) -> None:
    choice, upload = st.columns([2, 1], vertical_alignment="bottom")
    truths = {**uploaded(upload), **compare.truths(entry)}
    if not truths:
        st.caption("The document has no outline of its own and no truth came with it. Upload one to score both trees.")
        return
    if st.session_state.get("truth") not in truths:
        st.session_state.truth = next(iter(truths))
    name = choice.selectbox("Held against", list(truths), key="truth")
    one, other = (compare.scored(side, name, truths[name]) for side in (old, new))
    names = ("Precision", "Recall", "F1", "Right level", "Right parent")
    rows = zip(names, compare.shares(one), compare.shares(other), strict=True)
    st.markdown("| | Before | After |\n|:--|--:|--:|\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows))
    st.caption(f"{words.counted(other.expected, 'heading')} expected; before {one.found} found, after {other.found}.")
    for title, entries in (("Missed after", other.missed), ("Too much after", other.surplus)):
        with st.expander(f"{title}: {len(entries)}", key=f"score_{title}"):
            listed(entries)


def uploaded(place: DeltaGenerator) -> dict[str, tuple[score.Entry, ...]]:
    with place.popover("Upload a truth", icon=":material/upload:", width="stretch"):
        file = st.file_uploader(
            "JSON, a list such as " + TRUTH,
            type="json",
            key="truth_file",
            max_upload_size=20,
            on_change=compare.take_truth,
        )
    try:
        return {file.name: score.loads(file.getvalue().decode("utf-8", "replace"))} if file else {}
    except PipelineError as error:
        st.error(words.escaped(str(error)), icon=":material/error:")
        return {}


def listed(entries: tuple[score.Entry, ...]) -> None:
    if not entries:
        st.caption("None.")
        return
    rows = [{"title": item.title, "level": item.level, "page": item.page} for item in entries]
    st.dataframe(rows, hide_index=True)


@st.fragment
def bench(entry: Entry) -> None:
    try:
        old, new = sides(entry)
    except PipelineError as error:
        st.error(words.escaped(str(error)), icon=":material/error:")
        return
    st.html(f"<style>{WIDE}</style>")
    left, right = st.columns([6, 5], gap="medium")
    with left:
        tabs = st.tabs(["Changes", "Both trees", "Score", "Profiles"])
        with tabs[0]:
            changes(old, new)
        with tabs[1]:
            trees(old, new)
        with tabs[2]:
            scores(entry, old, new)
        with tabs[3]:
            st.table(compare.listed(), hide_index=True)
    with right:
        compare.picture(old, new)


ui.begin()
entry = picker.choose()
if entry and picker.parsed(entry):
    bench(entry)
