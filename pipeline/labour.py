"""One job of the store, from its start to its end, whatever that is: in the job process, or in a worker of Dask's.

Comes in: a store and a `Job` that runs. Goes out: its state in the store, its results, how far it is meanwhile. Refuses
nothing: a job that fails keeps its one-line error.
"""

from __future__ import annotations

import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path

from pipeline import profiles, run
from pipeline.model import Cancelled, PipelineError, StoreError
from pipeline.store import Job, JobState, Store

POLL_SECONDS = 0.2

leaving = threading.Event()  # this process was told to end


def carry_out(home: str, job_id: str) -> None:
    """Do a job of the store in the folder `home`, as long as it is to be done."""
    store = Store(Path(home))
    job = store.job(job_id)
    if job and job.state == "running":
        do(store, job)


class _Watch:
    """What a job is told and tells, at most five times a second; a store that is busy then is no reason to fail."""

    def __init__(self, store: Store, job: Job) -> None:
        self.store, self.job = store, job
        self.wanted, self.looked, self.told = True, 0.0, 0.0

    def progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.told >= POLL_SECONDS or done == total:
            self.told = now
            with suppress(StoreError):
                self.store.advance_job(self.job.id, done, total)

    def cancelled(self) -> bool:
        if leaving.is_set():
            raise SystemExit(0)
        now = time.monotonic()
        if self.wanted and now - self.looked >= POLL_SECONDS:
            self.looked = now
            with suppress(StoreError):
                self.wanted = self.store.job_wanted(self.job.id)
        return not self.wanted


def do(store: Store, job: Job) -> None:
    """One job to its end, whatever that is."""
    watch = _Watch(store, job)
    try:
        _work(store, job, watch)
    except Exception as error:  # noqa: BLE001  # the next job must run whatever befell this one
        store.finish_job(job.id, *_outcome(store, error))
    except BaseException:
        store.finish_job(job.id, "queued")  # this process is told to end; the next one does it
        raise
    else:
        store.finish_job(job.id, "done")


def _outcome(store: Store, error: Exception) -> tuple[JobState, str]:
    """How a job ends that stopped with `error`, and what is told about it."""
    if leaving.is_set():
        return "queued", ""  # the next process does it
    if isinstance(error, Cancelled):
        return "cancelled", str(error)
    if isinstance(error, PipelineError):
        return "failed", str(error)
    traceback.print_exception(error)
    return "failed", f"An unexpected error ({type(error).__name__}). Look into jobs.log in {store.home}."


def _work(store: Store, job: Job, watch: _Watch) -> None:
    profile = profiles.loads(job.options.profile)
    match job.kind:
        case "ingest":
            read = run.ingest(store, job.sha256, profile, watch.progress, watch.cancelled)
            if len(read.pages) <= run.COUNTED_PAGES:
                run.outlined(store, read, profile)
        case "rows":
            run.rows(store, job.sha256, profile, watch.progress, watch.cancelled)
        case "fields":
            run.fields(store, job.sha256, profile, watch.progress, watch.cancelled, job.options.engine)
        case "verify":
            run.verify_supplied(store, job.sha256, profile, watch.progress, watch.cancelled)
