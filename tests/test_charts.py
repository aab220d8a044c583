from __future__ import annotations

import itertools
import tomllib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import charts
from pipeline.charts import Balance, Bridge, KindShare, PageRun, PageShare, Point, Step, Sum
from pipeline.model import Outline, Scope, State, Tier, Window

CONFIG = tomllib.loads((Path(__file__).resolve().parent.parent / ".streamlit" / "config.toml").read_text())

# how a colour (linear RGB) looks to eyes that lack a cone; Machado, Oliveira and Fernandes 2009, severity 1
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(color: str) -> list[float]:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    red, green, blue = (min(max(part, 0.0), 1.0) for part in rgb)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def luminance(color: str) -> float:
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_charts_and_theme_have_the_same_colours(mode: str) -> None:
    assert tuple(CONFIG["theme"][mode]["chartCategoricalColors"]) == charts.PALETTE


@pytest.mark.parametrize("eye", EYES)
def test_level_colours_stay_apart_for_every_eye(eye: str) -> None:
    seen = [[sum(a * b for a, b in zip(row, linear(c), strict=True)) for row in EYES[eye]] for c in charts.PALETTE[:6]]
    for one, other in itertools.combinations(map(lab, seen), 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 > 20


@pytest.mark.parametrize("color", charts.PALETTE[:6])
def test_level_colours_show_on_paper_and_on_the_dark_ground(color: str) -> None:
    assert contrast(color, "#ffffff") >= 2.9
    assert contrast(color, CONFIG["theme"]["dark"]["backgroundColor"]) >= 2.8


def test_white_text_is_readable_on_primary_buttons() -> None:
    for mode in ("light", "dark"):
        assert contrast(CONFIG["theme"][mode]["primaryColor"], "#ffffff") >= 4


def test_levels_beyond_the_colours_start_again() -> None:
    assert charts.level_color(1) == charts.level_color(7) == charts.PALETTE[0]
    assert charts.level_color(0) == charts.QUIET


def outline() -> Outline:
    histogram = ((8.0, 50), (10.0, 9000), (12.0, 300), (14.0, 40), (18.0, 12))
    return Outline((), (), (), (Tier(14.0, 1), Tier(12.0, 2)), 10.0, histogram)


def test_sizes_are_coloured_by_their_tier() -> None:
    [bars] = charts.sizes(outline()).data
    first, second, quiet = charts.level_color(1), charts.level_color(2), charts.QUIET
    assert list(zip(bars.x, bars.customdata, bars.marker.color, strict=True)) == [
        (8.0, "body", quiet),
        (10.0, "body", quiet),
        (12.0, "H2", second),
        (14.0, "H1", first),
        (18.0, "H1", first),
    ]


def test_lines_mark_body_and_tiers() -> None:
    figure = charts.sizes(outline())
    assert {note.text: note.x for note in figure.layout.annotations} == {"body": 10.0, "H1": 14.0, "H2": 12.0}
    assert figure.layout.xaxis.title.text == "Size of type (points)"


def test_a_page_without_anything_to_count_has_no_bar() -> None:
    figure = charts.page_shares([PageShare(1, 4, 4), PageShare(2, 1, 4), PageShare(3, 0, 0)], "rows right")
    assert {trace.name: (list(trace.x), list(trace.y)) for trace in figure.data} == {
        "all rows right": ([1], [100.0]),
        "not all rows right": ([2], [25.0]),
    }


def scope(name: str, printed: str | None, computed: str, page: int | None = None) -> Scope:
    total = None if printed is None else Decimal(printed)
    return Scope("page" if page else "supplier", name, page, "EUR", total, Decimal(computed), 3)


def test_deltas_tell_agreement_difference_and_silence_apart() -> None:
    scopes = [scope("", "10.00", "10.00", 1), scope("", "10.00", "8.50", 2), scope("", None, "4.00", 3)]
    sums = [Sum(one, ("A-1 · 8.50",)) for one in scopes]
    traces = {trace.name: trace for trace in charts.page_deltas(sums).data}
    assert list(traces["agrees to the cent"].x) == [1]
    assert (list(traces["differs"].x), list(traces["differs"].y)) == ([2], [1.5])
    assert list(traces["differs"].text) == ["+1.50"]
    assert traces["differs"].hovertext[0].endswith("3 rows<br>delta +1.50 EUR<br>A-1 · 8.50")
    assert list(traces["no total printed"].x) == [3]
    assert "not printed" in traces["no total printed"].hovertext[0]


def test_the_unit_of_deltas_is_said() -> None:
    assert charts.page_deltas([Sum(scope("", "1", "1", 1))]).layout.yaxis.title.text == "Printed − computed (EUR)"


def test_names_out_of_documents_are_no_html() -> None:
    figure = charts.supplier_deltas([Sum(replace(scope('<a href="http://x">Norvik</a>', "2", "1"), page=7))])
    assert list(figure.data[0].customdata) == [7]  # the page that a click opens
    assert list(figure.data[0].y) == ["&lt;a href=&quot;http://x&quot;&gt;Norvik&lt;/a&gt;"]
    assert "<a" not in figure.data[0].hovertext[0]


def test_windows_lie_over_their_pages() -> None:
    odd, even, _ = charts.windows([Window(1, 1, 5), Window(2, 5, 9), Window(3, 9, 10)], 10).data
    assert (list(odd.base), list(odd.x)) == ([0.55, 8.55], [4.9, 1.9])
    assert list(even.text) == ["5–9"]


def test_right_and_wrong_answers_are_counted_by_kind() -> None:
    figure = charts.kind_shares([KindShare("code", 10, 7, 2), KindShare("<b>law</b>", 3, 0, 0)])
    right, wrong = figure.data
    assert (list(right.y), list(right.x), list(wrong.x)) == (["code"], [7], [2])  # what is not known is not drawn
    assert (right.marker.color, wrong.marker.color) == (charts.GOOD, charts.DOUBT)


def test_pages_that_several_windows_read_are_marked() -> None:
    state = State(4, "Norvik <b>", Decimal("12.50"), ("Amount",), "A-1 · 2.00")
    figure = charts.windows([Window(1, 1, 5), Window(2, 5, 9, state)], 9, {2: 31})
    _, even, both = figure.data
    assert (list(both.x), [list(one) for one in both.customdata]) == ([5], [[5, "1 and 2"]])
    assert list(even.customdata[0]) == [
        5, 2, 9, "<br>31 rows read<br>supplier: Norvik &lt;b&gt;<br>subtotal: 12.50<br>last row: A-1 · 2.00",
    ]  # fmt: skip


def test_settings_lie_over_each_other_and_a_simulation_is_named_so() -> None:
    shares = (PageShare(1, 9, 10, ("missing: A-1",)), PageShare(2, 0, 0))
    figure = charts.compared([PageRun("one call", shares, simulated=True), PageRun("5 + 1", shares)], "rows right")
    assert [trace.name for trace in figure.data] == ["one call (simulation)", "5 + 1"]
    assert (list(figure.data[0].x), list(figure.data[0].y)) == ([1], [90.0])  # a page without rows has no share
    assert list(figure.data[0].customdata[0]) == [9, 10, "<br>missing: A-1"]
    assert [trace.line.dash for trace in figure.data] == ["dot", "solid"]
    assert figure.data[0].line.color != figure.data[1].line.color


def test_a_hover_lists_six_rows_and_counts_the_others() -> None:
    rows = tuple(f"row {number}" for number in range(1, 10))
    figure = charts.page_shares([PageShare(1, 1, 10, rows)], "rows right")
    assert figure.data[1].customdata[0][2].endswith("<br>row 6<br>and 3 more")


def test_a_waterfall_leads_from_computed_to_printed() -> None:
    steps = (
        Step("Norvik", 21, Decimal("312.40"), ("A-1 <b>",)),
        Step("in no supplier's total", None, Decimal("-2.40")),
    )
    figure = charts.waterfall(Bridge("EUR", Decimal("1000.00"), Decimal("1310.00"), steps))
    bars = figure.data[0]
    assert list(bars.y) == [1000.0, 312.4, -2.4, 1310.0]
    assert list(bars.text) == ["1,000.00", "+312.40", "-2.40", "1,310.00"]
    assert list(bars.measure) == ["absolute", "relative", "relative", "total"]
    assert list(bars.customdata) == [None, 21, None, None]
    assert bars.hovertext[1] == "Norvik: +312.40, 1 row<br>A-1 &lt;b&gt;"
    low, high = figure.layout.yaxis.range
    assert 500 < low < 1000 < 1312.4 < high
    assert "EUR" in figure.layout.yaxis.title.text


def test_balances_that_do_not_follow_are_crossed() -> None:
    points = (Point(1, 1, Decimal("10.00"), None, "a"), Point(2, 1, Decimal("9.00"), False, "b"))
    line, wrong = charts.balances([Balance("EUR", True, points)]).data
    assert (list(line.x), list(wrong.x)) == ([1, 2], [2])
    assert list(wrong.customdata[0]) == [1, "b", "9.00"]


def test_bars_of_few_pages_keep_to_their_page() -> None:
    right, wrong = charts.page_shares(
        [PageShare(2, 9, 10), PageShare(19, 9, 10), PageShare(40, 1, 1)], "rows right"
    ).data
    assert (right.width, wrong.width) == (0.8, 0.8)
    sums = [Sum(scope("page 2", "2", "1", 2)), Sum(scope("page 19", "5", "1", 19))]
    assert charts.page_deltas(sums).data[0].width == 0.8


def test_an_axis_over_few_pages_names_whole_pages() -> None:
    assert charts.windows([Window(1, 1, 2)], 2).layout.xaxis.dtick == 1
    assert charts.windows([Window(1, 1, 40)], 40).layout.xaxis.dtick is None
