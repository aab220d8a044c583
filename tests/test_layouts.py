"""Statements of other layouts than the samples', one test for each kind that was once read wrong or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline import worker
from pipeline.local import LocalEngine
from pipeline.model import Row, Statement
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract
from tests.drawn import HEADER, Line, Text, pdf

BANK: tuple[Text, ...] = ((40, "*Date"), (110, "*Details"), (-400, "*Debit"), (-480, "*Credit"), (-555, "*Balance"))
ITEMS: tuple[Text, ...] = ((40, "*Invoice no."), (120, "*Date"), (190, "*Description"), (-555, "*Amount EUR"))


def _extract(path: Path, *pages: Sequence[Line]) -> Statement:
    return extract(worker.read(pdf(path, pages), ReadingProfile()), Profile(), LocalEngine())


def _row(invoice: str, amount: str) -> tuple[Text, ...]:
    return ((40, invoice), (120, "2025-07-14"), (190, "Hinges"), (-555, amount))


def _total(label: str, amount: str) -> tuple[Text, ...]:
    return ((190, label), (-555, amount))


def _read(rows: Sequence[Row], *columns: str) -> list[tuple[str | None, ...]]:
    return [tuple(row.value(column) for column in columns) for row in rows]


def test_figures_on_the_last_line_of_a_row_belong_to_it(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, HEADER),
        (120, ((40, "A-1"), (110, "2025-07-01"), (180, "Hinges of brass,"))),
        (130, ((180, "left and right"), (-400, "2"), (-470, "10.00"), (-555, "20.00"))),
        (150, ((40, "A-2"), (110, "2025-07-02"), (180, "Bolts"), (-400, "1"), (-470, "5.00"), (-555, "5.00"))),
        (170, ((180, "Grand total"), (-555, "25.00"))),
    ]
    statement = _extract(tmp_path / "last.pdf", lines)
    assert _read(statement.rows, "invoice_number", "description", "amount") == [
        ("A-1", "Hinges of brass, left and right", "20.00"),
        ("A-2", "Bolts", "5.00"),
    ]
    assert statement.reconciliation.action == "auto_import"


def test_plain_headings_are_suppliers_where_each_group_has_its_subtotal(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ITEMS),
        (120, [(40, "Havelmark Ltd")]), (140, _row("A-1", "10.00")), (160, _total("Subtotal", "10.00")),
        (180, [(40, "Orbelli Ltd")]), (200, _row("A-2", "20.00")), (220, _total("Subtotal", "20.00")),
        (240, _total("Grand total", "30.00")),
    ]  # fmt: skip
    statement = _extract(tmp_path / "groups.pdf", lines)
    assert _read(statement.rows, "supplier") == [("Havelmark Ltd",), ("Orbelli Ltd",)]
    assert statement.reconciliation.action == "auto_import"


def test_a_single_plain_heading_over_rows_is_asked_about(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ITEMS), (120, [(40, "Havelmark Ltd")]), (140, _row("A-1", "10.00")),
        (160, _total("Subtotal", "10.00")), (180, _total("Grand total", "10.00")),
    ]  # fmt: skip
    statement = _extract(tmp_path / "single.pdf", lines)
    assert statement.reconciliation.action == "human_review"
    assert [finding.kind for finding in statement.findings] == ["supplier_unsure"]


def test_a_total_with_a_headings_name_is_that_suppliers(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ITEMS),
        (120, [(40, "*Havelmark & Co. KG")]), (140, _row("A-1", "10.00")),
        (160, _total("Total Havelmark & Co. KG", "10.00")),
        (180, [(40, "*Orbelli Ltd")]), (200, _row("A-2", "20.00")), (220, _total("Total Orbelli Ltd", "20.00")),
        (240, _total("Grand total", "30.00")),
    ]  # fmt: skip
    statement = _extract(tmp_path / "named.pdf", lines)
    scopes = statement.reconciliation.scopes
    assert [scope.name for scope in scopes if scope.scope == "supplier"] == ["Havelmark & Co. KG", "Orbelli Ltd"]
    assert statement.reconciliation.action == "auto_import"


def test_a_transfer_is_no_sum_carried_forward(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ((40, "*Datum"), (110, "*Buchungstext"), (-400, "*Soll"), (-480, "*Haben"), (-555, "*Saldo"))),
        (120, ((110, "Anfangssaldo"), (-555, "100,00"))),
        (140, ((40, "03.02.2026"), (110, "Übertrag Tisovac"), (-400, "40,00"), (-555, "60,00"))),
        (160, ((40, "04.02.2026"), (110, "Gutschrift"), (-480, "5,50"), (-555, "65,50"))),
        (180, ((110, "Endsaldo"), (-555, "65,50"))),
    ]
    statement = _extract(tmp_path / "transfer.pdf", lines)
    assert _read(statement.rows, "description", "amount") == [("Übertrag Tisovac", "-40.00"), ("Gutschrift", "5.50")]
    assert statement.reconciliation.action == "auto_import"


def test_accounts_in_sequence_close_each_with_its_own_sums(tmp_path: Path) -> None:
    lines: list[Line] = [(80, [(40, "Account 1")]), (100, BANK)]
    lines += [
        (120, ((110, "Balance brought forward"), (-555, "100.00"))),
        (140, ((40, "2026-02-03"), (110, "Shop"), (-400, "40.00"), (-555, "60.00"))),
        (160, ((110, "Closing balance"), (-555, "60.00"))),
        (180, ((110, "Total debits"), (-400, "40.00"))),
        (220, [(40, "Account 2")]),
        (240, BANK),
        (260, ((110, "Balance brought forward"), (-555, "7.00"))),
        (280, ((40, "2026-02-04"), (110, "Fee"), (-400, "2.00"), (-555, "5.00"))),
        (300, ((110, "Closing balance"), (-555, "5.00"))),
    ]
    statement = _extract(tmp_path / "accounts.pdf", lines)
    assert [str(scope.printed) for scope in statement.reconciliation.scopes if scope.scope == "account"] == [
        "60.00", "5.00", "-40.00",
    ]  # fmt: skip
    assert statement.reconciliation.action == "auto_import"


def test_the_newest_row_may_stand_first_under_the_closing_balance(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, BANK),
        (120, ((110, "Closing balance"), (-555, "55.00"))),
        (140, ((40, "2026-02-04"), (110, "Fee"), (-400, "5.00"), (-555, "55.00"))),
        (160, ((110, "Shop"), (-400, "40.00"), (-555, "60.00"))),
        (180, ((110, "Opening balance"), (-555, "100.00"))),
    ]
    statement = _extract(tmp_path / "newest.pdf", lines)
    assert _read(statement.rows, "description", "amount") == [("Fee", "-5.00"), ("Shop", "-40.00")]
    assert statement.reconciliation.action == "auto_import"


def test_tax_between_the_rows_and_the_grand_total_is_part_of_it(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ITEMS), (120, _row("A-1", "100.00")), (140, _total("Total", "100.00")),
        (160, _total("VAT 20 %", "20.00")), (180, _total("Total payable", "120.00")),
    ]  # fmt: skip
    assert _extract(tmp_path / "tax.pdf", lines).reconciliation.action == "auto_import"
    lines[3] = (160, _total("VAT 20 %", "21.00"))
    assert _extract(tmp_path / "wrong.pdf", lines).reconciliation.action == "human_review"


def test_a_row_goes_on_behind_the_page_total_and_the_next_pages_header(tmp_path: Path) -> None:
    broken = ((40, "A-1"), (120, "2025-07-14"), (190, "Hinges of brass"), (-555, "10.00"))
    first: list[Line] = [(100, ITEMS), (120, broken), (140, _total("Page total", "10.00"))]
    second: list[Line] = [
        (80, ITEMS), (100, [(190, "48799")]), (120, _row("A-2", "20.00")), (140, _total("Grand total", "30.00")),
    ]  # fmt: skip
    statement = _extract(tmp_path / "broken.pdf", first, second)
    assert _read(statement.rows, "description") == [("Hinges of brass 48799",), ("Hinges",)]


def test_days_come_first_in_languages_that_always_put_them_first(tmp_path: Path) -> None:
    header = ((40, "*Factura"), (120, "*Fecha"), (190, "*Concepto"), (-555, "*Importe"))
    row = ((40, "A-1"), (120, "03/04/2025"), (190, "Bomba"), (-555, "10,00"))
    statement = _extract(tmp_path / "fecha.pdf", [(100, header), (120, row), (140, _total("Total general", "10,00"))])
    assert _read(statement.rows, "date") == [("2025-04-03",)]
    assert statement.reconciliation.action == "auto_import"


def test_where_no_table_is_known_the_page_with_the_amounts_is_named(tmp_path: Path) -> None:
    pages: list[list[Line]] = [
        [(100, [(40, "Dear customer")])],
        [(100, [(40, "Paid to Orbelli")]), (120, [(40, "€305.49")])],
    ]
    statement = _extract(tmp_path / "cards.pdf", *pages)
    assert statement.reconciliation.action == "human_review"
    assert [(finding.kind, finding.page) for finding in statement.findings] == [("no_rows", None), ("no_table", 2)]


def test_a_date_printed_once_a_day_holds_for_the_rows_below_it(tmp_path: Path) -> None:
    def line(y: float, day: str, words: str, debit: str) -> Line:
        return (y, (*(((40, day),) if day else ()), (110, words), (-400, debit)))

    lines: list[Line] = [
        (100, ((40, "*Date"), (110, "*Details"), (-400, "*Debit"), (-480, "*Credit"))),
        line(120, "2025-01-04", "Card", "1.00"), line(140, "", "Fee", "2.00"), line(160, "", "Rent", "3.00"),
        line(180, "2025-01-05", "Card", "4.00"), line(200, "", "Fee", "5.00"),
        (220, ((110, "Total debits"), (-400, "15.00"))),
    ]  # fmt: skip
    statement = _extract(tmp_path / "once.pdf", lines)
    assert [row.value("date") for row in statement.rows] == ["2025-01-04"] * 3 + ["2025-01-05"] * 2
    assert statement.reconciliation.action == "auto_import"
    lines[4] = line(180, "2025-01-04", "Card", "4.00")  # a date printed twice: each row should have its own
    assert _extract(tmp_path / "each.pdf", lines).reconciliation.action == "human_review"


def test_numbers_that_count_rows_are_no_part_of_the_documents_numbers(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ((40, "*N."), (58, "*Documento"), (140, "*Data"), (210, "*Descrizione"), (-555, "*Importo"))),
        (120, ((44, "1"), (52, "6568"), (140, "2025-07-14"), (210, "Vite"), (-555, "10.00"))),
        (140, ((44, "2"), (52, "6568"), (140, "2025-07-14"), (210, "Staffa"), (-555, "20.00"))),
        (160, ((210, "Totale"), (-555, "30.00"))),
    ]
    statement = _extract(tmp_path / "counted.pdf", lines)
    assert _read(statement.rows, "invoice_number") == [("6568",), ("6568",)]
    assert statement.reconciliation.action == "auto_import"


def test_rows_without_a_currency_have_that_of_their_suppliers_subtotal(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, (*ITEMS[:3], (-555, "*Amount"))),
        (120, [(40, "Supplier: Havelmark Ltd")]), (140, _row("A-1", "10.00")), (160, _total("Subtotal", "EUR 10.00")),
        (180, [(40, "Supplier: Orbelli Ltd")]), (200, _row("A-2", "20.00")), (220, _total("Subtotal", "USD 20.00")),
        (240, _total("Grand total", "EUR 10.00")), (260, _total("Grand total", "USD 20.00")),
    ]  # fmt: skip
    statement = _extract(tmp_path / "currencies.pdf", lines)
    assert [row.currency for row in statement.rows] == ["EUR", "USD"]
    assert statement.reconciliation.action == "auto_import"


def test_an_account_without_credits_has_none_of_the_account_before(tmp_path: Path) -> None:
    def account(y: float, debit: str, credit: str, closing: str) -> list[Line]:
        return [
            (y, BANK), (y + 20, ((110, "Opening balance"), (-555, "50.00"))),
            (y + 40, ((40, "2025-01-04"), (110, "Card"), (-400, "5.00"), (-555, "45.00"))),
            *([(y + 60, ((40, "2025-01-05"), (110, "Salary"), (-480, credit), (-555, closing)))] if credit else []),
            (y + 80, ((110, "Closing balance"), (-555, closing))),
            (y + 100, ((110, "Total debits"), (-400, debit))),
            (y + 120, ((110, "Total credits"), (-480, credit or "0.00"))),
        ]  # fmt: skip

    statement = _extract(
        tmp_path / "sides.pdf", [*account(100, "5.00", "8.00", "53.00"), *account(300, "5.00", "", "45.00")]
    )
    assert statement.reconciliation.action == "auto_import"


def test_a_suppliers_name_goes_on_at_the_next_pages_top(tmp_path: Path) -> None:
    head: tuple[Text, ...] = ((40, "*Supplier"), (180, "*Invoice no."), (280, "*Description"), (-555, "*Amount"))
    first: list[Line] = [
        (700, head),
        (720, ((40, "Orbelli Ltd"), (180, "A-1"), (280, "Bolts"), (-555, "10.00"))),
        (740, ((40, "Severnik Grubenau"), (180, "A-2"), (280, "Pump,"), (-555, "20.00"))),
    ]
    second: list[Line] = [
        (60, head), (80, ((40, "Trading Ltd"), (280, "Coupling and"))), (90, ((280, "clamp"),)),
        (120, ((40, "Orbelli Ltd"), (180, "A-3"), (280, "Seals"), (-555, "5.00"))),
        (140, ((280, "Grand total"), (-555, "35.00"))),
    ]  # fmt: skip
    statement = _extract(tmp_path / "broken.pdf", first, second)
    broken = statement.rows[1]
    assert (broken.value("supplier"), broken.value("description")) == (
        "Severnik Grubenau Trading Ltd",
        "Pump, Coupling and clamp",
    )
    assert statement.reconciliation.action == "auto_import"


def test_titles_that_stand_close_are_two_columns(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ((40, "*Conto"), (72, "*Fattura n."), (140, "*Data"), (210, "*Descrizione"), (-555, "*Importo"))),
        (120, ((40, "4100"), (72, "RE318"), (140, "2025-07-14"), (210, "Vite"), (-555, "10.00"))),
        (140, ((40, "4711"), (72, "RE319"), (140, "2025-07-14"), (210, "Staffa"), (-555, "20.00"))),
        (160, ((210, "Totale"), (-555, "30.00"))),
    ]
    statement = _extract(tmp_path / "close.pdf", lines)
    assert _read(statement.rows, "invoice_number") == [("RE318",), ("RE319",)]
    assert statement.reconciliation.action == "auto_import"


def test_a_title_ends_at_a_wide_gap_rather_than_with_its_first_words(tmp_path: Path) -> None:
    titles = ((40, "*Ligne"), (71, "*N° facture"), (140, "*Date"), (210, "*Libellé"), (-555, "*Montant EUR"))
    rows = [((-60, str(at)), (71, f"F/{at}"), (140, "2025-07-14"), (210, "Vis"), (-555, "10.00")) for at in (1, 2)]
    lines: list[Line] = [(100, titles), (120, rows[0]), (140, rows[1]), (160, _total("Total", "20.00"))]
    statement = _extract(tmp_path / "ligne.pdf", lines)
    assert _read(statement.rows, "invoice_number") == [("F/1",), ("F/2",)]
    assert statement.reconciliation.action == "auto_import"


def test_a_title_may_end_with_the_kind_of_amount_and_its_currency(tmp_path: Path) -> None:
    titles = ((40, "*Factura"), (120, "*Fecha"), (190, "*Concepto"))
    lines: list[Line] = [
        (100, (*titles, (300, "*Uds."), (324, "*Precio unitario"), (395, "*Importe neto EUR"))),
        (120, ((40, "F-1"), (120, "2025-07-14"), (190, "Tornillo"), (-319, "2"), (-390, "5,00"), (-471, "10,00"))),
        (140, ((190, "Total"), (-471, "10,00"))),
    ]
    statement = _extract(tmp_path / "net.pdf", lines)
    assert _read(statement.rows, "quantity", "unit_price", "amount") == [("2", "5.00", "10.00")]


def test_totals_tell_nothing_of_columns_that_stand_close(tmp_path: Path) -> None:
    header: Line = (100, ((40, "*Datum"), (80, "*Re.-Nr."), (117, "*Fällig am"), (-260, "*Betrag EUR")))
    rows: list[Line] = []
    for at, (name, amount) in enumerate((("Kestrelbyford & Co. KG", "10,00"), ("Lindenrothmark & Co. KG", "20,00"))):
        top = 120 + 45 * at
        rows += [
            (top, [(40, f"*Kreditor: {name}")]),
            (top + 15, ((40, "06.04.24"), (80, f"A3855{at}"), (117, "20.04.24"), (-260, amount))),
            (top + 30, ((40, f"*Summe {name}"), (-260, amount))),
        ]
    statement = _extract(tmp_path / "close.pdf", [header, *rows, (220, ((40, "*Gesamtsumme"), (-260, "30,00")))])
    assert _read(statement.rows, "date", "invoice_number", "amount") == [
        ("2024-04-06", "A38550", "10.00"),
        ("2024-04-06", "A38551", "20.00"),
    ]
    assert statement.reconciliation.action == "auto_import"


def test_what_stands_above_the_first_table_is_no_part_of_a_row_on_the_next_page(tmp_path: Path) -> None:
    titles: Line = (100, ((40, "*Supplier"), (150, "*Invoice no."), (250, "*Description"), (-555, "*Amount EUR")))
    head: Line = (40, ((40, "Open items"), (250, "Orbelli Holding")))

    def row(top: float, number: str) -> Line:
        return (top, ((40, "Havelmark Ltd"), (150, number), (250, "Hinges"), (-555, "10.00")))

    first: list[Line] = [(40, [(40, "Open items")]), (60, [(40, "Orbelli Holding")]), titles, row(120, "A-1")]
    second: list[Line] = [head, row(80, "A-2"), (100, ((150, "Grand total"), (-555, "20.00")))]
    statement = _extract(tmp_path / "head.pdf", first, second)
    assert _read(statement.rows, "supplier", "invoice_number") == [("Havelmark Ltd", "A-1"), ("Havelmark Ltd", "A-2")]
    assert statement.reconciliation.action == "auto_import"


def test_subtotals_of_months_cover_the_rows_since_the_one_before(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, ITEMS),
        (120, [(40, "*January 2025")]), (140, _row("A-1", "10.00")), (155, _row("A-2", "5.00")),
        (175, _total("*Total January 2025", "15.00")),
        (195, [(40, "*February 2025")]), (215, _row("A-3", "20.00")), (235, _total("*Total February 2025", "20.00")),
        (255, _total("*Grand total", "35.00")),
    ]  # fmt: skip
    statement = _extract(tmp_path / "months.pdf", lines)
    assert _read(statement.rows, "invoice_number", "supplier") == [("A-1", None), ("A-2", None), ("A-3", None)]
    assert [str(scope.printed) for scope in statement.reconciliation.scopes] == ["35.00", "15.00", "20.00"]
    assert statement.reconciliation.action == "auto_import"


def test_as_many_totals_as_suppliers_are_those_of_currencies_where_each_has_its_own(tmp_path: Path) -> None:
    titles: Line = (
        100,
        ((40, "*Supplier"), (150, "*Invoice no."), (250, "*Details"), (400, "*Cur."), (-555, "*Amount")),
    )
    rows = [("Norvik Ltd", "EUR", "EUR 10.00"), ("Orbelli Ltd", "CHF", "CHF 30.00"), ("Orbelli Ltd", "EUR", "EUR 5.00")]
    lines: list[Line] = [titles]
    for at, (name, code, amount) in enumerate(rows):
        place = (40, name), (150, f"A-{at}"), (250, "Hinges"), (400, code), (-555, amount[4:])
        lines.append((120 + 20 * at, place))
    lines += [(200, ((40, "*Total EUR"), (-555, "15.00"))), (220, ((40, "*Total CHF"), (-555, "30.00")))]
    statement = _extract(tmp_path / "two.pdf", lines)
    assert [(row.currency, row.value("amount")) for row in statement.rows] == [
        ("EUR", "10.00"),
        ("CHF", "30.00"),
        ("EUR", "5.00"),
    ]
    assert statement.reconciliation.action == "auto_import"


def test_a_currency_at_the_left_of_its_cell_is_no_word_of_the_description(tmp_path: Path) -> None:
    rows: list[Line] = [(120 + 20 * at, (*_row(f"A-{at}", "10.00"), (480, "CHF"))) for at in range(4)]
    lines: list[Line] = [(100, (*ITEMS[:-1], (-555, "*Amount"))), *rows, (220, _total("Total", "40.00"))]
    statement = _extract(tmp_path / "sign.pdf", lines)
    assert _read(statement.rows, "description", "amount") == [("Hinges", "10.00")] * 4
    assert {row.currency for row in statement.rows} == {"CHF"}
    assert statement.reconciliation.action == "auto_import"


def test_a_heading_above_the_titles_names_the_supplier_of_the_rows_below(tmp_path: Path) -> None:
    lines: list[Line] = [
        (80, [(40, "*Supplier: Norvik Ltd")]), (100, ITEMS), (120, _row("A-1", "10.00")),
        (140, _total("Total Norvik Ltd", "10.00")),
        (180, [(40, "*Supplier: Orbelli Ltd")]),
        (200, (ITEMS[1], (40, "*Description"), (190, "*Invoice no."), ITEMS[3])),
        (220, ((40, "Bolts"), (120, "2025-07-15"), (190, "A-2"), (-555, "5.00"))),
        (240, _total("Total Orbelli Ltd", "5.00")), (280, _total("Grand total", "15.00")),
    ]  # fmt: skip
    statement = _extract(tmp_path / "above.pdf", lines)
    assert _read(statement.rows, "supplier", "invoice_number", "description") == [
        ("Norvik Ltd", "A-1", "Hinges"),
        ("Orbelli Ltd", "A-2", "Bolts"),
    ]
    assert statement.reconciliation.action == "auto_import"


def test_a_page_number_is_no_row_below_the_last_of_them(tmp_path: Path) -> None:
    first: list[Line] = [
        (100, BANK),
        (120, ((40, "01.07.2025"), (110, "Opening balance"), (-555, "100.00"))),
        (140, ((40, "02.07.2025"), (110, "Fee"), (-400, "10.00"), (-555, "90.00"))),
        (800, ((300, "101 /"), (-400, "102"))),
    ]
    second: list[Line] = [
        (100, BANK),
        (120, ((110, "Closing balance"), (-555, "90.00"))),
        (800, ((300, "102 /"), (-400, "102"))),
    ]
    statement = _extract(tmp_path / "number.pdf", first, second)
    assert _read(statement.rows, "description", "amount") == [("Fee", "-10.00")]
    assert statement.reconciliation.action == "auto_import"


def test_small_type_at_the_foot_does_not_make_rows_of_the_page_look_large(tmp_path: Path) -> None:
    first: list[Line] = [(100, ITEMS), (780, _row("A-1", "10.00"))]
    second: list[Line] = [(100, ITEMS), (120, [(190, "of brass")]), (140, _total("Total", "10.00"))]
    path = pdf(tmp_path / "foot.pdf", [first, second], foot="Page 2 of 2 pages")
    statement = extract(worker.read(path, ReadingProfile()), Profile(), LocalEngine())
    assert _read(statement.rows, "description") == [("Hinges of brass",)]


def test_cells_merged_over_rows_hold_for_each_of_them(tmp_path: Path) -> None:
    rows = [("Norvik Ltd", "A-1", "10.00"), ("", "A-2", "5.00"), ("", "A-3", "1.00"), ("Orbelli Ltd", "A-4", "2.00")]
    lines: list[Line] = [(100, ((40, "*Supplier"), (150, "*Invoice no."), (250, "*Details"), (-555, "*Amount EUR")))]
    for at, (name, number, amount) in enumerate(rows):
        lines.append((120 + 20 * at, ((40, name), (150, number), (250, "Hinges"), (-555, amount))))
    lines.append((210, ((40, "Total"), (-555, "18.00"))))
    across = (35.0, 145.0, 245.0, 400.0, 560.0)
    rules = [
        (35.0 if y in (86, 106, 166, 186) else 145.0, y, 560.0, y) for y in (86.0, 106.0, 126.0, 146.0, 166.0, 186.0)
    ]
    rules += [(x, 86.0, x, 186.0) for x in across]
    path = pdf(tmp_path / "merged.pdf", [lines], rules=rules)
    statement = extract(worker.read(path, ReadingProfile()), Profile(), LocalEngine())
    assert _read(statement.rows, "supplier", "invoice_number") == [
        ("Norvik Ltd", "A-1"),
        ("Norvik Ltd", "A-2"),
        ("Norvik Ltd", "A-3"),
        ("Orbelli Ltd", "A-4"),
    ]
    assert statement.reconciliation.action == "auto_import"


def _listed(*rows: tuple[str, str, str]) -> list[Line]:
    """Rows of supplier, date and number, each of 10.00, and their total."""
    lines: list[Line] = [
        (100, ((40, "*Supplier"), (150, "*Date"), (250, "*Invoice no."), (350, "*Details"), (-555, "*Amount EUR")))
    ]
    for at, (name, day, number) in enumerate(rows):
        cells = (40, name), (150, day and f"2025-07-{day}"), (250, number), (350, "Hinges"), (-555, "10.00")
        lines.append((120 + 20 * at, [text for text in cells if text[1]]))
    return [*lines, (140 + 20 * len(rows), ((350, "Total"), (-555, f"{10 * len(rows)}.00")))]


def test_names_printed_once_for_a_group_hold_for_its_rows_where_the_days_begin_anew(tmp_path: Path) -> None:
    first = [("Norvik Ltd", "03", "1"), ("", "", "2"), ("", "09", "3")]
    second = [("Orbelli Ltd", "02", "7"), ("", "05", "8"), ("", "", "9")]
    statement = _extract(tmp_path / "once.pdf", _listed(*first, ("", "", "4"), *second))
    assert _read(statement.rows, "supplier", "date") == [
        ("Norvik Ltd", "2025-07-03"), ("Norvik Ltd", "2025-07-03"), ("Norvik Ltd", "2025-07-09"),
        ("Norvik Ltd", "2025-07-09"),
        ("Orbelli Ltd", "2025-07-02"), ("Orbelli Ltd", "2025-07-05"), ("Orbelli Ltd", "2025-07-05"),
    ]  # fmt: skip
    assert statement.reconciliation.action == "auto_import"
    fewer = _extract(tmp_path / "fewer.pdf", _listed(*first, *second))
    assert fewer.rows[1].reasons == ("no date on the line",)  # two that lack it show no habit


def test_names_that_some_rows_lack_are_asked_about_where_no_order_shows_what_is_meant(tmp_path: Path) -> None:
    rows = [("Norvik Ltd", "03", "1"), ("", "04", "2"), ("Orbelli Ltd", "05", "3"), ("", "06", "4"), ("", "07", "5")]
    statement = _extract(tmp_path / "lack.pdf", _listed(*rows))
    assert _read(statement.rows, "supplier")[1] == ("Norvik Ltd",)
    assert statement.rows[1].reasons == ("the supplier is the one of the line above",)
    assert statement.reconciliation.action == "human_review"


def test_further_items_of_an_invoice_have_its_number_and_date(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, HEADER),
        (120, ((40, "A-1"), (110, "2025-07-01"), (180, "Hinges"), (-400, "2"), (-470, "10.00"), (-555, "20.00"))),
        (140, ((180, "Bolts"), (-400, "1"), (-470, "5.00"), (-555, "5.00"))),
        (160, ((180, "Grand total"), (-555, "25.00"))),
    ]
    statement = _extract(tmp_path / "items.pdf", lines)
    assert _read(statement.rows, "invoice_number", "date", "description") == [
        ("A-1", "2025-07-01", "Hinges"),
        ("A-1", "2025-07-01", "Bolts"),
    ]
    assert statement.reconciliation.action == "auto_import"


def test_lines_that_had_no_room_above_go_on_though_rows_stand_as_close(tmp_path: Path) -> None:
    titles: Line = (100, ((40, "*Rechnungsnr."), (120, "*Datum"), (190, "*Bezeichnung"), (-555, "*Betrag EUR")))

    def row(top: float, text: str) -> Line:
        return (top, ((40, f"A-{top}"), (120, "2025-07-14"), (190, text), (-555, "10,00")))

    long = ["Scheiben aus Messing mit Dichtung und langem", "Bolzen aus Stahl mit Kupplung und kurzem Fuß"]
    wrapped: list[Line] = [row(120, long[0]), (130, [(190, "Schlauch")]), row(140, long[1]), (150, [(190, "Gehäuse")])]
    last: list[Line] = [row(160, "Lampe"), row(170, "Lampe"), (190, ((190, "Endsumme"), (-555, "40,00")))]
    sure = _extract(tmp_path / "wrapped.pdf", [titles, *wrapped, *last])
    assert _read(sure.rows, "description") == [(f"{long[0]} Schlauch",), (f"{long[1]} Gehäuse",)] + [("Lampe",)] * 2
    assert sure.reconciliation.action == "auto_import"
    own: list[Line] = [row(120, "Scheibe"), (130, [(190, "Zubehör")]), row(140, long[1]), (150, [(190, "Gehäuse")])]
    open_ = _extract(tmp_path / "own.pdf", [titles, *own, *last])
    assert open_.rows[0].reasons == ("“Zubehör” may be a line of its own",)
    assert open_.reconciliation.action == "human_review"


def test_a_text_goes_on_in_lines_that_are_set_far_apart(tmp_path: Path) -> None:
    lines: list[Line] = [(100, ITEMS)]
    for top in (120, 150, 180):
        lines += [(top, _row(f"A-{top}", "10.00")), (top + 14, [(190, "of brass")])]
    statement = _extract(tmp_path / "apart.pdf", [*lines, (220, _total("Total", "30.00"))])
    assert _read(statement.rows, "description") == [("Hinges of brass",)] * 3
    assert statement.reconciliation.action == "auto_import"


def test_a_page_total_is_no_number_of_its_page(tmp_path: Path) -> None:
    lines: list[Line] = [(100, ITEMS), (120, _row("A-1", "10.00")), (140, _row("A-2", "10.00"))]
    path = pdf(
        tmp_path / "page.pdf",
        [[*lines, (160, ((190, "Page total"), (450, "1"), (-555, "20.00"))), (180, _total("Total", "20.00"))]],
        rules=[(x, 86.0, x, 190.0) for x in (35.0, 115.0, 185.0, 440.0, 560.0)]
        + [(35.0, y, 560.0, y) for y in (86.0, 106.0, 126.0, 146.0, 166.0, 190.0)],
    )
    statement = extract(worker.read(path, ReadingProfile()), Profile(), LocalEngine())
    assert statement.reconciliation.action == "auto_import"


def test_a_description_in_the_first_column_goes_on_at_the_next_pages_top(tmp_path: Path) -> None:
    titles: Line = (100, ((40, "*Description"), (250, "*Invoice no."), (350, "*Date"), (-555, "*Amount EUR")))

    def row(top: float, text: str) -> Line:
        return (top, ((40, text), (250, f"A-{top}"), (350, "2025-07-14"), (-555, "10.00")))

    head: list[Line] = [(80, [(40, "*Supplier: Norvik Ltd")]), titles, row(120, "Bolts"), row(780, "Hinges of")]
    total: Line = (160, ((40, "Grand total"), (-555, "30.00")))
    small = _extract(tmp_path / "small.pdf", head, [titles, (120, [(40, "brass")]), row(140, "Nuts"), total])
    assert _read(small.rows, "description") == [("Bolts",), ("Hinges of brass",), ("Nuts",)]
    large = _extract(tmp_path / "large.pdf", head, [titles, (120, [(40, "Messing")]), row(140, "Nuts"), total])
    assert [finding.kind for finding in large.findings if finding.severity != "info"] == ["supplier_unsure"]
    assert large.reconciliation.action == "human_review"


def test_figures_alone_at_a_pages_top_are_no_part_of_its_head(tmp_path: Path) -> None:
    first: list[Line] = [(40, [(190, "Tel. 118")]), (60, [(190, "2024/7")]), (100, ITEMS), (780, _row("A-1", "10.00"))]
    second: list[Line] = [(100, ITEMS), (120, [(190, "2024/118")]), (140, _total("Total", "10.00"))]
    statement = _extract(tmp_path / "figures.pdf", first, second)
    assert _read(statement.rows, "description") == [("Hinges 2024/118",)]


def test_a_currency_close_behind_a_price_stands_in_its_own_column(tmp_path: Path) -> None:
    titles = ((40, "*Invoice no."), (120, "*Date"), (190, "*Description"), (-330, "*Qty"))
    lines: list[Line] = [(100, (*titles, (360, "*Rate"), (387, "*Cur."), (-555, "*Amount")))]
    for at, (price, amount) in enumerate((("4.69", "9.38"), ("1,117.54", "2,235.08"), ("2.80", "5.60"))):
        cells = (40, f"A-{at}"), (120, "2025-07-14"), (190, "Hinges"), (-330, "2"), (-382, price), (387, "USD")
        lines.append((120 + 20 * at, (*cells, (-555, amount))))
    statement = _extract(tmp_path / "rate.pdf", [*lines, (200, _total("Total", "2,250.06"))])
    assert _read(statement.rows, "unit_price", "currency")[0] == ("4.69", "USD")
    assert statement.reconciliation.action == "auto_import"


def test_of_net_tax_and_gross_the_gross_is_the_amount(tmp_path: Path) -> None:
    for net, tax, gross in (("Net", "VAT", "Gross"), ("Netto", "USt", "Brutto"), ("Imponibile", "IVA", "Lordo")):
        titles = ((40, "*Invoice no."), (120, "*Date"), (190, "*Supplier"))
        lines: list[Line] = [(100, (*titles, (-400, f"*{net}"), (-470, f"*{tax}"), (-555, f"*{gross}")))]
        for at in range(3):
            cells = (40, f"A-{at}"), (120, "2025-07-14"), (190, "Norvik Ltd")
            lines.append((120 + 20 * at, (*cells, (-400, "10.00"), (-470, "2.00"), (-555, "12.00"))))
        lines.append((200, ((40, "Total"), (-400, "30.00"), (-470, "6.00"), (-555, "36.00"))))
        statement = _extract(tmp_path / f"{gross}.pdf", lines)
        assert _read(statement.rows, "amount") == [("12.00",)] * 3
        assert statement.reconciliation.action == "auto_import"


def test_columns_of_how_long_items_are_open_are_known(tmp_path: Path) -> None:
    ages = ((-280, "*Current"), (-350, "*1-30 days"), (-420, "*31-60 days"), (-490, "*over 60 days"))
    lines: list[Line] = [(100, ((40, "*Invoice no."), (120, "*Date"), *ages, (-555, "*Amount")))]
    for at, x in enumerate((-280, -350, -490)):
        lines.append((120 + 20 * at, ((40, f"A-{at}"), (120, "2025-07-14"), (x, "10.00"), (-555, "10.00"))))
    lines.append((200, ((40, "Grand total"), (-280, "10.00"), (-350, "10.00"), (-490, "10.00"), (-555, "30.00"))))
    statement = _extract(tmp_path / "aged.pdf", lines)
    assert _read(statement.rows, "invoice_number", "amount") == [("A-0", "10.00"), ("A-1", "10.00"), ("A-2", "10.00")]
    assert statement.reconciliation.action == "auto_import"


def test_two_statements_in_one_file_have_a_plain_total_each(tmp_path: Path) -> None:
    first: list[Line] = [
        (100, ITEMS),
        (120, _row("A-1", "10.00")),
        (140, _row("A-2", "5.00")),
        (160, _total("Total", "15.00")),
    ]
    second: list[Line] = [(100, ITEMS), (120, _row("B-1", "7.00")), (160, _total("Total", "7.00"))]
    statement = _extract(tmp_path / "file.pdf", first, second)
    assert [str(scope.printed) for scope in statement.reconciliation.scopes] == ["15.00", "7.00"]
    assert statement.reconciliation.action == "auto_import"


def test_an_overdrawn_balance_is_negative(tmp_path: Path) -> None:
    lines: list[Line] = [
        (100, BANK),
        (120, ((110, "Opening balance"), (-555, "5.00"))),
        (140, ((40, "02.07.2025"), (110, "Fee"), (-400, "10.00"), (-555, "5.00 OD"))),
        (160, ((110, "Closing balance"), (-555, "5.00 OD"))),
    ]
    statement = _extract(tmp_path / "od.pdf", lines)
    assert _read(statement.rows, "amount", "balance") == [("-10.00", "-5.00")]
    assert statement.reconciliation.action == "auto_import"


def test_words_that_only_turn_the_page_stand_in_no_rows_way(tmp_path: Path) -> None:
    first: list[Line] = [(100, ITEMS), (740, _row("A-1", "10.00")), (760, [(40, "Continued on the next page")])]
    second: list[Line] = [(100, ITEMS), (120, [(190, "of brass")]), (140, _total("Total", "10.00"))]
    statement = _extract(tmp_path / "over.pdf", first, second)
    assert _read(statement.rows, "description") == [("Hinges of brass",)]
    assert statement.reconciliation.action == "auto_import"
