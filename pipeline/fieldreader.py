"""Fields of an invoice by rules: labels, positions, tables and types.

Comes in: an invoice's `Page`s and what is sought. Goes out: `RawField`s with their places, each with the label that
told what it is and with what else it might be. A value that something else claims is none; nothing that a label of a
field claims is left out. Refuses nothing: a document that is no invoice has no fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pipeline import amounts, items, labels, marks, parties, totals
from pipeline.claims import Claim, Shape, claims, settled, titled, typed
from pipeline.engine import RawField, Sought
from pipeline.figures import Run, dates
from pipeline.marks import Print
from pipeline.model import Page, Word

DATES = ("issue_date", "supply_date", "due_date")
OTHERS = ("order_number", "customer_number", "delivery_number", "other_number")
SHAPES: dict[str, Shape] = {"date": "date", "identifier": "number", "text": "text"}
_ACCOUNT = re.compile(r"[A-Z]{2}(\d{0,2}|\d\d[A-Z0-9]{1,30})")


def fields(pages: Sequence[Page], sought: Sequence[Sought]) -> tuple[RawField, ...]:
    """The fields of one invoice, in the order that they are sought in."""
    prints = marks.printed(_once(pages), labels.vocabulary(sought))
    held = items.find(prints)
    skipped = held.lines
    found = [*_numbers(prints, skipped), *_dates(prints, skipped), *parties.fields(prints, skipped)]
    found += [*totals.fields(prints, skipped), *held.fields]
    found += _own(prints, sought)
    order = {one.name: at for at, one in enumerate(sought)}
    wanted = [one for one in found if one.name in order]
    return tuple(sorted(wanted, key=lambda one: (bool(one.number), one.number, order[one.name])))


def _once(pages: Sequence[Page]) -> list[Page]:
    """The pages without copies of the same page."""
    seen: dict[str, Page] = {}
    for page in pages:
        seen.setdefault(page.text or str(page.number), page)
    return list(seen.values())


def _numbers(prints: Print, skipped: frozenset[int]) -> list[RawField]:
    """The invoice's number, the account and the reference for payment."""
    own = [*titled(prints, skipped), *claims(prints, "invoice_number", "number", skipped)]
    held = settled([*own, *(claim for name in OTHERS for claim in claims(prints, name, "number", skipped))])
    found = _chosen("invoice_number", held, _bare)
    found += _chosen("payment_reference", _references(prints, skipped), _bare)
    return found + _chosen("iban", _ibans(prints), _bare)


def _ibans(prints: Print) -> list[Claim]:
    """Account numbers, with or without their label."""
    labelled = [(mark.line, mark.stop, mark) for mark in prints.marks if mark.means("iban")]
    found = []
    for at, line in enumerate(prints.lines):
        for start in range(len(line.words)):
            if run := _iban(line.words[start:]):
                claim = typed(prints, "iban", at, run)
                mark = next((one for where, stop, one in labelled if where == at and stop <= start), None)
                found.append(Claim("iban", at, run, claim.place, "behind" if mark else "type", mark))
    held = {claim.mark for claim in found}
    for at, stop, mark in labelled:
        if mark not in held and (run := _iban(prints.lines[at].words[stop:], sound=False)):
            found.append(Claim("iban", at, run, typed(prints, "iban", at, run).place, "behind", mark))
    return found


def _references(prints: Print, skipped: frozenset[int]) -> list[Claim]:
    """References for payment: by their label, and creditor references (`RF18 5390 0754 7034`) by their check digits."""
    held = claims(prints, "payment_reference", "number", skipped)
    taken = {claim.place for claim in held}
    for at, line in enumerate(prints.lines):
        for start, word in enumerate(line.words):
            if word.text.startswith("RF") and (run := _iban(line.words[start:], least=5)):
                claim = typed(prints, "payment_reference", at, run)
                held += [] if claim.place in taken else [claim]
    return held


def _iban(words: Sequence[Word], sound: bool = True, least: int = 15) -> Run | None:
    """The longest account number that words begin with. sound: its check digits are right; least: signs."""
    text = ""
    best = 0
    for at, word in enumerate(words[:10]):
        if at and (word.box.x0 - words[at - 1].box.x1 > 1.2 * word.size):
            break
        text += word.text.strip(",.;:()")
        if not _ACCOUNT.fullmatch(text):
            break
        if least <= len(text) <= 34 and (not sound or _is_iban(text)):
            best = at + 1
    return Run(tuple(words[:best])) if best else None


def _is_iban(text: str) -> bool:
    """ISO 13616: the number with its first four signs at the end, letters as 10 to 35, leaves 1 over 97."""
    return int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 == 1


def _dates(prints: Print, skipped: frozenset[int]) -> list[RawField]:
    own = [claim for claim in titled(prints, skipped) if claim.name == "issue_date"]
    own += [claim for name in (*DATES, "other_date") for claim in claims(prints, name, "date", skipped)]
    held = settled(own)
    free = _free(prints, held, skipped)
    return [one for name in DATES for one in _chosen(name, held, _iso, free)]


def _free(prints: Print, held: Sequence[Claim], skipped: frozenset[int]) -> list[str]:
    """Dates that no label claims."""
    taken = {claim.place for claim in held}
    return [
        run.text
        for at, line in enumerate(prints.lines)
        if at not in skipped
        for run in dates(line.words)
        if prints.place(at, run.words) not in taken and amounts.date(run.text, True)
    ]


def _own(prints: Print, sought: Sequence[Sought]) -> list[RawField]:
    """A profile's own fields, by their labels."""
    known = labels.standard()
    found = []
    for one in sought:
        if one.name not in known and one.kind in SHAPES:
            found += _chosen(one.name, settled(claims(prints, one.name, SHAPES[one.kind])), str)
    return found


def _chosen(name: str, held: Sequence[Claim], normal: Callable[[str], str], free: Sequence[str] = ()) -> list[RawField]:
    """The field of that name: by the surest label, and what else it might be. free: values that no label claims."""
    own = [claim for claim in held if claim.name == name]
    pool = [claim for claim in own if not claim.weak] or own
    if not pool:
        return []
    best = min(pool, key=lambda claim: ("title", "behind", "below", "type").index(claim.where))
    value = normal(best.text)
    others = [claim.text for claim in pool] + (list(free) if best.weak else [])
    rivals = tuple(dict.fromkeys(text for text in others if normal(text) != value))
    return [raw(best, rivals, _doubts(best, held))]


def _doubts(best: Claim, held: Sequence[Claim]) -> tuple[str, ...]:
    found = [
        f"the label “{claim.label}” may claim it as well"
        for claim in held
        if claim.place == best.place and claim.name != best.name
    ]
    if best.weak and best.name == "invoice_number":
        found.append(f"“{best.label}” may stand before any other number")
    if best.period:
        found.append("it begins a span of time")
    elif best.further:
        found.append(f"“{best.further}” stands behind the same label")
    return tuple(dict.fromkeys(found))


def raw(claim: Claim, rivals: tuple[str, ...] = (), doubts: tuple[str, ...] = ()) -> RawField:
    """The claim as a field of its name."""
    places = (claim.place,)
    return RawField(claim.name, claim.text, claim.place.page, 0, claim.label, places, None, rivals, doubts)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).upper()


def _iso(text: str) -> str:
    found = amounts.date(text, True)
    return found.iso if found else text
