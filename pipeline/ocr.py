"""Words from a picture by Tesseract. Runs inside the worker process only.

Comes in: an RGB picture, its resolution, names of languages. Goes out: `Word`s in page points.
Refuses: `Unavailable`, in words, where the engine or all of the languages are not installed.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.model import Box, PipelineError, Word

if TYPE_CHECKING:
    import tesserocr
    from PIL.Image import Image

FOLDERS = ("/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata", "/usr/share/tessdata")
MINIMUM = 0.01


class Unavailable(PipelineError):
    """OCR cannot be had, and why."""


def data_folder() -> Path | None:
    """Where Tesseract's language data lies, if it is installed."""
    named = os.environ.get("TESSDATA_PREFIX")
    for folder in [named] if named else FOLDERS:
        if any(Path(folder).glob("*.traineddata")):
            return Path(folder)
    return None


def installed() -> set[str]:
    """Names of the languages and scripts that can be read."""
    folder = data_folder()
    return {path.stem for path in folder.rglob("*.traineddata")} - {"osd"} if folder else set()


@lru_cache(maxsize=4)
def _engine(languages: str) -> tesserocr.PyTessBaseAPI:
    import tesserocr

    return tesserocr.PyTessBaseAPI(path=str(data_folder()), lang=languages)


def _data(name: str) -> str:
    """The name as Tesseract takes it: scripts lie in a folder of their own where Debian does not flatten them."""
    folder = data_folder()
    return f"script/{name}" if folder and (folder / "script" / f"{name}.traineddata").is_file() else name


def words(picture: Image, dpi: int, languages: tuple[str, ...]) -> list[Word]:
    """The words of the picture in Tesseract's reading order; boxes and sizes in points."""
    have = installed()
    usable = [name for name in languages if name in have]
    if not have:
        raise Unavailable("the page needs OCR, and Tesseract's languages are not installed (package tesseract-ocr)")
    if not usable:
        raise Unavailable(f"the page needs OCR in {', '.join(languages)}, and none of them is installed")
    engine = _engine("+".join(map(_data, usable)))
    engine.SetImage(picture)
    engine.SetSourceResolution(dpi)
    engine.Recognize()
    try:
        return _read(engine, 72 / dpi)
    finally:
        engine.Clear()


def _read(engine: tesserocr.PyTessBaseAPI, scale: float) -> list[Word]:
    from tesserocr import RIL, iterate_level

    found = []
    for item in iterate_level(engine.GetIterator(), RIL.WORD):
        box = item.BoundingBox(RIL.WORD)
        if box is None:
            continue
        confidence = item.Confidence(RIL.WORD) / 100
        line = item.BoundingBox(RIL.TEXTLINE) or box
        size = 0.75 * (line[3] - line[1]) * scale
        placed = Box(*(side * scale for side in box))
        for part in (item.GetUTF8Text(RIL.WORD) or "").split():
            found.append(Word(part, placed, size, "ocr", confidence=max(MINIMUM, confidence)))
    return found
