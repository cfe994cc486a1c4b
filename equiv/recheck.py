"""Checks a certificate in two ways: the proof is made anew, and solvers are asked every claim.

Made anew from the queries, the schema and the facts that the certificate names, the proof must come out
and must need no other claim than those in the certificate; each of those must hold for every solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from enum import Enum

from equiv.certificate import Certificate
from equiv.errors import InputError
from equiv.pair import Pair
from equiv.query import Query
from equiv.record import versions
from equiv.relation import RELATIONS, Relation
from equiv.schema.ddl import load_ddl
from equiv.schema.facts import Facts, Grade
from equiv.schema.model import Schema
from equiv.schema.notation import parse_fact
from equiv.tiers.outcome import Proved, Settler
from equiv.verdict import Proof

SECONDS = 30.0
"""How long a solver may take over one claim."""

ANY_EFFORT = 0
"""Provers do not count databases."""

MakeTiers = Callable[[Schema, Facts], list[Settler]]
"""Gives the tiers for a schema and its facts."""


class Result(Enum):
    """What one check of a certificate says."""

    HOLDS = "holds"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what it says, in a line."""

    result: Result
    line: str


def solvers_named(name: str) -> list[str]:
    """The solvers that ``z3``, ``cvc5`` or ``all`` means; ``all`` is those that are installed.

    Raises:
        InputError: there is no such solver, or it is not installed.
    """
    from equiv.smt.recheck import SOLVERS, installed

    if name == "all":
        return [solver for solver in SOLVERS if installed(solver)]
    if name not in SOLVERS:
        raise InputError(f"unknown solver {name!r}; choose {', '.join(SOLVERS)} or all")
    if not installed(name):
        raise InputError(f"{name} is not installed; it is the extra {name!r}: pip install -e '.[{name}]'")
    return [name]


def recheck(
    certificate: Certificate, solvers: list[str], make_tiers: MakeTiers, seconds: float = SECONDS
) -> Iterator[Finding]:
    """The findings on a certificate, one for the proof made anew and one for each solver.

    Args:
        certificate: what is to be checked.
        solvers: the names of the solvers to ask.
        make_tiers: gives the provers.
        seconds: how long a solver may take over one claim.

    Raises:
        InputError: the certificate's schema, facts, relation or scripts are none.
    """
    yield _made_anew(certificate, make_tiers)
    for solver in solvers if certificate.obligations else ():
        yield _asked(certificate, solver, seconds)


def _made_anew(certificate: Certificate, make_tiers: MakeTiers) -> Finding:
    proved = _prove(certificate, make_tiers)
    made_by = {
        name: version for name, version in versions().items() if certificate.versions.get(name) != version
    }
    other = "".join(f"; {name} was {certificate.versions.get(name)}, is {v}" for name, v in made_by.items())
    if proved is None:
        return Finding(
            Result.REFUTED, f"{certificate.tier}: does not prove the two queries equivalent{other}"
        )
    claimed = _relation(certificate.strongest)
    if not (proved.strongest or _relation(certificate.relation)).implies(claimed):
        return Finding(
            Result.REFUTED, f"{certificate.tier}: does not prove them equivalent under {claimed}{other}"
        )
    known = {obligation.smtlib for obligation in certificate.obligations}
    needed = proved.evidence.obligations if isinstance(proved.evidence, Proof) else ()
    missing = [obligation.text for obligation in needed if obligation.smtlib not in known]
    if missing:
        text = (
            f"{len(missing)} of {len(needed)} claims that it needs are not in the certificate: {missing[0]}"
        )
        return Finding(Result.REFUTED, f"{certificate.tier}: {text}{other}")
    claims = (
        f"with {len(needed)} claims, all in the certificate" if needed else "without a claim for a solver"
    )
    return Finding(Result.HOLDS, f"{certificate.tier}: the proof comes out anew, {claims}")


def _prove(certificate: Certificate, make_tiers: MakeTiers) -> Proved | None:
    """The certificate's proof made anew, if it comes out."""
    from equiv.engine import Engine

    schema = load_ddl(";\n".join(certificate.schema) + ";")
    facts = Facts(
        replace(parse_fact(premise.fact, schema), grade=_grade(premise.grade))
        for premise in certificate.facts
    )
    tiers = [tier for tier in make_tiers(schema, facts) if tier.tier == certificate.tier]
    if not tiers:
        raise InputError(f"not a proving tier: {certificate.tier!r}")
    relation = _relation(certificate.relation)
    with closing(Engine(schema, facts, (), relation="bag", effort=0, tiers=tiers)) as engine:
        pred, gold = engine.read(certificate.pred_sql), engine.read(certificate.gold_sql)
        if not isinstance(pred, Query) or not isinstance(gold, Query):
            raise InputError("a query of the certificate is none on its schema")
        outcome = tiers[0].settle(Pair(pred, gold, schema, facts, relation), ANY_EFFORT)
    return outcome if isinstance(outcome, Proved) else None


def _grade(text: str) -> Grade:
    if text not in set(Grade):
        raise InputError(f"not a grade of a fact: {text!r}")
    return Grade(text)


def _relation(text: str) -> Relation:
    found = next((relation for relation in RELATIONS if str(relation) == text), None)
    if found is None:
        raise InputError(f"not a relation: {text!r}")
    return found


def _asked(certificate: Certificate, solver: str, seconds: float) -> Finding:
    """What a solver says of all claims; the first that does not hold is named."""
    from equiv.smt.recheck import SOLVERS, ScriptError

    total = len(certificate.obligations)
    for number, obligation in enumerate(certificate.obligations, 1):
        try:
            answer = SOLVERS[solver](obligation.smtlib, seconds)
        except ScriptError as error:
            raise InputError(f"claim {number}: {error}") from None
        if answer != "unsat":
            result = Result.REFUTED if answer == "sat" else Result.OPEN
            word = "refutes" if answer == "sat" else "cannot decide"
            return Finding(result, f"{solver}: {word} claim {number} of {total}: {obligation.text}")
    return Finding(Result.HOLDS, f"{solver}: all {total} claims hold")
