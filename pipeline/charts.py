"""Plotly figures from plain values: app, notebooks and reports draw the same.

Comes in: values of model.py, pages with shares. Goes out: `Figure`s with transparent ground, units on the axes and
exact values in the hover. Money becomes float only as the length of a bar; what is read is the exact decimal.
Names out of documents are escaped, for plotly reads some HTML.
Refuses nothing: where there is nothing to draw, the caller says so instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape

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


@dataclass(frozen=True)
class PageShare:
    """A page and what share (0..1) of it is right; `right` of `count`, in units that the chart names."""

    page: int
    right: int
    count: int

    @property
    def share(self) -> float | None:
        return self.right / self.count if self.count else None


@dataclass(frozen=True)
class KindShare:
    """Of a kind of question: how many were asked, how many of those whose answer is known were right and not."""

    kind: str
    asked: int
    right: int
    wrong: int


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
            customdata=[[item.right, item.count] for item in chosen],
            name=name,
            marker={"color": color, "pattern": {"shape": "" if wanted else "/"}},
            hovertemplate="page %{x}: %{y:.0f} %<br>%{customdata[0]} of %{customdata[1]} " + unit + "<extra></extra>",
        )
    figure.update_yaxes(range=[0, 104], tickvals=[0, 25, 50, 75, 100])
    figure.update_xaxes(range=_pages([item.page for item in shares]))
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


def _pages(pages: Sequence[int]) -> list[float]:
    return [min(pages, default=1) - 0.6, max(pages, default=1) + 0.6]


def page_deltas(scopes: Sequence[Scope]) -> go.Figure:
    """printed − computed at each page's total, a colour a currency; a page whose sums agree is a dot on the line."""
    figure = _figure("Page", f"Printed − computed{_unit(scopes)}")
    _deltas(figure, [(scope.page, scope) for scope in scopes])
    figure.update_xaxes(range=_pages([scope.page for scope in scopes if scope.page is not None]))
    return figure


def supplier_deltas(scopes: Sequence[Scope]) -> go.Figure:
    """printed − computed for each supplier, one line each; one whose sums agree is a dot on the line."""
    figure = _figure(f"Printed − computed{_unit(scopes)}", "", 110 + 26 * len(scopes))
    _deltas(figure, [(escape(scope.name), scope) for scope in scopes], lying=True)
    figure.update_yaxes(type="category", autorange="reversed")
    return figure


def _unit(scopes: Sequence[Scope]) -> str:
    currencies = {scope.currency for scope in scopes if scope.currency}
    return f" ({currencies.pop()})" if len(currencies) == 1 else ""


def _deltas(figure: go.Figure, places: Sequence[tuple[int | str | None, Scope]], lying: bool = False) -> None:
    """Bars where sums differ, dots where they agree, rings where none is printed; `lying`: along x instead of y."""
    for kind, color, symbol in (
        ("differs", DOUBT, ""),
        ("agrees to the cent", GOOD, "circle"),
        ("no total printed", QUIET, "circle-open"),
    ):
        chosen = [(place, scope) for place, scope in places if _kind(scope.delta) == kind]
        if not chosen:
            continue
        where, lengths = [place for place, _ in chosen], [float(scope.delta or 0) for _, scope in chosen]
        trace = {
            "x": lengths if lying else where,
            "y": where if lying else lengths,
            "name": kind,
            "hovertext": [_told(scope) for _, scope in chosen],
            "hoverinfo": "text",
        }
        if symbol:
            figure.add_scatter(**trace, mode="markers", marker={"color": color, "size": 8, "symbol": symbol})
        else:
            told = [f"{scope.delta:+,f}" for _, scope in chosen]
            figure.add_bar(
                **trace, orientation="h" if lying else "v", marker_color=color, text=told, textposition="outside",
                textangle=0, constraintext="none", cliponaxis=False,
            )  # fmt: skip
    top = max((abs(float(scope.delta or 0)) for _, scope in places), default=0.0) or 1.0
    update = figure.update_xaxes if lying else figure.update_yaxes
    update(range=[-1.4 * top, 1.4 * top], zeroline=True, tickformat=",.2f" if top < 10 else ",.0f")
    figure.update_layout(showlegend=True)


def _kind(delta: Decimal | None) -> str:
    if delta is None:
        return "no total printed"
    return "differs" if delta else "agrees to the cent"


def _told(scope: Scope) -> str:
    printed = "not printed" if scope.printed is None else f"{scope.printed:,f}"
    delta = "" if scope.delta is None else f"<br>delta {scope.delta:+,f} {scope.currency}"
    where = f"page {scope.page}: " if scope.page is not None and scope.scope != "page" else ""
    return f"{where}{escape(scope.name)}<br>printed {printed}, computed {scope.computed:,f}, {scope.rows} rows{delta}"


def windows(runs: Sequence[Window], pages: int) -> go.Figure:
    """The windows as a strip over the pages, odd ones above even ones; pages that two windows read stand in both."""
    figure = _figure("Page", "", 120)
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
            customdata=[[run.number, run.first, run.last] for run in chosen],
            name=name,
            marker_color=color,
            hovertemplate="window %{customdata[0]}: pages %{customdata[1]}–%{customdata[2]}<extra></extra>",
        )
    figure.update_yaxes(visible=False)
    figure.update_xaxes(range=[0.4, pages + 0.6])
    figure.update_layout(barmode="overlay", bargap=0.12, showlegend=False, margin={"l": 4, "r": 4, "t": 4, "b": 4})
    return figure
