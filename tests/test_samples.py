"""The samples' truth against the samples themselves, read with PDFium directly, and other seeds the same way."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from sample_docs import agreement, catalogue, invoices, statement, statement_values
from sample_docs.__main__ import draw
from sample_docs.words import Numbers, cyrillic, money

ROOT = Path(__file__).resolve().parent.parent / "sample_docs"


@cache
def texts(path: Path) -> tuple[str, ...]:
    """The text of each page, its spaces and line breaks as single spaces."""
    document = pypdfium2.PdfDocument(path)
    found = tuple(" ".join(page.get_textpage().get_text_range().split()) for page in document)
    document.close()
    return found


def truth(path: Path) -> Any:
    return json.loads(path.with_suffix("").with_suffix(".truth.json").read_text(encoding="utf-8"))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- all of them


def test_committed_samples_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in [*ROOT.glob("*.pdf"), *ROOT.glob("*.json")]}
    assert len(sizes) == 9
    assert max(sizes.values()) <= 2 * 1024**2
    assert sum(sizes.values()) < 8 * 1024**2


@pytest.mark.parametrize("name", ["agreement", "catalogue", "statement"])
def test_redrawing_gives_the_committed_bytes(name: str, tmp_path: Path) -> None:
    written = draw(name, tmp_path)
    assert digest(written.pdf) == digest(ROOT / f"{name}.pdf")
    assert digest(written.truth) == digest(ROOT / f"{name}.truth.json")
    questions = sorted(path.name for path in tmp_path.glob("*.csv"))
    assert questions == (["catalogue.questions.csv"] if name == "catalogue" else [])
    assert all(digest(tmp_path / list_name) == digest(ROOT / list_name) for list_name in questions)


def test_an_unknown_sample_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no sample named 'invoice'; known: agreement"):
        draw("invoice", tmp_path)


# ---- statement


def printed(value: Decimal, numbers: Numbers, trailing: bool = False) -> str:
    return money(value, numbers, trailing).replace("\u00a0", " ")


def assert_statement_holds(path: Path, numbers: Numbers = "1.234,56") -> None:
    """Each row's cells stand on its page; page sums, subtotals and the grand total are printed and add up."""
    pages, known = texts(path), truth(path)
    sums: dict[str, Decimal] = {}
    running = Decimal(0)
    for row in known["rows"]:
        values, page = row["values"], pages[row["page"] - 1]
        amount = Decimal(values["amount"])
        assert amount == (Decimal(values["quantity"]) * Decimal(values["unit_price"])).quantize(
            Decimal("0.01"), ROUND_HALF_UP
        )
        assert f" {printed(amount, numbers)} " in page or f" {printed(amount, numbers, trailing=True)} " in page
        assert values["invoice_number"] in page
        assert values["description"] in page
        year, month, day = values["date"].split("-")
        assert f"{day}.{month}.{year}" in page
        sums[values["supplier"]] = sums.get(values["supplier"], Decimal(0)) + amount
        running += amount
    totals = known["totals"]
    assert {name: str(value) for name, value in sums.items()} == totals["suppliers"]
    assert Decimal(totals["grand_total"]) == running == Decimal(totals["pages"][str(len(pages))])
    for number, text in enumerate(pages, start=1):
        assert printed(Decimal(totals["pages"][str(number)]), numbers) in text
    assert printed(running, numbers) in pages[-1]


def test_statement_is_true() -> None:
    path = ROOT / "statement.pdf"
    assert_statement_holds(path)
    pages, known = texts(path), truth(path)
    assert len(pages) == 40
    assert len(known["rows"]) == 1132
    assert len(known["totals"]["suppliers"]) == 8
    assert known["totals"]["currency"] == "EUR"
    assert sum("Carried forward" in text for text in pages) == 40
    assert sum("Brought forward" in text for text in pages) == 39
    assert sum("Grand total EUR" in text for text in pages) == 1
    assert sum("Subtotal" in text for text in pages[:-1]) >= 5


def test_statement_holds_what_makes_statements_hard() -> None:
    rows = truth(ROOT / "statement.pdf")["rows"]
    same = [json.dumps(row["values"], sort_keys=True) for row in rows]
    assert max(Counter(same).values()) == 2, "two identical real lines"
    breaks = [k for k in range(1, len(rows)) if rows[k]["page"] != rows[k - 1]["page"]]
    assert sum(same[k] == same[k - 1] for k in breaks) >= 1, "such a pair over a page break"
    numbers = Counter((row["values"]["supplier"], row["values"]["invoice_number"]) for row in rows)
    assert sum(count > 1 for count in numbers.values()) > 100, "one invoice number on several lines"
    credits = [row for row in rows if row["values"]["amount"].startswith("-")]
    assert len(credits) > 20
    text = " ".join(texts(ROOT / "statement.pdf"))
    trailing = [row for row in credits if f" {money(-Decimal(row['values']['amount']), '1.234,56')}- " in text]
    assert 0 < len(trailing) < len(credits), "a minus before some figures and behind others"


def test_statement_has_a_subtable_of_four_lines() -> None:
    pages, known = texts(ROOT / "statement.pdf"), truth(ROOT / "statement.pdf")
    holding = [number for number, text in enumerate(pages, start=1) if "Breakdown of consolidated delivery" in text]
    assert holding == [7]
    number = pages[6].split("Breakdown of consolidated delivery ")[1].split()[0]
    block = [r for r in known["rows"] if r["page"] == 7 and r["values"]["invoice_number"] == number]
    assert len(block) >= 4


def test_a_cell_of_the_statement_is_one_literal_string() -> None:
    content = (ROOT / "statement.pdf").read_bytes()
    first = truth(ROOT / "statement.pdf")["rows"][0]["values"]
    assert f"({first['invoice_number']}) Tj".encode() in content
    assert f"({money(Decimal(first['amount']), '1.234,56')}) Tj".encode() in content


@pytest.mark.parametrize(
    "options",
    [
        statement.StatementOptions(seed=3, pages=4, suppliers=3, layout="zebra", numbers="1,234.56", name="en"),
        statement.StatementOptions(seed=4, pages=5, suppliers=4, language="de", layout="compact", name="de"),
        statement.StatementOptions(seed=5, pages=3, suppliers=2, language="sr", numbers="1 234,56", name="sr"),
    ],
    ids=["english", "german", "serbian"],
)
def test_other_statements_are_true(options: statement.StatementOptions, tmp_path: Path) -> None:
    written = statement.write(tmp_path, options)
    assert len(texts(written.pdf)) == options.pages
    assert_statement_holds(written.pdf, options.numbers)


def test_a_statement_of_one_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least 2 pages"):
        statement.write(tmp_path, statement.StatementOptions(pages=1))


# ---- agreement


def assert_agreement_holds(path: Path, contents_word: str) -> None:
    """Titles and boilerplate stand on their pages, the contents name the right ones, parents exist."""
    pages, known = texts(path), truth(path)
    numbers = {section["number"] for section in known["sections"]}
    for section in known["sections"]:
        shown = f"{section['number']} {section['title']}" if section["number"] else section["title"]
        assert shown in pages[section["page"] - 1]
        assert section["parent"] is None or section["parent"] in numbers
    for line in known["boilerplate"]:
        assert line["text"] in pages[line["page"] - 1]
    listed = [line for line in known["boilerplate"] if line["reason"] == "contents" and line["text"] != contents_word]
    assert [int(line["text"].split()[-1]) for line in listed] == [section["page"] for section in known["sections"]]
    assert len(known["termination_clauses"]) == 6
    anchors = [section["anchor"] for section in known["sections"] if section["anchor"]]
    assert len(anchors) == len(set(anchors))


def test_agreement_is_true() -> None:
    path = ROOT / "agreement.pdf"
    assert_agreement_holds(path, "Contents")
    pages, known = texts(path), truth(path)
    assert len(pages) == 52
    assert 180_000 <= sum(map(len, pages)) <= 240_000
    assert [clause["anchor"] for clause in known["termination_clauses"]] == [
        "section-4-2", "section-4-5", "section-9-1", "section-9-2", "section-9-4", "appendix-b-3",
    ]  # fmt: skip
    assert all(f"Page {number} of 52" in text for number, text in enumerate(pages[1:], start=2))
    assert Counter(line["reason"] for line in known["boilerplate"]) == {
        "contents": 159, "header": 102, "footer": 51, "page number": 51, "signature": 10, "cover": 9,
    }  # fmt: skip


def test_only_termination_clauses_speak_of_termination() -> None:
    """Outside them, the contents and their titles, the word does not occur; 11.3 is about the law that governs."""
    known, pages = truth(ROOT / "agreement.pdf"), texts(ROOT / "agreement.pdf")
    allowed = {clause["page"] + more for clause in known["termination_clauses"] for more in (0, 1)}
    contents = {line["page"] for line in known["boilerplate"] if line["reason"] == "contents"}
    for number, text in enumerate(pages, start=1):
        if number not in allowed | contents:
            assert "terminat" not in text.lower().replace("determinat", "")
    law = next(section for section in known["sections"] if section["number"] == "11.3")
    body = pages[law["page"] - 1].split("11.3 Governing Law")[1].split("11.4 ")[0]
    assert "governed by the law" in body
    assert "terminat" not in body.lower()


def test_agreement_has_four_levels_references_and_numbering_that_restarts() -> None:
    text = " ".join(texts(ROOT / "agreement.pdf"))
    assert all(mark in text for mark in ("(a) ", "(b) ", "(i) ", "(ii) "))
    assert "Section 7.3(b)" in text
    assert "Schedule 2, paragraph 4" in text
    assert text.count("_" * 20) >= 8
    firsts = [s["parent"] for s in truth(ROOT / "agreement.pdf")["sections"] if s["number"] == "1"]
    assert firsts == [None, "Schedule 1", "Schedule 2", "Schedule 3", "Schedule 4"]


def test_no_sentence_of_the_agreement_occurs_twice() -> None:
    known = truth(ROOT / "agreement.pdf")
    skip = {line["page"] for line in known["boilerplate"] if line["reason"] in ("cover", "contents")}
    body = " ".join(text for number, text in enumerate(texts(ROOT / "agreement.pdf"), start=1) if number not in skip)
    sentences = Counter(part.strip() for part in body.split(". ") if len(part) > 60)
    assert [sentence for sentence, count in sentences.items() if count > 1] == []


@pytest.mark.parametrize(
    ("options", "contents"),
    [
        (agreement.AgreementOptions(seed=2, pages=47, vary=True, numbering="article", faces="serif"), "Contents"),
        (
            agreement.AgreementOptions(seed=3, pages=25, language="de", numbering="paragraph", faces="roboto"),
            "Inhaltsverzeichnis",
        ),
        (agreement.AgreementOptions(seed=4, pages=26, language="sr-Latn", vary=True, faces="dejavu"), "Sadržaj"),
        (agreement.AgreementOptions(seed=5, pages=26, language="sr-Cyrl", numbering="article"), "Садржај"),
    ],
    ids=["english", "german", "serbian-latin", "serbian-cyrillic"],
)
def test_other_agreements_are_true(options: agreement.AgreementOptions, contents: str, tmp_path: Path) -> None:
    written = agreement.write(tmp_path, options)
    assert len(texts(written.pdf)) == options.pages
    assert_agreement_holds(written.pdf, contents)


def test_an_agreement_too_short_for_its_clauses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be set on 9 pages: it needs"):
        agreement.write(tmp_path, agreement.AgreementOptions(pages=9))


# ---- catalogue


def assert_catalogue_holds(path: Path) -> None:
    """Headings stand on their pages, products on theirs, and each lookup names sections that exist."""
    pages, known = texts(path), truth(path)
    sections = {(section["number"], section["title"]): section for section in known["sections"]}
    for section in known["sections"]:
        shown = f"{section['number']} {section['title']}" if section["number"] else section["title"]
        assert shown in pages[section["page"] - 1]
    for lookup in known["lookups"]:
        assert lookup["product"] in lookup["question"]
        for name, page in zip(lookup["sections"], lookup["pages"], strict=True):
            assert sections[name["number"], name["title"]]["page"] <= page
            assert f"{lookup['product']} " in pages[page - 1]
        holding = [number for number, text in enumerate(pages, start=1) if f" {lookup['product']} " in f" {text} "]
        assert set(holding) == set(lookup["pages"])


def test_catalogue_is_true() -> None:
    path = ROOT / "catalogue.pdf"
    assert_catalogue_holds(path)
    pages, known = texts(path), truth(path)
    assert len(pages) == 38
    assert {section["level"] for section in known["sections"]} == {1, 2, 3}
    assert len(known["lookups"]) == 100
    assert len({lookup["product"] for lookup in known["lookups"]}) == 100
    assert Counter(len(lookup["sections"]) for lookup in known["lookups"]) == {1: 97, 2: 3}
    assert known["lookups"][0]["question"] == "Which category is X-204 in?"
    assert known["lookups"][0]["sections"] == [{"number": "4.2", "title": "Stainless Steel (304/316)"}]
    assert "X-204 M8x40 hex bolt, 316 grade" in pages[known["lookups"][0]["pages"][0] - 1]


def test_some_products_stand_on_a_later_page_than_their_heading() -> None:
    known = truth(ROOT / "catalogue.pdf")
    page = {(section["number"], section["title"]): section["page"] for section in known["sections"]}
    spilt = [
        lookup["product"]
        for lookup in known["lookups"]
        if page[lookup["sections"][0]["number"], lookup["sections"][0]["title"]] < lookup["pages"][0]
    ]
    assert len(spilt) >= 10


@pytest.mark.parametrize(
    "options",
    [
        catalogue.CatalogueOptions(seed=8, pages=16, chapters=4, columns=1, lookups=40),
        catalogue.CatalogueOptions(seed=9, pages=12, chapters=3, numbered=False, lookups=30, font="NotoSans"),
    ],
    ids=["one-column", "unnumbered"],
)
def test_other_catalogues_are_true(options: catalogue.CatalogueOptions, tmp_path: Path) -> None:
    written = catalogue.write(tmp_path, options)
    assert len(texts(written.pdf)) == options.pages
    assert_catalogue_holds(written.pdf)


# ---- invoices


def assert_invoices_hold(path: Path) -> None:
    """Pictures only; check digits and sums are right; each box lies on its page and has ink in it."""
    known = truth(path)
    document = pypdfium2.PdfDocument(path)
    for page in document:
        kinds = {item.type for item in page.get_objects()}
        assert kinds == {pdfium.FPDF_PAGEOBJ_IMAGE}
        assert page.get_textpage().count_chars() == 0
    document.close()
    for number in sorted({field["invoice"] for field in known["fields"]}):
        _assert_sums({f["name"]: f["normalised"] for f in known["fields"] if f["invoice"] == number})


def _assert_sums(invoice: dict[str, str]) -> None:
    lines = sum(1 for name in invoice if name.endswith("_quantity"))
    net: dict[str, Decimal] = {}
    for n in range(1, lines + 1):
        of = {name: invoice[f"line_item_{n}_{name}"] for name in ("quantity", "unit_price", "amount", "tax_rate")}
        amount = (Decimal(of["quantity"]) * Decimal(of["unit_price"])).quantize(Decimal("0.01"), ROUND_HALF_UP)
        assert str(amount) == of["amount"]
        net[of["tax_rate"]] = net.get(of["tax_rate"], Decimal(0)) + amount
    tax = Decimal(0)
    for n in range(1, len(net) + 1):
        base, rate = Decimal(invoice[f"tax_{n}_base"]), invoice[f"tax_{n}_rate"]
        assert base == net[rate]
        due = (base * Decimal(rate) / 100).quantize(Decimal("0.01"), ROUND_HALF_UP)
        assert str(due) == invoice[f"tax_{n}_amount"]
        tax += due
    assert Decimal(invoice["net_total"]) == sum(net.values())
    assert Decimal(invoice["tax_total"]) == tax
    assert Decimal(invoice["gross_total"]) == sum(net.values()) + tax
    account = invoice["iban"]
    assert int(account[4:] + "2728" + account[2:4]) % 97 == 1
    assert int(account[4:]) % 97 == 1
    assert _pib_holds(invoice["supplier_tax_id"])
    assert _pib_holds(invoice["buyer_tax_id"])


def _pib_holds(digits: str) -> bool:
    """ISO 7064 MOD 11,10, the other way round: with its check digit the sum comes to 1."""
    rest = 10
    for digit in digits[:-1]:
        rest = ((rest + int(digit)) % 10 or 10) * 2 % 11
    return (rest + int(digits[-1])) % 10 == 1


def test_invoices_are_true() -> None:
    path = ROOT / "invoices_scanned.pdf"
    assert_invoices_hold(path)
    known = truth(path)
    assert len(known["pages"]) == 8
    assert {field["invoice"] for field in known["fields"]} == {1, 2, 3, 4, 5, 6}
    for page in known["pages"]:
        assert -1.5 <= page["skew"] <= 1.5
        assert 0.6 <= page["blur"] <= 1.2
        assert 10 <= page["noise"] <= 20
        assert 40 <= page["quality"] <= 70
        assert 0.3 <= page["stamp"] <= 0.5
        assert page["streak"] in (2, 3, 4)
    values = " ".join(field["value"] for field in known["fields"])
    assert any("а" <= letter <= "я" for letter in values)
    assert any(letter in "čćšžđ" for letter in values)
    assert any("\n" in field["value"] for field in known["fields"]), "a cell of two lines"
    rates = Counter((f["page"], tuple(f["box"])) for f in known["fields"] if f["name"].endswith("_tax_rate"))
    assert max(rates.values()) > 1, "a tax rate in a cell merged over several lines"


def test_boxes_of_the_invoices_hold_ink() -> None:
    known, document = truth(ROOT / "invoices_scanned.pdf"), pypdfium2.PdfDocument(ROOT / "invoices_scanned.pdf")
    pictures = [page.render(scale=2, grayscale=True).to_pil() for page in document]
    document.close()
    for field in known["fields"]:
        x0, top, x1, bottom = (round(value * 2) for value in field["box"])
        darkest, _ = pictures[field["page"] - 1].crop((x0, top, x1, bottom)).getextrema()
        assert darkest < 150, field


def test_invoices_of_another_seed_are_true_and_the_same_each_time(tmp_path: Path) -> None:
    options = invoices.InvoicesOptions(seed=77, invoices=2, dpi=100, scripts="cyrillic")
    first = invoices.write(tmp_path / "one", options)
    second = invoices.write(tmp_path / "two", options)
    assert digest(first.pdf) == digest(second.pdf)
    assert digest(first.truth) == digest(second.truth)
    assert_invoices_hold(first.pdf)


def test_serbian_latin_becomes_cyrillic() -> None:
    assert cyrillic("Njegoš, Ljubav, Džep, Đurđevdan, čaša") == "Његош, Љубав, Џеп, Ђурђевдан, чаша"


def test_the_wrong_values_of_the_statement_are_the_committed_ones(tmp_path: Path) -> None:
    for name in ("statement.truth.json", statement_values.NAME):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    before = (tmp_path / statement_values.NAME).read_bytes()
    assert statement_values.write(tmp_path).read_bytes() == before
    assert len(json.loads(before)["rows"]) == 108  # of 109: one is left out
