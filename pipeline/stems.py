"""Words to their stems, so that the forms of a word are one: `assigned` and `assignment`, `уступања` and `ustupanje`.

Comes in: words and the code of their language. Goes out: stems in plain Latin letters. Where there is no stemmer for
the language the word itself is its stem.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from threading import Lock
from typing import Protocol

from pipeline.terms import plainly

NAMES = {
    "en": "english", "de": "german", "sr": "serbian", "fr": "french", "it": "italian", "es": "spanish", "nl": "dutch",
}  # fmt: skip

_GUARD = Lock()  # a stemmer holds the word that it is at


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@cache
def _stemmer(language: str) -> _Stemmer:
    import snowballstemmer

    stemmer: _Stemmer = snowballstemmer.stemmer(NAMES[language])
    return stemmer


@lru_cache(maxsize=65536)
def stem(word: str, language: str) -> str:
    """The stem of one word."""
    if language not in NAMES:
        return plainly(word)
    with _GUARD:
        found = _stemmer(language).stemWord(word.lower())
    return plainly(found) or plainly(word)


def stems(words: Iterable[str], language: str) -> str:
    """The stems of words, with a space around each."""
    return f" {' '.join(filter(None, (stem(word, language) for word in words)))} "
