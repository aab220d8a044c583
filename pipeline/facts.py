"""What only the cover and the signature blocks say: title, parties, dates, who signs as what, draft state, Bates range.

Comes in: the ledger's lines. Goes out: `Fact`s with the words of the page as their value, and their source. Nothing is
concluded: a party is one because `between`, `for and on behalf of`, `as Issuer` or its place over a signature says so;
a blank to be filled gives no fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from pipeline import wording
from pipeline.formalities import COVER, SIGNATURE, names_party
from pipeline.model import Place, Removed, Source, around
from pipeline.stamps import BATES, DRAFT, ESIGNED, WATERMARK

TITLE, PARTY, DATE, EFFECTIVE = "document title", "party", "date", "effective date"
STATE, FIRST_BATES, LAST_BATES = "draft state", "first Bates number", "last Bates number"
SIGNATORY, POSITION, SIGNED = "signatory", "signatory's title", "signing date"
BLANK = " _,;:"
SAME_HEIGHT = 0.1  # share by which lines of one title may differ
UNDER, CLOSE = 2.5, 1.0  # line heights from a rule to who signs on it, and between lines below it
MOST_PARTY_LINES = 6


@dataclass(frozen=True)
class Fact:
    """A value as printed. about: whose it is: the party of a signatory, the signatory of a title or a date."""

    name: str
    value: str
    source: Source
    about: str = ""


def find(removed: Sequence[Removed]) -> tuple[Fact, ...]:
    """The facts of a document's ledger, each once, with all the places that say it."""
    cover = [line for line in removed if line.reason == COVER]
    return tuple(_merged([*_of_cover(cover), *_of_stamps(removed), *_of_signatures(removed), *_of_esigned(removed)]))


def _fact(name: str, value: str, lines: Sequence[Removed], about: str = "") -> Iterator[Fact]:
    """The fact, if there is a value."""
    text = value.strip(BLANK)
    if any(map(str.isalnum, text)):
        pages = groupby(lines, lambda line: line.page)
        places = tuple(Place(page, around([line.box for line in part])) for page, part in pages)
        yield Fact(name, text, Source(places, " ".join(line.text for line in lines), "exact"), about)


def _merged(facts: Iterable[Fact]) -> Iterator[Fact]:
    found: dict[tuple[str, str, str], Fact] = {}
    for fact in facts:
        key = (fact.name, fact.value.casefold(), fact.about.casefold())
        known = found.get(key)
        if known:
            places = tuple(dict.fromkeys((*known.source.places, *fact.source.places)))
            fact = replace(known, source=replace(known.source, places=places))
        found[key] = fact
    yield from found.values()


# ---------------------------------------------------------------- the cover


def _of_cover(cover: Sequence[Removed]) -> Iterator[Fact]:
    title = _title(cover)
    yield from _fact(TITLE, " ".join(line.text for line in title), title)
    for line in cover:
        if match := re.fullmatch(wording.DATED, line.text):
            yield from _fact(EFFECTIVE if match["effective"] else DATE, match["value"], [line])
    yield from _parties(cover)


def _title(cover: Sequence[Removed]) -> list[Removed]:
    """The largest line that names an agreement, with its neighbours of the same size where they are set large."""
    named = [line for line in cover if re.search(wording.AGREEMENT, line.text)]
    if not named:
        return []
    best = max(named, key=lambda line: line.box.height)
    usual = median(line.box.height for line in cover)
    if best.box.height < 1.2 * usual:
        return [best]
    at = first = last = cover.index(best)
    while first > 0 and _is_same_size(cover[first - 1], cover[at]):
        first -= 1
    while last + 1 < len(cover) and _is_same_size(cover[last + 1], cover[at]):
        last += 1
    return list(cover[first : last + 1])


def _is_same_size(one: Removed, other: Removed) -> bool:
    return abs(one.box.height - other.box.height) <= SAME_HEIGHT * other.box.height


def _parties(cover: Sequence[Removed]) -> Iterator[Fact]:
    for index, line in enumerate(cover):
        if re.fullmatch(wording.BETWEEN, line.text):
            yield from _listed(cover[index + 1 : index + 1 + MOST_PARTY_LINES])
        elif match := re.fullmatch(wording.IN_ROLE, line.text):
            yield from _fact(PARTY, match["name"], [line])
        elif match := re.search(rf"\b{wording.BETWEEN[4:]}\s+(?P<names>\S.*)", line.text, re.IGNORECASE):
            yield from _in_line(match["names"], line)


def _listed(lines: Sequence[Removed]) -> Iterator[Fact]:
    """Parties below `between`, each on lines of its own, with `and` between them."""
    conjunctions = [index for index, line in enumerate(lines) if re.fullmatch(wording.CONJUNCTION, line.text)]
    starts = [0, *(index + 1 for index in conjunctions)] if conjunctions else []
    for start in starts:
        if start < len(lines):
            match = re.fullmatch(wording.IN_ROLE, lines[start].text)
            yield from _fact(PARTY, match["name"] if match else lines[start].text, [lines[start]])


def _in_line(names: str, line: Removed) -> Iterator[Fact]:
    """The two parties of `between A and B`; none where it is open which `and` parts them."""
    parts = re.split(rf"\s+{wording.CONJUNCTION[4:]}\s+", names, flags=re.IGNORECASE)
    if len(parts) == 2:
        for name in parts:
            yield from _fact(PARTY, name, [line])


# ---------------------------------------------------------------- stamps


def _of_stamps(removed: Sequence[Removed]) -> Iterator[Fact]:
    for line in removed:
        if line.reason == DRAFT or (line.reason == WATERMARK and re.fullmatch(wording.DRAFT, line.text)):
            yield from _fact(STATE, line.text, [line])
    numbers = [line for line in removed if line.reason == BATES]
    if numbers:
        yield from _fact(FIRST_BATES, numbers[0].text, numbers[:1])
        yield from _fact(LAST_BATES, numbers[-1].text, numbers[-1:])


# ---------------------------------------------------------------- signatures


@dataclass(frozen=True)
class _Said:
    """What a line of a signature block says: a role (or party) and its value."""

    role: str
    value: str
    line: Removed


def _of_signatures(removed: Sequence[Removed]) -> Iterator[Fact]:
    said = [item for line in _with_place(removed) for item in _said(line)]
    for group in _persons(said):
        yield from _of_person(group)


def _with_place(removed: Sequence[Removed]) -> Iterator[tuple[Removed, int]]:
    """The lines of signature blocks, each with how many lines below a rule or `/s/` it stands; 0: below none."""
    above: Removed | None = None
    below = 0
    for line in removed:
        if line.reason != SIGNATURE:
            continue
        gap = _gap(above, line) if above else UNDER
        further = below + 1 if below and gap < CLOSE else 0
        below = 1 if above and _is_ruled(above) and gap < UNDER else further
        yield line, below
        above = line


def _gap(above: Removed, line: Removed) -> float:
    """White space between two lines in line heights; much where they do not stand below each other."""
    gap = (line.box.top - above.box.bottom) / max(line.box.height, 1.0)
    return gap if above.page == line.page and gap > -0.5 else UNDER


def _is_ruled(line: Removed) -> bool:
    return line.text.startswith("/s/") or not line.text.strip(BLANK)


def _said(placed: tuple[Removed, int]) -> Iterator[_Said]:
    line, below_rule = placed
    labels = wording.labels(line.text)
    if labels and labels[0].at == 0:
        for label in labels:
            acting = label.role == "sign" and re.fullmatch(wording.COMPANY, label.value)
            yield _Said(PARTY if acting else label.role, label.value.removeprefix("/s/"), line)
    elif line.text.startswith("/s/"):
        yield _Said("sign", line.text.removeprefix("/s/"), line)
    elif match := re.match(wording.BEHALF, line.text):
        yield _Said(PARTY, line.text[match.end() :], line)
    elif below_rule > 1:  # the office of who signs, or a company of which no word says what it is
        return
    elif names_party(line.text) or line.text.isupper():
        yield _Said(PARTY, line.text if _is_name(line.text) else "", line)
    elif below_rule and _is_name(line.text):
        name, _, title = line.text.partition(", ")
        yield _Said("name", name, line)
        yield _Said("title", title, line)


def _is_name(text: str) -> bool:
    """Whether a line that no label explains can be somebody's name: some words, but neither `Signature of director`,
    nor `THE COMPANY`, nor the agreement's name.
    """
    words = text.removeprefix("THE ").split()
    first = words[0].lower() if words else ""
    other = re.search(wording.AGREEMENT, text) or re.search(wording.WITNESSED, text)
    return len(words) >= 2 and text[0].isupper() and first not in wording.ROLES and not other


def _persons(said: Iterable[_Said]) -> Iterator[list[_Said]]:
    """What belongs to one signature: a new one begins with a party, another page, or what was said already. Whose the
    second signature below one party is, no word says.
    """
    group: list[_Said] = []
    for item in said:
        again = item.role in ("sign", "name") and any(one.role == item.role and one.value.strip(BLANK) for one in group)
        new_party = item.role == PARTY and any(other.role != PARTY for other in group)
        if group and (again or new_party or item.line.page != group[-1].line.page):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _of_person(group: Sequence[_Said]) -> Iterator[Fact]:
    parties = [item for item in group if item.role == PARTY and item.value.strip(BLANK)]
    party = next((item for item in parties if names_party(item.line.text)), parties[0] if parties else None)
    names = [item for role in ("name", "sign") for item in group if item.role == role and _is_person(item.value)]
    of = party.value.strip(BLANK) if party else ""
    if party:
        yield from _fact(PARTY, party.value, [party.line])
    if not names:
        return
    name = names[0].value.strip(BLANK)
    yield from _fact(SIGNATORY, name, [names[0].line], of)
    for item in group:
        if item.role == "title":
            yield from _fact(POSITION, item.value, [item.line], name)
        elif item.role == "date" or (item.role == "place" and any(map(str.isdigit, item.value))):
            yield from _fact(SIGNED, item.value, [item.line], name)


def _is_person(value: str) -> bool:
    """Whether a value can be a person's name: letters, and not `BBC Property Co., its General Partner`."""
    return sum(map(str.isalpha, value)) >= 2 and not re.search(r",\s*(?:its|the)\b", value)


def _of_esigned(removed: Sequence[Removed]) -> Iterator[Fact]:
    """Who signed electronically, and when, as the stamp says."""
    signer = ""
    awaited = False
    for line in removed:
        if line.reason != ESIGNED:
            continue
        match = re.fullmatch(wording.ESIGNED, line.text)
        dated = re.fullmatch(wording.ESIGNED_ON, line.text)
        if match:
            numbered = dated or any(map(str.isdigit, line.text))
            signer = "" if numbered else (match["rest"] or "").strip(BLANK)
            yield from _fact(SIGNATORY, signer, [line])
            awaited = not signer and not numbered
        elif awaited and not dated:
            signer, awaited = line.text, False
            yield from _fact(SIGNATORY, signer, [line])
        elif signer and (labels := wording.labels(line.text)) and labels[0].role == "date":
            yield from _fact(SIGNED, line.text.partition(":")[2], [line], signer)
