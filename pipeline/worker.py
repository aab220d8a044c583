"""The one door to PDF bytes: runs reader.py in a plain subprocess with limits, kept warm for the next document.

Comes in: paths, and passwords that are kept nowhere; crops of pages. Goes out: pages as they are read, `Reading`s,
pictures of pages, and what Tesseract reads on crops. Refuses
what pdf.py refuses, and `OverLimit` or `Damaged` where a document hangs or crashes the reader before its first page or
on too many pages; a single such page is left out with its reason, and a new worker goes on behind it. The worker's
environment is a whitelist without keys, and it is killed by process group.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import resource
import select
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pipeline import spawn
from pipeline.frames import LENGTHS, OUT_OF_MEMORY, send, unpacked, unpacked_leaf
from pipeline.languages import language
from pipeline.leaf import Leaf
from pipeline.limits import Limits
from pipeline.model import (
    Bookmark,
    Damaged,
    Document,
    DocumentError,
    Kind,
    Locked,
    NotAPdf,
    OverLimit,
    Page,
    Reading,
    unread,
)
from pipeline.profiles import ReadingProfile

READER_VERSION = "3"
LARGEST_FRAME = 1 << 26
CROP_DPI = 300  # what Tesseract is told of a crop; only its pixels count
KEPT_WARM = 400 << 20  # bytes: a worker that holds more does not wait for the next document

Progress = Callable[[int, int], None]
Cause = Literal["slow", "crashed", "hungry"]


@dataclass(frozen=True)
class Access:
    """What a document may cost, and its password; empty: none. A password is neither kept nor shown."""

    limits: Limits = Limits()
    password: str = field(default="", repr=False)


ANYONE = Access()


@dataclass(frozen=True)
class Attachment:
    """A file embedded in a PDF."""

    name: str
    content: bytes


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
    found = gathered(stream(path, profile, access), progress, seen)
    ending = found.ending or Ending((), "")
    document = described(sha256(path), path.name, found.pages, ending.repaired)
    return Reading(document, found.pages, ending.bookmarks)


class Gathered(NamedTuple):
    """What a stream brought: how many pages the document has, those that were read, the ending where it came so far."""

    total: int
    pages: tuple[Page, ...]
    ending: Ending | None


def gathered(
    parts: Iterable[Part], progress: Progress | None = None, seen: Callable[[Page], None] | None = None
) -> Gathered:
    """All of a stream. `progress` and `seen` as in `read`."""
    pages: list[Page] = []
    total, ending = 0, None
    for part in parts:
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
    return Gathered(total, tuple(pages), ending)


def stream(
    path: Path, profile: ReadingProfile, access: Access = ANYONE, first: int = 1, last: int | None = None
) -> Iterator[Part]:
    """`Opened`, then the pages from `first` on as they are read, then `Ending`; up to page `last` alone, where the
    document has more, without an ending.

    A page that crashes the reader is tried once more; one that still does, or that takes too long, is left out: it
    comes without words, with the reason.
    """
    _measured(path, access.limits)
    at = _Place(access.limits, first, last)
    while True:
        try:
            yield from _parts(path, profile, access, at)
            return
        except _Stopped as stop:
            if reason := at.skips(stop):
                yield unread(at.page, reason)
                at.page += 1
                at.tried = False


class _Place:
    """Where in a document the reading is, and how often it was stopped."""

    def __init__(self, limits: Limits, first: int, last: int | None) -> None:
        self.limits, self.page, self.last = limits, first, last
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
    request["last"] = at.last
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


def render(path: Path, page: int, dpi: int, access: Access = ANYONE) -> bytes:
    """PNG of a page as displayed."""
    return _drawn(path, {"op": "render", "page": page, "dpi": dpi}, access)[1]


def picture(path: Path, page: int, size: tuple[int, int], access: Access = ANYONE) -> bytes:
    """PNG of a page as displayed, of a size in pixels."""
    return _drawn(path, {"op": "picture", "page": page, "size": size}, access)[1]


def leaf(path: Path, page: int, turn: int = 0, access: Access = ANYONE) -> Leaf:
    """A page's picture, level, to cut crops from. turn: degrees, clockwise, by which the page's text is turned."""
    return unpacked_leaf(*_drawn(path, {"op": "leaf", "page": page, "turn": turn}, access))


def leaves(path: Path, access: Access = ANYONE) -> Callable[[Page], Leaf]:
    """Draws pages of the file, each level and the way up that its text is read."""

    def drawn(page: Page) -> Leaf:
        turns = Counter(round(rotation / 90) * 90 % 360 for rotation in page.rotations)
        return leaf(path, page.number, turns.most_common(1)[0][0] if turns else 0, access)

    return drawn


def attachments(path: Path, access: Access = ANYONE) -> tuple[Attachment, ...]:
    """The XML files embedded in a PDF, as they are: nobody vouches for what is in them."""
    return tuple(
        Attachment(str(header["name"]), content)
        for header, content in _frames(path, {"op": "attachments"}, access, "Its attachments cannot be read: the PDF")
    )


def _drawn(path: Path, request: dict[str, Any], access: Access) -> tuple[dict[str, Any], bytes]:
    """The one frame that answers the request for a picture of a page."""
    frames = _frames(path, request, access, f"Page {request['page']} cannot be drawn: it")
    if not frames:
        raise Damaged(f"Page {request['page']} cannot be drawn.")
    return frames[0]


def _frames(path: Path, request: dict[str, Any], access: Access, what: str) -> list[tuple[dict[str, Any], bytes]]:
    """The frames with a payload that answer a request about a file. what: begins what is said where it is stopped."""
    _measured(path, access.limits)
    asked = request | {"path": str(path.resolve())} | _terms(access)
    try:
        with _borrowed(access.limits) as worker:
            end = time.monotonic() + access.limits.total_seconds
            return [(header, payload) for header, payload in worker.ask(asked, end) if payload]
    except _Stopped as stop:
        raise stop.refusal(what, access.limits) from None


def read_crops(crops: Sequence[bytes], model: str, access: Access = ANYONE) -> Iterator[tuple[str, float]]:
    """The text of each crop, a PNG of one line, by a model of Tesseract, with the confidence 0..1 of its least word."""
    request = {"op": "crops", "model": model, "dpi": CROP_DPI, "sizes": [len(crop) for crop in crops]}
    try:
        with _borrowed(access.limits) as worker:
            end = time.monotonic() + access.limits.total_seconds
            for header, _ in worker.ask(request | _terms(access), end, b"".join(crops)):
                if "text" in header:
                    yield header["text"], header["confidence"]
    except _Stopped as stop:
        raise stop.refusal("A crop of a page cannot be read: it", access.limits) from None


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
    both = any(page.mixed for page in pages)
    kind: Kind = "digital" if not scanned else "scanned" if scanned == len(pages) and not both else "mixed"
    words = (word for page in pages for word in page.text.split("\n") if page.text)
    return Document(digest, name, len(pages), kind, language(words), repaired)


def sha256(path: Path) -> str:
    """Hex digest of the file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


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
        self.limits = limits
        self.process = spawn.process(limits.memory_mb)
        self.buffer = bytearray()
        self.busy = False

    def ask(self, request: dict[str, Any], end: float, payload: bytes = b"") -> Iterator[tuple[dict[str, Any], bytes]]:
        """The frames of the answer, until the time `end`. Raises what the worker refused, or that it stopped."""
        assert self.process.stdin is not None
        self.busy = True
        try:
            send(self.process.stdin, request, payload)
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
