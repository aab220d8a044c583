"""The fields of invoices as they rest in the store, with what they were read with and how long that took.

Comes in: a `Store`, `Kept` results by their document and key. Goes out: the same, typed and exact. Refuses what the
store refuses; what cannot be understood any more counts as not there, and is read again.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline import records
from pipeline.model import Invoices
from pipeline.store import Key, Store


@dataclass(frozen=True)
class Kept:
    """What was read, without any decision. settings: the profile's TOML text; seconds: from the words to the fields."""

    invoices: Invoices
    settings: str
    seconds: float


def save(store: Store, sha256: str, key: Key, kept: Kept) -> None:
    """Keep a result in place of any other of the same document, profile and engine."""
    about = (sha256, key.profile, key.engine, key.reader)
    with store.transaction() as db:
        db.execute(
            "INSERT OR REPLACE INTO invoices (sha256, profile, engine, reader, settings, seconds, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*about, kept.settings, kept.seconds, records.pack(kept.invoices)),
        )


def of(store: Store, sha256: str, key: Key) -> Kept | None:
    """The result that was kept under the key, or None."""
    with store.snapshot() as db:
        row = db.execute(
            "SELECT body, settings, seconds FROM invoices WHERE (sha256, profile, engine, reader) = (?, ?, ?, ?)",
            (sha256, key.profile, key.engine, key.reader),
        ).fetchone()
    if row is None:
        return None
    body, settings, seconds = row
    try:
        return Kept(records.unpack(Invoices, body), settings, seconds)
    except ValueError:
        return None  # what cannot be understood is read again


def keys(store: Store, sha256: str = "") -> list[tuple[str, Key]]:
    """The results that are kept of a document, or of all: its sha256 and the key, the newest first."""
    with store.snapshot() as db:
        rows = db.execute(
            "SELECT sha256, profile, reader, engine FROM invoices WHERE ? IN (sha256, '') ORDER BY rowid DESC",
            (sha256,),
        ).fetchall()
    return [(row[0], Key(*row[1:])) for row in rows]
