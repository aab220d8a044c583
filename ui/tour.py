"""The tour: four samples, what a careless reader says of each, and what the checks make of it.

Comes in: the stop that is chosen. Goes out: drawings. The careless reader is a simulation and is called so wherever it
speaks. A stop is computed once for the server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pipeline import charts, outline, run, tour, worker
from pipeline.files import access
from pipeline.model import PipelineError
from pipeline.store import Entry
from pipeline.tour import Claim, Stop
from ui import hits, picker, state, views, words
from ui.hits import Hits, Item
from ui.picker import Parsed
from ui.views import Legend, Mark


@dataclass(frozen=True)
class Scene:
    """A stop. problem: what goes wrong without checks; check: what catches it; page, icon: where the same is done with
    one's own documents.
    """

    name: str
    sample: str
    problem: str
    check: str
    page: str
    icon: str


SCENES = (
    Scene(
        "Catalogue",
        "catalogue.pdf",
        "Asked which section a product is in, a careless reader names one that looks like it.",
        "The quote is looked for in the section that is named: it must stand there.",
        "Ask",
        ":material/quiz:",
    ),
    Scene(
        "Agreement",
        "agreement.pdf",
        "Asked for every clause about termination, a careless reader rewords one, misnumbers one and forgets one.",
        "Each quote is held against the clause that is named; the list is held against that of the rules.",
        "Ask",
        ":material/quiz:",
    ),
    Scene(
        "Scanned invoice",
        "invoices_scanned.pdf",
        "On a faint scan, a careless reader takes a figure for one that looks like it.",
        "Each value is read from its crop by a second reader that knows nothing of the first.",
        "Invoices",
        ":material/receipt:",
    ),
    Scene(
        "Statement",
        "statement.pdf",
        "Over forty pages, a careless reader leaves out four of 1 132 rows.",
        "The rows are added up and held against every total that is printed: the page and the supplier are named.",
        "Statements",
        ":material/receipt_long:",
    ),
)
LEGEND = (Legend(charts.GOOD, "where it stands"),)


def choose() -> Scene | None:
    """Draw the choice of a stop; the one that is chosen."""
    names = [scene.name for scene in SCENES]
    st.segmented_control("Stop", names, key="tour_stop", on_change=_open, label_visibility="collapsed")
    return next((scene for scene in SCENES if scene.name == st.session_state.get("tour_stop")), None)


def _open() -> None:
    st.session_state.tour_claim = 0
    for scene in SCENES:
        if scene.name == st.session_state.tour_stop:
            try:
                picker.add_sample(scene.sample)
            except PipelineError as error:
                picker.note("bad", str(error))


def intro() -> None:
    """Say what the tour shows."""
    st.write(
        "Four documents of fictional companies. A **careless reader** says things about each: it is a simulation that "
        "makes mistakes on purpose, as language models make them by accident. The checks do not know which."
    )
    for at, scene in enumerate(SCENES, 1):
        st.markdown(f"**{at}. {scene.name}.** {scene.problem}")


def draw(scene: Scene, entry: Entry, parsed: Parsed) -> None:
    """Draw a stop: problem, check, what was said and what became of it, the result."""
    with st.spinner(f"A careless reader (simulation) reads {entry.name}, and is checked"):
        stop = _stop(
            str(state.the_store().home), entry.sha256, scene.name, run.code_version(), _maker(scene, entry, parsed)
        )
    one, two = st.columns(2, gap="medium")
    one.markdown(f"**The problem.** {scene.problem}")
    two.markdown(f"**The check.** {scene.check}")
    if not stop.claims:
        st.info("Nothing of this kind stands in this document: it is not the sample.", icon=":material/info:")
        return
    _counts(stop)
    st.fragment(_glass)(parsed, stop)
    st.success(f"**The result.** {words.escaped(stop.result)}", icon=":material/check_circle:")
    st.page_link(
        f"pages/{scene.page.lower()}.py", label=f"The same with your own documents: {scene.page}", icon=scene.icon
    )


def _counts(stop: Stop) -> None:
    wrong, caught = words.counted(stop.faults, "mistake"), stop.caught
    missed = stop.faults - caught
    with st.container(horizontal=True, key="tour_counts"):
        st.metric("Made on purpose (simulation)", wrong)
        st.metric("Caught by the checks", caught)
        st.metric("Wrong and nobody told", missed)
        st.metric("Right, yet held back", stop.alarms)


def _glass(parsed: Parsed, stop: Stop) -> None:
    left, right = st.columns([7, 6], gap="medium")
    chosen = min(int(st.session_state.get("tour_claim", 0)), len(stop.claims) - 1)
    with left:
        items = tuple(map(_item, stop.claims))
        document = parsed.reading.document
        heads = ("The careless reader (simulation)", "The check", "Page", "")
        table = Hits(document.sha256, "Claims", heads, items, f"{document.sha256}-{st.session_state.tour_stop}")
        hits.draw("tour_claims", table, chosen, partial(st.session_state.__setitem__, "tour_claim"))
    with right:
        _picture(parsed, stop.claims[chosen])


def _item(claim: Claim) -> Item:
    badge, tone = ("✗ caught", charts.DOUBT) if claim.doubted else ("✓ holds", charts.GOOD)
    if claim.silent:
        badge, tone = "! silent", charts.PALETTE[3]
    note = f"simulated: {claim.fault}" if claim.fault else ""
    right = f"{claim.why}. Right: {claim.right}" if claim.doubted else claim.why
    return Item(claim.said, "", right, claim.place.page if claim.place else 0, badge, tone, note=note)


def _picture(parsed: Parsed, claim: Claim) -> None:
    if claim.place is None:
        st.info("This stands on no page of its own.", icon=":material/info:")
        return
    page = parsed.reading.pages[claim.place.page - 1]
    marks = [Mark("claim", claim.place.box, charts.GOOD, claim.right)]
    picture = views.pictured(parsed.reading.document, page, marks, LEGEND)
    views.page_view("tour_picture", replace(picture, selected="claim"), lambda _: None, lambda _: None)


def _maker(scene: Scene, entry: Entry, parsed: Parsed) -> Callable[[], Stop]:
    store, read = state.the_store(), parsed.reading
    match scene.name:
        case "Catalogue" | "Agreement":
            found = outline.build(parsed.features, state.own(entry).outline)
            return partial(tour.catalogue if scene.name == "Catalogue" else tour.agreement, read, found)
        case "Scanned invoice":
            return partial(tour.invoice, read, worker.leaves(store.path(entry.sha256), access(store.home, "")))
    return partial(tour.statement, read)


@st.cache_resource(max_entries=16, show_spinner=False)
def _stop(home: str, sha256: str, name: str, version: str, _made: Callable[[], Stop]) -> Stop:
    return _made()
