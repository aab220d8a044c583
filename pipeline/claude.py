"""The engine over Claude: what is asked of it becomes a prompt, and its reply becomes quotes.

Comes in: excerpts, sections, passages, pages, crops. Goes out: quotes without places, claimed boxes in points. Nothing
is placed, converted or judged here: the pipeline does that, the same as for any engine. A page or section that the
document does not have stays in what is handed over, with a doubt, for the pipeline to find wrong. Refusals are those of
`caller`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pipeline import budget, prompts, scaled, terms, tokens
from pipeline.budget import Estimate
from pipeline.caller import Caller, NotKept, PicturesTooLarge, Rehearsal, likely_tokens
from pipeline.engine import (
    Column,
    CropRead,
    Excerpt,
    Found,
    Hit,
    Item,
    Passage,
    Query,
    Quote,
    RawField,
    RawHeading,
    RawLine,
    RawRow,
    RawTotal,
    Reply,
    Sought,
    Summary,
    Wanted,
)
from pipeline.model import Page, Section
from pipeline.prompts import Picture, Prompt
from pipeline.scaled import Most
from pipeline.tokens import Usage

LETTERS = 400_000  # of sections in one call
CROPS = 16  # in one call
CROP = Most(1_568, 800)

Pictures = Callable[[int, tuple[int, int]], bytes]


@dataclass(frozen=True)
class Claude:
    """Claude, asked about one document. pictures: gives a page's PNG of a size in pixels; None: only words are sent.

    boxes: whether it is asked where on pictures the fields stand.
    """

    caller: Caller
    pictures: Pictures | None = None
    boxes: bool = True
    name: str = "claude"

    # ------------------------------------------------------------ statements

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        def prompt(most: Most) -> Prompt:
            return prompts.rows(excerpt, columns, summary, self._drawn(_scans(excerpt.pages), most))

        return found_rows(self._asked(prompt), excerpt, columns, summary)

    def replaying(self) -> Claude:
        """The same, answered by the journal alone; NotKept where it cannot."""
        return replace(self, caller=replace(self.caller, replay=True))

    def rehearsing(self) -> tuple[Claude, Rehearsal]:
        """The same, asking nobody, and what notes what it would ask."""
        caller = self.caller
        noting = Rehearsal(caller.account, caller.key, caller.store, caller.sha256, caller.run, caller.stopped)
        return replace(self, caller=noting), noting

    # ------------------------------------------------------------ sections

    def find(self, query: Query, sections: Sequence[Section]) -> tuple[Hit, ...]:
        return tuple(
            Hit(one["section_id"], one["quote"])
            for prompt in find_prompts(query, sections)
            for one in self.caller.ask(prompt, self.caller.account.model)["clauses"]
        )

    def answer(self, question: str, passages: Sequence[Passage]) -> tuple[Reply, ...]:
        told = self.caller.ask(prompts.answer(question, passages), self.caller.account.model)["answers"]
        return tuple(Reply(one["answer"], one["section_id"], one["quote"]) for one in told if one["answer"].strip())

    # ------------------------------------------------------------ fields and crops

    def fields(self, pages: Sequence[Page], sought: Sequence[Sought]) -> tuple[RawField, ...]:
        sides: dict[int, tuple[int, int]] = {}

        def prompt(most: Most) -> Prompt:
            pictures = self._drawn(pages, most)
            sides.update({number: (one.width, one.height) for number, one in pictures.items()})
            asked = prompts.fields(pages, sought, pictures)
            return asked if self.boxes else prompts.unboxed(asked)

        told = self._asked(prompt)["fields"]
        sizes = {page.number: (page.width, page.height) for page in pages}
        return tuple(raw_field(one, pages[0].number, sides, sizes) for one in told if one["value"])

    def read(self, crops: Sequence[bytes]) -> tuple[CropRead, ...]:
        found: list[CropRead] = []
        for first in range(0, len(crops), CROPS):
            found += self._read(crops[first : first + CROPS])
        return tuple(found)

    def _read(self, crops: Sequence[bytes]) -> list[CropRead]:
        model = self.caller.account.crop_model
        cut = [scaled.shrunk(png, CROP) for png in crops]
        pictures = [Picture(*one, f"Crop {number}") for number, one in enumerate(cut, 1)]
        told = {one["crop"]: one for one in self.caller.ask(prompts.crops(pictures), model)["crops"]}
        return [_crop(told.get(number), model) for number in range(1, len(crops) + 1)]

    # ------------------------------------------------------------ costs

    def estimate(self, missing: Sequence[NotKept], kept: int = 0, counted: bool = False) -> Estimate:
        """What these calls are likely to take. kept: calls that the journal answers, besides; counted: by the server's
        own count where it has one, which sends it the document.
        """
        counts = self._counts(missing) if counted else [None] * len(missing)
        sent = [
            likely_tokens(one.prompt) if count is None else count for count, one in zip(counts, missing, strict=True)
        ]
        outputs = [one.prompt.output + prompts.THINKING // 10 for one in missing]
        prices = [tokens.highest(one.call.model) for one in missing]
        model = self.caller.account.model
        price = tokens.highest(model)
        priced = f"by the price list of {price.date}"
        each = zip(prices, sent, outputs, strict=True)
        return Estimate(
            model,
            len(missing),
            kept,
            sum(sent),
            sum(outputs),
            sum((price.cost(Usage(input, output)) for price, input, output in each), Decimal(0)),
            budget.seconds(outputs, 1),
            bool(counts) and None not in counts,
            priced if price.exact else f"{priced}, at its highest rates: it does not have this model",
        )

    def _counts(self, missing: Sequence[NotKept]) -> list[int | None]:
        """The tokens of each prompt by the server; where it does not count the first, it is not asked again."""

        def count(one: NotKept) -> int | None:
            return self.caller.count(one.prompt, one.call.model)

        first = [count(one) for one in missing[:1]]
        if first == [None]:
            return [None] * len(missing)
        with ThreadPoolExecutor(self.caller.account.at_once) as pool:
            return [*first, *pool.map(count, missing[1:])]

    # ------------------------------------------------------------ pictures

    @property
    def most(self) -> Most:
        return Most(self.caller.account.picture_edge, self.caller.account.picture_tokens)

    def _asked(self, prompt: Callable[[Most], Prompt]) -> dict[str, Any]:
        """The reply to a prompt with pictures, made smaller where the model does not take them so large."""
        model = self.caller.account.model
        try:
            return self.caller.ask(prompt(self.most), model)
        except PicturesTooLarge:
            if self.most <= scaled.USUAL:
                raise
            return self.caller.ask(prompt(scaled.USUAL), model)

    def _drawn(self, pages: Sequence[Page], most: Most) -> dict[int, Picture]:
        if self.pictures is None:
            return {}
        drawn = {}
        for page in pages:
            size = scaled.fitted(page.width, page.height, most)
            drawn[page.number] = Picture(self.pictures(page.number, size), *size, f"Page {page.number}")
        return drawn


def find_prompts(query: Query, sections: Sequence[Section]) -> list[Prompt]:
    """The calls in which clauses are looked for: all sections, as many at once as a call takes."""
    parts: list[list[Section]] = []
    room = 0
    for section in sections:
        if not parts or room < len(section.content):
            parts.append([])
            room = LETTERS
        parts[-1].append(section)
        room -= len(section.content)
    return [prompts.find(query, part) for part in parts]


def _scans(pages: Sequence[Page]) -> list[Page]:
    """Pages whose words one OCR engine read: the picture is sent instead, so that the readings are independent."""
    return [page for page in pages if page.origin == "ocr"]


# ---------------------------------------------------------------- replies to quotes


def found_rows(data: Mapping[str, Any], excerpt: Excerpt, columns: Sequence[Wanted], summary: Summary) -> Found:
    """Items in reading order, and the summary after each page."""
    kinds = {one.name: one.kind for one in columns}
    told = {page.number: list(_told(data, page.number)) for page in excerpt.pages}
    strange = [one for one in data["pages"] if one["page"] not in told]
    items: list[Item] = []
    summaries = []
    for number, parts in told.items():
        titled = [Column(one["column"], one["title"], kinds.get(one["column"], "text")) for one in _columns(parts)]
        mine = [_item(one, number) for part in parts for one in part["items"]]
        summary = _after(summary, number, mine, tuple(titled))
        items += mine
        summaries.append(summary)
    first = excerpt.pages[0].number
    items += [_astray(_item(one, first), part["page"]) for part in strange for one in part["items"]]
    return Found(tuple(items), tuple(summaries))


def _told(data: Mapping[str, Any], page: int) -> Iterator[dict[str, Any]]:
    return (one for one in data["pages"] if one["page"] == page)


def _columns(parts: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [one for part in parts for one in part["columns"] if one["title"].strip()]


def _after(summary: Summary, page: int, items: Sequence[Item], columns: tuple[Column, ...]) -> Summary:
    names = [item.name for item in items if isinstance(item, RawHeading)]
    held = [item for item in items if isinstance(item, RawRow) and not item.goes_on]
    return replace(
        summary,
        page=page,
        supplier=names[-1] if names else summary.supplier,
        columns=columns or summary.columns,
        last_row=held[-1] if held else summary.last_row,
    )


def _item(told: Mapping[str, Any], page: int) -> Item:
    match told["kind"]:
        case "row" | "continuation" as kind:
            return RawRow(page, _quotes(told["cells"]), goes_on=kind == "continuation")
        case "total":
            name = terms.unmarked(told["name"] or "")
            return RawTotal(page, told["total"], told["label"], name, _quotes(told["cells"]), inside=told["in_table"])
        case "supplier":
            return RawHeading(page, terms.unmarked(told["name"]), labelled=told["labelled"])
    return RawLine(page, told["text"])


def _quotes(cells: Sequence[Mapping[str, str | None]]) -> tuple[Quote, ...]:
    """The cells that hold something; one column's words in two cells are joined."""
    texts: dict[str, str] = {}
    for cell in cells:
        if words := " ".join((cell["text"] or "").split()):
            column = cell["column"] or ""
            texts[column] = f"{texts[column]} {words}" if column in texts else words
    return tuple(Quote(column, text) for column, text in texts.items())


def _astray(item: Item, page: int) -> Item:
    """What the model said of a page that it was not given."""
    doubt = f"Claude named page {page} for it, which it was not given"
    return replace(item, doubts=(*item.doubts, doubt)) if isinstance(item, RawRow) else item


def raw_field(
    told: Mapping[str, Any], first: int, sides: Mapping[int, tuple[int, int]], sizes: Mapping[int, tuple[float, float]]
) -> RawField:
    page = told["page"]
    doubts: tuple[str, ...] = ()
    if page not in sizes:
        doubts, page = (f"Claude named page {page} for it, which it was not given",), first
    claimed = scaled.place(page, told.get("box"), sides[page], sizes[page]) if page in sides and not doubts else None
    if told.get("box") and claimed is None and page in sides and not doubts:
        doubts = (*doubts, "Claude gave it a box that is not on the page")
    value = " ".join(told["value"].split())
    label = " ".join((told["label"] or "").split())
    rivals = tuple(told["rivals"])
    return RawField(told["name"], value, page, told["number"], label, claimed=claimed, rivals=rivals, doubts=doubts)


def _crop(told: Mapping[str, Any] | None, model: str) -> CropRead:
    text = " ".join((told["text"] or "").split()) if told else ""
    return CropRead(text, (0.95 if told["sure"] else 0.5) if told and text else 0.0, model)
