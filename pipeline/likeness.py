"""How alike two documents look, so that the profile of a known template is suggested for a new one.

Comes in: a `Reading` with its `Features`; fingerprints that profiles keep, or that were taken of documents read with
them. Goes out: `Fingerprint`, and a ranking of `Suggestion`s with reasons for and against. Refuses nothing: where
nothing is close, no suggestion says `close`.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pipeline import boilerplate, outline
from pipeline.features import Features
from pipeline.model import Outline, Reading
from pipeline.profiles import Fingerprint, OutlineProfile

CLOSE = 0.62
ENOUGH = 5.0  # weight of what must be alike before two look the same: little in common that is alike says little
MOST = 8
ORDINARY = ("times", "arial", "helvetica", "calibri", "cambria", "courier", "liberation", "nimbus", "verdana")
STYLE = re.compile(r"[-,].*$|(?:PS)?(?:MT)?$")
LETTERS = re.compile(r"\w+")
WORDS = re.compile(r"[^\W\d_]{2,}")


class Known(NamedTuple):
    """A profile, what its documents look like, and how that is known, in words."""

    name: str
    fingerprint: Fingerprint
    basis: str


@dataclass(frozen=True)
class Suggestion:
    """A profile for a document. likeness: 0..1; close: enough to use it unasked; reasons in words."""

    name: str
    likeness: float
    close: bool
    basis: str
    speaks_for: tuple[str, ...]
    against: tuple[str, ...]


class _Part(NamedTuple):
    """One part of two fingerprints compared: how much it counts, how alike it is (0..1), and that in words; whether
    it tells a template (a page size or an ordinary font does not).
    """

    weight: float
    alike: float
    words: str
    telling: bool = False


# ---------------------------------------------------------------- taken


def taken(reading: Reading, features: Features, known: Outline | None = None) -> Fingerprint:
    """What a document looks like, whatever profile it is read with. known: its outline without a profile."""
    found = known or outline.build(features, OutlineProfile())
    pages = Counter((round(page.width), round(page.height)) for page in reading.pages)
    width, height = min(pages, key=lambda size: (-pages[size], size)) if pages else (0, 0)
    body = found.body_size
    return Fingerprint(
        body_size=round(body, 1),
        page_width=float(width),
        page_height=float(height),
        tier_ratios=tuple(round(tier.size / body, 2) for tier in found.tiers) if body else (),
        fonts=_fonts(reading),
        running=_running(found),
        columns=_columns(found),
    )


def _fonts(reading: Reading) -> tuple[str, ...]:
    """Families that set one character in fifty or more."""
    counts: Counter[str] = Counter()
    for page in reading.pages:
        if page.origin == "ocr":
            continue
        used: Counter[int] = Counter()
        for font, word in zip(page.font_ids, page.text.split("\n"), strict=False):
            used[font] += len(word)
        for font, count in used.items():
            counts[STYLE.sub("", page.fonts[font].name)] += count
    least = 0.02 * counts.total()
    names = sorted((name for name in counts if name and counts[name] >= least), key=lambda name: (-counts[name], name))
    return tuple(names[:6])


def _running(found: Outline) -> tuple[str, ...]:
    patterns: Counter[str] = Counter()
    for line in found.removed:
        if line.reason.startswith("running"):
            text = boilerplate.pattern(line.text)
            if len(WORDS.findall(text)) >= 2:
                patterns[text] += 1
    return _commonest(patterns)


def _columns(found: Outline) -> tuple[str, ...]:
    titles: Counter[str] = Counter()
    for section in found.sections:
        for table in section.tables:
            for title in dict.fromkeys(map(_folded, table.header)):
                if any(map(str.isalpha, title)) and len(title) <= 60:
                    titles[title] += len(table.rows)
    return _commonest(titles)


def _commonest(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda text: (-counts[text], text))[:MOST])


def to_json(ranking: Sequence[Suggestion]) -> dict[str, Any]:
    """The ranking, and the name of the profile that is close enough to use, or null."""
    listed = [
        {
            "profile": one.name,
            "likeness": one.likeness,
            "close": one.close,
            "basis": one.basis,
            "for": list(one.speaks_for),
            "against": list(one.against),
        }
        for one in ranking
    ]
    return {"suggested": suggested(ranking), "ranking": listed}


def suggested(ranking: Sequence[Suggestion]) -> str | None:
    """The name of the first profile that is close; None where none is."""
    return next((one.name for one in ranking if one.close), None)


def to_text(ranking: Sequence[Suggestion]) -> str:
    """The ranking for a person; says so where none is close."""
    name = suggested(ranking)
    lines = [f"Use: --profile {shlex.quote(name)}" if name else "None is close. The default profile tunes nothing."]
    for one in ranking:
        lines.append(f"{one.name}: {one.likeness:.0%} alike{'' if one.close else ', not close'} ({one.basis})")
        lines += [f"  for: {reason}" for reason in one.speaks_for]
        lines += [f"  against: {reason}" for reason in one.against]
    if not ranking:
        lines.append("No profile knows yet what its documents look like: profile check FILE --profile NAME --remember")
    return "\n".join(lines)


# ---------------------------------------------------------------- compared


def ranked(document: Fingerprint, known: Iterable[Known]) -> tuple[Suggestion, ...]:
    """The profiles, the likest first; of a profile that is known in several ways, the likest."""
    best: dict[str, Suggestion] = {}
    for one in known:
        suggestion = _suggestion(document, one)
        if one.name not in best or suggestion.likeness > best[one.name].likeness:
            best[one.name] = suggestion
    return tuple(sorted(best.values(), key=lambda one: (-one.likeness, one.name)))


def _suggestion(document: Fingerprint, known: Known) -> Suggestion:
    parts = list(_parts(document, known.fingerprint))
    weight = sum(part.weight for part in parts)
    likeness = sum(part.weight * part.alike for part in parts) / max(weight, ENOUGH)
    return Suggestion(
        name=known.name,
        likeness=round(likeness, 3),
        close=likeness >= CLOSE and any(part.telling for part in parts),
        basis=known.basis,
        speaks_for=tuple(part.words for part in parts if part.alike >= 0.5),
        against=tuple(part.words for part in parts if part.alike < 0.5),
    )


def _parts(one: Fingerprint, other: Fingerprint) -> Iterator[_Part]:
    """What can be compared of the two; what a scan does not show (fonts) or neither has says nothing."""
    if one.page_width and other.page_width:
        same = abs(one.page_width - other.page_width) <= 3 and abs(one.page_height - other.page_height) <= 3
        yield _Part(0.5, same, f"pages of {_size(one)}{'' if same else f', not {_size(other)}'} points")
    if one.body_size and other.body_size:
        apart = abs(one.body_size / other.body_size - 1)
        words = f"text of {one.body_size:g} pt{f', not {other.body_size:g} pt' if apart >= 0.06 else ''}"
        yield _Part(1, max(0.0, 1 - apart / 0.12), words)
    if one.tier_ratios and other.tier_ratios:
        yield _tiers(one.tier_ratios, other.tier_ratios)
    if one.fonts and other.fonts:
        telling = [name for name in (*one.fonts, *other.fonts) if not name.casefold().startswith(ORDINARY)]
        yield _listed((2 if telling else 0.75, len(set(telling)) < len(telling)), one.fonts, other.fonts, "fonts")
    if one.running or other.running:
        yield _listed((3 if one.running and other.running else 1, True), one.running, other.running, "running lines")
    if one.columns and other.columns:
        yield _listed((2.5, True), one.columns, other.columns, "column titles")


def _tiers(mine: Sequence[float], theirs: Sequence[float]) -> _Part:
    shared = sum(any(abs(ratio / one - 1) <= 0.02 for one in mine) for ratio in theirs)
    most = max(len(mine), len(theirs))
    return _Part(0.5 * min(most, 4), min(shared / most, 1), f"{shared} of {most} heading sizes", shared >= 4)


def _listed(counts: tuple[float, bool], mine: Sequence[str], theirs: Sequence[str], what: str) -> _Part:
    """Lists compared by what they share; the shorter one decides, for a document need not show all that a template
    has. counts: weight, and whether they can tell a template.
    """
    weight, telling = counts
    one, other = (dict.fromkeys(map(_folded, texts)) for texts in (mine, theirs))
    shared = [text for text in one if text in other]
    if not shared:
        return _Part(weight, 0, f"no {what} in common")
    least = min(len(one), len(other))
    named = ", ".join(shared[:3]) + (", …" if len(shared) > 3 else "")
    return _Part(weight, len(shared) / least, f"{len(shared)} of {least} {what}: {named}", telling)


def _size(fingerprint: Fingerprint) -> str:
    return f"{fingerprint.page_width:g} × {fingerprint.page_height:g}"


def _folded(text: str) -> str:
    return " ".join(LETTERS.findall(text.casefold().replace("#", "0")))
