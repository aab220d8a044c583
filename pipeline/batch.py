"""Many documents, each read and its result written: by workers of Dask, or by Claude in batches at half the price.

Comes in: a store, `Work` (documents, what to do, by which engine), how a person is told and asked. Goes out: a JSON
file a document by the command's contract, a Parquet data set, and `Result`: which are done, which failed and why, which
still wait. Readings and results are kept in the store, replies in the journal: the same command again goes on where it
was, after any stop, and pays for nothing twice. Windows of statements do not wait for each other in batches
(`state = "parallel"`), since they are sent together.

Refuses, as UsageError: no PDFs, a second run at the same time; as EngineError, what `batches` does.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline import (
    batches,
    engines,
    files,
    invoices,
    journal,
    many,
    paid,
    partitions,
    places,
    run,
    spans,
    statements,
    tasks,
    tokens,
    worker,
)
from pipeline.batches import Gathering, Unanswered
from pipeline.caller import Caller, NotKept
from pipeline.engines import About
from pipeline.many import Lost, Progress
from pipeline.model import EngineError, PipelineError, UsageError
from pipeline.paid import Asker
from pipeline.partitions import Do
from pipeline.profiles import Profile
from pipeline.store import Store

LOCK = "batch.lock"
BAR = 24  # characters of a progress bar


@dataclass(frozen=True)
class Work:
    """What is done with documents, and where the results go: see places. scheduler: the address of Dask's; empty: one
    of our own, with so many workers; workers: None, one for each processor; 0, this process alone.
    """

    place: str
    out: str
    do: Do
    profile: Profile
    engine: str = "local"
    scheduler: str = ""
    workers: int | None = None


@dataclass(frozen=True)
class Desk:
    """How a run speaks with whoever started it. tell: takes a line; asked: puts a question to a person, None: nobody
    is there; sure: costs are confirmed; wait: until batches ended; seconds: between two looks at them; counted: the
    server counts tokens before anybody is asked, which sends it the documents; progress: takes how far a run by rules
    is.
    """

    tell: Callable[[str], None]
    asked: Asker | None = None
    sure: bool = False
    wait: bool = True
    seconds: float = 60.0
    counted: bool = False
    progress: Callable[[Progress], None] = lambda progress: None


@dataclass
class Result:
    """What became of a folder's files, by their names in it."""

    done: list[str] = field(default_factory=list)
    failed: list[Lost] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """That of the first file that failed."""
        return self.failed[0].exit_code if self.failed else 0


def to_json(result: Result) -> dict[str, Any]:
    """The result by contract."""
    failed = [{"file": one.name, "reason": one.reason} for one in result.failed]
    return {"done": result.done, "failed": failed, "waiting": result.waiting}


def to_text(result: Result) -> str:
    """The result for a person."""
    lines = [f"{one.name}: {one.reason}" for one in result.failed]
    counts = f"{len(result.done)} done, {len(result.failed)} failed"
    waits = f", {len(result.waiting)} wait for a batch: run it again to collect it" if result.waiting else ""
    return "\n".join([*lines, counts + waits])


def bar(progress: Progress) -> str:
    """How far a run is, in a line."""
    ended = progress.done + progress.failed
    filled = round(BAR * ended / progress.total) if progress.total else BAR
    failed = f", {progress.failed} failed" if progress.failed else ""
    line = f"[{'#' * filled}{'.' * (BAR - filled)}] {ended} of {progress.total}{failed}"
    if not progress.rate:
        return line
    rate = f"{progress.rate:.1f} documents/s" if progress.rate >= 1 else f"{60 * progress.rate:.1f} documents/min"
    return f"{line}, {rate}, {spans.told(progress.left or 0.0)} left"


def finish(store: Store, work: Work, desk: Desk) -> Result:
    """Work through the documents, as far as it goes now."""
    with _alone(store):
        if work.engine == "local":
            return _by_rules(store, work, desk)
        found = Result()
        _Posting(store, _together(work), desk).finish(list(_added(store, work, found)), found)
        return found


def _by_rules(store: Store, work: Work, desk: Desk) -> Result:
    job = many.Job(places.items(work.place), places.Target(work.out), work.do, work.profile)
    running = many.Run(store, job, desk.progress)
    with ExitStack() as until:

        def workers() -> many.Workers:
            if work.workers == 0 and not work.scheduler:
                return many.Here()
            from pipeline import cluster  # takes a while to import

            return until.enter_context(cluster.opened(store.home, work.scheduler, work.workers or 0))

        running.finish(workers)
    return Result(sorted(running.done), sorted(running.lost, key=lambda one: one.name))


def cancel(store: Store, work: Work) -> int:
    """Cancel the batches in which calls for the documents wait; how many."""
    with _alone(store):
        found = Result()
        posting = _Posting(store, _together(work), Desk(lambda line: None))
        missing = posting.gather(list(_added(store, work, found)), found)
        return batches.cancel(posting.caller, [one for calls in missing.values() for one in calls])


# ---------------------------------------------------------------- files


@dataclass(frozen=True)
class _Document:
    name: str
    sha256: str


def _added(store: Store, work: Work, found: Result) -> Iterator[_Document]:
    """The PDFs, each in the store."""
    for item in places.items(work.place):
        try:
            yield _Document(item.name, many.added(store, item))
        except PipelineError as error:
            found.failed.append(many.lost(item.name, error))


def _finish(store: Store, work: Work, one: _Document, found: Result) -> None:
    """Write the document's result, or why there is none."""
    target = places.Target(work.out)
    try:
        told = many.judged(store, one.sha256, work.do, work.profile, work.engine)
        target.write(partitions.path(work.do, one.sha256), partitions.table(work.do, told))
        target.write(f"{one.name}.json", tasks.text(told).encode("utf-8", "replace"))
    except PipelineError as error:
        found.failed.append(many.lost(one.name, error))
    else:
        found.done.append(one.name)


@contextmanager
def _alone(store: Store) -> Iterator[None]:
    """Two runs at once would send the same calls."""
    with store.disk():
        lock = (store.home / LOCK).open("a")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError("Another batch is under way with this store. Wait for it, or stop it.") from None
        yield


# ---------------------------------------------------------------- Claude, by Message Batches


def _together(work: Work) -> Work:
    """The work such that no call waits for another's reply."""
    if work.do == "sections":
        raise UsageError("sections are found by rules alone: leave --engine claude out")
    part = replace(work.profile.statement, state="parallel")
    return replace(work, profile=replace(work.profile, statement=part))


class _Posting:
    """A folder's calls in batches: what the journal lacks is gathered, sent, awaited, and gathered again."""

    def __init__(self, store: Store, work: Work, desk: Desk) -> None:
        self.store, self.work, self.desk = store, work, desk
        self.confirmed = False
        self.run = journal.new_run()
        self.caller: Caller = replace(engines.claude(About(store=store)).caller, run=self.run)

    def finish(self, documents: Sequence[_Document], found: Result) -> None:
        left = self.gather(documents, found)
        while left:
            missing = [one for calls in left.values() for one in calls]
            waited = batches.waiting(self.caller, missing)
            if not waited or batches.collect(self.caller, missing) == waited:
                self._submit(missing)
                if not self.desk.wait:
                    break
                self._await(missing)
            left = self.gather(list(left), found)
        found.waiting += [one.name for one in left]

    def gather(self, documents: Sequence[_Document], found: Result) -> dict[_Document, list[NotKept]]:
        """What the journal lacks for each document; those that lack nothing are finished."""
        left = {}
        for one in documents:
            try:
                missing = self._missing(one)
                reasons = [reason for call in missing if (reason := batches.hopeless(self.caller, call))]
                if reasons:
                    raise EngineError(f"Claude gave no answer: {reasons[0]}")
            except PipelineError as error:
                found.failed.append(many.lost(one.name, error))
                continue
            if missing:
                left[one] = missing
            else:
                _finish(self.store, self.work, one, found)
        return left

    def _missing(self, one: _Document) -> list[NotKept]:
        reading = run.ingest(self.store, one.sha256, self.work.profile)
        path = self.store.path(one.sha256)
        engine = engines.claude(About(one.sha256, path, store=self.store))
        engine.caller.run = self.run
        gathering = Gathering(engine)
        try:
            if self.work.do == "rows":
                statements.read(reading, self.work.profile, gathering, gathering.parted)
            else:
                access = files.access(self.store.home, "")
                leaves = worker.leaves(path, access)
                invoices.extract(reading, self.work.profile, gathering, gathering.parted, leaves=leaves)
        except Unanswered:
            pass
        return gathering.missing

    def _submit(self, missing: Sequence[NotKept]) -> None:
        unsent = batches.unsent(self.caller, missing)
        if unsent and not self.confirmed:
            self._confirm(unsent)
        waited = batches.waiting(self.caller, missing)
        if sent := batches.submit(self.caller, missing):
            self.desk.tell(f"{sent} calls were sent in a batch; replies come within 24 hours, most within one")
        elif waited:
            self.desk.tell(f"{waited} calls wait in a batch that was sent before")

    def _confirm(self, unsent: Sequence[NotKept]) -> None:
        """Say what the calls are likely to cost, and ask: once, for what is sent later is the same work."""
        engine = engines.claude(About(store=self.store))
        estimate = engine.estimate(unsent, counted=self.desk.counted)
        estimate = replace(estimate, dollars=estimate.dollars * tokens.batch_share())
        self.desk.tell(f"{estimate.to_text()}, by batches at half the price")
        if not self.desk.sure:
            paid.confirm(engine, estimate, self.desk.asked)
        self.confirmed = True

    def _await(self, missing: Sequence[NotKept]) -> None:
        """Until a batch ended."""
        before = batches.waiting(self.caller, missing)
        while before and batches.collect(self.caller, missing) == before:
            time.sleep(self.desk.seconds)
