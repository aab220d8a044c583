"""Orders carried out by Dask: by workers on this machine, or by any scheduler that has an address.

Comes in: functions and their arguments. Goes out: what came of each, in the order in which they end. A worker that dies
costs no order: it is given to another, at most `TRIES` times. Refuses, as UsageError: an address at which no scheduler
answers, workers without this package, or with other versions; as PipelineError: a scheduler that went away.

Workers here are plain processes, without keys in their environment and with one thread each for work and for OCR; they
are replaced when they die, and end by themselves when this process does. Dask's own messages stay in cluster.log.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pipeline import run
from pipeline.model import PipelineError, UsageError
from pipeline.spawn import BESIDE, KEPT

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

LOOK_SECONDS = 1.0
START_SECONDS = 60.0  # until the first worker must be there
REACH_SECONDS = 10.0
TRIES = 3
MOST = 8  # workers on this machine
FAR = ("HOME", "PAGEWITNESS_HOME", "XDG_DATA_HOME", "TMP", "TEMP", "LD_LIBRARY_PATH")

T = TypeVar("T")
log = logging.getLogger("distributed")


@dataclass(frozen=True)
class Ended(Generic[T]):
    """What became of one order: a value, or why there is none although it was tried again and again."""

    ticket: int
    value: T | None
    trouble: str = ""


class Pool:
    """Workers that carry out functions."""

    def __init__(self, client: Client, own: _Own | None) -> None:
        self.client, self.own = client, own
        self.far = own is None
        self._ended: queue.Queue[tuple[int, Future[Any]]] = queue.Queue()
        self._given: dict[int, tuple[Callable[..., Any], tuple[Any, ...], int]] = {}
        self._futures: dict[int, Future[Any]] = {}
        self._tickets = count(1)
        self._lonely = time.monotonic()

    @property
    def size(self) -> int:
        """How many orders are carried out at once."""
        if self.own:
            return self.own.wanted
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def give(self, function: Callable[..., Any], *arguments: object, first: bool = False) -> int:
        """Hand an order to the workers; its ticket. first: before what waits."""
        ticket = next(self._tickets)
        self._given[ticket] = (function, arguments, 0)
        self._send(ticket, first)
        return ticket

    def _send(self, ticket: int, first: bool = False) -> None:
        function, arguments, tries = self._given[ticket]
        future = self.client.submit(
            function, *arguments, key=f"pagewitness-{os.getpid()}-{ticket}-{tries}", pure=False, priority=int(first)
        )
        self._futures[ticket] = future
        future.add_done_callback(lambda done: self._ended.put((ticket, done)))

    def take(self, seconds: float | None = None) -> Ended[Any] | None:
        """The next order that ended; None where none did within so many seconds."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            left = LOOK_SECONDS if end is None else min(LOOK_SECONDS, max(0.0, end - time.monotonic()))
            try:
                ticket, future = self._ended.get(timeout=left)
            except queue.Empty:
                self._look()
                if end is not None and time.monotonic() >= end:
                    return None
                continue
            if self._futures.get(ticket) is not future:
                continue  # an earlier try
            if ended := self._closed(ticket, future):
                return ended

    def _closed(self, ticket: int, future: Future[Any]) -> Ended[Any] | None:
        """What it gave; None where it is tried again."""
        try:
            value = future.result()
        except Exception as error:  # noqa: BLE001  # whatever befell a worker, the order is given to another
            function, arguments, tries = self._given[ticket]
            if tries + 1 < TRIES and self.client.status == "running":
                self._given[ticket] = (function, arguments, tries + 1)
                self._send(ticket)
                return None
            self._forget(ticket)
            return Ended(ticket, None, f"its workers died or failed {TRIES} times ({type(error).__name__})")
        self._forget(ticket)
        return Ended(ticket, value)

    def _forget(self, ticket: int) -> None:
        del self._given[ticket], self._futures[ticket]

    def grow(self, workers: int) -> None:
        """Have so many workers on this machine, MOST at most; none is sent away, nor any started elsewhere."""
        if self.own:
            self.own.grow(workers)

    def _look(self) -> None:
        """Whether there is still somebody to wait for."""
        if self.own:
            self.own.mend()
        if self.client.status not in ("running", "connecting"):
            raise PipelineError("The Dask scheduler is gone. Start it, and run the same command again: it goes on.")
        if self.client.nthreads():
            self._lonely = time.monotonic()
        elif time.monotonic() - self._lonely > START_SECONDS:
            raise PipelineError(f"No Dask worker for {START_SECONDS:g} s. Start one, and run the same command again.")


class _Own:
    """A scheduler in this process, and workers on this machine."""

    def __init__(self, home: Path, workers: int) -> None:
        from distributed import LocalCluster

        self.home, self.wanted = home, workers
        self.cluster: LocalCluster = LocalCluster(
            n_workers=0, host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL
        )
        self.workers: list[subprocess.Popen[bytes]] = []
        self.mend()

    def grow(self, workers: int) -> None:
        self.wanted = max(self.wanted, min(MOST, workers))
        self.mend()

    def mend(self) -> None:
        """Start workers in place of those that died."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < self.wanted:
            self.workers.append(_worker(self.cluster.scheduler_address, self.home))

    def close(self) -> None:
        for worker in self.workers:
            with suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGTERM)
        self.cluster.close(timeout=5)
        for worker in self.workers:
            with suppress(subprocess.TimeoutExpired):
                worker.wait(3)
            with suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()


def _worker(address: str, home: Path) -> subprocess.Popen[bytes]:
    names = (*KEPT, *FAR)
    kept = {name: value for name, value in os.environ.items() if name in names or name.startswith("PAGEWITNESS_MAX_")}
    with (home / "cluster.log").open("wb") as stream:
        return subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "distributed.cli.dask_worker", address, "--nthreads", "1"),
                *("--no-nanny", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "30"),
                *("--local-directory", os.path.join(home, "cache", "dask")),
            ],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            cwd=os.path.abspath(os.sep),
            env={
                **kept,
                "OMP_THREAD_LIMIT": "1",
                "OMP_NUM_THREADS": "1",
                BESIDE: "1",
                "PYTHONPATH": str(run.PACKAGE.parent),
            },
            start_new_session=True,
        )


@contextmanager
def opened(home: Path, scheduler: str = "", workers: int = 0) -> Iterator[Pool]:
    """The workers of a scheduler, or so many on this machine (0: one for each processor)."""
    from distributed import Client

    for handler in log.handlers:
        handler.setLevel(logging.CRITICAL)
    own = None if scheduler else _Own(home, workers or processors())
    try:
        try:
            client = Client(own.cluster if own else scheduler, timeout=REACH_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(
                f"No Dask scheduler answers at {scheduler}. Name the address that `dask scheduler` shows, such as"
                " tcp://127.0.0.1:8786, or leave --scheduler out."
            ) from error
        try:
            if scheduler:
                _alike(client, scheduler)
            yield Pool(client, own)
        finally:
            client.close(timeout=5)
    finally:
        if own:
            own.close()


def _alike(client: Client, scheduler: str) -> None:
    """Each worker has this package in this version."""
    try:
        client.wait_for_workers(1, timeout=START_SECONDS)
        versions = client.run(run.code_version)
    except TimeoutError:
        raise UsageError(f"The scheduler at {scheduler} has no worker. Start one: dask worker {scheduler}") from None
    except Exception as error:  # whatever a worker says that lacks our package
        raise UsageError(
            f"A worker of {scheduler} cannot run pagewitness ({type(error).__name__}). Install the same version there."
        ) from error
    if others := [address for address, version in versions.items() if version != run.code_version()]:
        raise UsageError(f"The worker {others[0]} runs another version of pagewitness. Install the same there.")


def processors() -> int:
    """How many processors this process may use."""
    return min(MOST, len(os.sched_getaffinity(0)))
