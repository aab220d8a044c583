"""Why a line is a heading, or is none: its evidence in words, for and against.

Comes in: what decides (`headings.Judge`, the `Ledger`, lines of tables), the index of a line. Goes out: `Why`.
Refuses nothing; outline.py puts it together as `outline.Decided.why`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline import colours
from pipeline.boilerplate import Reason
from pipeline.features import Feature
from pipeline.headings import CODE, CONSTANT, ENOUGH, LONGEST, SENTENCE_END, WORD, Found, Judge
from pipeline.roles import CAPTION

NAMES = {
    "size": "set larger than the text",
    "bold": "bold on a line of its own",
    "numbering": "numbered as a heading is",
    "caps": "in capitals on a line of its own",
    "contents": "named by the contents list",
}


@dataclass(frozen=True)
class Why:
    """A line of a document and what speaks for and against its being a heading, in words, the strongest first.

    level: of the heading that the line is, or is a part of; None where it is none. begins: whether that heading
    begins with this line.
    """

    page: int
    text: str
    level: int | None
    begins: bool
    speaks_for: tuple[str, ...]
    against: tuple[str, ...]


def of_heading(judge: Judge, line: Feature, found: Found, level: int) -> Why:
    """Of a line of a heading."""
    begins = line.at == found.first.at
    speaks = list(found.evidence)
    if not begins:
        speaks.insert(0, f"goes on the title of the line above, “{found.first.text}”")
    against = tuple(_lacking(judge, line)) if begins and not found.marked else ()
    return Why(line.page, line.text, level, begins, tuple(speaks), against)


def of_other(judge: Judge, line: Feature, removed: Mapping[int, Reason], rows: Mapping[int, object]) -> Why:
    """Of a line that is no heading."""
    speaks = tuple(_held(judge, line)) if line in judge.lines else ()
    against = _against(judge, line) if line in judge.lines else _apart(line, removed, rows)
    return Why(line.page, line.text, None, False, speaks, tuple(against))


def _apart(line: Feature, removed: Mapping[int, Reason], rows: Mapping[int, object]) -> Iterator[str]:
    if line.at in removed:
        why = removed[line.at]
        like = f", its like is on {why.repeats} pages" if why.repeats > 1 else ""
        yield f"set aside as {why.reason}{like}; restore it in the list of lines set aside"
    if line.at in rows:
        yield "a row of a table"
    if line.turned:
        yield "set sideways"


def _held(judge: Judge, line: Feature) -> Iterator[str]:
    """The evidence that holds, with its weight where that does not suffice alone."""
    position = judge.lines.index(line)
    for name in judge.held(position, judge.tier(line)):
        weight = judge.weight([name])
        told = judge.hue(line) if name == "colour" else NAMES[name]
        yield told + ("" if weight >= ENOUGH else f" (weight {weight:g})")


def _against(judge: Judge, line: Feature) -> Iterator[str]:
    position = judge.lines.index(line)
    tier = judge.tier(line)
    held = judge.held(position, tier)
    total = judge.weight(held)
    if held and total < ENOUGH:
        yield f"what holds weighs {total:g} together, and it takes {ENOUGH:g}"
    yield from _bars(judge, line)
    joined = " ".join(part.text for part in judge.joined(position, tier)) if held else line.text
    if len(joined) > LONGEST >= len(line.text):
        yield f"longer than {LONGEST} characters with the lines that go on from it"
    if held and not judge.ends_well(joined, line, tier):
        yield f"ends as a sentence or a list does, in “{joined[-1:]}”"
    if line.at in judge.beside_title:
        yield "on the cover, beside its title"
    if judge.in_table(position):
        yield "between lines with columns, as in a table"
    yield from _lacking(judge, line)


def _bars(judge: Judge, line: Feature) -> Iterator[str]:
    """What no heading has."""
    if len(line.text) > LONGEST:
        yield f"longer than {LONGEST} characters"
    if not WORD.search(line.text):
        yield "holds no word"
    if line.cells >= 3:
        yield f"has {line.cells} parts with wide gaps between them, as a row has"
    if line.role == "footnote":
        yield "a footnote"
    if CAPTION.match(line.text):
        yield "a caption of a figure or a table"
    if signs := CODE.search(line.text):
        yield f"holds “{signs[0]}”, as code, lists and addresses do"
    if line.caps and CONSTANT.search(line.text):
        yield "in capitals as a name in a program is"
    if line.text[:1].islower() and line.number is None:
        yield "begins with a small letter"
    if not line.starts:
        yield "goes on in the paragraph of the line above"
    elif line.block_lines > 3:
        yield f"begins a paragraph of {line.block_lines} lines"


def _lacking(judge: Judge, line: Feature) -> Iterator[str]:
    """The kinds of evidence that the line does not have, or that are switched off."""
    profile, body = judge.profile, judge.features
    off = [name for name in ("size", "bold", "numbering", "caps", "colour") if not getattr(profile, f"by_{name}")]
    if off:
        yield f"not looked at: {', '.join(off)}"
    if "size" not in off and judge.tier(line) is None:
        below = "no larger than" if line.size <= body.body_size else "below every tier, too little above"
        yield f"{line.size:g} pt, {below} the text’s {body.body_size:g} pt"
    elif "size" not in off and (line.size, line.bold, line.caps) in judge.prose:
        yield "running text is set in this type, too"
    if "bold" not in off and not line.bold:
        yield _part_bold(line)
    elif "bold" not in off and body.body_bold:
        yield "bold says nothing here: the text is bold, too"
    if "numbering" not in off:
        yield from _number(line)
    if "caps" not in off and not line.caps:
        yield "not in capitals"
    if "colour" not in off and body.palette.telling and not judge.coloured(line):
        same = line.colour == body.palette.body
        yield f"in {colours.name(line.colour)}, " + ("as the text is" if same else "which tells no headings here")
    if judge.contents and judge.listed(line) is None:
        yield "not named by the contents list"


def _part_bold(line: Feature) -> str:
    if line.lead > 1:
        return f"only its first {line.lead} words are bold"
    return "only its first word is bold" if line.lead else "not bold"


def _number(line: Feature) -> Iterator[str]:
    if line.number is None:
        yield "without a number"
    elif not (line.bold or line.caps) and SENTENCE_END.search(line.text):
        yield f"the number {line.number.label} begins a sentence"
    elif not (line.bold or line.caps):
        yield f"its number {line.number.label} decides nothing alone: paragraphs and lists are numbered, too"


def found_with(found: Sequence[Found], at: int) -> int | None:
    """Index of the heading that the line belongs to."""
    return next((index for index, one in enumerate(found) if any(line.at == at for line in one.lines)), None)
