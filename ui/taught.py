"""What people's corrections teach the profile, and a column's title that they name, each accepted by a click.

Comes in: `Lesson`s, clicks. Goes out: drawings; a profile that is saved and loaded, and jobs that read the documents
again with it. Refuses, in one line: the names of profiles that ship.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pipeline import decisions, fieldnames, lessons, profiles, terms
from pipeline.engine import is_asked
from pipeline.lessons import Lesson
from pipeline.model import PipelineError
from pipeline.profiles import Kind, Profile
from ui import docket, picker, state, tuning, words
from ui.docket import Looked

MOST_SHOWN = 20
OWN = "My documents"  # what a profile is called that is made here
COLUMNS = tuple(name for name in terms.KINDS if is_asked(name))


def draw() -> None:
    """Draw what corrections teach, folded away."""
    if not decisions.newest(state.the_store(), 1):
        return
    title = "What corrections teach the profile"
    with st.expander(title, icon=":material/school:", key="lessons", on_change="rerun") as open_:
        if not open_.open:
            return
        found = lessons.of(state.the_store(), state.base())
        if not found:
            st.caption("Nothing new: what was corrected stands beside labels and under titles that are known.")
            return
        st.caption("These words stood beside what people gave, and are not known to name it. Accept those that do.")
        _profile("lessons_profile")
        for number, lesson in enumerate(found[:MOST_SHOWN]):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(_told(lesson))
                st.button("Accept", key=f"lesson_{number}", on_click=accept, args=(lesson, "lessons_profile"))


def column(looked: Looked) -> None:
    """Draw the choice of what a column holds whose title is not known."""
    title = lessons.title(looked.question)
    if not title:
        return
    with st.popover("Say what the column holds", icon=":material/view_column:", key="naming_column"):
        st.text(f"“{title}” holds")
        chosen = st.selectbox("Holds", COLUMNS, format_func=docket.label, key="column_holds")
        _profile("column_profile")
        lesson = lessons.assigned(title, chosen, looked.case.entry.sha256)
        st.button("Save and extract again", type="primary", on_click=accept, args=(lesson, "column_profile"))


def _profile(key: str) -> None:
    name = state.base().name
    st.text_input("Profile", OWN if name in profiles.shipped() else name, key=key, max_chars=80, width=240)


def accept(lesson: Lesson, named: str) -> None:
    """Save the profile with a lesson, and have the documents that showed it read again with it."""
    name = str(st.session_state.get(named, "")).strip() or OWN
    if not tuning.save(replace(lessons.taught(_base(name), lesson), name=name, kind=Kind())):
        return
    profile = state.base()
    try:
        for entry in state.the_store().documents():
            if entry.sha256 in lesson.documents:
                reading = state.own(entry).reading
                if lesson.part == "fields":
                    picker.submit("fields", entry.sha256, Profile(reading=reading, fields=profile.fields))
                else:
                    picker.submit("rows", entry.sha256, Profile(reading=reading, statement=profile.statement))
    except PipelineError as error:
        picker.note("bad", str(error))


def _base(name: str) -> Profile:
    """The profile of that name where it was saved before, else the loaded one."""
    folder = state.the_store().profiles
    return profiles.load(name, folder) if name in profiles.saved(folder) else state.base()


def _told(lesson: Lesson) -> str:
    named = fieldnames.shown(lesson.name) if lesson.part == "fields" else f"column {docket.label(lesson.name)}"
    spoken = f", {', '.join(words.LANGUAGES.get(one, one) for one in lesson.languages)}" if lesson.languages else ""
    names = {one.sha256: one.name for one in state.the_store().documents()}
    where = ", ".join(names.get(sha256, sha256[:8]) for sha256 in lesson.documents[:3])
    more = f" and {len(lesson.documents) - 3} more" if len(lesson.documents) > 3 else ""
    return f"“{lesson.words}” → {named} ({words.counted(lesson.times, 'correction')} in {where}{more}{spoken})"
