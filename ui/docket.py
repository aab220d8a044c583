"""The review queue as the app has it: which question is looked at, its crop, the fields that correct a row.

Comes in: the store's queue, clicks, what a person types. Goes out: drawings, decisions. Refuses, in one line above the
page: what `review` refuses, such as an amount that is none, or a decision that somebody else made meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pipeline import asked, charts, cutout, decisions, docket, fieldnames, run, trail, waiting
from pipeline.asked import Choice, Item, Question
from pipeline.cutout import Cut
from pipeline.decisions import Action, Decision, Part, Value
from pipeline.docket import Case, Result
from pipeline.model import Box, PipelineError
from pipeline.store import Store
from pipeline.waiting import Kept
from ui import picker, state, views, words

MOST_SHOWN = 200  # decisions
SHOWN_FIRST = ("description", "quantity", "unit_price", "debit", "credit", "amount")
NARROW = """<style>
body[data-decides="wait"] :is(
  [class*="st-key-accept_"], [class*="st-key-reject_"], [class*="st-key-all_"], [class*="st-key-leave_"]
) button { opacity: .55 }
@media (max-width:640px) {
.st-key-actions kbd, .st-key-steps kbd, [data-testid="stForm"] kbd { display: none }
.st-key-crop_page { display: none }
.st-key-actions { flex-wrap: wrap }
[class*="st-key-crop_"] [data-testid="stImageContainer"] { overflow-x: auto }
:is(.st-key-crop_wide, .st-key-crop_right) [data-testid="stImageContainer"] { direction: rtl }
[class*="st-key-crop_"] img { width: 560px !important; max-width: none !important }
.st-key-crop_wide img { width: 780px !important }
.st-key-steps, [class*="st-key-accept_"] {
  position: fixed; z-index: 9; left: 0; right: 0; bottom: 0; padding: .4rem 1rem; background: Canvas;
}
.st-key-steps { justify-content: space-between; width: 100% }
.st-key-steps button, [class*="st-key-accept_"] button { min-height: 2.75rem }
[class*="st-key-accept_"] { bottom: 3.5rem; border-top: 1px solid color-mix(in srgb, CanvasText 15%, Canvas) }
[class*="st-key-accept_"] button { width: calc(100vw - 2rem) }
.stMainBlockContainer { padding-bottom: 9rem }
}</style>"""


@dataclass(frozen=True)
class Looked:
    """A question, the document it belongs to, and where it stands among the open ones (from 1)."""

    case: Case
    question: Question
    number: int
    count: int


def looked_at(sha256: str) -> Looked | None:
    """The question of a document (empty: of all) that is looked at: the most valuable, until another is chosen; None
    where none is open.
    """
    found = waiting.at(state.the_store(), st.session_state.get("review_at", 0), sha256)
    return Looked(found.case, found.question, found.number + 1, found.count) if found else None


def ahead(looked: Looked, sha256: str) -> None:
    """Draw the page of the next question meanwhile, so that it is there when it is asked for."""
    if looked.count > 1:
        Thread(target=_drawn, args=(state.the_store(), looked.number, sha256), daemon=True).start()


def _drawn(store: Store, number: int, sha256: str) -> None:
    with suppress(PipelineError):  # told where the question itself is shown
        after = waiting.at(store, number, sha256)
        item = after.question.items[0] if after and after.question.items else None
        if after and (page := asked.place(after.question, item)[0]):
            run.page_image(store, after.case.entry.sha256, page, views.DPI)


def step(by: int) -> None:
    """Look at the next question, or at the one before."""
    st.session_state.review_at = st.session_state.get("review_at", 0) + by


# ---------------------------------------------------------------- deciding


def decide(case: Case, target: str, action: Action, parts: tuple[Part, ...] = ()) -> None:
    """Keep what the person decided, and say what follows for the sums."""
    picker.unsay()  # what was said of the question before
    choice, store = Choice(target, action, parts, st.session_state.get("reviewer", "")), state.the_store()
    try:
        made = asked.decide(store, case.judged, choice)
        after = waiting.case(store, case.result)
    except PipelineError as error:
        picker.note("bad", str(error))
        return
    st.session_state.review_told = docket.told(after or case, made)
    st.session_state.review_last = (case.result, tuple(one.mark.id for one in made))


def undo() -> None:
    """Take back what was decided last in this session, of all rows that it settled."""
    result, findings = st.session_state.pop("review_last", (None, ()))
    for finding in findings:
        if case := waiting.case(state.the_store(), result):
            decide(case, finding, "undo")
    st.session_state.pop("review_last", None)
    for key in [one for one in st.session_state if str(one).startswith("row_of_")]:
        del st.session_state[key]  # the row that was decided is looked at again, not the one that came after it


def accept(case: Case, item: Item) -> None:
    """Keep what was typed in place of what was read; what was left as it is, is approved."""
    typed = _typed(f"correct_{item.mark.id}", item.values)
    changed = tuple(one for one in typed if one.value.strip() != item.value(one.column))
    if changed:
        decide(case, item.mark.id, "correct", (changed,))
    else:
        decide(case, item.mark.id, "approve")


def split(case: Case, item: Item, count: int) -> None:
    """Keep the rows that the row becomes."""
    parts = tuple(_typed(f"split_{item.mark.id}_{number}", item.values) for number in range(count))
    decide(case, item.mark.id, "split", parts)


def give(case: Case, target: str, action: Action, blanks: Part) -> None:
    """Keep the row or the total that is missing, or the total as it is printed."""
    typed = tuple(one for one in _typed(f"{action}_{target}", blanks) if one.value.strip())
    decide(case, target, action, (typed,))


def _typed(prefix: str, blanks: Part) -> Part:
    keys = {column: f"{prefix}_{column}" for column, _ in blanks}
    return tuple(Value(column, str(st.session_state[key])) for column, key in keys.items() if key in st.session_state)


# ---------------------------------------------------------------- fields


def reads(item: Item) -> None:
    """Draw what each reader saw, where there are several."""
    if item.reads:
        st.dataframe(
            [{"Read by": read.by, "What it saw": read.text} for read in item.reads], hide_index=True,
            alt="What each reader saw",
        )  # fmt: skip


def fields(case: Case, item: Item) -> None:
    """Draw an item's values, to be accepted or corrected: Enter does either; typing begins in the one likest wrong."""
    prefix = f"correct_{item.mark.id}"
    with st.form(prefix, border=False), _beside():
        _inputs(prefix, item.values)
        st.form_submit_button(
            "Accept", key=f"accept_{item.mark.id}", type="primary", icon=":material/check:", shortcut="Enter",
            on_click=accept, args=(case, item),
        )  # fmt: skip
    columns = [column for column, _ in item.values]
    if columns:
        views.typing(f"{prefix}_{'amount' if 'amount' in columns else columns[0]}")


def splitting(case: Case, item: Item) -> None:
    """Draw the fields of two or more rows in place of one."""
    blanks = tuple(
        Value(column, item.value(column) if column == "description" else "")
        for column in SHOWN_FIRST
        if item.value(column)
    )
    with st.popover("Split", icon=":material/call_split:", key=f"splitting_{item.mark.id}"):
        count = st.number_input("Rows", 2, 6, key=f"parts_{item.mark.id}")
        with st.form(f"split_{item.mark.id}", border=False):
            for number in range(count):
                st.caption(f"Row {number + 1}")
                with st.container(horizontal=True):
                    _inputs(f"split_{item.mark.id}_{number}", blanks)
            st.form_submit_button("Save the split", type="primary", on_click=split, args=(case, item, count))


def adding(looked: Looked, item: Item | None) -> None:
    """Draw what takes a row, a printed total or a field that the page has and the run lacks."""
    question = looked.question
    if "add" in question.actions:
        target = question.id
    elif item and "add" in item.actions:
        target = item.mark.id
    else:
        return
    if question.adds == "field":
        _missing_field(looked)
    elif question.adds == "total":
        _giving(looked, (target, "add"), question.blanks, TOTAL)
    else:
        _giving(looked, (target, "add"), question.blanks, ROW)


def _missing_field(looked: Looked) -> None:
    """Draw the choice of a field that was not read, and what is typed for it."""
    key = f"add_{looked.question.id}"
    with st.popover("Give a missing field", icon=":material/add:", key=f"giving_{key}"):
        names = [column for column, _ in looked.question.blanks]
        name = st.selectbox("Field", names, format_func=fieldnames.shown, key=f"missing_{key}")
        with st.form(f"form_{key}", border=False):
            st.caption("Type it as the page has it. It counts as given by you.")
            st.text_input("Value", key=f"{key}_{name}")
            st.form_submit_button(
                "Save the field", type="primary", on_click=give,
                args=(looked.case, looked.question.id, "add", (Value(name, ""),)),
            )  # fmt: skip


def total(looked: Looked) -> None:
    """Draw the fields of a printed total that was misread, or given wrongly."""
    if "correct" in looked.question.actions:
        blanks = looked.question.corrects or (Value("amount", ""),)
        _giving(looked, (looked.question.id, "correct"), blanks, MISREAD)


class _Form(NamedTuple):
    """A form behind a button: what the button, the line above the fields and the one that saves say; its icon."""

    button: str
    caption: str
    save: str
    icon: str


ROW = _Form(
    "Add a row", "It joins the group of the row above it. Type it as the page has it.", "Save the row", ":material/add:"
)
TOTAL = _Form(
    "Give the total", "Type the total as the page prints it. It counts as given by you; the rows must agree with it.",
    "Save the total", ":material/functions:",
)  # fmt: skip
MISREAD = _Form(
    "Correct the total", "Type the total as the page prints it.", "Save the correction of the total", ":material/edit:"
)


def _giving(looked: Looked, what: tuple[str, Action], blanks: Part, words_: _Form) -> None:
    target, action = what
    key = f"{action}_{target}"
    with st.popover(words_.button, icon=words_.icon, key=f"giving_{key}"), st.form(f"form_{key}", border=False):
        st.caption(words_.caption)
        with st.container(horizontal=True):
            _inputs(key, blanks)
        st.form_submit_button(words_.save, type="primary", on_click=give, args=(looked.case, target, action, blanks))


def _beside() -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="bottom")


def _inputs(prefix: str, values: Part) -> None:
    for column, value in values:
        st.text_input(label(column), value, key=f"{prefix}_{column}", width=_width(column))


def label(column: str) -> str:
    """A column's name as a person reads it."""
    return column.replace("_", " ").capitalize()


def _width(column: str) -> int:
    return {"description": 300, "supplier": 240}.get(column, 130)


# ---------------------------------------------------------------- pictures


def crop(case: Case, question: Question, item: Item | None) -> None:
    """Draw the page around what is asked, with its boxes, and beside it where that stands on the page."""
    page, box = asked.place(question, item)
    if page is None:
        st.info("This is about the document as a whole.", icon=":material/description:")
        return
    try:
        picture = _cut(str(state.the_store().home), case.entry.sha256, page, box, _boxes(question, item))
    except PipelineError as error:
        st.error(words.escaped(str(error)))
        return
    large, small = st.columns([7, 2], gap="small")
    with large, st.container(key=f"crop_{picture.shows}"):
        st.image(picture.png, width="stretch", caption=f"Page {page}, around what is asked")
    with small, st.container(key="crop_page"):
        st.image(picture.whole, width="stretch", caption="Its place on the page")


def page(case: Case, question: Question, item: Item | None) -> None:
    """Draw the whole page, folded away; it can be turned."""
    asked_page, box = asked.place(question, item)
    if asked_page is None:
        return
    key = f"turned_{question.id}"
    number = min(st.session_state.get(key, asked_page), case.entry.pages or asked_page)
    title = f"Page {number} as a whole"
    with st.expander(title, icon=":material/pageview:", key="whole_page", on_change="rerun") as open_:
        if not open_.open:
            return
        boxes = _boxes(question, item) if number == asked_page else ()
        with suppress(PipelineError):  # told with the crop
            picture = _cut(str(state.the_store().home), case.entry.sha256, number, box, boxes)
            marks = [views.Mark(None, one, charts.DOUBT, question.cause) for one in boxes]
            pages, size = case.entry.pages or number, (picture.width, picture.height)
            whole = views.Picture(case.entry.sha256, case.entry.name, number, pages, *size, marks)
            views.page_view("review_picture", whole, lambda _: None, partial(st.session_state.__setitem__, key))


def _boxes(question: Question, item: Item | None) -> tuple[Box, ...]:
    """What is boxed on the page that is looked at."""
    page, box = asked.place(question, item)
    total = question.box if question.page == page else None
    return tuple(dict.fromkeys(one for one in (box, total) if one))


@st.cache_resource(max_entries=32, show_spinner=False)
def _cut(home: str, sha256: str, page: int, box: Box | None, boxes: tuple[Box, ...]) -> Cut:
    picture = run.page_image(state.the_store(), sha256, page, views.DPI)
    return cutout.cut(picture, views.DPI, box, boxes, charts.DOUBT)


# ---------------------------------------------------------------- what was decided


def history(kept: Sequence[Kept]) -> None:
    """Draw the decisions, the newest first, one of them to be taken back, and all of them as a file."""
    if not any(one.decided for one in kept) and not decisions.newest(state.the_store(), 1):
        return
    with st.expander("Decisions so far", icon=":material/history:", key="decided", on_change="rerun") as open_:
        if not open_.open:
            return
        made = decisions.newest(state.the_store(), MOST_SHOWN)
        names = {one.result.sha256: one.name for one in kept}
        _standing(made, kept)
        st.dataframe(
            [
                {
                    "When": f"{one.made:%Y-%m-%d %H:%M}",
                    "Who": one.who,
                    "What": decisions.DONE[one.action],
                    "Document": names.get(one.mark.sha256, one.mark.sha256[:8]),
                    "Page": one.mark.page,
                    "Given": "; ".join(f"{value.column} {value.value}" for part in one.parts for value in part),
                    "Before": one.before,
                }
                for one in made
            ],
            hide_index=True,
            alt=f"The last {MOST_SHOWN} decisions, the newest first",
        )
        st.download_button(
            "All decisions as CSV", partial(trail.to_csv, state.the_store()), "decisions.csv", "text/csv",
            key="audit_csv", icon=":material/download:", on_click="ignore",
        )  # fmt: skip


def _standing(made: Sequence[Decision], kept: Sequence[Kept]) -> None:
    """Draw the decisions that stand, one of them to be taken back."""
    results = {(one.result.sha256, one.result.kind): one for one in kept}
    last: dict[str, tuple[Kept, Decision]] = {}
    for sha256 in dict.fromkeys(one.mark.sha256 for one in made):
        for finding, stack in decisions.standing(decisions.of(state.the_store(), sha256)).items():
            if whose := results.get((sha256, decisions.about(stack[-1].mark))):
                last[finding] = (whose, stack[-1])
    if not last:
        return
    with _beside():
        newest = sorted(last, key=lambda finding: last[finding][1].made, reverse=True)
        chosen = st.selectbox(
            "Decisions that stand", newest, key="standing",
            format_func=lambda one: f"{last[one][0].name}: {last[one][1].told}: {last[one][1].before}",
        )  # fmt: skip
        if chosen:
            st.button("Take it back", on_click=_taken_back, args=(last[chosen][0].result, chosen), width="content")


def _taken_back(result: Result, finding: str) -> None:
    if case := waiting.case(state.the_store(), result):
        decide(case, finding, "undo")
