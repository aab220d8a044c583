"""Dates and figures on a line: what may begin at a word, and labels with the figure behind each.

Comes in: words of a line. Goes out: `Run`s of words that stand together. Whether a date or a figure is one of its
column is for the columns to say. Nothing is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline import amounts, layout
from pipeline.model import Box, Line, Word, around

GLUED = 0.45  # words closer than this, in ems, belong together
PHRASE = 0.7  # words further apart than this do not

AHEAD = frozenset({*amounts.SIGNS, *amounts.CODES, *"+-−–—(", "CR", "DR", "Cr", "Dr", "OD"})  # words before a figure


@dataclass(frozen=True)
class Run:
    """Words that stand together on a line."""

    words: tuple[Word, ...]

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def box(self) -> Box:
        return self.words[0].box if len(self.words) == 1 else around([word.box for word in self.words])


class TableLine(Line):
    """A line over the page's whole width."""

    @cached_property
    def figures(self) -> tuple[Run, ...]:
        """The figures of the line, whatever column they stand in."""
        return figures(self.words)

    def without(self, runs: Iterable[Run]) -> str:
        """The line's text without some of its words."""
        taken = {word for run in runs for word in run.words}
        return " ".join(word.text for word in self.words if word not in taken)

    @cached_property
    def pairs(self) -> list[tuple[str, Run]]:
        """Labels with the figure right behind each (`Opening balance  2,410.55`), as summaries print them."""
        found: list[tuple[str, Run]] = []
        start = at = 0
        while at < len(self.words):
            run = _amount_at(self.words, at)
            after = at + len(run.words) if run else at
            apart = after == len(self.words) or not _glued(self.words[after - 1], self.words[after])
            if run and apart:
                if at > start:
                    found.append((phrases(self.words[start:at], 1.5)[-1].text, run))
                start = at = after
            else:
                at += 1
        return found


def phrases(words: Sequence[Word], widest: float = PHRASE) -> list[Run]:
    """The words of a line in runs, parted where the gap is wider than `widest` ems."""
    return [Run(part) for part in layout.parts(words, widest)]


# ---- figures and dates on a line


def figures(words: tuple[Word, ...]) -> tuple[Run, ...]:
    """The amounts among words of a line that stand apart from the words beside them.

    So `24` in `24 V` and `40` in `of 40` are none.
    """
    return _found(words, _figure_at)


def dates(words: tuple[Word, ...]) -> tuple[Run, ...]:
    """The dates among words of a line."""
    return _found(words, _date_at)


def _found(words: tuple[Word, ...], begun: Callable[[tuple[Word, ...], int], Run | None]) -> tuple[Run, ...]:
    found: list[Run] = []
    at = 0
    while at < len(words):
        run = begun(words, at)
        if run:
            found.append(run)
        at += len(run.words) if run else 1
    return tuple(found)


def _date_at(words: tuple[Word, ...], at: int) -> Run | None:
    """The longest run of words from `at` that is one date."""
    if not (any(map(str.isdigit, words[at].text)) or _may_be_month(words, at)):
        return None
    most = 1
    while at + most < len(words) and most < 6 and layout.gap(words[at + most - 1], words[at + most]) <= PHRASE:
        most += 1
    for size in range(most, 0, -1):
        run = Run(words[at : at + size])
        if amounts.date(run.text, True, 2000):
            return run
    return None


def _may_be_month(words: tuple[Word, ...], at: int) -> bool:
    following = words[at + 1].text if at + 1 < len(words) else ""
    return following[:1].isdigit() and len(words[at].text) > 2 and words[at].text[0].isalpha()


def _figure_at(words: tuple[Word, ...], at: int) -> Run | None:
    text = words[at].text
    if not (any(map(str.isdigit, text)) or text in AHEAD or text.lstrip("+-−–—(") in AHEAD):
        return None
    run = _amount_at(words, at)
    return run if run and _free(words, at, len(run.words)) else None


def _amount_at(words: tuple[Word, ...], at: int) -> Run | None:
    """The longest run of words from `at` that is one amount."""
    most = 1
    while at + most < len(words) and most < 5 and _joins(words[at + most - 1], words[at + most]):
        most += 1
    for size in range(most, 0, -1):
        run = Run(words[at : at + size])
        if amounts.parse(run.text, None):
            return run
    return None


def _joins(left: Word, right: Word) -> bool:
    """Whether two words may be parts of one amount: digits only across a space, signs and currencies further."""
    figures = left.text[-1].isdigit() and right.text[0].isdigit()
    return _glued(left, right) if figures else layout.gap(left, right) <= 1.2


def _glued(left: Word, right: Word) -> bool:
    """Whether no more than a space is between two words; of type whose letters are all of one width, one such."""
    gap = layout.gap(left, right)
    return gap <= GLUED or (gap <= 0.65 and abs(gap - _pitch(left)) < 0.03 and abs(gap - _pitch(right)) < 0.03)


def _pitch(word: Word) -> float:
    """The width of a letter of the word, on average, in ems."""
    return word.box.width / len(word.text) / max(word.size, 1.0)


def _free(words: tuple[Word, ...], at: int, size: int) -> bool:
    before, after = words[at - 1] if at else None, words[at + size] if at + size < len(words) else None
    return (before is None or not _glued(before, words[at])) and (
        after is None or not _glued(words[at + size - 1], after)
    )
