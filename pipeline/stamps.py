"""What is stamped on a document: line numbers, watermarks, Bates numbers, draft stamps, electronic signatures.

Comes in: `Features`. Goes out: the reason and the number of pages with its like for each line that is such a stamp,
by index. A word alone decides nothing: `Draft` in the text stays; a stamp stands at an edge, across the page, or
counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from pipeline import aside, wording
from pipeline.features import Feature, Features

LINE_NUMBERS, WATERMARK, BATES = "line numbers", "watermark", "Bates number"
DRAFT, SECRET, ESIGNED = "draft stamp", "confidentiality stamp", "e-signature stamp"
NOTE = "note about the page"
EDGE = 0.16  # share of the page height in which stamps stand
CORNER = 0.1  # the same for Bates numbers
SAME_PLACE = 0.02
HUGE = 2.5  # of the body size
LARGE = 1.5
SLANTED = 10  # degrees off a quarter turn
LONGEST = 120  # characters of a stamp
DIGITS = re.compile(r"\d+")
NUMBERED = re.compile(r"(?P<prefix>(?:[A-Za-z][\w&.'/]*[ _-])*[A-Za-z][\w&.'/]*?[ _-]?|)(?P<number>\d{4,10})")
PAGE = "page|seite|strana|страна|pagina|página"
PAGE_WORD = re.compile(rf"(?:{PAGE})\b", re.IGNORECASE)

Found = dict[int, tuple[str, int]]


def stamps(features: Features, repeats: int) -> Found:
    """Line numbers, watermarks, Bates numbers and draft stamps, by the index of their line."""
    found = _counted(_line_numbers(features), LINE_NUMBERS)
    found |= _counted(_watermarks(features, repeats), WATERMARK)
    found |= _bates(features)
    return found | _counted(_drafts(features, found), DRAFT)


def secrets(features: Features, taken: Container[int]) -> Found:
    """`Confidential` and its like at the edges of a page, where no repetition told it."""
    lines = [line for line in features.lines if line.at not in taken and len(line.text) <= LONGEST]
    marked = [
        line
        for line in lines
        if (line.caps or line.page == 1) and _at_edge(features, line) and wording.is_secret(line.text)
    ]
    return _counted(marked, SECRET)


def notes(features: Features) -> Found:
    """Lines that say nothing but where the signatures are, or that a page was left blank."""
    return _counted(filter(_is_note, features.lines), NOTE)


def _is_note(line: Feature) -> bool:
    text = line.text
    bracketed = text[0] in "[(*"
    if len(text) > LONGEST or not (bracketed or (line.block_lines <= 2 and text[0].isupper() and text[-1].isalpha())):
        return False
    low = text.lower()
    return any(stem in low for stem in wording.PAGE_NOTE_STEMS) and re.fullmatch(wording.PAGE_NOTE, text) is not None


def _pattern(text: str) -> str:
    return DIGITS.sub("#", text)


def _counted(lines: Iterable[Feature], reason: str) -> Found:
    """The lines with the reason, and on how many pages their like was found."""
    pages: dict[str, set[int]] = defaultdict(set)
    kept = list(lines)
    for line in kept:
        pages[_like(line, reason)].add(line.page)
    return {line.at: (reason, len(pages[_like(line, reason)])) for line in kept}


def _like(line: Feature, reason: str) -> str:
    return reason if reason == LINE_NUMBERS else _pattern(line.text)


def _place(features: Features, line: Feature) -> float:
    return line.box.middle[1] / features.pages[line.page - 1][1]


def _at_edge(features: Features, line: Feature, share: float = EDGE) -> bool:
    return not share < _place(features, line) < 1 - share


# ---------------------------------------------------------------- beside and across the text


def _line_numbers(features: Features) -> Iterator[Feature]:
    figures = [line for line in features.lines if line.text[0].isdigit() and not line.turned]
    found = [line for line in figures if aside.is_line_numbers(features.printed[line.at])]
    yield from found
    column = aside.column(features.printed[line.at] for line in found)
    if column is not None:  # pages with one line have one number
        yield from (line for line in figures if line.text.isdecimal() and column.holds(line.box))


def _watermarks(features: Features, repeats: int) -> Iterator[Feature]:
    """Slanted lines that are large, known or repeated; huge or sideways ones that are known, or stand again and again
    in the same place.
    """
    body = features.body_size
    slanted = [line for line in features.lines if line.turned and _is_slanted(features, line)]
    again = _again(slanted, lambda line: True, 2)
    for line in slanted:
        if line.size >= LARGE * body or line.at in again or wording.is_stamp(line.text):
            yield line
    slant = {line.at for line in slanted}
    large = [line for line in features.lines if line.size >= HUGE * body and line.at not in slant]
    beside = [line for line in features.lines if line.turned and line.at not in slant and _in_margin(features, line)]
    apart = [line for line in {line.at: line for line in [*large, *beside]}.values() if len(line.text) <= LONGEST]
    again = _again(apart, lambda line: line.turned or not _at_edge(features, line), repeats)
    for line in apart:
        if line.at in again or wording.is_stamp(line.text):
            yield line


def _is_slanted(features: Features, line: Feature) -> bool:
    return SLANTED < features.printed[line.at].words[0].rotation % 90 < 90 - SLANTED


def _in_margin(features: Features, line: Feature) -> bool:
    return not 0.1 < line.box.middle[0] / features.pages[line.page - 1][0] < 0.9


def _again(lines: Iterable[Feature], counts: Callable[[Feature], bool], repeats: int) -> set[int]:
    """Indexes of lines whose like stands at the same place on so many pages."""
    groups: dict[str, list[Feature]] = defaultdict(list)
    for line in lines:
        if counts(line):
            groups[_pattern(line.text)].append(line)
    found: set[int] = set()
    for group in groups.values():
        for line in group:
            x, y = line.box.middle
            mates = [other for other in group if _near(other.box.middle, (x, y))]
            if len({other.page for other in mates}) >= repeats:
                found.add(line.at)
    return found


def _near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < 15 and abs(one[1] - other[1]) < 15


# ---------------------------------------------------------------- Bates numbers


def _bates(features: Features) -> Found:
    """Numbers at an edge that have one prefix and rise by one from page to page."""
    runs: dict[tuple[str, int], dict[int, Feature]] = defaultdict(dict)
    for line in features.lines:
        number = line.text[-1].isdigit() and len(line.text) <= 40 and bates_number(line.text)
        if number and _at_edge(features, line, CORNER):
            runs[number[0], number[1] - line.page][line.page] = line
    return {
        line.at: (BATES, len(by_page)) for by_page in runs.values() if len(by_page) >= 2 for line in by_page.values()
    }


def bates_number(text: str) -> tuple[str, int] | None:
    """Prefix and number of what is printed like a Bates number (`ABC0001234`, `000123`), else None."""
    match = NUMBERED.fullmatch(text)
    if match is None or PAGE_WORD.match(text):
        return None
    number = match["number"]
    long = number[0] == "0" or (len(number) >= 5 and match["prefix"])
    return (match["prefix"], int(number)) if long else None


# ---------------------------------------------------------------- drafts


def _drafts(features: Features, taken: Container[int]) -> Iterator[Feature]:
    for line in features.lines:
        if len(line.text) > LONGEST or line.at in taken or not _at_edge(features, line):
            continue
        low = line.text.lower()
        match = any(stem in low for stem in wording.DRAFT_STEMS) and re.fullmatch(wording.DRAFT, line.text)
        if match and _is_dated(match["rest"], bool(match["firm"].strip())) and _is_stamped(line, match):
            yield line


def _is_dated(rest: str, named: bool) -> bool:
    """Whether nothing follows the state but a date or version; a firm's name before it needs one."""
    words = re.findall(r"[^\W_]+", rest)
    figures = any(map(str.isdigit, words))
    strange = [word for word in words if not word.isdigit() and word.lower() not in wording.DRAFT_LINKS]
    months = len(strange) <= (1 if figures else 0) or all(any(map(str.isdigit, word)) for word in strange)
    return months and len(words) <= 9 and (figures or not named)


def _is_stamped(line: Feature, match: re.Match[str]) -> bool:
    """Whether the line is set like a stamp: in capitals or brackets, dated, in several words, or on the first page."""
    first = next((letter for letter in line.text if letter.isalpha()), "")
    if not first.isupper() or not line.starts or line.block_lines > 2:
        return False
    marked = line.caps or line.text[0] in "[(*-–" or any(map(str.isdigit, match["rest"]))
    return marked or line.page == 1 or " " in match["state"]


# ---------------------------------------------------------------- electronic signatures


def esigned(features: Features) -> Found:
    """Stamps of electronic signatures: the line that says so, and the name, id and date below it."""
    lines = features.lines
    found: list[Feature] = []
    index = 0
    while index < len(lines):
        group = _esigned(lines, index) if starts_esigned(lines[index]) else []
        found += group
        index += max(1, len(group))
    return _counted(found, ESIGNED)


def starts_esigned(line: Feature) -> bool:
    """Whether the line, or a part of it after a wide gap, announces an electronic signature."""
    parts = line.parts if line.cells > 1 else (line.text,)
    said = [part for part in parts if part.lower().startswith(wording.ESIGN_STARTS)]
    if not said or len(line.text) > LONGEST or line.text.endswith((";", ",")):
        return False
    return any(map(_announces, said))


def _announces(text: str) -> bool:
    match = re.fullmatch(wording.ESIGNED, text)
    if match is None:
        return False
    rest = match["rest"] or ""
    if text.lower().startswith("signed by") and not match["colon"]:
        return False
    words = [word for word in rest.split() if word[0].islower()]
    return not rest or (not words and not rest.endswith(".")) or re.fullmatch(wording.ESIGNED_ON, rest) is not None


def _esigned(lines: Sequence[Feature], start: int) -> list[Feature]:
    group = [lines[start]]
    for line in lines[start + 1 :]:
        last = group[-1]
        near = line.page == last.page and abs(line.box.top - last.box.bottom) <= 2 * max(last.size, line.size)
        if not near or not (
            re.fullmatch(wording.ESIGNED_ON, line.text) or starts_esigned(line) or _is_signer(line, last, len(group))
        ):
            break
        group.append(line)
    return group


def _is_signer(line: Feature, last: Feature, count: int) -> bool:
    """Whether the line is the name that a stamp's first line announces."""
    said = last.text.rstrip(": ").lower().endswith(wording.ESIGN_ENDS)
    name = all(word[0].isupper() or word in wording.ESIGN_ENDS for word in line.text.split() if word[0].isalpha())
    return count == 1 and said and name and len(line.text) <= 60 and line.number is None
