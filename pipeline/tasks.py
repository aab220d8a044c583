"""What a worker does with one document, or with some pages of one: no store is at hand, and nothing is written.

Comes in: an `Order`. Goes out: an `Outcome`: pages, or the whole result as it is kept and as it is told; or the reason
why there is none. PDF bytes are opened by the process of `worker`, never here, so a hostile file costs its order and
not the process that runs this. An order that was made by another version of the code, or that needs languages which
this machine cannot read, is refused: its result would be kept under a key that it does not have.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from pipeline import invoices, outline, partitions, records, render, run, statements, worker
from pipeline.limits import Limits
from pipeline.model import Invoices, Page, PipelineError, Reading, Statement, StoreError
from pipeline.partitions import Do
from pipeline.profiles import Profile
from pipeline.store import Key, Tree
from pipeline.worker import Access

FIRST_PAGES = 24  # a longer document is read by several tasks

State = Literal["whole", "begun", "pages", "failed"]
TRIED_AGAIN = ("Damaged", "OverLimit")  # crashes, hangs, memory: another process may fare better


@dataclass(frozen=True)
class Order:
    """A document and what to do with it.

    key: under which the result will be kept. content: the file's bytes, where the worker may be on another machine;
    else it lies at `path`. first, last: the pages to read, last None: all. known: the pages that were read before;
    with `ending` they are all pages.
    """

    sha256: str
    name: str = field(repr=False)  # no log names a document
    do: Do
    profile: Profile
    limits: Limits
    key: Key
    path: str
    content: bytes | None = field(default=None, repr=False)
    first: int = 1
    last: int | None = FIRST_PAGES
    known: tuple[Page, ...] = field(default=(), repr=False)
    ending: worker.Ending | None = None
    part: bool = False


@dataclass(frozen=True)
class Result:
    """What was made of a document: as the store keeps it, and told by the contract as JSON text and as a table."""

    reading: Reading
    statement: Statement | None = None
    book: str = ""
    fields: Invoices | None = None
    tree: Tree | None = None
    told: str = ""
    table: bytes = b""


@dataclass(frozen=True)
class Outcome:
    """What became of an order. begun: only its first pages were read, of `total`; pages: those that were asked for.

    reason, exit_code, locked, again: of what failed; again: it may go better the next time.
    """

    state: State
    seconds: float = 0.0
    pages: tuple[Page, ...] = ()
    total: int = 0
    ending: worker.Ending | None = None
    result: Result | None = None
    reason: str = ""
    exit_code: int = 0
    locked: bool = False
    again: bool = False


def do(order: Order) -> Outcome:
    """Carry out an order. Raises nothing of what a document does."""
    began = time.monotonic()
    try:
        if order.key != key(order.do, order.profile):
            raise PipelineError(
                "A worker runs another version of the code, or reads other languages, than this machine. Install the"
                " same on both."
            )
        with _file(order) as path:
            found = _done(order, path)
    except PipelineError as error:
        found = failed(error)
    except Exception as error:  # noqa: BLE001  # a fault of ours costs the document, and is told
        found = Outcome(
            "failed", reason=f"an unexpected error ({type(error).__name__}: {error})", exit_code=3, again=True
        )
    return replace(found, seconds=time.monotonic() - began)


def failed(error: PipelineError) -> Outcome:
    """The outcome that says what was refused."""
    kind = type(error).__name__
    reason = " ".join(str(error).split())
    return Outcome(
        "failed", reason=reason, exit_code=error.exit_code, locked=kind == "Locked", again=kind in TRIED_AGAIN
    )


def key(do: Do, profile: Profile) -> Key:
    """What a result by rules is kept under."""
    match do:
        case "rows":
            return run.result_key(profile, "local")
        case "fields":
            return run.fields_key(profile, "local")
    return run.parse_key(profile)


@contextmanager
def _file(order: Order) -> Iterator[Path]:
    """Where the document lies on this machine."""
    if order.content is None:
        if worker.sha256(Path(order.path)) != order.sha256:
            raise StoreError(f"The stored file of {order.name} was changed on the disk. Add the file again.")
        yield Path(order.path)
        return
    with TemporaryDirectory(prefix="pagewitness-") as folder:
        path = Path(folder) / f"{order.sha256}.pdf"
        path.write_bytes(order.content)
        yield path


def _done(order: Order, path: Path) -> Outcome:
    total, pages, ending = 0, order.known, order.ending
    if ending is None:
        parts = worker.stream(path, order.profile.reading, Access(order.limits), order.first, order.last)
        total, read, ending = worker.gathered(parts)
        pages += read
    if order.part:
        return Outcome("pages", 0.0, pages, total, ending)
    if ending is None:
        return Outcome("begun", 0.0, pages, total)
    document = worker.described(order.sha256, order.name, pages, ending.repaired)
    return Outcome("whole", 0.0, result=_result(order, path, Reading(document, pages, ending.bookmarks)))


def _result(order: Order, path: Path, reading: Reading) -> Result:
    profile = order.profile
    match order.do:
        case "rows":
            book = statements.read(reading, profile, run.engine("local"))
            statement = statements.conclude(book).statement
            told = statements.to_json(statement)
            made = Result(reading, statement=statement, book=records.pack(book))
        case "fields":
            access = Access(order.limits)
            embedded = [one.content for one in worker.attachments(path, access)]
            leaves = worker.leaves(path, access)
            fields = invoices.extract(reading, profile, run.engine("local"), leaves=leaves, embedded=embedded)
            told = invoices.to_json(fields)
            made = Result(reading, fields=fields)
        case "sections":
            known = outline.features(reading)
            found = outline.build(known, profile.outline)
            told = render.sections_json(reading, found, profile)
            made = Result(reading, tree=run.tree(reading, profile, (known, found)))
    return replace(made, told=text(told), table=partitions.table(order.do, told))


def text(told: dict[str, Any]) -> str:
    """A result as the file that is written of it."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"
