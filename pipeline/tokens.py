"""How many tokens a text has, and what sending it costs: estimates, and named so.

Comes in: text. Goes out: a count by the tokenizer that lies in wordllama's package (no network), and dollars by the
price list beside this module. The tokenizer is imported at the first count. Refuses, as UsageError: a model without a
price.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.model import UsageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

METHOD = (
    "an estimate: tokens of the Llama tokenizer that ships in the package wordllama; Claude's own differs, newer "
    "models count more, and its API counts exactly"
)
UPLOAD_METHOD = (
    "an estimate: Claude is given a PDF's text and a picture of each page, and a page's picture counts up to "
    "1,600 tokens"
)
IMAGE_TOKENS = 1600  # of a page's picture, scaled as Anthropic documents it: width × height / 750 pixels
BATCH = 20_000  # characters that are counted at once
PRICES = Path(__file__).with_name("prices.toml")


@dataclass(frozen=True)
class Price:
    """What a model takes for a million tokens of input, in US dollars; date: of the price list."""

    model: str
    dollars: Decimal
    date: str

    def of(self, tokens: int) -> Decimal:
        """Dollars for so many tokens, to a hundredth of a cent."""
        return (self.dollars * tokens / 1_000_000).quantize(Decimal("0.0001"))


def count(text: str) -> int:
    """The tokens of a text."""
    return sum(counts(_parts(text)))


def counts(texts: list[str]) -> list[int]:
    """The tokens of each text."""
    whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]  # halves of surrogate pairs
    return [len(one.ids) for one in _tokenizer().encode_batch(whole, add_special_tokens=False)]


def upload(text_tokens: int, pages: int) -> int:
    """The tokens of a PDF that is uploaded as it is: its text, and a picture of each page."""
    return text_tokens + IMAGE_TOKENS * pages


def price(model: str = "") -> Price:
    """The price of a model, or of the one that the list names first."""
    table = tomllib.loads(PRICES.read_text(encoding="utf-8"))
    model = model or table["default"]
    if model not in table["models"]:
        raise UsageError(f"{model} has no price; known: {', '.join(table['models'])}")
    return Price(model, Decimal(str(table["models"][model])), table["date"])


@cache
def _tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    found = find_spec("wordllama")
    assert found is not None and found.origin is not None
    return Tokenizer.from_file(str(Path(found.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"))


def _parts(text: str) -> list[str]:
    """The text in parts of some pages each, cut at the ends of lines, so that all cores count."""
    parts, part, size = [], [], 0
    for line in text.splitlines(keepends=True):
        part.append(line)
        size += len(line)
        if size > BATCH:
            parts.append("".join(part))
            part, size = [], 0
    return [*parts, "".join(part)]
