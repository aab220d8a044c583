"""The shape of an agreement's wording in one language; agreement_en, agreement_de and agreement_sr fill it.

Comes in: nothing. Goes out: frozen values. A clause is written as "Title | topic; topic", each topic a noun phrase
that every pattern of the grammar can take (singular; in the accusative where the language has one).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grammar:
    """Sentence patterns and what fills their slots; a slot {name} takes one of the entries under that name.

    slots: name → phrases, which may have slots themselves. {x} and {y} are topics of the clause, {p} and {q} the two
    parties, {ref} a cross reference, {sch} a paragraph of a schedule, {n} a number.
    """

    patterns: tuple[str, ...]
    intros: tuple[str, ...]
    points: tuple[str, ...]
    subpoints: tuple[str, ...]
    slots: dict[str, tuple[str, ...]]
    parties: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Fixed:
    """A clause with wording of its own: termination, governing law."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Terms:
    """Names of parts as printed."""

    title: str
    subtitle: str
    between: str
    conjunction: str
    dated: str
    date: str
    confidential: str
    contents: str
    parties: str
    party_lines: tuple[str, str]
    background: str
    recitals: tuple[str, ...]
    agreed: str
    article: str
    section: str
    schedule: str
    appendix: str
    paragraph: str
    page: str
    signature: str
    witness: str
    signed_for: str
    sign_lines: tuple[str, str, str, str]
    reference: str
    letters: str
    appendix_letters: str
    last_and: str
    namely: str
    defined: str
    means: str
    forms: tuple[str, str]
    quotes: str
    streets: tuple[str, ...]
    towns: tuple[str, ...]
    address: str


@dataclass(frozen=True)
class Wording:
    """Everything an agreement says in one language.

    articles: title, then its clauses. early and late: terminations for the article on the term and for the one on
    default; appended: the one in appendix B. definitions: (term, meaning).
    """

    terms: Terms
    grammar: Grammar
    definitions: tuple[tuple[str, str], ...]
    articles: tuple[tuple[str, tuple[str, ...]], ...]
    early: tuple[Fixed, ...]
    late: tuple[Fixed, ...]
    appended: Fixed
    law: Fixed
    schedules: tuple[tuple[str, tuple[str, ...]], ...]
    appendices: tuple[tuple[str, tuple[str, ...]], ...]
