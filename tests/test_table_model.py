"""One table for both readers: sections and statements see the same cells, ruled or not, level or askew."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from pipeline import outline, terms
from pipeline.engine import Excerpt, RawRow, RawTotal, Summary, Wanted
from pipeline.local import LocalEngine
from pipeline.model import Reading, Statement, Window
from pipeline.profiles import OutlineProfile, Profile
from pipeline.sheet import sheet
from pipeline.statements import extract
from pipeline.worker import read
from tests.draw import HEIGHT, Put, pdf, reading
from tests.scans import ENGLISH, drawn, needs, scan
from tests.test_tables import grid, row

AT = (75.0, 145.0, 325.0, 405.0)
ACROSS = (70.0, 140.0, 320.0, 400.0, 480.0)
TITLES = ("Date", "Description", "Quantity", "Amount")
Cells = list[tuple[str, ...]]
PAGE = [
    *row(104, *TITLES, at=AT),
    *row(122, "03.02.2026", "Steel hooks, galvanised,", "12", "84,00", at=AT),
    *row(133, "box of 50", at=AT[1:2]),
    *row(152, "05.02.2026", "Washers", "200", "18,40", at=AT),
    *row(170, "09.02.2026", "Threaded rod M8", "15", "46,35", at=AT),
    *row(188, "11.02.2026", "Cable ties, black,", "40", "22,00", at=AT),
    *row(199, "300 mm", at=AT[1:2]),
]
CELLS = [
    ("03.02.2026", "Steel hooks, galvanised, box of 50", "12", "84,00"),
    ("05.02.2026", "Washers", "200", "18,40"),
    ("09.02.2026", "Threaded rod M8", "15", "46,35"),
    ("11.02.2026", "Cable ties, black, 300 mm", "40", "22,00"),
]
DOWN = (92.0, 110.0, 140.0, 158.0, 176.0, 206.0)


def by_sections(found: Reading) -> Cells:
    """The rows of the document's only table, its cells on one line each."""
    built = outline.build(outline.features(found), OutlineProfile())
    [table] = [table for section in built.sections for table in section.tables]
    return [tuple(" ".join(text.split("\n")) for text in one.texts(4)) for one in table.rows]


def items(found: Reading) -> list[RawRow | RawTotal]:
    wanted = tuple(Wanted(name, kind) for name, kind in terms.KINDS.items())
    window = Window(1, 1, len(found.pages))
    excerpt = Excerpt(window, found.pages, tuple(map(sheet, found.pages)))
    read_ = LocalEngine().rows(excerpt, wanted, Summary()).items
    return [item for item in read_ if isinstance(item, RawRow | RawTotal)]


def by_statement(found: Reading) -> Cells:
    return [tuple(quote.text for quote in item.quotes) for item in items(found)]


def extracted(found: Reading) -> Statement:
    return extract(found, Profile(), LocalEngine())


@pytest.mark.parametrize("ruled", [True, False])
def test_both_readers_see_the_same_cells(tmp_path: Path, ruled: bool) -> None:
    found = reading(pdf(tmp_path / "table.pdf", [PAGE], grid(ACROSS, DOWN) if ruled else None))
    assert bool(found.pages[0].cells) == ruled
    assert by_sections(found) == by_statement(found) == CELLS


@pytest.mark.parametrize("ruled", [True, False])
def test_both_readers_place_a_cell_in_the_same_box(tmp_path: Path, ruled: bool) -> None:
    found = reading(pdf(tmp_path / "table.pdf", [PAGE], grid(ACROSS, DOWN) if ruled else None))
    built = outline.build(outline.features(found), OutlineProfile())
    [table] = [table for section in built.sections for table in section.tables]
    places = [[cell.places for cell in one.cells] for one in table.rows]
    assert places == [[quote.places for quote in item.quotes] for item in items(found)]
    assert len(places[0][1]) == 1 and places[0][1][0].box.height > 20  # two lines, one place


def test_rules_hold_a_row_together_whose_cells_begin_at_different_heights(tmp_path: Path) -> None:
    page = [
        *row(104, *TITLES, at=AT),
        *row(121, "Steel hooks, galvanised,", at=AT[1:2]),
        *row(127, "03.02.2026", "", "12", "84,00", at=AT),
        *row(133, "box of 50", at=AT[1:2]),
        *row(147, "Threaded rod M8,", at=AT[1:2]),
        *row(153, "09.02.2026", "", "15", "46,35", at=AT),
        *row(159, "zinc", at=AT[1:2]),
    ]
    found = reading(pdf(tmp_path / "middle.pdf", [page], grid(ACROSS, (92.0, 110.0, 138.0, 164.0))))
    wanted = [
        ("03.02.2026", "Steel hooks, galvanised, box of 50", "12", "84,00"),
        ("09.02.2026", "Threaded rod M8, zinc", "15", "46,35"),
    ]
    assert by_statement(found) == by_sections(found) == wanted


def test_a_ruled_table_goes_on_without_its_header(tmp_path: Path) -> None:
    more = [
        *row(80, "Brought forward", "170,75", at=(145.0, 405.0)),
        *row(104, "12.02.2026", "Hinges, brass,", "6", "31,20", at=AT),
        *row(115, "pair", at=AT[1:2]),
        *row(134, "13.02.2026", "Hooks", "2", "4,10", at=AT),
    ]

    down = iter((DOWN, (92.0, 122.0, 140.0)))

    def rules(canvas: Canvas) -> None:
        grid(ACROSS, next(down))(canvas)

    found = reading(pdf(tmp_path / "two.pdf", [PAGE, more], rules))
    kinds = [item.kind for item in items(found) if isinstance(item, RawTotal)]
    assert kinds == ["brought"]
    assert [cells for cells in by_statement(found) if len(cells) > 1] == [
        *CELLS,
        ("12.02.2026", "Hinges, brass, pair", "6", "31,20"),
        ("13.02.2026", "Hooks", "2", "4,10"),
    ]


def test_a_statement_set_sideways_is_read_like_any_other(tmp_path: Path) -> None:
    def turned(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.translate(0, -HEIGHT)

    page = [put._replace(y=put.y + 220) for put in PAGE]
    found = reading(pdf(tmp_path / "sideways.pdf", [page], turned))
    assert by_statement(found) == by_sections(found) == CELLS
    place = items(found)[0].quotes[1].places[0]
    assert place.box.height > place.box.width  # as printed


def test_a_date_that_text_all_but_touches_stands_in_its_own_cell(tmp_path: Path) -> None:
    at = (75.0, 129.0, 325.0, 405.0)  # the date ends three points before the text
    rows = (("03.02.2026", "Hooks", "12", "84,00"), ("05.02.2026", "Washers", "200", "18,40"), CELLS[2])
    page = [
        *row(104, *TITLES, at=at),
        *(put for index, one in enumerate(rows) for put in row(122 + 18 * index, *one, at=at)),
    ]
    assert by_statement(reading(pdf(tmp_path / "tight.pdf", [page]))) == [*rows]


def test_text_that_runs_into_the_cell_before_it_is_doubted(tmp_path: Path) -> None:
    at, titles = (60.0, 125.0, 200.0, 405.0), ("Date", "Invoice no.", "Description", "Amount")
    end = 125 + stringWidth("A-1041/26 II", "Helvetica", 10)
    page = [
        *row(104, *titles, at=at),
        *row(122, "03.02.2026", "A-1041/26 II", "Hooks", "84,00", at=(60, 125, end, 405)),
        *row(140, "05.02.2026", "A-1044/26", "Washers", "18,40", at=at),
        *row(158, "09.02.2026", "A-1050/26", "Threaded rod M8", "46,35", at=at),
    ]
    first, *rest = items(reading(pdf(tmp_path / "glued.pdf", [page])))
    assert isinstance(first, RawRow) and first.doubts
    assert [one.doubts for one in rest if isinstance(one, RawRow)] == [(), ()]


def test_a_strip_under_two_titles_is_parted_where_the_second_begins(tmp_path: Path) -> None:
    end = 75 + stringWidth("03.02.2026", "Helvetica", 10)
    page = [
        *row(104, *TITLES, at=(75, 130, 325, 405)),
        *row(122, "03.02.2026", "Hooks", "12", "84,00", at=(75, end, 325, 405)),  # one word to any reader
        *row(140, "05.02.2026", "Washers", "200", "18,40", at=(75, 130, 325, 405)),
        *row(158, "09.02.2026", "Threaded rod M8", "15", "46,35", at=(75, 130, 325, 405)),
    ]
    rows = by_statement(reading(pdf(tmp_path / "two.pdf", [page])))
    assert rows == [("05.02.2026", "Washers", "200", "18,40"), ("09.02.2026", "Threaded rod M8", "15", "46,35")]


def test_figures_that_reach_under_the_next_column_on_other_lines_keep_their_column(tmp_path: Path) -> None:
    titles = [*row(110, "Date", "Description", "Credit", "Balance", at=(60, 130, 315, 385))]
    lines = (
        ("02/03/2026", "Rent", "70.00", "1,234,500.00"),
        ("04/03/2026", "Salary", "2,400.00", "1,236,900.00"),
        ("09/03/2026", "Refund", "4,000,064.30", "90.00"),
        ("11/03/2026", "Tickets", "18.00", "1,108.00"),
    )
    ends = []
    for index, line in enumerate(lines):
        credit, balance = row(130 + 16 * index, *line[2:], at=(340, 420))
        middle = credit.x - stringWidth(credit.text, "Helvetica", 10) / 2
        ends += [credit._replace(x=middle), balance._replace(x=420 - stringWidth(balance.text, "Helvetica", 10))]
    left = [put for index, line in enumerate(lines) for put in row(130 + 16 * index, *line[:2], at=(60, 130))]
    assert by_statement(reading(pdf(tmp_path / "wide.pdf", [[*titles, *left, *ends]]))) == [*lines]


def test_a_sum_below_a_ruled_table_is_a_total(tmp_path: Path) -> None:
    page = [*PAGE, *row(222, "Total", "170,75", at=(145.0, 405.0))]
    found = reading(pdf(tmp_path / "sum.pdf", [page], grid(ACROSS, DOWN)))
    *rows, total = items(found)
    assert len(rows) == 4 and isinstance(total, RawTotal)
    assert (total.kind, total.quotes[0].column, total.quotes[0].text) == ("total", "amount", "170,75")


BANK = [
    Put(60, 80, "Opening balance", 10),
    Put(490, 80, "1,200.00", 10),
    *row(110, "Date", "Description", "Debit", "Credit", "Balance", at=(60, 130, 330, 410, 490)),
    *(
        put
        for index, (day, text, debit, credit, balance) in enumerate(
            (
                ("02/03/2026", "Rent for March", "700.00", "", "500.00"),
                ("04/03/2026", "Salary", "", "2,400.00", "2,900.00"),
                ("09/03/2026", "Market and bakery", "64.30", "", "2,835.70"),
                ("11/03/2026", "Tram tickets", "18.00", "", "2,817.70"),
                ("16/03/2026", "Refund", "", "45.10", "2,862.80"),
                ("19/03/2026", "Electricity", "93.75", "", "2,769.05"),
                ("27/03/2026", "Books", "41.05", "", "2,728.00"),
            )
        )
        for put in row(130 + 16 * index, day, text, debit, credit, balance, at=(60, 130, 330, 410, 490))
    ),
    Put(60, 260, "Closing balance", 10),
    Put(490, 260, "2,728.00", 10),
]


@pytest.mark.parametrize("angle", [2.0, -3.0])
def test_rows_of_a_statement_that_was_scanned_askew_come_out_whole(tmp_path: Path, angle: float) -> None:
    needs("eng")
    image = drawn(tmp_path, BANK).rotate(-angle, Image.Resampling.BICUBIC, fillcolor=255)
    statement = extracted(read(scan(tmp_path / "askew.pdf", image), ENGLISH))
    values = [(row.value("date"), row.value("description"), row.value("balance")) for row in statement.rows]
    assert values == [
        ("2026-03-02", "Rent for March", "500.00"),
        ("2026-03-04", "Salary", "2900.00"),
        ("2026-03-09", "Market and bakery", "2835.70"),
        ("2026-03-11", "Tram tickets", "2817.70"),
        ("2026-03-16", "Refund", "2862.80"),
        ("2026-03-19", "Electricity", "2769.05"),
        ("2026-03-27", "Books", "2728.00"),
    ]
    assert all(check.outcome == "passed" for row in statement.rows for check in row.checks)
