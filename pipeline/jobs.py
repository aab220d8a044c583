"""Long work outside the app: jobs that wait in the store, and the one process of a store that has them done.

Comes in: jobs by kind, document and options. Goes out: their state; the results go to the store. Refuses nothing:
a job that fails keeps its one-line error, and the next one starts.

`python -m pipeline.jobs --home H` holds the lock home/jobs.lock for as long as it lives, so a second one ends at
once. It ends by itself after ten minutes without work and without an app that asks, or when its code was upgraded.
Killed at any moment, it loses nothing: its successor queues again what was running.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO

from pipeline import labour, profiles, run, worker
from pipeline.crew import Crew
from pipeline.library import Library
from pipeline.model import StoreError
from pipeline.store import Job, JobKind, JobOptions, Store

IDLE_SECONDS = 600.0
LOCK_SECONDS = 1.0
LOG_BYTES = 1_000_000

_started: dict[Path, subprocess.Popen[bytes]] = {}
_guard = threading.Lock()


# ---------------------------------------------------------------- what the app calls


def submit(store: Store, kind: JobKind, sha256: str, options: JobOptions, asker: str = "") -> Job:
    """A queued job; the one that is queued or running already where it is the same. asker: whoever wants it, under any
    name; nobody's jobs wait behind all of another's.
    """
    profiles.loads(options.profile)
    return store.add_job(kind, sha256, options, asker)


def retry(store: Store, job: Job) -> Job:
    """The same once more."""
    return submit(store, job.kind, job.sha256, job.options, job.asker)


def get(store: Store, job_id: str) -> Job | None:
    """One job, or None."""
    return store.job(job_id)


def cancel(store: Store, job_id: str) -> None:
    """A queued job is cancelled at once, a running one after the step that it is in."""
    store.cancel_job(job_id)


def ensure_running(store: Store, idle: float = IDLE_SECONDS) -> None:
    """Start the store's job process if none runs, and tell it that an app is there. Returns at once.

    idle: seconds without work and without this call after which a process that is started here ends.
    """
    lock = store.home / "jobs.lock"
    with _guard, store.disk():
        lock.touch(mode=0o600)
        if not _held(lock) and not _starting(_started.get(store.home), lock):
            _started[store.home] = _start(store, idle)


def _starting(child: subprocess.Popen[bytes] | None, lock: Path) -> bool:
    """Whether the process that we started last is still on its way to the lock: one that had it is ending."""
    return child is not None and child.poll() is None and lock.read_text() != str(child.pid)


def process_id(store: Store) -> int | None:
    """The id of the store's job process, or None where none runs."""
    lock = store.home / "jobs.lock"
    if not lock.exists() or not _held(lock):
        return None
    text = lock.read_text()
    return int(text) if text.isdecimal() else None


def _held(lock: Path) -> bool:
    """Whether a process holds the lock; looking does not keep others from taking it for long."""
    with lock.open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _start(store: Store, idle: float) -> subprocess.Popen[bytes]:
    search = [str(run.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    with _log(store) as log:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pipeline.jobs", "--home", str(store.home), "--idle", str(idle)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=store.home,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(search)},
            start_new_session=True,
        )
    threading.Thread(target=process.wait, daemon=True, name="job process").start()  # no zombie is left
    return process


def _log(store: Store) -> IO[bytes]:
    path = store.home / "jobs.log"
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))
    return path.open("ab")


# ---------------------------------------------------------------- the job process


def serve(store: Store, idle: float) -> None:
    """Do the store's jobs until there is nothing more to do; nothing where another process does."""
    while True:
        with _locked(store) as mine:
            if not mine:
                return
            store.requeue_jobs()
            store.tidy()
            _work_until_idle(store, idle)
        # a job may have come in after the last look and before the lock was free
        if labour.leaving.is_set() or not store.jobs_waiting():
            return
        if _upgraded():
            _start(store, idle)
            return


def _work_until_idle(store: Store, idle: float) -> None:
    last, tended = time.time(), False
    crew = Crew(store, _say)
    try:
        while not (labour.leaving.is_set() or _upgraded()):
            if crew.work():
                last, tended = time.time(), False
                crew.wait()
            elif not tended:
                tended = not _tend(store)
            elif time.time() - max(last, _asked(store)) > idle:
                return
            else:
                crew.wait()
        while crew.busy and not labour.leaving.is_set():
            crew.wait()  # what was begun by the older code comes to its end
    finally:
        crew.close()
        if labour.leaving.is_set():
            store.requeue_jobs()  # the next process does what was begun


@contextmanager
def _locked(store: Store) -> Iterator[bool]:
    """Whether this process got the store's lock; tried for a second, for others look at it now and then."""
    with (store.home / "jobs.lock").open("a+") as stream:
        end = time.monotonic() + LOCK_SECONDS
        mine = _taken(stream)
        while not mine and time.monotonic() < end:
            time.sleep(0.05)
            mine = _taken(stream)
        if mine:
            stream.truncate(0)
            stream.write(str(os.getpid()))
            stream.flush()
        yield mine


def _taken(stream: IO[str]) -> bool:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _asked(store: Store) -> float:
    """When an app last asked for this process."""
    return (store.home / "jobs.lock").stat().st_mtime


def _sources() -> tuple[tuple[str, int, int], ...]:
    """The pipeline's source as it is on the disk: names, times, sizes."""
    found = [(source.name, source.stat()) for source in sorted(run.PACKAGE.glob("*.py"))]
    return tuple((name, about.st_mtime_ns, about.st_size) for name, about in found)


SOURCES = _sources()


def _upgraded() -> bool:
    """Whether the code on the disk is another than what this process runs."""
    try:
        return _sources() != SOURCES
    except FileNotFoundError:
        return True


def _tend(store: Store) -> bool:
    """A piece of the library's upkeep, while no job waits; whether there may be more. Its failure costs no job."""
    library = Library(store)
    try:
        if waiting := library.lacking():
            return library.catch_up(waiting[:1]) > 0
        if run.outline_next(store, profiles.load("default")):
            return True
        library.tidy()
    except Exception:  # noqa: BLE001  # searching is poorer without it, and everything else goes on
        traceback.print_exc()
    return False


def _say(line: str) -> None:
    sys.stdout.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}\n")
    sys.stdout.flush()


def _ended(_number: int, _frame: FrameType | None) -> None:
    labour.leaving.set()  # an exception may be lost, where Python calls back in the midst of an import
    raise SystemExit(0)


def main(arguments: list[str] | None = None) -> int:
    """The job process. Exit 0: nothing more to do, or another process does it; 5: the store failed."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.jobs", description="Do the jobs of a store.")
    parser.add_argument("--home", type=Path, required=True, help="the store's folder")
    parser.add_argument("--idle", type=float, default=IDLE_SECONDS, help="end after so many seconds without work")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _ended)
    try:
        serve(Store(options.home), options.idle)
    except StoreError as error:
        _say(str(error))
        time.sleep(LOCK_SECONDS)  # an app that keeps starting this process does not do so without a pause
        return error.exit_code
    finally:
        worker.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
