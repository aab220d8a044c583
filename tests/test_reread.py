"""The second reader: crops that hold the whole value, two readers of drawn scans, comparisons that say what differs."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from pipeline import alike, crops, rapid, reread, tint, worker
from pipeline.habits import Habits
from pipeline.leaf import Leaf
from pipeline.model import Box, Page, Place, Word, unread
from pipeline.posture import restored
from pipeline.reread import Value
from pipeline.tesseract import TesseractReader
from tests.draw import Put, pdf
from tests.scans import NOTO, needs, scan

COMMA = Habits(",", True)
FONT = ImageFont.truetype(str(NOTO), 28)


def page_of(*texts: tuple[float, float, str]) -> Image.Image:
    """A page at 200 dpi with texts at points."""
    picture = Image.new("L", (1654, 2339), 252)
    for x, y, text in texts:
        ImageDraw.Draw(picture).text((x * 200 / 72, y * 200 / 72), text, font=FONT, fill=30, anchor="ls")
    return picture


def leaf_of(picture: Image.Image) -> Leaf:
    return Leaf(1, picture.tobytes(), *picture.size, picture.size, 0.0, 200 / 72)


def read_page(*words: Word) -> Page:
    return unread(1, "", (595.0, 842.0)).with_words(words)


def seen(picture: Image.Image, page: Page, *values: Value) -> tuple[reread.Seen, ...]:
    return reread.seen(values, [page], lambda _: leaf_of(picture), COMMA)


def word(text: str, box: tuple[float, float, float, float]) -> Word:
    return Word(text, Box(*box), 10.0, "ocr")


def test_a_level_box_is_the_inverse_of_the_box_around_it() -> None:
    level = Box(300, 700, 420, 725)
    for angle in (1.3, -2.0, 91.2, 180.5):
        around = restored(level, angle, (1700, 2400), (1654, 2339))
        back = Leaf(1, b"", 1700, 2400, (1654, 2339), angle, 1.0).level(around)
        assert [round(side, 3) for side in back] == [300, 700, 420, 725]


def test_a_figure_that_the_first_reader_missed_is_in_the_crop() -> None:
    picture = page_of((100, 100, "135.804,72"))
    [found] = seen(picture, read_page(word("35.804,72", (107, 92, 146, 101))), Value(
        "amount", "35.804,72", (Place(1, Box(107, 92, 146, 101)),)
    ))  # fmt: skip
    assert found.second == "135.804,72"
    assert (found.text, found.check.outcome) == ("135.804,72", "passed")


def test_a_minus_that_the_first_reader_missed_is_not_lost() -> None:
    picture = page_of((100, 100, "-1.250,00"))
    [found] = seen(picture, read_page(word("1.250,00", (104, 92, 144, 101))), Value(
        "amount", "1.250,00", (Place(1, Box(104, 92, 144, 101)),)
    ))  # fmt: skip
    assert found.second == "-1.250,00"
    assert found.text != "1.250,00" or found.check.outcome == "failed"


def test_the_words_beside_a_value_are_not_in_its_crop() -> None:
    picture = page_of((100, 100, "PIB"), (122, 100, "192257949"), (180, 100, "RSD"))
    words = word("PIB", (100, 92, 117, 101)), word("192257949", (122, 92, 174, 101)), word("RSD", (180, 92, 200, 101))
    [found] = seen(picture, read_page(*words), Value("identifier", "192257949", (Place(1, words[1].box),)))
    assert (found.second, found.check.outcome) == ("192257949", "passed")


def test_a_misread_figure_is_corrected_by_two_readers_of_the_crop() -> None:
    needs("eng")
    picture = page_of((100, 100, "12.12.2025"))
    [found] = seen(picture, read_page(word("12.12.2D25", (100, 92, 155, 101))), Value(
        "date", "12.12.2D25", (Place(1, Box(100, 92, 155, 101)),)
    ))  # fmt: skip
    assert (found.text, found.second, found.check.outcome) == ("12.12.2025", "12.12.2025", "passed")


def test_cyrillic_is_read_by_another_model_than_the_pages() -> None:
    needs("Cyrillic", "srp")
    picture = page_of((100, 100, "Чишћење канализације"))
    words = word("Чишћење", (100, 90, 145, 102)), word("канализације", (149, 90, 216, 102))
    [found] = seen(
        picture, read_page(*words), Value("text", "Чишћење канализације", (Place(1, Box(99, 89, 217, 103)),))
    )
    assert (found.second, found.check.outcome) == ("Чишћење канализације", "passed")
    assert "Cyrillic" in found.check.detail


def test_a_code_whose_letters_are_in_both_scripts_stays_open_on_a_page_in_both() -> None:
    needs("Cyrillic", "srp")
    picture = page_of((100, 100, "Аутоматски осигурач"), (212, 100, "B16"))
    words = (
        word("Аутоматски", (100, 91, 158, 102)),
        word("осигурач", (162, 91, 208, 102)),
        word("B16", (212, 91, 230, 101)),
    )
    [found] = seen(picture, read_page(*words), Value(
        "text", "Аутоматски осигурач B16", (Place(1, Box(99, 89, 232, 103)),)
    ))  # fmt: skip
    assert found.check.outcome != "passed"


def test_a_place_with_nothing_on_it_confirms_nothing() -> None:
    [found] = seen(page_of(), read_page(), Value("amount", "12,50", (Place(1, Box(100, 92, 155, 101)),)))
    assert found.check.outcome == "failed"
    assert found.check.detail == "“12,50”; a second reader sees nothing there"


def test_reads_are_compared_by_their_type_and_differences_named() -> None:
    assert alike.same("amount", "1.234,50", "1234,50", COMMA)
    assert not alike.same("amount", "1.234,50", "-1.234,50", COMMA)
    assert alike.same("date", "3. 4. 2025", "03.04.2025", COMMA)
    assert alike.same("identifier", "RS35 9510", "RS359510", COMMA)
    assert not alike.same("text", "Žubor", "Zubor", COMMA)
    told = {
        ("В16", "B16"): "letters of two scripts that look alike",
        ("Đura", "Dura"): "accents",
        ("1734", "7734"): "7 and 1",
        ("2D25", "2025"): "0 and O",
        ("З4", "34"): "З and 3",
        ("12,50", "12.50"): "signs between the figures and letters",
        ("135", "35"): "“1” is seen by one of them",
    }
    assert {pair: alike.difference(*pair) for pair in told} == told


def test_rapidocr_reads_alone_and_never_fetches_anything(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    crop = BytesIO()
    page_of((100, 100, "Žubor 1.847,00")).crop((265, 240, 520, 290)).save(crop, "PNG")
    [read] = rapid.RapidReader().read([crop.getvalue()])
    assert (read.text, read.reader) == ("Žubor 1.847,00", "rapidocr")
    assert read.confidence > 0.9


def test_crops_are_read_by_tesseract_in_the_workers_process() -> None:
    needs("eng")
    crop = BytesIO()
    page_of((100, 100, "Total 1.847,00")).crop((265, 240, 520, 290)).save(crop, "PNG")
    [read] = TesseractReader("eng").read([crop.getvalue()])
    assert (read.text, read.reader) == ("Total 1.847,00", "tesseract eng")


def test_a_leaf_is_level_and_its_words_lie_where_the_page_says(tmp_path: Path) -> None:
    source = pdf(tmp_path / "a.pdf", [[Put(72, 100 + 20 * at, "Level lines of print on a page") for at in range(12)]])
    straight = Image.open(BytesIO(worker.render(source, 1, 200))).convert("L")
    askew = scan(tmp_path / "askew.pdf", straight.rotate(1.5, Image.Resampling.BICUBIC, fillcolor=255))
    leaf = worker.leaf(askew, 1)
    assert leaf.angle == -1.5
    assert len(leaf.grey) == leaf.width * leaf.height


def test_a_stamp_is_taken_off_and_print_in_colour_stays() -> None:
    page = Image.merge("RGB", [page_of((100, 100, "179.554,80"))] * 3)
    draw = ImageDraw.Draw(page)
    draw.text((400, 600), "BLUE PRINT", font=FONT, fill=(0, 0, 160))
    stamped = page.copy()
    mask = Image.new("L", page.size, 0)
    ImageDraw.Draw(mask).ellipse((250, 150, 550, 400), outline=110, width=14)
    ImageDraw.Draw(mask).text((300, 255), "PAID", font=FONT, fill=110)
    stamped.paste(Image.new("RGB", page.size, (38, 62, 150)), (0, 0), mask)
    assert tint.tinted(stamped)
    cleared = tint.cleared(stamped)
    assert np.asarray(cleared)[160:200, 380:420].min() > 240  # the ring
    assert np.asarray(cleared)[600:640, 400:600].min() < 60  # print
    assert not tint.tinted(Image.new("RGB", (800, 800), (244, 236, 214)))  # yellow paper


def test_a_rule_beside_a_value_ends_its_crop() -> None:
    picture = page_of((100, 100, "185,00"))
    ImageDraw.Draw(picture).line((378, 200, 378, 400), fill=70, width=3)
    sheet = crops.sheet(leaf_of(picture))
    cut = crops.cut(sheet, Box(277, 255, 368, 281))
    assert cut.whole
    assert Image.open(BytesIO(cut.png)).width < 118
