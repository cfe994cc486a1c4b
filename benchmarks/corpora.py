"""Where the published pairs are, and the command lines that evaluate them.

The data is not part of the project: it is read from ``$EQUIV_DATA``, by default
``../shared/data`` beside the checkout.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("EQUIV_DATA", ROOT.parent / "shared" / "data"))
SPIDER_MODELS = ("C3", "Claude", "DAIL", "DIN", "GPT4Turbo", "Graphix", "RASAT+PICARD", "RESDSQL")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A named set of pairs and what ``equiv eval`` needs to read it."""

    name: str
    arguments: tuple[str, ...]
    """Files and options that say what the pairs and their schemas are."""

    def command(self, *options: str) -> list[str]:
        """The command line that evaluates the corpus."""
        return [sys.executable, "-m", "cli", "eval", *self.arguments, *options]


def corpora() -> tuple[Corpus, ...]:
    """The corpora of the benchmark tables."""
    bird = ("--schema", str(DATA / "bird" / "ddl"))
    spider = (
        *("--gold", str(DATA / "spider" / "gold.txt"), "--format", "spider"),
        *("--db-root", str(DATA / "spider" / "database"), "--schema", str(DATA / "spider" / "tables.json")),
    )
    models = tuple(str(DATA / "spider" / f"{model}.txt") for model in SPIDER_MODELS)
    return (
        Corpus("rose-vec", (str(DATA / "rose-vec" / "bird.json"), *bird)),
        Corpus("rose-bench", (str(DATA / "rose-bench" / "pairs.jsonl"), *bird)),
        Corpus("spider", (*models, *spider)),
    )


def corpus(name: str) -> Corpus:
    """The corpus of that name.

    Raises:
        KeyError: there is none.
    """
    return {found.name: found for found in corpora()}[name]
