"""A product catalogue with its truth: sections (the title on the cover is one), and lookups of which three have two
right answers. Its bookmarks name the first two levels, as those of many catalogues do.

Comes in: `CatalogueOptions` and a folder. Goes out: catalogue.pdf, catalogue.truth.json, and its lookups as a list to
ask, catalogue.questions.csv. Refuses (ValueError) a number of pages that the chapters cannot fill.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Literal

from sample_docs.catalogue_sheet import Row, Sheet, Style
from sample_docs.catalogue_text import CHAPTERS, INTROS, PACKS, TWICE, Category, Chapter
from sample_docs.drawing import Written, family, write_truth

FRONT = 2  # cover and contents
LABELS = Row("Code", "Product", "Pack", "EUR")


@dataclass(frozen=True)
class CatalogueOptions:
    """seed and size of a catalogue. chapters: how many of the ten; numbered: 4.2 before a heading, or nothing."""

    seed: int = 204
    pages: int = 38
    chapters: int = 10
    columns: Literal[1, 2] = 2
    numbered: bool = True
    lookups: int = 100
    ambiguous: int = 3
    font: str = "Roboto"
    name: str = "catalogue"


@dataclass(frozen=True)
class Shelf:
    """A heading and the products in the table under it (none where deeper headings hold them)."""

    level: int
    number: str | None
    title: str
    parent: str | None
    note: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class TruthSection:
    number: str | None
    title: str
    level: int
    page: int
    parent: str | None


@dataclass(frozen=True)
class TruthName:
    number: str | None
    title: str


@dataclass(frozen=True)
class Lookup:
    question: str
    sections: tuple[TruthName, ...]
    category: str
    product: str
    pages: tuple[int, ...]


@dataclass(frozen=True)
class CatalogueTruth:
    sections: tuple[TruthSection, ...]
    lookups: tuple[Lookup, ...]


def write(folder: Path, options: CatalogueOptions) -> Written:
    """Draw the catalogue and its truth into `folder`."""
    shelves, sheet = _fitting(options)
    files = Written(folder / f"{options.name}.pdf", folder / f"{options.name}.truth.json")
    sheet.draw(files.pdf, FRONT)
    truth = _truth(shelves, sheet, options)
    write_truth(files.truth, truth, compact=True)
    (folder / f"{options.name}.questions.csv").write_text(_questions(truth.lookups), encoding="utf-8")
    return files


def _questions(lookups: tuple[Lookup, ...]) -> str:
    """The lookups as CSV: the question, the answer, the sections by what is printed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("question", "expected", "sections"))
    for one in lookups:
        names = (name.number or name.title for name in one.sections)
        writer.writerow((one.question, one.category, "; ".join(names)))
    return out.getvalue()


# ---- what is in it


def _shelves(options: CatalogueOptions, density: float) -> list[Shelf]:
    """All headings in order with their products; some products stand on two shelves."""
    shelves: list[Shelf] = []
    for index, chapter in enumerate(CHAPTERS[: options.chapters], start=1):
        rng = Random(f"{options.seed}:{chapter.title}")
        number = str(index) if options.numbered else None
        shelves.append(Shelf(1, number, chapter.title, None, chapter.intro, ()))
        step = 100 if 32.4 * density + 3 < 100 else 1000  # codes of a category begin at its own hundred, or thousand
        for place, category in enumerate(chapter.categories, start=1):
            parent = number if options.numbered else chapter.title
            deep = f"{index}.{place}" if options.numbered else None
            shelves += _category(rng, (chapter, category), (deep, parent), step * place, density)
    return _listed_twice(shelves, options)


def _category(
    rng: Random, what: tuple[Chapter, Category], place: tuple[str | None, str | None], code: int, density: float
) -> list[Shelf]:
    """A heading of the second tier with its table, or with groups that have one each."""
    chapter, category = what
    number, parent = place
    if not category.groups:
        rows = _rows(rng, (chapter, category), category.goods, code, density * 1.6)
        return [Shelf(2, number, category.title, parent, rng.choice(INTROS), rows)]
    made = [Shelf(2, number, category.title, parent, rng.choice(INTROS), ())]
    for index, group in enumerate(category.groups, start=1):
        deep = f"{number}.{index}" if number else None
        title, goods = group.split(": ")
        rows = _rows(rng, (chapter, category), tuple(goods.split(", ")), code, density)
        code += len(rows)
        made.append(Shelf(3, deep, title, number or category.title, rng.choice(INTROS), rows))
    return made


def _rows(
    rng: Random, what: tuple[Chapter, Category], goods: tuple[str, ...], code: int, density: float
) -> tuple[Row, ...]:
    chapter, category = what
    own = Random(f"{category.title}:{rng.random()}")
    wanted = max(3, int(9 * density * own.uniform(0.8, 1.2) + own.random()))
    rows: list[Row] = []
    for index in range(wanted):
        name = f"{own.choice(category.sizes)} {own.choice(goods)}, {own.choice(category.makes)}"
        price = f"{own.choice((1, 1, 3, 8)) * own.uniform(0.9, 38):.2f}"
        rows.append(Row(f"{chapter.letter}-{code + index}", name, own.choice(PACKS), price))
    if category.title == "Stainless Steel (304/316)":
        for index, row in enumerate(rows):
            match row.code:
                case "X-204":
                    rows[index] = row._replace(name="M8x40 hex bolt, 316 grade")
                case "X-205":
                    rows[index] = row._replace(name="M10x50 hex bolt, 316 grade")
    return tuple(rows)


def _listed_twice(shelves: list[Shelf], options: CatalogueOptions) -> list[Shelf]:
    """List a product of one shelf on a shelf of another category too, `options.ambiguous` times."""
    rng = Random(f"{options.seed}:twice")
    made = list(shelves)
    places = {shelf.title: index for index, shelf in enumerate(shelves) if shelf.rows}
    pairs = [pair for pair in TWICE if pair[0] in places and pair[1] in places]
    while len(pairs) < options.ambiguous:
        first, second = rng.sample(sorted(places), 2)
        pairs.append((first, second))
    for source, target in rng.sample(pairs, options.ambiguous):
        row = rng.choice([row for row in made[places[source]].rows if row.code != "X-204"][:3])
        rows = made[places[target]].rows
        spot = rng.randrange(1, len(rows))
        made[places[target]] = replace(made[places[target]], rows=(*rows[:spot], row, *rows[spot:]))
    return made


# ---- how it falls on pages


def _sheet(shelves: list[Shelf], options: CatalogueOptions) -> Sheet:
    style = Style(
        "Hollinmarsh Industrial Supply",
        "Main Catalogue 2025",
        family(options.font),
        family("NotoSerif"),
        options.columns,
    )
    sheet = Sheet(style)
    for shelf in shelves:
        if shelf.level == 1:
            sheet.chapter_head(shelf.number, shelf.title, shelf.note)
        else:
            sheet.head(shelf.level, shelf.number, shelf.title, shelf.note)
        if shelf.rows:
            sheet.table(shelf.rows, LABELS)
    return sheet


def _fitting(options: CatalogueOptions) -> tuple[list[Shelf], Sheet]:
    """The shelves at a density that gives exactly the pages wanted, some products on a later page than their "
    "heading."""
    for attempt in range(8):
        low, high = 0.3, 14.0
        for _ in range(16):
            middle = (low + high) / 2 * (1 + attempt * 0.003)
            shelves = _shelves(options, middle)
            sheet = _sheet(shelves, options)
            pages = len(sheet.pages) + FRONT
            if pages == options.pages:
                return shelves, sheet
            low, high = (middle, high) if pages < options.pages else (low, middle)
    raise ValueError(f"{options.chapters} chapters cannot be set on exactly {options.pages} pages")


# ---- truth


def _truth(shelves: list[Shelf], sheet: Sheet, options: CatalogueOptions) -> CatalogueTruth:
    sections = tuple(
        TruthSection(shelf.number, shelf.title, shelf.level, head.page + FRONT, shelf.parent)
        for shelf, head in zip(shelves, sheet.heads, strict=True)
    )
    title = TruthSection(None, sheet.style.firm, 1, 1, None)
    return CatalogueTruth((title, *sections), tuple(_lookups(shelves, sheet, options)))


QUESTIONS = (
    "Which category is {} in?", "Which category does product {} belong to?", "Under which heading is {} listed?"
)  # fmt: skip


def _lookups(shelves: list[Shelf], sheet: Sheet, options: CatalogueOptions) -> list[Lookup]:
    where: dict[str, list[Shelf]] = {}
    pages: dict[str, list[int]] = {}
    for shelf in shelves:
        for row in shelf.rows:
            where.setdefault(row.code, []).append(shelf)
    for row, page in sheet.rows:
        pages.setdefault(row.code, []).append(page + FRONT)
    rng = Random(f"{options.seed}:lookups")
    twice = [code for code, found in where.items() if len(found) > 1]
    once = [code for code, found in where.items() if len(found) == 1 and code != "X-204"]
    first = ["X-204"] if "X-204" in where else []
    codes = rng.sample(once, options.lookups - len(twice) - len(first)) + twice
    rng.shuffle(codes)
    return [
        Lookup(
            QUESTIONS[0 if code == "X-204" else index % len(QUESTIONS)].format(code),
            tuple(TruthName(shelf.number, shelf.title) for shelf in where[code]),
            " / ".join(shelf.title for shelf in where[code]),
            code,
            tuple(pages[code]),
        )
        for index, code in enumerate(first + codes)
    ]
