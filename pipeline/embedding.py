"""Texts as vectors, by a static model that lies inside the package wordllama: no network, no GPU, no key.

Comes in: texts in any language. Goes out: unit vectors, so that a product of two is how alike the texts are. The
model is loaded when it is first needed (about half a second) and holds about 16 MB. Weak evidence: it knows English
best, and words rather than what they say together. Refuses nothing; an empty text gives a vector of zeros.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 256


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """One unit vector of `SIZE` numbers a text: an array (texts, SIZE)."""
    import numpy as np

    if not texts:
        return np.zeros((0, SIZE), dtype=np.float32)
    found: NDArray[np.float32] = np.asarray(_model().embed(list(texts), norm=False), dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return (found / np.where(lengths > 0, lengths, 1)).astype(np.float32)


class _Model(Protocol):
    def embed(self, texts: list[str], *, norm: bool) -> NDArray[np.float32]: ...


@cache
def _model() -> _Model:
    root = logging.getLogger()
    level, handlers = root.level, tuple(root.handlers)
    import wordllama  # sets up logging for the whole program, each request of any library on standard error

    root.setLevel(level)
    for added in set(root.handlers).difference(handlers):
        root.removeHandler(added)
    folder = Path(wordllama.__file__).parent
    model: _Model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    return model
