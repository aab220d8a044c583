"""The documents of a folder, each read and its result written; with Claude by Message Batches, at half the price.

Comes in: a store, `Work` (a folder, what to do, by which engine), how a person is told and asked. Goes out: a JSON file
a document by the command's contract, and `Result`: which are done, which failed and why, which still wait. Readings and
results are kept in the store, replies in the journal: the same command again goes on where it was, after any stop, and
pays for nothing twice. Windows of statements do not wait for each other here (`state = "parallel"`), since they are
sent together. Refuses, as UsageError: no PDFs, a second run at the same time; as EngineError, what `batches` does.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pipeline import batches, engines, files, invoices, journal, outline, paid, render, run, statements, tokens, worker
from pipeline.batches import Gathering, Unanswered
from pipeline.caller import Caller, NotKept
from pipeline.engines import About
from pipeline.model import EngineError, PipelineError, UsageError
from pipeline.paid import Asker
from pipeline.profiles import Profile
from pipeline.store import Store

Do = Literal["sections", "rows", "fields"]
LOCK = "batch.lock"


@dataclass(frozen=True)
class Work:
    """What is done with the PDFs below a folder, and where the results go."""

    folder: Path
    out: Path
    do: Do
    profile: Profile
    engine: str = "local"


@dataclass(frozen=True)
class Desk:
    """How a run speaks with whoever started it. tell: takes a line; asked: puts a question to a person, None: nobody
    is there; sure: costs are confirmed; wait: until batches ended; seconds: between two looks at them; counted: the
    server counts tokens before anybody is asked, which sends it the documents.
    """

    tell: Callable[[str], None]
    asked: Asker | None = None
    sure: bool = False
    wait: bool = True
    seconds: float = 60.0
    counted: bool = False


@dataclass(frozen=True)
class Failure:
    """A file that gave no result, and why."""

    file: str
    reason: str
    exit_code: int


@dataclass
class Result:
    """What became of a folder's files, by their names in it."""

    done: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """That of the first file that failed."""
        return self.failed[0].exit_code if self.failed else 0


def to_json(result: Result) -> dict[str, Any]:
    """The result by contract."""
    failed = [{"file": one.file, "reason": one.reason} for one in result.failed]
    return {"done": result.done, "failed": failed, "waiting": result.waiting}


def to_text(result: Result) -> str:
    """The result for a person."""
    lines = [f"{one.file}: {one.reason}" for one in result.failed]
    counts = f"{len(result.done)} done, {len(result.failed)} failed"
    waits = f", {len(result.waiting)} wait for a batch: run it again to collect it" if result.waiting else ""
    return "\n".join([*lines, counts + waits])


def finish(store: Store, work: Work, desk: Desk) -> Result:
    """Work through the folder, as far as it goes now."""
    with _alone(store):
        found = Result()
        documents = list(_added(store, work, found))
        if work.engine == "local":
            for one in documents:
                _finish(store, work, one, found)
        else:
            _Posting(store, _together(work), desk).finish(documents, found)
        return found


def cancel(store: Store, work: Work) -> int:
    """Cancel the batches in which calls for the folder wait; how many."""
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
    """The folder's PDFs, each in the store."""
    paths = sorted(path for path in work.folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file())
    if not paths:
        raise UsageError(f"There is no PDF in {work.folder}. Name a folder with PDFs in it.")
    for path in paths:
        name = path.relative_to(work.folder).as_posix()
        try:
            sha256 = worker.sha256(path)
            if not store.has_file(sha256):
                store.add_file(path, path.name)
            yield _Document(name, sha256)
        except PipelineError as error:
            found.failed.append(_failure(name, error))


def _failure(name: str, error: PipelineError) -> Failure:
    return Failure(name, " ".join(str(error).split()), error.exit_code)


def _finish(store: Store, work: Work, one: _Document, found: Result) -> None:
    """Write the document's result, or why there is none."""
    try:
        _write(work.out / f"{one.name}.json", _told(store, work, one.sha256))
    except PipelineError as error:
        found.failed.append(_failure(one.name, error))
    else:
        found.done.append(one.name)


def _told(store: Store, work: Work, sha256: str) -> dict[str, Any]:
    """The document's result, as the command for single files prints it."""
    match work.do:
        case "rows":
            return statements.to_json(run.decided(store, sha256, work.profile, work.engine))
        case "fields":
            fields = run.fields(store, sha256, work.profile, engine_name=work.engine)
            judged = run.judged_fields(store, sha256, run.fields_key(work.profile, work.engine))
            return invoices.to_json(judged[0].invoices if judged else fields, work.engine)
    reading = run.reading(store, sha256, work.profile)
    return render.sections_json(reading, outline.build(outline.features(reading), work.profile.outline), work.profile)


def _write(path: Path, value: dict[str, Any]) -> None:
    """The whole file, or none."""
    partial = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
        os.replace(partial, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


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
                found.failed.append(_failure(one.name, error))
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
