"""The one door to PDF bytes: runs pdf.py in a plain subprocess with limits, kept warm for the next document.

Comes in: paths, and passwords that are kept nowhere. Goes out: pages as they are read, `Reading`s, PNG bytes. Refuses
what pdf.py refuses, and `OverLimit` or `Damaged` where a document hangs or crashes the reader before its first page or
on too many pages; a single such page is left out with its reason, and a new worker goes on behind it. The worker's
environment is a whitelist without keys, and it is killed by process group.

Frames on the pipe, both ways: four bytes length of a JSON header, four bytes length of a payload, then the two.
The worker is not trusted: a header is JSON, a payload is columns of numbers, and nothing is unpickled.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import importlib
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from pipeline.languages import language
from pipeline.limits import Limits
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

if TYPE_CHECKING:
    from pipeline.pdf import Book

READER_VERSION = "3"
LENGTHS = struct.Struct("<II")
LARGEST_FRAME = 1 << 26
OUT_OF_MEMORY = 99  # exit code
KEPT_WARM = 400 << 20  # bytes: a worker that holds more does not wait for the next document
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT", "SYSTEMROOT")
COLUMNS = (("boxes", "f"), ("sizes", "f"), ("font_ids", "H"), ("rotations", "h"), ("confidences", "f"))
DRAWN = ("rules", "cells")  # floats, as many as the header says

Progress = Callable[[int, int], None]
Cause = Literal["slow", "crashed", "hungry"]


@dataclass(frozen=True)
class Access:
    """What a document may cost, and its password; empty: none. A password is neither kept nor shown."""

    limits: Limits = Limits()
    password: str = field(default="", repr=False)


ANYONE = Access()


@dataclass(frozen=True)
class Opened:
    """A document is open: how many pages it has."""

    pages: int


@dataclass(frozen=True)
class Ending:
    """All pages were read. `repaired`: what had to be mended first, in words; empty: nothing."""

    bookmarks: tuple[Bookmark, ...]
    repaired: str


Part = Opened | Page | Ending


def read(
    path: Path,
    profile: ReadingProfile,
    progress: Progress | None = None,
    access: Access = ANYONE,
    seen: Callable[[Page], None] | None = None,
) -> Reading:
    """All pages of the file. `progress` is told (pages done, pages in all) after each; `seen` gets each page while the
    next one is read.
    """
    pages: list[Page] = []
    total, ending = 0, Ending((), "")
    for part in stream(path, profile, access):
        match part:
            case Opened():
                total = part.pages
            case Page():
                pages.append(part)
                if seen:
                    seen(part)
                if progress:
                    progress(len(pages), total)
            case Ending():
                ending = part
    return Reading(described(sha256(path), path.name, pages, ending.repaired), tuple(pages), ending.bookmarks)


def stream(path: Path, profile: ReadingProfile, access: Access = ANYONE, first: int = 1) -> Iterator[Part]:
    """`Opened`, then the pages from `first` on as they are read, then `Ending`.

    A page that crashes the reader is tried once more; one that still does, or that takes too long, is left out: it
    comes without words, with the reason.
    """
    _measured(path, access.limits)
    at = _Place(access.limits, first)
    while True:
        try:
            yield from _parts(path, profile, access, at)
            return
        except _Stopped as stop:
            if reason := at.skips(stop):
                yield _left_out(at.page, reason)
                at.page += 1
                at.tried = False


class _Place:
    """Where in a document the reading is, and how often it was stopped."""

    def __init__(self, limits: Limits, first: int) -> None:
        self.limits, self.page = limits, first
        self.end = time.monotonic() + limits.total_seconds
        self.pages: int | None = None
        self.lost: list[int] = []
        self.restarts = 0
        self.tried = False
        self.fresh = True

    def skips(self, stop: _Stopped) -> str:
        """Why the page is left out; empty: it is tried again. Refuses what is not worth going on with."""
        self.restarts += 1
        again = not self.tried and (stop.cause == "crashed" or (stop.cause == "hungry" and not self.fresh))
        if self.pages is None and not again:
            raise stop.refusal("The PDF", self.limits) from None
        if not again:
            self.lost.append(self.page)
        if len(self.lost) == self.pages:
            raise stop.refusal("No page of the PDF can be read; the last one", self.limits) from None
        if len(self.lost) > self.limits.lost_pages or self.restarts > 2 * self.limits.lost_pages + 2:
            named = ", ".join(map(str, self.lost or [self.page]))
            raise stop.refusal(f"Page {named} of the PDF", self.limits) from None
        self.tried = again
        return "" if again else f"the page is left out: it {stop.words(self.limits)}"


def _parts(path: Path, profile: ReadingProfile, access: Access, at: _Place) -> Iterator[Part]:
    """What one worker reads from `at` on, before it ends or is stopped."""
    request = {"op": "read", "path": str(path.resolve()), "profile": asdict(profile), "first": at.page}
    at.fresh = True
    with _borrowed(access.limits) as worker:
        for header, payload in worker.ask(request | _terms(access), at.end):
            if "page" in header:
                page = unpacked(header["page"], payload)
                if page.number != at.page:
                    raise Damaged("The reader sent a page that does not add up.")
                yield page
                at.page += 1
                at.tried = at.fresh = False
            elif "pages" in header and at.pages is None:
                at.pages = int(header["pages"])
                yield Opened(at.pages)
            elif "bookmarks" in header:
                if at.page != (at.pages or 0) + 1:
                    raise Damaged(f"Only {at.page - 1} of {at.pages} pages could be read. Print the PDF to a new one.")
                yield Ending(tuple(Bookmark(*entry) for entry in header["bookmarks"]), str(header["repaired"]))


def _terms(access: Access) -> dict[str, Any]:
    return {"limits": asdict(access.limits), "password": access.password}


def _left_out(number: int, reason: str) -> Page:
    return Page(
        number=number,
        width=612.0,
        height=792.0,
        origin="text",
        health=0.0,
        reasons=(reason,),
        text="",
        boxes=array("f"),
        sizes=array("f"),
        font_ids=array("H"),
        rotations=array("h"),
        confidences=array("f"),
        fonts=(),
    )


def render(path: Path, page: int, dpi: int, access: Access = ANYONE) -> bytes:
    """PNG of a page as displayed."""
    _measured(path, access.limits)
    request = {"op": "render", "path": str(path.resolve()), "page": page, "dpi": dpi}
    try:
        with _borrowed(access.limits) as worker:
            end = time.monotonic() + access.limits.total_seconds
            pictures = [payload for header, payload in worker.ask(request | _terms(access), end) if "png" in header]
    except _Stopped as stop:
        raise stop.refusal(f"Page {page} cannot be drawn: it", access.limits) from None
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
    if size > limits.file_mb << 20:
        raise OverLimit(
            f"The file has {size / (1 << 20):.1f} MB, more than {limits.file_mb} MB. Split it and read the parts."
        )


def described(digest: str, name: str, pages: Sequence[Page], repaired: str) -> Document:
    """The document that has these pages; its kind and language are told by them."""
    scanned = sum(page.origin == "ocr" or (page.health < 0.5 and not len(page)) for page in pages)
    kind: Kind = "digital" if not scanned else "scanned" if scanned == len(pages) else "mixed"
    words = (word for page in pages for word in page.text.split("\n") if page.text)
    return Document(digest, name, len(pages), kind, language(words), repaired)


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


class _Stopped(Exception):
    """The worker hung or died over what it was asked."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(cause)
        self.cause = cause

    def words(self, limits: Limits) -> str:
        match self.cause:
            case "slow":
                return f"takes longer than {limits.page_seconds:g} s to read"
            case "hungry":
                return f"needs more than {limits.memory_mb} MB of memory, or is malformed"
            case _:
                return "crashes the reader"

    def refusal(self, what: str, limits: Limits) -> DocumentError:
        kind = Damaged if self.cause == "crashed" else OverLimit
        return kind(f"{what} {self.words(limits)}. Print the document to a new PDF and read that.")


class _Worker:
    """A warm subprocess that answers one request at a time."""

    def __init__(self, limits: Limits) -> None:
        package = Path(__file__).resolve().parent.parent
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
        self.limits = limits
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pipeline.worker", str(limits.memory_mb << 20)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
            env=environment,
            start_new_session=True,
        )
        self.buffer = bytearray()
        self.busy = False

    def ask(self, request: dict[str, Any], end: float) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The frames of the answer, until the time `end`. Raises what the worker refused, or that it stopped."""
        assert self.process.stdin is not None
        self.busy = True
        try:
            _send(self.process.stdin, request)
        except BrokenPipeError:
            raise self._died() from None
        step = self.limits.page_seconds
        while True:
            header, payload = self._frame(step, end)
            self.busy = not ("error" in header or "done" in header)
            if "error" in header:
                raise ERRORS.get(header["error"], DocumentError)(header["message"])
            if "done" in header:
                return
            step = self.limits.ocr_seconds if "ocr" in header else self.limits.page_seconds
            yield header, payload

    def _frame(self, step: float, end: float) -> tuple[dict[str, Any], bytes]:
        now = time.monotonic()
        if now >= end:
            raise OverLimit(
                f"The document takes longer than {self.limits.total_seconds:g} s to read. Split it and read the parts."
            )
        until = min(end, now + step)
        head, body = LENGTHS.unpack(self._take(LENGTHS.size, until))
        if head + body > LARGEST_FRAME:
            raise OverLimit("A page of the document is too large to be read.")
        header = json.loads(self._take(head, until))
        return header, self._take(body, until)

    def _take(self, count: int, until: float) -> bytes:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        while len(self.buffer) < count:
            ready, _, _ = select.select([descriptor], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise _Stopped("slow")
            chunk = os.read(descriptor, 1 << 20)
            if not chunk:
                raise self._died()
            self.buffer += chunk
        taken = bytes(self.buffer[:count])
        del self.buffer[:count]
        return taken

    def _died(self) -> _Stopped:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)  # how it ended by itself is what tells
        self.stop()
        # PDFium and qpdf abort where memory is refused
        return _Stopped("hungry" if self.process.returncode in (OUT_OF_MEMORY, -signal.SIGABRT) else "crashed")

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def resident(self) -> int:
        """Bytes of memory that it holds; 0 where that cannot be told."""
        try:
            held = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        except OSError:
            return 0
        return int(held) * resource.getpagesize()

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
            keep = not worker.busy and worker.alive and len(_idle) < 2 and worker.resident < KEPT_WARM
            if keep:
                _idle.append(worker)
        if not keep:
            worker.stop()


def warm(limits: Limits = ANYONE.limits) -> None:
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

    limits, password = Limits(**request["limits"]), request["password"]
    book = pdf.Book(Path(request["path"]), pdf.Access(limits, password, lambda: _send(out, {"repair": True})))
    try:
        match request["op"]:
            case "read":
                _read(book, request, out)
            case "render":
                _send(out, {"png": True}, pdf.render(book, request["page"], request["dpi"]))
    finally:
        book.close()
    _send(out, {"done": True})


def _read(book: Book, request: dict[str, Any], out: IO[bytes]) -> None:
    from pipeline import pdf

    profile = ReadingProfile(**request["profile"])
    refused: list[str] = []
    blank = 0
    _send(out, {"pages": len(book)})
    for number in range(request["first"], len(book) + 1):
        try:
            page = pdf.read_page(book, number, profile, lambda: _send(out, {"ocr": True}))
        except (DocumentError, MemoryError):
            raise
        except pdf.PageRefused as error:
            refused.append(str(error))
            page = pdf.blank(number, error)
        except Exception as error:  # noqa: BLE001  # a fault of ours costs the page, not the document
            refused.append(f"the page is left out: an unexpected error ({type(error).__name__})")
            page = pdf.blank(number, pdf.PageRefused(refused[-1]))
        blank += pdf.is_blank(page)
        header, payload = packed(page)
        _send(out, {"page": header}, payload)
    if refused and len(refused) + blank == len(book):
        raise Damaged(f"No page of the PDF can be read: {refused[0]}. Export it again from where it was made.")
    _send(out, {"bookmarks": pdf.bookmarks(book.document), "repaired": book.repaired})


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
    importlib.import_module("pipeline.pdf")  # now, while nobody waits yet
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    while request := _request(sys.stdin.buffer):
        try:
            _answer(request, out)
        except MemoryError:
            return OUT_OF_MEMORY
        except DocumentError as error:
            _send(out, {"error": type(error).__name__, "message": str(error)})
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
