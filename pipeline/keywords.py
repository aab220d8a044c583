"""What a key, and what is said of it, may be called on a document: patterns with weights.

Comes in: `Leaf`s and texts of a page. Goes out: for a leaf its `Cue`s (a group of words any of which names one word of
the key, in many languages from keywords.toml; words that its description quotes) and where in texts they stand.
Compared are small letters without accents; what a text says is evidence only, never proof.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from pipeline.leaves import Leaf

_SAID = """
    a an and any are as at be by date exactly for format from if in into is it its kept like must no not null number
    numeric of on one only or per present printed shown string that the there this to use used value values when where
    which with without yyyy mm dd e g eg ie i without separators currency symbol symbols thousands each item items
    entry row rows column field document page keep exact text listed found name such also may can do does extract
    iso include including exclude excluding normalized other than usually labeled labelled label amount code total
    then given under above below near next over upper lower left right first last
"""
EMPTY = frozenset(_SAID.split())
PLAIN_SCRIPT = re.compile(r"[a-z\u0370-\u052f0-9]")
QUOTED = re.compile(r"['\"“”„«»‘’「『(（]([^'\"“”„«»‘’」』()（）]{2,60})['\"“”„«»‘’」』)）]")
WORD = re.compile(r"[^\W_]+")
INSIDE = 5  # letters of a stem that are looked for inside words too (`datum` in `Rechnungsdatum`)
LEAST = 3  # letters of a word of a description that tell something
QUOTE_WEIGHT, SAID_WEIGHT = 0.9, 0.35


class Cue(NamedTuple):
    """Patterns (folded; `*` at the end: any ending) that all say the same, and how much that tells."""

    patterns: tuple[str, ...]
    weight: float


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Small letters without accents and quote marks, other marks as spaces."""
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold().replace("ı", "i"))
    letters = (char for char in bare if not unicodedata.combining(char) and char not in "'\"’׳״`´")
    joined = "".join(char if char.isalnum() else " " for char in letters)
    return unicodedata.normalize("NFC", " ".join(joined.split()))


@cache
def known() -> Mapping[str, tuple[str, ...]]:
    """The words of keys, and what each is called."""
    listed = tomllib.loads(resources.files("pipeline").joinpath("keywords.toml").read_text(encoding="utf-8"))
    return {word: tuple(dict.fromkeys(filter(None, map(_pattern, names.split())))) for word, names in listed.items()}


def _pattern(name: str) -> str:
    folded = fold(name)
    return f"{folded}*" if folded and name.endswith("*") else folded


def cues(leaf: Leaf) -> tuple[Cue, ...]:
    """What names the leaf: each word of its key, then what its description quotes and says."""
    found = [Cue(_names(word), 1.0) for word in dict.fromkeys(leaf.words) if word not in ("of", "the", "or", "and")]
    quoted = " ".join(QUOTED.findall(leaf.said.title))
    mine = set(leaf.words)
    for text, weight in ((quoted, QUOTE_WEIGHT), (leaf.said.title, SAID_WEIGHT)):
        for word in WORD.findall(fold(text)):
            if word not in mine and word not in EMPTY and (len(word) >= LEAST or not PLAIN_SCRIPT.match(word)):
                mine.add(word)
                found.append(Cue(_names(word) if weight == SAID_WEIGHT else (word,), weight))
    return tuple(found)


def _names(word: str) -> tuple[str, ...]:
    """The word itself, with its ending where it is long, and what it is called elsewhere."""
    folded = fold(word)
    stem = folded.removesuffix("s") if len(folded) > 4 else folded
    itself = f"{stem}*" if len(stem) > 3 else folded
    return (itself, *known().get(folded, known().get(stem, ())))


class Texts:
    """Texts to look for patterns in, all at once."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._words: dict[str, set[int]] = {}
        for index, text in enumerate(texts):
            for word in fold(text).split():
                self._words.setdefault(word, set()).add(index)
        words = sorted(self._words)
        self._joined = "\n" + "\n".join(words) + "\n"
        self._found: dict[str, frozenset[int]] = {}

    def holding(self, patterns: Iterable[str]) -> frozenset[int]:
        """The texts that hold one of the patterns."""
        return frozenset().union(*map(self._holding, patterns))

    def _holding(self, pattern: str) -> frozenset[int]:
        if pattern not in self._found:
            held = [self._word(part) for part in pattern.removesuffix("*").split()[:-1]]
            held.append(self._word(pattern.split()[-1]))
            self._found[pattern] = frozenset(set.intersection(*held))
        return self._found[pattern]

    def _word(self, pattern: str) -> set[int]:
        """The texts with a word that is the pattern, begins with it, or (a long one, or one of a script without
        spaces) holds it.
        """
        stem = pattern.removesuffix("*")
        solid = not PLAIN_SCRIPT.match(stem)
        if stem == pattern and not solid:
            return self._words.get(stem, set())
        short = ord(stem[:1] or " ") < 0x2E80 and len(stem) < LEAST
        sought = stem if (solid and not short) or len(stem) >= INSIDE else f"\n{stem}"
        found: set[int] = set()
        at = self._joined.find(sought)
        while at >= 0:
            start = self._joined.rfind("\n", 0, at + 1) + 1
            end = self._joined.index("\n", max(start, at + 1))
            found |= self._words[self._joined[start:end]]
            at = self._joined.find(sought, end)
        return found
