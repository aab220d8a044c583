"""Verifications in the store: the values that were supplied for a document, and what the page said of them.

Comes in: a `Store`, `Supplied` values by their document, what was verified under a `Key`. Goes out: the same, exact;
the history of a document. The same values supplied again are the same verification. Refuses what the store refuses; a
result of another version of the code, or one that cannot be understood, counts as not there, and is made again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from pipeline import valuestore
from pipeline.store import Key, Store
from pipeline.supplied import Supplied
from pipeline.verify import Verified

SUPPLIED = "name, text, schema_name, schema"


@dataclass(frozen=True)
class Held:
    """What was verified, without any decision. seconds: from the words of the pages to the verdicts."""

    supplied: Supplied
    verified: Verified
    seconds: float


@dataclass(frozen=True)
class Past:
    """A verification as lists show it. in_review: values and missing rows for a person, None where it was not made."""

    number: int
    name: str
    supplied: datetime
    values: int | None
    in_review: int | None


def supply(store: Store, sha256: str, given: Supplied) -> int:
    """Keep values for a document, to be verified; their number. Values that are there become the newest."""
    with store.transaction() as db:
        [number] = db.execute(
            f"INSERT INTO verifications (sha256, digest, supplied, {SUPPLIED}) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (sha256, digest) DO UPDATE SET supplied = excluded.supplied, name = excluded.name"
            " RETURNING number",
            (sha256, given.digest, _now(), given.name, given.text, given.schema_name, given.schema),
        ).fetchone()
    return int(number)


def waiting(store: Store, sha256: str, key: Key) -> list[tuple[int, Supplied]]:
    """The values of a document that have no result under the key, the newest first."""
    with store.snapshot() as db:
        rows = db.execute(
            f"SELECT number, {SUPPLIED} FROM verifications WHERE sha256 = ? AND (profile, reader) != (?, ?)"
            " ORDER BY supplied DESC, number DESC",
            (sha256, key.profile, key.reader),
        ).fetchall()
    return [(row[0], Supplied(*row[1:])) for row in rows]


def save(store: Store, number: int, key: Key, verified: Verified, seconds: float) -> None:
    """Keep what came of the values with this number, in place of any other result; nothing where they are gone."""
    review = verified.count("review") + len(verified.missing)
    with store.transaction() as db:
        db.execute(
            "UPDATE verifications SET (profile, reader, body, seconds, total, in_review) = (?, ?, ?, ?, ?, ?)"
            " WHERE number = ?",
            (key.profile, key.reader, valuestore.pack(verified), seconds, len(verified.values), review, number),
        )


def of(store: Store, number: int, key: Key) -> Held | None:
    """What came of the values with this number under the key, or None."""
    with store.snapshot() as db:
        row = db.execute(
            f"SELECT body, seconds, {SUPPLIED} FROM verifications WHERE (number, profile, reader) = (?, ?, ?)",
            (number, key.profile, key.reader),
        ).fetchone()
    if row:
        with suppress(ValueError):
            return Held(Supplied(*row[2:]), valuestore.unpack(row[0]), row[1])
    return None


def newest(store: Store, number: int) -> Verified | None:
    """What came of the values with this number the last time, by whichever version; None where nothing did."""
    with store.snapshot() as db:
        row = db.execute("SELECT body FROM verifications WHERE number = ? AND body != ''", (number,)).fetchone()
    if row:
        with suppress(ValueError):
            return valuestore.unpack(row[0])
    return None


def given(store: Store, number: int) -> Supplied | None:
    """The values with this number, or None."""
    with store.snapshot() as db:
        row = db.execute(f"SELECT {SUPPLIED} FROM verifications WHERE number = ?", (number,)).fetchone()
    return Supplied(*row) if row else None


def history(store: Store, sha256: str) -> list[Past]:
    """All that was supplied for a document, the newest first."""
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT number, name, supplied, total, in_review FROM verifications WHERE sha256 = ?"
            " ORDER BY supplied DESC, number DESC",
            (sha256,),
        ).fetchall()
    return [Past(row[0], row[1], datetime.fromisoformat(row[2]), row[3], row[4]) for row in rows]


def drop(store: Store, number: int) -> None:
    """Forget a verification; what was sent to review stays there."""
    with store.transaction() as db:
        db.execute("DELETE FROM verifications WHERE number = ?", (number,))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
