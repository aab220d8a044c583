"""What the fields of an invoice are, and what stands before or over each, in many languages.

Comes in: a `FieldProfile`, the words of a line. Goes out: what is sought (`Sought`), and what a run of words means as a
label (`Meaning`): a field, something else that is thereby no field, or the document's own title. The words are in
labels.toml. Refuses with UsageError a profile that wants a field without saying of what kind it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from pipeline import amounts, terms
from pipeline.engine import Sought
from pipeline.model import UsageError
from pipeline.profiles import FieldProfile

Kind = Literal["text", "date", "amount", "identifier", "rate"]
Part = Literal["fields", "weak", "others", "titles"]
PARTS: tuple[Part, ...] = get_args(Part)

HEADER: dict[str, Kind] = {
    "supplier_name": "text", "supplier_tax_id": "identifier", "supplier_address": "text", "buyer_name": "text",
    "buyer_tax_id": "identifier", "invoice_number": "identifier", "issue_date": "date", "supply_date": "date",
    "due_date": "date", "currency": "text", "net_total": "amount", "tax_total": "amount", "gross_total": "amount",
    "iban": "identifier", "payment_reference": "identifier",
}  # fmt: skip
GROUPS: dict[str, dict[str, Kind]] = {
    "tax": {"rate": "rate", "base": "amount", "amount": "amount"},
    "line_item": {
        "description": "text", "quantity": "amount", "unit": "text", "unit_price": "amount", "tax_rate": "rate",
        "amount": "amount",
    },
}  # fmt: skip
TOTALS = ("net_total", "tax_total", "gross_total")
BETWEEN = ("allowance", "charge", "prepaid", "rounding", "other_amount")  # amounts that are no total
LONGEST = 8  # words of a label
COMPOUNDS = ("rechnung", "gutschrift", "faktura", "factuur", "fattura")  # ends of words that name a document
NO_TITLES = ("abrechnung", "berechnung", "hochrechnung")
_BARRED = str.maketrans("łŁøØ", "lLoO")  # letters that fold to nothing plainer by themselves
_MONEY = frozenset({*amounts.CODES, *amounts.SIGNS})
_NUMBERED = re.compile(r"(?P<group>tax|line_item)_(?P<number>\d+)_(?P<part>\w+)")


def standard() -> dict[str, Kind]:
    """All fields by name, those of groups without their number (`line_item_amount`), and the kind of each."""
    grouped = {f"{group}_{part}": kind for group, parts in GROUPS.items() for part, kind in parts.items()}
    return {**HEADER, **grouped}


def sought(profile: FieldProfile) -> tuple[Sought, ...]:
    """What a profile wants read: the standard fields, or those it names; its own words beside those known anyway."""
    kinds: dict[str, str] = {**standard(), **profile.kinds}
    names = profile.names or tuple(kinds)
    if unknown := [name for name in names if name not in kinds]:
        raise UsageError(
            f"The profile wants the field “{unknown[0]}” and does not say of what kind it is."
            f' Add to [fields.kinds]: {unknown[0]} = "text" (or date, amount, identifier, rate).'
        )
    return tuple(Sought(name, kinds[name], profile.labels.get(name, ()), group_of(name)) for name in names)


def group_of(name: str) -> str:
    """The group that a field without number is of, or empty."""
    for group, parts in GROUPS.items():
        if name.removeprefix(f"{group}_") in parts and name.startswith(f"{group}_"):
            return group
    return ""


def numbered(name: str, number: int) -> str:
    """The name with the number of its group: `line_item_amount`, 3 → `line_item_3_amount`."""
    group = group_of(name)
    return f"{group}_{number}_{name.removeprefix(f'{group}_')}" if group and number else name


def bare(name: str) -> tuple[str, int]:
    """The name without number, and the number (0: none): `tax_2_rate` → `tax_rate`, 2."""
    found = _NUMBERED.fullmatch(name)
    return (f"{found['group']}_{found['part']}", int(found["number"])) if found else (name, 0)


def plainly(text: str) -> str:
    """Words as labels are compared by: lower case Latin letters and digits."""
    return terms.plainly(text.translate(_BARRED))


def token(text: str) -> str:
    """A word within a label: as `plainly` has it, nothing for a currency (`Montant EUR HT`)."""
    plain = "" if text.strip("()[]:") in _MONEY else plainly(text)
    return "n" if plain == "n o" or text.strip(":") == "#" else plain  # `N.º`


class Meaning(NamedTuple):
    """What a label says: the name of a field or of another thing, and which part of the vocabulary says so."""

    name: str
    part: Part

    @property
    def weak(self) -> bool:
        return self.part == "weak"


@dataclass(frozen=True)
class Vocabulary:
    """Meanings by phrase, and the longest phrase that begins with each word. near: words by what is left of them
    without one of their letters, for those that OCR misread.
    """

    phrases: Mapping[str, tuple[Meaning, ...]]
    longest: Mapping[str, int] = field(default_factory=dict)
    near: Mapping[str, str] = field(default_factory=dict)

    def at(self, words: Sequence[str], start: int) -> tuple[int, tuple[Meaning, ...]] | None:
        """How many of `words` (as `plainly` gives them) make the longest label from `start`, and what it means."""
        first = words[start].split()
        if not first:
            return None
        most = self.longest.get(first[0], 0)
        for size in range(min(most, len(words) - start), 0, -1):
            if not words[start + size - 1]:
                continue
            if found := self.phrases.get(" ".join(filter(None, words[start : start + size]))):
                return size, found
        compound = first[-1].endswith(COMPOUNDS) and not first[-1].endswith(NO_TITLES)
        return (1, (Meaning("compound", "titles"),)) if compound else None

    def mended(self, word: str) -> str:
        """The word, or the one of the vocabulary that differs from it in a letter."""
        if len(word) < 4 or word in self.longest or " " in word or any(map(str.isdigit, word)):
            return word
        for key in (word, *_shortened(word)):
            if found := self.near.get(key):
                return found
        return word


def vocabulary(wanted: Iterable[Sought] = ()) -> Vocabulary:
    """The words that are known anyway, and those that `wanted` adds."""
    own = {
        phrase: Meaning(one.name, "fields")
        for one in wanted
        for words in one.labels
        for phrase in (plainly(words), " ".join(filter(None, map(token, words.split()))))
        if phrase
    }
    known = _known()
    if not own:
        return known
    return _indexed({**known.phrases, **{phrase: (meaning,) for phrase, meaning in own.items()}})


@cache
def _known() -> Vocabulary:
    table = tomllib.loads(Path(__file__).with_name("labels.toml").read_text(encoding="utf-8"))
    phrases: dict[str, tuple[Meaning, ...]] = {}
    for part in PARTS:
        for name, languages in table[part].items():
            for words in languages.values():
                for phrase in map(plainly, words):
                    meaning = Meaning(name, part)
                    if meaning not in phrases.get(phrase, ()):
                        phrases[phrase] = (*phrases.get(phrase, ()), meaning)
    return _indexed(phrases)


@cache
@cache
def two_scripts() -> Mapping[str, str]:
    """Labels of one word that are printed in Latin or in Cyrillic letters, by themselves."""
    table = tomllib.loads(Path(__file__).with_name("labels.toml").read_text(encoding="utf-8"))
    phrases = [plainly(words) for part in PARTS for tongues in table[part].values() for words in tongues.get("sr", ())]
    return {phrase: phrase for phrase in phrases if " " not in phrase}


@cache
def units() -> frozenset[str]:
    """What units of items are called, in small letters as printed."""
    table = tomllib.loads(Path(__file__).with_name("labels.toml").read_text(encoding="utf-8"))["units"]
    return frozenset(unit for names in table.values() for unit in names)


def item_titles() -> dict[str, str]:
    """The columns of tables of items by their titles as `terms.plainly` has them."""
    table = tomllib.loads(Path(__file__).with_name("labels.toml").read_text(encoding="utf-8"))["items"]
    pairs = [
        (terms.plainly(title), name) for name, held in table.items() for titles in held.values() for title in titles
    ]
    return dict(reversed(pairs))  # the first column that a title names has it


def _indexed(phrases: Mapping[str, tuple[Meaning, ...]]) -> Vocabulary:
    longest: dict[str, int] = {}
    near: dict[str, str] = {}
    for phrase in phrases:
        words = phrase.split()
        longest[words[0]] = min(LONGEST, max(longest.get(words[0], 0), len(words)))
    known = {word for phrase in phrases for word in phrase.split() if len(word) > 3 and not any(map(str.isdigit, word))}
    near.update((word, word) for word in known)
    for word in sorted(known):
        near.update((key, word) for key in _shortened(word) if key not in near)
    return Vocabulary(phrases, longest, near)


def _shortened(word: str) -> list[str]:
    return [word[:at] + word[at + 1 :] for at in range(len(word))]
