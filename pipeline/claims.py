"""Values of dates, numbers and texts that labels claim on an invoice, and which label each value belongs to.

Comes in: a `Print` (lines with their labels). Goes out: `Claim`s. A value stands behind its label on the line, or below
it in the same column; a document's title is followed by its number and its date. A value that two labels claim belongs
to the one that it stands behind. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pipeline import amounts, layout
from pipeline.figures import Run, dates
from pipeline.labels import plainly
from pipeline.marks import Mark, Print
from pipeline.model import Place, Word

Where = Literal["behind", "below", "title", "type"]
Shape = Literal["date", "number", "text"]
FILLER = 3  # words between a label and its date at most (`bis zum`, `le`)
BELOW = 2.2  # ems from a label to the value below it at most
_MARKS = frozenset({"nr", "no", "n", "number", "nummer", "numero", "br", "broj", "num", "nro", "nummern", "cislo", "c"})
_DATED = frozenset({
    "vom", "du", "dated", "from", "of", "issued", "od", "del", "van", "von", "dana", "date", "datum", "de", "am", "at",
    "on", "ze", "fecha",
})  # fmt: skip
_PERIOD = frozenset({"-", "–", "bis", "to", "au", "al", "do", "t/m", "tot", "through", "until", "и", "до"})
_CODE = re.compile(r"[#№]?[^\W_][\w\-/.#+&]*")
_DAYS = frozenset(f"{form}" for day in range(1, 32) for form in (str(day), f"{day:02d}"))
PARTS = 4  # of a date at most
_SIGNS = ":;.#№=-–°ºo"


@dataclass(frozen=True)
class Claim:
    """Words that a label claims. name: of the field, or of the other thing; weak: the label may mean other things;
    period: the words begin a span of time; further: another date behind the same label.
    """

    name: str
    line: int
    run: Run
    place: Place
    where: Where
    mark: Mark | None = None
    weak: bool = False
    period: bool = False
    further: str = ""

    @property
    def text(self) -> str:
        return self.run.text

    @property
    def label(self) -> str:
        return self.mark.text.strip(" :;") if self.mark else ""


def claims(prints: Print, name: str, shape: Shape, skipped: frozenset[int] = frozenset()) -> list[Claim]:
    """What labels of that name claim; `skipped`: lines that are not looked at (those of the table of items)."""
    found = []
    for mark in prints.marks:
        meaning = mark.means(name)
        if meaning and meaning.part != "titles" and mark.line not in skipped:
            claim = (
                behind(prints, mark, name, shape)
                or beside(prints, mark, name, shape)
                or below(prints, mark, name, shape, skipped)
            )
            if claim:
                found.append(replace(claim, weak=meaning.weak))
    return found


def behind(prints: Print, mark: Mark, name: str, shape: Shape) -> Claim | None:
    """What stands behind a label on its line, up to the next label."""
    words = prints.lines[mark.line].words[mark.stop : prints.stop(mark)]
    words = _past_label(words)
    while words and not words[0].text.strip(_SIGNS):
        words = words[1:]
    return _claim(prints, mark.line, words, name, shape, "behind", mark) if words else None


def _past_label(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """What stands behind the rest of a label on a scan, which was misread (`N° TVA` `intracumme amaire:`)."""
    if not words or words[0].font != "ocr":
        return words
    ends = next((at for at, word in enumerate(words[:FILLER]) if word.text.endswith(":")), -1)
    rest = words[: ends + 1]
    return words[ends + 1 :] if not any(any(map(str.isdigit, word.text)) for word in rest) else words


def beside(prints: Print, mark: Mark, name: str, shape: Shape) -> Claim | None:
    """What stands behind a label at nearly its height, on a line of its own."""
    line = prints.lines[mark.line]
    if mark.stop < len(line.words):
        return None
    for at in range(max(0, mark.line - 2), min(mark.line + 3, len(prints.lines))):
        other = prints.lines[at]
        shared = min(other.box.bottom, mark.box.bottom) - max(other.box.top, mark.box.top)
        if at == mark.line or other.page != line.page or shared < 0.5 * mark.box.height:
            continue
        labels = [other.words[one.start].box.x0 for one in prints.by_line.get(at, ())]
        right = min((x for x in labels if x > mark.box.x1), default=float("inf"))
        words = tuple(word for word in other.words if mark.box.x1 <= word.box.x0 < right)
        if words and (claim := _claim(prints, at, words, name, shape, "behind", mark)):
            return claim
    return None


def below(prints: Print, mark: Mark, name: str, shape: Shape, skipped: frozenset[int] = frozenset()) -> Claim | None:
    """What stands below a label, in its column: from its left edge to the next label's."""
    line = prints.lines[mark.line]
    if mark.stop < prints.stop(mark) and layout.gap(line.words[mark.stop - 1], line.words[mark.stop]) < 1.0:
        return None
    size = line.words[mark.start].size
    others = [one.box.x0 for one in prints.by_line[mark.line] if one.start >= mark.stop]
    right = min(others, default=mark.box.x0 + 40 * size)
    for at in range(mark.line + 1, min(mark.line + 4, len(prints.lines))):
        under = prints.lines[at]
        if under.page != line.page or under.box.top - mark.box.bottom > BELOW * size or at in skipped:
            return None
        words = tuple(word for word in under.words if mark.box.x0 - size < word.box.x0 < right - 2)
        if not words or words[0].box.top < mark.box.bottom - 0.3 * size:
            continue
        if any(words[0] in prints.lines[at].words[one.start : one.stop] for one in prints.by_line.get(at, ())):
            return None
        if words[0].box.x0 > max(mark.box.x1, mark.box.x0 + 4 * size):
            continue
        return _claim(prints, at, words, name, shape, "below", mark)
    return None


def titled(prints: Print, skipped: frozenset[int] = frozenset()) -> Iterator[Claim]:
    """The number, and the date, that follow the document's own title (`Invoice # RE-1 issued at 2019-06-10`)."""
    for mark in prints.marks:
        meaning = mark.means("invoice_number")
        if (mark.is_title or (meaning and not meaning.weak)) and mark.line not in skipped:
            yield from _titled(prints, mark)


def _titled(prints: Print, mark: Mark) -> Iterator[Claim]:
    words = prints.lines[mark.line].words[mark.stop : prints.stop(mark, weak=False)]
    start, marked = _numbered(words)
    if mark.is_title and not marked and any(meaning.name == "compound" for meaning in mark.meanings):
        yield from _alone(prints, mark, mark.line, words)
        return
    number = _number(words[start:])
    if not number or (start and layout.gap(words[start - 1], words[start]) > 4.0):
        yield from _alone(prints, mark, mark.line, words)
        return
    yield _made(prints, mark.line, number, "invoice_number", "title", mark)
    yield from _dated(prints, mark, words[start + len(number.words) :])


def _numbered(words: Sequence[Word]) -> tuple[int, bool]:
    """Where a title's number may begin, and whether the word for a number stands before it; a few other words may stand
    before that (`Rechnung des Versicherers (575) Nr. 1`).
    """
    at = _past_brackets(words, 0)
    for ahead in range(at, min(at + 5, len(words))):
        here = _past_brackets(words, ahead)
        if here < len(words) and (plainly(words[here].text) in _MARKS or words[here].text in "#№"):
            start = _past_brackets(words, here + 1)
            while start < len(words) and not words[start].text.strip(_SIGNS):
                start += 1
            return start, True
        if any(map(str.isdigit, words[ahead].text)):
            break
    while at < len(words) and not words[at].text.strip(_SIGNS):
        at += 1
    return at, False


def _dated(prints: Print, mark: Mark, rest: tuple[Word, ...]) -> Iterator[Claim]:
    """The date behind a title's number, on its line or, where the line ends before it, on the next."""
    line = mark.line
    ahead = _past_dated(rest)
    if ahead == len(rest) and line + 1 < len(prints.lines):
        line, below = line + 1, prints.lines[line + 1].words
        if not rest and not _past_dated(below):
            yield from _alone(prints, mark, line, below)
            return
        rest, ahead = below, _past_dated(below)
    elif not ahead:
        return
    found = dates(rest[ahead : ahead + 5])
    if found and found[0].words[0] == rest[ahead]:
        yield _made(prints, line, found[0], "issue_date", "title", mark)


def _alone(prints: Print, mark: Mark, line: int, words: tuple[Word, ...]) -> Iterator[Claim]:
    """A date that stands by the title with nothing else: behind it, or right below."""
    found = dates(words)
    under = line == mark.line or abs(words[0].box.x0 - mark.box.x0) < words[0].size
    if found and len(found[0].words) == len(words) and under and amounts.date(found[0].text, True):
        yield replace(_made(prints, line, found[0], "issue_date", "title", mark), weak=True)


def _past_dated(words: Sequence[Word]) -> int:
    """The first word behind those that say that a date follows (`vom`, `issued at`)."""
    count = 0
    while count < min(3, len(words)) and plainly(words[count].text) in _DATED:
        count += 1
    return count


def _past_brackets(words: Sequence[Word], at: int) -> int:
    """The first word behind what stands in brackets (`(380)`, `(Selbst ausgestellte Rechnung)`)."""
    if at < len(words) and words[at].text.startswith("("):
        closing = next((end for end in range(at, len(words)) if words[end].text.endswith(")")), at - 1)
        return closing + 1
    return at


def _claim(
    prints: Print, line: int, words: tuple[Word, ...], name: str, shape: Shape, where: Where, mark: Mark
) -> Claim | None:
    if shape == "date":
        return _date(prints, line, words, name, where, mark)
    run = _number(words) if shape == "number" else Run(tuple(layout.parts(words, 1.5)[0]))
    return _made(prints, line, run, name, where, mark) if run else None


def _date(prints: Print, line: int, words: tuple[Word, ...], name: str, where: Where, mark: Mark) -> Claim | None:
    found = [run for run in dates(words) if amounts.date(run.text, True)]
    if not found and words and words[0].font == "ocr" and not mark.is_title:
        found = _like_date(words)
    if not found:
        return None
    at = words.index(found[0].words[0])
    if at > FILLER or any(any(map(str.isdigit, word.text)) for word in words[:at]):
        return None
    after = words[at + len(found[0].words) :]
    period = len(after) > 1 and plainly(after[0].text) in _PERIOD | {""} and bool(dates(after[1:3]))
    further = next((run.text for run in found[1:]), "")
    return replace(_made(prints, line, found[0], name, where, mark), period=period, further=further)


def _like_date(words: tuple[Word, ...]) -> list[Run]:
    """What stands behind a date's label on a scan in the form of a date, though a part of it was misread."""
    run = Run(tuple(layout.parts(words, 1.0)[0]))
    figures = [word for word in run.words if word.text.strip(".,").isdigit()]
    begins = run.words[0].text.strip(".,") in _DAYS
    return [run] if begins and len(figures) > 1 and len(run.words) <= PARTS else []


def _number(words: Sequence[Word]) -> Run | None:
    """The code that words begin with: with a digit in it, over several words where they stand close (`FV 1/2021`)."""
    if any(run.words[0] == words[0] and amounts.date(run.text, True) for run in dates(tuple(words))):
        return None  # the day of a date, `24. Januar 2014`
    taken: list[Word] = []
    for word in words:
        text = word.text.strip(",;:()")
        apart = bool(taken) and layout.gap(taken[-1], word) > 0.8
        plain = plainly(text)
        digit = any(map(str.isdigit, text))
        short = text.isupper() and len(text) <= 4 and plain not in _DATED
        if apart or not _CODE.fullmatch(text) or not (digit or short) or (taken and amounts.date(text, True)):
            break
        taken.append(word)
        if text != word.text and word.text[-1] in ",;)":
            break
    while taken and not any(map(str.isdigit, taken[-1].text)):
        taken.pop()
    if not taken:
        return None
    return None if amounts.date(Run(tuple(taken)).text, True) else Run(tuple(taken))


def _made(prints: Print, line: int, run: Run, name: str, where: Where, mark: Mark | None) -> Claim:
    return Claim(name, line, run, prints.place(line, run.words), where, mark)


def typed(prints: Print, name: str, line: int, run: Run) -> Claim:
    """Words that are told by their form alone."""
    return _made(prints, line, run, name, "type", None)


def settled(found: Sequence[Claim]) -> list[Claim]:
    """Each value's claims by the label that it stands behind, where there is one, else all."""
    near: dict[Place, int] = {}
    for claim in found:
        near[claim.place] = min(near.get(claim.place, 9), _rank(claim))
    return [claim for claim in found if _rank(claim) == near[claim.place]]


def _rank(claim: Claim) -> int:
    return {"title": 0, "behind": 0, "below": 1, "type": 2}[claim.where]
