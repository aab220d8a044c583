"""Where the documents of a batch come from and where its results go: folders here, or addresses of object storage.

Comes in: a folder, a pattern with * or ?, a PDF, or a list of these (.txt: one a line; # begins a remark), each a path
or an address that fsspec knows (`s3://bucket/in`, `memory://in`, `file:///in`). Goes out: `Item`s in order, each with
the name that its result gets; a `Target` that takes whole files or none. A name never leads out of the target. Refuses,
as UsageError: what holds no PDF, addresses that cannot be reached, a kind of address whose package is missing.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pipeline import tablefiles
from pipeline.model import UsageError

LIST = (".txt", ".lst")
MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Item:
    """A document to read: the name of its result, and its path or address."""

    name: str
    place: str

    @contextmanager
    def path(self) -> Iterator[Path]:
        """The file on this machine, fetched where it lies elsewhere. Raises OSError where it cannot be had."""
        if not is_address(self.place):
            yield Path(self.place)
            return
        with TemporaryDirectory(prefix="pagewitness-") as folder:
            path = Path(folder) / "document.pdf"
            filesystem, inside = _remote(self.place)
            with _reached(self.place), filesystem.open(inside, "rb") as source, path.open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            yield path


def is_address(place: str) -> bool:
    """Whether a place is an address, not a path on this machine."""
    return re.match(r"[a-z][a-z0-9+.-]+://", place) is not None


def items(place: str) -> list[Item]:
    """The PDFs at a place, by their names, each name once."""
    found = _listed(place) if place.lower().endswith(LIST) else _found(place)
    if not found:
        raise UsageError(f"There is no PDF in {place}. Name a folder with PDFs in it, a pattern, or a list of files.")
    named: dict[str, str] = {}
    for item in sorted(found, key=lambda one: (one.name, one.place)):
        if named.setdefault(item.name, item.place) != item.place:
            raise UsageError(f"{named[item.name]} and {item.place} would both be written as {item.name}. Rename one.")
    return [Item(name, where) for name, where in named.items()]


def _listed(place: str) -> list[Item]:
    """What a list names; paths in it are taken from the folder in which it lies."""
    base = place.rpartition("/")[0]
    found = []
    for number, line in enumerate(_lines(place), start=1):
        if (named := line.strip()) and not named.startswith("#"):
            absolute = is_address(named) or os.path.isabs(named) or not base
            where = named if absolute else f"{base}/{named}"
            inside = _found(where)
            if not inside:
                raise UsageError(f"{place}, line {number}: there is no PDF at {named}. Mend the line or leave it out.")
            folder = named if _is_folder(where) else os.path.dirname(named)
            found += [Item(_safe(f"{_below(folder)}/{item.name}"), item.place) for item in inside]
    return found


def _below(folder: str) -> str:
    """A folder as part of names: without the kind of an address."""
    return re.sub(r"^[a-z][a-z0-9+.-]+://", "", "" if MAGIC.search(folder) else folder)


def _lines(place: str) -> list[str]:
    with _reached(place):
        if is_address(place):
            filesystem, inside = _remote(place)
            content: bytes = filesystem.cat_file(inside)
        else:
            content = Path(place).read_bytes()
    return content.decode("utf-8-sig", "surrogateescape").splitlines()


def _found(place: str) -> list[Item]:
    """The PDFs below a folder, of a pattern, or the one file."""
    with _reached(place):
        return list(_remote_items(place) if is_address(place) else _local_items(place))


def _is_folder(place: str) -> bool:
    if is_address(place):
        filesystem, inside = _remote(place)
        return bool(filesystem.isdir(inside))
    return Path(place).is_dir()


def _local_items(place: str) -> Iterator[Item]:
    path = Path(place)
    if path.is_file():
        yield Item(_safe(path.name), place)
        return
    folder, pattern = _parted(place)
    for one in sorted(Path(folder).rglob("*")):
        name = one.relative_to(folder).as_posix()
        if one.suffix.lower() == ".pdf" and one.is_file() and _matches(name, pattern):
            yield Item(_safe(name), str(one))


def _remote_items(place: str) -> Iterator[Item]:
    filesystem, inside = _remote(place)
    scheme = place.partition("://")[0]
    if filesystem.isfile(inside):
        yield Item(_safe(inside.rpartition("/")[2]), place)
        return
    folder, pattern = _parted(inside)
    base = folder.rstrip("/")
    for one in sorted(map(str, filesystem.find(base))):
        name = one[one.find(base) + len(base) :].lstrip("/") if base in one else one.lstrip("/")
        if one.lower().endswith(".pdf") and _matches(name, pattern):
            yield Item(_safe(name), f"{scheme}://{one}")


def _parted(place: str) -> tuple[str, str]:
    """The folder before the first part with * or ?, and the pattern behind it."""
    parts = place.split("/")
    at = next((number for number, part in enumerate(parts) if MAGIC.search(part)), len(parts))
    return "/".join(parts[:at]) or ("/" if place.startswith("/") else "."), "/".join(parts[at:])


def _matches(name: str, pattern: str) -> bool:
    """Whether a name fits a pattern: ** stands for any folders, * for anything within one."""
    if not pattern:
        return True
    wanted, given = pattern.split("/"), name.split("/")
    if "**" in wanted:
        at = wanted.index("**")
        rest = "/".join(wanted[at + 1 :])
        head = all(map(fnmatch.fnmatchcase, given[:at], wanted[:at])) and len(given) > at
        return head and any(_matches("/".join(given[start:]), rest or "*") for start in range(at, len(given)))
    return len(wanted) == len(given) and all(map(fnmatch.fnmatchcase, given, wanted))


def _safe(name: str) -> str:
    """A name without what leads upwards or to a root."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "document.pdf"


# ---------------------------------------------------------------- results


class Target:
    """The folder that results go to."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.remote: tuple[Any, str] | None = _remote(place) if is_address(place) else None

    def write(self, name: str, content: bytes) -> None:
        """The whole file, or none."""
        with _reached(f"{self.place}/{name}", "written"):
            if self.remote:
                filesystem, base = self.remote
                path = f"{base.rstrip('/')}/{name}"
                filesystem.makedirs(path.rpartition("/")[0], exist_ok=True)
                filesystem.pipe_file(path, content)  # an object appears whole
                return
            target = Path(self.place) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            tablefiles.write(target, content)

    def has(self, name: str) -> bool:
        """Whether the file is there."""
        with _reached(f"{self.place}/{name}"):
            if self.remote:
                filesystem, base = self.remote
                return bool(filesystem.isfile(f"{base.rstrip('/')}/{name}"))
            return (Path(self.place) / name).is_file()


def _remote(place: str) -> tuple[Any, str]:
    """fsspec's file system of an address, and the path in it."""
    import fsspec

    try:
        filesystem, inside = fsspec.core.url_to_fs(place)
    except (ImportError, ValueError, OSError) as error:
        raise UsageError(f"{place} cannot be used: {' '.join(str(error).split())}") from error
    return filesystem, str(inside)


@contextmanager
def _reached(place: str, done: str = "read") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{place} cannot be {done}: {error.strerror or error}. Check the path.") from error
