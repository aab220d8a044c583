"""Questions answered by rules, out of the passages given: the tree, table cells, definitions, the best sentence.

Comes in: a question and passages. Goes out: `Reply`s that quote, never paraphrase; none where the passages do not hold
the answer. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.engine import Passage, Reply


def answer(question: str, passages: Sequence[Passage]) -> tuple[Reply, ...]:
    """What the passages answer, the best first."""
    return ()
