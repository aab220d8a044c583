"""Citations of a document made to a seed: true ones set otherwise, and forged ones with the verdict each deserves.

Comes in: sections and a seed. Goes out: (citation, the verdict expected, the section that the words were taken from).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from pipeline.citations import Cited
from pipeline.model import Section

INVENTIONS = (
    "Either party may terminate this Agreement for convenience upon {n} days’ prior written notice to the other party.",
    "The Supplier shall indemnify the Client against all losses up to a maximum of EUR {n},000 in each Contract Year.",
    "Termination under this clause shall not relieve either party of obligations accrued more than {n} days before.",
    "This Agreement renews automatically for successive periods of {n} months unless notice of non-renewal is given.",
    "Neither party shall be liable for indirect or consequential loss exceeding {n} per cent of the annual Charges.",
)


@dataclass(frozen=True)
class Made:
    cited: Cited
    expected: str
    home: Section | None


def true_ones(sections: Sequence[Section], seed: int, count: int) -> Iterator[Made]:
    """Quotes of what stands there, with other spaces, line breaks, hyphens and quote marks."""
    rng = Random(seed)
    usable = [section for section in sections if section.anchor and len(section.content.split()) > 12]
    for _ in range(count):
        section = rng.choice(usable)
        yield Made(Cited(_written(section, rng), _reset(_quote(section, rng), rng)), "verified", section)


def forged_ones(sections: Sequence[Section], seed: int, count: int) -> Iterator[Made]:
    """Wrong numbers, altered quotes, swapped clauses, plausible inventions, in turn."""
    rng = Random(seed)
    usable = [section for section in sections if section.anchor and len(section.content.split()) > 12]
    everything = letters(" ".join(f"{one.number or ''} {one.title} {one.content}" for one in sections))
    ways = (_wrong_number, _altered, _swapped, _invented)
    made = 0
    while made < count:
        found = ways[made % 4](usable, rng)
        stands = letters(found.cited.quote) in everything
        if stands == (found.expected in ("wrong_section", "not_found")):
            made += 1
            yield found


def letters(text: str) -> str:
    """Nothing but letters and digits."""
    return "".join(char for char in text if char.isalnum())


def _quote(section: Section, rng: Random) -> str:
    words = section.content.split()
    size = min(len(words), rng.randint(8, 40))
    start = rng.randint(0, len(words) - size)
    return " ".join(words[start : start + size])


def _written(section: Section, rng: Random) -> str:
    """The section's anchor or number as somebody may write it."""
    assert section.anchor
    path = section.anchor.removeprefix("section-").replace("-", ".")
    if not section.anchor.startswith("section-"):
        return rng.choice((section.anchor, section.section_id))
    return rng.choice((section.anchor, path, f"Section {path}", f"§ {path}", f"cl. {path}", section.section_id))


def _reset(quote: str, rng: Random) -> str:
    """The same words set otherwise."""
    for old, new in (("“", '"'), ("”", '"'), ("’", "'"), ("-", "\u2011")):
        if rng.random() < 0.5:
            quote = quote.replace(old, new)
    spaced = re.sub(" ", lambda _: rng.choice((" ", " ", " ", "  ", "\n", "\u00a0")), quote)
    long = [match.start() for match in re.finditer(r"(?<=[a-z]{3})(?=[a-z]{3})", spaced)]
    if long and rng.random() < 0.7:
        at = rng.choice(long)
        spaced = spaced[:at] + rng.choice(("-\n", "\u00ad", "\u00ad\n")) + spaced[at:]
    return spaced


def _elsewhere(sections: Sequence[Section], home: Section, quote: str, rng: Random) -> Section:
    """A section that does not hold the quote and is not above its own."""
    parents = {section.section_id: section.parent_id for section in sections}
    above, one = set(), home.parent_id
    while one is not None:
        above.add(one)
        one = parents.get(one)
    while True:
        other = rng.choice(sections)
        if other.section_id not in above and letters(quote) not in letters(
            f"{other.number or ''} {other.title} {other.content}"
        ):
            return other


def _wrong_number(sections: Sequence[Section], rng: Random) -> Made:
    home = rng.choice(sections)
    quote = _quote(home, rng)
    if rng.random() < 0.5:
        return Made(Cited(f"Section {rng.randint(60, 99)}.{rng.randint(1, 9)}", quote), "not_found", home)
    return Made(Cited(_written(_elsewhere(sections, home, quote, rng), rng), quote), "wrong_section", home)


def _swapped(sections: Sequence[Section], rng: Random) -> Made:
    home = rng.choice(sections)
    quote = max(home.content.split("\n"), key=len)
    return Made(Cited(_written(_elsewhere(sections, home, quote, rng), rng), quote), "wrong_section", home)


def _altered(sections: Sequence[Section], rng: Random) -> Made:
    home = rng.choice(sections)
    quote = _quote(home, rng)
    match rng.randint(0, 3):
        case 0:
            at = rng.choice([at for at, char in enumerate(quote) if char.isalpha()])
            other = rng.choice([char for char in "aeinrst" if char != quote[at].lower()])
            altered = quote[:at] + other + quote[at + 1 :]
        case 1 if figures := [at for at, char in enumerate(quote) if char.isdigit()]:
            at = rng.choice(figures)
            altered = quote[:at] + str((int(quote[at]) + rng.randint(1, 9)) % 10) + quote[at + 1 :]
        case 2:
            words = quote.split()
            words.insert(rng.randint(1, len(words) - 1), rng.choice(("not", "also", "reasonably", "never")))
            altered = " ".join(words)
        case _:
            words = quote.split()
            at = rng.randint(1, len(words) - 2)
            altered = " ".join([*words[:at], *words[at + 1 :]])
    return Made(Cited(_written(home, rng), altered), "invented", home)


def _invented(sections: Sequence[Section], rng: Random) -> Made:
    text = rng.choice(INVENTIONS).format(n=rng.randint(3, 400))
    return Made(Cited(_written(rng.choice(sections), rng), text), "invented", None)
