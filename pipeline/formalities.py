"""What frames a contract without being part of it: its cover page and its signature blocks.

Comes in: the lines of a document. Goes out: the reason for each line that is one or the other, by index. A cover is
only seen in a document that names itself an agreement; a signature block needs a place to sign, and labels beside it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from pipeline import covers, wording
from pipeline.features import Feature, Features

COVER, SIGNATURE = "cover page", "signature block"
TO_SIGN = re.compile(r"_{5,}|/s/")
RULE = re.compile(r"[_\s]*_{8,}[_\s]*")
NEAR = 6  # lines between an electronic signature and the labels that go with it
LABEL = 40  # characters of a label at most
NAMED = 60  # characters of a line that stands between labels, or names who signs below a rule


def formalities(features: Features, taken: Container[int], esigned: Container[int] = ()) -> dict[int, str]:
    """Lines of the cover and of signature blocks, but for those that the ledger has already; `esigned` are lines of
    electronic signatures, which are places to sign.
    """
    lines = [line for line in features.lines if line.at not in taken and not line.turned]
    return dict.fromkeys(_cover(features, lines), COVER) | dict.fromkeys(_signatures(lines, esigned), SIGNATURE)


def _cover(features: Features, lines: Sequence[Feature]) -> list[int]:
    first = covers.cover(lines, len(features.pages))
    named = any(re.search(wording.AGREEMENT, line.text) for line in first)
    return [line.at for line in first] if named else []


def _signatures(lines: Sequence[Feature], esigned: Container[int]) -> Iterator[int]:
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and _goes_on(lines, start, end):
            end += 1
        if start < end and _is_signed(lines, start, end, esigned):
            first = _with_party(lines, start)
            yield from (line.at for line in lines[first:end])
        start = max(end, start + 1)


def _goes_on(lines: Sequence[Feature], start: int, index: int) -> bool:
    """Whether a line is part of the block that began at `start`; one short line may stand between two labels, and two
    below a rule or a signature.
    """
    line = lines[index]
    if line.page != lines[start].page:
        return False
    if _signs(line):
        return True
    if index == start or len(line.text) > NAMED:
        return False
    if _below_rule(lines[max(start, index - 2) : index], line):
        return True
    following = lines[index + 1] if index + 1 < len(lines) else None
    return _signs(lines[index - 1]) and following is not None and _signs(following) and following.page == line.page


def _signs(line: Feature) -> bool:
    text = line.text
    return (("_____" in text or "/s/" in text) and len(text) < 160) or is_labelled(text)


def is_labelled(text: str) -> bool:
    """Whether a line begins with a label of a signature block."""
    colon = text.find(":", 0, LABEL)
    return colon > 0 and text[:colon].rstrip().lower() in wording.ROLES


def _below_rule(above: Sequence[Feature], line: Feature) -> bool:
    """Whether the line may be the name or title of who signs on a rule, one or two lines above it."""
    ruled = any(_is_rule(other) for other in above)
    near = line.box.top - above[-1].box.bottom < 1.5 * line.size
    initial = line.number is None or line.number.style in ("letter", "roman")
    return ruled and near and initial and not line.text.endswith((".", ";", ":", ","))


def _is_rule(line: Feature) -> bool:
    """Whether somebody signs on this line and nothing else stands there."""
    return line.text.startswith("/s/") or RULE.fullmatch(line.text) is not None


def _is_signed(lines: Sequence[Feature], start: int, end: int, esigned: Container[int]) -> bool:
    """Whether lines are a signature block: a place to sign with labels, or labels below who signs, or a rule with a
    name below it and who signs above it.
    """
    block = lines[start:end]
    if block[0].text.startswith("/s/"):
        return True
    if len(block) < 2:
        return False
    labels = [label for line in block for label in wording.labels(line.text)]
    roles = {label.role for label in labels}
    near = range(block[0].at - NEAR, block[-1].at + NEAR)
    place = "sign" in roles or any(TO_SIGN.search(line.text) for line in block) or any(at in esigned for at in near)
    said = place or ("name" in roles and len(roles) >= 2 and _introduced(lines, start))
    if said and len({label.text.lower() for label in labels}) >= 2:
        return True
    ruled = any(map(_is_rule, block[:-1])) or ("sign" in roles and any(map(_is_rule, block)))
    captioned = any(wording.is_caption(line.text) for line in block)
    return ruled and ("sign" in roles or captioned or _introduced(lines, start))


def _introduced(lines: Sequence[Feature], start: int) -> bool:
    """Whether one of the two lines above says on whose behalf, or that, somebody signs."""
    above = [line for line in lines[max(0, start - 2) : start] if line.page == lines[start].page]
    return any(
        len(line.text) <= 90 and (names_party(line.text) or re.search(wording.WITNESSED, line.text)) for line in above
    )


def names_party(text: str) -> bool:
    """Whether a line says on whose behalf somebody signs, or ends as a company's name does."""
    return re.match(wording.BEHALF, text) is not None or re.fullmatch(wording.COMPANY, text) is not None


def _with_party(lines: Sequence[Feature], start: int) -> int:
    """The first line of the block with the name of the party above it, up to two lines."""
    first = start
    for index in range(start - 1, max(-1, start - 3), -1):
        line = lines[index]
        named = names_party(line.text) and (line.starts or (index > 0 and lines[index - 1].starts))
        short = len(line.text) <= 90 and (named or not line.text.endswith((".", ";", ":")))
        if line.page != lines[start].page or not short or (line.number and not named):
            break
        if not (named or re.search(wording.PARTY, line.text) or line.caps or line.bold):
            break
        if line.size > 1.1 * lines[start].size:
            break
        first = index
    return first
