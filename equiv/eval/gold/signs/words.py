"""Words of questions and names: what a question mentions, whatever its form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_RUN = re.compile(r"[A-Za-z]+|\d+", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_NO_EXTREME = re.compile(r"\bat (?:the )?(?:least|most|max|min)|\b(?:first|last) names?\b", re.IGNORECASE)
_CUT = re.compile(r"(?:ies|es|s|y|e|ing|ed)\Z")

HIGHEST = frozenset(
    [
        *("highest", "most", "largest", "biggest", "maximum", "greatest", "top", "latest", "newest"),
        *("tallest", "heaviest", "max"),
    ]
)
LOWEST = frozenset(
    [
        *("lowest", "least", "smallest", "minimum", "fewest", "shortest", "earliest", "cheapest"),
        *("lightest", "slowest", "min"),
    ]
)
SUPERLATIVES = HIGHEST.union(
    LOWEST, ["fastest", "oldest", "youngest", "best", "worst", "longest", "strongest", "first", "last"]
)


@lru_cache(maxsize=1024)
def words_of(text: str) -> frozenset[str]:
    """The stems of the words of a text; parts of a name in camelCase or snake_case count apart."""
    return frozenset(stem(part) for run in _RUN.findall(text) for part in _parts(run))


def _parts(run: str) -> Iterator[str]:
    """The words of a run of letters in camelCase: ``HTMLPage`` has two."""
    start = 0
    for place in range(1, len(run)):
        ends_word = run[place - 1].islower() or run[place + 1 : place + 2].islower()
        if run[place].isupper() and ends_word:
            yield run[start:place]
            start = place
    yield run[start:]


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, as they stand."""
    return re.findall(r"[a-z]+", text.lower())


def superlatives_of(question: str) -> frozenset[str]:
    """The superlatives of a question; "at least" and "last name" are none."""
    return SUPERLATIVES.intersection(plain_words(_NO_EXTREME.sub(" ", question)))


def stem(word: str) -> str:
    """A word in lower case without its commonest endings."""
    lower = word.lower()
    return _CUT.sub("", lower) if len(lower) > 3 else lower


@lru_cache(maxsize=1024)
def numbers_of(text: str) -> frozenset[float]:
    """The numbers in a text; a run of six or eight digits also counts as year, month and day."""
    found = set()
    for token in _NUMBER.findall(text.replace(",", "")):
        found.add(float(token))
        if token.isdigit() and len(token) in {6, 8}:
            found |= {float(token[:4]), float(token[4:6]), float(token[6:] or token[4:6])}
    return frozenset(found)
