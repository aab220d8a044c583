"""Levels for headings, from the whole document: size tiers, weight, and the depth of their numbers.

Comes in: `Found` headings in reading order. Goes out: a level for each, 1 the highest. A look that nothing numbers or
lists has one level in the whole document, so that it may stand more than one below the heading that it is under.
A printed number outranks its looks: `4.2` stands under `4` wherever that is open. Numbering that starts again
inside a schedule or appendix stays inside it. The title of the document stands beside its chapters, not over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline import numbering
from pipeline.headings import Found

ENOUGH_MARKS = 8
Path = tuple[int, ...]


@dataclass(frozen=True)
class _Open:
    """A heading on the path to the current place. rank: smaller is higher. path: its number as counts."""

    rank: tuple[int, int]
    level: int
    path: Path
    annex: bool
    style: tuple[object, ...]
    listed: bool = False
    sized: bool = False


def levels(found: Sequence[Found], tuned: bool = False) -> tuple[int, ...]:
    """The level of each heading. tuned: a person set the size tiers, and what stands in one has its level, whatever
    an outline or a contents list says.
    """
    if tuned:
        return _nested([replace(one, given=_tuned(one), listed=False, marked=False) for one in found])
    return _below_marks(found, _alike(found, _ranks(found), _closed(_counted(found, _nested(found)))))


def _tuned(heading: Found) -> int | None:
    return None if heading.tier is None else heading.tier + 1


def _nested(found: Sequence[Found]) -> tuple[int, ...]:
    """Levels in the order of the headings: each under the nearest open one that is higher."""
    ranks = _ranks(found)
    known = _known(found, ranks)
    stack: list[_Open] = []
    levelled = []
    main: Path = ()
    for heading, rank in zip(found, ranks, strict=True):
        path = _path(heading)
        annex = bool(heading.number and heading.number.keyword in numbering.ANNEXES)
        style = (heading.tier, heading.weight, _class(heading), len(path))
        new = _Open(rank, 0, path, annex, style, heading.listed, heading.tier is not None)
        given = heading.given or known.get((rank, _class(heading)))
        keep = _kept(stack, new, main) if given is None else _shallower(stack, given)
        del stack[keep:]
        level = given or (stack[-1].level + 1 if stack else 1)
        stack.append(replace(new, level=level))
        if path and not any(one.annex for one in stack):
            main = path
        levelled.append(level)
    return tuple(levelled)


def _counted(found: Sequence[Found], levelled: Sequence[int]) -> tuple[int, ...]:
    """Levels by which numbers go on counting where they had come to: 4.2 stands beside 4.1, and what came between
    without a number, as large as it may be, stands under the same heading as they do.
    """
    counted = list(levelled)
    last: dict[str, int] = {}
    at: dict[tuple[str, Path], int] = {}
    for index, heading in enumerate(found):
        path, kind = _path(heading), _class(heading)
        if not path:
            continue
        before = last.get(kind, index)
        between = range(before + 1, index)
        beside = at.get((kind, _path(found[before])[: len(path)]))
        if beside is not None and not any(_path(found[one]) for one in between):
            alike = _follows(_path(found[beside]), path) and found[beside].tier == heading.tier
            if alike and (not between or _same_part(found, counted, before, index)):
                counted[index] = counted[beside]
                for one in between:
                    counted[one] = max(counted[one], counted[index])
        last[kind] = index
        at[kind, path] = index
    return tuple(counted)


def _follows(before: Path, path: Path) -> bool:
    return before[:-1] == path[:-1] and path[-1] == before[-1] + 1


def _same_part(found: Sequence[Found], levelled: Sequence[int], before: int, index: int) -> bool:
    """Whether nothing between looks like what the number before stands under: `Basics` over 1 and 2, `More` over 3."""
    above, level = set(), levelled[before]
    for one in range(before - 1, -1, -1):
        if level == 1:
            break
        if levelled[one] < level:
            level = levelled[one]
            above.add((found[one].tier, found[one].weight))
    return not any((one.tier, one.weight) in above for one in found[before + 1 : index])


def _alike(found: Sequence[Found], ranks: Sequence[tuple[int, int]], levelled: Sequence[int]) -> list[int]:
    """Headings without a number that nothing lists get the deepest level that their look has anywhere."""
    deepest: dict[tuple[int, int], int] = {}
    free = [heading.number is None and heading.given is None for heading in found]
    for one, rank, level in zip(free, ranks, levelled, strict=True):
        if one:
            deepest[rank] = max(level, deepest.get(rank, level))
    return [deepest[rank] if one else level for one, rank, level in zip(free, ranks, levelled, strict=True)]


def _below_marks(found: Sequence[Found], levelled: Sequence[int]) -> tuple[int, ...]:
    """What the document's own outline leaves out, once it has begun, stands below all that it names."""
    marks = [level for heading, level in zip(found, levelled, strict=True) if heading.marked]
    if len(marks) < ENOUGH_MARKS:
        return tuple(levelled)
    begun, below = False, []
    for heading, level in zip(found, levelled, strict=True):
        begun = begun or heading.marked
        below.append(level if heading.marked or not begun else max(level, max(marks) + 1))
    return tuple(below)


def _known(found: Sequence[Found], ranks: Sequence[tuple[int, int]]) -> dict[tuple[tuple[int, int], str], int]:
    """Looks and kinds of number → the level that an outline or contents list gives nearly all of their like."""
    given: dict[tuple[tuple[int, int], str], list[int]] = {}
    for heading, rank in zip(found, ranks, strict=True):
        if heading.given is not None:
            given.setdefault((rank, _class(heading)), []).append(heading.given)
    known = {}
    for key, each in given.items():
        commonest = max(set(each), key=each.count)
        if key[1] and len(each) >= 3 and each.count(commonest) >= 0.8 * len(each):
            known[key] = commonest
    return known


def _closed(levelled: Sequence[int]) -> tuple[int, ...]:
    """The levels without gaps: a heading is at most one deeper than the one that it stands under."""
    stack: list[tuple[int, int]] = []
    closed = []
    for level in levelled:
        while stack and stack[-1][0] >= level:
            stack.pop()
        closed.append(stack[-1][1] + 1 if stack else 1)
        stack.append((level, closed[-1]))
    return tuple(closed)


def _shallower(stack: list[_Open], level: int) -> int:
    return next((index for index, one in enumerate(stack) if one.level >= level), len(stack))


def _kept(stack: list[_Open], new: _Open, main: Path) -> int:
    """How many of the open headings stay open above the new one."""
    floor = max(_floor(stack, new, main), _listed(stack, new), _begun(stack, new))
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


def _listed(stack: list[_Open], new: _Open) -> int:
    """What a contents list does not name stands under what it names, unless it looks higher than all of that; set
    larger than the text, it stands under what is larger still.
    """
    named = [index for index, one in enumerate(stack) if one.listed]
    if new.sized:
        named = [index for index in named if stack[index].rank[0] < new.rank[0]]
    if new.listed or not named or new.rank[0] < min(stack[index].rank[0] for index in named):
        return 0
    return named[-1] + 1


def _begun(stack: list[_Open], new: _Open) -> int:
    """A count that begins, in signs other than those of the count that is open, is a count within it: 1 under C."""
    top = next((index for index in range(len(stack) - 1, -1, -1) if stack[index].path), None)
    if top is None or new.path != (1,) or new.rank[0] < stack[top].rank[0]:
        return 0
    signs = (new.style[2], stack[top].style[2])
    plain = all(str(sign).startswith("/") for sign in signs)
    return top + 1 if plain and signs[0] not in {one.style[2] for one in stack} else 0


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
    plain = _plain_depths(index, depths)
    return [(look, plain[look] if depth is None else depth) for look, depth in zip(index, depths, strict=True)]


def _plain_depths(looks: Sequence[int], depths: Sequence[int | None]) -> dict[int, int]:
    """Depth of the headings without a number, by look: beside the highest numbered ones where few stand among them (a
    foreword, references), under the deepest where many do (subheads between items).
    """
    plain = {}
    for look in set(looks):
        mine = [depth for one, depth in zip(looks, depths, strict=True) if one == look]
        numbered = [depth for depth in mine if depth is not None]
        at = [index for index, depth in enumerate(mine) if depth is not None]
        many = bool(at) and at[-1] + 1 - at[0] - len(at) > len(at)
        plain[look] = max(numbered) + 1 if numbered and many else min(numbered, default=1)
    return plain


def _look(heading: Found) -> int:
    """Weight counts among headings at body size, and sets plain ones under bold ones of the same size."""
    if heading.tier is not None:
        return 0 if heading.weight <= 2 else 1
    return heading.weight


def _without_title(found: Sequence[Found], looks: list[int]) -> list[int]:
    """Looks that occur on the first two pages only are a title page's, and stand beside the chapters."""
    later = {look for heading, look in zip(found, looks, strict=True) if heading.first.page > 2}
    if not later:
        once = sorted(looks)
        return [max(look, once[1]) for look in looks] if len(once) > 2 and once[0] < once[1] else looks
    lowest = max(looks) + 1
    return [look if look in later else lowest + look for look in looks]


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
