"""The store for those who only look: nothing is made, changed or migrated, and no file appears beside it.

Comes in: the folder of a store. Goes out: a `Store` of which everything that reads may be asked. Refuses: writing; a
store that is not there; one of another schema, older or newer (StoreError). `Moved` where another program wrote the
database at the very moment: the same question, asked again, is answered.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn

from pipeline import schema
from pipeline.model import StoreError
from pipeline.store import Store


class Moved(StoreError):
    """The store was written while it was read."""


class Older(StoreError):
    """The store was written by an older version, and nobody has opened it to write since."""


class _State(NamedTuple):
    """The database as it lies on the disk. logged: pages wait in the log beside it, for somebody has it open."""

    modified: int
    size: int
    logged: bool


class ReadOnlyStore(Store):
    """The store in the folder `home`, to read; it may come into being later."""

    def __init__(self, home: Path, patience: float = 10.0) -> None:
        self.home = home.absolute()  # in place of what Store does: it makes the folders, and migrates
        self.patience = patience
        self.file = self.home / "store.db"
        self.profiles = self.home / "profiles"

    @property
    def there(self) -> bool:
        """Whether there is a store yet."""
        return self.file.is_file()

    def transaction(self) -> NoReturn:
        """Refused."""
        raise StoreError("The store is opened for reading only. Nothing was changed.")

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """To read, as the store is now, while others may be writing."""
        if not self.there:
            raise StoreError(f"There is no store in {self.home} yet. Add documents in the app: pagewitness app")
        before = self._state()
        try:
            with self._explained(), closing(self._opened(before.logged)) as db:
                db.execute("BEGIN")
                self._check_schema(db)
                yield db
        except StoreError as error:
            if self._state() != before:
                raise self._moved() from error
            raise
        if not before.logged and self._state() != before:
            raise self._moved()

    def _opened(self, logged: bool) -> sqlite3.Connection:
        """Beside the writer where there is one; else without lock and log, which SQLite would have to make."""
        return self._connection("mode=ro" if logged else "immutable=1")

    def _state(self) -> _State:
        with self.disk():
            about = self.file.stat()
        log = self.file.with_name("store.db-wal")
        try:
            logged = log.stat().st_size > 0
        except FileNotFoundError:
            logged = False
        return _State(about.st_mtime_ns, about.st_size, logged)

    def _check_schema(self, db: sqlite3.Connection) -> None:
        found = schema.version(db, str(self.home))
        if found < len(schema.MIGRATIONS):
            raise Older(
                f"The store in {self.home} is of an older version (schema {found}, this one reads"
                f" {len(schema.MIGRATIONS)}). Bring it up once: pagewitness store check"
            )

    def _moved(self) -> Moved:
        return Moved(f"The store in {self.home} was written while it was read. Try again.")
