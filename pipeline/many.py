"""Many documents by rules: workers read and conclude, one writer stores.

Comes in: a store, documents by their places, what to do, workers. Goes out: a JSON file a document and a Parquet data
set, the same in the store, and an account of what is done and what failed. A document that is done already, by its
content, the profile and the code, is not read again; long ones are read by several workers at once, page by page.
Killed at any moment, the same command goes on: what was stored is not made twice. A document whose reader crashes or
hangs is tried once more and then reported.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256 as hashed
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from pipeline import (
    decisions,
    eventlog,
    fieldstore,
    invoices,
    limits,
    partitions,
    profiles,
    run,
    statements,
    tasks,
    worker,
)
from pipeline.eventlog import Event
from pipeline.model import Page, PipelineError, Reading, StoreError, UsageError
from pipeline.partitions import Do
from pipeline.places import Item, Target, is_address
from pipeline.profiles import Profile
from pipeline.store import Entry, Key, Store
from pipeline.tasks import Order, Outcome
from pipeline.worker import Ending

AHEAD = 2  # orders that wait for each worker, so that none is idle
LEAST_PAGES = 12  # of a part of a long document
TRIES = 2
LITTLE = 100_000  # bytes: a single document that is smaller is not worth the start of workers


@dataclass(frozen=True)
class Job:
    """What is done with documents, and where the results go."""

    items: Sequence[Item]
    target: Target
    do: Do
    profile: Profile


@dataclass(frozen=True)
class Progress:
    """How far a run is: documents done (those that were done before among them), failed, in all; pages read now."""

    done: int
    failed: int
    total: int
    before: int
    pages: int
    seconds: float

    @property
    def rate(self) -> float:
        """Documents a second, of those that were made now."""
        return (self.done + self.failed - self.before) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that the rest takes at this rate; None where that cannot be told yet."""
        return (self.total - self.done - self.failed) / self.rate if self.rate else None


class Ended(Protocol):
    """See cluster.Ended."""

    @property
    def ticket(self) -> int: ...
    @property
    def value(self) -> Any: ...
    @property
    def trouble(self) -> str: ...


class Workers(Protocol):
    """See cluster.Pool. far: they may be on other machines, so that they get the bytes of documents."""

    far: bool

    @property
    def size(self) -> int: ...
    def give(self, function: Callable[..., Any], *arguments: object, first: bool = False) -> int: ...
    def take(self, seconds: float | None = None) -> Ended | None: ...


@dataclass(frozen=True)
class _Here:
    ticket: int
    value: Any
    trouble: str = ""


class Here:
    """No workers: this process does it, one order after the other."""

    far, size = False, 1

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, Callable[..., Any], tuple[object, ...]]] = deque()
        self._ticket = 0

    def give(self, function: Callable[..., Any], *arguments: object, first: bool = False) -> int:
        self._ticket += 1
        self._waiting.append((self._ticket, function, arguments))
        return self._ticket

    def take(self, seconds: float | None = None) -> Ended | None:
        ticket, function, arguments = self._waiting.popleft()
        return _Here(ticket, function(*arguments))


@dataclass(frozen=True)
class Lost:
    """A document that gave no result, and why."""

    name: str
    reason: str
    exit_code: int


def lost(name: str, error: PipelineError) -> Lost:
    """A document that was refused."""
    outcome = tasks.failed(error)
    return Lost(name, outcome.reason, outcome.exit_code)


def added(store: Store, item: Item) -> str:
    """The hash of a document that is in the store from now on."""
    try:
        with item.path() as path:
            sha256 = worker.sha256(path)
            if not store.has_file(sha256):
                store.add_file(path, item.name)
    except OSError as error:
        raise UsageError(f"{item.place} cannot be read: {error.strerror or error}. Check the path.") from error
    return sha256


def judged(store: Store, sha256: str, do: Do, profile: Profile, engine: str = "local") -> dict[str, Any]:
    """The rows or fields of a document as the store has them, with what people decided, as JSON by the contract."""
    if do == "rows":
        return statements.to_json(run.decided(store, sha256, profile, engine))
    fields = run.fields(store, sha256, profile, engine_name=engine)
    found = run.judged_fields(store, sha256, run.fields_key(profile, engine))
    return invoices.to_json(found[0].invoices if found else fields, engine)


@dataclass
class _Document:
    """A document under way: its names, what of it was read, how often it was tried."""

    sha256: str
    entry: Entry
    names: list[str]
    tries: int = 0
    whole: bool = False
    parts: dict[int, tuple[Page, ...]] = field(default_factory=dict)
    missing: int = 0
    ending: Ending | None = None
    seconds: float = 0.0
    begun: int = 0  # counts its beginnings: what comes of an earlier one is not wanted any more


class Run:
    """One run over many documents. told: takes how far it is, whenever that changes."""

    def __init__(self, store: Store, job: Job, told: Callable[[Progress], None]) -> None:
        self.store, self.job, self.told = store, job, told
        self.key = tasks.key(job.do, job.profile)
        self.done: list[str] = []
        self.lost: list[Lost] = []
        self.before = self.pages = 0
        self._began = time.monotonic()
        self._limits = limits.load(store.home, os.environ)
        self._ledger = _Ledger(store, job, self.key)
        self._under_way: dict[str, _Document] = {}
        self._tickets: dict[int, tuple[_Document, int]] = {}

    # ------------------------------------------------------------ documents

    def waiting(self) -> Iterator[_Document]:
        """The documents that are to be made, each in the store; what was made before is settled on the way."""
        for item in self.job.items:
            try:
                sha256 = added(self.store, item)
                if self._ledger.holds(item.name, sha256):
                    self.before += 1
                    self._settle(item.name)
                    continue
                if self._told_again(item.name, sha256):
                    continue
            except PipelineError as error:
                self._lose([item.name], tasks.failed(error))
                continue
            if known := self._under_way.get(sha256):
                known.names.append(item.name)  # the same content under another name
                continue
            entry = self.store.document(sha256)
            if entry is None:
                raise StoreError("A document was deleted meanwhile. Run the same command again.")
            found = _Document(sha256, entry, [item.name])
            self._under_way[sha256] = found
            yield found

    def _told_again(self, name: str, sha256: str) -> bool:
        """Write what the store holds of a document; whether it holds a result."""
        if self.job.do == "sections" or not self._kept(sha256):
            return False
        self.before += 1
        self._write([name], sha256, self._judged(sha256))
        return True

    def _kept(self, sha256: str) -> bool:
        if self.job.do == "rows":
            return (sha256, self.key) in self.store.statements(sha256)
        return (sha256, self.key) in fieldstore.keys(self.store, sha256)

    def _judged(self, sha256: str) -> dict[str, Any]:
        return judged(self.store, sha256, self.job.do, self.job.profile)

    # ------------------------------------------------------------ work

    def finish(self, workers: Callable[[], Workers]) -> None:
        """Work through all documents. workers: makes those that do it, where there is more than a little to do."""
        waiting = self.waiting()
        first = list(islice(waiting, 2))
        if not first:
            return
        little = len(first) == 1 and first[0].entry.size < LITTLE
        pool = Here() if little else workers()
        for document in first:
            self._begin(pool, document)
        more = True
        while more or self._tickets:
            while more and len(self._tickets) < pool.size * (1 + AHEAD):
                if found := next(waiting, None):
                    self._begin(pool, found)
                more = found is not None
            if self._tickets and (ended := pool.take()):
                document, begun = self._tickets.pop(ended.ticket)
                outcome = ended.value or Outcome("failed", reason=ended.trouble, exit_code=3)
                if document.sha256 in self._under_way and document.begun == begun:
                    self._take(pool, document, outcome)

    def _begin(self, pool: Workers, document: _Document) -> None:
        document.parts.clear()
        document.missing, document.ending = 0, None
        document.tries += 1
        document.begun += 1
        order = self._order(pool, document)
        if document.entry.locked and self.store.readings(document.sha256):
            self._unlocked(document)  # its pictures are in this store alone
            return
        reading = self.store.reading(document.sha256, run.reading_key(self.job.profile))
        if reading:
            order = replace(order, known=reading.pages, ending=Ending(reading.bookmarks, reading.document.repaired))
        elif document.whole or pool.size == 1:
            order = replace(order, last=None)
        self._give(pool, document, order)

    def _unlocked(self, document: _Document) -> None:
        try:
            if self.job.do == "sections":
                raise UsageError("The document is locked. Read it by itself: pagewitness sections FILE --password -")
            self._write(document.names, document.sha256, self._judged(document.sha256))
        except PipelineError as error:
            self._lose(document.names, tasks.failed(error))
        del self._under_way[document.sha256]

    def _order(self, pool: Workers, document: _Document) -> Order:
        path = self.store.path(document.sha256)
        return Order(
            document.sha256,
            document.entry.name,
            self.job.do,
            self.job.profile,
            self._limits,
            self.key,
            str(path),
            path.read_bytes() if pool.far else None,
        )

    def _give(self, pool: Workers, document: _Document, order: Order, first: bool = False) -> None:
        self._tickets[pool.give(tasks.do, order, first=first)] = document, document.begun

    def _take(self, pool: Workers, document: _Document, outcome: Outcome) -> None:
        """Go on with a document after one of its orders ended."""
        document.seconds += outcome.seconds
        match outcome.state:
            case "failed" if outcome.again and document.tries < TRIES:
                self._begin(pool, document)
            case "failed":
                self._fail(document, outcome)
            case "whole":
                self._keep(document, outcome)
            case "begun":
                self._split(pool, document, outcome)
            case "pages":
                self._join(pool, document, outcome)

    def _split(self, pool: Workers, document: _Document, outcome: Outcome) -> None:
        """Have the rest of a long document read by all workers at once."""
        document.parts[1] = outcome.pages
        start, total = len(outcome.pages) + 1, outcome.total
        size = max(LEAST_PAGES, -(-(total - start + 1) // (2 * pool.size)))
        order = self._order(pool, document)
        for first in range(start, total + 1, size):
            document.missing += 1
            part = replace(order, first=first, last=min(total, first + size - 1), part=True)
            self._give(pool, document, part, first=True)

    def _join(self, pool: Workers, document: _Document, outcome: Outcome) -> None:
        if outcome.pages:
            document.parts[outcome.pages[0].number] = outcome.pages
        document.ending = outcome.ending or document.ending
        document.missing -= 1
        if document.missing:
            return
        pages = tuple(page for _, part in sorted(document.parts.items()) for page in part)
        if document.ending is None or all(not len(page) for page in pages):
            document.whole, document.tries = True, document.tries - 1  # judged as one, which is refused as one
            self._begin(pool, document)
            return
        self._give(pool, document, replace(self._order(pool, document), known=pages, ending=document.ending), True)

    # ------------------------------------------------------------ the writer

    def _keep(self, document: _Document, outcome: Outcome) -> None:
        """Store a result, and write it."""
        result = outcome.result
        assert result
        sha256, profile = document.sha256, self.job.profile
        try:
            self._keep_reading(result.reading)
            if result.statement:
                self.store.save_statement(sha256, self.key, result.statement, result.book)
            if result.fields:
                kept = fieldstore.Kept(result.fields, profiles.dumps(profile), document.seconds)
                fieldstore.save(self.store, sha256, self.key, kept)
            if result.tree:
                self.store.save_parse(sha256, self.key, result.tree)
            eventlog.note(self.store.home, Event(self.job.do, sha256, document.seconds, detail="in a batch"))
            self.pages += len(result.reading.pages)
            if self.job.do != "sections" and decisions.of(self.store, sha256):
                self._write(document.names, sha256, self._judged(sha256))
            else:
                self._put(document.names, sha256, result.told.encode("utf-8", "replace"), result.table)
        except StoreError:
            raise
        except PipelineError as error:
            self._lose(document.names, tasks.failed(error))
        del self._under_way[sha256]

    def _keep_reading(self, reading: Reading) -> None:
        key = run.reading_key(self.job.profile)
        if not self.store.overview(reading.document.sha256, key):
            self.store.save_reading(reading, key)

    def _fail(self, document: _Document, outcome: Outcome) -> None:
        with suppress(StoreError):  # it may have been deleted
            self.store.mark_failed(document.sha256, outcome.reason, locked=outcome.locked)
        event = Event(self.job.do, document.sha256, document.seconds, None, "failed", outcome.reason)
        eventlog.note(self.store.home, event)
        self._lose(document.names, outcome)
        del self._under_way[document.sha256]

    def _lose(self, names: Sequence[str], outcome: Outcome) -> None:
        self.lost += [Lost(name, outcome.reason, outcome.exit_code) for name in names]
        self._tell()

    def _write(self, names: Sequence[str], sha256: str, told: dict[str, Any]) -> None:
        text = tasks.text(told).encode("utf-8", "replace")
        self._put(names, sha256, text, partitions.table(self.job.do, told))

    def _put(self, names: Sequence[str], sha256: str, text: bytes, table: bytes) -> None:
        self.job.target.write(partitions.path(self.job.do, sha256), table)
        for name in names:
            self.job.target.write(f"{name}.json", text)
            self._ledger.add(name, sha256)
            self._settle(name)

    def _settle(self, name: str) -> None:
        self.done.append(name)
        self._tell()

    def _tell(self) -> None:
        seconds = time.monotonic() - self._began
        self.told(Progress(len(self.done), len(self.lost), len(self.job.items), self.before, self.pages, seconds))


class _Ledger:
    """Which results stand in a target: a digest for each, of its name and of what it was made of. It lies in the data
    folder and tells nothing of a document to who reads it.
    """

    def __init__(self, store: Store, job: Job, key: Key) -> None:
        self.store, self.job, self.key = store, job, key
        self.path = store.home / "batches" / f"{_digest(_whole(job.target.place), job.do)[:16]}.txt"
        with store.disk():
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            self.known = set(self.path.read_text("ascii").split()) if self.path.exists() else set()

    def holds(self, name: str, sha256: str) -> bool:
        """Whether the result that would be made stands there already."""
        target = self.job.target
        known = self._mark(name, sha256) in self.known
        return known and target.has(f"{name}.json") and target.has(partitions.path(self.job.do, sha256))

    def add(self, name: str, sha256: str) -> None:
        with self.store.disk(), self.path.open("a", encoding="ascii") as ledger:
            ledger.write(f"\n{self._mark(name, sha256)}\n")  # a line before may have been cut off

    def _mark(self, name: str, sha256: str) -> str:
        return _digest(name, sha256, *self.key, str(len(decisions.of(self.store, sha256))))


def _digest(*parts: str) -> str:
    return hashed("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _whole(place: str) -> str:
    return place if is_address(place) else str(Path(place).absolute())
