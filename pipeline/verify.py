"""Any JSON made by anyone, held against the page: each value's place, whether it is confirmed, and why not.

Comes in: a `Reading`, nested values (as `leaves.load` or `json.loads` gives them), a JSON Schema or None. Goes out:
`Verified`: for each value its status, the reason in words and its `Source`; the lines that look like rows of its arrays
and are in none; `to_json` makes DESIGN's contract of it.

    confirmed   it stands on a page in a form that means it, and what stands around it (its row and column, its label)
                says that it is the value asked for
    review      all else: nowhere on the pages, on another line or in another column, at another label, printed once
                and claimed twice, with another sign; and what no page can say: true and false, computed values

Refuses, as UsageError, values that are no JSON.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

from pipeline import alone, candidates, leaves, tally, witness
from pipeline.alone import Bearing
from pipeline.ground import Ground, Spot, ground
from pipeline.leaves import Leaf, Path, Value
from pipeline.model import Reading, Source, Status
from pipeline.nearby import Nearby, nearby
from pipeline.seating import Candidate, Row, Seat, Seating

Nature = Literal["printed", "choice", "yesno", "computed"]

SOUND = 0.5  # health of a page's text below which its figures prove nothing
SETTLED = 0.5  # of an array's values: where fewer find a line, its rows are no lines
FORMS, WIDE = 0.85, 7  # the same for rows of more values than so many
HOME, VOTES = 0.25, 4  # of the votes: a page that a form is on; values that must have one page
NOWHERE = Source((), "", "missing")


@dataclass(frozen=True)
class Verdict:
    """What became of a value. nature: whether a page can say it at all. source: where it stands, or for a value that
    does not, what stands in its place (then `match` is missing).
    """

    path: Path
    value: Value
    status: Status
    reason: str
    nature: Nature
    source: Source


@dataclass(frozen=True)
class Verified:
    """The verdicts in the order of the values, and the lines that look like rows which the values lack."""

    values: tuple[Verdict, ...]
    missing: tuple[Source, ...]

    def count(self, status: Status) -> int:
        return sum(one.status == status for one in self.values)


def verify(reading: Reading, values: object, schema: Mapping[str, Any] | None = None) -> Verified:
    """Holds each value against the pages."""
    found = leaves.leaves(values, schema)
    over = ground(reading)
    near = nearby(over, found)
    entries = [Candidate(leaf, candidates.spots(leaf, over)) for leaf in found]
    seated, seatings = _seated(entries, over, near)
    rest = _on_pages([entry for entry in entries if entry.leaf.path not in seated and entry.leaf.kind != "yesno"])
    taken = [(seat.spot, seat_leaf) for seat, seat_leaf in seated.values() if seat.spot and not seat.trouble]
    judged = dict(zip([one.leaf.path for one in rest], alone.bearings(rest, near, taken), strict=True))
    kinds = leaves.unlike(found)
    verdicts = []
    for entry in entries:
        if unlike := kinds.get(entry.leaf.path):
            verdict = _review(entry.leaf, unlike, next(iter(entry.spots), None))
        elif entry.leaf.path in seated:
            verdict = _of_row(entry, seated[entry.leaf.path][0])
        elif entry.leaf.kind == "yesno":
            verdict = _review(entry.leaf, "true and false are concluded, not printed: a person decides", None, "yesno")
        else:
            verdict = _of_label(entry, judged[entry.leaf.path], found)
        verdicts.append(_sound(verdict, reading))
    verdicts = _tallied(verdicts, found)
    claimed = {spot.cell for spot in (one.spot for one in judged.values()) if spot}
    held = [{spot.cell for spot in seating.chosen.values()} for seating in seatings]
    missing = []
    for at, seating in enumerate(seatings):
        others = claimed.union(*held[:at], *held[at + 1 :])
        missing += [_source(spot) for spot in seating.missing(others)]
    return Verified(tuple(verdicts), tuple(dict.fromkeys(missing)))


Seated = dict[Path, tuple[Seat, Leaf]]


def _seated(entries: Sequence[Candidate], over: Ground, near: Nearby) -> tuple[Seated, list[Seating]]:
    """The leaves of arrays whose rows are lines, each with its seat."""
    arrays: dict[tuple[str, ...], dict[tuple[int, ...], list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        if entry.leaf.array is not None and entry.leaf.kind != "yesno":
            arrays[entry.leaf.array][entry.leaf.row].append(entry)
    seated: Seated = {}
    seatings = []
    for held in arrays.values():
        rows: list[Row] = [tuple(row) for row in held.values()]
        seating = Seating(over, near, rows)
        seats = seating.seats()
        placed = [seat.spot is not None for row in seats for seat in row]
        standing = [bool(one.spots) for row in rows for one in row]
        if sum(placed) < (FORMS if _wide(rows) else SETTLED) * sum(standing) or (len(rows) == 1 and not all(placed)):
            continue
        seatings.append(seating)
        for row, line in zip(rows, seats, strict=True):
            seated.update({one.leaf.path: (seat, one.leaf) for one, seat in zip(row, line, strict=True)})
    return seated, seatings


def _on_pages(entries: Sequence[Candidate]) -> list[Candidate]:
    """The values of each form (a row of an array that is no line) only where the most of the form stands."""
    votes: dict[tuple[object, ...], Counter[int]] = defaultdict(Counter)
    for entry in entries:
        pages = {spot.page for spot in entry.spots}
        if entry.leaf.array is not None and len(pages) == 1:
            votes[entry.leaf.array, entry.leaf.row].update(pages)
    kept = []
    for entry in entries:
        voted = votes.get((entry.leaf.array, entry.leaf.row), Counter())
        pages = {page for page, count in voted.items() if count >= HOME * voted.total()}
        whole = entry.leaf.array is not None and voted.total() >= VOTES
        kept.append(Candidate(entry.leaf, tuple(one for one in entry.spots if not whole or one.page in pages)))
    return kept


def _wide(rows: Sequence[Row]) -> bool:
    """Whether the rows have so many values that each may well be a form, over many lines."""
    return sum(map(len, rows)) > WIDE * len(rows)


# ---------------------------------------------------------------- verdicts


def _of_row(entry: Candidate, seat: Seat) -> Verdict:
    leaf, there = entry.leaf, _there(seat.instead)
    match seat.trouble:
        case "absent":
            return _nowhere(leaf, seat.instead)
        case "row":
            return _review(leaf, f"it stands on the pages, but not on the line of its row{there}", _other(seat.instead))
        case "order":
            return _review(
                leaf, "it stands where the order of the rows does not lead, without the rest of its row", seat.spot
            )
        case "unset":
            return _review(leaf, "no line of the page is left for it among the rows around it", None)
        case "taken":
            return _review(leaf, f"it is printed once on its line, as {_words(seat.by)}{there}", _other(seat.instead))
        case "column":
            where = f"in the column of {_words(seat.by)}" if seat.by else "in another column than its like"
            return _review(leaf, f"it stands on the line of its row, but {where}{there}", _other(seat.instead))
    assert seat.spot is not None
    return _flawed(leaf, seat.spot) or _confirmed(leaf, seat.spot)


def _of_label(entry: Candidate, bearing: Bearing, found: Sequence[Leaf]) -> Verdict:
    leaf = entry.leaf
    match bearing.objection:
        case "absent":
            return _computed(leaf, found) or _nowhere(leaf, bearing.instead)
        case "elsewhere":
            there = _there(bearing.instead)
            return _review(leaf, f"it stands at another label{there} at the likeliest one", _other(bearing.instead))
        case "claimed":
            return _review(leaf, f"where it stands is rather the place of {_words(bearing.by)}", bearing.spot)
        case "untied":
            return _review(leaf, "it stands on the pages, and nothing there says that it is this value", bearing.spot)
    assert bearing.spot is not None
    return _flawed(leaf, bearing.spot) or _confirmed(leaf, bearing.spot)


def _confirmed(leaf: Leaf, spot: Spot) -> Verdict:
    return Verdict(leaf.path, leaf.value, "confirmed", "", "printed", _source(spot))


def _flawed(leaf: Leaf, spot: Spot) -> Verdict | None:
    """What is wrong with a value that stands in its place."""
    if "sign" in spot.flaws:
        printed = "with a minus" if _positive(leaf) else "without a minus"
        return _review(leaf, f"it is printed {printed}: {spot.quote}", spot)
    if "part" in spot.flaws:
        return _review(leaf, f"it stands inside of a longer number or date only, near {spot.quote}", spot)
    if leaf.said.format == "date" and leaf.kind == "date" and not leaf.text[:4].isdecimal():
        return _review(leaf, "the schema asks for an ISO date (year-month-day), and this is none", spot)
    return None


def _positive(leaf: Leaf) -> bool:
    return isinstance(leaf.value, Decimal) and leaf.value >= 0


def _nowhere(leaf: Leaf, instead: Spot | None) -> Verdict:
    if leaf.said.choices and leaf.text in leaf.said.choices:
        return _review(leaf, "one of the schema's choices; no page prints it so", _other(instead), "choice")
    return _review(leaf, f"it stands on no page{_there(instead)}", _other(instead))


def _computed(leaf: Leaf, found: Sequence[Leaf]) -> Verdict | None:
    """A number that is printed nowhere, and is a count or a sum of others."""
    if not isinstance(leaf.value, Decimal):
        return None
    columns: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Decimal]] = defaultdict(list)
    rows: dict[tuple[str, ...], set[tuple[int, ...]]] = defaultdict(set)
    for one in found:
        if one.array is not None:
            rows[one.array].add(one.row)
            if isinstance(one.value, Decimal):
                columns[one.array, one.key].append(one.value)
    for array, held in rows.items():
        if leaf.value == len(held) > 1:
            return _review(leaf, f"computed, printed nowhere: how many {_words(array)} there are", None, "computed")
    for (array, key), numbers in columns.items():
        if len(numbers) > 1 and sum(numbers) == leaf.value:
            return _review(leaf, f"computed, printed nowhere: the sum of {_words((*array, *key))}", None, "computed")
    return None


def _review(leaf: Leaf, reason: str, spot: Spot | None, nature: Nature = "printed") -> Verdict:
    source = NOWHERE if spot is None else _source(spot)
    return Verdict(leaf.path, leaf.value, "review", reason, nature, source)


def _sound(verdict: Verdict, reading: Reading) -> Verdict:
    """A confirmed value is sent to review where the text of its page cannot be trusted."""
    if verdict.status == "review":
        return verdict
    weak = [place.page for place in verdict.source.places if reading.pages[place.page - 1].health < SOUND]
    if not weak:
        return verdict
    why = ", ".join(reading.pages[weak[0] - 1].reasons)
    reason = f"it stands there, but the text of page {weak[0]} cannot be trusted: {why}"
    return Verdict(verdict.path, verdict.value, "review", reason, verdict.nature, verdict.source)


def _tallied(verdicts: Sequence[Verdict], found: Sequence[Leaf]) -> list[Verdict]:
    """Confirmed numbers that do not agree with each other are sent to review."""
    doubts = tally.doubts(found, {one.path for one in verdicts if one.status == "confirmed"})
    return [replace(one, status="review", reason=doubts[one.path]) if one.path in doubts else one for one in verdicts]


def _other(spot: Spot | None) -> Spot | None:
    """A spot as what stands in a value's place, and is not it."""
    return spot._replace(match="missing") if spot else None


def _there(spot: Spot | None) -> str:
    return f"; the page has “{spot.quote}” there" if spot else ""


def _words(keys: Sequence[str]) -> str:
    return ".".join(keys) or "another value"


def _source(spot: Spot) -> Source:
    return Source(spot.places, spot.quote, spot.match)


# ---------------------------------------------------------------- JSON


def to_json(verified: Verified) -> dict[str, Any]:
    """DESIGN's contract, with the nature and the match of each value beside it."""
    return {
        "values": [_value(one) for one in verified.values],
        "missing": [
            {**_standing(source), "text": source.quote, "reason": "looks like a row, and no row of the values is it"}
            for source in verified.missing
        ],
        "summary": {
            "confirmed": verified.count("confirmed"),
            "review": verified.count("review"),
            "missing": len(verified.missing),
        },
    }


def to_text(verified: Verified) -> str:
    """What a person must see, and the count of the rest."""
    lines = [
        f"{_words(tuple(map(str, one.path)))} = {one.value}: {one.reason}"
        for one in verified.values
        if one.status == "review"
    ]
    lines += [
        f"page {one.places[0].page}: looks like a row that the values lack: {one.quote}" for one in verified.missing
    ]
    counts = f"{verified.count('confirmed')} confirmed, {verified.count('review')} in review"
    return "\n".join([*lines, f"{counts}, {len(verified.missing)} rows missing"])


def _value(one: Verdict) -> dict[str, Any]:
    value = one.value
    exact: str | int | float | bool = value if not isinstance(value, Decimal) else _json_number(value)
    return {
        "path": list(one.path),
        "value": exact,
        "status": one.status,
        "reason": one.reason,
        "kind": one.nature,
        **_standing(one.source),
        "quote": one.source.quote,
        "match": one.source.match,
    }


def _json_number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _standing(source: Source) -> dict[str, Any]:
    first = witness.begins(source)
    return {
        "page": first.page if first else None,
        "box": first.box.rounded() if first else None,
        "places": [{"page": place.page, "box": place.box.rounded()} for place in source.places],
    }
