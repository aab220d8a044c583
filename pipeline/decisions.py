"""What people said of findings: kept in the store, never changed, undone only by a further decision.

Comes in: a `Store`, `Decision`s. Goes out: the decisions of a document in the order they were made, and which of them
stand. Refuses, as Overtaken: a decision on what somebody else decided meanwhile; as StoreError what the store refuses.
A finding is known by its `Mark`, which a later run over the same file gives again: so decisions survive reruns.
"""

from __future__ import annotations

import getpass
import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal, NamedTuple

from pipeline import records
from pipeline.model import Box, StoreError
from pipeline.store import Store

Action = Literal["approve", "correct", "reject", "split", "add", "undo"]
LONGEST_NAME = 80


class Overtaken(StoreError):
    """Somebody else decided the same finding first."""


class Value(NamedTuple):
    """What a person gives for a column, in plain form; an empty value: the row has none."""

    column: str
    value: str


Part = tuple[Value, ...]


@dataclass(frozen=True)
class Mark:
    """What a finding is known by. field: the column or the sum it is about, or empty; box: around its words."""

    sha256: str
    kind: str
    field: str
    page: int | None
    box: Box | None

    @cached_property
    def id(self) -> str:
        """Sixteen hex digits; the box counts in whole points, so that a reader's rounding changes nothing."""
        box = ",".join(str(round(edge)) for edge in self.box) if self.box else ""
        text = "\0".join((self.sha256, self.kind, self.field, str(self.page or ""), box))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Decision:
    """What a person said. sequence: from 1 for each finding; parts: the rows given (one to correct or add, two or more
    to split); before: what was read, in words.
    """

    mark: Mark
    sequence: int
    action: Action
    who: str
    parts: tuple[Part, ...] = ()
    before: str = ""
    made: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))

    @property
    def told(self) -> str:
        """Who did what, and when."""
        return f"{DONE[self.action]} by {self.who}, {self.when}"

    @property
    def when(self) -> str:
        """When it was made."""
        return f"{self.made:%Y-%m-%d %H:%M} UTC"


FIELD = "field"  # how the kinds of marks begin that belong to fields of invoices
VALUE = "value"  # and to values that somebody made, held against the page

DONE: dict[Action, str] = {
    "approve": "approved",
    "correct": "corrected",
    "reject": "rejected",
    "split": "split",
    "add": "added",
    "undo": "undone",
}


def user() -> str:
    """Who decides where no name is given: the user of this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def keep(store: Store, made: Sequence[Decision]) -> None:
    """Keep decisions, all or none. One that is there already (a double click) is the same one."""
    with store.transaction() as db:
        keep_within(db, made)


def keep_within(db: sqlite3.Connection, made: Sequence[Decision]) -> None:
    """As `keep`, together with what else is written in a transaction of the store."""
    for decision in made:
        known = _at(db, decision.mark.id, decision.sequence)
        if known is None:
            _insert(db, decision)
        elif (known.action, known.parts, known.who) != (decision.action, decision.parts, decision.who):
            raise Overtaken(f"This was {known.told} meanwhile. Look at it again: nothing of yours was written.")


def _insert(db: sqlite3.Connection, decision: Decision) -> None:
    mark = decision.mark
    last = db.execute("SELECT coalesce(max(sequence), 0) FROM decisions WHERE finding = ?", (mark.id,)).fetchone()[0]
    if decision.sequence != last + 1:
        raise Overtaken("What you look at is older than the store. Look at it again: nothing of yours was written.")
    values = (records.pack(mark), decision.action, records.pack(decision.parts), decision.before, decision.who)
    try:
        db.execute(
            "INSERT INTO decisions (sha256, finding, sequence, mark, action, parts, before, who, made)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (mark.sha256, mark.id, decision.sequence, *values, decision.made.isoformat()),
        )
    except sqlite3.IntegrityError as error:
        raise StoreError("The document is not in the store (any more). Add the file again.") from error


def _at(db: sqlite3.Connection, finding: str, sequence: int) -> Decision | None:
    row = db.execute(f"{COLUMNS} WHERE finding = ? AND sequence = ?", (finding, sequence)).fetchone()
    return _decision(*row) if row else None


def of(store: Store, sha256: str) -> tuple[Decision, ...]:
    """All decisions on a document, in the order they were made."""
    with store.snapshot() as db:
        rows = db.execute(f"{COLUMNS} WHERE sha256 = ? ORDER BY id", (sha256,)).fetchall()
    return tuple(_decision(*row) for row in rows)


def newest(store: Store, most: int) -> tuple[Decision, ...]:
    """Decisions on all documents, the last made first."""
    with store.snapshot() as db:
        rows = db.execute(f"{COLUMNS} ORDER BY id DESC LIMIT ?", (most,)).fetchall()
    return tuple(_decision(*row) for row in rows)


def every(store: Store) -> tuple[Decision, ...]:
    """All decisions on all documents, in the order they were made."""
    with store.snapshot() as db:
        rows = db.execute(f"{COLUMNS} ORDER BY id").fetchall()
    return tuple(_decision(*row) for row in rows)


COLUMNS = "SELECT mark, sequence, action, who, parts, before, made FROM decisions"


def _decision(mark: str, sequence: int, action: Action, who: str, parts: str, before: str, made: str) -> Decision:
    try:
        given = records.unpack(tuple[Part, ...], parts)
        known = records.unpack(Mark, mark)
    except ValueError as error:
        raise StoreError("A decision in the store cannot be understood. Run: pagewitness store check") from error
    return Decision(known, sequence, action, who, given, before, datetime.fromisoformat(made))


def about(mark: Mark) -> Literal["rows", "fields", "values"]:
    """The kind of result that a mark is of."""
    if mark.kind.startswith(FIELD):
        return "fields"
    return "values" if mark.kind.startswith(VALUE) else "rows"


def of_fields(made: Iterable[Decision]) -> tuple[Decision, ...]:
    """Those on fields of invoices."""
    return tuple(one for one in made if about(one.mark) == "fields")


def of_rows(made: Iterable[Decision]) -> tuple[Decision, ...]:
    """Those on a statement: on its rows, totals and findings."""
    return tuple(one for one in made if about(one.mark) == "rows")


def of_values(made: Iterable[Decision]) -> tuple[Decision, ...]:
    """Those on values that somebody made."""
    return tuple(one for one in made if about(one.mark) == "values")


def standing(made: Iterable[Decision]) -> dict[str, tuple[Decision, ...]]:
    """By finding, the decisions that no later one undid, in order. Of a row that was approved, corrected, rejected or
    split, what was said of it before is settled; added rows stay; a correction keeps what earlier ones corrected.
    """
    stacks: dict[str, list[Decision]] = {}
    for decision in made:
        stack = stacks.setdefault(decision.mark.id, [])
        if decision.action != "undo":
            stack.append(decision)
        elif stack:
            stack.pop()
    return {finding: tuple(stack) for finding, stack in stacks.items() if stack}


def sequences(made: Iterable[Decision]) -> dict[str, int]:
    """The last sequence of each finding."""
    return {decision.mark.id: decision.sequence for decision in made}


def to_json(made: Decision) -> dict[str, Any]:
    """A decision as the audit has it."""
    return {
        "finding": made.mark.id,
        "sequence": made.sequence,
        "action": made.action,
        "values": [{value.column: value.value for value in part} for part in made.parts],
        "before": made.before,
        "page": made.mark.page,
        "who": made.who,
        "when": made.made.isoformat(),
    }


def words(part: Part) -> str:
    """Values on one line: `date 2026-02-03; amount 12.50`."""
    return "; ".join(f"{column.replace('_', ' ')} {value}" for column, value in part if value)


def name(text: str) -> str:
    """A person's name as it is kept: one line, not too long; the user of this machine where it is empty."""
    return (
        " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:LONGEST_NAME] or user()
    )
