"""What is drawn in the browser by code of ours: a page picture with boxes, the section tree, the live tier sliders.

Comes in: plain values (boxes in page points, sizes in points). Goes out: nothing; what a person does there arrives
through callbacks. Refuses: events that are not of the expected shape (a browser may send anything); they count as
nothing. The parts are Streamlit Components v2, their code lies in ui/assets; document text reaches them as data only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from pipeline import charts
from pipeline.model import Box, Document, Page, Section
from ui import state, visitor

ASSETS = Path(__file__).parent / "assets"
MOST_TIERS = 6
DPI = 150  # of page pictures
LARGEST = 100_000.0  # points: no page is as large
SLIDER_STEP = 0.1
UNTITLED = "Text before the first heading"


def asset(name: str) -> str:
    """The text of a file of ui/assets."""
    return (ASSETS / name).read_text(encoding="utf-8")


_page = st.components.v2.component(
    "page_view", html=asset("page_view.html"), css=asset("page_view.css"), js=asset("page_view.js")
)
_tree = st.components.v2.component(
    "section_tree", html=asset("section_tree.html"), css=asset("section_tree.css"), js=asset("section_tree.js")
)
_tiers = st.components.v2.component(
    "tier_sliders", html=asset("tier_sliders.html"), css=asset("tier_sliders.css"), js=asset("tier_sliders.js")
)
_typing = st.components.v2.component("typing", html="<span hidden></span>\n", js=asset("typing.js"))
_once = st.components.v2.component("once", html="<span hidden></span>\n", js=asset("once.js"))


Form = Literal["", "thin", "faint", "dashed", "dotted"]


@dataclass(frozen=True)
class Mark:
    """A box on a page; `key` None: it cannot be clicked. `quiet`: dashed and pale, for what was set aside.

    turn: degrees clockwise by which the box is turned about its middle.
    """

    key: str | None
    box: Box
    color: str
    tip: str
    quiet: bool = False
    form: Form = ""
    turn: int = 0


@dataclass(frozen=True)
class Legend:
    """An entry of the legend under a picture."""

    color: str
    label: str
    quiet: bool = False
    form: Form = ""


@dataclass(frozen=True)
class Picture:
    """A page of a document (sizes in points) and what is marked on it. bring: where it changes, the marks that are not
    quiet come into sight. frame: the mouse draws frames.
    """

    sha256: str
    name: str
    page: int
    pages: int
    width: float
    height: float
    marks: Sequence[Mark] = ()
    legend: Sequence[Legend] = ()
    selected: str = ""
    bring: str = ""
    frame: bool = False


@dataclass(frozen=True)
class Tree:
    """Sections in reading order; `revision` changes with them. height: CSS length. empty: said where there are none."""

    sha256: str
    pages: int
    sections: Sequence[Section]
    revision: str
    selected: str | None
    empty: str
    height: str = "60vh"


@dataclass(frozen=True)
class Branch:
    """A line of a tree of values: level from 1, what it is called, what it holds; page 0: it stands on none."""

    key: str
    level: int
    name: str
    text: str
    page: int
    color: str


@dataclass(frozen=True)
class Branches:
    """Values as they are nested; `revision` changes with them. of: what folding belongs to. height: CSS length."""

    of: str
    branches: Sequence[Branch]
    revision: str
    selected: str
    height: str


@dataclass(frozen=True)
class Scale:
    """Smallest size (points) of each heading tier, highest first, on a scale from `low` to `high`.

    revision: counts the moves that were heard; state: a few words beside the buttons.
    """

    tiers: Sequence[float]
    body: float
    low: float
    high: float
    revision: int
    state: str


def pictured(document: Document, page: Page, marks: Sequence[Mark], legend: Sequence[Legend]) -> Picture:
    """A page of a document with its marks, none of them selected."""
    return Picture(document.sha256, document.name, page.number, document.pages, page.width, page.height, marks, legend)


def heading_mark(section: Section, box: Box) -> Mark:
    """The box of a section's heading, in the colour of its level."""
    named = " ".join(part for part in (section.number, section.title) if part)
    return Mark(section.section_id, box, charts.level_color(section.level), f"Level {section.level}: {named}")


def stacked(marks: Sequence[Mark]) -> list[Mark]:
    """The marks in the order in which they are drawn: the larger below the smaller."""
    return sorted(marks, key=lambda mark: -mark.box.width * mark.box.height)


def named(section: Section) -> str:
    """A section as it is printed."""
    return " ".join(filter(None, (section.number, section.title))) or UNTITLED


def _title(section: Section) -> str:
    return section.title or ("" if section.number else UNTITLED)


def picture_url(sha256: str, page: int) -> str:
    """Where the app serves the picture of a page."""
    home = state.the_store().home
    return f"/picture/{sha256}/{page}.png{f'?of={home.name}' if home.parent.name == visitor.PEOPLE else ''}"


def page_view(
    key: str,
    picture: Picture,
    picked: Callable[[str], None],
    turned: Callable[[int], None],
    framed: Callable[[Box], None] = lambda _: None,
) -> None:
    """Draw the picture. `picked` gets a mark's key, `turned` the page asked for, `framed` a frame that was drawn on the
    page, in points, before the next rerun.
    """
    last = picture.page >= picture.pages
    _page(
        key=key,
        data={
            "src": picture_url(picture.sha256, picture.page),
            "next": None if last else picture_url(picture.sha256, picture.page + 1),
            "width": picture.width,
            "height": picture.height,
            "page": picture.page,
            "pages": picture.pages,
            "alt": f"Page {picture.page} of {picture.pages} of {picture.name}, {len(picture.marks)} places marked",
            "sel": picture.selected or None,
            "bring": picture.bring,
            "frame": picture.frame,
            "boxes": [
                {
                    "id": mark.key,
                    "box": mark.box.rounded(),
                    "color": mark.color,
                    "tip": mark.tip,
                    "quiet": mark.quiet,
                    "form": mark.form,
                    "turn": mark.turn,
                }
                for mark in picture.marks
            ],
            "legend": [
                {"color": item.color, "label": item.label, "quiet": item.quiet, "form": item.form}
                for item in picture.legend
            ],
        },
        on_picked_change=lambda: _text(key, "picked", "id", picked),
        on_turned_change=lambda: page_number(key, "turned", picture.pages, turned),
        on_framed_change=lambda: _frame(key, picture, framed),
    )


def section_tree(key: str, tree: Tree, picked: Callable[[str, int], None]) -> None:
    """Draw the tree. `picked` gets the id and the page of a section, before the next rerun."""
    nodes = [
        [item.section_id, item.level, item.number, _title(item), item.page, charts.level_color(item.level)]
        for item in tree.sections
    ]
    _tree(
        key=key,
        data={
            "doc": tree.sha256,
            "revision": tree.revision,
            "sel": tree.selected,
            "height": tree.height,
            "empty": tree.empty,
            "label": "Sections",
            "find": "Find a section",
            "nodes": nodes,
        },
        on_picked_change=lambda: _section(key, tree.pages, picked),
    )


def value_tree(key: str, tree: Branches, picked: Callable[[str], None]) -> None:
    """Draw the values as they are nested. `picked` gets the key of a line, before the next rerun."""
    _tree(
        key=key,
        data={
            "doc": tree.of,
            "revision": tree.revision,
            "sel": tree.selected,
            "height": tree.height,
            "empty": "No value is in this list.",
            "label": "Values",
            "find": "Find a value",
            "nodes": [[one.key, one.level, one.name, one.text, one.page, one.color] for one in tree.branches],
        },
        on_picked_change=lambda: _text(key, "picked", "id", picked),
    )


def tier_sliders(key: str, scale: Scale, moved: Callable[[tuple[float, ...]], None]) -> None:
    """Draw a slider for each heading tier. `moved` gets the sizes in points, highest first, while a slider moves."""
    _tiers(
        key=key,
        data={
            "revision": scale.revision,
            "body": scale.body,
            "low": scale.low,
            "high": scale.high,
            "step": SLIDER_STEP,
            "most": MOST_TIERS,
            "state": scale.state,
            "tiers": [
                {"points": round(points, 2), "color": charts.level_color(i)} for i, points in enumerate(scale.tiers, 1)
            ],
        },
        on_moved_change=lambda: _points(key, moved),
    )


def _event(key: str, event: str) -> dict[str, object]:
    """What the part `key` sent as `event`; empty where it sent nothing, or not an object."""
    value = st.session_state[key].get(event)
    return value if isinstance(value, dict) else {}


def _text(key: str, event: str, field: str, act: Callable[[str], None]) -> None:
    value = _event(key, event).get(field)
    if isinstance(value, str):
        act(value)


def _frame(key: str, picture: Picture, act: Callable[[Box], None]) -> None:
    """Hand on a frame that was drawn on the page which is shown."""
    sent = _event(key, "framed")
    edges = sent.get("box")
    if sent.get("page") != picture.page or not isinstance(edges, list) or len(edges) != 4:
        return
    numbers = [float(edge) for edge in edges if isinstance(edge, int | float) and abs(edge) < LARGEST]
    if len(numbers) == 4:
        act(Box(*numbers))


def page_number(key: str, event: str, pages: int, act: Callable[[int], None]) -> None:
    """Hand on the page number (from 1 to `pages`) that the part `key` sent as `event`."""
    value = _event(key, event).get("page")
    if isinstance(value, int) and 1 <= value <= pages:
        act(value)


def _section(key: str, pages: int, act: Callable[[str, int], None]) -> None:
    value = _event(key, "picked")
    section, page = value.get("id"), value.get("page")
    if isinstance(section, str) and isinstance(page, int) and 1 <= page <= pages:
        act(section, page)


def _points(key: str, act: Callable[[tuple[float, ...]], None]) -> None:
    sent = _event(key, "moved").get("points")
    if not isinstance(sent, list) or len(sent) > MOST_TIERS:
        return
    points = tuple(float(value) for value in sent if isinstance(value, int | float) and 0 < value < 1000)
    if len(points) == len(sent) and list(points) == sorted(set(points), reverse=True):
        act(points)


def typing(field: str) -> None:
    """What is typed outside of any field goes into this one (the key of a text input), in place of what it holds; Esc
    leaves it as it was.
    """
    _typing(key="typing", data={"field": field}, height=0)


@dataclass(frozen=True)
class Asked:
    """A question as it is drawn. within: the containers of the buttons that decide, as a selector; parts: those of
    what belongs to the question, each named `…_` and one of the ids; turn: another one for each run of the script.
    """

    within: str
    parts: str
    ids: Sequence[str]
    turn: int


def once(shown: Asked) -> None:
    """A press decides what is seen, and once: none while a further question is drawn or a press is not answered yet,
    and no key that is held. To be drawn after all that belongs to the question.
    """
    _once(key="once", data=asdict(shown), height=0)
