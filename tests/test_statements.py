"""Statements from PDF to verdict: the sample, drawn statements of other kinds, windows, merging, engines that quote."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given, strategies as st
from reportlab.pdfgen.canvas import Canvas

from pipeline import worker
from pipeline.engine import Excerpt, Found, Quote, RawRow, RawTotal, Summary, Wanted
from pipeline.local import LocalEngine
from pipeline.model import Cancelled, Reading, Row, Statement, UsageError, Window
from pipeline.profiles import Profile, ReadingProfile, StatementProfile
from pipeline.statements import extract, to_json, windows
from sample_docs.statement import StatementOptions, write

Text = tuple[float, str]


@pytest.fixture(scope="module")
def sample(samples: Path) -> Reading:
    return _read(samples / "statement.pdf")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    return write(folder, StatementOptions(seed=4, pages=6, suppliers=3, name="small")).pdf


def _read(path: Path) -> Reading:
    return worker.read(path, ReadingProfile())


def _extract(reading: Reading, profile: StatementProfile | None = None) -> Statement:
    return extract(reading, Profile(statement=profile or StatementProfile()), LocalEngine())


def _values(row: Row) -> dict[str, str]:
    return {cell.column: cell.value for cell in row.cells}


def _draw(path: Path, pages: Sequence[Sequence[tuple[float, Sequence[Text]]]], size: float = 9) -> Path:
    """Lines at their distance from the top; texts at x, those at a negative x end there; a leading * is bold."""
    canvas = Canvas(str(path), pagesize=(595, 842))
    for lines in pages:
        for top, texts in lines:
            for x, text in texts:
                canvas.setFont("Helvetica-Bold" if text.startswith("*") else "Helvetica", size)
                if x < 0:
                    canvas.drawRightString(-x, 842 - top, text.lstrip("*"))
                else:
                    canvas.drawString(x, 842 - top, text.lstrip("*"))
        canvas.showPage()
    canvas.save()
    return path


ITEMS: tuple[Text, ...] = ((40, "*Invoice no."), (120, "*Date"), (190, "*Description"), (-555, "*Amount EUR"))


def _item(invoice: str, day: str, text: str, amount: str) -> tuple[Text, ...]:
    return ((40, invoice), (120, day), (190, text), (-555, amount))


def _total(label: str, amount: str) -> tuple[Text, ...]:
    return ((190, label), (-555, amount))


# ---- the sample


def test_the_sample_gives_every_row_of_its_truth_and_is_imported(sample: Reading, samples: Path) -> None:
    truth = json.loads((samples / "statement.truth.json").read_text())
    statement = _extract(sample)
    rows = [{"page": row.page, "values": _values(row)} for row in statement.rows]
    assert rows == truth["rows"]
    assert {row.status for row in statement.rows} == {"confirmed"}
    assert statement.reconciliation.action == "auto_import"
    assert statement.findings == ()
    scopes = statement.reconciliation.scopes
    document = next(scope for scope in scopes if scope.scope == "document")
    assert (str(document.printed), document.delta) == (truth["totals"]["grand_total"], Decimal("0.00"))
    assert {s.name: str(s.printed) for s in scopes if s.scope == "supplier"} == truth["totals"]["suppliers"]
    assert [s.page for s in scopes if s.scope == "page"] == list(range(1, 41))
    assert {s.delta for s in scopes} == {Decimal("0.00")}


def test_every_cell_of_the_sample_has_its_place(sample: Reading) -> None:
    row = _extract(sample).rows[0]
    words = sample.pages[0].words
    for cell in row.cells:
        place = cell.source.places[0]
        inside = [word.text for word in words if place.box.padded(0.5).holds(*word.box.middle)]
        assert cell.source.quote.startswith(" ".join(inside))


def test_forty_pages_take_less_than_two_seconds(sample: Reading) -> None:
    started = time.process_time()
    _extract(sample)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(("index", "change"), [(0, "0.01"), (517, "-100.00"), (1131, "9.99")])
def test_an_altered_amount_is_found_to_the_cent(samples: Path, tmp_path: Path, index: int, change: str) -> None:
    truth = json.loads((samples / "statement.truth.json").read_text())["rows"][index]
    path = altered(samples / "statement.pdf", tmp_path / "altered.pdf", truth, Decimal(change))
    statement = _extract(_read(path))
    assert statement.reconciliation.action == "human_review"
    off = {
        (s.scope, s.page if s.scope == "page" else s.name): s.delta for s in statement.reconciliation.scopes if s.delta
    }
    assert off == {
        ("document", ""): -Decimal(change),
        ("supplier", truth["values"]["supplier"]): -Decimal(change),
        ("page", truth["page"]): -Decimal(change),
    }
    review = [row for row in statement.rows if row.status == "review"]
    assert len(review) == 1 and review[0].page == truth["page"]
    assert review[0].reasons[0].startswith("quantity × unit price = amount: ")
    assert f"page {truth['page']}, supplier {truth['values']['supplier']}: printed" in statement.findings[0].message


def altered(source: Path, target: Path, truth: dict[str, object], change: Decimal) -> Path:
    values = truth["values"]
    assert isinstance(values, dict) and isinstance(truth["page"], int)
    amount = Decimal(values["amount"])
    old, new = (f"{value:,.2f}".translate(str.maketrans(",.", ".,")) for value in (amount, amount + change))
    with pikepdf.open(source) as pdf:
        page = pdf.pages[truth["page"] - 1]
        content = list(pikepdf.parse_content_stream(page))
        drawn = [i for i, ins in enumerate(content) if str(ins.operator) == "Tj" and str(ins.operands[0]) == old]
        content[drawn[0]] = pikepdf.ContentStreamInstruction([pikepdf.String(new)], pikepdf.Operator("Tj"))
        page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(content))
        pdf.save(target)
    return target


# ---- windows and merging


def test_forty_pages_make_ten_windows() -> None:
    cut = windows(40, 5, 1)
    assert [(w.first, w.last) for w in cut] == [
        (1, 5), (5, 9), (9, 13), (13, 17), (17, 21), (21, 25), (25, 29), (29, 33), (33, 37), (37, 40),
    ]  # fmt: skip
    assert [w.number for w in cut] == list(range(1, 11))


@given(st.integers(0, 450), st.integers(1, 40), st.integers(0, 4))
def test_every_legal_setting_ends_and_covers_every_page(pages: int, chunk: int, overlap: int) -> None:
    if overlap >= chunk:
        with pytest.raises(UsageError, match="overlap"):
            windows(pages, chunk, overlap)
        return
    cut = windows(pages, chunk, overlap)
    assert {page for w in cut for page in range(w.first, w.last + 1)} == set(range(1, pages + 1))
    assert all(after.first == before.last + 1 - overlap for before, after in pairwise(cut))
    assert not cut or cut[-1].last == pages


def test_all_settings_give_the_same_rows(small: Path) -> None:
    reading = _read(small)
    truth = json.loads(small.with_suffix(".truth.json").read_text())["rows"]
    for chunk in range(1, 9):
        for overlap in range(min(chunk, 5)):
            statement = _extract(reading, StatementProfile(chunk_pages=chunk, overlap=overlap))
            assert [{"page": row.page, "values": _values(row)} for row in statement.rows] == truth, (chunk, overlap)
            assert statement.reconciliation.action == "auto_import", (chunk, overlap)


def test_a_row_names_the_windows_that_read_it(small: Path) -> None:
    statement = _extract(_read(small), StatementProfile(chunk_pages=3, overlap=1))
    assert {row.page: row.windows for row in statement.rows} == {
        1: (1,), 2: (1,), 3: (1, 2), 4: (2,), 5: (2, 3), 6: (3,),
    }  # fmt: skip


def test_progress_is_told_and_a_person_can_stop(small: Path) -> None:
    reading = _read(small)
    seen: list[tuple[int, int]] = []
    extract(reading, Profile(), LocalEngine(), lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    with pytest.raises(Cancelled):
        extract(reading, Profile(), LocalEngine(), cancelled=lambda: True)


def test_two_equal_lines_are_two_rows(tmp_path: Path) -> None:
    twin = _item("R-1", "01.07.2025", "Copper pipe", "10,00")
    page = [(100, ITEMS), (120, twin), (140, twin), (170, _total("Grand total", "20,00"))]
    statement = _extract(_read(_draw(tmp_path / "twins.pdf", [page])))
    assert [row.value("amount") for row in statement.rows] == ["10.00", "10.00"]
    assert statement.reconciliation.action == "auto_import"


# ---- other statements


@pytest.mark.parametrize(
    "options",
    [
        StatementOptions(seed=1, pages=3, suppliers=3, language="de", numbers="1 234,56", layout="zebra"),
        StatementOptions(
            seed=2, pages=3, suppliers=2, language="sr", numbers="1.234,56", layout="compact", currency="RSD"
        ),
        StatementOptions(
            seed=3, pages=4, suppliers=4, language="en", numbers="1,234.56", layout="compact", currency="USD"
        ),
    ],
)
def test_other_languages_numbers_and_layouts(tmp_path: Path, options: StatementOptions) -> None:
    written = write(tmp_path, options)
    statement = _extract(_read(written.pdf))
    truth = json.loads(written.truth.read_text())["rows"]
    assert [{"page": row.page, "values": _values(row)} for row in statement.rows] == truth
    assert statement.reconciliation.action == "auto_import"
    assert {scope.currency for scope in statement.reconciliation.scopes} == {options.currency}


def test_a_missing_row_is_missed_on_its_page(tmp_path: Path) -> None:
    pages = [
        [
            (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")),
            (700, _total("Carried forward", "10,00")),
        ],
        [
            (100, ITEMS), (115, _total("Brought forward", "10,00")),
            (130, _item("R-2", "02.07.2025", "Brass valve", "5,00")), (160, _total("Grand total", "45,00")),
            (700, _total("Carried forward", "45,00")),
        ],
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "missing.pdf", pages)))
    assert statement.reconciliation.action == "human_review"
    assert statement.findings[0].message == (
        "page 2: printed 35.00, rows sum to 5.00: 30.00 EUR missing (the document's total differs by the same), "
        "read in window 1"
    )


def test_without_a_printed_total_nothing_is_imported(tmp_path: Path) -> None:
    page = [(100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00"))]
    statement = _extract(_read(_draw(tmp_path / "none.pdf", [page])))
    assert statement.reconciliation.action == "human_review"
    assert "no printed total was found" in statement.findings[0].message
    assert statement.rows[0].reasons == ("no sum, product or balance that closes proves the amount",)


def test_thousands_that_nothing_tells_stay_as_printed_and_in_review(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "1.250")),
        (140, _item("R-2", "02.07.2025", "Brass valve", "3.400")), (170, _total("Grand total", "4.650")),
    ]  # fmt: skip
    reading = _read(_draw(tmp_path / "open.pdf", [page]))
    statement = _extract(reading)
    assert statement.reconciliation.action == "human_review"
    assert statement.rows[0].value("amount") == "1.250"
    assert statement.rows[0].reasons[0] == "amount “1.250” may be 1.250 or 1250: the document does not tell"
    settled = _extract(reading, StatementProfile(decimal=","))
    assert [row.value("amount") for row in settled.rows] == ["1250", "3400"]
    assert settled.reconciliation.action == "auto_import"


def test_days_and_months_that_could_change_places_are_in_review(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (120, _item("R-1", "03/04/2025", "Copper pipe", "10.00")), (150, _total("Grand total", "10.00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "days.pdf", [page])))
    assert statement.reconciliation.action == "human_review"
    assert "does not tell whether day or month comes first" in statement.rows[0].reasons[0]
    page.insert(2, (135, _item("R-1", "03/28/2025", "Brass valve", "0.00")))
    settled = _extract(_read(_draw(tmp_path / "days2.pdf", [page])))
    assert settled.rows[0].value("date") == "2025-03-04"
    assert settled.reconciliation.action == "auto_import"


def test_two_currencies_are_reconciled_apart(tmp_path: Path) -> None:
    head: tuple[Text, ...] = (*ITEMS[:3], (-555, "*Amount"))
    page = [
        (100, head), (120, _item("R-1", "01.07.2025", "Copper pipe", "EUR 10,00")),
        (140, _item("R-2", "02.07.2025", "Brass valve", "USD 7,00")), (170, _total("Grand total", "EUR 10,00")),
        (190, _total("Grand total", "USD 7,00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "two.pdf", [page])))
    assert [(s.currency, s.printed, s.computed) for s in statement.reconciliation.scopes] == [
        ("EUR", Decimal("10.00"), Decimal("10.00")),
        ("USD", Decimal("7.00"), Decimal("7.00")),
    ]
    assert statement.reconciliation.action == "auto_import"


def test_a_currency_that_nets_to_zero_needs_no_total_beside_those_of_the_others(tmp_path: Path) -> None:
    head: tuple[Text, ...] = (*ITEMS[:3], (-555, "*Amount"))
    page = [
        (100, head), (120, _item("R-1", "01.07.2025", "Copper pipe", "EUR 10,00")),
        (140, _item("R-2", "02.07.2025", "Brass valve", "USD 7,00")),
        (160, _item("R-3", "03.07.2025", "Credit for R-2", "USD -7,00")), (190, _total("Grand total", "EUR 10,00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "nets.pdf", [page])))
    assert (statement.findings, statement.reconciliation.action) == ((), "auto_import")
    page[3] = (160, _item("R-3", "03.07.2025", "Credit for R-2", "USD -6,00"))
    short = _extract(_read(_draw(tmp_path / "short.pdf", [page])))
    assert short.reconciliation.action == "human_review"
    del page[4]
    page[3] = (160, _item("R-3", "03.07.2025", "Credit for R-2", "USD -7,00"))
    assert _extract(_read(_draw(tmp_path / "none.pdf", [page]))).reconciliation.action == "human_review"


@dataclass(frozen=True)
class _Swapping:
    """The local engine, which takes the suppliers of two lines the other way round."""

    name: str = "swapping"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        found = LocalEngine().rows(excerpt, columns, summary)
        (first, *mine), (second, *theirs) = (item.quotes for item in found.items[:2] if isinstance(item, RawRow))
        one, other = (item for item in found.items[:2] if isinstance(item, RawRow))
        swapped = (replace(one, quotes=(second, *mine)), replace(other, quotes=(first, *theirs)))
        return replace(found, items=(*swapped, *found.items[2:]))


def test_a_supplier_from_the_line_of_another_row_goes_to_review(tmp_path: Path) -> None:
    head: tuple[Text, ...] = ((40, "*Supplier"), (140, "*Date"), (210, "*Description"), (-555, "*Amount EUR"))
    page = [
        (100, head), (120, [(40, "Norvik Ltd"), (140, "01.07.2025"), (210, "Copper pipe"), (-555, "10,00")]),
        (140, [(40, "Brekke AS"), (140, "02.07.2025"), (210, "Brass valve"), (-555, "4,00")]),
        (170, [(40, "Grand total"), (-555, "14,00")]),
    ]  # fmt: skip
    reading = _read(_draw(tmp_path / "swapped.pdf", [page]))
    assert _extract(reading).reconciliation.action == "auto_import"
    statement = extract(reading, Profile(), _Swapping())
    assert statement.reconciliation.action == "human_review"
    assert "stands on the line of another row" in statement.rows[0].reasons[0]


def test_the_sum_before_at_the_top_of_a_page_is_brought_forward(tmp_path: Path) -> None:
    head: tuple[Text, ...] = ((40, "*Factura"), (120, "*Fecha"), (190, "*Concepto"), (-555, "*Importe"))
    pages = [
        [
            (100, head), (120, _item("R-1", "14/07/2025", "Bomba", "30,00")),
            (140, _item("R-2", "15/07/2025", "Tubo", "5,00")), (160, _total("Suma y sigue", "35,00")),
        ],
        [
            (100, head), (120, _total("Saldo anterior", "35,00")),
            (140, _item("R-3", "16/07/2025", "Motor", "7,00")), (160, _total("Total general", "42,00")),
        ],
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "sum.pdf", pages)))
    assert (statement.findings, statement.reconciliation.action) == ((), "auto_import")


def test_the_balance_before_at_the_top_of_each_page_opens_no_account(tmp_path: Path) -> None:
    head: tuple[Text, ...] = ((40, "*Fecha"), (120, "*Concepto"), (-430, "*Importe"), (-555, "*Saldo"))

    def line(day: str, text: str, amount: str, balance: str) -> tuple[Text, ...]:
        return ((40, day), (120, text), *([(-430.0, amount)] if amount else ()), (-555, balance))

    pages = [
        [
            (100, head), (120, line("", "Saldo inicial", "", "100,00")),
            (140, line("14/07/2025", "Recibo", "-30,00", "70,00")),
        ],
        [
            (100, head), (120, line("", "Saldo anterior", "", "70,00")),
            (140, line("15/07/2025", "Ingreso", "50,00", "120,00")), (160, line("", "Saldo final", "", "120,00")),
            (200, line("", "Saldo inicial", "", "5,00")), (220, line("16/07/2025", "Recibo", "-1,00", "4,00")),
        ],
        [
            (100, head), (120, line("", "Saldo anterior", "", "4,00")),
            (140, line("17/07/2025", "Ingreso", "2,00", "6,00")), (160, line("", "Saldo final", "", "6,00")),
        ],
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "before.pdf", pages)))
    accounts = [(s.name, s.printed, s.rows) for s in statement.reconciliation.scopes if s.scope == "account"]
    assert accounts == [("1", Decimal("120.00"), 2), ("2", Decimal("6.00"), 2)]
    assert statement.reconciliation.action == "auto_import"


def test_a_labelled_supplier_close_below_a_row_heads_its_group(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (112, [(40, "Supplier: Norvik Ltd")]), (124, _item("R-1", "01.07.2025", "Copper pipe", "10,00")),
        (136, _item("R-2", "02.07.2025", "Brass valve", "2,00")), (148, [(40, "Supplier: Brekke AS")]),
        (160, _item("B-1", "03.07.2025", "Steel bolt", "4,00")), (172, _total("Total amount", "16,00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "close.pdf", [page])))
    assert [row.value("supplier") for row in statement.rows] == ["Norvik Ltd", "Norvik Ltd", "Brekke AS"]
    assert (statement.findings, statement.reconciliation.action) == ((), "auto_import")


@pytest.mark.parametrize(
    ("net", "tax", "gross"),
    [
        ("Net total", "VAT 20 %", "Total incl. VAT"), ("Nettobetrag", "MwSt 20 %", "Gesamtbetrag"),
        ("Total HT", "TVA 20 %", "Total TTC"), ("Totale imponibile", "IVA 20 %", "Totale IVA inclusa"),
        ("Base imponible", "IVA 20 %", "Total con IVA"), ("Ukupno bez PDV", "PDV 20 %", "Ukupno sa PDV"),
    ],
)  # fmt: skip
def test_totals_before_and_after_tax_are_no_rows(tmp_path: Path, net: str, tax: str, gross: str) -> None:
    page = [
        (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")),
        (140, _item("R-2", "02.07.2025", "Brass valve", "2,00")), (160, ((40, net), (-555, "12,00"))),
        (180, ((40, tax), (-555, "2,40"))), (200, ((40, gross), (-555, "14,40"))),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "tax.pdf", [page])))
    assert (len(statement.rows), statement.findings, statement.reconciliation.action) == (2, (), "auto_import")
    page[4] = (180, ((40, tax), (-555, "3,40")))
    assert _extract(_read(_draw(tmp_path / "off.pdf", [page]))).reconciliation.action == "human_review"


def test_total_amount_over_a_column_titled_total_is_the_total(tmp_path: Path) -> None:
    page = [
        (100, [*ITEMS[:3], (-555, "*Total")]), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")),
        (150, _total("Total amount", "10,00")),
    ]  # fmt: skip
    assert _extract(_read(_draw(tmp_path / "total.pdf", [page]))).reconciliation.action == "auto_import"


def test_a_supplier_in_two_groups_is_one_scope(tmp_path: Path) -> None:
    page = [
        (100, ITEMS),
        (120, [(40, "*Supplier: Norvik Ltd")]), (140, _item("R-1", "01.07.2025", "Copper pipe", "10,00")),
        (160, _total("Subtotal Norvik Ltd", "10,00")),
        (180, [(40, "*Supplier: Brekke AS")]), (200, _item("B-1", "01.07.2025", "Brass valve", "4,00")),
        (220, _total("Subtotal Brekke AS", "4,00")),
        (240, [(40, "*Supplier: Norvik Ltd (continued)")]), (260, _item("R-2", "02.07.2025", "Steel bolt", "1,00")),
        (280, _total("Subtotal Norvik Ltd", "1,00")), (310, _total("Grand total", "15,00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "groups.pdf", [page])))
    assert [(s.name, s.printed, s.rows) for s in statement.reconciliation.scopes if s.scope == "supplier"] == [
        ("Norvik Ltd", Decimal("11.00"), 2),
        ("Brekke AS", Decimal("4.00"), 1),
    ]
    assert [row.value("supplier") for row in statement.rows] == ["Norvik Ltd", "Brekke AS", "Norvik Ltd"]
    assert statement.reconciliation.action == "auto_import"


def test_bold_names_are_suppliers_only_where_something_confirms_it(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (120, [(40, "*Norvik Ltd")]), (140, _item("R-1", "01.07.2025", "Copper pipe", "10,00")),
        (170, _total("Grand total", "10,00")),
    ]  # fmt: skip
    unsure = _extract(_read(_draw(tmp_path / "unsure.pdf", [page])))
    assert unsure.reconciliation.action == "human_review"
    assert unsure.findings[0].kind == "supplier_unsure"
    page.insert(3, (155, _total("Subtotal Norvik Ltd", "10,00")))
    sure = _extract(_read(_draw(tmp_path / "sure.pdf", [page])))
    assert sure.rows[0].value("supplier") == "Norvik Ltd"
    assert sure.reconciliation.action == "auto_import"


def test_a_description_goes_on_over_the_page_end(tmp_path: Path) -> None:
    pages: list[list[tuple[float, Sequence[Text]]]] = [
        [(100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe, delivered", "10,00"))],
        [
            (100, ITEMS), (115, [(190, "with note 4711")]),
            (140, _item("R-2", "02.07.2025", "Brass valve", "5,00")), (170, _total("Grand total", "15,00")),
        ],
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "broken.pdf", pages)))
    description = statement.rows[0].cells[2]
    assert description.value == "Copper pipe, delivered with note 4711"
    assert [place.page for place in description.source.places] == [1, 2]
    assert statement.reconciliation.action == "auto_import"


def test_columns_without_a_repeated_header_go_on(tmp_path: Path) -> None:
    pages = [
        [(100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00"))],
        [(60, _item("R-2", "02.07.2025", "Brass valve", "5,00")), (90, _total("Grand total", "15,00"))],
    ]
    statement = _extract(_read(_draw(tmp_path / "headless.pdf", pages)))
    assert [(row.page, row.value("description")) for row in statement.rows] == [(1, "Copper pipe"), (2, "Brass valve")]
    assert statement.reconciliation.action == "auto_import"


def test_a_column_with_an_unknown_title_and_figures_is_asked_about(tmp_path: Path) -> None:
    head: tuple[Text, ...] = (*ITEMS[:3], (-450, "*Flurbs"), ITEMS[3])
    row: tuple[Text, ...] = (*_item("R-1", "01.07.2025", "Copper pipe", "10,00"), (-450, "4"))
    page = [(100, head), (120, row), (150, _total("Grand total", "10,00"))]
    reading = _read(_draw(tmp_path / "unknown.pdf", [page]))
    statement = _extract(reading)
    assert statement.reconciliation.action == "human_review"
    assert "the column “Flurbs” is not known" in statement.findings[0].message
    named = _extract(reading, StatementProfile(synonyms={"quantity": ("Flurbs",)}))
    assert named.rows[0].value("quantity") == "4"
    assert named.reconciliation.action == "auto_import"


BANK: tuple[Text, ...] = ((40, "*Date"), (110, "*Details"), (-400, "*Paid out"), (-480, "*Paid in"), (-555, "*Balance"))


def _bank(*middle: tuple[Text, ...]) -> list[tuple[float, Sequence[Text]]]:
    lines: list[tuple[float, Sequence[Text]]] = [
        (40, [(40, "Statement period 1 Feb 2026 to 28 Feb 2026")]),
        (60, [(40, "Opening balance"), (200, "100.00")]), (80, [(40, "Closing balance"), (200, "120.50")]), (110, BANK),
    ]  # fmt: skip
    return lines + [(130 + 20 * index, texts) for index, texts in enumerate(middle)]


def test_a_bank_statement_closes_over_its_balances(tmp_path: Path) -> None:
    page = _bank(
        ((40, "03 Feb"), (110, "Corner shop"), (-400, "12.50"), (-555, "87.50")),
        ((110, "Salary"), (-480, "33.00"), (-555, "120.50")),
    )
    statement = _extract(_read(_draw(tmp_path / "bank.pdf", [page])))
    assert [(row.value("date"), row.value("amount"), row.value("balance")) for row in statement.rows] == [
        ("2026-02-03", "-12.50", "87.50"),
        ("2026-02-03", "33.00", "120.50"),
    ]
    account = statement.reconciliation.scopes[-1]
    assert (account.scope, account.printed, account.delta) == ("account", Decimal("120.50"), Decimal("0.00"))
    assert statement.reconciliation.action == "auto_import"
    assert statement.columns == ("date", "description", "debit", "credit", "amount", "balance")


def test_a_wrong_balance_names_its_row(tmp_path: Path) -> None:
    page = _bank(
        ((40, "03 Feb"), (110, "Corner shop"), (-400, "12.50"), (-555, "87.50")),
        ((40, "04 Feb"), (110, "Salary"), (-480, "32.00"), (-555, "120.50")),
    )
    statement = _extract(_read(_draw(tmp_path / "wrong.pdf", [page])))
    assert statement.reconciliation.action == "human_review"
    assert statement.reconciliation.scopes[-1].delta == Decimal("1.00")
    assert [row.status for row in statement.rows] == ["confirmed", "review"]
    assert "87.50 + 32.00 is 119.50, not 120.50" in statement.rows[1].reasons[0]


def test_a_document_without_a_table_gives_no_rows_and_says_so(tmp_path: Path) -> None:
    statement = _extract(_read(_draw(tmp_path / "letter.pdf", [[(100, [(40, "Dear Sir, thank you for 10,00 EUR.")])]])))
    assert statement.rows == ()
    assert statement.reconciliation.action == "human_review"
    assert statement.findings[0].message.startswith("no row was found")


# ---- an engine that only quotes


@dataclass(frozen=True)
class Quoting:
    """An engine as a model is one: text and page, no places."""

    amounts: tuple[str, ...]
    name: str = "quoting"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        assert excerpt.window == Window(1, 1, 1)
        rows = tuple(
            RawRow(1, (Quote("invoice_number", "R-1"), Quote("date", "01.07.2025"), Quote("description", "Copper pipe"),
                       Quote("amount", amount)))
            for amount in self.amounts
        )  # fmt: skip
        total = RawTotal(1, "document", "Grand total", "", (Quote("amount", "20,00"),))
        return Found((*rows, total), (replace(summary, page=1),))


def test_quotes_are_placed_one_line_each(tmp_path: Path) -> None:
    twin = _item("R-1", "01.07.2025", "Copper pipe", "10,00")
    page = [(100, ITEMS), (120, twin), (140, twin), (170, _total("Grand total", "20,00"))]
    reading = _read(_draw(tmp_path / "quotes.pdf", [page]))
    statement = extract(reading, Profile(), Quoting(("10,00", "10,00")))
    assert statement.rows[0].box.top < statement.rows[1].box.top - 10
    assert statement.reconciliation.action == "auto_import"


def test_an_invented_row_is_kept_marked_and_holds_the_document_back(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")), (170, _total("Grand total", "20,00")),
    ]  # fmt: skip
    reading = _read(_draw(tmp_path / "invented.pdf", [page]))
    statement = extract(reading, Profile(), Quoting(("10,00", "10,00")))
    assert len(statement.rows) == 2
    assert "these words were not found on the page" in statement.rows[1].reasons
    assert statement.reconciliation.action == "human_review"


# ---- JSON


def test_the_json_holds_plain_strings_and_rounded_boxes(small: Path) -> None:
    data = json.loads(json.dumps(to_json(_extract(_read(small)))))
    row = data["rows"][0]
    assert set(row["values"]) == set(row["cells"]) == {
        "invoice_number", "date", "supplier", "description", "quantity", "unit_price", "amount",
    }  # fmt: skip
    assert all(isinstance(value, str) for value in row["values"].values())
    assert row["cells"]["amount"][0]["page"] == 1 and len(row["cells"]["amount"][0]["box"]) == 4
    assert (row["page"], row["windows"], row["status"], row["reasons"]) == (1, [1], "confirmed", [])
    document = data["reconciliation"]["scopes"][0]
    assert document["scope"] == "document" and document["delta"] == "0.00"
    assert document["printed"] == document["computed"]
    assert [(one["number"], one["first"], one["last"]) for one in data["windows"]] == [(1, 1, 5), (2, 5, 6)]


# ---- real statements, where there are any


@pytest.mark.parametrize("bank", ["asb_like_1p", "westpac_like_1p", "anz_like_bundle_two_periods"])
def test_real_statements_close_with_the_right_rows(shared: Path, bank: str) -> None:
    path = shared / "statements" / f"BankStatementOCR__nz_{bank}.pdf"
    accounts = json.loads(path.with_suffix(".json").read_text())["accounts"]
    wanted = [
        (entry["page"], entry["description"], entry["amount"], entry["balance"])
        for account in accounts
        for entry in account["transactions"]
    ]
    statement = _extract(_read(path))
    found = [(row.page, row.value("description"), row.value("amount"), row.value("balance")) for row in statement.rows]
    assert found == wanted
    assert statement.reconciliation.action == "auto_import"


def test_real_documents_that_are_no_statements_are_never_imported(shared: Path) -> None:
    for name in (
        "BankStatementOCR__tsb_mastercard_summary",
        "Parsr__fox_statements_rotated",
        "mindee__energy_bill_fra",
    ):
        assert _extract(_read(shared / "statements" / f"{name}.pdf")).reconciliation.action == "human_review", name


def test_a_bare_dollar_is_the_dollar_that_the_document_or_the_profile_names(tmp_path: Path) -> None:
    head: tuple[Text, ...] = (*ITEMS[:3], (-555, "*Amount"))
    page = [
        (60, [(40, "All amounts in NZD")]), (100, head), (120, _item("R-1", "01.07.2025", "Copper pipe", "$10.00")),
        (150, _total("Grand total", "$10.00")),
    ]  # fmt: skip
    reading = _read(_draw(tmp_path / "dollars.pdf", [page]))
    assert {scope.currency for scope in _extract(reading).reconciliation.scopes} == {"NZD"}
    named = _extract(reading, StatementProfile(currency="AUD"))
    assert {scope.currency for scope in named.reconciliation.scopes} == {"AUD"}


def test_figures_of_two_columns_that_stand_close_are_not_one(tmp_path: Path) -> None:
    head: tuple[Text, ...] = (*ITEMS[:3], (-420, "*Qty"), (-455, "*Price"), ITEMS[3])
    lines: list[tuple[float, Sequence[Text]]] = [(100, head)]
    for index in range(6):
        row = _item(f"R-{index}", "01.07.2025", "Copper pipe", "1.002,00")
        lines.append((120 + 15 * index, (*row, (-420, "2"), (-455, "501,00"))))
    close = _item("R-9", "02.07.2025", "Brass valve", "65.783,27")
    lines += [(220, (*close, (-423, "287"), (-455, "229,21"))), (250, _total("Grand total", "71.795,27"))]
    statement = _extract(_read(_draw(tmp_path / "close.pdf", [lines])))
    last = statement.rows[-1]
    assert last.status == "review" or (last.value("quantity"), last.value("unit_price")) == ("287", "229.21")


@pytest.mark.parametrize("end", ["", "M8"])
def test_lines_as_far_apart_as_rows_go_on_where_the_first_had_no_room(tmp_path: Path, end: str) -> None:
    long = "Lastra cassa cavo armadio manutenzione trasporto lampada"
    lines: list[tuple[float, Sequence[Text]]] = [(100, ITEMS)]
    top = 118.0
    for number in range(18):
        rest = end if number in (4, 9) else ""
        lines.append((top, _item(f"R-{number}", "01.07.2025", long if rest else long[: 20 + number], "1,00")))
        top += 18
        if rest:
            lines.append((top, [(190, rest)]))
            top += 18
    lines.append((top + 10, _total("Grand total", "18,00")))
    statement = _extract(_read(_draw(tmp_path / "far.pdf", [lines], 10)))
    assert len(statement.rows) == 18
    said = [row.value("description") for row in statement.rows if row.status == "confirmed"]
    if end:
        assert f"{long} {end}" in said or statement.reconciliation.action == "human_review"
        assert long not in said
    else:
        assert statement.reconciliation.action == "auto_import"


def test_titles_that_touch_are_told_apart(tmp_path: Path) -> None:
    head: tuple[Text, ...] = (
        (40, "*Invoice no.Date"),
        (190, "*Description"),
        (-470, "*Quantity"),
        (-555, "*Amount EUR"),
    )
    lines: list[tuple[float, Sequence[Text]]] = [(100, head)]
    for number in range(6):
        row = ((40, f"{300 + number}/2026"), (94, "01.07.2025"), (190, "Copper pipe"), (-470, "2"), (-555, "5,00"))
        lines.append((120 + 15 * number, row))
    lines.append((230, _total("Grand total", "30,00")))
    statement = _extract(_read(_draw(tmp_path / "glued.pdf", [lines])))
    assert _values(statement.rows[0]) == {
        "invoice_number": "300/2026", "date": "2025-07-01", "description": "Copper pipe", "quantity": "2",
        "amount": "5.00",
    }  # fmt: skip
    assert statement.reconciliation.action == "auto_import"


def test_a_date_in_the_column_of_suppliers_is_never_a_part_of_the_name(tmp_path: Path) -> None:
    head: tuple[Text, ...] = ((40, "*Invoice no."), (118, "*Supplier"), (260, "*Description"), (-555, "*Amount EUR"))
    lines: list[tuple[float, Sequence[Text]]] = [(100, head)]
    for number in range(6):
        row = ((40, f"R-{number}"), (118, "01.07.2025 Tarn Ltd"), (260, "Copper pipe"), (-555, "5,00"))
        lines.append((120 + 15 * number, row))
    lines.append((230, _total("Grand total", "30,00")))
    statement = _extract(_read(_draw(tmp_path / "dated.pdf", [lines])))
    assert statement.reconciliation.action == "human_review"
    assert "“01.07.2025” stands in the column Supplier, and no column of dates was found" in statement.rows[0].reasons


def test_subtotals_may_leave_some_names_out(tmp_path: Path) -> None:
    lines: list[tuple[float, Sequence[Text]]] = [(100, ITEMS)]
    top = 130.0
    for name, label in (("Tarn Ltd", "Subtotal"), ("Velmar AG", "Subtotal Velmar AG"), ("Norvik", "Subtotal")):
        lines.append((top, [(40, f"*{name}")]))
        lines += [(top + 15 * n, _item(f"{name[0]}-{n}", "01.07.2025", "Copper pipe", "5,00")) for n in (1, 2)]
        lines.append((top + 48, _total(label, "10,00")))
        top += 75
    lines.append((top, _total("Grand total", "30,00")))
    statement = _extract(_read(_draw(tmp_path / "some.pdf", [lines])))
    assert [row.value("supplier") for row in statement.rows] == ["Tarn Ltd"] * 2 + ["Velmar AG"] * 2 + ["Norvik"] * 2
    assert statement.reconciliation.action == "auto_import"


def test_a_row_above_a_small_heading_is_not_lost(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")), (150, [(190, "Delivery of the week")]),
        (180, _item("R-2", "02.07.2025", "Brass valve", "5,00")), (210, _total("Grand total", "15,00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "heading.pdf", [page])))
    assert [row.value("description") for row in statement.rows] == ["Copper pipe", "Brass valve"]
    assert statement.reconciliation.action == "auto_import"


def test_a_line_that_may_be_part_of_the_row_or_not_is_in_review(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")), (131, [(190, "Delivery of the week")]),
        (142, _item("R-2", "02.07.2025", "Brass valve", "5,00")),
        (153, _item("R-3", "02.07.2025", "Steel bolt", "1,00")), (180, _total("Grand total", "16,00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "tight.pdf", [page])))
    assert statement.reconciliation.action == "human_review"
    assert statement.rows[0].reasons == ("“Delivery of the week” may be a line of its own",)


def test_sums_of_taxes_below_the_total_are_no_rows(tmp_path: Path) -> None:
    taxes = [
        (220, [(40, "*VAT rate"), (-400, "*Net"), (-555, "*VAT")]),
        (240, [(40, "20 %"), (-400, "10,00"), (-555, "2,00")]),
    ]
    page = [
        (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")), (170, _total("Grand total", "10,00")),
        *taxes,
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "taxes.pdf", [page])))
    assert len(statement.rows) == 1
    assert statement.reconciliation.action == "auto_import"
    assert statement.findings[0].message == "page 1: neither row nor total: “20 % 10,00 2,00”"


def test_a_subtotal_whose_supplier_no_row_has_is_asked_about(tmp_path: Path) -> None:
    page = [
        (100, ITEMS), (120, _item("R-1", "01.07.2025", "Copper pipe", "10,00")),
        (145, _total("Subtotal Norvik Ltd", "10,00")), (170, _total("Grand total", "10,00")),
    ]  # fmt: skip
    statement = _extract(_read(_draw(tmp_path / "nobody.pdf", [page])))
    assert statement.reconciliation.action == "human_review"
    assert "a subtotal names “Norvik Ltd”, but no row stands under that name" in statement.findings[0].message


def test_synonyms_of_a_column_that_does_not_exist_are_refused_by_name(small: Path) -> None:
    with pytest.raises(UsageError, match="unknown column 'ammount'; known columns: invoice_number, date, supplier"):
        _extract(_read(small), StatementProfile(synonyms={"ammount": ("Betrag",)}))


@dataclass
class Listening:
    """The local engine, with an ear for the summaries that it is handed."""

    local: LocalEngine
    heard: list[Summary]
    name: str = "listening"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        self.heard.append(summary)
        return self.local.rows(excerpt, columns, summary)


def test_the_summary_tells_supplier_subtotal_columns_and_last_row(samples: Path, sample: Reading) -> None:
    engine = Listening(LocalEngine(), [])
    extract(sample, Profile(), engine)
    totals = json.loads((samples / "statement.truth.json").read_text())["totals"]
    assert [summary.page for summary in engine.heard] == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36]
    second = engine.heard[1]
    assert second.supplier == "Dunmarrow Logistics Sp. z o.o."
    assert second.subtotal == Decimal(totals["pages"]["4"]) - Decimal(totals["suppliers"]["Amberlow Office Ltd"])
    assert [column.name for column in second.columns] == [
        "invoice_number", "date", "description", "quantity", "unit_price", "amount",
    ]  # fmt: skip
    assert second.last_row is not None and second.last_row.page == 4
