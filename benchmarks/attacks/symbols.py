"""Near misses in which what a symbol is given is equal and not identical, or NULL, or makes it raise.

``symbols.toml`` has kinds of values, functions and the places where these stand.  Each pair is run on its
dialect's engine first, on one database of such values; where the answers are the same, it is no near miss.
Whatever rules or the proof tier prove of the others is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from string import Template
from time import process_time
from typing import Any

from benchmarks.attacks.targets import code_digest, digest
from equiv.answers.pair import Pair, told_apart_by_types
from equiv.cells import Cell
from equiv.core.query import Query
from equiv.core.runner import Failure, Result
from equiv.dialects.protocol import Session
from equiv.dialects.registry import OWN_NAMES, dialect_named
from equiv.engine.granted import resting_on_errors, resting_on_settings
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine, decide
from equiv.options import Options
from equiv.relation import Columns, Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.findings import error_file
from equiv.tiers.outcome import Settler
from equiv.verdict import Equivalent, Verdict

EACH = 12
"""How many functions one task has."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Two values that are equal and not identical, in columns of a dialect."""

    dialect: str
    name: str
    one: str
    other: str
    a: str = ""
    b: str = ""
    way: str = "equal"
    """The templates: of ``error`` the other query must raise none."""
    ddl: str = ""
    functions: tuple[str, ...] = ()

    @property
    def schema(self) -> str:
        """The script of the schema."""
        own = f"{self.ddl};\n" if self.ddl else ""
        return own + Template(_known()["scripts"]["tables"]).substitute(a=self.a, b=self.b)

    @property
    def database(self) -> str:
        """The script of the database that tells its near misses apart."""
        rows = Template(_known()["scripts"]["rows"]).substitute(one=self.one, other=self.other)
        return self.schema + rows


@dataclass(frozen=True, slots=True)
class SymbolMisses:
    """The near misses of some functions of a kind."""

    kind: Kind
    functions: tuple[str, ...]
    asking: Asking
    share: float
    """The share of them that is asked about."""

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        templates = _templates()[self.kind.way]
        return digest(code_digest(), self.kind, self.functions, self.asking, self.share, templates)


@cache
def _known() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "symbols.toml").read_text(encoding="utf-8"))


@cache
def _templates() -> dict[str, tuple[tuple[str, str], ...]]:
    """Pairs of templates, by way."""
    found = {}
    for way, text in _known()["templates"].items():
        lines = (line.partition(" ~ ") for line in text.splitlines() if line)
        found[way] = tuple((pred, gold) for pred, _, gold in lines)
    return found


def misses(asking: Asking, pairs: int | None) -> Iterator[SymbolMisses]:
    """The tasks; None: all pairs, else about so many, drawn from all."""
    tasks = []
    for dialect in OWN_NAMES:
        known = _known()[dialect]
        for each in known["kinds"]:
            own = tuple(each.get("functions", ()))
            kind = Kind(dialect, **{**each, "functions": own})
            shared = () if kind.way != "equal" or kind.name == "zero" else tuple(known["functions"])
            functions = (*own, *shared)
            tasks += [(kind, functions[at : at + EACH]) for at in range(0, len(functions), EACH)]
    total = sum(len(functions) * len(_templates()[kind.way]) for kind, functions in tasks)
    share = 1.0 if pairs is None else min(1.0, pairs / total)
    return (SymbolMisses(kind, functions, asking, share) for kind, functions in tasks)


def texts(kind: Kind, function: str) -> Iterator[tuple[str, str]]:
    """The pairs of texts of a function of a kind."""
    columns = {"fa": "t.a", "fb": "t.b", "fu": "u.a", "fw": "w.x", "fr": "r.b"}
    places = {**columns, "f1": kind.one, "f2": kind.other}
    calls = {name: function.replace("?", value) for name, value in places.items()}
    for pair in _templates()[kind.way]:
        pred, gold = (Template(each).substitute(calls, one=kind.one, other=kind.other) for each in pair)
        yield pred, gold


def attack_symbols(task: SymbolMisses) -> dict[str, Any]:
    """What came of one task, as a JSON object."""
    kind, start = task.kind, process_time()
    dialect, random = dialect_named(kind.dialect), Random(f"{kind.dialect} {kind.name} {task.functions}")
    errors = "strict" if kind.way == "error" else "excused"
    options = Options(timeout=None, dialect=kind.dialect, errors=errors)
    schema = dialect.loader.read_ddl(kind.schema, kind.name)
    with (
        closing(make_engine(schema, None, options)) as engine,
        closing(dialect.engine.replay(kind.database)) as session,
    ):
        attacker = SymbolAttacker(engine, task.asking, tells_errors=kind.way == "error")
        for function in task.functions:
            for pred, gold in texts(kind, function):
                if random.random() < task.share:
                    attacker.miss(f"{kind.dialect}, {kind.name}, {function}", pred, gold, session)
    return {"seconds": process_time() - start, **attacker.found.to_json()}


class SymbolAttacker(Attacker):
    """Asks about pairs that a database tells apart: whatever is proved of one is wrong."""

    def __init__(self, engine: Engine, asking: Asking, *, tells_errors: bool) -> None:
        super().__init__(engine, 0, asking)
        self._tells_errors, self._rows = tells_errors, Rows.SET

    def miss(self, name: str, pred: str, gold: str, session: Session) -> None:
        """Ask about a pair, if its answers differ, under the loosest relation that they differ under."""
        one, other = session.run(pred), session.run(gold)
        if isinstance(one, Failure) or isinstance(other, Failure):
            if not self._tells_errors or isinstance(one, Failure) == isinstance(other, Failure):
                return
        elif (rows := _difference(one, other)) is not None:
            self._rows = rows
        else:
            return
        self.ask(name, pred, gold)

    def relation(self) -> Relation:
        """The relation that is asked about first."""
        return Relation(self._rows, Columns.ORDERED)

    def is_read(self, query: Query) -> bool:
        """Whether the provers can be asked about a query, perhaps with symbols."""
        return query.tree is not None or query.with_symbols is not None

    def paired(self, pred: Query, gold: Query) -> tuple[Query, Query]:
        """Both queries, as the engine compares them: values of types that have none in common apart."""
        return told_apart_by_types(pred, gold, self.relation(), alike=False)

    def _attack(self, name: str, pair: Pair, tiers: list[Settler]) -> None:
        for tier in tiers:
            found: Verdict = decide(pair, [tier], 0)
            if isinstance(found, Equivalent):
                found = resting_on_settings(found, pair)
            if isinstance(found, Equivalent):
                found = resting_on_errors(found, pair)
            if isinstance(found, Equivalent):
                told = f"{name}: {tier.tier} proves under {pair.relation} what the engine refutes"
                texts = pair.pred.sql, pair.gold.sql
                self.found.broken.append(error_file(told, self._engine, pair.relation.rows, texts))


def _difference(one: Result, other: Result) -> Rows | None:
    """The loosest relation under which two answers differ, the order of rows aside; None: under none."""
    left, right = (sorted(repr([*map(_shown, row)]) for row in each.rows) for each in (one, other))
    if set(left) != set(right):
        return Rows.SET
    return Rows.BAG if left != right else None


def _shown(cell: Cell) -> Cell:
    """A cell such that equal ones are one: 1 and 1.0 are."""
    return float(f"{cell:.9g}") + 0.0 if isinstance(cell, int | float) else cell
