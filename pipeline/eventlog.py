"""What was done to documents, and how long it took: log.jsonl in the data folder, one JSON object a line.

Comes in: the data folder, a stage (read, page, sections, rows, fields, verify, draw), a document by its hash. Goes out:
lines with `time` (UTC), `stage`, `document` (the first 16 digits of its hash), `page`, `seconds`, `outcome` (done,
failed, cancelled), `detail`, `process`. No text of a document and no name is in it but in an error's line. A log that
cannot be written costs no work. At 5 MB it becomes log.jsonl.1, in place of the one before.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Literal

from pipeline.page import Cancelled

NAME = "log.jsonl"
DIGITS = 16
LARGEST = 5_000_000  # bytes

Outcome = Literal["done", "failed", "cancelled"]


@dataclass
class Told:
    """What a stage may say of itself when it is done."""

    detail: str = ""


@dataclass(frozen=True)
class Event:
    """A line of the log. page: None where it is about the whole document; seconds: by the clock on the wall."""

    stage: str
    sha256: str
    seconds: float
    page: int | None = None
    outcome: Outcome = "done"
    detail: str = ""


@contextmanager
def stage(home: Path, name: str, sha256: str) -> Iterator[Told]:
    """Log what is done within, also where it fails or is cancelled."""
    began, told = time.monotonic(), Told()
    outcome: Outcome = "failed"
    try:
        yield told
        outcome = "done"
    except Cancelled:
        outcome = "cancelled"
        raise
    except Exception as error:
        told.detail = " ".join(str(error).split())
        raise
    finally:
        note(home, Event(name, sha256, time.monotonic() - began, None, outcome, told.detail))


def note(home: Path, event: Event) -> None:
    """Add a line."""
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "stage": event.stage,
        "document": event.sha256[:DIGITS],
        "page": event.page,
        "seconds": round(event.seconds, 3),
        "outcome": event.outcome,
        "detail": event.detail,
        "process": os.getpid(),
    }
    with suppress(OSError), _locked(home / NAME) as log:  # a full disk is told by what needs it
        log.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n")
        log.flush()
        if log.tell() > LARGEST:
            (home / NAME).replace(home / f"{NAME}.1")


def forget(home: Path, sha256: str) -> None:
    """Take all lines about a document out of the log."""
    mark = f'"document":"{sha256[:DIGITS]}"'.encode()
    for path in (home / f"{NAME}.1", home / NAME):
        if path.exists():
            with _locked(path) as log:
                log.seek(0)
                kept = [line for line in log if mark not in line]
                log.seek(0)
                log.truncate()
                log.writelines(kept)


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """The file, to be added to by one process at a time; the one of that name, though it was moved meanwhile."""
    while True:
        with open(path, "a+b", opener=_own) as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            if path.exists() and path.stat().st_ino == os.fstat(log.fileno()).st_ino:
                yield log
                return


def _own(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
