"""Questions and lists of clauses, as tasks for Claude.

Comes in: documents, what is asked of them. Goes out: `Task`s; what they find is in the journal afterwards, so that
the page has it for nothing. Refuses nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pipeline import answer
from pipeline.claude import Claude
from pipeline.engine import Query
from pipeline.questions import Question
from ui import engine, runs, state, words
from ui.desk import Desk
from ui.offers import Task
from ui.paidruns import Progress


def question(desks: Sequence[Desk], text: str) -> Task:
    """One question to some documents, at least one."""
    title = f"{engine.model(engine.chosen())} answers"
    rehearsal = partial(_answered, desks, text)
    return Task(_name("ask", desks, text), title, desks[0].sha256, rehearsal, rehearsal, at_most=True)


def clauses(desk: Desk, query: Query) -> Task:
    """The clauses of a document about something."""
    title = f"{engine.model(engine.chosen())} looks for the clauses of {desk.name}"
    rehearsal = partial(_listed, desk, query)
    return Task(_name("clauses", [desk], query.text), title, desk.sha256, rehearsal, rehearsal)


def many(desk: Desk, asked: Sequence[Question]) -> Task:
    """Many questions to a document."""
    title = f"{engine.model(engine.chosen())} answers {words.counted(len(asked), 'question')}"
    return Task(
        _name("many", [desk], "\n".join(one.text for one in asked)),
        title,
        desk.sha256,
        partial(_filled, desk, asked, engine.result_name()),
        lambda reader: [answer.ask(one.text, desk.book, reader) for one in asked],
        at_most=True,
    )


def _name(kind: str, desks: Sequence[Desk], text: str) -> str:
    parts = (str(state.the_store().home), engine.result_name(), *(desk.key for desk in desks), text)
    return f"{kind} {hashlib.sha256(chr(0).join(parts).encode()).hexdigest()}"


def _answered(desks: Sequence[Desk], text: str, reader: Claude, progress: Progress | None = None) -> None:
    for done, desk in enumerate(desks):
        if progress:
            progress(done, len(desks))
        answer.ask(text, desk.book, _about(reader, desk))


def _listed(desk: Desk, query: Query, reader: Claude, progress: Progress | None = None) -> None:
    answer.clauses(query, desk.book.sections, desk.book.reading, reader)


def _filled(desk: Desk, asked: Sequence[Question], by: str, reader: Claude, progress: Progress) -> None:
    """Answer the questions into a run over the document, in place of the one before."""
    found, before = runs.made(desk, asked, by), reader.caller.stopped
    reader.caller.stopped = lambda: before() or found.stopped.is_set()
    try:
        runs.answered(found, reader, progress)
    finally:
        found.ended.set()


def _about(reader: Claude, desk: Desk) -> Claude:
    """The same engine, whose calls are about the document."""
    return replace(reader, caller=replace(reader.caller, sha256=desk.sha256))
