"""Verified values as the page Verify shows them: numbers, tree and list, boxes on the page.

Comes in: a document, the number of a verification, clicks. Goes out: drawings, `Mark`s; which value is chosen (kept by
the session). Refuses nothing: a choice that fits no value is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import streamlit as st

from pipeline import charts, decisions, run, valuereview, verifications, verifiedfiles
from pipeline.leaves import Path
from pipeline.model import Place, Source
from pipeline.profiles import Profile
from pipeline.store import Key
from pipeline.valuereview import JudgedValues
from pipeline.verifications import Held
from pipeline.verify import Verified
from pipeline.witness import begins
from ui import fields, hits, rows, state, views, words
from ui.fields import ALL, CONFIRMED, REVIEW
from ui.views import Branch, Branches, Legend, Mark

Status = Literal["confirmed", "review", "decided", "missing"]

TREE, LIST = "Tree", "List"
ABSENT = charts.PALETTE[3]
TONES: dict[Status, str] = {
    "confirmed": charts.GOOD,
    "review": charts.DOUBT,
    "decided": fields.DECIDED,
    "missing": ABSENT,
}
BADGES: dict[Status, str] = {
    "confirmed": "✓ confirmed",
    "review": "● in review",
    "decided": "✓ decided",
    "missing": "＋ missing",
}
WHY_MISSING = "This line looks like a row, and no row of the values is it."
LACKING = "Rows that the values lack"
MOST = 1_500  # lines drawn at once
HIGH = "min(56vh, 36rem)"
LEGEND = (
    Legend(TONES["confirmed"], "confirmed"),
    Legend(TONES["review"], "in review"),
    Legend(TONES["review"], "stands in its place", form="dashed"),
    Legend(TONES["decided"], "decided by a person"),
    Legend(ABSENT, "row that the values lack", form="dashed"),
)


@dataclass(frozen=True)
class Told:
    """A value, or a row that the values lack (its path is empty). mark: what it is known by."""

    mark: str
    path: Path
    value: str
    status: Status
    reason: str
    nature: str
    source: Source

    @cached_property
    def place(self) -> Place | None:
        return begins(self.source)

    @property
    def name(self) -> str:
        return "missing row" if self.status == "missing" else verifiedfiles.named(self.path)

    @property
    def doubtful(self) -> bool:
        return self.status in ("review", "missing")


@dataclass(frozen=True)
class Shown:
    """A verification with what people decided of it."""

    sha256: str
    held: Held
    judged: JudgedValues

    @cached_property
    def lines(self) -> tuple[Told, ...]:
        """Every value in its order, then the rows that are missing."""
        found = []
        for item, one in zip(self.judged.items, self.judged.verified.values, strict=True):
            status: Status = "decided" if item.mark.id in self.judged.standing else one.status
            value = verifiedfiles.plain(one.value)
            found.append(Told(item.mark.id, one.path, value, status, one.reason, one.nature, one.source))
        for number, source in enumerate(self.judged.verified.missing):
            found.append(Told(f"missing-{number}", (), source.quote, "missing", WHY_MISSING, "printed", source))
        return tuple(found)

    def count(self, status: Status) -> int:
        return sum(line.status == status for line in self.lines)

    @property
    def whole(self) -> Verified:
        """As people have it, with the values that they rejected in their places, still in review."""
        order = {one.path: at for at, one in enumerate(self.held.verified.values)}
        values = [*self.judged.verified.values, *self.judged.rejected]
        return Verified(tuple(sorted(values, key=lambda one: order[one.path])), self.judged.verified.missing)


class _NotMade(Exception):
    """The store has no such result (yet)."""


def kept(sha256: str, number: int, profile: Profile) -> Shown | None:
    """The verification, if this version made it, with what people decided since."""
    try:
        made = len(decisions.of(state.the_store(), sha256))
        return _kept(str(state.the_store().home), sha256, number, run.verify_key(profile), made)
    except _NotMade:
        return None


@st.cache_resource(max_entries=20, show_spinner=False)
def _kept(home: str, sha256: str, number: int, key: Key, made: int) -> Shown:
    store = state.the_store()
    held = verifications.of(store, number, key)
    if held is None:
        raise _NotMade
    name = decisions.name(held.supplied.name)
    return Shown(sha256, held, valuereview.reviewed(sha256, name, held.verified, decisions.of(store, sha256)))


# ---------------------------------------------------------------- numbers


def told(shown: Shown) -> None:
    """Draw how many values there are, how many need a person, and how long it took."""
    total = len(shown.judged.verified.values)
    sure = shown.count("confirmed") + shown.count("decided")
    with st.container(horizontal=True, gap="medium", key="verify_totals"):
        for label, value, below in (
            ("Values", f"{total:,}", words.escaped(shown.held.supplied.name)),
            ("Confirmed", f"{100 * sure // total} %" if total else "–", f"{sure:,} without doubt"),
            ("In review", f"{shown.count('review'):,}", "for a person"),
            ("Missing rows", f"{shown.count('missing'):,}", "on the pages only"),
            ("Time", fields.seconds(shown.held.seconds), "to verify them"),
        ):
            rows.metric(label, value, below)
    if not any(one.status == "confirmed" for one in shown.held.verified.values):
        st.warning("None of these values is confirmed. Are they of this document?", icon=":material/flag:")
    if rejected := len(shown.judged.rejected):
        st.caption(f"{words.counted(rejected, 'value')} rejected in Review, and left out here; exports name them.")


# ---------------------------------------------------------------- tree and list


def listed(shown: Shown) -> None:
    """Draw the values that the filter lets through, nested or one below the other; a click chooses one."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="verify_filters"):
        which = st.segmented_control(
            "Show", [ALL, REVIEW, CONFIRMED], default=ALL, key="verify_which", required=True, width="content",
            persist_state="session",
        )  # fmt: skip
        form = st.segmented_control(
            "As", [TREE, LIST], default=TREE, key="verify_form", required=True, width="content",
            persist_state="session",
        )  # fmt: skip
    places = [place for place, line in enumerate(shown.lines) if which == ALL or (which == REVIEW) == line.doubtful]
    if len(places) > MOST:
        st.caption(f"The first {MOST:,} of {len(places):,}. Exports hold all.")
        places = places[:MOST]
    if not places:
        st.caption("No value is in this list.")
    elif form == TREE:
        _tree(shown, places)
    else:
        _list(shown, places)


def _list(shown: Shown, places: Sequence[int]) -> None:
    items = [_item(shown.lines[place]) for place in places]
    at = chosen(shown)
    heads = ("Value", "What was given, and why it is in review", "Page", "Status")
    table = hits.Hits(shown.sha256, "Values", heads, items, str(hash(tuple(items))), HIGH)
    picked = places.index(at) if at in places else -1
    hits.draw("verify_list", table, picked, lambda place: choose(shown, places[place]))


def _item(line: Told) -> hits.Item:
    return hits.Item(line.name, line.value, line.reason, _page(line), BADGES[line.status], TONES[line.status])


def _tree(shown: Shown, places: Sequence[int]) -> None:
    branches = branched(shown.lines, places)
    at = chosen(shown)
    tree = Branches(
        f"{shown.sha256}-{shown.held.supplied.digest[:8]}", branches, str(hash(tuple(branches))),
        "" if at is None else str(at), HIGH,
    )  # fmt: skip
    views.value_tree("verify_tree", tree, lambda key: pick_branch(shown, key))


def branched(lines: Sequence[Told], places: Sequence[int]) -> list[Branch]:
    """The values with the objects and arrays that they are in, each of these once and in the colour of its worst."""
    doubtful: dict[Path, int] = {}
    for place in places:
        for depth in range(len(lines[place].path)):
            group = lines[place].path[:depth]
            doubtful[group] = doubtful.get(group, 0) + lines[place].doubtful
    found: list[Branch] = []
    above: Path = ()
    before = ""
    for place in places:
        line = lines[place]
        if line.status == "missing" != before:
            found.append(Branch(LACKING, 1, LACKING, "", 0, ABSENT))
        for depth in range(_shared(above, line.path[:-1]) + 1, len(line.path)):
            found.append(_group(line, line.path[:depth], doubtful[line.path[:depth]], str(place)))
        found.append(_leaf(line, str(place)))
        above, before = line.path[:-1], line.status
    return found


def _leaf(line: Told, key: str) -> Branch:
    name = _step(line.path[-1]) if line.path else ""
    return Branch(key, len(line.path) or 2, name, line.value, _page(line), TONES[line.status])


def _group(line: Told, path: Path, doubtful: int, first: str) -> Branch:
    """An object or an array; its page is that of its first value here."""
    text = f"{doubtful} in review" if doubtful else ""
    tone = TONES["review" if doubtful else "confirmed"]
    return Branch(f"{first}>{len(path)}", len(path), _step(path[-1]), text, _page(line), tone)


def _page(line: Told) -> int:
    return line.place.page if line.place else 0


def _step(step: str | int) -> str:
    return str(step + 1) if isinstance(step, int) else step or "“”"


def _shared(one: Path, other: Path) -> int:
    """How many steps two paths begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# ---------------------------------------------------------------- choosing


def chosen(shown: Shown) -> int | None:
    """The place of the value that is looked at: the first that needs a person, until another is chosen or none."""
    mark = st.session_state.get("value_chosen")
    if mark == "" or not shown.lines:
        return None
    waiting = next((place for place, line in enumerate(shown.lines) if line.doubtful), 0)
    return next((place for place, line in enumerate(shown.lines) if line.mark == mark), waiting)


def page(shown: Shown) -> int:
    """The page that is looked at: that of the value, until another was turned to."""
    place = chosen(shown)
    if state.page_is_said() or place is None or shown.lines[place].place is None:
        return state.where().page
    return _page(shown.lines[place])


def choose(shown: Shown, place: int) -> None:
    """Look at a value, and turn to its page."""
    line = shown.lines[place]
    st.session_state.value_chosen = line.mark
    if line.place:
        state.turn_to(line.place.page)


def pick_branch(shown: Shown, key: str) -> None:
    """Look at the value of a line of the tree; of an object or an array, at its first."""
    place = hits.numbered(key.partition(">")[0], len(shown.lines))
    if place is not None:
        choose(shown, place)


def pick(shown: Shown, key: str) -> None:
    """Look at the value whose box was clicked; nothing where the click was beside all of them."""
    place = hits.numbered(key, len(shown.lines))
    st.session_state.value_chosen = "" if place is None else shown.lines[place].mark


def marks(shown: Shown, page: int) -> list[Mark]:
    """The boxes of the values on a page, coloured by status; dashed where something else stands in a value's place."""
    found = [
        Mark(str(number), place.box, TONES[line.status], _tip(line), form=_form(line))
        for number, line in enumerate(shown.lines)
        for place in line.source.places
        if place.page == page
    ]
    return views.stacked(found)


def _form(line: Told) -> views.Form:
    instead = line.status == "review" and line.source.match == "missing"
    return "dashed" if instead or line.status == "missing" else ""


def _tip(line: Told) -> str:
    why = f": {line.reason}" if line.reason else ""
    return f"{line.name} = {line.value} ({line.status}{why})"
