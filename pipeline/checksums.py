"""Check digits of tax identifiers, accounts and payment references, and dates in their order.

Comes in: a field's name and plain value, the country of the invoice where it is known; all fields for the dates. Goes
out: a `Check`, or None where a value carries no check digit that is known. Refuses nothing. A check digit says that a
number was read as it was issued, and what kind of number it is; not whose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from pipeline.model import Check, Field

if TYPE_CHECKING:
    from stdnum.util import NumberValidationModule

CHECKSUM = "checksum"
DATES = "order of dates"
EARLIEST, LATEST = date(1980, 1, 1), date(2099, 12, 31)
LONGEST_TERM = 400  # days from issue to payment
FARTHEST_SUPPLY = 400  # days between supply and issue

# what a bare number may be, without the country before it: modules of python-stdnum, as a person knows them
NATIONAL: Mapping[str, tuple[tuple[str, str], ...]] = {
    "RS": (("rs.pib", "PIB"),),
    "DE": (("de.vat", "USt-IdNr."),),
    "AT": (("at.uid", "UID"),),
    "FR": (("fr.tva", "TVA"), ("fr.siret", "SIRET"), ("fr.siren", "SIREN")),
    "IT": (("it.iva", "partita IVA"), ("it.codicefiscale", "codice fiscale")),
    "ES": (("es.nif", "NIF"),),
    "NL": (("nl.btw", "btw-nummer"),),
    "BE": (("be.vat", "BTW"),),
    "GB": (("gb.vat", "VAT number"),),
    "PL": (("pl.nip", "NIP"),),
    "CZ": (("cz.dic", "DIČ"),),
    "SK": (("sk.dph", "IČ DPH"),),
    "HR": (("hr.oib", "OIB"),),
    "SI": (("si.ddv", "ID za DDV"),),
    "IN": (("in_.gstin", "GSTIN"),),
    "CH": (("ch.vat", "MWST-Nr."), ("ch.uid", "UID")),
}
FORMS: Mapping[str, tuple[str, str]] = {"DE": ("de.stnr", "Steuernummer")}  # which have a form and no check digit
_STATES = "AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|RS|SE|SI|SK|XI"
CURRENCIES = {"RSD": "RS", "CHF": "CH", "GBP": "GB", "PLN": "PL", "CZK": "CZ", "INR": "IN"}  # of one country only
MODULES = {"EL": "GR", "XI": "GB"}  # of prefixes that are not their country's code
LANGUAGES = {"sr": "RS", "it": "IT", "pl": "PL", "cs": "CZ", "sk": "SK", "hr": "HR", "sl": "SI"}
_PREFIXED = re.compile(rf"(?P<country>{_STATES})(?=[A-Z]{{0,3}}\d)[A-Z0-9]{{6,14}}")
_MODEL_97 = re.compile(r"\(?97\)?[\s.\-]*(?P<check>\d\d)[\s\-]*(?P<rest>[0-9A-Z][0-9A-Z\s\-]*)")


def country(fields: Sequence[Field], language: str = "") -> str:
    """Of which country an invoice is, by its fields: account, tax identifier, currency; else by its language, where
    that is one country's. Empty where nothing tells.
    """
    plain = {one.name: one.normalised.upper() for one in reversed(fields)}
    for name in ("supplier_tax_id", "iban"):
        if found := _PREFIXED.match(plain.get(name, "")):
            return MODULES.get(found["country"], found["country"])
    return CURRENCIES.get(plain.get("currency", ""), "") or LANGUAGES.get(language, "")


def check(name: str, value: str, of: str = "") -> Check | None:
    """What a field's check digits say; None where it has none. of: the country
    (ISO 3166) of the one who issued the number, where no prefix tells."""
    bare = "".join(filter(str.isalnum, value)).upper()
    if not any(map(str.isdigit, bare)):
        return None
    if name == "iban":
        return _iban(bare)
    if name == "payment_reference":
        return _reference(value.strip().upper(), bare, of.upper())
    if name.endswith("tax_id"):
        return _tax_id(bare, of.upper())
    return None


def _made(holds: bool, what: str, value: str) -> Check:
    if holds:
        return Check(CHECKSUM, "passed", f"the check digits of the {what} hold")
    return Check(CHECKSUM, "failed", f"{value} is no {what}: its check digits or its length do not fit")


# ---- accounts and references


def _iban(bare: str) -> Check:
    from stdnum import iban

    return _made(iban.is_valid(bare), "IBAN", bare)


def _reference(printed: str, bare: str, country: str) -> Check | None:
    """Of a payment reference: RF of ISO 11649, Serbian model 97, the Swiss QR reference, the Belgian +++...+++."""
    from stdnum import iso11649
    from stdnum.be import ogm_vcs
    from stdnum.ch import esr

    if re.fullmatch(r"RF\d\d[A-Z0-9]{1,21}", bare):
        return _made(iso11649.is_valid(bare), "RF reference", printed)
    if country == "RS" and (found := _MODEL_97.fullmatch(printed)):
        return _made(model_97(found["rest"]) == int(found["check"]), "reference of model 97", printed)
    if country == "CH" and len(bare) == 27 and bare.isdigit():
        return _made(esr.is_valid(bare), "QR reference", printed)
    if printed.startswith(("+++", "***")):
        return _made(ogm_vcs.is_valid(bare), "structured reference", printed)
    return None


def model_97(rest: str) -> int:
    """The check number of a Serbian payment reference (ISO 7064 MOD 97-10): letters count as 10 to 35."""
    digits = "".join(str(int(sign, 36)) for sign in rest if sign.isalnum())
    return 98 - int(digits + "00") % 97


# ---- tax identifiers


def _tax_id(bare: str, country: str) -> Check | None:
    """By the country before it; else by what numbers of the invoice's own country look like."""
    if found := _PREFIXED.fullmatch(bare):
        module = _module(f"{MODULES.get(found['country'], found['country'])}.vat")
        number = bare.removeprefix("RS")
        return _made(module is not None and module.is_valid(number), f"VAT number ({found['country']})", bare)
    known = NATIONAL.get(country, ())
    for path, what in known:
        module = _module(path)
        if module and module.is_valid(bare):
            return _made(holds=True, what=what, value=bare)
    form = _module(FORMS[country][0]) if country in FORMS else None
    if form and form.is_valid(bare):
        return Check(CHECKSUM, "open", f"it has the form of a {FORMS[country][1]}, which carries no check digit")
    return _made(holds=False, what=" or ".join(what for _, what in known), value=bare) if known else None


def _module(path: str) -> NumberValidationModule | None:
    """A module of python-stdnum by country and name (`rs.pib`), where there is one."""
    from stdnum import get_cc_module

    country, name = path.lower().split(".")
    return get_cc_module(country, "pib" if country == "rs" else name)


# ---- dates


def dates(fields: Sequence[Field]) -> dict[int, tuple[Check, ...]]:
    """By a field's index: whether its date is plausible, and in order with the others of its invoice."""
    found: dict[int, tuple[Check, ...]] = {}
    for invoice in {one.invoice for one in fields}:
        at = {one.name: index for index, one in reversed(list(enumerate(fields))) if one.invoice == invoice}
        days = {name: day for name, index in at.items() if (day := _day(fields[index])) is not None}
        for name, day in days.items():
            wrong = [*_implausible(day), *_disordered(name, days)]
            if wrong or (name in ORDERED and len(days.keys() & ORDERED) > 1):
                outcome = Check(DATES, "failed", "; ".join(wrong)) if wrong else IN_ORDER
                found[at[name]] = (outcome,)
    return found


ORDERED = frozenset({"issue_date", "supply_date", "due_date"})
IN_ORDER = Check(DATES, "passed", "issue, supply and due date are in order")


def _day(one: Field) -> date | None:
    if not one.name.endswith("_date"):
        return None
    try:
        return date.fromisoformat(one.normalised)
    except ValueError:
        return None


def _implausible(day: date) -> list[str]:
    return [] if EARLIEST <= day <= LATEST else [f"{day.isoformat()} lies outside the years of invoices"]


def _disordered(name: str, days: Mapping[str, date]) -> list[str]:
    issued = days.get("issue_date")
    wrong = []
    due, supplied = days.get("due_date"), days.get("supply_date")
    if issued and due and name in ("issue_date", "due_date") and not 0 <= (due - issued).days <= LONGEST_TERM:
        side = "before" if due < issued else f"more than {LONGEST_TERM} days after"
        wrong.append(f"due on {due.isoformat()}, {side} the issue on {issued.isoformat()}")
    far = supplied and issued and abs((supplied - issued).days) > FARTHEST_SUPPLY
    if far and supplied and issued and name in ("issue_date", "supply_date"):
        wrong.append(f"supplied on {supplied.isoformat()}, far from the issue on {issued.isoformat()}")
    return wrong
