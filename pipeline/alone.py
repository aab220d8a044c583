"""Values that stand by themselves, outside of rows: which place is meant, by the label there and by who else claims it.

Comes in: leaves with their spots, what is `Nearby`, and the spots that rows have taken. Goes out: a `Bearing` each: the
place, how well it is tied to the key, and what speaks against it. All are judged together: two keys that name one
printed value are told apart by which label it stands at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pipeline.amounts import CODES
from pipeline.ground import Ground, Spot, bare
from pipeline.keywords import Texts, known
from pipeline.leaves import Leaf
from pipeline.nearby import Nearby
from pipeline.seating import Candidate, same

Objection = Literal["", "absent", "elsewhere", "claimed", "untied"]

TOLD = 0.3  # evidence from which a label is understood
AGREES = 0.6  # of the evidence for the best labelled value of the kind
SOLE = 0.9  # of it, where another key claims the same place
EXCHANGE = 0.2  # evidence by which labels must speak for an exchange of two values
FIGURES, LETTERS = 4, 10  # that tell a value without a label, where it stands once
WORDY = 3  # letters that tell a text that a cell begins with
SHARES = 0.8  # of the other key's evidence: both keys may mean one printed value


@dataclass(frozen=True)
class Bearing:
    """A place, the evidence for it, and what speaks against it: `instead` stands at the label; `by` has it too."""

    spot: Spot | None
    told: float = 0.0
    objection: Objection = ""
    instead: Spot | None = None
    by: tuple[str, ...] = ()


DATED = ("date", "day", "month", "period", "year", "start", "end", "due", "birth", "expiry", "issued", "valid", "time")
YEAR = re.compile(r"(?:19|20)\d\d")


class _Claim(NamedTuple):
    told: float
    at: int
    spot: Spot


def bearings(candidates: Sequence[Candidate], nearby: Nearby, taken: Sequence[tuple[Spot, Leaf]]) -> list[Bearing]:
    """The bearing of each, in order. taken: what rows have, and whose it is."""
    claims = [
        _Claim(nearby.evidence(one.leaf, spot) - 0.1 * len(spot.flaws), at, spot)
        for at, one in enumerate(candidates)
        for spot in one.spots
    ]
    claims.sort(key=lambda claim: -claim.told)
    chosen: dict[int, _Claim] = {}
    for claim in claims:
        held = any(same(claim.spot, other.spot) for other in chosen.values())
        if claim.at not in chosen and not held:
            chosen[claim.at] = claim
    for claim in claims:  # what is left shares its place
        chosen.setdefault(claim.at, claim)
    return [_bearing(at, candidates, chosen, nearby, taken) for at in range(len(candidates))]


def _bearing(
    at: int,
    candidates: Sequence[Candidate],
    chosen: dict[int, _Claim],
    nearby: Nearby,
    taken: Sequence[tuple[Spot, Leaf]],
) -> Bearing:
    leaf = candidates[at].leaf
    best, most = _named_best(at, candidates, chosen, nearby, taken)
    if at not in chosen:
        return Bearing(None, 0.0, "absent", best if most >= TOLD else None)
    told, _, spot = chosen[at]
    turned = _exchanged(at, candidates, chosen, nearby)
    if turned is not None:
        return Bearing(spot, told, "claimed", None, turned)
    shared = any(other != at and same(claim.spot, spot) for other, claim in chosen.items())
    agrees = told >= (SOLE if shared else AGREES) * most
    if best is not None and most >= TOLD and not agrees and not same(best, spot):
        return Bearing(spot, told, "elsewhere", best)
    rival = _rival(at, candidates, chosen, nearby)
    if rival is not None:
        return Bearing(spot, told, "claimed", None, rival)
    if leaf.kind == "date" and not _dated(leaf):
        return Bearing(spot, told, "untied")
    if told >= TOLD:
        return Bearing(spot, told)
    owner = next((other.key for one, other in taken if same(one, spot)), None)
    if owner is not None:
        return Bearing(spot, told, "claimed", None, owner)
    alike = [one.leaf.key for place, one in enumerate(candidates) if place != at and _equal(one.leaf, leaf)]
    if alike:
        return Bearing(spot, told, "claimed", None, alike[0])
    return Bearing(spot, told, "" if _telling(leaf, candidates[at].spots, nearby.ground) else "untied")


def _named_best(
    at: int,
    candidates: Sequence[Candidate],
    chosen: dict[int, _Claim],
    nearby: Nearby,
    taken: Sequence[tuple[Spot, Leaf]],
) -> tuple[Spot | None, float]:
    """The value of the leaf's kind that its key names best, of those that are no other leaf's."""
    leaf = candidates[at].leaf
    others = [claim.spot for other, claim in chosen.items() if other != at] + [one for one, _ in taken]
    mine = candidates[at].spots
    for spot, told in nearby.labelled(leaf):
        if any(same(spot, one) for one in mine):
            return spot, told
        if _comparable(leaf, spot) and not any(same(spot, one) for one in others):
            return spot, told
    return None, 0.0


def _dated(leaf: Leaf) -> bool:
    """Whether the key, or what is said of it, asks for a date, in any language."""
    asked = Texts([" ".join((*leaf.words, leaf.said.title))])
    return bool(asked.holding([*DATED, *(name for word in DATED for name in known().get(word, ()))]))


def _comparable(leaf: Leaf, spot: Spot) -> bool:
    """Whether what is printed may be a value like the leaf's: as many figures or so, and no year for what is none."""
    figures, own = (sum(char.isdecimal() for char in text) for text in (spot.quote, leaf.text))
    if leaf.kind == "number" and YEAR.fullmatch(spot.quote) and not YEAR.fullmatch(leaf.text):
        return False
    return figures >= min(3, own) and (own < 7 or figures > 3)


def _equal(one: Leaf, other: Leaf) -> bool:
    return one.kind == other.kind and (one.value == other.value or bare(one.text) == bare(other.text))


def _exchanged(
    at: int, candidates: Sequence[Candidate], chosen: dict[int, _Claim], nearby: Nearby
) -> tuple[str, ...] | None:
    """The key of another leaf of its form, where that one and this one suit each other's places better."""
    mine, leaf = chosen[at], candidates[at].leaf
    if leaf.kind == "text":  # labels of names are too much alike
        return None
    for other, claim in chosen.items():
        one = candidates[other].leaf
        if other == at or one.kind != leaf.kind or (one.array, one.row) != (leaf.array, leaf.row):
            continue
        here = nearby.evidence(one, mine.spot)
        if here > mine.told and here + nearby.evidence(leaf, claim.spot) > mine.told + claim.told + EXCHANGE:
            return one.key
    return None


def _rival(
    at: int, candidates: Sequence[Candidate], chosen: dict[int, _Claim], nearby: Nearby
) -> tuple[str, ...] | None:
    """The key of another leaf that the place belongs to rather."""
    mine = chosen[at]
    for other, claim in chosen.items():
        if other == at or not same(claim.spot, mine.spot):
            continue
        theirs = nearby.evidence(candidates[other].leaf, mine.spot)
        if candidates[other].leaf.key == candidates[at].leaf.key:  # of another form
            return candidates[other].leaf.key
        if mine.told < TOLD or mine.told < SHARES * theirs:
            return candidates[other].leaf.key
    equals = [one.leaf for other, one in enumerate(candidates) if other != at and _equal(one.leaf, candidates[at].leaf)]
    # equal values at two places, of which this one tells of the other key
    return next((one.key for one in equals if mine.told < nearby.evidence(one, mine.spot)), None)


def _telling(leaf: Leaf, spots: Sequence[Spot], ground: Ground) -> bool:
    """Whether a value is its own witness: long, and printed once (or alike in several places)."""
    figures = sum(char.isdecimal() for char in leaf.text)
    letters = sum(char.isalpha() for char in leaf.text)
    if leaf.text in CODES:
        return True
    if leaf.kind == "number":
        return figures >= FIGURES and len(spots) == 1 and not spots[0].flaws
    if leaf.kind == "date":
        return len(spots) == 1
    wide = sum(ord(char) > 0x2E7F for char in leaf.text)
    if letters + 2 * wide >= LETTERS or (figures >= FIGURES and len(spots) == 1):
        return True
    return letters + wide >= WORDY and any(ground.leads(spot) for spot in spots)
