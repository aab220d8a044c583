"""The arithmetic of an invoice: which sums, products and rates close over its fields, and which do not.

Comes in: `Field`s of one or more invoices, what is printed between sums (`Extra`: allowances, charges, rounding, what
was paid before), a tolerance in currency units. Goes out: for each field that takes part in one, its `Check`s. Pure, in
Decimal; refuses nothing. A sum over a single number that was read at one place only proves nothing and is left out.

Where one does not close, those of its fields fail over which no other closes; for the others the question is open. But
lines that come to more than the net total speak against it whatever else closes: so does the subtotal of one tax rate
that was taken for the whole. So does a product against its amount: a sum over all lines closes in any order of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from itertools import combinations

from pipeline.amounts import parse, plain
from pipeline.model import Check, Extra, ExtraKind, Field, Outcome, Place

TOTAL = "net + tax = gross"
LINES = "sum of lines = net"
GROSS_LINES = "sum of lines = gross"
PRODUCT = "quantity × price = amount"
RATED = "rate × base = tax"
TAXES = "sum of taxes = tax"
BASES = "sum of bases = net"
BY_RATE = "lines of a rate = base"
NAMES = frozenset({TOTAL, LINES, GROSS_LINES, PRODUCT, RATED, TAXES, BASES, BY_RATE})

CENT = Decimal("0.01")
ROUNDINGS = (ROUND_HALF_UP, ROUND_HALF_EVEN)
PER = (Decimal(10), Decimal(100), Decimal(1000))
MOST_EXTRAS = 4  # tried in every combination
_PER = re.compile(r"(?:/|\b(?:per|je|pro|par|pour|por|za|po|за|по))\s*(10{1,3})\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(line_item|tax)_(\d+)_(\w+)")


@dataclass(frozen=True)
class _Relation:
    """One sum or product: over which fields (by index), whether it closes, and its figures in words. `against`: those
    that it speaks against even where others close.
    """

    name: str
    members: tuple[int, ...]
    outcome: Outcome
    told: str
    against: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Figures:
    """The fields of one invoice by name (the first where a name comes twice), their values, and what is between."""

    invoice: int
    at: Mapping[str, int]
    values: Mapping[str, Decimal]
    fields: Sequence[Field]
    tolerance: Decimal
    extras: tuple[Extra, ...] = ()
    groups: Mapping[str, Mapping[int, frozenset[str]]] = field(default_factory=dict)

    def has(self, *names: str) -> bool:
        return all(name in self.values for name in names)

    def of(self, group: str, *parts: str) -> list[int]:
        """The numbers in a group that have all these parts."""
        return [number for number, known in sorted(self.groups.get(group, {}).items()) if known.issuperset(parts)]

    def places(self, name: str) -> frozenset[Place]:
        return frozenset(self.fields[self.at[name]].places)

    def apart(self, *names: str) -> bool:
        """Whether they were read at different places; where no place is known they are one."""
        return all(
            self.places(one) and self.places(other) and not self.places(one) & self.places(other)
            for one, other in combinations(names, 2)
        )

    def close(self, one: Decimal, other: Decimal) -> bool:
        return abs(one - other) <= self.tolerance


def checks(
    fields: Sequence[Field], tolerance: Decimal = Decimal(0), extras: Sequence[Extra] = ()
) -> dict[int, tuple[Check, ...]]:
    """By a field's index: what closes over it, and what does not."""
    found: dict[int, list[Check]] = defaultdict(list)
    for invoice in sorted({one.invoice for one in fields}):
        relations = list(_relations(_figures(fields, invoice, tolerance, extras)))
        proven = {at for one in relations if one.outcome == "passed" for at in one.members}
        for one in relations:
            for at in one.members:
                found[at].append(Check(one.name, _outcome(one, at, proven), one.told))
    return {at: tuple(dict.fromkeys(made)) for at, made in found.items()}


def _outcome(relation: _Relation, at: int, proven: set[int]) -> Outcome:
    if relation.outcome == "failed" and at in proven and at not in relation.against:
        return "open"
    return relation.outcome


def _figures(fields: Sequence[Field], invoice: int, tolerance: Decimal, extras: Sequence[Extra]) -> _Figures:
    at: dict[str, int] = {}
    values: dict[str, Decimal] = {}
    groups: dict[str, dict[int, frozenset[str]]] = defaultdict(dict)
    for index, one in enumerate(fields):
        amount = parse(one.normalised, ".") if one.invoice == invoice else None
        if amount is None or one.name in at:
            continue
        at[one.name], values[one.name] = index, amount.value
        if part := _NUMBERED.fullmatch(one.name):
            known = groups[part[1]]
            known[int(part[2])] = known.get(int(part[2]), frozenset()) | {part[3]}
    between = tuple(extra for extra in extras if extra.invoice == invoice)
    return _Figures(invoice, at, values, fields, tolerance, between, groups)


def _relations(of: _Figures) -> Iterator[_Relation]:
    yield from _totals(of)
    yield from _taxes(of)
    yield from _lines(of)
    yield from _by_rate(of)
    for number in of.of("line_item", "quantity", "unit_price", "amount"):
        yield _product(of, number)


# ---- sums


def _relation(of: _Figures, name: str, members: Sequence[str], closes: bool, told: str) -> _Relation:
    shown = told if closes else f"{told}: they do not agree"
    return _Relation(name, tuple(of.at[one] for one in members), "passed" if closes else "failed", shown)


def _totals(of: _Figures) -> Iterator[_Relation]:
    """Net and tax come to gross, as printed or with rounding; tax is the tax total, or all tax by rate."""
    taxes = ["tax_total"] if of.has("tax_total") else [f"tax_{n}_amount" for n in of.of("tax", "amount")]
    if not taxes or not of.has("net_total", "gross_total") or not of.apart("net_total", "gross_total"):
        return
    net, gross = of.values["net_total"], of.values["gross_total"]
    tax = sum((of.values[name] for name in taxes), Decimal(0))
    rest = gross - net - tax
    extra = _between(of, rest, ("rounding", "prepaid"))
    told = _told([net, tax], extra or "", gross)
    yield _relation(of, TOTAL, ["net_total", *taxes, *_cells(of, taxes), "gross_total"], extra is not None, told)


def _cells(of: _Figures, taxes: Sequence[str]) -> list[str]:
    """The taxes by rate whose amounts together are the tax total, where it stands in their cells."""
    if taxes != ["tax_total"] or len(whole := of.places("tax_total")) < 2:
        return []
    return [name for n in of.of("tax", "amount") if of.places(name := f"tax_{n}_amount") <= whole]


def _told(parts: Sequence[Decimal], extra: str, whole: Decimal) -> str:
    shown = " + ".join(plain(part) for part in parts) if len(parts) < 4 else f"{len(parts)} amounts"
    return f"{shown}{extra} and {plain(whole)}"


def _between(of: _Figures, rest: Decimal, kinds: tuple[ExtraKind, ...]) -> str | None:
    """What makes up the difference, in words: nothing where there is none, None where it stays."""
    if of.close(rest, Decimal(0)):
        return ""
    known = [extra for extra in of.extras if extra.kind in kinds][:MOST_EXTRAS]
    for size in range(1, len(known) + 1):
        for chosen in combinations(known, size):
            if any(of.close(rest, value) for value in _sums(chosen)):
                return "".join(f" with {extra.kind} {plain(extra.value)}" for extra in chosen)
    return None


def _sums(extras: Sequence[Extra]) -> set[Decimal]:
    found = {Decimal(0)}
    for extra in extras:
        found = {one + value for one in found for value in extra.signed}
    return found


def _taxes(of: _Figures) -> Iterator[_Relation]:
    """Each rate of its base is the tax; bases come to net, taxes to the tax total."""
    rated = of.of("tax", "rate", "base", "amount")
    for n in rated:
        yield _rate(of, f"tax_{n}_rate", f"tax_{n}_base", f"tax_{n}_amount")
    if not rated and len(of.of("tax", "rate")) == 1 and of.has("net_total", "tax_total"):
        yield _rate(of, f"tax_{of.of('tax', 'rate')[0]}_rate", "net_total", "tax_total")
    for part, whole, name in (("base", "net_total", BASES), ("amount", "tax_total", TAXES)):
        parts = [f"tax_{n}_{part}" for n in of.of("tax", part)]
        if len(parts) == len(of.groups.get("tax", {})) and parts and of.has(whole) and of.apart(*parts, whole):
            values = [of.values[one] for one in parts]
            closes = of.close(sum(values, Decimal(0)), of.values[whole])
            yield _relation(of, name, [*parts, whole], closes, _told(values, "", of.values[whole]))


def _rate(of: _Figures, rate: str, base: str, tax: str) -> _Relation:
    """Exact to the cent passes; off by what rounding of each line can bring it is open."""
    exact = of.values[base] * of.values[rate] / 100
    printed = of.values[tax]
    told = f"{plain(of.values[rate])} % of {plain(of.values[base])} and {plain(printed)}"
    if any(of.close(exact.quantize(_step(printed), way), printed) for way in ROUNDINGS):
        return _relation(of, RATED, [rate, base, tax], closes=True, told=told)
    slack = CENT * max(1, len(of.of("line_item", "amount"))) / 2 + CENT / 2
    if abs(exact - printed) <= slack:
        members = tuple(of.at[name] for name in (rate, base, tax))
        return _Relation(RATED, members, "open", f"{told}: they agree but for rounding")
    return _relation(of, RATED, [rate, base, tax], closes=False, told=told)


def _step(printed: Decimal) -> Decimal:
    """The last decimal that an amount is printed with; not coarser than cents."""
    exponent = printed.as_tuple().exponent
    return min(CENT, Decimal(1).scaleb(exponent)) if isinstance(exponent, int) else CENT


# ---- lines


def _lines(of: _Figures) -> Iterator[_Relation]:
    """All lines come to net, or (where they are printed with tax) to gross; allowances and charges between."""
    numbers = of.of("line_item", "amount")
    lines = [f"line_item_{n}_amount" for n in numbers]
    whole = "net_total" if of.has("net_total") else "gross_total"
    if not lines or not of.has(whole) or not of.apart(*lines[:1], whole):
        return
    values = [of.values[name] for name in lines]
    total = sum(values, Decimal(0))
    if whole == "net_total" and _closes_with_tax(of, total, lines):
        told = _told(values, "", of.values["gross_total"])
        yield _relation(of, GROSS_LINES, [*lines, "gross_total"], closes=True, told=told)
        return
    extra = _between(of, of.values[whole] - total, ("allowance", "charge", "rounding"))
    told = _told(values, extra or "", of.values[whole]) + ("" if len(values) < 4 else f", summed {plain(total)}")
    made = _relation(of, LINES if whole == "net_total" else GROSS_LINES, [*lines, whole], extra is not None, told)
    if made.outcome == "failed" and abs(total) > abs(of.values[whole]):
        made = replace(made, against=frozenset({of.at[whole]}))
    yield made


def _closes_with_tax(of: _Figures, total: Decimal, lines: Sequence[str]) -> bool:
    """Whether lines come to a gross total that is more than the net one by the tax."""
    if not of.has("gross_total", "tax_total") or not of.values["tax_total"]:
        return False
    gross = of.values["gross_total"]
    with_tax = of.values["net_total"] + of.values["tax_total"]
    return of.close(total, gross) and of.close(with_tax, gross) and of.apart(lines[0], "gross_total")


def _by_rate(of: _Figures) -> Iterator[_Relation]:
    """The lines of each tax rate come to the base of that rate."""
    numbers = of.of("line_item", "amount", "tax_rate")
    if len(numbers) != len(of.groups.get("line_item", {})) or not numbers:
        return
    for n in of.of("tax", "rate", "base"):
        rate = of.values[f"tax_{n}_rate"]
        mine = [k for k in numbers if of.values[f"line_item_{k}_tax_rate"] == rate]
        members = [f"line_item_{k}_{part}" for k in mine for part in ("tax_rate", "amount")]
        values = [of.values[f"line_item_{k}_amount"] for k in mine]
        base = f"tax_{n}_base"
        closes = bool(mine) and of.close(sum(values, Decimal(0)), of.values[base])
        told = f"lines with {plain(rate)} %: {_told(values, '', of.values[base])}"
        yield _relation(of, BY_RATE, [*members, f"tax_{n}_rate", base], closes, told)


def _product(of: _Figures, number: int) -> _Relation:
    """Quantity times price, or price per 10, 100 or 1000 where the line says so, is the amount as it is rounded."""
    names = [f"line_item_{number}_{part}" for part in ("quantity", "unit_price", "amount")]
    quantity, price, amount = (of.values[name] for name in names)
    told = f"{plain(quantity)} × {plain(price)} and {plain(amount)}"
    for per in (Decimal(1), *PER):
        exact = quantity * price / per
        if any(of.close(exact.quantize(_step(amount), way), amount) for way in ROUNDINGS):
            told = told if per == 1 else f"{told}, the price for {plain(per)}"
            if per == 1 or _says_per(of, number, per):
                return _relation(of, PRODUCT, names, closes=True, told=told)
            return _Relation(PRODUCT, tuple(of.at[name] for name in names), "open", f"{told}, which is not said")
    if abs(quantity * price - amount) <= abs(quantity) * _step(price) / 2 + CENT / 2:
        return _Relation(PRODUCT, tuple(of.at[name] for name in names), "open", f"{told}: they agree but for rounding")
    made = _relation(of, PRODUCT, names, closes=False, told=told)
    return replace(made, against=frozenset(made.members))  # a sum over all lines does not tell them apart


def _says_per(of: _Figures, number: int, per: Decimal) -> bool:
    """Whether a cell of the line says that its price is for so many."""
    start = f"line_item_{number}_"
    texts = [one.value for one in of.fields if one.invoice == of.invoice and one.name.startswith(start)]
    return any(Decimal(found) == per for text in texts for found in _PER.findall(text))
