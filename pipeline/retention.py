"""How long a store keeps what it was given: documents that are deleted with all that they left behind, and the proof.

Comes in: a `Store`, ids or an age. Goes out: what was deleted, and what a search of the whole data folder still finds
of it. Refuses, as UsageError: an id that names no document, or more than one; as StoreError: what the disk refuses.
"""

from __future__ import annotations

import mmap
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.library import Library
from pipeline.model import StoreError, UsageError
from pipeline.store import Entry, Store

SHORTEST = 4  # digits of an id


@dataclass(frozen=True)
class Deleted:
    """A document that is gone. left: files of the data folder, relative to it, that still hold its id or its name."""

    sha256: str
    name: str
    left: tuple[str, ...]


def named(store: Store, texts: Sequence[str]) -> tuple[Entry, ...]:
    """The documents whose id begins so, or whose name is this."""
    entries = store.documents()
    return tuple(dict.fromkeys(_named(entries, text) for text in texts))


def _named(entries: Sequence[Entry], text: str) -> Entry:
    by_id = [one for one in entries if len(text) >= SHORTEST and one.sha256.startswith(text)]
    found = by_id or [one for one in entries if one.name == text]
    if not found:
        raise UsageError(f"No document of the store is called {text!r}. See: pagewitness store list")
    if len(found) > 1:
        ids = ", ".join(one.sha256[:12] for one in found[:5])
        raise UsageError(f"{text!r} is more than one document: {ids}. Name one by its id.")
    return found[0]


def older(store: Store, days: float, now: datetime | None = None) -> tuple[Entry, ...]:
    """The documents that were added longer than so many days ago."""
    before = (now or datetime.now(UTC)) - timedelta(days=days)
    return tuple(one for one in store.documents() if one.added < before)


def delete(store: Store, entries: Sequence[Entry]) -> tuple[Deleted, ...]:
    """Delete documents with all that was made of them, decisions and calls included, out of the files themselves, too;
    and look through every file of the data folder for what is left.
    """
    library = Library(store)
    for entry in entries:
        store.delete(entry.sha256)
    library.tidy()
    kept = {one.name for one in store.documents()}
    found = left(store, {text for one in entries for text in (one.sha256, one.name)} - kept)
    return tuple(
        Deleted(
            one.sha256, one.name, tuple(path for path, texts in found if not texts.isdisjoint((one.sha256, one.name)))
        )
        for one in entries
    )


def left(store: Store, sought: Collection[str]) -> list[tuple[str, frozenset[str]]]:
    """The files of the data folder, relative to it, whose name or content holds some of the texts, and which of them;
    each file is opened once.
    """
    with store.disk():
        paths = sorted(store.home.rglob("*"))
        looked = ((str(path.relative_to(store.home)), _held(path, sought)) for path in paths)
        return [(path, held) for path, held in looked if held]


def _held(path: Path, sought: Collection[str]) -> frozenset[str]:
    """Those of the texts that a file's name or content holds."""
    named = {text for text in sought if text in path.name}
    with suppress(FileNotFoundError):
        if path.is_file() and path.stat().st_size:
            with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
                named |= {text for text in sought if content.find(text.encode()) >= 0}
    return frozenset(named)


def vacuum(store: Store) -> str:
    """Give the disk back what deleted documents held, in a line. StoreError where others are writing."""
    before = _size(store)
    store.vacuum()
    after = _size(store)
    return f"store.db is {after / 1e6:.1f} MB, {max(0, before - after) / 1e6:.1f} MB less than before"


def _size(store: Store) -> int:
    with store.disk():
        return sum(path.stat().st_size for path in store.home.glob("store.db*"))


def to_text(found: Sequence[Deleted]) -> Iterator[str]:
    """A line a document; StoreError where something of one was left."""
    for one in found:
        if one.left:
            raise StoreError(
                f"{one.name} was deleted, but is still named in {', '.join(one.left)}. End the app, and repeat:"
                " pagewitness store vacuum"
            )
        yield f"{one.sha256[:12]}  {one.name}: deleted, and nothing of it is left in the data folder"
