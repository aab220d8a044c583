"""The pass by likeness: the library's chunks as vectors, made once a document, compared with a query's.

Comes in: a store and documents of its library; a query. Goes out: passages with the cosine of their likest chunk.
Vectors rest as signed bytes, 256 a chunk, scaled so that the largest is 127; the first 64 of each are also packed by
document, so that a query reads little of the file: the likest by these are compared whole. NumPy and the model are
imported when they are first needed. Refuses nothing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from pipeline import chunks, embedding
from pipeline.chunks import Chunk
from pipeline.ranking import Scope
from pipeline.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEAD = 64
TOKENS = 200  # of a chunk: longer texts say too many things for one vector
NEAR = 300  # chunks that are compared whole
ALIKE = 0.2  # the cosine under which texts are not alike at all
BLOCK = 4_096  # chunks that are multiplied at a time: beyond about 8 000 BLAS starts threads, which wait for each other


@cache
def model() -> str:
    """What the vectors are made by: those by another are made again."""
    return f"wordllama {version('wordllama')}, {embedding.SIZE}, {TOKENS}"


def make(store: Store, sha256: str) -> bool:
    """Make the vectors of a document that is searched; False where they are there, or it is not (any more)."""
    with store.snapshot() as db:
        shelf = db.execute("SELECT id, parse FROM shelves WHERE (sha256) = ? AND model != ?", (sha256, model()))
        row = shelf.fetchone()
    if row is None:
        return False
    found = chunks.of(store.parsed(row[1]) or (), TOKENS)
    packed = packed_vectors([chunk.text for chunk in found])
    with store.transaction() as db:
        return _keep(db, row[0], found, packed)


def packed_vectors(texts: Sequence[str]) -> NDArray[np.int8]:
    """A row of signed bytes a text: (texts, 256)."""
    import numpy as np

    vectors = embedding.vectors(texts)
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    packed: NDArray[np.int8] = np.rint(vectors * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
    return packed


def _keep(db: sqlite3.Connection, shelf: int, found: Sequence[Chunk], packed: NDArray[np.int8]) -> bool:
    """Put the chunks of a shelf into the store; False where it is gone or another process was faster."""
    passages = dict(db.execute("SELECT section_id, id FROM passages WHERE shelf = ?", (shelf,)))
    waits = db.execute("SELECT 1 FROM shelves WHERE id = ? AND model != ?", (shelf, model())).fetchone()
    if waits is None:
        return False
    parents = dict(
        db.execute("SELECT section_id, parent_id FROM sections JOIN shelves USING (parse) WHERE id = ?", (shelf,))
    )
    db.execute("DELETE FROM chunks WHERE passage IN (SELECT id FROM passages WHERE shelf = ?)", (shelf,))
    [last] = db.execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
    db.executemany(
        "INSERT INTO chunks (id, passage, section_id, parent_id, part, vector) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (last + at, passages[one.section_id], one.section_id, parents[one.section_id], one.part, row.tobytes())
            for at, (one, row) in enumerate(zip(found, packed, strict=True), 1)
        ),
    )
    db.execute(
        "UPDATE shelves SET model = ?, first_chunk = ?, heads = ? WHERE id = ?",
        (model(), last + 1, packed[:, :HEAD].tobytes(), shelf),
    )
    return True


@dataclass(frozen=True)
class _Heads:
    """The short vectors of shelves: each row's chunk, shelf and length, by shelf. shelves: those that are in it."""

    shelves: tuple[int, ...]
    rows: NDArray[np.int8]
    lengths: NDArray[np.float32]
    chunk: NDArray[np.int64]
    shelf: NDArray[np.int64]

    def within(self, scope: Scope) -> _Heads:
        """Those of the scope."""
        import numpy as np

        if scope.shelves is None:
            return self
        firsts, ends = (np.searchsorted(self.shelf, sorted(scope.shelves), side) for side in ("left", "right"))
        kept = np.concatenate([np.arange(first, end) for first, end in zip(firsts, ends, strict=True)] or [firsts])
        return _Heads(scope.shelves, self.rows[kept], self.lengths[kept], self.chunk[kept], self.shelf[kept])


class Vectors:
    """The short vectors of a library, held between queries: 64 bytes a chunk."""

    def __init__(self) -> None:
        self._heads: _Heads | None = None

    def nearest(
        self, db: sqlite3.Connection, query: str, within: Scope, besides: Collection[int] = ()
    ) -> list[tuple[int, float]]:
        """Passages and the cosine of their likest chunk, the likest first. besides: passages that others found."""
        import numpy as np

        heads = self._current(db).within(within)
        wanted = embedding.vectors([query])[0]
        if not len(heads.rows) or not wanted.any():
            return []
        cosines = _products(heads.rows, wanted[:HEAD]) / heads.lengths
        most = min(NEAR, len(cosines))
        near = np.argpartition(-cosines, most - 1)[:most]
        near = near[cosines[near] > 0]
        return _whole(db, wanted, [int(one) for one in heads.chunk[near]], besides)

    def _current(self, db: sqlite3.Connection) -> _Heads:
        ids = tuple(row[0] for row in db.execute("SELECT id FROM shelves WHERE model = ? ORDER BY id", (model(),)))
        held = self._heads
        if held is None or held.shelves != ids:
            held = self._heads = _loaded(db, ids)
        return held


def _loaded(db: sqlite3.Connection, ids: tuple[int, ...]) -> _Heads:
    import numpy as np

    kept = db.execute("SELECT id, first_chunk, heads FROM shelves WHERE model = ? ORDER BY id", (model(),)).fetchall()
    rows = np.frombuffer(b"".join(heads for _, _, heads in kept), dtype=np.int8).reshape(-1, HEAD)
    counts = np.array([len(heads) // HEAD for _, _, heads in kept], dtype=np.int64)
    chunk = [np.arange(first, first + count) for (_, first, _), count in zip(kept, counts, strict=True)]
    lengths = np.concatenate(
        [np.linalg.norm(block.astype(np.float32), axis=1) for block in _blocks(rows)] or [np.zeros(0, np.float32)]
    ).astype(np.float32)
    return _Heads(
        ids,
        rows,
        np.where(lengths > 0, lengths, 1).astype(np.float32),
        np.concatenate(chunk) if chunk else np.zeros(0, np.int64),
        np.repeat(np.array([one[0] for one in kept], dtype=np.int64), counts),
    )


def _blocks(rows: NDArray[np.int8]) -> list[NDArray[np.int8]]:
    return [rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK)]


def _products(rows: NDArray[np.int8], wanted: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row times the vector, which is made as long as 1."""
    import numpy as np

    unit = wanted / (np.linalg.norm(wanted) or 1)
    found: NDArray[np.float32] = np.concatenate([block.astype(np.float32) @ unit for block in _blocks(rows)])
    return found


def _whole(
    db: sqlite3.Connection, wanted: NDArray[np.float32], near: list[int], besides: Collection[int]
) -> list[tuple[int, float]]:
    """The passages of these chunks and those besides, by their whole vectors."""
    import numpy as np

    kept = db.execute(
        "SELECT passage, vector FROM chunks WHERE id IN (SELECT value FROM json_each(?))"
        " UNION ALL SELECT passage, vector FROM chunks WHERE passage IN (SELECT value FROM json_each(?))",
        (json.dumps(near), json.dumps(sorted(besides))),
    ).fetchall()
    if not kept:
        return []
    rows = np.frombuffer(b"".join(vector for _, vector in kept), dtype=np.int8).reshape(-1, embedding.SIZE)
    floats = rows.astype(np.float32)
    lengths = np.linalg.norm(floats, axis=1)
    best: dict[int, float] = {}
    for (passage, _), cosine in zip(kept, floats @ wanted / np.where(lengths > 0, lengths, 1), strict=True):
        best[passage] = max(best.get(passage, -1.0), float(cosine))
    found = sorted(best.items(), key=lambda one: (-one[1], one[0]))
    return [(passage, cosine) for passage, cosine in found if cosine >= ALIKE]
