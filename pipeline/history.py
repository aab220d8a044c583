"""What was asked of a document before, kept in the store with what was answered.

Comes in: a `Store`, a document by its sha256, what was `Asked`. Goes out: the same, the newest first;
it ends with the document. Refuses what the store refuses; a question of a document that is not there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pipeline.model import Status
from pipeline.store import Store

KEPT = 200  # questions of a document


@dataclass(frozen=True)
class Asked:
    """A question that was asked. answer: None where the document did not say; page: of the quote, or None."""

    question: str
    answer: str | None
    section_id: str | None
    page: int | None
    status: Status
    asked: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))


def add(store: Store, sha256: str, asked: Asked) -> None:
    """Keep a question and its answer, in place of the same question asked before."""
    question, told = _text(asked.question), _told(asked)
    with store.transaction() as db:
        db.execute("DELETE FROM asked WHERE (sha256, question) = (?, ?)", (sha256, question))
        values = (sha256, question, told, asked.asked.isoformat())
        db.execute("INSERT INTO asked (sha256, question, answer, asked) VALUES (?, ?, ?, ?)", values)
        db.execute(
            "DELETE FROM asked WHERE sha256 = ? AND id NOT IN"
            " (SELECT id FROM asked WHERE sha256 = ? ORDER BY id DESC LIMIT ?)",
            (sha256, sha256, KEPT),
        )


def of(store: Store, sha256: str) -> tuple[Asked, ...]:
    """What was asked of a document, the newest first."""
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT question, answer, asked FROM asked WHERE sha256 = ? ORDER BY id DESC", (sha256,)
        ).fetchall()
    return tuple(_asked(*row) for row in rows)


def clear(store: Store, sha256: str) -> None:
    """Forget what was asked of a document."""
    with store.transaction() as db:
        db.execute("DELETE FROM asked WHERE sha256 = ?", (sha256,))


def _told(asked: Asked) -> str:
    """The answer by contract, as far as it is kept."""
    told = {"answer": asked.answer, "section_id": asked.section_id, "page": asked.page, "status": asked.status}
    return _text(json.dumps(told, ensure_ascii=False))


def _asked(question: str, answer: str, asked: str) -> Asked:
    told = json.loads(answer)
    when = datetime.fromisoformat(asked)
    return Asked(question, told["answer"], told["section_id"], told["page"], told["status"], when)


def _text(text: str) -> str:
    """Half surrogate pairs become ?: SQLite takes no others."""
    return text.encode("utf-8", "replace").decode("utf-8")
