"""The one door to PDF bytes: runs pdf.py in a plain subprocess with limits, kept warm for the next document.

Comes in: paths. Goes out: `Reading`s and PNG bytes. Refuses what pdf.py refuses, and `OverLimit` where a document
takes more time or memory than `LIMITS` allow; a crash of the reader is `Damaged`. The worker's environment is a
whitelist without keys, and it is killed by process group.

Frames on the pipe, both ways: four bytes length of a JSON header, four bytes length of a payload, then the two.
The worker is not trusted: a header is JSON, a payload is columns of numbers, and nothing is unpickled.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from pipeline.languages import language
from pipeline.model import (
    Bookmark,
    Damaged,
    Document,
    DocumentError,
    Font,
    Kind,
    Locked,
    NotAPdf,
    OverLimit,
    Page,
    Reading,
)
from pipeline.profiles import ReadingProfile

READER_VERSION = "2"
LENGTHS = struct.Struct("<II")
LARGEST_FRAME = 1 << 28
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT", "SYSTEMROOT")
COLUMNS = (("boxes", "f"), ("sizes", "f"), ("font_ids", "H"), ("rotations", "h"), ("confidences", "f"))
DRAWN = ("rules", "cells")  # floats, as many as the header says

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Limits:
    """What one document may cost: seconds for a step (a page), seconds in all, bytes of address space."""

    step_seconds: float = 90.0
    total_seconds: float = 3_600.0
    memory: int = 4 << 30
    file_bytes: int = 200 << 20


LIMITS = Limits()


def read(path: Path, profile: ReadingProfile, progress: Progress | None = None, limits: Limits = LIMITS) -> Reading:
    """All pages of the file. `progress` is told (pages done, pages in all) after each."""
    _measured(path, limits)
    pages: list[Page] = []
    bookmarks: tuple[Bookmark, ...] = ()
    announced = 0
    with _borrowed(limits) as worker:
        request = {"op": "read", "path": str(path.resolve()), "profile": asdict(profile)}
        for header, payload in worker.ask(request):
            if "page" in header:
                pages.append(unpacked(header["page"], payload))
                announced = int(header["of"])
                if progress:
                    progress(len(pages), announced)
            elif "bookmarks" in header:
                bookmarks = tuple(Bookmark(*entry) for entry in header["bookmarks"])
    if not pages or len(pages) != announced:
        raise Damaged(f"Only {len(pages)} of {announced} pages could be read. Print the document to a new PDF.")
    return Reading(_document(path, pages), tuple(pages), bookmarks)


def render(path: Path, page: int, dpi: int, limits: Limits = LIMITS) -> bytes:
    """PNG of a page as displayed."""
    _measured(path, limits)
    with _borrowed(limits) as worker:
        request = {"op": "render", "path": str(path.resolve()), "page": page, "dpi": dpi}
        pictures = [payload for header, payload in worker.ask(request) if "png" in header]
    if not pictures:
        raise Damaged(f"Page {page} cannot be drawn.")
    return pictures[0]


def _measured(path: Path, limits: Limits) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise DocumentError(f"The file cannot be opened: {error.strerror}. Check the path.") from error
    if path.is_dir():
        raise DocumentError("This is a folder, not a file. Name a PDF in it.")
    if size > limits.file_bytes:
        most = limits.file_bytes >> 20
        raise OverLimit(f"The file has {size / (1 << 20):.0f} MB, more than {most} MB. Split it and read the parts.")


def _document(path: Path, pages: list[Page]) -> Document:
    scanned = sum(page.origin == "ocr" or (page.health < 0.5 and not len(page)) for page in pages)
    kind: Kind = "digital" if not scanned else "scanned" if scanned == len(pages) else "mixed"
    words = (word for page in pages for word in page.text.split("\n") if page.text)
    return Document(sha256(path), path.name, len(pages), kind, language(words))


def sha256(path: Path) -> str:
    """Hex digest of the file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


# ---------------------------------------------------------------- pages over the pipe


def packed(page: Page) -> tuple[dict[str, Any], bytes]:
    """A page as a JSON header and a payload: its text, then its columns, in the order of COLUMNS."""
    text = page.text.encode("utf-8", "surrogatepass")
    header = {
        "number": page.number,
        "width": page.width,
        "height": page.height,
        "origin": page.origin,
        "health": page.health,
        "reasons": page.reasons,
        "fonts": page.fonts,
        "words": len(page),
        "text": len(text),
        "rules": len(page.rules),
        "cells": len(page.cells),
    }
    names = [*(name for name, _ in COLUMNS), *DRAWN]
    return header, b"".join([text, *(getattr(page, name).tobytes() for name in names)])


def unpacked(header: dict[str, Any], payload: bytes) -> Page:
    """The page again; refuses lengths that do not fit, as Damaged."""
    count, start = int(header["words"]), int(header["text"])
    columns: dict[str, array[Any]] = {}
    at = start
    lengths = {name: count * (4 if name == "boxes" else 1) for name, _ in COLUMNS}
    lengths |= {name: int(header[name]) for name in DRAWN}
    for name, code in (*COLUMNS, *((name, "f") for name in DRAWN)):
        column = array(code)
        size = column.itemsize * lengths[name]
        part = payload[at : at + size]
        if len(part) != size:
            raise Damaged("The reader sent a page that does not add up.")
        column.frombytes(part)
        columns[name] = column
        at += size
    return Page(
        number=int(header["number"]),
        width=float(header["width"]),
        height=float(header["height"]),
        origin=header["origin"],
        health=float(header["health"]),
        reasons=tuple(header["reasons"]),
        text=payload[:start].decode("utf-8", "replace"),
        fonts=tuple(Font(*font) for font in header["fonts"]),
        **columns,
    )


def _send(stream: IO[bytes], header: dict[str, Any], payload: bytes = b"") -> None:
    head = json.dumps(header, ensure_ascii=True).encode()
    stream.write(LENGTHS.pack(len(head), len(payload)) + head + payload)
    stream.flush()


# ---------------------------------------------------------------- the host's side


class _Worker:
    """A warm subprocess that answers one request at a time."""

    def __init__(self, limits: Limits) -> None:
        package = Path(__file__).resolve().parent.parent
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
        self.limits = limits
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pipeline.worker", str(limits.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
            env=environment,
            start_new_session=True,
        )
        self.buffer = bytearray()
        self.busy = False

    def ask(self, request: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The frames of the answer. Raises what the worker refused, OverLimit or Damaged."""
        assert self.process.stdin is not None
        end = time.monotonic() + self.limits.total_seconds
        self.busy = True
        try:
            _send(self.process.stdin, request)
        except BrokenPipeError:
            raise self._died() from None
        while True:
            header, payload = self._frame(end)
            self.busy = not ("error" in header or "done" in header)
            if "error" in header:
                raise ERRORS.get(header["error"], DocumentError)(header["message"])
            if "done" in header:
                return
            yield header, payload

    def _frame(self, end: float) -> tuple[dict[str, Any], bytes]:
        step = min(end, time.monotonic() + self.limits.step_seconds)
        head, body = LENGTHS.unpack(self._take(LENGTHS.size, step))
        if head + body > LARGEST_FRAME:
            raise OverLimit("A page of the document is too large to be read.")
        header = json.loads(self._take(head, step))
        return header, self._take(body, step)

    def _take(self, count: int, end: float) -> bytes:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        while len(self.buffer) < count:
            ready, _, _ = select.select([descriptor], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise OverLimit("The document takes too long to read. Print it to a new PDF, or split it.")
            chunk = os.read(descriptor, 1 << 20)
            if not chunk:
                raise self._died()
            self.buffer += chunk
        taken = bytes(self.buffer[:count])
        del self.buffer[:count]
        return taken

    def _died(self) -> DocumentError:
        self.stop()
        if self.process.returncode == 99:
            return OverLimit("The document needs more memory than the limits allow. Split it and read the parts.")
        return Damaged("The document crashed the reader. Print it to a new PDF and read that.")

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """Kill the worker and whatever it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                with suppress(BrokenPipeError):
                    stream.close()


ERRORS: dict[str, type[DocumentError]] = {
    kind.__name__: kind for kind in (NotAPdf, Locked, Damaged, OverLimit, DocumentError)
}
_idle: list[_Worker] = []
_guard = threading.Lock()


@contextmanager
def _borrowed(limits: Limits) -> Iterator[_Worker]:
    """A worker for one request. It goes back warm, or is killed where the request did not end in order."""
    with _guard:
        worker = next((idle for idle in _idle if idle.limits == limits and idle.alive), None)
        if worker:
            _idle.remove(worker)
    worker = worker or _Worker(limits)
    try:
        yield worker
    finally:
        with _guard:
            keep = not worker.busy and worker.alive and len(_idle) < 2
            if keep:
                _idle.append(worker)
        if not keep:
            worker.stop()


def warm(limits: Limits = LIMITS) -> None:
    """Start a worker now, so that the next document need not wait for it."""
    with _guard:
        if not _idle:
            _idle.append(_Worker(limits))


@atexit.register
def close() -> None:
    """Stop all idle workers."""
    with _guard:
        while _idle:
            _idle.pop().stop()


# ---------------------------------------------------------------- the worker's side


def _answer(request: dict[str, Any], out: IO[bytes]) -> None:
    from pipeline import pdf

    document = pdf.open_document(Path(request["path"]))
    try:
        match request["op"]:
            case "read":
                profile = ReadingProfile(**request["profile"])
                for number in range(1, len(document) + 1):
                    header, payload = packed(pdf.read_page(document, number, profile))
                    _send(out, {"page": header, "of": len(document)}, payload)
                _send(out, {"bookmarks": pdf.bookmarks(document)})
            case "render":
                _send(out, {"png": True}, pdf.render(document, request["page"], request["dpi"]))
    finally:
        document.close()
    _send(out, {"done": True})


def _request(stream: IO[bytes]) -> dict[str, Any] | None:
    lengths = stream.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    request: dict[str, Any] = json.loads(stream.read(LENGTHS.unpack(lengths)[0]))
    return request


def main(memory: int) -> int:
    """Answer requests on standard input until it closes. Exit 99: out of memory."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while request := _request(sys.stdin.buffer):
        try:
            _answer(request, out)
        except MemoryError:
            return 99
        except DocumentError as error:
            _send(out, {"error": type(error).__name__, "message": str(error)})
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
