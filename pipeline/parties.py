"""Who sells and who buys: the blocks of an invoice that name them, with or without a label.

Comes in: a `Print`. Goes out: `RawField`s with the name, the address and the tax number of supplier and buyer, and the
invoice's currency. Tax numbers belong to the block that they stand in; those outside of blocks to the supplier, unless
their label says otherwise. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pipeline import amounts, checksums, claims, firms
from pipeline.claims import Claim
from pipeline.engine import RawField
from pipeline.figures import Run, phrases
from pipeline.marks import Mark, Print, is_sum
from pipeline.model import Box, Place, Word, around

Role = Literal["supplier", "buyer"]
ROLES: tuple[Role, Role] = ("supplier", "buyer")
LINES = 12  # of a block at most
HEIGHT = 842.0  # points: of a usual page
CODE = 3  # letters of a currency
CENTS = 2  # decimals
LOGO = 3  # signs at most that are read in a logo beside the name
WIDE = 3.0  # ems between two blocks side by side at least
SPACE = 1.9  # line heights between two lines of a block at most
ALONE = "no total is printed in it"
BRACKETED = re.compile(r"\(.*\)")
_TAX_ID = re.compile(r"(?:[A-Z]{2}[ .-]?)?[A-Z0-9][A-Z0-9 .\-/]{5,17}[A-Z0-9]")


@dataclass(frozen=True)
class Block:
    """Lines of a block from its heading on: the index of each line, and its words within the block."""

    role: Role
    mark: Mark | None
    lines: tuple[tuple[int, tuple[Word, ...]], ...]

    def holds(self, line: int, word: Word) -> bool:
        return any(at == line and word in words for at, words in self.lines)


def fields(prints: Print, skipped: frozenset[int] = frozenset()) -> list[RawField]:
    """Names, addresses, tax numbers and the currency. skipped: the lines of the table of items, where blocks end."""
    blocks = [block for mark in prints.marks if mark.line not in skipped and (block := _headed(prints, mark, skipped))]
    found: list[RawField] = []
    for role in ROLES:
        mine = next((block for block in blocks if block.role == role), None)
        if mine:
            found += _named(prints, mine)
    if all(block.role != "supplier" for block in blocks):
        found += _unlabelled(prints, blocks)
    found += _tax_ids(prints, blocks)
    return found + _currency(prints)


def _headed(prints: Print, mark: Mark, skipped: frozenset[int]) -> Block | None:
    """The block below, or behind, a heading that names a party; none where the words only begin a sentence or name."""
    role = next((role for role in ROLES if mark.means(role)), None)
    line = prints.lines[mark.line]
    tail = line.words[mark.stop : prints.stop(mark)]
    close = bool(tail) and tail[0].box.x0 - mark.box.x1 < line.words[mark.start].size
    if role is None or (close and not mark.colon):
        return None
    size = line.words[mark.start].size
    right = _right(prints, mark)
    lines = [(mark.line, tuple(word for word in tail if word.box.x0 < right and word.text.strip(":")))] if close else []
    bottom = mark.box.bottom
    for at in range(mark.line + 1, min(mark.line + 3 * LINES, len(prints.lines))):
        under = prints.lines[at]
        beside = _beside(prints, at, mark.box.x0 + size)
        words = tuple(word for word in under.words if mark.box.x0 - 1.5 * size <= word.box.x0 < min(right, beside))
        if under.page != line.page or len(lines) >= LINES or at in skipped:
            break
        if not words or words[0].box.top < bottom - 0.5 * size or _apart(words, mark, lines):
            continue
        if words[0].box.top - bottom > SPACE * size or _another(prints, at, words):
            break
        lines.append((at, _own(prints, at, words)))
        bottom = words[0].box.bottom
    return Block(role, mark, tuple(line for line in lines if line[1])) if lines else None


def _apart(words: Sequence[Word], mark: Mark, lines: Sequence[tuple[int, tuple[Word, ...]]]) -> bool:
    """Whether words stand beside a block: right of its heading, at the left edge of nothing in it."""
    left, size = words[0].box.x0, words[0].size
    edges = [held[0].box.x0 for _, held in lines if held]
    return left > mark.box.x1 + WIDE * size and all(abs(left - edge) > size for edge in edges)


def _own(prints: Print, line: int, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a block's line without what stands well apart from them, unless a label parts the two."""
    first = phrases(words, WIDE)[0].words
    held = prints.lines[line].words
    return words if any(held[mark.start] in words for mark in prints.by_line.get(line, ())) else first


def _beside(prints: Print, line: int, left: float) -> float:
    """Where labels well apart from what stands at the left begin beside a block."""
    words = prints.lines[line].words
    starts = [
        words[mark.start].box.x0 for mark in prints.by_line.get(line, ()) if mark.start and _gap(words, mark.start)
    ]
    return min((x for x in starts if x > left), default=10_000.0)


def _gap(words: Sequence[Word], at: int) -> bool:
    """Whether white as in a table stands before a word."""
    return words[at].box.x0 - words[at - 1].box.x1 > WIDE * words[at].size


def _right(prints: Print, mark: Mark) -> float:
    """Where the block's column ends: at the next phrase on its heading's line that stands well apart."""
    runs = phrases(prints.lines[mark.line].words[mark.stop :], 3.0)
    apart = [run.box.x0 for run in runs if run.box.x0 - mark.box.x1 > 60]
    return min(apart, default=10_000.0) - 2


def _unlabelled(prints: Print, blocks: Sequence[Block]) -> list[RawField]:
    """The supplier by the block that ends in the first tax number which is not the buyer's, above the items. Where the
    buyer has a block of its own, that number's label tells whose the name is: nobody else's is printed.
    """
    for mark in prints.marks:
        outside = not any(block.holds(mark.line, prints.lines[mark.line].words[mark.start]) for block in blocks)
        if not (mark.means("tax_id") and outside and claims.behind(prints, mark, "tax_id", "number")):
            continue
        line = prints.lines[mark.line]
        if line.page != prints.lines[0].page or mark.box.top > 0.4 * HEIGHT:
            return []
        if lines := _upwards(prints, mark):
            firm = bool(blocks) and _is_firm(prints, lines, mark)
            block = Block("supplier", mark if firm else None, tuple(lines))
            rest = [_field(prints, "supplier_address", lines[1:], block)] if lines[1:] else []
            return [_field(prints, "supplier_name", lines[:1], block), *rest]
    return []


def _is_firm(prints: Print, lines: Sequence[tuple[int, tuple[Word, ...]]], mark: Mark) -> bool:
    """Whether the name and the address above a label are whole; those of a text layer are."""
    line = prints.lines[mark.line]
    if line.words[0].font != "ocr":
        return True
    page = [word for other in prints.lines if other.page == line.page for word in other.words]
    return firms.is_firm([words for _, words in lines], line.words[mark.start], page)


def _upwards(prints: Print, mark: Mark) -> list[tuple[int, tuple[Word, ...]]]:
    """The lines right above a label that share its left or right edge, from the top."""
    line = prints.lines[mark.line]
    edge = next(run.box for run in phrases(line.words, 3.0) if run.box.x1 > mark.box.x0)
    found: list[tuple[int, tuple[Word, ...]]] = []
    for at in range(mark.line - 1, max(-1, mark.line - 8), -1):
        above = prints.lines[at]
        if above.page != line.page or edge.top - above.box.bottom > SPACE * above.words[0].size:
            break
        words = _in_column(above.words, edge)
        if not words and (above.box.x1 < edge.x0 or above.box.x0 > edge.x1):
            continue  # what stands beside the block: a part of a logo, the document's title
        if not words or any(one.is_title and above.words[one.start] in words for one in prints.by_line.get(at, ())):
            break
        found.append((at, words))
        edge = around([word.box for word in words])
    return found[::-1]


def _in_column(words: tuple[Word, ...], edge: Box) -> tuple[Word, ...]:
    """The phrase that shares an edge with what stands below it; without what a logo left before it."""
    size = words[0].size
    for run in phrases(words, 1.5):
        if _aligned(run.box, edge, size):
            return run.words
        at = next((at for at, word in enumerate(run.words) if abs(word.box.x0 - edge.x0) < 0.3 * size), 0)
        if at and sum(len(word.text) for word in run.words[:at]) <= LOGO:
            return run.words[at:]
    return ()


def _aligned(one: Box, other: Box, size: float) -> bool:
    return abs(one.x0 - other.x0) < 0.6 * size or abs(one.x1 - other.x1) < 0.6 * size


def _another(prints: Print, line: int, words: Sequence[Word]) -> bool:
    """Whether another party, or what is no party's, begins on the line within the block."""
    for mark in prints.by_line.get(line, ()):
        if prints.lines[line].words[mark.start] not in words:
            continue
        heads = any(mark.means(name) for name in (*ROLES, "party"))
        last = mark.stop == len(prints.lines[line].words) or mark.colon
        if mark.is_title or (heads and last):
            return True
    return False


def _named(prints: Print, block: Block) -> list[RawField]:
    """The name of a block's party and its address: by their own labels, else its first line and those below it."""
    by_label = _labelled(prints, block, "party_name")
    rest = [(at, words) for at, words in block.lines if not _marked(prints, at, words)]
    while rest and BRACKETED.fullmatch(" ".join(word.text for word in rest[0][1])):
        rest = rest[1:]  # what is said of the block, `(not for payment)`
    name = by_label or (rest[0] if rest else None)
    if name is None:
        return []
    found = [_field(prints, f"{block.role}_name", [name], block)]
    address = _labelled(prints, block, "party_address")
    below = [one for one in rest if one[0] > name[0]][:4]
    lines = [address, *_going_on(prints, block, address)] if address else below
    if lines:
        found.append(_field(prints, f"{block.role}_address", lines, block))
    return found


def _labelled(prints: Print, block: Block, name: str) -> tuple[int, tuple[Word, ...]] | None:
    for at, words in block.lines:
        for mark in prints.by_line.get(at, ()):
            if mark.means(name) and prints.lines[at].words[mark.start] in words:
                claim = claims.behind(prints, mark, name, "text")
                return (at, claim.run.words) if claim else None
    return None


def _going_on(prints: Print, block: Block, first: tuple[int, tuple[Word, ...]]) -> list[tuple[int, tuple[Word, ...]]]:
    """Lines without a label right below a labelled value, at its edge."""
    found = []
    for at, words in block.lines:
        if at > first[0]:
            if _marked(prints, at, words) or abs(words[0].box.x0 - first[1][0].box.x0) > words[0].size:
                break
            found.append((at, words))
    return found


def _marked(prints: Print, line: int, words: Sequence[Word]) -> bool:
    """Whether a label that something stands behind begins the words."""
    held = prints.lines[line].words
    return any(
        held[mark.start] == words[0] and (mark.colon or mark.stop < len(held)) and not _is_name(mark)
        for mark in prints.by_line.get(line, ())
    )


def _is_name(mark: Mark) -> bool:
    """A word such as `Lieferant` that begins a name is no label."""
    return not mark.colon and all(meaning.name in (*ROLES, "party") for meaning in mark.meanings)


def _field(prints: Print, name: str, lines: Sequence[tuple[int, tuple[Word, ...]]], block: Block) -> RawField:
    text = "\n".join(" ".join(word.text for word in words) for _, words in lines)
    places = tuple(prints.place(at, words) for at, words in lines)
    label = block.mark.text.strip(" :") if block.mark else ""
    return RawField(name, text, places[0].page, 0, label, places)


# ---- tax numbers and currency


def _tax_ids(prints: Print, blocks: Sequence[Block]) -> list[RawField]:
    found: dict[str, list[Claim]] = {"supplier_tax_id": [], "buyer_tax_id": []}
    for mark in prints.marks:
        meaning = mark.means("buyer_tax_id") or mark.means("tax_id")
        claim = _tax_id(prints, mark) if meaning else None
        if meaning and claim:
            role = "buyer" if meaning.name == "buyer_tax_id" else _owner(blocks, claim)
            if role in ROLES:
                found[f"{role}_tax_id"].append(claim)
    for block in blocks:
        if not found[f"{block.role}_tax_id"]:
            found[f"{block.role}_tax_id"] += _by_digits(prints, block)
    return [one for name, held in found.items() for one in _one(name, held)]


def _by_digits(prints: Print, block: Block) -> list[Claim]:
    """The number in a block whose check digits are those of a tax number, where its label was misread."""
    for line, words in block.lines:
        for word in words:
            text = word.text.strip(",;:.")
            proven = checksums.check("tax_id", text, "RS") if text.isdigit() else None
            if block.mark and proven and proven.outcome == "passed":
                return [Claim("tax_id", line, Run((word,)), prints.place(line, (word,)), "below", block.mark)]
    return []


def _owner(blocks: Sequence[Block], claim: Claim) -> str:
    mine = next((block.role for block in blocks if block.holds(claim.line, claim.run.words[0])), None)
    return mine or "supplier"


def _tax_id(prints: Print, mark: Mark) -> Claim | None:
    claim = claims.behind(prints, mark, "tax_id", "number") or claims.below(prints, mark, "tax_id", "number")
    if claim is None or not _TAX_ID.fullmatch(claim.text.strip(",;")):
        return None
    return claim


def _one(name: str, held: Sequence[Claim]) -> list[RawField]:
    if not held:
        return []
    best = held[0]
    bare = re.sub(r"\W", "", best.text)
    rivals = tuple(dict.fromkeys(one.text for one in held if re.sub(r"\W", "", one.text) != bare))
    return [RawField(name, best.text, best.place.page, 0, best.label, (best.place,), None, rivals)]


def _currency(prints: Print) -> list[RawField]:
    """The currency by its label, else the one that all amounts are printed in."""
    stated = [(claim, word) for claim in claims.claims(prints, "currency", "text") for word in claim.run.words]
    known = [(claim, word) for claim, word in stated if amounts.currency(word.text.strip("():;,"))]
    misread = [(claim, word) for claim, word in stated if word.text.isalpha() and len(word.text) == CODE]
    for claim, word in known[:1]:
        place = prints.place(claim.line, (word,))
        return [RawField("currency", word.text, place.page, 0, claim.label, (place,))]
    seen, summed = _beside_totals(prints)
    for at, line in enumerate(prints.lines):
        for run in line.figures:
            for word in run.words:
                if code := amounts.currency(word.text.lstrip("-0123456789., ").rstrip("-0123456789., ")):
                    seen.setdefault(code, (word.text, prints.place(at, (word,))))
    if not seen:
        return [
            RawField("currency", word.text, claim.place.page, 0, claim.label, (prints.place(claim.line, (word,)),))
            for claim, word in misread[:1]
        ]
    (code, (text, place)), *others = seen.items()
    named = [other for other in _named_currencies(prints) if other != code]  # `all amounts in EUR`
    rivals = tuple(dict.fromkeys([*(one for _, (one, _) in others), *named]))
    alone = () if summed or _is_common(prints, code) else (ALONE,)
    return [RawField("currency", text, place.page, 0, "beside amounts", (place,), None, rivals, alone)]


def _is_common(prints: Print, code: str) -> bool:
    """Whether most amounts in cents are printed in a currency, or no total is told by a label."""
    held = [amounts.parse(run.text, None) for line in prints.lines for run in line.figures]
    cents = [one for one in held if one and one.places == CENTS]
    totals = any(line.figures and any(map(is_sum, prints.by_line.get(at, ()))) for at, line in enumerate(prints.lines))
    return not totals or 2 * sum(one.currency == code for one in cents) > len(cents)


def _beside_totals(prints: Print) -> tuple[dict[str, tuple[str, Place]], bool]:
    """The currencies named on lines of totals, by code, as printed with their place; whether there are any."""
    seen: dict[str, tuple[str, Place]] = {}
    for at, line in enumerate(prints.lines):
        if line.figures and any(is_sum(mark) for mark in prints.by_line.get(at, ())):
            for word in line.words:
                if code := amounts.currency(word.text.strip("-0123456789.,:;() ")):
                    seen.setdefault(code, (word.text.strip(":;()"), prints.place(at, (word,))))
    return seen, bool(seen)


def _named_currencies(prints: Print) -> list[str]:
    """The codes of currencies that sentences of the pages name, behind a short word (`in EUR`)."""
    pairs = (pair for line in prints.lines for pair in pairwise(line.words))
    named = (after.text.strip("():;,.") for before, after in pairs if before.text.islower() and len(before.text) < CODE)
    return list(dict.fromkeys(code for code in named if code in amounts.CODES))
