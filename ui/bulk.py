"""Many questions at once: a CSV of them, their answers with citations, how many are right, files.

Comes in: a `Desk`, a file of questions. Goes out: drawings; a run goes on while another page is looked at. Refuses, in
one line: a file that holds no questions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pipeline import charts, questions, run
from pipeline.charts import KindShare
from pipeline.model import PipelineError
from pipeline.questions import Answered, Tally
from ui import asktask, engine, evidence, hits, offers, picker, question, runs, state, words
from ui.desk import Desk
from ui.hits import Hits, Item
from ui.question import Reply, Told
from ui.runs import Run

HEADS = ("Section", "Question and answer", "Page", "Outcome")
HELP = "A column question; with expected or sections, the answers are held against them. Or a question a line."
POLL_SECONDS = 0.5
MOST = 1_000  # answers that are shown
LARGEST = 5_000_000  # bytes
RIGHT: dict[bool, tuple[str, str]] = {True: ("✓ right", charts.GOOD), False: ("✗ not right", charts.PALETTE[3])}
CHOICES: dict[str, Callable[[Answered], bool]] = {
    "All": lambda one: True,
    "Not right": lambda one: one.right is False,
    "To be reviewed": lambda one: one.answer.answer is not None and one.answer.status == "review",
    "Not in the document": lambda one: one.answer.answer is None,
}


def draw(desk: Desk) -> None:
    """Draw where questions come from, and the run over them."""
    by = engine.result_name()
    _sources(desk)
    engine.bar(desk.sha256)
    busy = engine.is_paid() and _offered(desk)
    found = runs.of(desk, by)
    if busy:
        return
    if found is None:
        st.info(f"Add a file of questions. {HELP}", icon=":material/checklist:")
    elif found.live:
        st.fragment(run_every=POLL_SECONDS)(_progress)(found)
    else:
        _ended(desk, found)


def _offered(desk: Desk) -> bool:
    """Draw what Claude is to be asked in this session; whether it answers now, or is offered."""
    key, asked = st.session_state.get("bulk_asked", ("", ()))
    if key != desk.key:
        return False
    return offers.draw(asktask.many(desk, asked))


def _sources(desk: Desk) -> None:
    generation = st.session_state.setdefault("question_files", 0)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        engine.choose()
        with st.popover("Questions from a file", icon=":material/upload_file:"):
            st.file_uploader(
                "CSV or text", ["csv", "txt"], key=f"questions_{generation}", on_change=_took, args=(desk,), help=HELP
            )
        example = run.SAMPLES / f"{desk.name.removesuffix('.pdf')}.questions.csv"
        if desk.name in run.samples() and example.is_file():
            text = example.read_text(encoding="utf-8")
            count = len(questions.read(text))
            st.button(f"Ask its {count} sample questions", key="example", on_click=_begin, args=(desk, text))
            save = partial(st.download_button, on_click="ignore", type="tertiary")
            save("Their file", text, example.name, "text/csv", icon=":material/download:")


def _took(desk: Desk) -> None:
    file = st.session_state[f"questions_{st.session_state.question_files}"]
    st.session_state.question_files += 1
    try:
        if file.size > LARGEST:
            picker.note("bad", f"{file.name} is too large: {words.size(LARGEST)} are the most.")
            return
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        picker.note("bad", f"{file.name} is no text in UTF-8. Save it as CSV in UTF-8.")
        return
    _begin(desk, text)


def _begin(desk: Desk, text: str) -> None:
    try:
        asked = questions.read(text)
        if engine.is_paid():
            st.session_state.bulk_asked = (desk.key, asked)
            offers.ask(asktask.many(desk, asked).name)
        else:
            runs.begin(desk, asked, engine.result_name(), engine.replaying(desk.sha256))
    except PipelineError as error:
        picker.note("bad", str(error))
    st.session_state.bulk_chosen = 0
    st.session_state.bulk_shown = "All"
    state.say("view", "many")


def _progress(found: Run) -> None:
    if not found.live:
        st.rerun()
    done, total = len(found.found), len(found.asked)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / total, f"Answering questions · {done:,} of {total:,}")
        st.button("Cancel", key="cancel_questions", on_click=found.stopped.set)


def _ended(desk: Desk, found: Run) -> None:
    if found.error:
        st.error(words.escaped(found.error), icon=":material/error:")
    elif len(found.found) < len(found.asked):
        st.info(f"Cancelled after {len(found.found):,} of {len(found.asked):,} questions.", icon=":material/cancel:")
    if not found.found:
        return
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _summary(desk, found.found)
        shown = _chosen_kind(found.found)
        chosen = hits.place("bulk_chosen", min(len(shown), MOST))
        _table(desk, shown, chosen)
        _files(desk, found)
    with right:
        if shown and shown[chosen].answer.given:
            answered = shown[chosen].answer
            evidence.draw(desk, question.shown(Told(Reply(desk, answered), answered.given[0])))
        elif shown:
            st.info("Not in this document: nothing was found that answers it.", icon=":material/search_off:")


def _summary(desk: Desk, found: Sequence[Answered]) -> None:
    tallies = questions.tallies(found)
    whole = tallies[-1]
    told = [words.counted(whole.asked, "question"), f"{whole.answered} answered", f"{whole.confirmed} confirmed"]
    if whole.known:
        told += [f"**{whole.right} of {whole.known} right** ({whole.right / whole.known:.0%})"]
        told += [f"{whole.wrong} confirmed and not right"]
    st.markdown(" · ".join(told))
    st.caption(words.escaped(questions.weight_text(questions.weight([one.answer for one in found], desk.book))))
    if whole.known:
        st.plotly_chart(
            charts.kind_shares([_share(one) for one in tallies[: max(len(tallies) - 1, 1)]]),
            config={"displayModeBar": False},
            key="kinds",
            alt=f"{whole.right} of {whole.known} answers are right",
        )


def _share(tally: Tally) -> KindShare:
    return KindShare(tally.kind, tally.asked, tally.right, tally.known - tally.right)


def _chosen_kind(found: Sequence[Answered]) -> list[Answered]:
    counts = {name: sum(1 for one in found if fits(one)) for name, fits in CHOICES.items()}
    names = [name for name, count in counts.items() if count or name == "All"]
    if st.session_state.get("bulk_shown") not in names:
        st.session_state.bulk_shown = "All"
    shown = st.segmented_control(
        "Show",
        names,
        format_func=lambda name: f"{name} {counts[name]}",
        key="bulk_shown",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        on_change=lambda: st.session_state.update(bulk_chosen=0),
    )
    fits = CHOICES[shown or "All"]
    return [one for one in found if fits(one)]


def _table(desk: Desk, shown: Sequence[Answered], chosen: int) -> None:
    items = [_item(one) for one in shown[:MOST]]
    if len(shown) > MOST:
        st.caption(f"The first {MOST:,} of {len(shown):,} are shown; the files hold all.")
    table = Hits(desk.sha256, "Questions and answers", HEADS, items, str(hash(tuple(items))), "min(55vh, 36rem)")
    hits.draw("many", table, chosen, partial(_choose, shown))


def _choose(shown: Sequence[Answered], place: int) -> None:
    st.session_state.bulk_chosen = place
    if given := shown[place].answer.given:
        begins, section = given[0].place, given[0].section
        state.turn_to(begins.page if begins else section.page if section else 1)


def _item(one: Answered) -> Item:
    found = one.answer
    given = found.given[0] if found.given else None
    section, place = (given.section, given.place) if given else (None, None)
    others = len(found.alternatives)
    outcome = RIGHT[one.right] if one.right is not None else question.BADGES[found.status]
    badge, tone = outcome if found.answer or one.right is not None else ("– not there", charts.QUIET)
    return Item(
        name=(section.number or "") if section else "",
        title=one.question.text,
        text=found.answer or "not in the document",
        page=place.page if place else 0,
        badge=badge,
        tone=tone,
        section=section,
        link=question.linked(section),
        note=" · ".join(filter(None, [words.counted(others, "more place") if others else "", _expected(one)])),
    )


def _expected(one: Answered) -> str:
    if one.right is not False:
        return ""
    wanted = " in ".join(filter(None, [one.question.expected, "; ".join(one.question.sections)]))
    return f"expected: {wanted or 'not in the document'}"


def _files(desk: Desk, run: Run) -> None:
    name = desk.name.removesuffix(".pdf")
    with st.container(horizontal=True):
        save = partial(st.download_button, icon=":material/download:", on_click="ignore")
        save("CSV", partial(questions.to_csv, run.found), f"{name}.answers.csv", "text/csv", key="many_csv")
        save("JSON", partial(_json, run), f"{name}.answers.json", "application/json", key="many_json")
        st.button("Clear", type="tertiary", on_click=runs.forget, args=(desk, run.by))


def _json(run: Run) -> str:
    told = questions.to_json(run.found, run.desk.book, run.by.partition("/")[0])
    return json.dumps(told, ensure_ascii=False, indent=1)
