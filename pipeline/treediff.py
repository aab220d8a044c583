"""What became of each section between two outlines: of one file under two profiles, or of two versions of a file.

Comes in: the sections of both, each in reading order. Goes out: `TreeDiff`: sections kept, moved, renamed, split,
merged, added, removed, and for each older id its successors. Every section of either side is in a change. Refuses,
as UsageError: to resolve an id that the older outline does not have.

Sections are matched from the surest evidence to the weakest: path and text, number and title, text alone; then by
likeness of title, text and children. What is left over and stands in another section's lost text was merged there,
or split off from there. Printed numbers that only count on (4.2 is 4.3 now) leave a section kept; a note says so.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import count, islice, repeat, takewhile
from typing import Any, Literal

from pipeline.model import Section, UsageError

Kind = Literal["kept", "moved", "renamed", "split", "merged", "added", "removed"]
KINDS: tuple[Kind, ...] = ("kept", "moved", "renamed", "split", "merged", "added", "removed")
WORDS = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+"
)  # letters, where no spaces part words
ASCII_WORDS = re.compile(r"\w+", re.ASCII)
CONTAINED = 0.6  # share of a section's text that stands in another's lost text: it came from there
NEAR = 4  # candidates that share a number, a title or a gap, the nearest
SAMPLE = 64  # word triples of a section that look for where its text is
ENOUGH = 5  # words of text that tell a section by themselves


@dataclass(frozen=True)
class Change:
    """What became of sections. old, new: their ids (none for added and removed); notes: what differs, in words."""

    kind: Kind
    old: tuple[str, ...]
    new: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TreeDiff:
    """All changes, in the newer outline's reading order; what was removed stands where it was."""

    changes: tuple[Change, ...]

    @cached_property
    def counts(self) -> dict[Kind, int]:
        """How many changes of each kind, in the order of KINDS."""
        found = Counter(change.kind for change in self.changes)
        return {kind: found[kind] for kind in KINDS}

    @cached_property
    def _successors(self) -> dict[str, tuple[str, ...]]:
        known: dict[str, dict[str, None]] = {}
        for change in self.changes:
            for name in change.old:
                known.setdefault(name, {}).update(dict.fromkeys(change.new))
        return {name: tuple(new) for name, new in known.items()}

    def resolve(self, old_id: str) -> tuple[str, ...]:
        """The ids that an older id became: one, several after a split, none where it was removed."""
        if old_id not in self._successors:
            raise UsageError(f"The older outline has no section {old_id!r}.")
        return self._successors[old_id]


def to_json(diff: TreeDiff) -> dict[str, Any]:
    """The changes and how many there are of each kind."""
    return {
        "counts": dict(diff.counts),
        "changes": [
            {"kind": one.kind, "old": list(one.old), "new": list(one.new), "notes": list(one.notes)}
            for one in diff.changes
        ],
    }


def to_text(diff: TreeDiff) -> str:
    """What changed, a line each, and the counts; what was kept as it was is only counted."""
    lines = [
        f"{one.kind}: {' + '.join(one.old) or 'new'} → {' + '.join(one.new) or 'gone'}"
        + (f" ({'; '.join(one.notes)})" if one.notes else "")
        for one in diff.changes
        if one.kind != "kept" or one.notes
    ]
    return "\n".join([*lines, ", ".join(f"{count} {kind}" for kind, count in diff.counts.items() if count)])


def called(sections: Sequence[Section], name: str) -> Section | None:
    """The section with that id or anchor."""
    return next((one for one in sections if name in (one.section_id, one.anchor)), None)


def compare(old: Sequence[Section], new: Sequence[Section]) -> TreeDiff:
    """What became of the sections of `old` in `new`; ids are unique within each."""
    codes: dict[str, int] = defaultdict(count(1).__next__)
    pairing = _Pairing(_Side(old, codes), _Side(new, codes))
    _surely(pairing)
    _likely(pairing)
    _by_children(pairing)
    parts = _parts(pairing)
    return TreeDiff(tuple(_Told(pairing, parts).changes()))


class _Side:
    """One outline, with what its sections are compared by."""

    def __init__(self, sections: Sequence[Section], codes: dict[str, int]) -> None:
        self.sections, self._codes = sections, codes
        index = {section.section_id: at for at, section in enumerate(sections)}
        self.parents = [None if one.parent_id is None else index.get(one.parent_id) for one in sections]
        self.titles = [_folded(section.title) for section in sections]
        self.numbers = [_folded(section.number or "") for section in sections]
        self.children: dict[int | None, list[int]] = defaultdict(list)
        for at, parent in enumerate(self.parents):
            self.children[parent].append(at)
        self.paths: list[tuple[tuple[str, str], ...]] = []
        for at, parent in enumerate(self.parents):
            above = self.paths[parent] if parent is not None and parent < at else ()
            self.paths.append((*above, (self.numbers[at], self.titles[at])))
        self._words: dict[int, list[str]] = {}
        self._grams: dict[int, frozenset[int]] = {}

    def __len__(self) -> int:
        return len(self.sections)

    def whole(self, at: int) -> str:
        """Number and title as one: some profiles take the number for a part of the title."""
        return f"{self.numbers[at]} {self.titles[at]}".strip()

    def content(self, at: int) -> str:
        return self.sections[at].content

    def words(self, at: int) -> list[str]:
        """The words of the section's own text."""
        if at not in self._words:
            self._words[at] = _words(self.sections[at].content)
        return self._words[at]

    def phrase(self, at: int) -> str:
        """Number, title and text as one run of words, with a space at both ends."""
        section = self.sections[at]
        heading = _words(f"{section.number or ''} {section.title}")
        return f" {' '.join([*heading, *self.words(at)])} "

    def grams(self, at: int) -> frozenset[int]:
        """Each three words of the text that follow each other, as a number."""
        if at not in self._grams:
            ids = list(map(self._codes.__getitem__, self.words(at)))
            ids = ids if len(ids) >= 3 or not ids else [*ids, 0, 0]
            self._grams[at] = frozenset([a << 40 | b << 20 | c for a, b, c in zip(ids, ids[1:], ids[2:], strict=False)])
        return self._grams[at]

    def above(self, at: int) -> Iterator[int]:
        """The section's ancestors, the nearest first."""
        parent = self.parents[at]
        while parent is not None:
            yield parent
            parent = self.parents[parent]


class _Pairing:
    """Which section of one side is which of the other, as far as it is known."""

    def __init__(self, old: _Side, new: _Side) -> None:
        self.old, self.new = old, new
        self.forth: dict[int, int] = {}
        self.back: dict[int, int] = {}

    def join(self, one: int, other: int) -> None:
        self.forth[one] = other
        self.back[other] = one

    def free(self) -> tuple[list[int], list[int]]:
        """What has no partner yet."""
        return (
            [at for at in range(len(self.old)) if at not in self.forth],
            [at for at in range(len(self.new)) if at not in self.back],
        )

    def swapped(self) -> _Pairing:
        """The same, seen from the other side."""
        other = _Pairing(self.new, self.old)
        other.forth, other.back = self.back, self.forth
        return other


# ---------------------------------------------------------------- which is which


def _surely(pairing: _Pairing) -> None:
    """Pair what is the same by keys, from the most telling down; equal ones in their order."""

    def told(side: _Side, at: int) -> bool:
        return len(side.words(at)) >= ENOUGH

    keys: tuple[tuple[Callable[[_Side, int], Hashable | None], bool], ...] = (
        (lambda side, at: (side.sections[at].section_id, side.paths[at], side.content(at)), True),
        (lambda side, at: (side.paths[at], side.content(at)), True),
        (lambda side, at: side.paths[at], False),
        (lambda side, at: (side.numbers[at], side.titles[at], side.content(at)) if told(side, at) else None, True),
        (lambda side, at: (side.whole(at), side.content(at)), True),
        (lambda side, at: side.whole(at) if side.numbers[at] or side.titles[at][:1].isdigit() else None, False),
        (lambda side, at: (side.titles[at], side.content(at)) if told(side, at) else None, True),
        (lambda side, at: side.content(at) if told(side, at) else None, False),
    )
    for key, some in keys:
        _join_equal(pairing, key, some)


def _join_equal(pairing: _Pairing, key: Callable[[_Side, int], Hashable | None], some: bool) -> None:
    """Pair those of one key in order. some: also where there are more of them on one side."""
    olds, news = pairing.free()
    groups: dict[Hashable, tuple[list[int], list[int]]] = {}
    for which, (side, free) in enumerate(((pairing.old, olds), (pairing.new, news))):
        for at in free:
            if (found := key(side, at)) is not None:
                groups.setdefault(found, ([], []))[which].append(at)
    for ones, others in groups.values():
        if some or len(ones) == len(others):
            for one, other in zip(ones, others, strict=False):
                pairing.join(one, other)


def _likely(pairing: _Pairing) -> None:
    """Pair what resembles each other by title, text and number, the likest first."""
    olds, news = pairing.free()
    if not olds or not news:
        return
    candidates = _Candidates(pairing, news)
    scored = []
    for one in olds:
        for other in candidates.of(one):
            if (likeness := _likeness(pairing, one, other)) is not None:
                scored.append((-likeness, abs(one - other), one, other))
    for _, _, one, other in sorted(scored):
        if one not in pairing.forth and other not in pairing.back:
            pairing.join(one, other)


class _Candidates:
    """New sections that an old one may be: they share words, its number or title, or its gap among what is paired."""

    def __init__(self, pairing: _Pairing, news: list[int]) -> None:
        self.pairing, self.news, self.paired = pairing, news, sorted(pairing.forth)
        side = pairing.new
        self.owners: dict[int, int] = {}
        self.named: dict[tuple[str, str], list[int]] = defaultdict(list)
        for at in reversed(news):
            self.owners.update(dict.fromkeys(side.grams(at), at))
            self.named["title", side.titles[at]].append(at)
            self.named["number", side.numbers[at]].append(at)

    def of(self, one: int) -> list[int]:
        side = self.pairing.old
        votes = Counter(map(self.owners.get, islice(side.grams(one), SAMPLE), repeat(-1)))
        del votes[-1]
        found = {at for at, _ in sorted(votes.items(), key=lambda item: (-item[1], item[0]))[:3]}
        for name in (("title", side.titles[one]), ("number", side.numbers[one])):
            if name[1]:
                found.update(sorted(self.named[name], key=lambda at: abs(at - one))[:NEAR])
        return sorted(found.union(self._gap(one)))

    def _gap(self, one: int) -> list[int]:
        """Those without a partner right behind the partner of what stands before it."""
        place = bisect_left(self.paired, one)
        before = self.pairing.forth[self.paired[place - 1]] if place else -1
        first = bisect_left(self.news, before + 1)
        near = self.news[first : first + NEAR]
        return list(takewhile(lambda at: at - before <= NEAR, near))


def _likeness(pairing: _Pairing, one: int, other: int) -> float | None:
    """How much speaks for a pair; None where that does not suffice."""
    old, new = pairing.old, pairing.new
    mine, theirs = old.grams(one), new.grams(other)
    number = bool(old.numbers[one]) and old.numbers[one] == new.numbers[other]
    title = _alike(old.titles[one], new.titles[other])
    if mine and theirs:
        text = len(mine & theirs) / max(len(mine), len(theirs))
        enough = text >= 0.5 or (text >= 0.2 and (number or title >= 0.75)) or (number and title >= 0.5)
        enough = enough or (title >= 0.9 and _same_parent(pairing, one, other))
    else:
        text = 0.0
        bare = not mine and not theirs
        enough = title >= (0.6 if bare else 0.75) or (number and (bare or title >= 0.5))
    return 2 * text + title + 0.5 * number if enough else None


def _same_parent(pairing: _Pairing, one: int, other: int) -> bool:
    above, theirs = pairing.old.parents[one], pairing.new.parents[other]
    return (above is None and theirs is None) or (above is not None and pairing.forth.get(above) == theirs)


@lru_cache(maxsize=1 << 14)
def _alike(one: str, other: str) -> float:
    """Likeness of two folded titles, 0..1; 0 below one half."""
    if one == other or not one or not other:
        return float(one == other)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < 0.5 or matcher.quick_ratio() < 0.5:
        return 0.0
    return matcher.ratio()


def _by_children(pairing: _Pairing) -> None:
    """Pair sections over the same children, unless their own texts are different ones."""
    old, new = pairing.old, pairing.new
    for one in reversed(pairing.free()[0]):  # the deepest first
        mine = old.children[one]
        partners = [pairing.forth[child] for child in mine if child in pairing.forth]
        above = Counter(parent for parent in (new.parents[at] for at in partners) if parent is not None)
        if not above:
            continue
        other, shared = max(above.items(), key=lambda item: (item[1], -item[0]))
        if other in pairing.back or 2 * shared < max(len(mine), len(new.children[other])):
            continue
        if not old.grams(one) or not new.grams(other) or old.grams(one) & new.grams(other):
            pairing.join(one, other)


# ---------------------------------------------------------------- splits and merges


@dataclass(frozen=True)
class _Parts:
    """(old, new) beside the pairs: new sections split off from old ones, old sections merged into new ones."""

    split: tuple[tuple[int, int], ...]
    merged: tuple[tuple[int, int], ...]


def _parts(pairing: _Pairing) -> _Parts:
    split = [(donor, part) for part, donor in _absorbed(pairing.swapped())]
    sources = Counter(donor for donor, _ in split)
    merged = [(part, target) for part, target in _absorbed(pairing) if part not in sources]
    for donor, part in list(split):
        if donor not in pairing.forth and sources[donor] == 1:  # shortened and renamed, with nothing beside it
            pairing.join(donor, part)
            split.remove((donor, part))
    targets = Counter(target for _, target in merged)
    for part, target in list(merged):
        if part in pairing.forth:
            merged.remove((part, target))
        elif target not in pairing.back and targets[target] == 1:
            pairing.join(part, target)
            merged.remove((part, target))
    return _Parts(tuple(split), tuple(merged))


def _absorbed(pairing: _Pairing) -> Iterator[tuple[int, int]]:
    """(part, target): each old section without a partner whose text stands in what a new one gained."""
    parts = pairing.free()[0]
    if not parts:
        return
    gained = {at: grams for at in range(len(pairing.new)) if (grams := _gain(pairing, at))}
    owners: dict[int, int] = {}
    for at in sorted(gained, reverse=True):
        owners.update(dict.fromkeys(gained[at], at))
    paired = sorted(pairing.forth)
    for part in parts:
        target = _holder(pairing.old.grams(part), owners)
        if target is None or len(pairing.old.words(part)) < ENOUGH:
            target = _neighbour(pairing, part, paired)
        if target is not None:
            yield part, target


def _gain(pairing: _Pairing, at: int) -> frozenset[int]:
    """The text of a new section that its partner does not have."""
    partner = pairing.back.get(at)
    if partner is None:
        return pairing.new.grams(at)
    if pairing.old.content(partner) == pairing.new.content(at):
        return frozenset()
    return pairing.new.grams(at) - pairing.old.grams(partner)


def _holder(grams: Collection[int], owners: dict[int, int]) -> int | None:
    votes = Counter(map(owners.get, islice(grams, SAMPLE), repeat(-1)))
    del votes[-1]
    if not votes:
        return None
    at, count = max(votes.items(), key=lambda item: (item[1], -item[0]))
    return at if count >= CONTAINED * min(len(grams), SAMPLE) else None


def _neighbour(pairing: _Pairing, part: int, paired: Sequence[int]) -> int | None:
    """The section beside it that has its number, title and text as one run of words, where its partner has not."""
    phrase = pairing.old.phrase(part)
    place = bisect_left(paired, part)
    for at in paired[max(0, place - 1) : place + 1] if phrase.strip() else ():
        target = pairing.forth[at]
        if phrase in pairing.new.phrase(target) and phrase not in pairing.old.phrase(at):
            return target
    return None


# ---------------------------------------------------------------- what to say


class _Told:
    """The changes of a finished pairing."""

    def __init__(self, pairing: _Pairing, parts: _Parts) -> None:
        self.pairing, self.old, self.new = pairing, pairing.old, pairing.new
        self.successors: dict[int, set[int]] = defaultdict(set)
        self.origins: dict[int, set[int]] = defaultdict(set)
        for one, other in (*pairing.forth.items(), *parts.split, *parts.merged):
            self.successors[one].add(other)
            self.origins[other].add(one)
        self.splits = {one for one, _ in parts.split}
        self.merges: dict[int, set[int]] = defaultdict(set)
        for one, other in parts.merged:
            self.merges[other].update((one, pairing.back.get(other, one)))
        self.strayed = {one for one, other in pairing.forth.items() if not self._stays_under(one, other)}
        self.overtaken = set(self._overtaken())

    def changes(self) -> Iterator[Change]:
        lost = [at for at in range(len(self.old)) if not self.successors.get(at)]
        done: set[int] = set()
        for other in range(len(self.new)):
            before = self.pairing.back.get(other, -1)
            while lost and lost[0] < before:
                yield Change("removed", (self._old_id(lost.pop(0)),), ())
            yield from self._of(other, done)
        yield from (Change("removed", (self._old_id(at),), ()) for at in lost)

    def _of(self, other: int, done: set[int]) -> Iterator[Change]:
        """The changes that are told at a new section: at the first of a split's parts."""
        origins = self.origins.get(other, set())
        if not origins:
            yield Change("added", (), (self._new_id(other),))
        if other in self.merges:
            yield Change("merged", tuple(map(self._old_id, sorted(self.merges[other]))), (self._new_id(other),))
        for one in sorted(origins & self.splits - done):
            done.add(one)
            yield Change("split", (self._old_id(one),), tuple(map(self._new_id, sorted(self.successors[one]))))
        one = self.pairing.back.get(other, -1)
        if one >= 0 and other not in self.merges and one not in self.splits:
            yield self._pair(one, other)

    def _pair(self, one: int, other: int) -> Change:
        moved = one in self.strayed or one in self.overtaken
        renamed = self.old.titles[one] != self.new.titles[other] and self.old.whole(one) != self.new.whole(other)
        kind: Kind = "renamed" if renamed else "moved" if moved else "kept"
        return Change(kind, (self._old_id(one),), (self._new_id(other),), tuple(self._notes(one, other)))

    def _notes(self, one: int, other: int) -> Iterator[str]:
        was, now = self.old.sections[one], self.new.sections[other]
        if was.number != now.number:
            yield f"number {was.number or 'none'} → {now.number or 'none'}"
        if was.title != now.title:
            yield f"title {was.title or 'none'} → {now.title or 'none'}"
        if one in self.strayed:
            yield f"from under {_name(self.old, one)} to under {_name(self.new, other)}"
        elif one in self.overtaken:
            yield "order changed"
        if was.level != now.level:
            yield f"level {was.level} → {now.level}"
        if was.page != now.page:
            yield f"page {was.page} → {now.page}"
        if was.content != now.content:
            yield "text changed"

    def _stays_under(self, one: int, other: int) -> bool:
        """Whether it stands under what its parent became; headings that came or went between them do not count."""
        wanted: set[int | None] = set()
        for above in self.old.above(one):
            wanted |= self.successors.get(above, set())
            if above in self.pairing.forth:
                break
        else:
            wanted.add(None)
        for above in self.new.above(other):
            if above in wanted:
                return True
            if above in self.pairing.back:
                return False
        return None in wanted

    def _overtaken(self) -> Iterator[int]:
        """Sections whose order among their siblings changed, as few of them as explain it."""
        for siblings in self.new.children.values():
            pairs = [self.pairing.back[at] for at in siblings if at in self.pairing.back]
            order = [one for one in pairs if one not in self.strayed]
            yield from set(order) - set(_rising(order))

    def _old_id(self, at: int) -> str:
        return self.old.sections[at].section_id

    def _new_id(self, at: int) -> str:
        return self.new.sections[at].section_id


def _name(side: _Side, at: int) -> str:
    parent = side.parents[at]
    if parent is None:
        return "the top"
    section = side.sections[parent]
    return " ".join(filter(None, (section.number, section.title))) or section.section_id


def _rising(numbers: Sequence[int]) -> list[int]:
    """The longest rising part of a sequence."""
    tails: list[int] = []
    ends: list[int] = []
    links: list[int | None] = []
    for at, number in enumerate(numbers):
        place = bisect_left(tails, number)
        links.append(ends[place - 1] if place else None)
        tails[place : place + 1] = [number]
        ends[place : place + 1] = [at]
    rising: list[int] = []
    at_last = ends[-1] if ends else None
    while at_last is not None:
        rising.append(numbers[at_last])
        at_last = links[at_last]
    return rising[::-1]


def _folded(text: str) -> str:
    return " ".join(_words(text))


def _words(text: str) -> list[str]:
    return (ASCII_WORDS if text.isascii() else WORDS).findall(text.casefold())
