"""A citation beside its page: the headings that it stands under, the quote, the verdict on it, and the box on the page.

Comes in: a `Desk`, a `Shown` citation. Goes out: drawings; a heading that is followed opens in Structure. Refuses
nothing: a quote that stands nowhere has no box, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from pipeline import charts, witness
from pipeline.citations import Verdict
from pipeline.model import Page, Section
from ui import hits, state, views
from ui.desk import Desk
from ui.views import Legend, Mark

STICKY = """<style>@media (min-width: 641px) {
.st-key-evidence { position: sticky; top: 4rem; }
}</style>"""

_citation = st.components.v2.component(
    "citation", html=views.asset("citation.html"), css=views.asset("citation.css"), js=views.asset("citation.js")
)


@dataclass(frozen=True)
class Shown:
    """A citation to show. lead: the answer that it stands for; badge, tone, reason: said in place of the verdict's."""

    verdict: Verdict
    section: Section | None = None
    lead: str = ""
    badge: str = ""
    tone: str = ""
    reason: str = ""


def draw(desk: Desk, shown: Shown) -> None:
    """Draw what is known of the citation, and the page on which it stands."""
    st.html(STICKY)
    with st.container(key="evidence"):
        section = shown.section or where(desk, shown.verdict)
        told(desk, shown, section)
        picture(desk, shown, section)


def where(desk: Desk, verdict: Verdict) -> Section | None:
    """The section in which the quote stands; else that of the nearest text; else the one that was cited."""
    nearest = desk.book.checker.near_clause(verdict.nearest) if verdict.nearest else None
    return desk.named(verdict.found_in) or desk.named(nearest) or desk.named(verdict.clause)


def told(desk: Desk, shown: Shown, section: Section | None) -> None:
    verdict = shown.verdict
    crumbs = desk.above(section) if section else ()
    near = verdict.nearest
    _citation(
        key="citation",
        data={
            "lead": shown.lead,
            "crumbs": [
                {"id": one.section_id, "text": views.named(one), "href": hits.address(desk.sha256, one)}
                for one in crumbs
            ],
            "quote": verdict.cited.quote,
            "badge": shown.badge or hits.BADGES[verdict.verdict],
            "reason": shown.reason or verdict.reason.partition(". Nearest:")[0],  # what differs is shown below
            "tone": shown.tone or hits.TONES[verdict.verdict],
            "nearest": near.text if near else "",
            "differences": [{"quoted": one.quoted, "printed": one.printed} for one in near.differences] if near else [],
        },
        on_opened_change=lambda: _opened(desk.sha256, crumbs),
    )


def _opened(sha256: str, crumbs: tuple[Section, ...]) -> None:
    followed = hits.sent("citation", "opened")
    if section := next((one for one in crumbs if one.section_id == followed), None):
        hits.open_section(sha256, section)


def picture(desk: Desk, shown: Shown, section: Section | None) -> None:
    """The page that is turned to, or the one on which the quote begins; without a place, that of the section."""
    pages = desk.book.reading.pages
    begins = witness.begins(shown.verdict.source)
    first = begins.page if begins else section.page if section else 1
    page = pages[min(max(state.where().page if state.page_is_said() else first, 1), len(pages)) - 1]
    drawn = views.pictured(desk.book.reading.document, page, *_marked(page, shown, section))
    brought = replace(drawn, bring=str(hits.times_picked()))
    views.page_view("evidence_picture", brought, lambda _key: None, state.turn_to)


def _marked(page: Page, shown: Shown, section: Section | None) -> tuple[list[Mark], list[Legend]]:
    verdict = shown.verdict
    tone = shown.tone or hits.TONES[verdict.verdict]
    what = "the nearest text" if verdict.nearest else "the quote"
    marks = [Mark(None, place.box, tone, what) for place in verdict.source.places if place.page == page.number]
    legend = [Legend(tone, what)] if marks else []
    heads = [place.box for place in section.places if place.page == page.number] if section else []
    if heads:
        marks += [Mark(None, box, charts.QUIET, "its heading", quiet=True) for box in heads]
        legend.append(Legend(charts.QUIET, "its heading", quiet=True))
    return marks, legend
