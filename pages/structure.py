"""Structure: the section tree of a document beside its pages, tuned while one looks.

Comes in: moves of sliders and switches, clicks in tree, picture and ledger. Goes out: drawings, a profile that is
saved, exports.
Refuses nothing: a document that cannot be read says why in one line.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ui
from pipeline import charts
from pipeline.model import Outline
from pipeline.outline import Decided
from pipeline.store import Entry
from ui import (
    before,
    exports,
    facts,
    ledger,
    likely,
    picker,
    reports,
    spent,
    state,
    tuning,
    views,
    weighed,
    weights,
    why,
    words,
)
from ui.picker import Parsed


def tree(parsed: Parsed, found: Outline) -> None:
    document = parsed.reading.document
    shown = views.Tree(
        sha256=document.sha256,
        pages=document.pages,
        sections=found.sections,
        revision=str(hash(tuple((item.section_id, item.level, item.title, item.page) for item in found.sections))),
        selected=state.where().section or None,
        empty="No heading was found. Lower the tiers, or switch on more kinds of evidence.",
    )
    views.section_tree("tree", shown, state.select)


def selected(found: Outline) -> None:
    section = next((item for item in found.sections if item.section_id == state.where().section), None)
    if section is None:
        st.caption("Choose a section in the tree, or a box on the page, to read it here.")
        return
    facts = [
        f"level {section.level}",
        f"page {section.page}",
        f"anchor {section.anchor}" if section.anchor else "no number, so no anchor",
    ]
    st.markdown(f"**{words.escaped(views.named(section))}**")
    st.caption(f"{' · '.join(facts)} · id `{section.section_id}`")
    if section.context:
        st.caption(f"said by the header or footer of its pages alone: {words.escaped(' · '.join(section.context))}")
    if evidence := evidence_of(found).get(section.section_id):
        st.caption(f"a heading because: {words.escaped(', '.join(evidence))}")
    with st.container(height=220, key="content"):
        st.text(section.content or "This section has no text of its own, only sections below it.")


def evidence_of(found: Outline) -> dict[str, tuple[str, ...]]:
    titled = [item for item in found.sections if item.level]
    return {item.section_id: heading.evidence for item, heading in zip(titled, found.headings, strict=False)}


def picture(parsed: Parsed, decided: Decided) -> None:
    document, found = parsed.reading.document, decided.outline
    page = parsed.reading.pages[page_shown(parsed, found) - 1]
    asking = why.switch()
    if asking:
        why.told(decided, page.number)
    marks = [
        views.heading_mark(item, place.box)
        for item in found.sections
        if item.level
        for place in item.places
        if place.page == page.number
    ]
    marks += [
        views.Mark(None, item.box, charts.QUIET, f"set aside: {item.reason}", quiet=True)
        for item in found.removed
        if item.page == page.number
    ]
    levels = sorted({item.level for item in found.sections if item.level})
    legend = [views.Legend(charts.level_color(level), f"level {level}") for level in levels]
    legend += [views.Legend(charts.QUIET, "set aside", quiet=True)] if found.removed else []
    shown = replace(views.pictured(document, page, marks, legend), selected=state.where().section)
    if asking:
        lines = [*(replace(mark, key=None) for mark in marks), *why.marks(parsed.features, page.number)]
        shown = replace(shown, marks=lines, selected=why.chosen(parsed.features, page.number))
    views.page_view("picture", shown, why.pick, state.turn_to)


def page_shown(parsed: Parsed, found: Outline) -> int:
    section = next((item for item in found.sections if item.section_id == state.where().section), None)
    wanted = section.page if section and not state.page_is_said() else state.where().page
    return min(max(wanted, 1), len(parsed.reading.pages))


# on a phone the columns lie below each other: the tuning comes last
NARROW = """<style>@media (max-width: 640px) {
.st-key-workbench [data-testid="stColumn"]:first-child { order: 3; }
}</style>"""


@st.fragment
def workbench(entry: Entry, parsed: Parsed) -> None:
    st.html(NARROW)
    decided = tuning.decided(entry, parsed)
    found = decided.outline
    with st.container(key="said"):  # always there: what comes and goes above the sliders would make them anew
        likely.line(entry, parsed)
        before.line(entry, parsed)
        before.told(entry, found)
    with st.container(key="workbench"):
        left, middle, right = st.columns([4, 4, 5], gap="medium")
    with middle:
        tree(parsed, found)
        selected(found)
        with st.container(horizontal=True, vertical_alignment="center"):
            exports.menu(parsed, found, state.own(entry))
            reports.offer(entry, state.own(entry))
            st.page_link(
                "pages/compare.py",
                label="Compare",
                icon=":material/compare_arrows:",
                query_params=state.link(entry.sha256),
            )
    with right:
        picture(parsed, decided)
    with left:
        tuning.tiers(decided)
        tuning.switches()
        weights.sliders()
        tuning.profile_row(parsed)
    facts.draw(found)
    weighed.draw(parsed, found, state.own(entry))
    ledger.draw(parsed.features, found)


ui.begin()
entry = picker.choose()
if entry:
    parsed = picker.parsed(entry)
    if parsed:
        before.arrive(entry, parsed)
        workbench(entry, parsed)
        spent.draw(entry.sha256)
