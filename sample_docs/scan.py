"""What happens to a page on its way through a scanner: stamp, streak, skew, blur, noise, JPEG.

Comes in: a clean sheet with boxes in pixels, `Damage`. Goes out: JPEG bytes and boxes in points on the skewed page, and
a PDF of pictures. Refuses nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from reportlab.lib.utils import ImageReader

from sample_docs.drawing import A4, FONTS, canvas
from sample_docs.invoices_sheet import Pixels, Sheet

PAPER = (255, 255, 254)
GONE = 0.5  # of a glyph's ink under the streak: more than that leaves it to a guess
EXPOSURE = 6.0  # scanners set white paper a little above their upper limit


@dataclass(frozen=True)
class Damage:
    """skew in degrees (counter-clockwise), blur in pixels, noise in grey levels, stamp's opacity, streak in pixels."""

    seed: int
    skew: float
    blur: float
    noise: float
    quality: int
    stamp: float
    streak: int


@dataclass(frozen=True)
class Scan:
    """A page as scanned; fields: name, value, plain value, box in points. covered: of which of them the streak covers
    most of a glyph.
    """

    jpeg: bytes
    fields: tuple[tuple[str, str, str, tuple[float, float, float, float]], ...]
    covered: tuple[bool, ...]


def scanned(sheet: Sheet, damage: Damage, dpi: int) -> Scan:
    rng = Random(damage.seed)
    picture = sheet.picture
    covered = tuple(_covered(sheet, field.box, damage.streak) for field in sheet.fields)
    if sheet.stamp:
        _stamp(picture, sheet, damage.stamp, rng)
    if sheet.streak:
        _streak(picture, sheet.streak, damage.streak, rng)
    turned = picture.rotate(damage.skew, Image.Resampling.BICUBIC, fillcolor=PAPER)
    blurred = turned.filter(ImageFilter.GaussianBlur(damage.blur * dpi / 200))
    noise = np.random.default_rng(damage.seed).normal(EXPOSURE, damage.noise, (picture.height, picture.width, 1))
    grains = np.clip(np.asarray(blurred, dtype=np.float32) + noise.astype(np.float32), 0, 255).astype(np.uint8)
    file = BytesIO()
    Image.fromarray(grains).save(file, "JPEG", quality=damage.quality, optimize=True, progressive=True)
    fields = tuple(
        (name, value, normalised, _turned(box, picture.size, damage.skew, 72 / dpi))
        for name, value, normalised, box in sheet.fields
    )
    return Scan(file.getvalue(), fields, covered)


def _covered(sheet: Sheet, box: Pixels, width: int) -> bool:
    """Whether the streak lies over most of the ink of a glyph (a run of columns with ink) in `box`."""
    if not sheet.streak or not box[0] - width < sheet.streak < box[2]:
        return False
    crop = sheet.picture.crop((round(box[0]), round(box[1]), round(box[2]) + 1, round(box[3]) + 1))
    ink = (255.0 - np.asarray(crop.convert("L"), dtype=np.float64)).clip(min=16) - 16
    columns = ink.sum(axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], columns > 0, [0]))))
    left = round(sheet.streak) - round(box[0])
    return any(
        columns[max(start, left) : min(end, left + width)].sum() > GONE * columns[start:end].sum()
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    )


def _turned(box: Pixels, size: tuple[int, int], degrees: float, scale: float) -> tuple[float, float, float, float]:
    """The box around `box` after the picture was turned about its middle, in points."""
    middle_x, middle_y = size[0] / 2, size[1] / 2
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    xs, ys = [], []
    for x in (box[0], box[2]):
        for y in (box[1], box[3]):
            dx, dy = x - middle_x, y - middle_y
            xs.append((middle_x + dx * cos + dy * sin) * scale)
            ys.append((middle_y - dx * sin + dy * cos) * scale)
    return round(min(xs), 2), round(min(ys), 2), round(max(xs), 2), round(max(ys), 2)


def _stamp(picture: Image.Image, sheet: Sheet, opacity: float, rng: Random) -> None:
    """A round stamp in blue or violet ink over the total."""
    assert sheet.stamp is not None
    unit = picture.width / A4[0]  # pixels a point
    side = round(112 * unit)
    ink = rng.choice(((38, 62, 150), (70, 48, 140), (32, 84, 140)))
    mask = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(mask)
    full = round(255 * opacity)
    for inset, width in ((2, 3.2), (20, 1.4)):
        draw.ellipse(
            [inset * unit, inset * unit, side - inset * unit, side - inset * unit],
            outline=full,
            width=round(width * unit),
        )
    _around(mask, sheet.owner, side / 2 - 11.5 * unit, unit, full)
    font = ImageFont.truetype(str(FONTS / "NotoSans-Bold.ttf"), round(13 * unit))
    draw.text((side / 2, side / 2), sheet.paid, font=font, fill=full, anchor="mm")
    mask = mask.rotate(rng.uniform(-24, 24), Image.Resampling.BICUBIC)
    place = (round(sheet.stamp[0] - side / 2), round(sheet.stamp[1] - side / 2))
    picture.paste(Image.new("RGB", (side, side), ink), place, mask)


def _around(mask: Image.Image, text: str, radius: float, unit: float, full: int) -> None:
    """Letters of `text` along the upper arc of the stamp."""
    font = ImageFont.truetype(str(FONTS / "NotoSans-Bold.ttf"), round(8.5 * unit))
    step = min(14.0, 300 / len(text))
    for index, letter in enumerate(text):
        angle = (index - (len(text) - 1) / 2) * step
        tile = Image.new("L", mask.size, 0)
        ImageDraw.Draw(tile).text((mask.width / 2, mask.height / 2 - radius), letter, font=font, fill=full, anchor="mm")
        turned = tile.rotate(-angle, Image.Resampling.BICUBIC)
        mask.paste(full, (0, 0), turned.point(lambda value: min(255, value * 255 // full)))


def _streak(picture: Image.Image, x: float, width: int, rng: Random) -> None:
    """A grey streak down the page, as dirt on the glass leaves."""
    shade = rng.randint(96, 150)
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).rectangle([round(x), 0, round(x) + width - 1, picture.height], fill=rng.randint(190, 235))
    picture.paste(Image.new("RGB", picture.size, (shade, shade, shade)), (0, 0), mask)


def write_pictures(path: Path, jpegs: Sequence[bytes]) -> None:
    """A PDF with one JPEG on each A4 page and no text."""
    made = canvas(path, "Skenirani računi", "sample_docs")
    for jpeg in jpegs:
        made.drawImage(ImageReader(BytesIO(jpeg)), 0, 0, width=A4[0], height=A4[1])
        made.showPage()
    made.save()
