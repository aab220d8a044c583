"""Values that somebody made of a document, as they rest in the store with what the page said of them.

Comes in: a `Store`, a `Verified` with the name of the file it was made from. Goes out: the same, exact. The newest of a
name takes the place of the one before. Refuses what the store refuses, and as StoreError what cannot be understood.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from pipeline import records
from pipeline.leaves import Value
from pipeline.model import Source, Status, StoreError
from pipeline.store import Store
from pipeline.verify import Nature, Verdict, Verified


@dataclass(frozen=True)
class _Rested:
    """A verdict in types that rest in the store. path: as JSON; text: the value as it is printed in JSON."""

    path: str
    kind: Literal["number", "text", "yesno"]
    text: str
    status: Status
    reason: str
    nature: Nature
    source: Source


@dataclass(frozen=True)
class _Body:
    values: tuple[_Rested, ...]
    missing: tuple[Source, ...]


def pack(verified: Verified) -> str:
    """What was verified as text, exactly."""
    return records.pack(_Body(tuple(map(_rested, verified.values)), verified.missing))


@lru_cache(maxsize=4)
def unpack(text: str) -> Verified:
    """What was packed; ValueError where the text holds something else."""
    body = records.unpack(_Body, text)
    return Verified(tuple(map(_verdict, body.values)), body.missing)


def save(store: Store, sha256: str, name: str, verified: Verified) -> None:
    """Keep what was verified of a document, in place of what was kept under the name."""
    made = datetime.now(UTC).isoformat(timespec="seconds")
    with store.transaction() as db:
        db.execute(
            "INSERT OR REPLACE INTO extractions (sha256, name, made, body) VALUES (?, ?, ?, ?)",
            (sha256, name, made, pack(verified)),
        )


def of(store: Store, sha256: str, name: str) -> Verified | None:
    """What was kept under the name, or None."""
    with store.snapshot() as db:
        row = db.execute("SELECT body FROM extractions WHERE (sha256, name) = (?, ?)", (sha256, name)).fetchone()
    if row is None:
        return None
    try:
        return unpack(row[0])
    except ValueError as error:
        raise StoreError(f"The values {name!r} in the store cannot be understood. Verify them again.") from error


def names(store: Store, sha256: str = "") -> list[tuple[str, str]]:
    """What is kept of a document, or of all: its sha256 and the name, the newest first."""
    with store.snapshot() as db:
        return db.execute(
            "SELECT sha256, name FROM extractions WHERE ? IN (sha256, '') ORDER BY rowid DESC", (sha256,)
        ).fetchall()


def drop(store: Store, sha256: str, name: str) -> None:
    """Take values out of review; what was decided of them stays in the audit."""
    with store.transaction() as db:
        db.execute("DELETE FROM extractions WHERE (sha256, name) = (?, ?)", (sha256, name))


def _rested(one: Verdict) -> _Rested:
    path = json.dumps(list(one.path), ensure_ascii=False)
    kind: Literal["number", "text", "yesno"] = "text"
    if isinstance(one.value, bool | Decimal):
        kind = "yesno" if isinstance(one.value, bool) else "number"
    return _Rested(path, kind, str(one.value), one.status, one.reason, one.nature, one.source)


def _verdict(one: _Rested) -> Verdict:
    value: Value = one.text
    if one.kind != "text":
        value = Decimal(one.text) if one.kind == "number" else one.text == "True"
    return Verdict(tuple(json.loads(one.path)), value, one.status, one.reason, one.nature, one.source)
