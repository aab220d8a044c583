"""Plotly figures from plain values: app, notebooks and reports draw the same.

Comes in: values of model.py, pages with shares. Goes out: `Figure`s with transparent ground, units on the axes and
exact values in the hover. Money becomes float only as the length of a bar; what is read is the exact decimal.
Names out of documents are escaped, for plotly reads some HTML.
Refuses nothing: where there is nothing to draw, the caller says so instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from itertools import accumulate
from typing import NamedTuple

from plotly import graph_objects as go

from pipeline.model import Outline, Scope, Window

# Any two of the first six stay apart for normal, protan, deutan and tritan eyes; .streamlit/config.toml has the same.
PALETTE = (
    "#2b7aca",
    "#dc6718",
    "#850aff",
    "#a8387b",
    "#6e6335",
    "#c38389",
    "#66788a",
    "#1f93b0",
    "#0b8f6a",
    "#b0830a",
)
GOOD, DOUBT, QUIET = PALETTE[0], PALETTE[1], PALETTE[6]
FONT = "Source Sans, Source Sans Pro, sans-serif"
HEIGHT = 260
SIGNS = ("circle", "square", "diamond", "cross", "x", "triangle-up")
BAR = 0.8  # pages that a bar is wide: bars of few pages would grow over those between them
HOVERED = 6  # rows that a hover lists
WHOLE = 12  # pages up to which each is named on the axis
DOTTED = 400  # rows up to which each balance is a dot


@dataclass(frozen=True)
class PageShare:
    """A page and what share (0..1) of it is right; `right` of `count`, in units that the chart names. rows: those that
    a person should look at, in words.
    """

    page: int
    right: int
    count: int
    rows: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        return self.right / self.count if self.count else None


@dataclass(frozen=True)
class PageRun:
    """How a setting fared page by page; `simulated`: by a reader whose faults are made on purpose, and said so."""

    name: str
    shares: tuple[PageShare, ...]
    simulated: bool = False

    @property
    def told(self) -> str:
        """The setting, and that it is a simulation where it is one."""
        return f"{self.name} (simulation)" if self.simulated else self.name


@dataclass(frozen=True)
class Step:
    """What a supplier or page adds to the way from the computed to the printed total; told: its rows in words, those in
    review first; page: of the first of these, else where its total is printed.
    """

    name: str
    page: int | None
    delta: Decimal
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sum:
    """A printed total with the sum of its rows; told: these in words, those in review first."""

    scope: Scope
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bridge:
    """The way from the sum of the rows to the printed total, in one currency. What no step explains is a step, too."""

    currency: str
    computed: Decimal
    printed: Decimal
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Point:
    """A row's balance as it is drawn: its rank from 1, its page, the value, whether it follows from the one before
    (None where nothing tells), and the row in words.
    """

    row: int
    page: int
    value: Decimal
    follows: bool | None
    told: str


@dataclass(frozen=True)
class Balance:
    """A line of balances in one currency; printed: as the statement prints them, else summed from its amounts."""

    currency: str
    printed: bool
    points: tuple[Point, ...]


@dataclass(frozen=True)
class KindShare:
    """Of a kind of question: how many were asked, how many of those whose answer is known were right and not."""

    kind: str
    asked: int
    right: int
    wrong: int


class Fate(NamedTuple):
    """What may become of a value, and how a chart draws it."""

    name: str
    color: str
    shape: str


FATES = (
    Fate("right, confirmed", GOOD, ""),
    Fate("right, in review", PALETTE[7], ""),
    Fate("wrong, in review", DOUBT, "/"),
    Fate("wrong, confirmed", PALETTE[3], "x"),
    Fate("missing", QUIET, ""),
)
STATES = (Fate("confirmed", GOOD, ""), Fate("in review", DOUBT, "/"))


@dataclass(frozen=True)
class FieldShare:
    """Of a field: how many of its values met each fate."""

    name: str
    counts: tuple[int, ...]


def level_color(level: int) -> str:
    """The colour of a heading level, in charts, tree and page boxes alike. Level 0 and below: quiet."""
    return QUIET if level < 1 else PALETTE[(level - 1) % 6]


def _figure(x: str, y: str, height: int = HEIGHT) -> go.Figure:
    axis = {"automargin": True, "fixedrange": True}
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 8, "r": 8, "t": 28, "b": 8},
            "font": {"family": FONT, "size": 13},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "bargap": 0.25,
            "dragmode": False,
            "hoverlabel": {"font": {"family": FONT}},
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "xanchor": "left", "x": 0},
            "xaxis": {"title": {"text": x}, **axis},
            "yaxis": {"title": {"text": y}, **axis},
        }
    )


def sizes(outline: Outline) -> go.Figure:
    """How many characters are set in each size, body and heading tiers told apart, and where the tiers lie.

    Built in one go, for it is drawn while a slider moves.
    """
    bars = [(size, count, _level(outline, size)) for size, count in outline.histogram if count]
    figure = _figure("Size of type (points)", "Characters (log)", 210)
    figure.add_bar(
        x=[size for size, _, _ in bars],
        y=[count for _, count, _ in bars],
        customdata=[_tier_name(level) for _, _, level in bars],
        marker_color=[level_color(level) for _, _, level in bars],
        width=0.35,
        hovertemplate="%{x:.1f} pt, %{customdata}: %{y:,} characters<extra></extra>",
    )
    lines = sorted([(outline.body_size, 0), *((tier.size, tier.level) for tier in outline.tiers)])
    figure.update_layout(
        yaxis={"type": "log", "dtick": 1},
        showlegend=False,
        margin_t=52,
        shapes=[_line(size, level) for size, level in lines],
        annotations=_names(lines),
    )
    return figure


def _tier_name(level: int) -> str:
    return f"H{level}" if level else "body"


def _line(size: float, level: int) -> dict[str, object]:
    drawn = {"color": level_color(level), "width": 1.5, "dash": "dot" if level else "solid"}
    return {"type": "line", "x0": size, "x1": size, "y0": 0, "y1": 1, "yref": "paper", "line": drawn}


def _names(lines: Sequence[tuple[float, int]]) -> list[dict[str, object]]:
    """The name over each (size, level), from left to right; those that would touch stand on three heights."""
    near = 0.1 * (lines[-1][0] - lines[0][0])
    last = [float("-inf")] * 3  # where the last name stands on each height
    names: list[dict[str, object]] = []
    for size, level in lines:
        row = next((row for row in range(3) if size - last[row] >= near), 0)
        last[row] = size
        place = {"x": size, "y": 1 + 0.13 * row, "yref": "paper", "yanchor": "bottom"}
        names.append({**place, "text": _tier_name(level), "showarrow": False, "font": {"size": 12}})
    return names


def _level(outline: Outline, size: float) -> int:
    """The level of the tier that `size` belongs to; 0 for body and smaller."""
    return min((tier.level for tier in outline.tiers if size >= tier.size - 0.05), default=0)


def page_shares(shares: Sequence[PageShare], unit: str) -> go.Figure:
    """A bar a page, 0 to 100 %; `unit`: what was counted, such as "rows right" or "values witnessed"."""
    figure = _figure("Page", f"{unit.capitalize()} (%)")
    for name, color, wanted in ((f"all {unit}", GOOD, True), (f"not all {unit}", DOUBT, False)):
        chosen = [item for item in shares if item.count and (item.right == item.count) is wanted]
        figure.add_bar(
            x=[item.page for item in chosen],
            y=[100 * item.right / item.count for item in chosen],
            customdata=[[item.right, item.count, _listed(item.rows)] for item in chosen],
            name=name,
            width=BAR,
            marker={"color": color, "pattern": {"shape": "" if wanted else "/"}},
            hovertemplate="page %{x}: %{y:.0f} %<br>%{customdata[0]} of %{customdata[1]} " + unit
            + "%{customdata[2]}<extra></extra>",
        )  # fmt: skip
    figure.update_yaxes(range=[0, 104], tickvals=[0, 25, 50, 75, 100])
    _page_axis(figure, [item.page for item in shares])
    figure.update_layout(barmode="overlay", showlegend=True)
    return figure


def kind_shares(shares: Sequence[KindShare]) -> go.Figure:
    """A lying bar a kind of question: how many are right, and how many not."""
    figure = _figure("Questions", "", 110 + 34 * len(shares))
    known = [item for item in shares if item.right + item.wrong]
    for name, color, shape, counts in (
        ("right", GOOD, "", [item.right for item in known]),
        ("not right", DOUBT, "/", [item.wrong for item in known]),
    ):
        figure.add_bar(
            y=[escape(item.kind) for item in known],
            x=counts,
            customdata=[item.right + item.wrong for item in known],
            orientation="h",
            name=name,
            marker={"color": color, "pattern": {"shape": shape}},
            hovertemplate="%{y}: %{x} of %{customdata} " + name + "<extra></extra>",
        )
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(barmode="stack", showlegend=True)
    return figure


def field_shares(shares: Sequence[FieldShare], fates: Sequence[Fate]) -> go.Figure:
    """A lying bar a field, 0 to 100 %: what became of its values; `fates` in the order of their counts."""
    figure = _figure("Values (%)", "", 120 + 22 * len(shares))
    totals = [sum(item.counts) or 1 for item in shares]
    for at, fate in enumerate(fates):
        counts = [item.counts[at] for item in shares]
        if not any(counts):
            continue
        figure.add_bar(
            y=[escape(item.name) for item in shares],
            x=[100 * count / total for count, total in zip(counts, totals, strict=True)],
            customdata=list(zip(counts, totals, strict=True)),
            orientation="h",
            name=fate.name,
            marker={"color": fate.color, "pattern": {"shape": fate.shape}},
            hovertemplate="%{y}: %{customdata[0]} of %{customdata[1]} " + fate.name + "<extra></extra>",
        )
    figure.update_xaxes(range=[0, 100], tickvals=[0, 25, 50, 75, 100])
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(barmode="stack", showlegend=True, legend_traceorder="normal")
    return figure


def _page_axis(figure: go.Figure, pages: Sequence[int]) -> None:
    """The x axis over these pages, in whole pages."""
    low, high = min(pages, default=1), max(pages, default=1)
    step = {"dtick": 1} if high - low < WHOLE else {}
    figure.update_xaxes(range=[low - 0.6, high + 0.6], **step)


def page_deltas(sums: Sequence[Sum]) -> go.Figure:
    """printed − computed at each page's total, a colour a currency; a page whose sums agree is a dot on the line."""
    figure = _figure("Page", f"Printed − computed{_unit(sums)}")
    _deltas(figure, [(one.scope.page, one) for one in sums])
    _page_axis(figure, [one.scope.page for one in sums if one.scope.page is not None])
    return figure


def supplier_deltas(sums: Sequence[Sum]) -> go.Figure:
    """printed − computed for each supplier, one line each; one whose sums agree is a dot on the line."""
    figure = _figure(f"Printed − computed{_unit(sums)}", "", 110 + 26 * len(sums))
    _deltas(figure, [(escape(one.scope.name), one) for one in sums], lying=True)
    figure.update_yaxes(type="category", autorange="reversed")
    return figure


def _unit(sums: Sequence[Sum]) -> str:
    currencies = {one.scope.currency for one in sums if one.scope.currency}
    return f" ({currencies.pop()})" if len(currencies) == 1 else ""


def _deltas(figure: go.Figure, places: Sequence[tuple[int | str | None, Sum]], lying: bool = False) -> None:
    """Bars where sums differ, dots where they agree, rings where none is printed; `lying`: along x instead of y."""
    for kind, color, symbol in (
        ("differs", DOUBT, ""),
        ("agrees to the cent", GOOD, "circle"),
        ("no total printed", QUIET, "circle-open"),
    ):
        chosen = [(place, one) for place, one in places if _kind(one.scope.delta) == kind]
        if not chosen:
            continue
        where, lengths = [place for place, _ in chosen], [float(one.scope.delta or 0) for _, one in chosen]
        trace = {
            "x": lengths if lying else where,
            "y": where if lying else lengths,
            "name": kind,
            "customdata": [one.scope.page for _, one in chosen],
            "hovertext": [_told(one) for _, one in chosen],
            "hoverinfo": "text",
        }
        if symbol:
            figure.add_scatter(**trace, mode="markers", marker={"color": color, "size": 8, "symbol": symbol})
        else:
            told = [f"{one.scope.delta:+,f}" for _, one in chosen]
            figure.add_bar(
                **trace, orientation="h" if lying else "v", width=BAR, marker_color=color, text=told,
                textposition="outside", textangle=0, constraintext="none", cliponaxis=False,
            )  # fmt: skip
    top = max((abs(float(one.scope.delta or 0)) for _, one in places), default=0.0) or 1.0
    update = figure.update_xaxes if lying else figure.update_yaxes
    room = (2.2 if lying else 1.4) * top  # for the figures beside the bars
    update(range=[-room, room], zeroline=True, tickformat=",.2f" if top < 10 else ",.0f")
    figure.update_layout(showlegend=True)


def _kind(delta: Decimal | None) -> str:
    if delta is None:
        return "no total printed"
    return "differs" if delta else "agrees to the cent"


def _told(one: Sum) -> str:
    scope = one.scope
    printed = "not printed" if scope.printed is None else f"{scope.printed:,f}"
    delta = "" if scope.delta is None else f"<br>delta {scope.delta:+,f} {scope.currency}"
    where = f"page {scope.page}: " if scope.page is not None and scope.scope != "page" else ""
    told = f"{where}{escape(scope.name)}<br>printed {printed}, computed {scope.computed:,f}, {_rows(scope.rows)}{delta}"
    return told + _listed(one.told)


def compared(runs: Sequence[PageRun], unit: str) -> go.Figure:
    """Share right by page, 0 to 100 %, a line a setting over each other; simulated ones are named so, and dashed."""
    figure = _figure("Page", f"{unit.capitalize()} (%)", 320)
    known = list(dict.fromkeys(run.name for run in runs))
    for run in runs:
        at = known.index(run.name) % 6
        shares = [item for item in run.shares if item.count]
        figure.add_scatter(
            x=[item.page for item in shares],
            y=[100 * item.right / item.count for item in shares],
            customdata=[[item.right, item.count, _listed(item.rows)] for item in shares],
            name=escape(run.told),
            mode="lines+markers",
            line={"color": PALETTE[at], "dash": "dot" if run.simulated else "solid", "width": 2},
            marker={"symbol": f"{SIGNS[at]}-open" if run.simulated else SIGNS[at], "size": 7},
            hovertemplate="page %{x}, " + escape(run.told) + ": %{y:.0f} %<br>%{customdata[0]} of %{customdata[1]} "
            + unit + "%{customdata[2]}<extra></extra>",
        )  # fmt: skip
    figure.update_yaxes(range=[-4, 104], tickvals=[0, 25, 50, 75, 100])
    _page_axis(figure, [item.page for run in runs for item in run.shares])
    figure.update_layout(showlegend=True)
    return figure


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _listed(rows: Sequence[str]) -> str:
    """Rows for a hover: a line each, the first few in full."""
    shown = [f"<br>{escape(row if len(row) <= 90 else row[:89] + '…')}" for row in rows[:HOVERED]]
    return "".join(shown) + (f"<br>and {len(rows) - HOVERED} more" if len(rows) > HOVERED else "")


def waterfall(bridge: Bridge) -> go.Figure:
    """From the computed to the printed total, a step each supplier or page that differs. The axis is cut: it begins
    near the totals, for the steps are small beside them.
    """
    names = ["computed", *(escape(step.name) for step in bridge.steps), "printed"]
    told = [
        f"sum of the rows: {bridge.computed:,f}",
        *(
            f"{escape(step.name)}: {step.delta:+,f}, {_rows(len(step.told))}{_listed(step.told)}"
            for step in bridge.steps
        ),
        f"printed: {bridge.printed:,f}",
    ]
    figure = _figure("", f"Total{_in(bridge.currency)}, axis cut", 320)
    figure.add_waterfall(
        x=list(range(len(names))),
        y=[float(value) for value in (bridge.computed, *(step.delta for step in bridge.steps), bridge.printed)],
        measure=["absolute", *["relative"] * len(bridge.steps), "total"],
        customdata=[None, *(step.page for step in bridge.steps), None],
        hovertext=told,
        hoverinfo="text",
        text=[f"{bridge.computed:,f}", *(f"{step.delta:+,f}" for step in bridge.steps), f"{bridge.printed:,f}"],
        textposition="outside",
        cliponaxis=False,
        increasing_marker_color=DOUBT,
        decreasing_marker_color=PALETTE[3],
        totals_marker_color=GOOD,
        connector={"line": {"color": QUIET, "width": 1}},
    )
    figure.update_xaxes(tickvals=list(range(len(names))), ticktext=[_short(name) for name in names])
    figure.update_yaxes(range=_cut(bridge), tickformat=",.2f")
    figure.update_layout(showlegend=False)
    return figure


def _in(currency: str) -> str:
    return f" ({currency})" if currency else ""


def _short(name: str) -> str:
    return name if len(name) <= 22 else f"{name[:21]}…"


def _cut(bridge: Bridge) -> list[float]:
    """The stretch of the axis that all levels of the way lie in, with room for the figures."""
    levels = [bridge.printed, *accumulate((step.delta for step in bridge.steps), initial=bridge.computed)]
    low, high = float(min(levels)), float(max(levels))
    room = (high - low) or 1.0
    return [low - 0.6 * room, high + 0.4 * room]


def balances(lines: Sequence[Balance]) -> go.Figure:
    """The balance after each row, a line a currency; where it does not follow from the one before, a cross."""
    currencies = {line.currency for line in lines}
    unit = _in(currencies.pop()) if len(currencies) == 1 else ""
    printed = all(line.printed for line in lines)
    figure = _figure("Row", f"{'Balance as printed' if printed else 'Sum of amounts so far'}{unit}", 300)
    for at, line in enumerate(lines):
        kind = "balance" if line.printed else "sum so far"
        color = PALETTE[(0, 3, 4)[at % 3]]
        style = {"line": {"color": color}, "marker": {"color": color, "size": 5 if len(line.points) <= DOTTED else 2}}
        _points(figure, line.points, f"{kind} {line.currency}".strip(), style)
        wrong = [point for point in line.points if point.follows is False]
        if wrong:
            marker = {"color": DOUBT, "size": 10, "symbol": "x"}
            _points(figure, wrong, "does not follow from the row before", {"mode": "markers", "marker": marker})
    figure.update_yaxes(tickformat=",.0f", zeroline=True)
    figure.update_layout(showlegend=True)
    return figure


def _points(figure: go.Figure, points: Sequence[Point], name: str, style: dict[str, object]) -> None:
    figure.add_scatter(
        x=[point.row for point in points],
        y=[float(point.value) for point in points],
        customdata=[[point.page, escape(point.told), f"{point.value:,f}"] for point in points],
        name=name,
        hovertemplate="row %{x}, page %{customdata[0]}: %{customdata[2]}<br>%{customdata[1]}<extra></extra>",
        **{"mode": "lines+markers", **style},
    )


def windows(runs: Sequence[Window], pages: int, read: Mapping[int, int] | None = None) -> go.Figure:
    """The windows as a strip over the pages, odd ones above even ones; pages that several windows read are marked.

    read: the rows that each window read, by its number.
    """
    figure = _figure("Page", "", 140)
    for name, odd, color in (("odd windows", 1, GOOD), ("even windows", 0, QUIET)):
        chosen = [run for run in runs if run.number % 2 == odd]
        figure.add_bar(
            orientation="h",
            base=[run.first - 0.45 for run in chosen],
            x=[run.last - run.first + 0.9 for run in chosen],
            y=[odd] * len(chosen),
            text=[f"{run.first}–{run.last}" if len(runs) <= 14 else "" for run in chosen],
            textposition="inside",
            textangle=0,
            insidetextanchor="middle",
            insidetextfont_color="#ffffff",
            customdata=[[run.first, run.number, run.last, _read(run, read) + _handed(run)] for run in chosen],
            name=name,
            marker_color=color,
            hovertemplate="window %{customdata[1]}: pages %{customdata[0]}–%{customdata[2]}%{customdata[3]}"
            "<extra></extra>",
        )
    _overlaps(figure, runs)
    figure.update_yaxes(visible=False, range=[-0.95, 1.5])
    _page_axis(figure, [1, pages])
    figure.update_layout(barmode="overlay", bargap=0.12, showlegend=False, margin={"l": 4, "r": 4, "t": 4, "b": 4})
    return figure


def _overlaps(figure: go.Figure, runs: Sequence[Window]) -> None:
    """A diamond below each page that more than one window reads."""
    readers: dict[int, list[int]] = {}
    for run in runs:
        for page in range(run.first, run.last + 1):
            readers.setdefault(page, []).append(run.number)
    several = {page: numbers for page, numbers in readers.items() if len(numbers) > 1}
    figure.add_scatter(
        x=list(several),
        y=[-0.72] * len(several),
        mode="markers",
        name="read by several windows",
        customdata=[[page, " and ".join(map(str, numbers))] for page, numbers in several.items()],
        marker={"color": DOUBT, "symbol": "diamond", "size": 8},
        hovertemplate="page %{x} is read by windows %{customdata[1]}<extra></extra>",
    )


def _read(run: Window, read: Mapping[int, int] | None) -> str:
    return "" if read is None else f"<br>{_rows(read.get(run.number, 0))} read"


def _handed(run: Window) -> str:
    """What a window was handed, as lines of a hover."""
    state = run.state
    if state is None:
        return ""
    if not state.page:
        return "<br>first window: nothing before it"
    subtotal = "not known ahead" if state.subtotal is None else f"{state.subtotal:,f}"
    told = (
        f"supplier: {state.supplier or 'none named'}",
        f"subtotal: {subtotal}",
        f"last row: {state.last_row or 'not known ahead'}",
    )
    return "".join(f"<br>{escape(line if len(line) <= 90 else line[:89] + '…')}" for line in told)
