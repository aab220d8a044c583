"""Fields of scanned invoices: what mends a misread, what witnesses it, and what must stay in review."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from pipeline import (
    alike,
    answered,
    completed,
    firms,
    invoices,
    layout,
    reread,
    secondread,
    totals,
    unfinished,
    units,
)
from pipeline.closing import NAMES
from pipeline.engine import RawField
from pipeline.habits import Habits
from pipeline.model import Box, Check, Field, Page, Place, Word, unread
from pipeline.profiles import FieldProfile

COMMA = Habits(",", True, True)
ANYWHERE = Box(0, 0, 10, 10)


def word(text: str, x0: float, top: float = 100.0, size: float = 10.0) -> Word:
    return Word(text, Box(x0, top, x0 + 0.5 * size * len(text), top + 0.7 * size), size, "ocr")


def page_of(*words: Word) -> Page:
    return unread(1, "").with_words(words)


def field(name: str, value: str, box: Box = ANYWHERE, passed: tuple[str, ...] = ()) -> Field:
    checks = tuple(Check(one, "passed", "") for one in passed)
    return Field(1, name, value, value, (Place(1, box),), value, None, "review", checks)


@pytest.mark.parametrize(
    ("first", "second", "cyrillic", "unit"),
    [
        ("KOM", "ком", True, "ком"),
        ("pes", "pcs", False, "pcs"),
        ("усл", "усп", True, "усл"),
        ("m", "m2", False, ""),
        ("M", "м", True, ""),
        ("х.", "9", True, ""),
    ],
)
def test_of_two_reads_the_one_that_is_a_unit_is_taken_where_the_other_is_near(
    first: str, second: str, cyrillic: bool, unit: str
) -> None:
    assert units.settled(first, second, cyrillic) == unit


@pytest.mark.parametrize(
    ("read", "name"),
    [
        ("Ледозор Клима д.0.0.", "Ледозор Клима д.о.о."),
        ("Vetrilo Term .0.0.", "Vetrilo Term d.o.o."),
        ("Edilvaldoro S.r.I.", "Edilvaldoro S.r.l."),
        ("Residence Clairebrande", "Residence Clairebrande"),
        ("Bakarna cev 1.0", "Bakarna cev 1.0"),
    ],
)
def test_a_legal_form_is_written_as_it_is_and_nothing_else_is(read: str, name: str) -> None:
    assert firms.mended(read) == name


def block(*shift: float) -> tuple[list[list[Word]], Word]:
    lines = [
        [word("Vetrilo", 50 + shift[0], 40), word("d.o.o.", 90 + shift[0], 40)],
        [word("Lipova", 50, 55), word("3,", 84, 55), word("11429", 98, 55), word("Brod", 127, 55)],
    ]
    return lines, word("PIB:", 50, 70)


@pytest.mark.parametrize(("shift", "beside", "whole"), [(0.0, 300.0, True), (9.0, 300.0, False), (0.0, 125.0, False)])
def test_a_suppliers_block_is_whole_only_at_one_edge_and_with_nothing_near(
    shift: float, beside: float, whole: bool
) -> None:
    lines, label = block(shift)
    page = [*lines[0], *lines[1], label, word("Promet", beside, 40)]
    assert firms.is_firm(lines, label, page) is whole


def test_amounts_in_cents_are_the_same_whatever_stands_for_their_points() -> None:
    assert alike.same("amount", "1.285,51", "1285.51", COMMA)
    assert not alike.same("amount", "1.285,53", "1285.51", COMMA)
    assert alike.cents("1285") == ""
    assert alike.printed("128551", ",") == "1.285,51"


def test_a_word_right_behind_a_name_keeps_it_in_review_and_one_further_off_does_not() -> None:
    name = field("line_item_1_description", "Peinture", Box(50, 100, 90, 107))
    near, far = page_of(word("mate", 93)), page_of(word("mate", 110))
    assert [check.outcome for check in unfinished.told(name, "form", [near]).checks] == ["failed"]
    assert unfinished.told(name, "form", [far]).checks == ()


def test_rows_are_complete_though_one_amount_is_misread_and_not_though_two_are() -> None:
    def rows(*amounts: str) -> list[Field]:
        found = [field("net_total", "60.00", passed=(alike.NAME,))]
        for at, amount in enumerate(amounts, start=1):
            for part, value in (("quantity", str(at)), ("unit_price", "10.00"), ("amount", amount)):
                found.append(field(f"line_item_{at}_{part}", value))
        return found

    assert completed.invoices(rows("10.00", "20.00", "38.00"), Decimal(0)) == {1}
    assert completed.invoices(rows("10.00", "28.00", "38.00"), Decimal(0)) == frozenset()


def test_a_doubt_over_totals_ends_where_their_sums_close_and_a_true_rival_stays() -> None:
    doubts = (Check("no other", "failed", totals.NO_SUM), Check("no other", "failed", f"{answered.AS_WELL}x as well"))
    boxes = {"net_total": 10.0, "tax_total": 30.0, "gross_total": 50.0, "line_item_1_amount": 70.0}
    values = {"net_total": "100.00", "tax_total": "20.00", "gross_total": "120.00", "line_item_1_amount": "100.00"}
    fields = [field(name, value, Box(0, boxes[name], 9, boxes[name] + 9)) for name, value in values.items()]
    fields = [Field(*(one.invoice, one.name, one.value, one.normalised, one.places, one.value, None, "review", doubts))
              for one in fields]  # fmt: skip

    def left(rival: str) -> int:
        held = {name: (rival,) if name == "net_total" else () for name in list(values)[:3]}
        freed = answered.freed(fields, held, "no other", Decimal(0), ())
        return sum(check.check not in NAMES for check in freed[0].checks)

    assert left("108.00") == 0
    assert left("95,50") == 1


def test_a_scan_whose_skew_is_below_a_degree_is_levelled() -> None:
    words = [
        Word("lorem", Box(x, y + 0.006 * x, x + 28, y + 0.006 * x + 7), 10.0, "ocr")
        for y in range(100, 300, 14)
        for x in range(50, 550, 34)
    ]
    page = unread(1, "").with_words(words)
    level = layout.level(Page(**{name: getattr(page, name) for name in page.__dataclass_fields__} | {"origin": "ocr"}))
    first = [box.bottom for box, one in level if one.box.top < 108]
    assert max(first) - min(first) < 0.6


OVERPRINTED = ("30 de septiembre de 2026", "de", "septiembre", "de", "2048")


@pytest.mark.parametrize(
    ("texts", "gap", "doubted"),
    [
        (OVERPRINTED, 3.0, True),  # the 5 of 2025 lies under the 26 of another date
        (OVERPRINTED, 20.0, False),  # another column
        (("20.07.2025", "Beograd", "i", "dalje"), 3.0, False),
    ],
)
def test_a_date_over_which_another_is_printed_is_doubted(texts: tuple[str, ...], gap: float, doubted: bool) -> None:
    first = word(texts[0], 50)
    behind = [word(text, first.box.x1 + gap + 40 * at) for at, text in enumerate(texts[1:])]
    raw = RawField("issue_date", texts[0], 1, places=(Place(1, first.box),))
    doubt = unfinished.doubt(raw, "date", [page_of(first, *behind)])
    assert doubt.startswith("its last figures begin another date") is doubted


def test_a_description_without_a_word_is_doubted() -> None:
    one, two = word("12", 50), word("Cord 12", 90)
    page = page_of(one, two)
    raws = [RawField("line_item_description", item.text, 1, 1, places=(Place(1, item.box),)) for item in (one, two)]
    assert [unfinished.doubt(raw, "text", [page]) for raw in raws] == ["“12” has no word in it", ""]


def test_a_row_number_taken_along_and_an_accent_that_the_page_has_elsewhere_are_doubted() -> None:
    texts = ("3 Cord", "Sifra 2030", "Šifra 2031", "Kabl", "Кабл")
    words = [word(text.split()[-1] if at else text, 50 + 90 * at) for at, text in enumerate(texts)]
    page = page_of(*words, word("Šifra", 50, 200))
    doubts = [
        unfinished.doubt(RawField("line_item_description", text, 1, 3, places=(Place(1, item.box),)), "text", [page])
        for text, item in zip(texts, words, strict=True)
    ]
    assert doubts == [
        "the row's number 3 may have been taken along",
        "the page has “Šifra” elsewhere: an accent may be lost",
        *[""] * 3,
    ]


def test_a_tax_number_of_which_the_crop_may_not_hold_all_is_not_settled_by_its_check_digits() -> None:
    label = Check(secondread.BY_LABEL, "passed", "")
    cut = Check("second reader", "open", reread.CUT)
    whole = Field(1, "buyer_tax_id", "DE422868883", "DE422868883", (), "DE422868883", None, "review", (label,))
    partly = replace(whole, checks=(label, cut))
    assert [one.status for one in invoices.judged([whole], FieldProfile())] == ["confirmed"]
    assert [one.status for one in invoices.judged([partly], FieldProfile())] == ["review"]
