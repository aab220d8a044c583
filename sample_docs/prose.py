"""Sentences from a grammar: varied, never the same twice, and with cross references that exist.

Comes in: a `Grammar`, topics, a random generator, the references that may be made. Goes out: text. Refuses (KeyError) a
slot that the grammar does not fill.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from sample_docs.agreement_text import Grammar

SLOT = re.compile(r"\{(\w+)(~?)\}")


@dataclass
class Prose:
    """A source of sentences; remembers what it said. refs, sch: cross references as printed."""

    grammar: Grammar
    seed: int
    refs: Sequence[str]
    schedule_refs: Sequence[str]
    said: set[str] = field(default_factory=set)
    rng: Random = field(default_factory=Random)

    def sentence(self, topics: Sequence[str]) -> str:
        return self._new(self.grammar.patterns, topics)

    def intro(self, topics: Sequence[str]) -> str:
        return self._new(self.grammar.intros, topics)

    def point(self, topics: Sequence[str]) -> str:
        return self._new(self.grammar.points, topics, capital=False)

    def subpoint(self, topics: Sequence[str]) -> str:
        return self._new(self.grammar.subpoints, topics, capital=False)

    def _new(self, patterns: Sequence[str], topics: Sequence[str], capital: bool = True) -> str:
        text = ""
        for _ in range(300):  # a clause with few topics may have said it all
            text = self._filled(self.rng.choice(patterns), topics)
            if text not in self.said:
                break
        self.said.add(text)
        return text[0].upper() + text[1:] if capital else text

    def _filled(self, pattern: str, topics: Sequence[str]) -> str:
        x, y = self.rng.sample(list(topics), 2)
        p, q = self.rng.choice(self.grammar.parties)
        named = {"x": x, "y": y, "p": p, "q": q}
        used: set[str] = set()

        def fill(match: re.Match[str]) -> str:
            name, swapped = match.group(1), bool(match.group(2))
            match name:
                case "x" | "y" | "p" | "q":
                    return named[name]
                case "ref":
                    return self.rng.choice(self.refs)
                case "sch":
                    return self.rng.choice(self.schedule_refs)
            chosen = self.rng.choice([phrase for phrase in self.grammar.slots[name] if phrase not in used])
            used.add(chosen)
            if swapped:
                named["p"], named["q"] = named["q"], named["p"]
            inner = SLOT.sub(fill, chosen)
            if swapped:
                named["p"], named["q"] = named["q"], named["p"]
            return inner

        return SLOT.sub(fill, pattern)
