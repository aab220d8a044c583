"""Values of any JSON held against pages drawn here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from pipeline import calendars, cli, files, leaves, numerals, profiles, tally, verify, worker
from pipeline.model import Reading, UsageError
from pipeline.verify import Verified

ROWS = [
    ("Bolt M8", "12", "1.50", "18.00"),
    ("Nut M8", "40", "0.25", "10.00"),
    ("Washer", "40", "0.10", "4.00"),
    ("Plate šavna", "2", "96.00", "192.00"),
    ("Beam", "1", "310.40", "310.40"),
]
VALUES = {
    "invoiceNumber": "R-2024/117",
    "issueDate": "2024-03-15",
    "dueDate": "2024-04-14",
    "grossTotal": 534.40,
    "items": [
        {"description": name, "quantity": int(count), "unitPrice": float(price), "amount": float(amount)}
        for name, count, price, amount in ROWS
    ],
}


def drawn(path: Path) -> Path:
    page = canvas.Canvas(str(path), pagesize=(595, 842), invariant=1)
    page.drawString(50, 800, "Invoice number: R-2024/117")
    page.drawString(50, 780, "Date: 15 March 2024")
    page.drawString(300, 780, "Due: 14.04.2024")
    for x, title in ((50, "Description"), (250, "Quantity"), (350, "Unit price"), (480, "Amount")):
        page.drawString(x, 740, title)
    for at, (name, *numbers) in enumerate(ROWS):
        page.drawString(50, 720 - 16 * at, name)
        for x, number in zip((295, 400, 520), numbers, strict=True):
            page.drawRightString(x, 720 - 16 * at, number)
    page.drawString(350, 620, "Total")
    page.drawRightString(520, 620, "534.40")
    page.save()
    return path


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    yield files.read(drawn(tmp_path_factory.mktemp("verify") / "invoice.pdf"), profiles.load("default"))
    worker.close()


def doubtful(verified: Verified) -> dict[str, str]:
    return {".".join(map(str, one.path)): one.reason for one in verified.values if one.status == "review"}


def changed(path: str, value: object) -> object:
    values = json.loads(json.dumps(VALUES))
    *steps, last = path.split(".")
    place = values
    for step in steps:
        place = place[int(step)] if step.isdecimal() else place[step]
    place[last] = value
    return values


def test_right_values_are_confirmed_with_their_places(reading: Reading) -> None:
    verified = verify.verify(reading, VALUES)
    assert doubtful(verified) == {}
    assert not verified.missing
    shown = {tuple(one["path"]): one for one in verify.to_json(verified)["values"]}
    assert shown["items", 1, "quantity"]["quote"] == "40"
    assert shown["items", 1, "quantity"]["box"][1] < shown["items", 2, "quantity"]["box"][1]
    assert shown["issueDate",]["quote"] == "15 March 2024"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("grossTotal", 534.90),  # a digit
        ("items.3.amount", 10.0),  # another row's
        ("items.1.unitPrice", 10.0),  # another column's
        ("items.0.description", "Bоlt M8"),  # a Cyrillic о
        ("items.3.description", "Plate savna"),  # without its accent
        ("items.4.quantity", 7),
        ("issueDate", "2024-04-14"),  # the other date
        ("dueDate", "2024-03-15"),
        ("grossTotal", -534.40),
        ("invoiceNumber", "R-2024/177"),
    ],
)
def test_an_altered_value_is_in_review(reading: Reading, path: str, value: object) -> None:
    found = doubtful(verify.verify(reading, changed(path, value)))
    assert path in found
    assert found[path]


def test_two_columns_exchanged_in_a_row_are_in_review(reading: Reading) -> None:
    values = json.loads(json.dumps(VALUES))
    row = values["items"][3]
    row["quantity"], row["unitPrice"] = row["unitPrice"], row["quantity"]
    assert {"items.3.quantity", "items.3.unitPrice"} <= set(doubtful(verify.verify(reading, values)))


def test_a_row_that_the_values_lack_is_missing(reading: Reading) -> None:
    values = json.loads(json.dumps(VALUES))
    del values["items"][2]
    verified = verify.verify(reading, values)
    assert [one.quote for one in verified.missing] == ["Washer 40 0.10 4.00"]
    assert doubtful(verified) == {}


LETTERS = "012345678"  # stand for other letters, and are as wide as each other


def said(path: Path, text: str) -> Path:
    """The file with that text in place of LETTERS: what its font says they are, whatever fonts a machine has."""
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        [font] = [one for one in file.pages[0].Resources.Font.values() if "NotoSans" in str(one.BaseFont)]
        table = font.ToUnicode.read_bytes()
        for letter, char in zip(LETTERS, text, strict=True):
            code = f"<{ord(letter):04X}>".encode()
            assert table.count(code) == 1
            table = table.replace(code, f"<{ord(char):04X}>".encode())
        font.ToUnicode.write(table)
        file.save(path)
    return path


def test_what_is_set_otherwise_than_in_lines_is_found(tmp_path: Path, samples: Path) -> None:
    """A rate once for the rows it is merged over, a percent above its column, a date down the page, a grid's labels."""
    page = canvas.Canvas(str(tmp_path / "page.pdf"), pagesize=(595, 842), invariant=1)
    pdfmetrics.registerFont(TTFont("kanji", str(samples / "fonts" / "NotoSans-Regular.ttf")))
    for x, title in ((50, "Description"), (250, "Quantity"), (330, "VAT %"), (400, "Unit price"), (500, "Amount")):
        page.drawString(x, 740, title)
    for at, (name, *numbers) in enumerate(ROWS):
        page.drawString(50, 720 - 16 * at, name)
        for x, number in zip((295, 450, 540), numbers, strict=True):
            page.drawRightString(x, 720 - 16 * at, number)
    page.drawRightString(360, 720 - 16 * 2, "20%")
    page.setFont("kanji", 10)
    for at, letter in enumerate(LETTERS):
        page.drawString(570, 500 - 11 * at, letter)
    page.setFont("Helvetica", 10)
    for x, label, number in ((50, "Gross", "1,842.10"), (200, "Tax", "310.55"), (350, "Net", "1,531.55")):
        page.drawString(x, 600, label)
        page.drawRightString(x + 100, 586, number)
    page.save()
    reading = files.read(said(tmp_path / "page.pdf", "令和六年三月十五日"), profiles.load("default"))
    items = [
        {"description": name, "quantity": int(count), "vatRate": 20, "amount": float(amount)}
        for name, count, _, amount in ROWS
    ]
    values = {"issueDate": "2024-03-15", "gross": 1842.10, "tax": 310.55, "net": 1531.55, "items": items}
    assert doubtful(verify.verify(reading, values)) == {}
    items[1]["vatRate"] = 10
    values["gross"], values["net"] = 1531.55, 1842.10
    assert {"items.1.vatRate", "gross", "net"} <= set(doubtful(verify.verify(reading, values)))


def test_numbers_that_do_not_make_their_product_or_sum_are_in_doubt() -> None:
    values = {"net": 100, "vat": 20, "total": 119, "items": [{"quantity": 3, "unitPrice": 4, "amount": 12}]}
    found = leaves.leaves(leaves.load(json.dumps(values)))
    doubts = tally.doubts(found, {leaf.path for leaf in found})
    assert set(doubts.values()) == {"net + vat is not total, as it should be"}
    assert set(doubts) == {("net",), ("vat",), ("total",)}
    explained = leaves.leaves(leaves.load(json.dumps({**values, "discount": -1})))
    assert tally.doubts(explained, {leaf.path for leaf in explained}) == {}


def test_what_no_page_can_say_is_named(reading: Reading) -> None:
    values = {**VALUES, "paid": True, "kind": "GOODS", "lines": 5, "note": None}
    schema = {"properties": {"kind": {"enum": ["GOODS", "SERVICES"]}}}
    natures = {one.path[0]: one.nature for one in verify.verify(reading, values, schema).values if len(one.path) == 1}
    assert (natures["paid"], natures["kind"], natures["grossTotal"]) == ("yesno", "choice", "printed")
    assert "note" not in natures


def test_a_schema_says_which_kind_a_value_must_have(reading: Reading) -> None:
    schema = {"properties": {"issueDate": {"type": "string", "format": "date"}}}
    assert doubtful(verify.verify(reading, changed("issueDate", "Bolt M8"), schema))["issueDate"].startswith("a date")
    assert doubtful(verify.verify(reading, changed("issueDate", "15 March 2024"), schema))


def test_the_command_takes_a_picture_that_lies_on_its_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdf = drawn(tmp_path / "invoice.pdf")
    (tmp_path / "page.png").write_bytes(worker.render(pdf, 1, 150))
    with Image.open(tmp_path / "page.png") as page:
        page.rotate(90, expand=True).convert("RGB").save(tmp_path / "page.jpg", quality=92)
    (tmp_path / "values.json").write_text(json.dumps(VALUES), encoding="utf-8")
    arguments = ["verify", str(tmp_path / "page.jpg"), str(tmp_path / "values.json"), "--json"]
    assert cli.main(arguments) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["confirmed"] >= 20


def test_values_that_are_no_json_are_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"values\.json is no JSON"):
        leaves.load("{", "values.json")
    with pytest.raises(UsageError, match="no number"):
        leaves.leaves({"amount": float("nan")})
    with pytest.raises(UsageError, match="no JSON Schema"):
        leaves.leaves({}, [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("令和6年3月15日", "2024-03-15"),
        ("R6.3.15", "2024-03-15"),
        ("民國113年5月6日", "2024-05-06"),
        ("15 במרץ 2024", "2024-03-15"),
        ("١٥ مارس ٢٠٢٤", "2024-03-15"),
        ("08 de mayo de 2018", "2018-05-08"),
        ("2024. március 3.", "2024-03-03"),
        ("5 sierpnia 2023 r.", "2023-08-05"),
        ("03/2024", "2024-03"),
        ("令和六年三月十五日", "2024-03-15"),
        ("二〇二四年十一月二十日", "2024-11-20"),
        ("Ngày 15 tháng 03 năm 2024", "2024-03-15"),
        ("6/3", "--06-03"),
    ],
)
def test_dates_of_the_world(text: str, iso: str) -> None:
    assert iso in {one for dated in calendars.dates(text) for one in dated.isos}


@pytest.mark.parametrize(
    ("text", "value", "negative", "factor"),
    [
        ("(1 234)", "1234", True, 1),
        ("1.234-", "1234", True, 1),
        ("△1,200", "1200", True, 1),
        ("￥１６２，８００円", "162800", False, 1),
        ("12万", "12", False, 10_000),
        ("-$5.10", "5.10", True, 1),
        ("2020-2021", "2021", False, 1),
        ("86円42銭", "86.42", False, 1),
        ("12億3千万円", "1230000000", False, 1),
        ("1,234) (", "1234", True, 1),  # as lines read from the right have brackets
        ("१२,५००", "12500", False, 1),
    ],
)
def test_numbers_of_the_world(text: str, value: str, negative: bool, factor: int) -> None:
    found = [one for one in numerals.numerals(text) if Decimal(value) in one.values]
    assert [(one.negative, one.factor) for one in found] == [(negative, factor)]


def test_a_number_without_groups_is_a_number_as_text_too() -> None:
    kinds = [leaves.leaves({"a": text})[0].kind for text in ("2470.32", "15850,7", "1 234.50", "X-2470.32", "123456")]
    assert kinds == ["number", "number", "number", "text", "text"]


def test_a_number_of_endless_digits_is_refused_in_one_line() -> None:
    for number in ("1e99999999", "1e-99999999", "9" * 100):
        with pytest.raises(UsageError, match=r"^a is .{1,40}, which is no number that a page prints; leave it out"):
            leaves.leaves(leaves.load(f'{{"a": {number}}}'))
