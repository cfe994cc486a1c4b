"""Where the published pairs are, and the command lines that evaluate them.

The data is not part of the project: it is read from ``$EQUIV_DATA``, by default
``../shared/data`` beside the checkout.  Corpora that were published in forms of their
own are converted into ``results/converted/`` when they are asked for.
"""

from __future__ import annotations

import os
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
    """A named set of pairs, and what ``equiv eval`` needs to read it."""

    name: str
    files: tuple[Path, ...]
    schema: Path
    dialect: str = ""
    db_root: Path | None = None
    gold: Path | None = None
    format: str = "auto"

    @property
    def options(self) -> dict[str, object]:
        """The options of ``equiv eval`` that say what the pairs and their schemas are."""
        names = ("schema", "dialect", "db_root", "gold", "format")
        return {name: getattr(self, name) for name in names}

    def read(self) -> tuple[list[Item], dict[str, Place]]:
        """The pairs, in file order, and the place of each of their databases.

        Raises:
            InputError: a file cannot be read.
        """
        items = list(read_items(self.files, self.gold, format_named(self.format)))
        names = [item.db_id for item in items]
        return items, places_for_eval(names, self.db_root, self.schema, self.dialect)


def corpora() -> tuple[Corpus, ...]:
    """The corpora of the benchmark tables."""
    bird, spider = DATA / "bird" / "ddl", DATA / "spider"
    models = tuple(spider / f"{model}.txt" for model in SPIDER_MODELS)
    more = {"db_root": spider / "database", "gold": spider / "gold.txt"}
    return (
        Corpus("rose-vec", (DATA / "rose-vec" / "bird.json",), bird),
        Corpus("rose-bench", (DATA / "rose-bench" / "pairs.jsonl",), bird),
        Corpus("spider", models, spider / "tables.json", format="spider", **more),
        *(_beside(name, folder=CONVERTED) for name in NAMES),
    )


def other_corpora() -> tuple[Corpus, ...]:
    """Corpora that no table is made of: larger ones, and those of other dialects."""
    return (
        _beside("leetcode1000"),
        _beside("postgres", "postgres"),
        _beside("rewrites", "postgres"),
        *(_beside(f"optimised-{each}", each, DATA / "optimised", each) for each in ("postgres", "duckdb")),
        *(_several(f"qed-{name}", DATA / "qed", name) for name in ("cockroach", "calcite")),
        _several("apps", DATA / "apps", "*"),
        *(_beside(name, "duckdb", CONVERTED) for name in transpiled.SOURCES),
    )


def _beside(name: str, dialect: str = "", folder: Path = DATA, within: str = "") -> Corpus:
    """A file of pairs with a folder of DDL beside it."""
    own = folder / (within or name)
    return Corpus(name, (own / "pairs.jsonl",), own / "ddl", dialect)


def _several(name: str, folder: Path, files: str) -> Corpus:
    """Files of pairs of PostgreSQL's in one folder."""
    return Corpus(name, tuple(sorted(folder.glob(f"{files}.jsonl"))), folder / "ddl", "postgres")


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
