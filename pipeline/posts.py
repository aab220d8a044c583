"""What was sent to chats and what came back, kept in the store: so that a restart loses nothing and doubles nothing.

Comes in: a `Store`, the number of a bot, chats, updates by their numbers. Goes out: `Post`s; which update is next.
An update is dealt with in the transaction that writes its decision, so it counts once, however often it arrives.
Refuses what the store refuses.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pipeline import decisions
from pipeline.decisions import Decision
from pipeline.store import Store

State = Literal["waiting", "sending", "open", "closed"]


@dataclass(frozen=True)
class Post:
    """A question (finding: what it asks about, as it was decided up to `sequence`), or a line of text (no finding).

    answers: of a question the update that decided it; message: its number in the chat, once it is known.
    """

    number: int
    chat: int
    sha256: str | None
    finding: str
    sequence: int
    text: str
    answers: int | None
    state: State
    message: int | None


@dataclass(frozen=True)
class Outcome:
    """What an update leads to: decisions, lines for its chat, a question that is closed; undone: one to ask again."""

    update: int
    chat: int
    lines: tuple[str, ...] = ()
    decided: tuple[Decision, ...] = ()
    closed: Post | None = None
    undone: Post | None = None


def next_update(store: Store, bot: int) -> int:
    """The first update that was not dealt with, 0 where none was."""
    with store.snapshot() as db:
        row = db.execute("SELECT next FROM bots WHERE bot = ?", (bot,)).fetchone()
    return int(row[0]) if row else 0


def settle(store: Store, bot: int, outcome: Outcome) -> bool:
    """Write all that an update leads to, at once; False where it was dealt with before, and nothing is written."""
    with store.transaction() as db:
        row = db.execute("SELECT next FROM bots WHERE bot = ?", (bot,)).fetchone()
        if row and outcome.update < row[0]:
            return False
        db.execute("INSERT OR REPLACE INTO bots (bot, next) VALUES (?, ?)", (bot, outcome.update + 1))
        decisions.keep_within(db, outcome.decided)
        if outcome.closed:
            answered = outcome.update if outcome.decided else None
            db.execute("UPDATE posts SET state = 'closed', answers = ? WHERE id = ?", (answered, outcome.closed.number))
        if outcome.undone:
            db.execute("UPDATE posts SET answers = NULL WHERE id = ?", (outcome.undone.number,))
        for line in outcome.lines:
            _insert(db, bot, Post(0, outcome.chat, None, "", 0, line, outcome.update, "waiting", None))
    return True


def ask(store: Store, bot: int, post: Post) -> None:
    """Put a question into what is to be sent, unless its chat has one already."""
    with store.transaction() as db:
        known = "SELECT 1 FROM posts WHERE (bot, chat) = (?, ?) AND finding != '' AND state != 'closed'"
        if db.execute(known, (bot, post.chat)).fetchone() is None:
            _insert(db, bot, post)


def mark(store: Store, post: Post, state: State, message: int | None = None) -> None:
    """Keep how far a post is, unless it was answered meanwhile. Of a line that was sent, the text is not kept: it may
    tell a value of a document that is deleted later."""
    told = "CASE WHEN finding = '' AND ? IN ('open', 'closed') THEN '' ELSE text END"
    with store.transaction() as db:
        db.execute(
            f"UPDATE posts SET state = ?, message = coalesce(?, message), text = {told}"
            " WHERE id = ? AND state != 'closed'",
            (state, message, state, post.number),
        )


def unsent(store: Store, bot: int) -> tuple[Post, ...]:
    """What is to be sent; also what was being sent when the connection or the process ended."""
    return _posts(store, "bot = ? AND state IN ('waiting', 'sending')", (bot,))


def asked(store: Store, bot: int, chat: int | None = None) -> tuple[Post, ...]:
    """The questions of a chat (or of all), in the order they were asked."""
    return _posts(store, "bot = ? AND finding != '' AND (chat = ? OR ? IS NULL)", (bot, chat, chat))


def sent(store: Store, bot: int, chat: int) -> frozenset[int]:
    """The numbers of all messages to a chat that are known."""
    with store.snapshot() as db:
        rows = db.execute("SELECT message FROM posts WHERE (bot, chat) = (?, ?) AND message IS NOT NULL", (bot, chat))
        return frozenset(number for (number,) in rows)


def _posts(store: Store, where: str, values: Sequence[object]) -> tuple[Post, ...]:
    columns = "id, chat, sha256, finding, sequence, text, answers, state, message"
    with store.snapshot() as db:
        rows: Iterable[tuple[object, ...]] = db.execute(
            f"SELECT {columns} FROM posts WHERE {where} ORDER BY id", values
        )
        return tuple(Post(*row) for row in rows)  # type: ignore[arg-type]


def _insert(db: sqlite3.Connection, bot: int, post: Post) -> None:
    made = datetime.now(UTC).isoformat(timespec="seconds")
    about = (post.sha256, post.finding, post.sequence, post.text, post.answers)
    db.execute(
        "INSERT INTO posts (bot, chat, sha256, finding, sequence, text, answers, state, made)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?)",
        (bot, post.chat, *about, made),
    )
