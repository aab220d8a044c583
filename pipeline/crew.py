"""Who does a store's jobs: this process does one, and workers of Dask's do others where one is not enough.

Comes in: a store whose jobs this process may claim. Goes out: jobs that are claimed, begun and ended. Workers are
started when a job waits behind another for two seconds, and dismissed when they had nothing to do for a minute. There
are as many jobs at once as there are processors; whoever has none running is begun at once, though there be more.
A worker that dies costs no job.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pipeline import labour
from pipeline.labour import POLL_SECONDS
from pipeline.store import Job, Store

if TYPE_CHECKING:
    from pipeline.cluster import Pool

PATIENCE = 2.0
REST_SECONDS = 60.0
MOST = 8  # jobs at once


class Crew:
    """say: takes a line for the log."""

    def __init__(self, store: Store, say: Callable[[str], None]) -> None:
        self.store, self.say = store, say
        self._here: tuple[Job, threading.Thread, float] | None = None
        self._there: dict[int, Job] = {}
        self._ended = threading.Event()
        self._pool: Pool | None = None
        self._until = ExitStack()
        self._used = 0.0

    @property
    def busy(self) -> bool:
        """Whether a job is being done."""
        self._look()
        return bool(self._here or self._there)

    def work(self) -> bool:
        """Begin what can be begun; whether a job is being done."""
        self._look()
        if self._here is None:
            if job := self.store.claim_job():
                self._begin_here(job)
        elif self._pool or (time.monotonic() - self._here[2] > PATIENCE and self.store.jobs_waiting()):
            self._begin_there()
        return bool(self._here or self._there)

    def wait(self) -> None:
        """Until a job of this process ends, or a moment has passed."""
        self._ended.wait(POLL_SECONDS)
        self._ended.clear()

    def close(self) -> None:
        """Let go of all workers; what they were doing is not done."""
        self._until.close()
        self._pool = None

    def _begin_here(self, job: Job) -> None:
        def labouring() -> None:
            try:
                labour.do(self.store, job)
            finally:
                self._ended.set()

        self.say(f"{job.kind} {job.id} of {job.sha256[:12]} starts")
        thread = threading.Thread(target=labouring, daemon=True, name=f"job {job.id}")
        self._here = job, thread, time.monotonic()
        thread.start()

    def _begin_there(self) -> None:
        """Give a job to a worker. Those of a model stay here, where its key is."""
        from pipeline import cluster  # takes a while to import

        room = 1 + len(self._there) < cluster.processors()
        if 1 + len(self._there) >= MOST or not (job := self.store.claim_job(engine="local", newcomers=not room)):
            return
        try:
            if self._pool is None:
                workers = max(1, cluster.processors() - 1)
                self._pool = self._until.enter_context(cluster.opened(self.store.home, workers=workers))
        except BaseException:
            self.store.finish_job(job.id, "queued")
            raise
        self.say(f"{job.kind} {job.id} of {job.sha256[:12]} starts in a worker")
        self._there[self._pool.give(labour.carry_out, str(self.store.home), job.id)] = job
        self._pool.grow(len(self._there))

    def _look(self) -> None:
        """Take leave of the jobs that ended."""
        if self._here and not self._here[1].is_alive():
            self.say(f"{self._here[0].kind} {self._here[0].id} ends")
            self._here = None
        while self._pool and self._there and (ended := self._pool.take(0)):
            job = self._there.pop(ended.ticket)
            if ended.trouble:
                self.store.finish_job(job.id, "failed", f"The work was given up: {ended.trouble}. Try again.")
            self.say(f"{job.kind} {job.id} ends{f': {ended.trouble}' if ended.trouble else ''}")
            self._used = time.monotonic()
        if self._there:
            self._used = time.monotonic()
        elif self._pool and time.monotonic() - self._used > REST_SECONDS:
            self.close()
