"""What reading a document from outside may cost: time, memory, sizes.

Comes in: the table `[limits]` of settings.toml in the data folder, then variables named PAGEWITNESS_MAX_ and a limit
in capitals, which win. Goes out: `Limits`. Refuses, as UsageError by name: an unknown limit, a value out of bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from pipeline.page import UsageError
from pipeline.profiles import built
from pipeline.spawn import MEMORY_MB

SETTINGS = "settings.toml"
PREFIX = "PAGEWITNESS_MAX_"


@dataclass(frozen=True)
class Limits:
    """The most that one document may cost.

    page_seconds: for opening it, for its repair, and for the text layer of each page; ocr_seconds: for the OCR of a
    page, on top; total_seconds: for all of it. memory_mb: address space of the process that reads. file_mb: the file.
    pages: how many it may have; page_points: the longer side of a page. lost_pages: pages that hang or crash the
    reader are left out, each with its reason; the document is refused where there are more of them.
    """

    page_seconds: float = 10.0
    ocr_seconds: float = 60.0
    total_seconds: float = 3_600.0
    memory_mb: int = MEMORY_MB
    file_mb: int = 200
    pages: int = 5_000
    page_points: float = 14_400.0
    lost_pages: int = 8


BOUNDS: dict[str, tuple[float, float]] = {
    "page_seconds": (0.1, 3_600),
    "ocr_seconds": (1, 3_600),
    "total_seconds": (1, 7 * 24 * 3_600),
    "memory_mb": (500, 1_000_000),
    "file_mb": (1, 100_000),
    "pages": (1, 1_000_000),
    "page_points": (72, 1_000_000),
    "lost_pages": (0, 1_000),
}


def load(folder: Path, environment: Mapping[str, str]) -> Limits:
    """The limits that hold here: those that ship, changed by settings.toml in `folder`, changed by variables."""
    path = folder / SETTINGS
    table = {**_table(path), **dict(_variables(environment))}
    limits: Limits = built(Limits, table, f"limits ({path} or variables {PREFIX}…)")
    for name, (low, high) in BOUNDS.items():
        if not low <= getattr(limits, name) <= high:
            raise UsageError(f"The limit {name} must be between {low:g} and {high:g}, not {getattr(limits, name)}.")
    return limits


def _table(path: Path) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8")
        import tomllib  # only where there is something for it: it takes a while to load

        settings = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be used: {' '.join(str(error).split())}. Mend it or move it away.") from error
    table = settings.get("limits", {})
    if not isinstance(table, dict):
        raise UsageError(f"{path}: limits must be a table, [limits].")
    return table


def _variables(environment: Mapping[str, str]) -> list[tuple[str, object]]:
    given = [(part.name, environment.get(PREFIX + part.name.upper(), "").strip()) for part in fields(Limits)]
    return [(name, _number(name, text)) for name, text in given if text]


def _number(name: str, text: str) -> int | float:
    try:
        number = float(text)
    except ValueError as error:
        raise UsageError(f"{PREFIX}{name.upper()} must be a number, not {text!r}.") from error
    return int(number) if number.is_integer() else number
