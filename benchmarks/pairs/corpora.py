"""Where the published pairs are, and the command lines that evaluate them.

The data is not part of the project: it is read from ``$EQUIV_DATA``, by default
``../shared/data`` beside the checkout.  Corpora that were published in forms of their
own are converted into ``results/converted/`` when they are asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks import ROOT
from benchmarks.pairs import transpiled
from benchmarks.pairs.published import NAMES, convert
from equiv.eval.arguments import format_named
from equiv.eval.reading.formats import read_items
from equiv.records.record import Item
from equiv.schema.locate import Place, places_for_eval

DATA = Path(os.environ.get("EQUIV_DATA", ROOT.parent / "shared" / "data"))
CONVERTED = ROOT / "results" / "converted"
SPIDER_MODELS = ("C3", "Claude", "DAIL", "DIN", "GPT4Turbo", "Graphix", "RASAT+PICARD", "RESDSQL")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A named set of pairs and what ``equiv eval`` needs to read it."""

    name: str
    arguments: tuple[str, ...]
    """Files and options that say what the pairs and their schemas are."""
    dialect: str = ""

    def command(self, *options: str) -> list[str]:
        """The command line that evaluates the corpus."""
        return [sys.executable, "-m", "equiv", "eval", *self.arguments, *self._words(), *options]

    @property
    def given(self) -> argparse.Namespace:
        """The arguments: files, gold, format, db_root and schema."""
        parser = argparse.ArgumentParser()
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--gold", type=Path)
        parser.add_argument("--format", default="auto")
        parser.add_argument("--db-root", type=Path)
        parser.add_argument("--schema", type=Path)
        return parser.parse_args(self.arguments)

    def _words(self) -> tuple[str, ...]:
        return ("--dialect", self.dialect) if self.dialect else ()

    def read(self) -> tuple[list[Item], dict[str, Place]]:
        """The pairs, in file order, and the place of each of their databases.

        Raises:
            InputError: a file cannot be read.
        """
        given = self.given
        items = list(read_items(given.files, given.gold, format_named(given.format)))
        return items, places_for_eval(
            [item.db_id for item in items], given.db_root, given.schema, self.dialect
        )


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
        *(Corpus(name, _converted(name)) for name in NAMES),
    )


def other_corpora() -> tuple[Corpus, ...]:
    """Corpora that no table is made of: larger ones, and those of other dialects."""
    return (
        Corpus("leetcode1000", _beside("leetcode1000")),
        Corpus("postgres", _beside("postgres"), "postgres"),
        Corpus("rewrites", _beside("rewrites"), "postgres"),
        Corpus("optimised-postgres", _beside("optimised/postgres"), "postgres"),
        Corpus("optimised-duckdb", _beside("optimised/duckdb"), "duckdb"),
        *(Corpus(f"qed-{name}", _files("qed", name), "postgres") for name in ("cockroach", "calcite")),
        Corpus("apps", _files("apps", "*"), "postgres"),
        *(Corpus(name, _converted(name), "duckdb") for name in transpiled.SOURCES),
    )


def _beside(name: str) -> tuple[str, ...]:
    return (str(DATA / name / "pairs.jsonl"), "--schema", str(DATA / name / "ddl"))


def _files(folder: str, names: str) -> tuple[str, ...]:
    found = sorted((DATA / folder).glob(f"{names}.jsonl"))
    return (*map(str, found), "--schema", str(DATA / folder / "ddl"))


def _converted(name: str) -> tuple[str, ...]:
    folder = CONVERTED / name
    return (str(folder / "pairs.jsonl"), "--schema", str(folder / "ddl"))


def corpus(name: str) -> Corpus:
    """The corpus of that name, converted if need be.

    Raises:
        KeyError: there is none.
        OSError: its data is missing.
    """
    if name in NAMES:
        convert(name, DATA, CONVERTED)
    if name in transpiled.SOURCES and not (CONVERTED / name / "pairs.jsonl").exists():
        transpiled.convert(name, DATA, CONVERTED)
    return {found.name: found for found in (*corpora(), *other_corpora())}[name]
