"""Levels for headings, from the whole document: size tiers, weight, and the depth of their numbers.

Comes in: `Found` headings in reading order. Goes out: a level for each, 1 the highest, no level skipped.
A printed number outranks its looks: `4.2` stands under `4` wherever that is open. Numbering that starts again
inside a schedule or appendix stays inside it. The title of the document stands beside its chapters, not over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline import numbering
from pipeline.headings import Found

ANNEXES = ("schedule", "appendix")
Path = tuple[int, ...]


@dataclass(frozen=True)
class _Open:
    """A heading on the path to the current place. rank: smaller is higher. path: its number as counts."""

    rank: tuple[int, int]
    level: int
    path: Path
    annex: bool
    style: tuple[object, ...]


def levels(found: Sequence[Found]) -> tuple[int, ...]:
    """The level of each heading."""
    ranks = _ranks(found)
    stack: list[_Open] = []
    given = []
    main: Path = ()
    for heading, rank in zip(found, ranks, strict=True):
        path = _path(heading)
        annex = bool(heading.number and heading.number.keyword in ANNEXES)
        style = (heading.tier, heading.weight, _class(heading), len(path))
        keep = _kept(stack, _Open(rank, 0, path, annex, style), main)
        if heading.bookmark is not None:
            keep = _shallower(stack, heading.bookmark)
        del stack[keep:]
        level = heading.bookmark or (stack[-1].level + 1 if stack else 1)
        stack.append(_Open(rank, level, path, annex, style))
        if path and not any(one.annex for one in stack):
            main = path
        given.append(level)
    return tuple(given)


def _shallower(stack: list[_Open], level: int) -> int:
    return next((index for index, one in enumerate(stack) if one.level >= level), len(stack))


def _kept(stack: list[_Open], new: _Open, main: Path) -> int:
    """How many of the open headings stay open above the new one."""
    floor = _floor(stack, new, main)
    for index in range(len(stack) - 1, floor - 1, -1):
        one = stack[index]
        if len(new.path) >= 2 and one.path == new.path[:-1]:
            return index + 1
        if new.path and one.path and len(one.path) == len(new.path) and _siblings(one, new):
            return index
    for index in range(floor, len(stack)):
        if stack[index].rank >= new.rank:
            return index
    return len(stack)


def _siblings(one: _Open, new: _Open) -> bool:
    return one.annex == new.annex and one.path[:-1] == new.path[:-1] and one.style == new.style


def _floor(stack: list[_Open], new: _Open, main: Path) -> int:
    """Numbered headings stay inside an open schedule, unless they go on counting where the main part stopped."""
    if new.annex or not new.path:
        return 0
    for index in range(len(stack) - 1, -1, -1):
        if stack[index].annex:
            follows = len(new.path) == 1 and len(main) >= 1 and new.path[0] == main[0] + 1 and new.path[0] > 1
            return 0 if follows and new.rank <= stack[index].rank else index + 1
    return 0


def _path(heading: Found) -> Path:
    number = heading.number
    if number is None or number.style == "parenthesised":
        return ()
    first, *others = number.path
    return numbering.value(first, number.style), *(numbering.value(part, "decimal") for part in others)


def _class(heading: Found) -> str:
    number = heading.number
    return f"{number.keyword}/{number.style}" if number else ""


def _ranks(found: Sequence[Found]) -> list[tuple[int, int]]:
    """(looks, depth) for each heading: looks are tiers from the largest, then weight at body size."""
    looks = [(99 if heading.tier is None else heading.tier, _look(heading)) for heading in found]
    ordered = {look: index for index, look in enumerate(sorted(set(looks)))}
    index = _without_title(found, [ordered[look] for look in looks])
    depths = [_depth(heading) for heading in found]
    shallowest: dict[int, int] = {}
    for look, depth in zip(index, depths, strict=True):
        if depth is not None:
            shallowest[look] = min(depth, shallowest.get(look, depth))
    return [
        (look, depth if depth is not None else shallowest.get(look, 1))
        for look, depth in zip(index, depths, strict=True)
    ]


def _look(heading: Found) -> int:
    """Weight counts among headings at body size, and sets plain ones under bold ones of the same size."""
    if heading.tier is not None:
        return 0 if heading.weight <= 2 else 1
    return heading.weight


def _without_title(found: Sequence[Found], looks: list[int]) -> list[int]:
    """Looks that occur on the first two pages only, and above all others, are the title's: as high as the next."""
    later = [look for heading, look in zip(found, looks, strict=True) if heading.first.page > 2]
    if not later:
        once = sorted(looks)
        if len(once) > 2 and once[0] < once[1]:
            return [max(look, once[1]) for look in looks]
        return looks
    return [max(look, min(later)) for look in looks]


def _depth(heading: Found) -> int | None:
    """Depth by number: parts 0; chapters, articles and schedules 1; sections and plain numbers by their parts."""
    number = heading.number
    if number is None:
        return None
    match number.keyword, number.style:
        case "part", _:
            return 0
        case (("chapter" | "article" | "schedule" | "appendix" | "item"), _):
            return 1
        case _, "parenthesised":
            return 6
        case _, "letter":
            return 2
        case _:
            return number.depth
