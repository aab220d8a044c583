"""Reads crops by RapidOCR's recogniser, whose model lies in its package: Latin letters, figures and signs.

Comes in: PNG pictures of one line each. Goes out: a `CropRead` for each, in order. Cyrillic is not among its letters:
it sees Latin ones that look alike. Refuses, as EngineError, where the package or its model is missing.

The model is run by onnxruntime itself: nothing is ever fetched, logged or written, and a session has one thread, so
that crops are read side by side on as many threads as there are processors.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.engine import CropRead
from pipeline.model import EngineError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

NAME = "rapidocr"
MODELS = "*_rec_*.onnx"
HEIGHT = 48  # pixels: what the model takes
LEAST_WIDTH = 96
MOST_WIDTH = 3200
SIGNS = " !\"#$%&'()*+,-./:;<=>?@[]_{|}~¡£§«°±²³´µ·»¿×÷–—‘’“”„•€№"
LATIN_END = "\u024f"  # the last of Latin Extended-B
THREADS = 2


@dataclass(frozen=True)
class _Model:
    """A session, its letters (the first stands for none), and which of them a European invoice may hold."""

    session: InferenceSession
    letters: tuple[str, ...]
    allowed: NDArray[np.bool_]


class RapidReader:
    """RapidOCR as a second reader. All of them in a process share one model."""

    name = NAME

    def read(self, crops: Sequence[bytes]) -> tuple[CropRead, ...]:
        """What each crop says, in their order."""
        model = _model()
        with ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1)) as pool:
            return tuple(pool.map(lambda crop: _read(model, crop), crops))


def warm() -> None:
    """Load the model beside other work, so that the first crop need not wait for it."""
    threading.Thread(target=_model, daemon=True).start()


_loading = threading.Lock()


def _model() -> _Model:
    with _loading:
        return _loaded()


@cache
def _loaded() -> _Model:
    spec = find_spec("rapidocr")
    folder = Path(spec.origin).parent / "models" if spec and spec.origin else None
    files = sorted(folder.glob(MODELS)) if folder else []
    if not files or not find_spec("onnxruntime"):
        raise EngineError("Crops cannot be read a second time: rapidocr is not installed. Run `make app`.")
    import numpy as np
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = InferenceSession(str(files[0]), options, providers=["CPUExecutionProvider"])
    known = session.get_modelmeta().custom_metadata_map["character"].splitlines()
    letters = ("", *known, " ")
    return _Model(session, letters, np.array([_allowed(letter) for letter in letters]))


def _allowed(letter: str) -> bool:
    return letter in SIGNS or (letter.isalnum() and letter <= LATIN_END)


def _read(model: _Model, crop: bytes) -> CropRead:
    """Letters by CTC: the likeliest at each step, repeats and blanks left out. The confidence is that of the letter
    which is least sure.
    """
    import numpy as np

    (chances,) = model.session.run(None, {"x": _prepared(crop)})
    steps = chances[0][:, model.allowed]
    letters = np.array(model.letters, dtype=object)[model.allowed]
    best = steps.argmax(axis=1)
    sure = steps.max(axis=1)
    runs = np.flatnonzero(np.diff(best, prepend=-1))
    ends = [*runs[1:].tolist(), len(best)]
    spans = [(start, end) for start, end in zip(runs.tolist(), ends, strict=True) if best[start]]
    text = "".join(letters[best[start]] for start, _ in spans)
    confidence = min((float(sure[start:end].max()) for start, end in spans), default=0.0)
    return CropRead(" ".join(text.split()), confidence, NAME)


def _prepared(crop: bytes) -> NDArray[np.float32]:
    """The crop as the model takes it: 48 pixels high, values from -1 to 1, one channel thrice."""
    import numpy as np
    from PIL import Image

    with Image.open(BytesIO(crop)) as opened:
        grey = opened.convert("L")
    width = min(MOST_WIDTH, max(8, round(HEIGHT * grey.width / grey.height)))
    sized = grey.resize((width, HEIGHT), Image.Resampling.BILINEAR)
    values = np.asarray(sized, dtype=np.float32) / 127.5 - 1
    wide = np.zeros((HEIGHT, max(LEAST_WIDTH, width)), dtype=np.float32)
    wide[:, :width] = values
    return np.repeat(wide[np.newaxis, np.newaxis], 3, axis=1)
