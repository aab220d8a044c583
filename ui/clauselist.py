"""Every clause of a document about something: a box to ask, suggestions, the clauses with their verdicts, files.

Comes in: a `Desk`, a topic. Goes out: drawings. Refuses nothing: a topic that no clause is about says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import streamlit as st

from pipeline import answer, export
from pipeline.answer import Clause
from pipeline.engine import Query
from ui import asktask, engine, evidence, hits, offers, state, suggested, words
from ui.desk import Desk
from ui.evidence import Shown
from ui.hits import Hits, Item

HEADS = ("Clause", "Words of it", "Page", "Verdict")
COLUMNS = ("number", "anchor", "section_id", "title", "quote", "page", "verdict", "reason")


def draw(desk: Desk) -> None:
    """Draw the list."""
    topic = state.said("topic")
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _asked(desk, topic)
        found = _listed(desk, topic) if topic else ()
        if found is None:
            pass
        elif not topic:
            st.info("Name what the clauses are to be about, or choose a topic.", icon=":material/format_list_bulleted:")
        elif not found:
            st.info(f"No clause of this document is about “{words.escaped(topic)}”.", icon=":material/search_off:")
        else:
            _list(desk, topic, found)
    if found:
        with right:
            chosen = found[hits.place("clause_chosen", len(found))]
            evidence.draw(desk, Shown(chosen.verdict, chosen.section))


def _asked(desk: Desk, topic: str) -> None:
    names = suggested.names(desk)
    st.session_state.topic_box = topic
    st.session_state.topic_pill = next((name for name in names if name.casefold() == topic.casefold()), None)
    with st.container(horizontal=True, vertical_alignment="bottom", key="listing"):
        st.text_input(
            "List every clause about",
            key="topic_box",
            max_chars=state.LONGEST_ASKED,
            placeholder=names[0] if names else "termination",
            on_change=lambda: _ask(st.session_state.topic_box),
        )
        engine.choose()
    engine.bar(desk.sha256)
    st.pills(
        "Topics",
        names,
        key="topic_pill",
        label_visibility="collapsed",
        on_change=lambda: _ask(st.session_state.topic_pill or ""),
    )


def _ask(topic: str) -> None:
    st.session_state.clause_chosen = 0
    offers.ask_next()
    state.say("topic", topic.strip())


def _listed(desk: Desk, topic: str) -> tuple[Clause, ...] | None:
    """The clauses; None where Claude was not asked for them yet: what it takes is offered."""
    if engine.is_paid():
        task = asktask.clauses(desk, _query(desk, topic))
        if offers.unpaid(task, "Ask Claude", lambda: _found(desk.key, topic, engine.result_name(), desk)):
            return None
    return _found(desk.key, topic, engine.result_name(), desk)


@st.cache_resource(max_entries=30, show_spinner="Looking for the clauses …")
def _found(key: str, topic: str, by: str, _desk: Desk) -> tuple[Clause, ...]:
    assert key == _desk.key
    reader = engine.replaying(_desk.sha256)
    return answer.clauses(_query(_desk, topic), _desk.book.sections, _desk.book.reading, reader)


def _query(desk: Desk, topic: str) -> Query:
    return Query(topic, desk.profile.clauses.synonyms)


def _choose(found: Sequence[Clause], place: int) -> None:
    st.session_state.clause_chosen = place
    state.turn_to(found[place].page or 1)


def _list(desk: Desk, topic: str, found: tuple[Clause, ...]) -> None:
    doubtful = sum(clause.verdict.verdict != "verified" for clause in found)
    told = f"{doubtful} not verified" if doubtful else "each quote stands in its clause"
    st.caption(f"{words.counted(len(found), 'clause')} · {told}")
    table = Hits(
        desk.sha256, f"Clauses about {topic}", HEADS, [_item(clause) for clause in found], f"{desk.key} {topic}"
    )
    hits.draw("clauses", table, hits.place("clause_chosen", len(found)), partial(_choose, found))
    name = desk.name.removesuffix(".pdf")
    with st.container(horizontal=True):
        save = partial(st.download_button, icon=":material/download:", on_click="ignore")
        save("CSV", partial(_csv, found), f"{name}.clauses.csv", "text/csv", key="clauses_csv")
        save("JSON", partial(_json, desk, topic, found), f"{name}.clauses.json", "application/json", key="clauses_json")


def _item(clause: Clause) -> Item:
    section, ruling = clause.section, clause.verdict.verdict
    return Item(
        name=(section.number or "") if section else clause.section_id,
        title=section.title if section else "there is no such clause",
        text=" ".join(clause.quote.split()),
        page=clause.page or 0,
        badge=hits.BADGES[ruling],
        tone=hits.TONES[ruling],
        section=section,
        link=(section.anchor or section.section_id) if section else "",
        note="" if ruling == "verified" else clause.verdict.reason,
    )


def _csv(found: Sequence[Clause]) -> bytes:
    rows = []
    for clause in found:
        section, verdict = clause.section, clause.verdict
        named = (section.number or "", section.anchor or "") if section else ("", "")
        title = section.title if section else ""
        page = str(clause.page or "")
        rows.append((*named, clause.section_id, title, clause.quote, page, verdict.verdict, verdict.reason))
    return export.table_csv(COLUMNS, rows)


def _json(desk: Desk, topic: str, found: Sequence[Clause]) -> str:
    return json.dumps(answer.to_json(_query(desk, topic), found, engine.kind()), ensure_ascii=False, indent=1)
