"""The calls journal: every call to a model, written before it is sent, and its reply before it is understood.

Comes in: a `Store`, a `Call` (what is asked is known by its hash alone), what it may cost at most; then its reply.
Goes out: the reply of an equal call that was answered before, so that it is not paid for twice; what was spent; the
entries, the newest first. What a call may cost is set aside in the same transaction that asks whether it may be made,
so that calls at the same time do not break a limit together. Refuses what the store refuses, and what `allowed` does.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from pipeline.store import Store
from pipeline.tokens import Usage

NANO = Decimal("1e9")
State = Literal["sent", "answered", "failed"]


@dataclass(frozen=True)
class Call:
    """What is asked: hash of the whole request, what for, of which document (empty: of none), in which run, of which
    model, by which version of the prompts.
    """

    request: str
    purpose: str
    sha256: str
    run: str
    model: str
    prompt: str


class Kept(NamedTuple):
    """A reply that the journal holds, and the number of its call."""

    number: int
    reply: str


class Spent(NamedTuple):
    """US dollars spent, or set aside for calls without a reply yet: on the document, in the run, today (UTC)."""

    document: Decimal
    run: Decimal
    day: Decimal


class Posted(NamedTuple):
    """A call that waits for its reply in a batch: its number, the batch's id, when it was made."""

    number: int
    request: str
    model: str
    batch: str
    made: datetime


@dataclass(frozen=True)
class Outcome:
    """What became of a call: its tokens, its cost in US dollars, how long it took."""

    usage: Usage = Usage()
    dollars: Decimal = Decimal(0)
    seconds: float = 0.0


@dataclass(frozen=True)
class Entry:
    """A call as the journal shows it. fault: why it failed, or why its reply was of no use."""

    number: int
    call: Call
    state: State
    fault: str
    outcome: Outcome
    made: datetime


@dataclass(frozen=True)
class Sum:
    """Calls taken together."""

    calls: int
    usage: Usage
    dollars: Decimal


def new_run() -> str:
    """A name for a run, under which its calls are added up."""
    return secrets.token_hex(8)


def kept(store: Store, request: str) -> Kept | None:
    """The newest reply to an equal request against which nothing is known."""
    with store.snapshot() as db:
        row = db.execute(
            "SELECT id, reply FROM calls WHERE request = ? AND state = 'answered' AND fault = '' AND reply IS NOT NULL"
            " ORDER BY id DESC LIMIT 1",
            (request,),
        ).fetchone()
    return Kept(*row) if row else None


def begin(store: Store, call: Call, most: Decimal, allowed: Callable[[Spent], None], batch: str = "") -> int:
    """The number of a call that may be made now; `most` dollars are set aside for it. `allowed` refuses by raising.

    batch: the batch that it is sent in.
    """
    with store.transaction() as db:
        allowed(_spent(db, call))
        known = (call.request, call.purpose, call.sha256, call.run, call.model, call.prompt)
        found = db.execute(
            "INSERT INTO calls (request, purpose, sha256, run, model, prompt, state, nanodollars, made, batch)"
            " VALUES (?, ?, ?, ?, ?, ?, 'sent', ?, ?, ?)",
            (*known, _nano(most), _now(), batch),
        )
        assert found.lastrowid is not None
        return found.lastrowid


def answered(store: Store, number: int, reply: str, outcome: Outcome) -> None:
    """Keep a call's reply, as it came."""
    _finish(store, number, "answered", reply, "", outcome)


def failed(store: Store, number: int, fault: str, outcome: Outcome) -> None:
    """Note that a call had no reply, and why; what is known of its cost counts."""
    _finish(store, number, "failed", None, fault, outcome)


def refute(store: Store, number: int, fault: str) -> None:
    """Note that a call's reply is of no use, and why: it is not taken for an equal call again."""
    with store.transaction() as db:
        db.execute("UPDATE calls SET fault = ? WHERE id = ?", (_text(fault), number))


def posted(store: Store, requests: Collection[str]) -> tuple[Posted, ...]:
    """The calls that wait in batches in which one of these requests does, the oldest first."""
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT id, request, model, batch, made FROM calls WHERE state = 'sent' AND batch != '' AND batch IN"
            " (SELECT batch FROM calls JOIN json_each(?) ON request = value WHERE state = 'sent') ORDER BY id",
            (json.dumps(sorted(requests)),),
        ).fetchall()
    return tuple(Posted(*row)._replace(made=datetime.fromisoformat(row[4])) for row in rows)


def is_batch(store: Store, batch: str) -> bool:
    """Whether calls of the batch are in the journal."""
    with store.snapshot() as db:
        return db.execute("SELECT 1 FROM calls WHERE batch = ? LIMIT 1", (batch,)).fetchone() is not None


def rename_batch(store: Store, batch: str, name: str) -> None:
    """Note the id that a batch was given."""
    with store.transaction() as db:
        db.execute("UPDATE calls SET batch = ? WHERE batch = ?", (name, batch))


def faults(store: Store, request: str, run: str) -> tuple[str, ...]:
    """Why calls with this request failed in the run, the oldest first."""
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT fault FROM calls WHERE request = ? AND run = ? AND fault != '' ORDER BY id", (request, run)
        ).fetchall()
    return tuple(fault for (fault,) in rows)


def took(store: Store, numbers: Collection[int]) -> tuple[Outcome, ...]:
    """What these calls took, whenever that was."""
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT input, output, cache_write, cache_read, nanodollars, seconds FROM calls JOIN json_each(?)"
            " ON calls.id = value ORDER BY calls.id",
            (json.dumps(sorted(numbers)),),
        ).fetchall()
    return tuple(Outcome(Usage(*row[:4]), row[4] / NANO, row[5]) for row in rows)


def _finish(store: Store, number: int, state: State, reply: str | None, fault: str, outcome: Outcome) -> None:
    with store.transaction() as db:
        db.execute(
            "UPDATE calls SET state = ?, reply = ?, fault = ?, nanodollars = ?, seconds = ?,"
            " input = ?, output = ?, cache_write = ?, cache_read = ? WHERE id = ?",
            (
                state,
                None if reply is None else _text(reply),
                _text(fault),
                _nano(outcome.dollars),
                outcome.seconds,
                *outcome.usage,
                number,
            ),
        )


def spent(store: Store, call: Call) -> Spent:
    """What was spent so far on the call's document, in its run, and today."""
    with store.snapshot() as db:
        return _spent(db, call)


def total(store: Store, run: str) -> Sum:
    """The calls of a run that had a reply, and what all of its calls took."""
    with store.snapshot() as db:
        calls, dollars, *usage = db.execute(
            "SELECT count(*) FILTER (WHERE state = 'answered'), coalesce(sum(nanodollars), 0),"
            " coalesce(sum(input), 0), coalesce(sum(output), 0), coalesce(sum(cache_write), 0),"
            " coalesce(sum(cache_read), 0) FROM calls WHERE run = ?",
            (run,),
        ).fetchone()
    return Sum(calls, Usage(*usage), dollars / NANO)


def aside(store: Store, run: str) -> Decimal:
    """US dollars that are set aside for the calls of a run that have no reply yet."""
    with store.snapshot() as db:
        row = db.execute(
            "SELECT coalesce(sum(nanodollars), 0) FROM calls WHERE run = ? AND state = 'sent'", (run,)
        ).fetchone()
    return Decimal(row[0]) / NANO


def entries(store: Store, sha256: str = "", most: int = 1_000) -> tuple[Entry, ...]:
    """The calls on a document, or all, the newest first."""
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT id, request, purpose, sha256, run, model, prompt, state, fault,"
            " input, output, cache_write, cache_read, nanodollars, seconds, made"
            " FROM calls WHERE ? IN ('', sha256) ORDER BY id DESC LIMIT ?",
            (sha256, most),
        ).fetchall()
    return tuple(_entry(row) for row in rows)


def _entry(row: tuple[Any, ...]) -> Entry:
    number, call, (state, fault), usage, (nano, seconds, made) = row[0], row[1:7], row[7:9], row[9:13], row[13:]
    outcome = Outcome(Usage(*usage), nano / NANO, seconds)
    return Entry(number, Call(*call), state, fault, outcome, datetime.fromisoformat(made))


def _spent(db: Any, call: Call) -> Spent:
    [document, run, day] = (
        db.execute(f"SELECT coalesce(sum(nanodollars), 0) FROM calls WHERE {where}", values).fetchone()[0]
        for where, values in (
            ("sha256 = ? AND sha256 != ''", (call.sha256,)),
            ("run = ?", (call.run,)),
            ("made >= ?", (_now()[:10],)),
        )
    )
    return Spent(document / NANO, run / NANO, day / NANO)


def _nano(dollars: Decimal) -> int:
    return int((dollars * NANO).to_integral_value())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _text(text: str) -> str:
    """Half surrogate pairs become ?: SQLite takes no others."""
    return text.encode("utf-8", "replace").decode("utf-8")
