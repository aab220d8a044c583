"""What a profile does on a document: its sections, tiers and ledger, warnings; and lines restored as rules.

Comes in: a `Reading` with its `Features`, a `Profile`. Goes out: `Fit`; `Rule`s, one a pattern of the ledger, and
profiles with a rule more or less. Refuses nothing: a profile that does not fit gives warnings in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pipeline import boilerplate, headings, likeness, outline, score
from pipeline.features import Features
from pipeline.model import Outline, Reading, Removed
from pipeline.outline import Decided
from pipeline.profiles import Fingerprint, OutlineProfile, Profile
from pipeline.score import Score

FLAT = 20  # headings on one level from which that is worth a word


class TierUse(NamedTuple):
    """A size tier: points, level, and how many lines of the document have its size."""

    size: float
    level: int
    lines: int


@dataclass(frozen=True)
class Fit:
    """levels: (level, headings); removed: (reason, lines) of the ledger. own_outline: what is found without the
    document's own outline, scored against that; None where it has none.
    """

    sections: int
    levels: tuple[tuple[int, int], ...]
    body_size: float
    tiers: tuple[TierUse, ...]
    removed: tuple[tuple[str, int], ...]
    own_outline: Score | None
    warnings: tuple[str, ...]


def check(reading: Reading, features: Features, profile: Profile) -> Fit:
    """What the profile does on the document."""
    decided = outline.decide(features, profile.outline)
    found = decided.outline
    return Fit(
        sections=len(found.sections),
        levels=tuple(sorted(Counter(heading.level for heading in found.headings).items())),
        body_size=found.body_size,
        tiers=_tiers(features, found),
        removed=tuple(Counter(line.reason for line in found.removed).most_common()),
        own_outline=_own_outline(features, profile.outline),
        warnings=(
            *idle_tiers(decided),
            *_warnings(reading, found),
            *_strange(reading, features, profile),
        ),
    )


def to_json(fit: Fit) -> dict[str, Any]:
    """All of it as plain values."""
    return {
        "sections": fit.sections,
        "levels": [{"level": level, "headings": count} for level, count in fit.levels],
        "body_size": fit.body_size,
        "tiers": [tier._asdict() for tier in fit.tiers],
        "removed": [{"reason": reason, "lines": count} for reason, count in fit.removed],
        "own_outline": score.to_json(fit.own_outline) if fit.own_outline else None,
        "warnings": list(fit.warnings),
    }


def to_text(fit: Fit) -> str:
    """All of it for a person, warnings last."""
    levels = ", ".join(f"{count} on level {level}" for level, count in fit.levels)
    lines = [f"{fit.sections} sections: {levels or 'no headings'}", f"body: {fit.body_size:g} pt"]
    lines += [f"tier {tier.level}: {tier.size:g} pt, {tier.lines} lines" for tier in fit.tiers]
    lines += [f"set aside: {count} lines, {reason}" for reason, count in fit.removed]
    if own := fit.own_outline:
        shares = f"precision {own.precision:.2f}, recall {own.recall:.2f}, levels {own.levels:.2f}"
        lines.append(f"against the document's own outline ({own.expected} entries), found without it: {shares}")
    lines += [f"warning: {warning}" for warning in fit.warnings] or ["no warnings"]
    return "\n".join(lines)


def _tiers(features: Features, found: Outline) -> tuple[TierUse, ...]:
    """A size between two tiers belongs to the lower."""
    sizes = Counter(line.size for line in features.lines)
    uses = []
    above = float("inf")
    for tier in found.tiers:
        lines = sum(count for size, count in sizes.items() if tier.size - 0.05 <= size < above - 0.05)
        uses.append(TierUse(tier.size, tier.level, lines))
        above = tier.size
    return tuple(uses)


def _own_outline(features: Features, profile: OutlineProfile) -> Score | None:
    if not features.bookmarks:
        return None
    found = outline.build(features, replace(profile, by_bookmarks=False))
    return score.score(score.of_sections(found.sections), score.of_bookmarks(features.bookmarks))


def idle_tiers(decided: Decided) -> Iterator[str]:
    """Of the tiers that a person set, why those name no heading that do not, in words."""
    found, profile = decided.outline, decided.profile
    if not profile.tier_ratios or not found.body_size:
        return
    if not profile.by_size:
        yield "size is switched off, so tiers make no heading"
        return
    named = Counter(heading.tier for heading in decided.found)
    for index, tier in enumerate(_tiers(decided.document, found)):
        name = f"tier {tier.level} ({tier.size:g} pt)"
        if tier.size < profile.heading_ratio * found.body_size:
            yield f"{name} is not larger than the body ({found.body_size:g} pt), so it makes no heading"
        elif not tier.lines:
            near = min(dict(found.histogram), key=lambda size: abs(size - tier.size))
            yield f"{name}: no line has this size; the nearest is {near:g} pt"
        elif not named[index] and profile.weights.size < headings.ENOUGH:
            yield f"{name}: size weighs {profile.weights.size:g}, so it takes other evidence to make its lines headings"
        elif not named[index]:
            yield f"{name}: none of the lines of this size is a heading; ask one why not"


def _warnings(reading: Reading, found: Outline) -> Iterator[str]:
    empty = [str(page.number) for page in reading.pages if not len(page)]
    if empty:
        named = ", ".join(empty[:8]) + (", …" if len(empty) > 8 else "")
        yield f"no words on {len(empty)} of {len(reading.pages)} pages: {named}"
    if not found.headings:
        yield "no heading was found"
    elif len(found.headings) >= FLAT and len({heading.level for heading in found.headings}) == 1:
        yield f"all {len(found.headings)} headings are on one level"


def _strange(reading: Reading, features: Features, profile: Profile) -> Iterator[str]:
    """What the profile knows of its documents and this one does not have."""
    printed = {boilerplate.pattern(line.text) for line in features.lines} if profile.outline.keep else set()
    for kept in profile.outline.keep:
        if kept not in printed:
            yield f"no line is like the restored {kept!r}"
    if profile.fingerprint != Fingerprint():
        known = likeness.Known(profile.name, profile.fingerprint, "kept in the profile")
        [suggestion] = likeness.ranked(likeness.taken(reading, features), [known])
        if not suggestion.close:
            reasons = "; ".join(suggestion.against) or "there is little to compare"
            yield f"it does not look like the profile's documents: {reasons}"


# ---------------------------------------------------------------- restored lines


@dataclass(frozen=True)
class Rule:
    """Lines of the ledger that are alike: their pattern (digits as #), one of them as printed, where they stand, why
    they are set aside, and on how many pages their like was found. kept: a person restored them, so they are text.
    context: what they say that the text does not.
    """

    pattern: str
    text: str
    pages: tuple[int, ...]
    reason: str
    repeats: int
    kept: bool
    context: tuple[str, ...] = ()


def rules(features: Features, profile: OutlineProfile) -> tuple[Rule, ...]:
    """All that the ledger holds or would hold, by pattern, in the order in which the patterns first occur."""
    groups: dict[str, list[Removed]] = {}
    for line in outline.build(features, replace(profile, keep=())).removed:
        groups.setdefault(boilerplate.pattern(line.text), []).append(line)
    return tuple(
        Rule(
            pattern=pattern,
            text=lines[0].text,
            pages=tuple(dict.fromkeys(line.page for line in lines)),
            reason=Counter(line.reason for line in lines).most_common(1)[0][0],
            repeats=max(line.repeats for line in lines),
            kept=pattern in profile.keep,
            context=tuple(dict.fromkeys(part for line in lines for part in line.context)),
        )
        for pattern, lines in groups.items()
    )


def restored(profile: Profile, text: str) -> Profile:
    """The profile with a rule that keeps lines such as `text` (as printed, or a pattern) where they are."""
    pattern = boilerplate.pattern(text)
    keep = profile.outline.keep
    return profile if pattern in keep else _keeping(profile, (*keep, pattern))


def set_aside(profile: Profile, text: str) -> Profile:
    """The profile without the rule for lines such as `text`."""
    pattern = boilerplate.pattern(text)
    return _keeping(profile, tuple(kept for kept in profile.outline.keep if kept != pattern))


def _keeping(profile: Profile, keep: tuple[str, ...]) -> Profile:
    return replace(profile, outline=replace(profile.outline, keep=keep))
