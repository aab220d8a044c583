"""The composer: from a file, or a document of the store, to readings, results and pictures of pages.

Comes in: paths, or a store and the sha256 of a document in it; a `Profile`. Goes out: `Reading`s, `Statement`s,
paths of PNGs; what was made once is kept under its key and not made again. Refuses: what worker, engine and store
refuse; `Cancelled` where `cancelled()` turns true between two steps; samples and pages that do not exist.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from pipeline import (
    decisions,
    engines,
    eventlog,
    fieldreview,
    fieldstore,
    invoices,
    kinds,
    likeness,
    ocr,
    outline,
    profiles,
    records,
    review,
    statements,
    verifications,
    verify,
    ways,
    worker,
)
from pipeline.engine import Engine
from pipeline.engines import About
from pipeline.eventlog import Event
from pipeline.fieldreview import JudgedFields
from pipeline.files import access
from pipeline.leaf import Leaf
from pipeline.likeness import Known, Suggestion
from pipeline.model import (
    Cancelled,
    DocumentError,
    Finding,
    Invoices,
    Locked,
    Outline,
    Page,
    Reading,
    Section,
    Statement,
    StoreError,
    UsageError,
)
from pipeline.outline import Features
from pipeline.profiles import Fingerprint, Profile, ReadingProfile
from pipeline.reread import Leaves
from pipeline.review import Ground, Reviewed
from pipeline.statements import Book
from pipeline.store import Draft, Key, Parse, Store, Stored, Tree

PACKAGE = Path(__file__).resolve().parent
SAMPLES = PACKAGE.parent / "sample_docs"
DPI = (24, 300)
CLOSED = (
    "The file is locked and its password is not kept, so an XML inside it was not held against the pages:"
    " `pagewitness fields FILE --password WORD` does."
)
LEAF_DPI = 200  # of the pictures that a locked scan's values are read in again
BATCH_PAGES = 25
BATCH_SECONDS = 2.0
COUNTED_PAGES = 300  # longer documents are left to the page Structure: their lines would be held beside their words
OUTLINED_PAGES = 1_000  # the same, where nobody waits for it
STOPPED = "The work was cancelled. Start it again when you want it."

Progress = Callable[[int, int], None]
Stop = Callable[[], bool]


def ingest(
    store: Store,
    sha256: str,
    profile: Profile,
    progress: Progress | None = None,
    cancelled: Stop | None = None,
    password: str = "",
) -> Reading:
    """What a document of the store holds, from the store where it was read before. progress: pages done, in all.

    Pages are kept as they are read: what is stopped or killed goes on behind the last of them.
    """
    key = reading_key(profile)
    if kept := store.reading(sha256, key):
        return kept
    entry, path = store.document(sha256), store.path(sha256)
    if entry is None:
        raise StoreError("The document is not in the store (any more). Add the file again.")
    if worker.sha256(path) != sha256:
        raise StoreError(f"The stored file of {entry.name} was changed on the disk. Add the file again.")
    draft = store.draft(sha256, key, ways.written(profile.reading))
    source = _Source(path, profile.reading, access(store.home, password), _like(store, sha256, profile))
    with eventlog.stage(store.home, "read", sha256) as told:
        try:
            parts = _logged(store, sha256, source.parts(len(draft.pages) + 1))
            pages, ending = _kept(store, draft, parts, _watched(progress, cancelled))
        except DocumentError as error:
            if not (password and isinstance(error, Locked)):  # a wrong password says nothing of the document
                store.mark_failed(sha256, str(error), locked=isinstance(error, Locked))
            raise
        told.detail = f"{len(pages)} pages"
    document = worker.described(sha256, entry.name, pages, ending.repaired)
    store.finish_reading(draft, document, ending.bookmarks)
    _forget(store, sha256, profile)
    return Reading(document, pages, ending.bookmarks)


def _logged(store: Store, sha256: str, parts: Iterator[worker.Part]) -> Iterator[worker.Part]:
    """The same parts; the log gets a line for each page that took OCR or is not sound."""
    began = time.monotonic()
    for part in parts:
        if isinstance(part, Page) and (part.origin == "ocr" or part.reasons):
            seconds, detail = time.monotonic() - began, "; ".join((part.origin, *part.reasons))
            eventlog.note(store.home, Event("page", sha256, seconds, part.number, detail=detail))
        yield part
        began = time.monotonic()


@dataclass(frozen=True)
class _Source:
    """Where pages come from: the document, or a reading of it that differs in the ways of some pages at most."""

    path: Path
    reading: ReadingProfile
    access: worker.Access
    like: tuple[ReadingProfile, Reading] | None

    def parts(self, first: int) -> Iterator[worker.Part]:
        """As `worker.stream`; a page is read only where it is to be read another way than before."""
        if self.like is None:
            yield from worker.stream(self.path, self.reading, self.access, first)
            return
        settings, known = self.like
        yield worker.Opened(len(known.pages))
        for same, run in groupby(known.pages[first - 1 :], lambda page: self._stays(page.number, settings)):
            pages = list(run)
            yield from pages if same else self._read(pages[0].number, pages[-1].number)
        yield worker.Ending(known.bookmarks, known.document.repaired)

    def _stays(self, page: int, settings: ReadingProfile) -> bool:
        return self.reading.way(page) == settings.way(page)

    def _read(self, first: int, last: int) -> Iterator[Page]:
        for part in worker.stream(self.path, self.reading, self.access, first):
            if isinstance(part, Page):
                yield part
                if part.number == last:
                    return


def _like(store: Store, sha256: str, profile: Profile) -> tuple[ReadingProfile, Reading] | None:
    """A whole reading by the same reader that has most pages as the profile wants them."""
    found: tuple[int, ReadingProfile, Reading] | None = None
    for kept, settings in _readings(store, sha256, profile):
        read = store.reading(sha256, kept)
        same = sum(settings.way(page.number) == profile.reading.way(page.number) for page in read.pages) if read else 0
        if read and same > (found[0] if found else 0):
            found = same, settings, read
    return found[1:] if found else None


def _readings(store: Store, sha256: str, profile: Profile) -> Iterator[tuple[Key, ReadingProfile]]:
    """The whole readings that differ from the profile's in the ways of pages at most, and these ways."""
    for key, text in store.readings(sha256):
        settings = ways.own(profile, text).reading
        if text and key == reading_key(Profile(reading=settings)):
            yield key, settings


def _forget(store: Store, sha256: str, profile: Profile) -> None:
    """Of the readings that differ in single pages, the one without any is kept beside the newest."""
    for key, settings in _readings(store, sha256, profile):
        if settings != profile.reading and ways.single(settings):
            store.drop_reading(sha256, key)


def unlock(store: Store, sha256: str, profile: Profile, key: Unlock, progress: Progress | None = None) -> None:
    """Read a locked document, and draw its pages while the password is at hand. progress: pages read, then drawn."""
    read = ingest(store, sha256, profile, progress, password=key.password)
    for number in range(1, len(read.pages) + 1):
        with suppress(DocumentError):  # a page that cannot be drawn costs its picture
            page_image(store, sha256, number, key.dpi, key.password)
            page_image(store, sha256, number, LEAF_DPI, key.password)  # second reads hold text layers against it, too
        if progress:
            progress(number, len(read.pages))
    if len(read.pages) <= COUNTED_PAGES:
        count_sections(store, read, profile)


@dataclass(frozen=True)
class Unlock:
    """A document's password, kept nowhere, and how finely its pages are drawn."""

    password: str = field(repr=False)
    dpi: int


def count_sections(store: Store, reading: Reading, profile: Profile, known: Features | None = None) -> None:
    """Keep how many sections the document has with the profile's reading and headings found by themselves."""
    key = sections_key(profile)
    sha256 = reading.document.sha256
    if store.sections(sha256, key) is None:
        found = outline.build(known or outline.features(reading), Profile().outline)
        store.save_sections(sha256, key, len(found.headings))


def outlined(store: Store, read: Reading, profile: Profile) -> None:
    """Keep the section tree of a reading, so that it is searched, and how many sections it has."""
    known = outline.features(read)
    found = outline.build(known, profile.outline)
    if store.parse(read.document.sha256, parse_key(profile)) is None:
        _keep_parse(store, read, profile, (known, found))
    if profile.outline == Profile().outline:
        store.save_sections(read.document.sha256, sections_key(profile), len(found.headings))
    else:
        count_sections(store, read, profile, known)


def outline_next(store: Store, profile: Profile) -> bool:
    """Make the section tree of one document that was read and has none: an older version kept it, or it is long.
    False where there is no such document. Nothing is read again for that.
    """
    for entry in store.unparsed(OUTLINED_PAGES):
        own = ways.own(profile, entry.own)
        if kept := store.reading(entry.sha256, reading_key(own)):
            outlined(store, kept, own)
            return True
    return False


def sections_key(profile: Profile) -> Key:
    """What the number of sections depends on."""
    return result_key(Profile(reading=profile.reading), "")


def _kept(
    store: Store, draft: Draft, parts: Iterator[worker.Part], step: Progress
) -> tuple[tuple[Page, ...], worker.Ending]:
    """All pages of the draft, the new ones kept in batches; also those before an error or the end of this process."""
    pages, saved, total = list(draft.pages), len(draft.pages), 0
    ending, told = worker.Ending((), ""), time.monotonic()
    try:
        for part in parts:
            match part:
                case worker.Opened():
                    total = part.pages
                case worker.Ending():
                    ending = part
                case Page():
                    pages.append(part)
                    if len(pages) - saved >= BATCH_PAGES or time.monotonic() - told >= BATCH_SECONDS:
                        store.add_pages(draft, pages[saved:])
                        saved, told = len(pages), time.monotonic()
                    step(len(pages), total)
    except BaseException:
        with suppress(StoreError):
            store.add_pages(draft, pages[saved:])
        raise
    store.add_pages(draft, pages[saved:])
    return tuple(pages), ending


def reading(store: Store, sha256: str, profile: Profile) -> Reading:
    """What a document holds: from the store, else read now."""
    return ingest(store, sha256, profile)


# ---------------------------------------------------------------- section trees


def parse(store: Store, sha256: str, profile: Profile, known: Features | None = None) -> Parse:
    """The section tree of a document under the profile, kept beside those under others. known: its features."""
    key = parse_key(profile)
    if kept := store.parse(sha256, key):
        return kept
    read = ingest(store, sha256, profile)
    with eventlog.stage(store.home, "sections", sha256):
        document = known or outline.features(read)
        _keep_parse(store, read, profile, (document, outline.build(document, profile.outline)))
    made = store.parse(sha256, key)
    if made is None:
        raise StoreError("The document was deleted meanwhile. Add the file again.")
    return made


def _keep_parse(store: Store, read: Reading, profile: Profile, made: tuple[Features, Outline]) -> None:
    store.save_parse(read.document.sha256, parse_key(profile), tree(read, profile, made))


def tree(read: Reading, profile: Profile, made: tuple[Features, Outline]) -> Tree:
    """What the store keeps of the sections that were found in a reading."""
    known, found = made
    usual = found if profile.outline == Profile().outline else None
    fingerprint = records.pack(likeness.taken(read, known, usual))
    return Tree(found.sections, profiles.dumps(profile), fingerprint)


def sections(store: Store, sha256: str, profile: Profile) -> tuple[Section, ...]:
    """The sections of a document under the profile, from the store where they were made before."""
    kept = store.parsed(parse(store, sha256, profile).number)
    if kept is None:
        store.drop_parse(sha256, parse_key(profile))  # it cannot be understood: it is made again
        kept = store.parsed(parse(store, sha256, profile).number)
    return kept or ()


def parse_key(profile: Profile) -> Key:
    """What a section tree depends on."""
    return result_key(profile, "")


def suggest(read: Reading, features: Features, folder: Path, store: Store | None) -> tuple[Suggestion, ...]:
    """The saved and shipped profiles by how alike this document and theirs look, the likest first.

    Known are the profiles that keep a fingerprint, those that documents of the store were parsed with, and those that
    say for which kind of documents they are: what looks the same comes before what is of the same kind.
    """
    known = list(_known(folder, store))
    looks = likeness.ranked(likeness.taken(read, features), known) if known else ()
    of_kind = kinds.ranked(kinds.counts(read), [(name, one.kind) for name, one in _profiles(folder)])
    return tuple(sorted((*looks, *of_kind), key=lambda one: not one.close))


def _profiles(folder: Path) -> Iterator[tuple[str, Profile]]:
    for name in sorted({*profiles.shipped(), *profiles.saved(folder)}):
        with suppress(UsageError):  # one that cannot be read is told when it is used
            yield name, profiles.load(name, folder)


def _known(folder: Path, store: Store | None) -> Iterator[Known]:
    named: dict[str, list[str]] = {}
    for name, profile in _profiles(folder):
        if profile.fingerprint != Fingerprint():
            yield Known(name, profile.fingerprint, "the profile keeps what its documents look like")
        if profile.id() != Profile().id() and not profile.kind.words:
            named.setdefault(profile.id(), []).append(name)
    if store is None or not named:
        return
    titles = {entry.sha256: entry.name for entry in store.documents()}
    for kept in store.parses():
        with suppress(ValueError):  # an older fingerprint that cannot be understood
            for name in named.get(kept.key.profile, ()):
                fingerprint = records.unpack(Fingerprint, kept.fingerprint)
                yield Known(name, fingerprint, f"{titles.get(kept.sha256, 'a document')} was read with it")


# ---------------------------------------------------------------- rows


def rows(
    store: Store,
    sha256: str,
    profile: Profile,
    progress: Progress | None = None,
    cancelled: Stop | None = None,
    engine_name: str = "local",
    ready: Engine | None = None,
) -> Statement:
    """The rows of a document and their reconciliation, from the store where they were extracted before.

    progress: pages, then windows; done, in all. ready: the engine of that name, where it was made for this run.
    """
    key = result_key(profile, engine_name)
    if (kept := store.statement(sha256, key)) and store.book(sha256, key):
        return kept
    chosen = ready or engine(engine_name, about(store, sha256, cancelled))
    read = ingest(store, sha256, profile, progress, cancelled)
    with eventlog.stage(store.home, "rows", sha256) as told:
        book = statements.read(read, profile, chosen, progress, cancelled)
        statement = statements.conclude(book).statement
        told.detail = f"{len(statement.rows)} rows, {statement.reconciliation.action}"
    if cancelled and cancelled():
        raise Cancelled(STOPPED)
    store.save_statement(sha256, key, statement, records.pack(book))
    return statement


def decided(store: Store, sha256: str, profile: Profile, engine_name: str = "local") -> Statement:
    """As `rows`, with what people decided: their values, the rows they settled, and the verdict that follows."""
    statement = rows(store, sha256, profile, engine_name=engine_name)
    found = reviewed(store, sha256, result_key(profile, engine_name))
    return found.statement if found else statement


def reviewed(store: Store, sha256: str, key: Key) -> Reviewed | None:
    """The result under the key with the decisions on its document, and what is left to ask; None: it is not kept."""
    on = _ground(sha256, store.book(sha256, key))
    return review.reviewed(on, decisions.of(store, sha256)) if on else None


def current(store: Store, sha256: str = "") -> list[tuple[str, Key]]:
    """Of each document (or of this one) the newest result that this version made: sha256 and key."""
    return _newest(store.statements(sha256))


def _newest(kept: Iterable[tuple[str, Key]]) -> list[tuple[str, Key]]:
    """Of each document the first result that this version made."""
    newest: dict[str, Key] = {}
    for document, key in kept:
        if key.reader.endswith(f"/{code_version()}"):
            newest.setdefault(document, key)
    return list(newest.items())


@lru_cache(maxsize=4)
def _ground(sha256: str, packed: str) -> Ground | None:
    try:
        return review.ground(sha256, records.unpack(Book, packed)) if packed else None
    except ValueError:
        return None  # what cannot be understood is extracted again


# ---------------------------------------------------------------- fields of invoices


def fields(
    store: Store,
    sha256: str,
    profile: Profile,
    progress: Progress | None = None,
    cancelled: Stop | None = None,
    engine_name: str = "local",
    ready: Engine | None = None,
) -> Invoices:
    """The fields of a document's invoices, from the store where they were read before.

    progress: pages, then invoices; done, in all. ready: the engine of that name, where it was made for this run.
    """
    key = fields_key(profile, engine_name)
    if kept := fieldstore.of(store, sha256, key):
        return kept.invoices
    chosen, began = ready or engine(engine_name, about(store, sha256, cancelled)), time.monotonic()
    read = ingest(store, sha256, profile, progress, cancelled)
    with eventlog.stage(store.home, "fields", sha256) as told:
        leaves, embedded, closed = _beside(store, sha256)
        found = invoices.extract(read, profile, chosen, progress, cancelled, leaves, embedded)
        told.detail = f"{len(found.fields)} fields of {len(found.pages)} invoices"
    found = replace(found, findings=(*found.findings, *closed))
    if cancelled and cancelled():
        raise Cancelled(STOPPED)
    took = time.monotonic() - began
    fieldstore.save(store, sha256, key, fieldstore.Kept(found, profiles.dumps(profile), took))
    return found


def _beside(store: Store, sha256: str) -> tuple[Leaves, list[bytes], tuple[Finding, ...]]:
    """Pictures of a document's pages for second reads, and the XML files in it. Of a locked one, whose password nobody
    keeps, there are the pictures that were drawn when it was opened; what is embedded in it stays closed, and is told.
    """
    path, allowed = store.path(sha256), access(store.home, "")
    with suppress(Locked):
        return worker.leaves(path, allowed), [one.content for one in worker.attachments(path, allowed)], ()

    def kept(page: Page) -> Leaf:
        if picture := store.image(sha256, page.number, LEAF_DPI):
            leaf = worker.leaves(picture, allowed)(replace(page, number=1))
            return replace(leaf, page=page.number, scale=leaf.drawn[0] / page.width)
        raise Locked("The document is locked. Open it with its password once more: its pages are drawn then.")

    return kept, [], (Finding("embedded_xml_closed", "info", CLOSED),)


def judged_fields(store: Store, sha256: str, key: Key) -> tuple[JudgedFields, float] | None:
    """The result under the key with the decisions on its document, and the seconds it took; None: it is not kept."""
    kept = fieldstore.of(store, sha256, key)
    if kept is None:
        return None
    part = profiles.loads(kept.settings).fields
    return fieldreview.reviewed(sha256, kept.invoices, part, decisions.of(store, sha256)), kept.seconds


def current_fields(store: Store, sha256: str = "") -> list[tuple[str, Key]]:
    """As `current`, of the fields of invoices."""
    return _newest(fieldstore.keys(store, sha256))


def fields_key(profile: Profile, engine_name: str) -> Key:
    """What the fields of a document depend on: how it is read, and which fields are."""
    return result_key(Profile(reading=profile.reading, fields=profile.fields), engine_name)


# ---------------------------------------------------------------- values that somebody supplied


def verify_supplied(
    store: Store,
    sha256: str,
    profile: Profile,
    progress: Progress | None = None,
    cancelled: Stop | None = None,
) -> None:
    """Hold all values that were supplied for a document, and not by this version yet, against its pages.

    progress: pages, then files of values; done, in all.
    """
    key = verify_key(profile)
    if not (waiting := verifications.waiting(store, sha256, key)):
        return
    read = ingest(store, sha256, profile, progress, cancelled)
    step = _watched(progress, cancelled)
    for done, (number, supplied) in enumerate(waiting):
        step(done, len(waiting))
        began = time.monotonic()
        with eventlog.stage(store.home, "verify", sha256):
            verified = verify.verify(read, supplied.values(), supplied.described())
        verifications.save(store, number, key, verified, time.monotonic() - began)


def verify_key(profile: Profile) -> Key:
    """What a verification depends on besides its values: how the document is read, and our code that concludes."""
    return result_key(Profile(reading=profile.reading), "")


def engine(name: str, about: About = engines.NOTHING) -> Engine:
    """The engine of that name, for one run."""
    return engines.made(name, about)


def about(store: Store, sha256: str, cancelled: Stop | None = None) -> About:
    """A document of the store, for an engine."""
    path = store.path(sha256) if store.has_file(sha256) else None
    return About(sha256, path, store=store, stopped=cancelled)


def reading_key(profile: Profile) -> Key:
    """What a reading depends on: the profile's reading part, the reader, the languages that OCR could use."""
    part = profile.reading
    without = part.ocr == "never" and not (part.ocr_pages or part.auto_pages)
    usable = "" if without else "+".join(sorted(ocr.usable(part.languages)))
    return Key(Profile(reading=part).id(), f"{worker.READER_VERSION}/{usable}")


def result_key(profile: Profile, engine: str) -> Key:
    """What a result depends on: the whole profile, the reading, the engine, and our code that concludes."""
    read = reading_key(profile)
    return Key(profile.id(), f"{read.reader}/{code_version()}", engines.result_name(engine))


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


def page_image(store: Store, sha256: str, page: int, dpi: int, password: str = "") -> Path:
    """The PNG of a page as displayed, drawn once; dpi 24 to 300. A locked document's pictures stay in the store."""
    low, high = DPI
    if not low <= dpi <= high:
        raise UsageError(f"A page can be drawn at {low} to {high} dpi, not at {dpi}.")
    if kept := store.image(sha256, page, dpi):
        return kept
    path, entry = store.path(sha256), store.document(sha256)
    pages = entry.pages if entry else None
    if page < 1 or (pages is not None and page > pages):
        raise UsageError(f"There is no page {page}: pages count from 1{f' to {pages}' if pages else ''}.")
    with eventlog.stage(store.home, "draw", sha256) as told:
        told.detail = f"page {page}, {dpi} dpi"
        return store.save_image(sha256, page, dpi, worker.render(path, page, dpi, access(store.home, password)))


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


def add_sample(store: Store, name: str) -> Stored:
    """Put one sample into the store with its truth, as far as it is not there; UsageError for any other name."""
    return _added(store, sample_path(name))


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
