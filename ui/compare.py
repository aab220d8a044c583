"""Two section trees of documents, what became of each section between them, and how right each is.

Comes in: what is chosen for each side. Goes out: `Side`s, drawings. Refuses, in one line: a tree that is not
in the store any more, a truth that is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import streamlit as st

from pipeline import charts, lineage, outline, profiles, run, score, ways
from pipeline.model import Section, StoreError, UsageError
from pipeline.profiles import Profile
from pipeline.score import Score
from pipeline.store import Entry
from pipeline.treediff import Change
from ui import picker, state, views, words

TUNED, AS_TUNED = "tuned", "As tuned now"
OWN_OUTLINE = "The document’s own outline"
CHANGED = "differs from the default in"
_TOLD = ("before", "after")

Which = Literal["before", "after"]
COLORS = {
    "kept": charts.QUIET,
    "moved": charts.PALETTE[0],
    "renamed": charts.PALETTE[2],
    "split": charts.PALETTE[4],
    "merged": charts.PALETTE[5],
    "added": charts.PALETTE[8],
    "removed": charts.PALETTE[3],
}

_list = st.components.v2.component(
    "changes", html=views.asset("changes.html"), css=views.asset("changes.css"), js=views.asset("changes.js")
)


class Look(NamedTuple):
    """Which side's page is looked at, and the ids of the chosen sections in the older and the newer tree."""

    which: Which
    page: int
    ids: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Side:
    """A tree: what it is called, whose it is, the profile that made it (None: an earlier parse), its sections."""

    label: str
    entry: Entry
    profile: Profile | None
    sections: tuple[Section, ...]

    def section(self, section_id: str) -> Section:
        """The section with that id."""
        return next(item for item in self.sections if item.section_id == section_id)


# ------------------------------------------------------------ choosing


def options(entry: Entry) -> dict[str, str]:
    """What a side can be, by key: profiles, earlier trees of the document, the other documents that were read."""
    store = state.the_store()
    found = {TUNED: AS_TUNED} if state.is_tuned() else {}
    for name in sorted(
        {*profiles.shipped(), *profiles.saved(store.profiles)}, key=lambda name: (name != "default", name)
    ):
        found[f"profile:{name}"] = f"Profile {name}{_version(name)}"
    names = {other.sha256: other.name for other in store.documents() if "read" in other.done}
    for kept in lineage.comparable(store, entry.sha256):
        whose = "" if kept.sha256 == entry.sha256 else f" of {names.get(kept.sha256, 'a document')}"
        about = (f"{kept.made:%d %b %Y %H:%M}", lineage.named(kept), words.counted(kept.count, "section"))
        found[f"parse:{kept.number}"] = f"Parse{whose} of {' · '.join(about)}"
    found |= {f"doc:{one}": f"Document {name} ({one[:6]})" for one, name in names.items() if one != entry.sha256}
    return found


def _version(name: str) -> str:
    try:
        return f", version {profiles.load(name, state.the_store().profiles).version}"
    except UsageError:
        return ", which cannot be read"


def side(entry: Entry, key: str, label: str) -> Side:
    """The tree that was chosen from `options`; made now where the store does not have it."""
    store = state.the_store()
    kind, _, rest = key.partition(":")
    match kind:
        case "parse":
            kept = next((one for one in store.parses() if str(one.number) == rest), None)
            whose = store.document(kept.sha256) if kept else None
            sections = store.parsed(kept.number) if kept else None
            if whose is None or sections is None:
                raise StoreError("This parse is not in the store (any more). Choose another one.")
            return Side(label, whose, None, sections)
        case "doc":
            other = store.document(rest)
            if other is None:
                raise StoreError("This document is not in the store (any more). Choose another one.")
            return _made(label, other, state.tuned())
        case "profile":
            return _made(label, entry, profiles.load(rest, store.profiles))
    return _made(label, entry, state.tuned())


def _made(label: str, entry: Entry, profile: Profile) -> Side:
    """The tree under a profile; kept in the store, unless the profile is only being tuned."""
    own = ways.own(profile, entry.own)
    if label == AS_TUNED and (read := picker.parsed(entry)):
        return Side(label, entry, own, outline.build(read.features, own.outline).sections)
    return Side(label, entry, own, _sections(str(state.the_store().home), entry.sha256, own))


@st.cache_resource(max_entries=12, show_spinner="Making the section tree", hash_funcs={Profile: run.parse_key})
def _sections(_home: str, sha256: str, profile: Profile) -> tuple[Section, ...]:
    return run.sections(state.the_store(), sha256, profile)


# ------------------------------------------------------------ changes


def place(change: Change, old: Side, new: Side) -> tuple[Side, Section]:
    """Where a change is looked at: in the newer tree, what was removed in the older."""
    side_ = new if change.new else old
    return side_, side_.section((change.new or change.old)[0])


Opened = Callable[[Change, Side, Section], None]


def changes(found: Sequence[tuple[int, Change]], old: Side, new: Side, opened: Opened) -> None:
    """Draw the changes, each with its index; the one that is clicked is selected, and its section handed on."""
    rows = [
        {
            "id": str(index),
            "kind": change.kind,
            "color": COLORS[change.kind],
            "old": [views.named(old.section(one)) for one in change.old],
            "new": [views.named(new.section(one)) for one in change.new],
            "notes": "; ".join(change.notes),
            "page": f"p. {place(change, old, new)[1].page}",
        }
        for index, change in found
    ]
    known = {str(index): (change, *place(change, old, new)) for index, change in found}
    _list(
        key="changes",
        data={
            "revision": str(hash(tuple(map(str, rows)))),
            "sel": str(st.session_state.get("change", "")),
            "empty": "No change of these kinds. Choose others above.",
            "rows": rows,
        },
        on_picked_change=partial(_picked, known, opened),
    )


def _picked(found: Mapping[str, tuple[Change, Side, Section]], opened: Opened) -> None:
    value = st.session_state.changes.get("picked")
    number = value.get("id") if isinstance(value, dict) else None
    if isinstance(number, str) and number in found:
        st.session_state.change = number
        opened(*found[number])


def open_change(new: Side, change: Change, side_: Side, section: Section) -> None:
    """Turn the picture to the section of a change, with the boxes of either tree."""
    look(Look("after" if side_ is new else "before", section.page, (change.old, change.new)))


def look(where: Look) -> None:
    """Turn the picture to a page."""
    st.session_state.look = where


def looked() -> Look:
    """Where the picture is turned to."""
    where = st.session_state.get("look")
    return where if isinstance(where, Look) else Look("after", 1, ((), ()))


def tree(which: Which, side_: Side) -> None:
    """Draw a tree; a click opens the page."""
    drawn = views.Tree(
        sha256=f"{side_.entry.sha256}:{which}",
        pages=side_.entry.pages or 1,
        sections=side_.sections,
        revision=str(hash(tuple((one.section_id, one.level, one.title, one.page) for one in side_.sections))),
        selected=next(iter(looked().ids[which == "after"]), None),
        empty="No heading was found.",
    )
    views.section_tree(f"tree_{which}", drawn, partial(_opened, which))


def _opened(which: Which, section_id: str, page: int) -> None:
    ids = ((section_id,), ()) if which == "before" else ((), (section_id,))
    st.session_state.change = ""
    look(Look(which, page, ids))


def picture(old: Side, new: Side) -> None:
    """Draw the page that is looked at, with the boxes of the chosen sections of either tree."""
    where = looked()
    shown = new if where.which == "after" else old
    pages = shown.entry.pages or 1
    number = min(max(where.page, 1), pages)
    read = picker.parsed(shown.entry)
    if read is None:
        return
    same = old.entry.sha256 == new.entry.sha256
    sides = [(one, ids) for one, ids in zip((old, new), where.ids, strict=True) if same or one is shown]
    boxes = [
        views.Mark(
            None,
            spot.box,
            charts.level_color(item.level),
            f"{_TOLD[one is new]}: {views.named(item)}",
            form=form,
        )
        for one, ids in sides
        for item in one.sections
        for spot in item.places
        if spot.page == number and item.level
        for form in [_form(one is new, item.section_id in ids)]
        if form is not None
    ]
    legend = [views.Legend(charts.QUIET, "chosen, after"), views.Legend(charts.QUIET, "chosen, before", form="dashed")]
    views.page_view(
        "compare_picture",
        views.pictured(read.reading.document, read.reading.pages[number - 1], boxes, legend),
        lambda _key: None,
        lambda page: look(where._replace(page=page)),
    )


def _form(is_new: bool, is_chosen: bool) -> views.Form | None:
    """Chosen sections stand out; of the others only those of the newer tree are drawn, pale."""
    if is_chosen:
        return "" if is_new else "dashed"
    return "faint" if is_new else None


# ------------------------------------------------------------ scores


def truths(entry: Entry) -> dict[str, tuple[score.Entry, ...]]:
    """What the document's headings can be held against: its own outline, the truth in the store."""
    found: dict[str, tuple[score.Entry, ...]] = {}
    read = picker.parsed(entry)
    if read and read.reading.bookmarks:
        found[OWN_OUTLINE] = score.of_bookmarks(read.reading.bookmarks)
    if text := state.the_store().truth(entry.sha256):
        with suppress(UsageError):  # the truth of rows is none of headings
            found["The truth that came with it"] = score.loads(text)
    return found


def take_truth() -> None:
    """Hold the trees against the truth that was uploaded just now."""
    if file := st.session_state.truth_file:
        st.session_state.truth = file.name


def scored(one: Side, name: str, truth: Sequence[score.Entry]) -> Score:
    """The headings of a side against the truth; found without the document's own outline where that is the truth."""
    sections = one.sections
    read = picker.parsed(one.entry) if name == OWN_OUTLINE and one.profile else None
    if read and one.profile:
        sections = outline.build(read.features, replace(one.profile.outline, by_bookmarks=False)).sections
    return score.score(score.of_sections(sections), truth)


def shares(found: Score) -> list[str]:
    """Precision, recall, level and parent, as they are told."""
    return [f"{value:.1%}" for value in (found.precision, found.recall, found.f1, found.levels, found.parents)]


def listed() -> list[dict[str, object]]:
    """The profiles with version and note, and what each changes."""
    folder = state.the_store().profiles
    rows: list[dict[str, object]] = []
    for name in sorted({*profiles.shipped(), *profiles.saved(folder)}):
        try:
            one = profiles.load(name, folder)
        except UsageError as error:
            rows.append({"profile": name, "version": None, "note": words.escaped(str(error)), CHANGED: ""})
            continue
        changed = ", ".join(item.name for item in profiles.differences(Profile(), one))
        rows.append(
            {
                "profile": name,
                "version": one.version,
                "note": words.escaped(one.note),
                CHANGED: words.escaped(changed or "nothing"),
            }
        )
    return rows
