"""What all sample documents share: a canvas that writes the same bytes each time, fonts, wrapped lines, truth files.

Comes in: paths, font family names, text. Goes out: reportlab canvases, names of registered fonts, wrapped lines,
JSON files. Refuses (ValueError) a family that is neither built in nor in sample_docs/fonts.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from reportlab import rl_config
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

rl_config.useA85 = 0  # streams as bytes: a quarter smaller
A4 = (595.28, 841.89)
FONTS = Path(__file__).parent / "fonts"


@dataclass(frozen=True)
class Family:
    """Names under which the four cuts of a family are registered with reportlab."""

    regular: str
    bold: str
    italic: str
    bold_italic: str


@dataclass(frozen=True)
class Written:
    """The two files of a sample."""

    pdf: Path
    truth: Path


HELVETICA = Family("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")
TIMES = Family("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic")


@cache
def family(name: str) -> Family:
    """A font family by name: Helvetica, Times, or one whose files lie in sample_docs/fonts (e.g. NotoSerif)."""
    match name:
        case "Helvetica":
            return HELVETICA
        case "Times":
            return TIMES
    cuts = [f"{name}-{cut}" for cut in ("Regular", "Bold", "Italic", "BoldItalic")]
    for cut in cuts:
        path = FONTS / f"{cut}.ttf"
        if not path.is_file():
            known = sorted({file.stem.split("-")[0] for file in FONTS.glob("*.ttf")})
            raise ValueError(f"no font family {name!r}; known: Helvetica, Times, {', '.join(known)}")
        registerFont(TTFont(cut, str(path)))
    return Family(*cuts)


def canvas(path: Path, title: str, author: str, compress: bool = True) -> Canvas:
    """An A4 canvas without time stamp or random identifier."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = Canvas(str(path), pagesize=A4, invariant=1, pageCompression=int(compress))
    made.setTitle(title)
    made.setAuthor(author)
    made.setCreator("sample_docs")
    return made


def wrap(text: str, font: str, size: float, width: float) -> list[str]:
    """`text` in lines no wider than `width` points (a single longer word stays whole)."""
    space = stringWidth(" ", font, size)
    lines: list[list[str]] = [[]]
    used = 0.0
    for word in text.split(" "):
        wide = stringWidth(word, font, size)
        if lines[-1] and used + space + wide > width:
            lines.append([])
        used = wide if not lines[-1] else used + space + wide
        lines[-1].append(word)
    return [" ".join(line) for line in lines]


def write_truth(path: Path, truth: DataclassInstance, compact: bool = False) -> None:
    """`truth` as JSON: one line an entry of its lists, or indented."""
    plain = asdict(truth)
    if not compact:
        path.write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return
    parts = []
    for key, value in plain.items():
        if isinstance(value, list | tuple):
            entries = ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in value)
            parts.append(f"{json.dumps(key)}: [\n{entries}\n ]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    path.write_text("{" + ",\n ".join(parts) + "}\n", encoding="utf-8")
