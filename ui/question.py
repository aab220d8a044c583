"""A question and its answer: the words that say it with their section and page, what it cost, and what was tried.

Comes in: a `Desk`, a question, where to look. Goes out: drawings; each question is kept with its document. Refuses
nothing: what the document does not say is said not to be in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pipeline import answer, charts, history, tokens
from pipeline.answer import Answer, Given
from pipeline.history import Asked
from pipeline.model import PipelineError, Section, Status
from ui import asktask, engine, evidence, hits, offers, picker, scope, state, views, words
from ui.desk import Desk
from ui.evidence import Shown
from ui.hits import Hits, Item
from ui.scope import Scope

HEADS = ("Section", "Answer and quote", "Page", "Status")
NARROW = """<style>
.st-key-question_box { min-width: 21rem; }
@media (max-width: 640px) { .st-key-question_box { min-width: 100%; } }
</style>"""
NOTHING = "The rules on this machine cost nothing."
EXAMPLES = "What is the governing law? Which category is X-204 in?"
BADGES: dict[Status, tuple[str, str]] = {
    "confirmed": ("✓ confirmed", charts.GOOD),
    "review": ("● to be reviewed", charts.DOUBT),
}


@dataclass(frozen=True)
class Reply:
    """What one document answers."""

    desk: Desk
    answer: Answer


@dataclass(frozen=True)
class Told:
    """A place that answers, of one of the documents that were asked."""

    reply: Reply
    given: Given


def draw(desk: Desk) -> None:
    """Draw the question, and what became of it."""
    question = state.said("question")
    left, right = st.columns([6, 5], gap="medium")
    with left:
        within = _asked(desk, question)
        replies = _replies(desk, question, within) if question else ()
        told = [Told(reply, given) for reply in replies or () for given in reply.answer.given]
        chosen = hits.place("answer_chosen", len(told))
        if question and replies is not None:
            _said(desk, question, within, replies, told)
            _keep(desk, question, replies)
        _before(desk)
    if told:
        with right:
            evidence.draw(told[chosen].reply.desk, shown(told[chosen]))


def _asked(desk: Desk, question: str) -> Scope:
    st.html(NARROW)
    st.session_state.question_box = question
    with st.container(horizontal=True, vertical_alignment="bottom", key="asking"):
        st.text_input(
            "Question",
            key="question_box",
            max_chars=state.LONGEST_ASKED,
            placeholder=EXAMPLES,
            on_change=lambda: _ask(st.session_state.question_box),
        )
        within = scope.choose(desk)
        engine.choose()
    st.caption(words.escaped(engine.described()))
    engine.bar(desk.sha256)
    return within


def _ask(question: str) -> None:
    st.session_state.answer_chosen = 0
    st.session_state.just_asked = question.strip()
    offers.ask_next()
    state.say("question", question.strip())


def _replies(desk: Desk, question: str, within: Scope) -> tuple[Reply, ...] | None:
    """What each document within reach answers; those that do before those that do not. None where it is not paid for:
    what it takes is offered.
    """
    desks = (desk,) if within.reach == "this" else scope.likely(question, within)
    if not desks:
        return ()
    if engine.is_paid() and offers.unpaid(
        asktask.question(desks, question), "Ask Claude", lambda: _all(desks, question)
    ):
        return None
    replies = _all(desks, question)
    return tuple(sorted(replies, key=lambda reply: (reply.answer.answer is None, reply.answer.status != "confirmed")))


def _all(desks: Sequence[Desk], question: str) -> list[Reply]:
    """What the documents answer, for nothing; NotKept where Claude was not asked yet."""
    by = engine.result_name()
    return [Reply(one, _answer(one.key, question, by, one)) for one in desks]


@st.cache_resource(max_entries=60, show_spinner="Looking for the answer …")
def _answer(key: str, question: str, by: str, _desk: Desk) -> Answer:
    assert key == _desk.key
    return answer.ask(question, _desk.book, engine.replaying(_desk.sha256))


def _said(desk: Desk, question: str, within: Scope, replies: Sequence[Reply], told: Sequence[Told]) -> None:
    if not told:
        several = f"in the {words.counted(len(replies), 'likeliest document')}" if replies else "in these documents"
        where = "in this document" if within.reach == "this" else several
        st.info(f"Not {where}: nothing was found that answers it.", icon=":material/search_off:")
    else:
        items = [_item(one, within) for one in told]
        table = Hits(desk.sha256, "Answers", HEADS, items, f"{question} {hash(tuple(items))}", "min(45vh, 30rem)")
        hits.draw("replies", table, hits.place("answer_chosen", len(told)), partial(_choose, told))
        if len(told) > 1 and within.reach == "this":
            st.caption(f"{len(told)} places of the document answer it.")
    if replies:
        _cost(replies)
        _tried(replies)


def _choose(told: Sequence[Told], place: int) -> None:
    st.session_state.answer_chosen = place
    begins, section = told[place].given.place, told[place].given.section
    state.turn_to(begins.page if begins else section.page if section else 1)


def _item(one: Told, within: Scope) -> Item:
    given, desk = one.given, one.reply.desk
    section, place = given.section, given.place
    badge, tone = BADGES[one.reply.answer.status]
    return Item(
        name=(section.number or "") if section else given.verdict.cited.anchor,
        title=given.answer,
        text="" if _is_its_quote(given) else " ".join(given.quote.split()),
        page=place.page if place else section.page if section else 0,
        badge=badge,
        tone=tone,
        section=section,
        link=linked(section),
        note="" if within.reach == "this" else desk.name,
        sha256=desk.sha256,
    )


def linked(section: Section | None) -> str:
    """What is written on the link to a section."""
    return (section.anchor or section.title or section.section_id) if section else ""


def shown(one: Told) -> Shown:
    """A place that answers, as it is shown beside its page."""
    found = one.reply.answer
    badge, tone = BADGES[found.status]
    lead = "" if _is_its_quote(one.given) else one.given.answer
    return Shown(one.given.verdict, one.given.section, lead, badge, tone, "; ".join(found.reasons))


def _is_its_quote(given: Given) -> bool:
    """Whether the answer is the quote as it stands."""
    return given.answer.split() == given.quote.split()


def _cost(replies: Sequence[Reply]) -> None:
    """What a model would have been given for it, against all that was asked."""
    sent = sum(reply.answer.tokens for reply in replies)
    whole = sum(reply.desk.book.tokens for reply in replies)
    price = tokens.price()
    share = f"{sent / whole:.1%}" if whole else "–"
    what = "the whole document" if len(replies) == 1 else f"these {len(replies)} documents"
    st.markdown(
        f"**{sent:,} tokens** of the {whole:,} of {what} ({share}): "
        f"\\${price.of(sent)} in place of \\${price.of(whole)}"
    )
    st.caption(
        words.escaped(
            f"What {price.model} would take for them, by the price list of {price.date}; tokens are an estimate. "
            + ("What Claude took stands below, call by call." if engine.is_paid() else NOTHING)
        )
    )
    st.page_link(
        "pages/structure.py",
        label="What the document weighs in other forms",
        icon=":material/scale:",
        query_params=state.link(replies[0].desk.sha256),
    )


def _tried(replies: Sequence[Reply]) -> None:
    box = st.expander("What was tried", icon=":material/manage_search:", key="tried_box", on_change="rerun")
    with box:
        if not box.open:
            return
        for reply in replies:
            if len(replies) > 1:
                st.markdown(f"**{words.escaped(reply.desk.name)}**")
            for number, step in enumerate(reply.answer.steps, 1):
                st.markdown(f"{number}\\. {words.escaped(step.what)}: {words.counted(len(step.passages), 'section')}")
                for passage in step.passages:
                    section = passage.section
                    st.caption(words.escaped(f"{views.named(section)} · page {section.page} · {passage.why}"))
            for note in reply.answer.notes:
                st.caption(words.escaped(note))


def _keep(desk: Desk, question: str, replies: Sequence[Reply]) -> None:
    """Keep a question that was just asked, with the best answer."""
    if st.session_state.pop("just_asked", "") != question or not replies:
        return
    best = replies[0].answer
    place = best.given[0].place if best.given else None
    asked = Asked(question, best.answer, best.section_id, place.page if place else None, best.status)
    try:
        history.add(state.the_store(), desk.sha256, asked)
    except PipelineError as error:
        picker.note("bad", str(error))


def _before(desk: Desk) -> None:
    asked = history.of(state.the_store(), desk.sha256)
    if not asked:
        return
    box = st.expander(f"Asked before: {len(asked)}", icon=":material/history:", key="before_box", on_change="rerun")
    with box:
        if not box.open:
            return
        items = [
            Item(
                f"{one.asked.astimezone():%d %b %H:%M}",
                one.question,
                one.answer or "not in the document",
                one.page or 0,
                BADGES["confirmed" if one.status == "confirmed" else "review"][0] if one.answer else "–",
                charts.GOOD if one.status == "confirmed" and one.answer else charts.QUIET,
            )
            for one in asked
        ]
        heads = ("Asked", "Question and answer", "Page", "Status")
        table = Hits(desk.sha256, "Questions asked before", heads, items, str(hash(tuple(items))), "20rem")
        hits.draw("before", table, -1, lambda place: _again(asked[place].question))
        st.button("Forget them", type="tertiary", on_click=history.clear, args=(state.the_store(), desk.sha256))


def _again(question: str) -> None:
    st.session_state.answer_chosen = 0
    state.say("question", question)
