"""Reads crops by a model of Tesseract other than the page's, in the worker's process: a second reader for Cyrillic.

Comes in: PNG pictures of one line each. Goes out: a `CropRead` for each, in order. Refuses, as EngineError, where the
model is not installed, and whatever the worker refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline import ocr, worker
from pipeline.engine import CropRead
from pipeline.model import EngineError

CYRILLIC = "Cyrillic"


@dataclass(frozen=True)
class TesseractReader:
    """A model of Tesseract as a second reader; `Cyrillic` is Debian's tesseract-ocr-script-cyrl."""

    model: str = CYRILLIC

    @property
    def name(self) -> str:
        return f"tesseract {self.model}"

    def read(self, crops: Sequence[bytes]) -> tuple[CropRead, ...]:
        """What each crop says, in their order."""
        if not crops:
            return ()
        if self.model not in ocr.installed():
            package = "tesseract-ocr-script-cyrl" if self.model == CYRILLIC else f"tesseract-ocr-{self.model}"
            raise EngineError(f"Crops cannot be read a second time: install the package {package}.")
        return tuple(CropRead(text, sure, self.name) for text, sure in worker.read_crops(crops, self.model))
