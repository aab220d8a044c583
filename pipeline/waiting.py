"""The review queue in its order, kept in the store: the most valuable question first, over all kinds of results.

Comes in: a `Store`. Goes out: how many questions are open, and the one at any place of the queue with its `Case`, at
the cost of that one document: what was decided or extracted since is made anew, all else is as it was kept.
Amounts of different currencies are put in order by about what they are worth (worth.toml). Refuses what the store does.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from pipeline import docket, records, run, worth
from pipeline.asked import Question
from pipeline.docket import Case, Result
from pipeline.store import Key, Store

MOST_CASES = 16  # that are kept in this process
TRIES = 20  # to see the index while others decide

Progress = Callable[[int, int], None]
_At = tuple[str, docket.Kind, str]  # sha256, kind and key of a result

_cases: OrderedDict[str, Case] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True)
class Kept:
    """A result of the queue: how much of it is open and decided, and its verdict."""

    result: Result
    name: str
    open: int
    decided: int
    verdict: str


@dataclass(frozen=True)
class Place:
    """A question, the case it belongs to, and where it stands among the open ones, from 0."""

    case: Case
    question: Question
    number: int
    count: int


def kept(store: Store, progress: Progress | None = None) -> tuple[Kept, ...]:
    """All results that the queue asks about. progress: of putting new ones into the queue; results done, in all."""
    with _looked_at(store, progress) as db:
        rows = db.execute(
            "SELECT r.kind, r.sha256, r.key, d.name, r.decided, r.verdict,"
            " (SELECT count(*) FROM queue_questions WHERE result = r.id)"
            " FROM queue_results r JOIN documents d USING (sha256) ORDER BY d.name, r.kind"
        ).fetchall()
    return tuple(
        Kept(Result(kind, sha256, records.unpack(Key, key)), name, count, decided, verdict)
        for kind, sha256, key, name, decided, verdict, count in rows
    )


def at(store: Store, number: int, sha256: str = "") -> Place | None:
    """The question at a place of the queue (of one document), counted on from its end; None where none is open."""
    scope, values = ("WHERE r.sha256 = ?", (sha256,)) if sha256 else ("", ())
    joined = f"FROM queue_questions q JOIN queue_results r ON r.id = q.result {scope}"
    with _looked_at(store) as db:
        [count] = db.execute(f"SELECT count(*) {joined}", values).fetchone()
        if not count:
            return None
        row = db.execute(
            f"SELECT r.kind, r.sha256, r.key, r.stamp, q.question {joined}"
            " ORDER BY q.worth DESC, q.result, q.position LIMIT 1 OFFSET ?",
            (*values, number % count),
        ).fetchone()
    kind, document, key, stamp, wanted = row
    found = _case(store, Result(kind, document, records.unpack(Key, key)), stamp)
    question = next((one for one in found.judged.questions if one.id == wanted), None) if found else None
    if found is None or question is None:  # it changed between the two looks
        return at(store, number, sha256)
    return Place(found, question, number % count, count)


def case(store: Store, result: Result) -> Case | None:
    """A result as it is decided now."""
    with _looked_at(store) as db:
        row = db.execute(
            "SELECT stamp FROM queue_results WHERE (sha256, kind, key) = (?, ?, ?)",
            (result.sha256, result.kind, records.pack(result.key)),
        ).fetchone()
    return _case(store, result, row[0]) if row else None


def _case(store: Store, result: Result, stamp: str) -> Case | None:
    """The case that was indexed under the stamp; made anew in another process."""
    with _lock:
        if stamp in _cases:
            _cases.move_to_end(stamp)
            return _cases[stamp]
    made = docket.case(store, result)
    if made:
        _remember(stamp, made)
    return made


def _remember(stamp: str, made: Case) -> None:
    with _lock:
        _cases[stamp] = made
        while len(_cases) > MOST_CASES:
            _cases.popitem(last=False)


@contextmanager
def _looked_at(store: Store, progress: Progress | None = None) -> Iterator[sqlite3.Connection]:
    """The index with nothing out of date in it: a decision of somebody else takes its document out for a moment."""
    for _ in range(TRIES):
        indexed = _refresh(store, progress)
        with store.snapshot() as db:
            if indexed <= _known(db):
                yield db
                return
    with store.snapshot() as db:  # others write faster than this makes it anew
        yield db


def _refresh(store: Store, progress: Progress | None = None) -> set[_At]:
    """Bring the index up to date: what is new or was decided is made anew, what is gone is taken out. What is in it."""
    wanted = {(one.sha256, one.kind, records.pack(one.key)): one for one in docket.results(store)}
    with store.snapshot() as db:
        known = _known(db)
    if gone := known - wanted.keys():
        with store.transaction() as db:
            db.executemany("DELETE FROM queue_results WHERE (sha256, kind, key) = (?, ?, ?)", list(gone))
    new = [at for at in wanted if at not in known]
    empty = set[_At]()
    for number, at in enumerate(new, 1):
        if not _index(store, wanted[at]):
            empty.add(at)
        if progress:
            progress(number, len(new))
    return wanted.keys() - empty


def _known(db: sqlite3.Connection) -> set[_At]:
    """The results that this version of the code indexed."""
    return set(db.execute("SELECT sha256, kind, key FROM queue_results WHERE stamp LIKE ?", (_version("%"),)))


def _index(store: Store, result: Result) -> bool:
    """Index one result, if it is still there; nothing else is written meanwhile, so that it is not older than what is
    kept.
    """
    key = (result.sha256, result.kind, records.pack(result.key))
    with store.transaction() as db:
        db.execute("DELETE FROM queue_results WHERE (sha256, kind, key) = (?, ?, ?)", key)
        if (made := docket.case(store, result)) is None:
            return False
        stamp = _version(secrets.token_hex(8))
        _insert(db, made, stamp)
    _remember(stamp, made)
    return True


def _insert(db: sqlite3.Connection, made: Case, stamp: str) -> None:
    now, result = made.judged, made.result
    values = (result.sha256, result.kind, records.pack(result.key), stamp, now.verdict, len(now.standing))
    number = db.execute(
        "INSERT INTO queue_results (sha256, kind, key, stamp, verdict, decided) VALUES (?, ?, ?, ?, ?, ?)", values
    ).lastrowid
    db.executemany(
        "INSERT INTO queue_questions (result, position, question, worth) VALUES (?, ?, ?, ?)",
        [(number, position, one.id, worth.of(one)) for position, one in enumerate(now.questions)],
    )


def _version(mark: str) -> str:
    """A stamp of this version of the code: another one asks in its own way."""
    return f"{run.code_version()}-{mark}"
