"""What this machine has, and which features wait for what.

Comes in: nothing. Goes out: `Finding`-like `Item`s for the command, the app's notice and the set-up script; for the
command how the installation is besides (`vitals`). Nothing is installed or downloaded here.
"""

from __future__ import annotations

import platform
import shutil
import sqlite3
import subprocess
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

from pipeline import __version__, ocr
from pipeline.files import home

if TYPE_CHECKING:
    from pipeline.vitals import Sign

LANGUAGES = {
    "eng": "tesseract-ocr-eng",
    "srp": "tesseract-ocr-srp",
    "srp_latn": "tesseract-ocr-srp-latn",
    "deu": "tesseract-ocr-deu",
    "fra": "tesseract-ocr-fra",
    "ita": "tesseract-ocr-ita",
    "spa": "tesseract-ocr-spa",
    "nld": "tesseract-ocr-nld",
    "Cyrillic": "tesseract-ocr-script-cyrl",
}
SPOKEN = {
    "eng": "English",
    "srp": "Serbian (Cyrillic)",
    "srp_latn": "Serbian (Latin)",
    "deu": "German",
    "fra": "French",
    "ita": "Italian",
    "spa": "Spanish",
    "nld": "Dutch",
    "Cyrillic": "Cyrillic letters, as the second reader",
}
LIBRARIES = ("streamlit", "pypdfium2", "pdfplumber", "tesserocr", "polars", "plotly", "anthropic")


@dataclass(frozen=True)
class Item:
    """Something the machine has or lacks: its package, and the feature that waits for it."""

    name: str
    present: bool
    package: str
    feature: str


def examine() -> tuple[Item, ...]:
    """All that Pagewitness can use, present or not."""
    have = ocr.installed()
    languages = [
        Item(f"Tesseract language {name}", name in have, package, f"OCR of scanned pages in {SPOKEN[name]}")
        for name, package in LANGUAGES.items()
    ]
    poppler = Item("pdftoppm", shutil.which("pdftoppm") is not None, "poppler-utils", "page pictures sent to Claude")
    return (poppler, *languages)


def missing() -> tuple[Item, ...]:
    """What is lacking."""
    return tuple(item for item in examine() if not item.present)


def versions() -> dict[str, str]:
    """What the results depend on: our libraries, and programs of the machine."""
    found = {name: metadata.version(name) for name in LIBRARIES}
    found["sqlite"] = sqlite3.sqlite_version
    for name, option in (("tesseract", "--version"), ("pdftoppm", "-v")):
        if path := shutil.which(name):
            done = subprocess.run([path, option], capture_output=True, text=True, timeout=10, check=False)
            found[name] = (done.stdout or done.stderr).partition("\n")[0].split()[-1]
    return found


def to_json(items: tuple[Item, ...], signs: tuple[Sign, ...] = ()) -> dict[str, Any]:
    """For `doctor --json`."""
    from pipeline import vitals

    return {
        "pagewitness": __version__,
        "python": platform.python_version(),
        "libraries": versions(),
        "home": str(home()),
        "items": [asdict(item) for item in items],
        "signs": vitals.to_json(signs),
    }


def to_text(items: tuple[Item, ...], signs: tuple[Sign, ...] = ()) -> str:
    """For a person: one line each, then the command that brings what is lacking."""
    from pipeline import vitals

    lines = [f"pagewitness {__version__}, Python {platform.python_version()}, data in {home()}"]
    lines += [f"{name} {version}" for name, version in versions().items()]
    lines += [
        f"{item.name}: {'present' if item.present else f'missing, {item.feature} waits for it'}" for item in items
    ]
    lines += vitals.to_text(signs)
    lacking = [item.package for item in items if not item.present]
    lines.append(
        f"To install what is missing: apt-get install {' '.join(lacking)}" if lacking else "Nothing is missing."
    )
    return "\n".join(lines)
