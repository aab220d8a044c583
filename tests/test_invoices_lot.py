"""Further invoices by seed: their truth against what is printed, and what a streak covers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random

import pypdfium2
from PIL import Image, ImageDraw

from sample_docs import invoices_lot, tongues
from sample_docs.drawing import Written
from sample_docs.invoices_sheet import Field, Sheet
from sample_docs.scan import Damage, scanned


def _text(path: Path) -> str:
    document = pypdfium2.PdfDocument(path)
    found = " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in document)
    document.close()
    return found


def _digests(files: list[Written]) -> list[str]:
    return [hashlib.sha256(path.read_bytes()).hexdigest() for file in files for path in (file.pdf, file.truth)]


def test_a_lot_of_invoices_is_true_and_the_same_each_time(tmp_path: Path) -> None:
    options = invoices_lot.LotOptions(seed=5, invoices=2)
    files = invoices_lot.write(tmp_path / "one", options)
    again = invoices_lot.write(tmp_path / "two", options)
    assert _digests(files) == _digests(again)
    assert [file.pdf.name for file in files[:2]] == ["invoice_0001_scan.pdf", "invoice_0001_digital.pdf"]
    for scan, digital in zip(files[::2], files[1::2], strict=True):
        assert _text(scan.pdf) == ""
        printed = _text(digital.pdf)
        known, plain = (json.loads(file.truth.read_text(encoding="utf-8"))["fields"] for file in (digital, scan))
        assert [(f["name"], f["normalised"]) for f in known] == [(f["name"], f["normalised"]) for f in plain]
        for field in known:
            assert all(" ".join(line.split()) in printed for line in field["value"].split("\n")), field
        by_name = {field["name"]: field["normalised"] for field in known}
        gross = Decimal(by_name["net_total"]) + Decimal(by_name["tax_total"])
        assert gross == Decimal(by_name["gross_total"])


def test_tax_identifiers_and_ibans_of_each_country_hold() -> None:
    for tongue in tongues.TONGUES.values():
        rng = Random(11)
        account = tongues.iban(rng, tongue)
        moved = "".join(str(int(sign, 36)) for sign in account[4:] + account[:4])
        assert int(moved) % 97 == 1
    assert tongues.tax_id(Random(5), tongues.TONGUES["de"]) == "DE807302157"


def test_a_glyph_under_the_streak_is_marked_as_covered(tmp_path: Path) -> None:
    sheet = Sheet(Image.new("RGB", (400, 80), "white"))
    ImageDraw.Draw(sheet.picture).rectangle((100, 20, 103, 50), fill="black")  # a stem, four pixels wide
    ImageDraw.Draw(sheet.picture).rectangle((120, 20, 139, 50), fill="black")
    sheet.fields.append(Field("due_date", "1", "1", (95.0, 15.0, 145.0, 55.0)))
    damage = Damage(seed=1, skew=0.0, blur=0.6, noise=10.0, quality=60, stamp=0.4, streak=3)
    for streak, covered in ((100.0, True), (110.0, False), (125.0, False)):
        assert scanned(replace(sheet, streak=streak, picture=sheet.picture.copy()), damage, 200).covered == (covered,)
