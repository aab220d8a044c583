"""What became of a document's sections since its tree was made before: a line that opens by itself, and old links.

Comes in: an `Entry` with what was read of it, the tree under the profile; ids and anchors that a link names. Goes out:
a line with counts that unfolds to the changes, and what a section of an older tree is called now. Refuses, in one line:
an id that no tree of the document ever had.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pipeline import lineage, run
from pipeline.lineage import Before, Present, Traced
from pipeline.model import Outline, PipelineError, Section
from pipeline.profiles import Profile
from pipeline.store import Entry
from pipeline.treediff import KINDS, Change, Kind, TreeDiff
from ui import compare, state, tuning, views, words
from ui.compare import Side
from ui.picker import Parsed

MOST_SUCCESSORS = 6  # of a split section, each with a button


# ------------------------------------------------------------ what changed


def line(entry: Entry, parsed: Parsed) -> None:
    """Draw what became of the sections since; nothing while tiers and evidence are tuned by hand."""
    if state.is_tuned():
        return
    profile = state.own(entry)
    try:
        run.parse(state.the_store(), entry.sha256, profile, parsed.features)
        found = _before(str(state.the_store().home), entry.sha256, _known(entry), profile)
    except PipelineError as error:
        st.caption(words.escaped(str(error)))
        return
    if found is None:
        return
    told = " · ".join(filter(None, (_counted(found.diff, kind) for kind in KINDS)))
    box = st.expander(
        f"{_since(found, entry)}: **{told}**", icon=":material/history:", key="before_box", on_change="rerun"
    )
    with box:
        if box.open:
            _changes(entry, found)


def _counted(diff: TreeDiff, kind: Kind) -> str:
    """How many sections of that kind: `12 kept`, `3 merged into 1`; nothing where there is none."""
    changes = [change for change in diff.changes if change.kind == kind]
    if not changes:
        return ""
    if kind not in ("split", "merged"):
        return f"{len(changes)} {kind}"
    old, new = sum(len(change.old) for change in changes), sum(len(change.new) for change in changes)
    return f"{old} {kind} into {new}"


def _since(found: Before, entry: Entry) -> str:
    """What the tree is held against, in words."""
    made = f"{found.parse.made:%d %b %Y %H:%M}"
    if found.document.sha256 != entry.sha256:
        twin = f" ({found.document.sha256[:6]})" if found.document.name == entry.name else ""
        return f"Since the version {words.escaped(found.document.name)}{twin}"
    if found.profile == state.base().name:
        return f"Since the tree of {made}"
    return f"Since the profile {words.escaped(found.profile)} ({made})"


def _known(entry: Entry) -> tuple[int, ...]:
    """Changes whenever the document gets another tree."""
    return tuple(kept.number for kept in state.the_store().parses(entry.sha256))


@st.cache_resource(max_entries=20, show_spinner=False, hash_funcs={Profile: run.parse_key})
def _before(home: str, sha256: str, known: tuple[int, ...], profile: Profile) -> Before | None:
    store = state.the_store()
    newer = store.parse(sha256, run.parse_key(profile))
    return lineage.before(store, newer, profile) if home and known and newer else None


def _changes(entry: Entry, found: Before) -> None:
    store = state.the_store()
    newer = run.parse(store, entry.sha256, state.own(entry))
    old = Side("before", found.document, None, found.sections)
    new = Side("now", entry, None, store.parsed(newer.number) or ())
    changed = [item for item in enumerate(found.diff.changes) if item[1].kind != "kept" or _differs(item[1])]
    if changed:
        compare.changes(changed, old, new, partial(_open, entry))
    else:
        st.caption("Every section is as it was.")
    query = {**state.link(entry.sha256), "before": f"parse:{found.parse.number}"}
    st.page_link(
        "pages/compare.py", label="See both on the page Compare", icon=":material/compare_arrows:", query_params=query
    )


def _differs(change: Change) -> bool:
    """Whether more than its page is other than before."""
    return any(not note.startswith("page ") for note in change.notes)


def _open(entry: Entry, _change: Change, side: Side, section: Section) -> None:
    """Turn to a section of the tree; to the page of one that was removed, where it stood in this document."""
    if side.label == "now":
        state.select(section.section_id, section.page)
    elif side.entry.sha256 == entry.sha256:
        state.turn_to(section.page)


# ------------------------------------------------------------ old links


def arrive(entry: Entry, parsed: Parsed) -> None:
    """Where a link named a section by an id or an anchor: select what that is now, and keep what is to be said."""
    asked = state.asked()
    if not asked:
        return
    found = tuning.decided(entry, parsed).outline
    present = Present(entry.sha256, found.sections, state.own(entry))
    try:
        traced = lineage.trace(state.the_store(), present, asked)
    except PipelineError as error:
        state.answered("")
        st.error(words.escaped(str(error)), icon=":material/link_off:")
        return
    sections = {section.section_id: section for section in found.sections}
    first = sections[traced.ids[0]] if len(traced.ids) == 1 else None
    state.answered(first.section_id if first else "", first.page if first and traced.was else None)
    st.session_state.traced = (entry.sha256, traced) if traced.was else None


def told(entry: Entry, found: Outline) -> None:
    """Draw what the section of the link is now, until another section is chosen or it is closed."""
    kept = st.session_state.get("traced")
    if not kept or kept[0] != entry.sha256:
        return
    traced: Traced = kept[1]
    sections = {section.section_id: section for section in found.sections if section.section_id in traced.ids}
    chosen = state.where().section
    if len(traced.ids) == 1 and chosen != traced.ids[0]:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="traced"):
        st.markdown(_sentence(traced, list(sections.values())))
        if len(traced.ids) > 1:
            for section in list(sections.values())[:MOST_SUCCESSORS]:
                name = words.escaped(views.named(section))
                st.button(
                    f"{name} · p. {section.page}",
                    key=f"successor_{section.section_id}",
                    on_click=state.select,
                    args=(section.section_id, section.page),
                    type="primary" if section.section_id == chosen else "secondary",
                )
        st.button("Close", key="close_traced", icon=":material/close:", type="tertiary", on_click=_close)


def _sentence(traced: Traced, now: Sequence[Section]) -> str:
    assert traced.was is not None
    title, place = words.escaped(views.named(traced.was)), words.escaped(traced.document)
    was = f"It was **{title}** in {place} under the profile {words.escaped(traced.profile)}."
    match now:
        case []:
            return f":material/link_off: `{traced.asked}` was removed: no section of this tree holds its text. {was}"
        case [one]:
            name = words.escaped(views.named(one))
            return f":material/moved_location: `{traced.asked}` is now **{name}** (`{one.section_id}`). {was}"
    more = f"the first {MOST_SUCCESSORS}:" if len(now) > MOST_SUCCESSORS else "choose one."
    return f":material/call_split: `{traced.asked}` is now {len(now)} sections: {more} {was}"


def _close() -> None:
    st.session_state.traced = None
