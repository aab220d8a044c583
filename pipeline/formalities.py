"""What frames a contract without being part of it: its cover page and its signature blocks.

Comes in: the lines of a document. Goes out: the reason for each line that is one or the other, by index. A cover is
only seen in a document that names itself an agreement; a signature block needs a place to sign, and labels beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from statistics import median

from pipeline import stamps, wording
from pipeline.features import Feature, Features

COVER, SIGNATURE = "cover page", "signature block"
SHORTEST = 4  # pages of a document that has a cover
SPARSE = 0.45  # a cover has at most this share of the letters of the usual page
TO_SIGN = re.compile(r"_{5,}|/s/")
RULE = re.compile(r"[_\s]*_{8,}[_\s]*")
LABEL = 40  # characters of a label at most
NAMED = 60  # characters of a line that stands between labels, or names who signs below a rule


def formalities(features: Features, taken: Container[int]) -> dict[int, str]:
    """Lines of the cover and of signature blocks, but for those that the ledger has already."""
    lines = [line for line in features.lines if line.at not in taken and not line.turned]
    return dict.fromkeys(_cover(features, lines), COVER) | dict.fromkeys(_signatures(lines), SIGNATURE)


def _cover(features: Features, lines: Sequence[Feature]) -> list[int]:
    letters: dict[int, int] = defaultdict(int)
    for line in lines:
        letters[line.page] += len(line.text)
    first = [line for line in lines if line.page == 1]
    if len(features.pages) < SHORTEST or not first or letters[1] > SPARSE * median(letters.values()):
        return []
    prose = any(line.block_lines >= 3 and len(line.text) > 60 for line in first)
    clauses = any(line.number and not line.number.bare and line.number.rest for line in first)
    named = any(re.search(wording.AGREEMENT, line.text) for line in first)
    return [line.at for line in first] if named and not prose and not clauses else []


def _signatures(lines: Sequence[Feature]) -> Iterator[int]:
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and _goes_on(lines, start, end):
            end += 1
        if _is_signed(lines, start, end):
            first = _with_party(lines, start)
            yield from (line.at for line in lines[first:end])
        start = max(end, start + 1)


def _goes_on(lines: Sequence[Feature], start: int, index: int) -> bool:
    """Whether a line is part of the block that began at `start`; one short line may stand between two labels, and two
    below a rule.
    """
    line = lines[index]
    if line.page != lines[start].page:
        return False
    if _signs(line) or (index > start and re.fullmatch(wording.ESIGNED_ON, line.text)):
        return True
    if index == start or len(line.text) > NAMED:
        return False
    if _below_rule(lines[max(start, index - 2) : index], line):
        return True
    following = lines[index + 1] if index + 1 < len(lines) else None
    return _signs(lines[index - 1]) and following is not None and _signs(following) and following.page == line.page


def _signs(line: Feature) -> bool:
    text = line.text
    if ("_____" in text or "/s/" in text) and len(text) < 160:
        return True
    return is_labelled(text) or stamps.starts_esigned(line)


def is_labelled(text: str) -> bool:
    """Whether a line begins with a label of a signature block."""
    colon = text.find(":", 0, LABEL)
    return colon > 0 and text[:colon].rstrip().lower() in wording.ROLES


def _below_rule(above: Sequence[Feature], line: Feature) -> bool:
    """Whether the line may be the name or title of who signs on a rule, one or two lines above it."""
    ruled = any(RULE.fullmatch(other.text) for other in above)
    near = line.box.top - above[-1].box.bottom < 1.5 * line.size
    return ruled and near and line.number is None and not line.text.endswith((".", ";", ":", ","))


def _is_signed(lines: Sequence[Feature], start: int, end: int) -> bool:
    """Whether lines are a signature block: a place to sign with labels, or labels below who signs, or a rule with a
    name below it and who signs above it.
    """
    block = lines[start:end]
    if len(block) < 2:
        return False
    labels = [label for line in block for label in wording.labels(line.text)]
    roles = {label.role for label in labels}
    place = "sign" in roles or any(TO_SIGN.search(line.text) or stamps.starts_esigned(line) for line in block)
    said = place or ("name" in roles and len(roles) >= 2 and _introduced(lines, start))
    if said and len({label.text.lower() for label in labels}) >= 2:
        return True
    ruled = any(RULE.fullmatch(line.text) for line in block[:-1])
    captioned = any(wording.is_caption(line.text) for line in block)
    return ruled and (captioned or _introduced(lines, start) or re.match(wording.BEHALF, block[0].text) is not None)


def _introduced(lines: Sequence[Feature], start: int) -> bool:
    """Whether one of the two lines above says on whose behalf, or that, somebody signs."""
    above = [line for line in lines[max(0, start - 2) : start] if line.page == lines[start].page]
    return any(
        len(line.text) <= 90
        and not line.text.endswith((".", ";"))
        and (re.match(wording.BEHALF, line.text) or re.search(wording.WITNESSED, line.text))
        for line in above
    )


def _with_party(lines: Sequence[Feature], start: int) -> int:
    """The first line of the block with the name of the party above it, up to two lines."""
    first = start
    for index in range(start - 1, max(-1, start - 3), -1):
        line = lines[index]
        short = line.page == lines[start].page and len(line.text) <= 90 and not line.text.endswith((".", ";", ":"))
        if not short or not (re.search(wording.PARTY, line.text) or line.caps or line.bold) or line.number:
            break
        if line.size > 1.1 * lines[start].size:
            break
        first = index
    return first
