"""A picture (PNG, JPEG, TIFF) as a PDF with a page for each of its frames, so that it is read as a scanned document is.

Comes in: the path of a picture, limits. Goes out: the bytes of a PDF, upright as the camera's note (EXIF) says, each
page as large as the picture's resolution makes it, or as a sheet of paper where it has none. Refuses: `NotAPdf` what is
a picture by its beginning only, `OverLimit` one with too many frames or dots. Runs inside the worker only.
"""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pikepdf
from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

from pipeline.limits import Limits
from pipeline.model import NotAPdf, OverLimit

KINDS = ("PNG", "JPEG", "TIFF")
MAX_DOTS = 120_000_000  # of one frame
PAPER = 842.0  # points: the long side of a page whose resolution is not known
RESOLUTIONS = (72, 1_300)  # dots per inch that are believed
SCREEN = 100  # dots per inch: what is said to be less was made for a screen, and says nothing of paper


def as_pdf(path: Path, limits: Limits) -> bytes:
    """The picture as a PDF."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # MAX_DOTS is looked at instead
            with Image.open(path, formats=KINDS) as picture, pikepdf.new() as document:
                if getattr(picture, "n_frames", 1) > limits.pages:
                    raise OverLimit(f"The picture has more than {limits.pages} pages. Split it and read the parts.")
                for frame in _frames(picture):
                    _add(document, frame, _points(picture, frame))
                buffer = BytesIO()
                document.save(buffer, static_id=True)
                return buffer.getvalue()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, zlib.error) as error:
        named = {b"\x89PNG": "a PNG picture", b"\xff\xd8\xff\xe0": "a JPEG picture"}
        kind = named.get(path.read_bytes()[:4], "a picture")
        raise NotAPdf(f"The file looks like {kind}, and cannot be opened as one. Save it again, or as PDF.") from error
    except Image.DecompressionBombError as error:
        raise OverLimit("The picture is too large. Save it smaller, or as a PDF.") from error


def _frames(picture: Image.Image) -> Iterator[Image.Image]:
    """The frames as grey or coloured dots on white, upright."""
    for frame in ImageSequence.Iterator(picture):
        if frame.width * frame.height > MAX_DOTS:
            raise OverLimit(f"The picture has {frame.width} × {frame.height} dots. Save it smaller, or as a PDF.")
        upright = ImageOps.exif_transpose(frame)
        if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
            clear = upright.convert("RGBA")
            upright = Image.alpha_composite(Image.new("RGBA", clear.size, "white"), clear)
        if upright.mode.startswith("I;16"):
            upright = upright.convert("I").point(lambda dot: dot / 256)
        yield upright.convert("L" if upright.mode in ("1", "L", "I", "F") else "RGB")


def _points(picture: Image.Image, frame: Image.Image) -> tuple[float, float]:
    """How large a frame's page is, in points."""
    said = picture.info.get("dpi")
    dots = float(said[0]) if isinstance(said, tuple) and said and said[0] else 0.0
    if not RESOLUTIONS[0] <= dots <= RESOLUTIONS[1] or dots < SCREEN:
        dots = max(frame.size) * 72 / PAPER
    return frame.width * 72 / dots, frame.height * 72 / dots


def _add(document: pikepdf.Pdf, frame: Image.Image, size: tuple[float, float]) -> None:
    page = document.add_blank_page(page_size=size)
    image = pikepdf.Stream(document, zlib.compress(frame.tobytes(), 1))
    colours = pikepdf.Name.DeviceGray if frame.mode == "L" else pikepdf.Name.DeviceRGB
    image.update(
        {
            "/Type": pikepdf.Name.XObject,
            "/Subtype": pikepdf.Name.Image,
            "/Width": frame.width,
            "/Height": frame.height,
            "/ColorSpace": colours,
            "/BitsPerComponent": 8,
            "/Filter": pikepdf.Name.FlateDecode,
        }
    )
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Picture=image))
    page.Contents = pikepdf.Stream(document, f"q {size[0]:.3f} 0 0 {size[1]:.3f} 0 0 cm /Picture Do Q".encode())
