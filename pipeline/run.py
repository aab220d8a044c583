"""The composer: from a file, or a document of the store, to readings, results and pictures of pages.

Comes in: paths, or a store and the sha256 of a document in it; a `Profile`. Goes out: `Reading`s, `Statement`s,
paths of PNGs; what was made once is kept under its key and not made again. Refuses: what worker, engine and store
refuse; `Cancelled` where `cancelled()` turns true between two steps; samples and pages that do not exist.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from pipeline import ocr, statements, worker
from pipeline.engine import Engine
from pipeline.local import LocalEngine
from pipeline.model import Cancelled, DocumentError, EngineError, Reading, Statement, StoreError, UsageError
from pipeline.profiles import Profile
from pipeline.store import Key, Store, Stored

PACKAGE = Path(__file__).resolve().parent
SAMPLES = PACKAGE.parent / "sample_docs"
DPI = (24, 300)
STOPPED = "The work was cancelled. Start it again when you want it."

Progress = Callable[[int, int], None]
Stop = Callable[[], bool]


def read_file(path: Path, profile: Profile, progress: Progress | None = None) -> Reading:
    """What a file holds, without a store."""
    return worker.read(path, profile.reading, progress)


def ingest(
    store: Store, sha256: str, profile: Profile, progress: Progress | None = None, cancelled: Stop | None = None
) -> Reading:
    """What a document of the store holds, from the store where it was read before. progress: pages done, in all."""
    key = reading_key(profile)
    if kept := store.reading(sha256, key):
        return kept
    entry, path = store.document(sha256), store.path(sha256)
    if entry is None:
        raise StoreError("The document is not in the store (any more). Add the file again.")
    try:
        read = worker.read(path, profile.reading, _watched(progress, cancelled))
    except DocumentError as error:
        store.mark_failed(sha256, str(error))
        raise
    if read.document.sha256 != sha256:
        raise StoreError(f"The stored file of {entry.name} was changed on the disk. Add the file again.")
    named = replace(read, document=replace(read.document, name=entry.name))
    store.save_reading(named, key)
    return named


def reading(store: Store, sha256: str, profile: Profile) -> Reading:
    """What a document holds: from the store, else read now."""
    return ingest(store, sha256, profile)


def rows(
    store: Store,
    sha256: str,
    profile: Profile,
    progress: Progress | None = None,
    cancelled: Stop | None = None,
    engine_name: str = "local",
) -> Statement:
    """The rows of a document and their reconciliation, from the store where they were extracted before.

    progress: pages, then windows; done, in all.
    """
    key = result_key(profile, engine_name)
    if kept := store.statement(sha256, key):
        return kept
    chosen = engine(engine_name)
    read = ingest(store, sha256, profile, progress, cancelled)
    statement = statements.extract(read, profile, chosen, progress, cancelled)
    if cancelled and cancelled():
        raise Cancelled(STOPPED)
    store.save_statement(sha256, key, statement)
    return statement


def engine(name: str) -> Engine:
    """The engine of that name, for one run."""
    match name:
        case "local":
            return LocalEngine()
        case "claude":
            raise EngineError("Claude does not read rows in this version. Leave --engine out: the local engine reads.")
    raise UsageError(f"There is no engine named {name!r}. There is: local.")


def reading_key(profile: Profile) -> Key:
    """What a reading depends on: the profile's reading part, the reader, the languages that OCR could use."""
    part = profile.reading
    usable = "" if part.ocr == "never" else "+".join(sorted(ocr.installed() & set(part.languages)))
    return Key(Profile(reading=part).id(), f"{worker.READER_VERSION}/{usable}")


def result_key(profile: Profile, engine: str) -> Key:
    """What a result depends on: the whole profile, the reading, the engine, and our code that concludes."""
    read = reading_key(profile)
    return Key(profile.id(), f"{read.reader}/{code_version()}", engine)


@cache
def code_version() -> str:
    """Twelve hex digits over the pipeline's source: an upgrade never serves what an older one concluded."""
    digest = hashlib.sha256()
    for source in sorted(PACKAGE.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _watched(progress: Progress | None, cancelled: Stop | None) -> Progress:
    def step(done: int, total: int) -> None:
        if cancelled and cancelled():
            raise Cancelled(STOPPED)
        if progress:
            progress(done, total)

    return step


# ---------------------------------------------------------------- pictures


def page_image(store: Store, sha256: str, page: int, dpi: int) -> Path:
    """The PNG of a page as displayed, drawn once; dpi 24 to 300."""
    low, high = DPI
    if not low <= dpi <= high:
        raise UsageError(f"A page can be drawn at {low} to {high} dpi, not at {dpi}.")
    if kept := store.image(sha256, page, dpi):
        return kept
    path, entry = store.path(sha256), store.document(sha256)
    pages = entry.pages if entry else None
    if page < 1 or (pages is not None and page > pages):
        raise UsageError(f"There is no page {page}: pages count from 1{f' to {pages}' if pages else ''}.")
    return store.save_image(sha256, page, dpi, worker.render(path, page, dpi))


# ---------------------------------------------------------------- samples


def samples() -> list[str]:
    """Names of the documents that ship."""
    return sorted(path.name for path in SAMPLES.glob("*.pdf"))


def sample_path(name: str) -> Path:
    """Where a sample lies, from any working folder; UsageError for any other name."""
    if name not in samples():
        raise UsageError(f"There is no sample named {name!r}. There are: {', '.join(samples())}.")
    return SAMPLES / name


def add_samples(store: Store) -> list[Stored]:
    """Put the samples into the store, each with its truth, as far as they are not there yet."""
    return [_added(store, SAMPLES / name) for name in samples()]


def _added(store: Store, path: Path) -> Stored:
    sha256 = worker.sha256(path)
    entry = store.document(sha256)
    if entry and store.has_file(sha256):
        stored = Stored(sha256, entry.name, entry.size, known=True)
    else:
        stored = store.add_file(path, path.name)
    truth = path.with_suffix(".truth.json")
    if truth.is_file() and store.truth(sha256) is None:
        store.save_truth(sha256, truth.read_text(encoding="utf-8"))
    return stored
