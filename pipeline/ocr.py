"""Words from a picture by Tesseract. Runs inside the worker process only.

Comes in: a picture in shades of grey, its resolution, names of languages. Goes out: `Token`s in the picture's pixels.
Refuses: `Unavailable`, in words, where the engine or all of the languages are not installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from pipeline.page import Box, PipelineError

if TYPE_CHECKING:
    import tesserocr
    from PIL.Image import Image

FOLDERS = ("/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata", "/usr/share/tessdata")
ORIENTATION = "osd"
MINIMUM = 0.01
SMALLEST = 8  # pixels: Tesseract refuses thinner pictures
EM = 0.93  # ascender to descender, of the type size, in common fonts

Mode = Literal["page", "block", "sparse", "line"]


class Unavailable(PipelineError):
    """OCR cannot be had, and why."""


class Token(NamedTuple):
    """A word in pixels of its picture: `size` is that of the type, `confidence` 0..1, `language` the model's name."""

    text: str
    box: Box
    size: float
    confidence: float
    language: str = ""


class Stance(NamedTuple):
    """How a page seems to stand: the text is turned clockwise by `turn` degrees. Confidences have no upper end; below
    about 2 they mean little.
    """

    turn: int
    confidence: float
    script: str
    script_confidence: float


def data_folder() -> Path | None:
    """Where Tesseract's language data lies, if it is installed."""
    named = os.environ.get("TESSDATA_PREFIX")
    for folder in [named] if named else FOLDERS:
        if any(Path(folder).glob("*.traineddata")):
            return Path(folder)
    return None


def installed() -> set[str]:
    """Names of the languages and scripts that can be read."""
    return _data() - {ORIENTATION}


def usable(languages: Iterable[str]) -> set[str]:
    """Those of the languages that are installed; all that are, where none is named."""
    named = set(languages)
    return installed() & named if named else installed()


def _data() -> set[str]:
    folder = data_folder()
    return {path.stem for path in folder.rglob("*.traineddata")} if folder else set()


@lru_cache(maxsize=4)
def _engine(languages: str) -> tesserocr.PyTessBaseAPI:
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # threads of one page cost more than they save
    import tesserocr

    return tesserocr.PyTessBaseAPI(path=str(data_folder()), lang=languages)


def _named(name: str) -> str:
    """The name as Tesseract takes it: scripts lie in a folder of their own where Debian does not flatten them."""
    folder = data_folder()
    return f"script/{name}" if folder and (folder / "script" / f"{name}.traineddata").is_file() else name


def wanted(languages: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that can be had, in their order. None named: all that are installed, to choose from."""
    have = installed()
    if not have:
        raise Unavailable("the page needs OCR, and Tesseract's languages are not installed (package tesseract-ocr)")
    found = tuple(name for name in languages if name in have) if languages else tuple(sorted(have))
    if not found:
        raise Unavailable(f"the page needs OCR in {', '.join(languages)}, and none of them is installed")
    return found


def tokens(picture: Image, dpi: float, languages: tuple[str, ...], mode: Mode = "page") -> list[Token]:
    """The words of the picture in Tesseract's reading order. `languages` are installed ones."""
    if min(picture.size) < SMALLEST:
        return []
    from tesserocr import PSM

    engine = _engine("+".join(map(_named, languages)))
    modes = {"page": PSM.AUTO, "block": PSM.SINGLE_BLOCK, "sparse": PSM.SPARSE_TEXT, "line": PSM.SINGLE_LINE}
    engine.SetPageSegMode(modes[mode])
    engine.SetImage(picture)
    engine.SetSourceResolution(max(70, round(dpi)))
    engine.Recognize()
    try:
        return _read(engine)
    finally:
        engine.Clear()


def _read(engine: tesserocr.PyTessBaseAPI) -> list[Token]:
    from tesserocr import RIL, iterate_level

    found = []
    for item in iterate_level(engine.GetIterator(), RIL.WORD):
        box = item.BoundingBox(RIL.WORD)
        if box is None:
            continue
        confidence = max(MINIMUM, item.Confidence(RIL.WORD) / 100)
        row = item.RowAttributes()
        size = row["row_height"] / EM if row and row["row_height"] > 0 else float(box[3] - box[1])
        language = item.WordRecognitionLanguage() or ""
        for part in (item.GetUTF8Text(RIL.WORD) or "").split():
            found.append(Token(part, Box(*map(float, box)), size, confidence, language.rpartition("/")[2]))
    return found


def stance(picture: Image, dpi: float) -> Stance | None:
    """Which way up the page seems to be, and in which script; None where it is not told."""
    if ORIENTATION not in _data() or min(picture.size) < SMALLEST:
        return None
    from tesserocr import PSM

    engine = _engine(ORIENTATION)
    engine.SetPageSegMode(PSM.OSD_ONLY)
    engine.SetImage(picture)
    engine.SetSourceResolution(max(70, round(dpi)))
    try:
        found = engine.DetectOrientationScript()
    finally:
        engine.Clear()
    if not found:
        return None
    turn, script = int(found["orient_deg"]), str(found["script_name"])
    return Stance(turn, float(found["orient_conf"]), script, float(found["script_conf"]))
