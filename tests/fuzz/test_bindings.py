"""Random pairs with parameters for some of their literals: whatever is proved holds under every binding."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from drawing.pairs import Pairs
from fuzz.test_proof import CAPS, RUNS, TIER, WORLDS, databases
from kit.harness import UnmetError
from kit.sizes import seeds, sized

from equiv.answers.answers import DatabaseFinding, find
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.lexer import TokenKind, tokens
from equiv.core.runner import Failure
from equiv.core.texts import values_for
from equiv.dialects.sqlite.dialect import OnRunner
from equiv.relation import Columns, Relation, Rows
from equiv.rewrite.normalise import RuleSet
from equiv.rules import RULES
from equiv.tiers.bindings import bind, replays
from equiv.tiers.outcome import Proved
from equiv.tiers.rules import RulesTier

VALUES: tuple[Cell, ...] = (
    None,
    0,
    1,
    2,
    3,
    -1,
    1.0,
    1.5,
    2020,
    "",
    "a",
    "A",
    "1",
    "2",
    "1.0",
    "2020-01-05",
    b"a",
    b"1",
)
BINDINGS = 12
PROVERS = (RulesTier(RuleSet(RULES)), TIER)


@pytest.mark.parametrize("name", ["intended", "declared"])
@sized("count", 6, 15)
def test_no_binding_refutes_a_proof(name: str, count: int) -> None:
    proofs = 0
    for seed in seeds(count):
        random = Random(seed)
        family, pred, gold = Pairs(random).pair()
        relation = Relation(random.choice(tuple(Rows)), random.choice(tuple(Columns)))
        texts = parametrised(pred, gold, random)
        proofs += attacked(name, texts, relation, f"seed {seed}, {family}", random)
    assert proofs, "nothing was proved, so nothing was attacked"


def parametrised(pred: str, gold: str, random: Random) -> tuple[str, str]:
    """Both queries with some literals replaced, equal ones by one parameter."""
    names: dict[str, str] = {}
    found = []
    for sql in (pred, gold):
        parts, position = [], 0
        for token in tokens(sql):
            if token.kind in (TokenKind.NUMBER, TokenKind.STRING):
                source = sql[token.start : token.end]
                if source not in names:
                    names[source] = f":p{len(names)}" if random.random() < 0.5 else source
                parts += [sql[position : token.start], names[source]]
                position = token.end
        found.append("".join([*parts, sql[position:]]))
    return found[0], found[1]


def attacked(name: str, texts: tuple[str, str], relation: Relation, origin: str, random: Random) -> bool:
    """Whether a pair with parameters is proved; the proof is attacked with bindings and databases."""
    world = WORLDS[name]
    try:
        pair = replace(world.pair(*texts), relation=relation)
    except UnmetError:
        return False
    names = sorted({*pair.pred.parameters, *pair.gold.parameters})
    if not names:
        return False
    proved = [outcome for tier in PROVERS if isinstance(outcome := tier.settle(pair, 0), Proved)]
    for outcome in proved:
        for _ in range(BINDINGS):
            values = {each: random.choice(VALUES) for each in names}
            strict = replace(pair, relation=outcome.strongest or relation)
            found = refutation(name, strict, values, random)
            assert not found, f"{origin}, {name}, {strict.relation}:\n{texts}\n{values}\n{found}"
    return bool(proved)


def refutation(name: str, pair: Pair, values: dict[str, Cell], random: Random) -> str:
    """A database on which the queries, with the values bound, answer differently; '' if none is found."""
    bound = bind(pair, values)
    for engine in random.sample(databases(name), 8):
        pred, gold = (engine.run(q.sql, CAPS, values_for(q.sql, values)) for q in (pair.pred, pair.gold))
        if isinstance(pred, Failure) or isinstance(gold, Failure):
            continue
        if same_result(pred.rows, gold.rows, pair.relation):
            continue
        exact = pair.exact_arithmetic
        apart = find(engine, *bound.plans, pair.relation, CAPS, runs=RUNS, exact_arithmetic=exact)
        if apart is DatabaseFinding.APART:
            return f"{pred.rows[:9]}\n{gold.rows[:9]}"
    return ""


@sized("count", 15, 50)
def test_values_in_the_text_are_values_bound(count: int) -> None:
    compared, world = 0, WORLDS["intended"]
    for seed in seeds(count):
        random = Random(seed)
        texts = parametrised(*Pairs(random).pair()[1:], random)
        try:
            pair = world.pair(*texts)
        except UnmetError:
            continue
        names = {*pair.pred.parameters, *pair.gold.parameters}
        values = {each: random.choice(VALUES) for each in sorted(names)}
        bound = bind(pair, values)
        engine = random.choice(databases("intended"))
        runs = [engine.run(sql, CAPS, values_for(sql, values)) for sql in texts]
        if names and not any(isinstance(run, Failure) for run in runs):
            compared += 1
            assert replays(bound, OnRunner(engine), CAPS), f"seed {seed}: {texts}\n{bound.binding}"
    assert compared
