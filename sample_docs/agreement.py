"""A master services agreement with its truth: sections, termination clauses, boilerplate.

Comes in: `AgreementOptions` and a folder. Goes out: agreement.pdf and agreement.truth.json. Refuses (ValueError) a
number of pages that the wording cannot fill: at least about 45 in English, 25 in the other languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal

from sample_docs.agreement_de import WORDING as GERMAN
from sample_docs.agreement_en import WORDING as ENGLISH
from sample_docs.agreement_sheet import Block, Book, Look, Printed
from sample_docs.agreement_sr import WORDING as SERBIAN, in_cyrillic
from sample_docs.agreement_stamps import Extra, stamps
from sample_docs.agreement_text import Fixed, Terms, Wording
from sample_docs.drawing import Written, write_truth
from sample_docs.prose import Prose
from sample_docs.words import cyrillic

Tongue = Literal["en", "de", "sr-Latn", "sr-Cyrl"]
Numbering = Literal["decimal", "article", "paragraph"]
Faces = Literal["noto", "roboto", "dejavu", "serif"]


@dataclass(frozen=True)
class AgreementOptions:
    """seed and size of an agreement.

    numbering: decimal (1 / 1.1), article (Article I / Section 1.1) or paragraph (§ 1 / 1.1). vary: order of clauses
    and choice of termination clauses differ from seed to seed; section numbers of the committed sample do not hold.
    extras: what is stamped on its pages (agreement_stamps.py); the truth names it as boilerplate and as facts.
    """

    seed: int = 417
    pages: int = 52
    language: Tongue = "en"
    numbering: Numbering = "decimal"
    faces: Faces = "noto"
    vary: bool = False
    name: str = "agreement"
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True)
class Part:
    """A titled item. kind decides how its heading looks; points: how many lettered points; weight: its length."""

    kind: Literal["front", "article", "clause", "schedule", "paragraph", "signature"]
    number: str | None
    anchor: str | None
    title: str
    parent: str | None
    topics: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    termination: bool = False
    points: int = 0
    weight: float = 1.0
    definitions: bool = False


@dataclass(frozen=True)
class TruthSection:
    number: str | None
    title: str
    level: int
    page: int
    parent: str | None
    anchor: str | None


@dataclass(frozen=True)
class TruthClause:
    anchor: str
    number: str
    title: str
    page: int


@dataclass(frozen=True)
class AgreementTruth:
    sections: tuple[TruthSection, ...]
    termination_clauses: tuple[TruthClause, ...]
    boilerplate: tuple[Printed, ...] = field(default=())


@dataclass(frozen=True)
class TruthFact:
    """What cover, stamps and signature blocks say, as printed."""

    name: str
    value: str
    page: int


@dataclass(frozen=True)
class StampedTruth(AgreementTruth):
    facts: tuple[TruthFact, ...] = field(default=())


def write(folder: Path, options: AgreementOptions) -> Written:
    """Draw the agreement and its truth into `folder`."""
    wording = _wording(options.language)
    parts = _parts(wording, options)
    look = _look(wording, options)
    book = _fitting(wording, parts, look, options)
    files = Written(folder / f"{options.name}.pdf", folder / f"{options.name}.truth.json")
    printed = book.draw(files.pdf)
    truth = _truth(parts, book, printed)
    if options.extras:
        known = (truth.sections, truth.termination_clauses, truth.boilerplate)
        truth = StampedTruth(*known, facts=tuple(_facts(wording.terms, book)))
    write_truth(files.truth, truth, compact=True)
    return files


def _facts(terms: Terms, book: Book) -> Iterator[TruthFact]:
    look, stamps = book.look, book.look.stamps
    yield TruthFact("document title", terms.title, 1)
    yield TruthFact("date", terms.date, 1)
    yield from (TruthFact("party", party, 1) for party in look.parties)
    if stamps.has("draft"):
        yield TruthFact("draft state", stamps.draft, 1)
    if stamps.has("watermark"):
        yield TruthFact("draft state", stamps.watermark, 1)
    if stamps.has("bates"):
        yield TruthFact("first Bates number", stamps.bates(1), 1)
        yield TruthFact("last Bates number", stamps.bates(book.pages), book.pages)
    if stamps.has("esign"):
        page = 1 + book.contents_pages + book.signature_page
        for signer in stamps.signers:
            yield TruthFact("signatory", signer.name, page)
            yield TruthFact("signatory's title", signer.office, page)
            yield TruthFact("signing date", signer.day, page)


def _truth(parts: Sequence[Part], book: Book, printed: tuple[Printed, ...]) -> AgreementTruth:
    pages = book.heading_pages()
    sections = tuple(
        TruthSection(part.number, part.title, _level(part), page, part.parent, part.anchor)
        for part, page in zip(parts, pages, strict=True)
    )
    clauses = tuple(
        TruthClause(part.anchor, part.number, part.title, page)
        for part, page in zip(parts, pages, strict=True)
        if part.termination and part.anchor and part.number
    )
    return AgreementTruth(sections, clauses, printed)


def _level(part: Part) -> int:
    return 2 if part.kind in ("clause", "paragraph") else 1


@cache
def _wording(language: Tongue) -> Wording:
    match language:
        case "en":
            return ENGLISH
        case "de":
            return GERMAN
        case "sr-Latn":
            return SERBIAN
        case "sr-Cyrl":
            return in_cyrillic(SERBIAN)


# ---- which parts there are, and how they are numbered


def roman(number: int) -> str:
    """1 to 39 in Roman figures."""
    return "X" * (number // 10) + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[number % 10]


def _parts(wording: Wording, options: AgreementOptions) -> list[Part]:
    rng = Random(f"{options.seed}:parts")
    terms = wording.terms
    parts = [Part("front", None, None, terms.parties, None), Part("front", None, None, terms.background, None)]
    early, late = list(wording.early), list(wording.late)
    if options.vary:
        rng.shuffle(early)
        rng.shuffle(late)
    for index, (title, clauses) in enumerate(wording.articles, start=1):
        head = _article(wording, options, index, title)
        parts.append(head)
        for place, clause in enumerate(_ordered(clauses, rng, options.vary), start=1):
            number = f"{index}.{place}"
            shown = f"{terms.section} {number}" if options.numbering == "article" else number
            base = Part("clause", shown, f"section-{index}-{place}", "", head.number)
            parts.append(_clause(base, clause, wording, (early, late)))
    parts.append(Part("signature", None, None, terms.signature, None))
    parts += [part for index in range(len(wording.schedules)) for part in _schedule(wording, index)]
    parts += [part for index in range(len(wording.appendices)) for part in _appendix(wording, index)]
    return [replace(part, points=_points_of(part, rng)) for part in parts]


def _ordered(clauses: tuple[str, ...], rng: Random, vary: bool) -> list[str]:
    """The clauses of an article, shuffled behind the first one where `vary`."""
    if not vary or clauses[0].startswith("*definitions"):
        return list(clauses)
    order = list(clauses)
    rng.shuffle(order)
    return order


def _article(wording: Wording, options: AgreementOptions, index: int, title: str) -> Part:
    match options.numbering:
        case "decimal":
            number, anchor = str(index), f"section-{index}"
        case "article":
            number = f"{wording.terms.article} {roman(index)}"
            anchor = f"article-{roman(index).lower()}"
        case "paragraph":
            number, anchor = f"§ {index}", f"section-{index}"
    return Part("article", number, anchor, title, None)


def _clause(base: Part, clause: str, wording: Wording, endings: tuple[list[Fixed], list[Fixed]]) -> Part:
    match clause.split(" ", 1):
        case ["*definitions", title]:
            return replace(base, title=title, definitions=True)
        case ["*early"]:
            return _ending(base, endings[0].pop(0))
        case ["*late"]:
            return _ending(base, endings[1].pop(0))
        case ["*law"]:
            return replace(base, title=wording.law.title, sentences=wording.law.sentences)
        case ["*appended"]:
            return _ending(base, wording.appended)
    title, topics = clause.split(" | ")
    return replace(base, title=title, topics=tuple(topics.split("; ")))


def _ending(base: Part, fixed: Fixed) -> Part:
    return replace(base, title=fixed.title, sentences=fixed.sentences, termination=True)


def _schedule(wording: Wording, index: int) -> list[Part]:
    """A schedule and its paragraphs, numbered from 1 again."""
    title, clauses = wording.schedules[index]
    number = f"{wording.terms.schedule} {index + 1}"
    head = Part("schedule", number, f"schedule-{index + 1}", title, None)
    return [head] + [
        _clause(Part("paragraph", str(n), f"schedule-{index + 1}-{n}", "", number), clause, wording, ([], []))
        for n, clause in enumerate(clauses, start=1)
    ]


def _appendix(wording: Wording, index: int) -> list[Part]:
    title, clauses = wording.appendices[index]
    letter, anchor = wording.terms.appendix_letters[index], f"appendix-{'ab'[index]}"
    number = f"{wording.terms.appendix} {letter}"
    head = Part("schedule", number, anchor, title, None)
    return [head] + [
        _clause(Part("paragraph", f"{letter}-{n}", f"{anchor}-{n}", "", number), clause, wording, ([], []))
        for n, clause in enumerate(clauses, start=1)
    ]


def _points_of(part: Part, rng: Random) -> int:
    """How many lettered points a part has; 7.3 always has some."""
    points = rng.choice((0, 0, 3, 3, 4, 5)) if part.topics else 0
    return max(points, 3) if part.anchor == "section-7-3" else points


# ---- what they say


def _references(parts: Sequence[Part], wording: Wording) -> tuple[list[str], list[str]]:
    """Cross references as printed: (sections, some with a letter; paragraphs of schedules)."""
    terms = wording.terms
    sections, schedules = [], []
    for part in parts:
        if part.kind == "clause" and part.number:
            plain = f"{terms.section} {part.number.removeprefix(terms.section).strip()}"
            sections.append(plain)
            sections += [f"{plain}({terms.letters[n]})" for n in range(min(part.points, 3))]
        if part.kind == "paragraph" and part.parent and part.parent.startswith(terms.schedule):
            schedules.append(f"{part.parent}, {terms.paragraph} {part.number}")
    return sections, schedules


def _blocks(part: Part, wording: Wording, prose: Prose, density: float) -> list[Block]:
    """What stands under a part's heading: sentences in paragraphs, then points."""
    terms = wording.terms
    if part.definitions:
        return [Block("text", "", terms.defined)] + [
            Block("definition", terms.quotes.format(name), f"{terms.means} {meaning}.")
            for name, meaning in wording.definitions
        ]
    if part.sentences:
        return [Block("text", "", " ".join(part.sentences[n : n + 2])) for n in range(0, len(part.sentences), 2)]
    if not part.topics:
        return []
    prose.rng.seed(f"{part.anchor}:{part.title}:{prose.seed}")
    wanted = max(2, int(5.2 * density * part.weight + prose.rng.random()))
    sentences = [prose.sentence(part.topics) for _ in range(wanted)]
    blocks = [Block("text", "", " ".join(sentences[n : n + 3])) for n in range(0, len(sentences), 3)]
    return blocks + (_points(part, wording, prose) if part.points else [])


def _points(part: Part, wording: Wording, prose: Prose) -> list[Block]:
    terms = wording.terms
    blocks = [Block("text", "", prose.intro(part.topics))]
    nested = prose.rng.randrange(part.points * 2)  # about half of the lists have a list within
    for index in range(part.points):
        end = "." if index == part.points - 1 else f"; {terms.last_and}" if index == part.points - 2 else ";"
        label = f"({terms.letters[index]})"
        if index == nested:
            blocks.append(Block("point", label, f"{prose.point(part.topics)}, {terms.namely}:"))
            subs = [prose.subpoint(part.topics) for _ in range(prose.rng.choice((2, 3, 4)))]
            marks = [";"] * (len(subs) - 2) + [f"; {terms.last_and}", end]
            blocks += [
                Block("subpoint", f"({roman(n + 1).lower()})", text + mark)
                for n, (text, mark) in enumerate(zip(subs, marks, strict=True))
            ]
        else:
            blocks.append(Block("point", label, prose.point(part.topics) + end))
    return blocks


def _front(part: Part, wording: Wording, look: Look) -> list[Block]:
    terms = wording.terms
    if part.title == terms.parties:
        lines = zip(terms.party_lines, look.parties, look.addresses, strict=True)
        return [Block("point", f"({n})", line.format(who, at)) for n, (line, who, at) in enumerate(lines, start=1)]
    letters = terms.letters.upper()
    recitals = [Block("point", f"({letters[n]})", text) for n, text in enumerate(terms.recitals)]
    return [*recitals, Block("text", "", terms.agreed)]


def _book(wording: Wording, parts: Sequence[Part], look: Look, options: AgreementOptions, density: float) -> Book:
    refs, schedule_refs = _references(parts, wording)
    prose = Prose(wording.grammar, options.seed, refs, schedule_refs)
    book = Book(look, wording.terms)
    for part in parts:
        book.heading(part.kind, part.number, part.title)
        if part.kind == "front":
            blocks = _front(part, wording, look)
        elif part.kind == "signature":
            blocks = [Block("text", "", wording.terms.witness)]
        else:
            blocks = _blocks(part, wording, prose, density)
        for block in blocks:
            book.block(block)
        if part.kind == "signature":
            book.signatures()
    return book


def _fitting(wording: Wording, parts: Sequence[Part], look: Look, options: AgreementOptions) -> Book:
    """The book at a density of text that gives exactly the pages wanted."""
    least = _book(wording, parts, look, options, 0.05).pages
    if least > options.pages + 2:
        raise ValueError(f"an agreement in {options.language} cannot be set on {options.pages} pages: it needs {least}")
    for attempt in range(8):  # a schedule starts a page, so some densities leap over the number wanted
        rng = Random(f"{options.seed}:weights:{attempt}")
        weighed = [replace(part, weight=rng.uniform(0.6, 1.4)) for part in parts]
        low, high = 0.2, 8.0
        for _ in range(14):
            middle = (low + high) / 2
            book = _book(wording, weighed, look, options, middle)
            if book.pages == options.pages:
                return book
            low, high = (middle, high) if book.pages < options.pages else (low, middle)
    raise ValueError(f"an agreement in {options.language} cannot be set on exactly {options.pages} pages")


NAMES = (
    "Aldermoor Distribution", "Tarnbach Systems", "Velmont Retail Logistics", "Ostrander Digital", "Norvelle Foods",
    "Kestrelford Software", "Lindqvast Pharma", "Brackwater Cloud", "Pinemoor Utilities", "Quillhaven Data",
)  # fmt: skip


def _look(wording: Wording, options: AgreementOptions) -> Look:
    rng = Random(f"{options.seed}:look")
    names = rng.sample(NAMES, 2)
    forms = wording.terms.forms
    parties = (f"{names[0]} {forms[0]}", f"{names[1]} {forms[1]}")
    addresses = (_address(rng, wording.terms), _address(rng, wording.terms))
    reference = f"MSA-2025-{rng.randint(100, 999):04d}"
    faces = {
        "noto": ("NotoSans", "NotoSerif"), "roboto": ("Roboto", "NotoSerif"),
        "dejavu": ("NotoSans", "DejaVuSerifCondensed"), "serif": ("NotoSerif", "Roboto"),
    }[options.faces]  # fmt: skip
    if options.language == "sr-Cyrl":
        parties = (cyrillic(parties[0]), cyrillic(parties[1]))
    printed = stamps(options.language, options.seed, options.extras)
    return Look(parties, addresses, reference, faces[0], faces[1], printed)


def _address(rng: Random, terms: Terms) -> str:
    return terms.address.format(
        number=rng.randint(2, 180),
        street=rng.choice(terms.streets),
        code=rng.randint(10100, 38900),
        town=rng.choice(terms.towns),
    )
