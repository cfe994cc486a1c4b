"""Checks a certificate: facts are derived anew, the proof is made anew, and solvers are asked every claim.

A fact that is said to come from the DDL must come from the certificate's own; the others are taken on
trust, and said to be. Made anew from the queries, the schema and those facts, a proof must come out, and
must need no other claim than those in the certificate. Each claim must hold for every solver.

A derivation is checked without the rules: the algebra alone proves the whole, and what each step says. The
steps must lead from both queries, as the certificate has them, to one text; of each, the query before and
the query after must be equivalent under the comparison of rows that the step is said to keep.

What a check of a certificate says is a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from equiv.answers.pair import Pair, comparable, told_apart_by_types
from equiv.core.model import NUMBERS, Schema
from equiv.core.printing import key, to_sql
from equiv.core.query import Broken, Query
from equiv.dialects.crossing.dialect import is_across
from equiv.dialects.registry import dialect_named, reference
from equiv.engine.granted import arithmetic_read, calendar_read, taken_for_granted
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.options import EFFORTS
from equiv.records.certificate import Certificate, DerivationLine, lines_of
from equiv.records.record import versions
from equiv.relation import RELATIONS, Columns, Relation, Rows
from equiv.schema.policy import claim_of, facts_for, parse_fact
from equiv.smt.logic import ContradictionError
from equiv.tiers.outcome import Proved, Refuted, Settler, TierOutcome
from equiv.tiers.rules import COLUMN_ORDER
from equiv.verdict import PROVERS, Obligation, Proof, Tier


class Holding(Enum):
    """The result of one check of a certificate."""

    HOLDS = "holds"
    REFUTED = "refuted"
    OPEN = "open"
    TRUSTED = "trusted"
    """Nothing in the certificate can show it: who uses the certificate must know it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what it says, in a line."""

    result: Holding
    line: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "line", " ".join(self.line.split()))


@dataclass(frozen=True, slots=True)
class Shown:
    """The facts and obligations of a proof that was made anew."""

    facts: tuple[Fact, ...]
    obligations: tuple[Obligation, ...]


def with_claims(obligations: tuple[Obligation, ...]) -> str:
    """How many claims a proof needs, as the end of a sentence."""
    number = len(obligations)
    return "without solver claims" if not number else f"with {number} claim{'s' * (number > 1)}"


QueryReader = Callable[[str], Query | Broken]


def rederived(
    certificate: Certificate, pair: Pair, read: QueryReader, prover: Settler, refuter: Settler
) -> tuple[Check, Shown | None]:
    """The check of a derivation: its finding, and the facts that it rests on if it holds.

    Args:
        certificate: the derivation.
        pair: its queries, under the strictest relation that it claims.
        read: reads a query of a step.
        prover: knows no rules.
        refuter: says which of what is not proved is false.

    Raises:
        InputError: a step has no such comparison of rows, or is of neither query.
    """
    if certificate.obligations:
        claim = certificate.obligations[0].text
        return Check(Holding.REFUTED, f"rules: the proof does not need claim 1: {claim}"), None
    kept = [_relation_of(line) for line in certificate.steps]  # all of them: one that is none is an error
    if strange := {line.side for line in certificate.steps} - {"pred", "gold"}:
        raise InputError(f"unknown side {min(strange)!r} of a step: {_DAMAGED}")
    if not all(each.implies(pair.relation) for each in kept):
        said = f"does not prove them equivalent under {pair.relation}"
        return Check(Holding.REFUTED, f"rules: {said}"), None
    whole = _decided(pair, prover, refuter)
    if isinstance(whole, Refuted):
        return Check(Holding.REFUTED, "rules: does not prove the two queries equivalent"), None
    if not _leads_to_one_text(certificate, pair, read):
        said = "a new proof takes other steps than the certificate"
        return Check(Holding.REFUTED, f"rules: {said}"), None
    proofs, unproved = [whole] if isinstance(whole, Proved) else [], ""
    for number, line in enumerate(certificate.steps, 1):
        outcome = _decided(_pair_of(line, pair, read), prover, refuter)
        if isinstance(outcome, Refuted):
            return Check(Holding.REFUTED, f"rules: step {number} is false: {line.rule}"), None
        if isinstance(outcome, Proved):
            proofs.append(outcome)
        else:
            unproved = unproved or f"step {number}, {line.rule}"
    if unproved and not isinstance(whole, Proved):
        said = f"the algebra alone proves neither the derivation as a whole nor {unproved}"
        return Check(Holding.OPEN, f"rules: cannot be checked: {said}"), None
    return _held(len(certificate.steps), whole, proofs, unproved)


def _held(steps: int, whole: TierOutcome | None, proofs: list[Proved], unproved: str) -> tuple[Check, Shown]:
    resting = [whole] if isinstance(whole, Proved) else proofs
    facts = dict.fromkeys(fact for proved in resting for fact in proved.facts)
    claims = {each.smtlib: each for proved in proofs for each in _obligations(proved)}
    shown = Shown(tuple(facts), tuple(claims.values()))
    if not proofs:
        return Check(Holding.HOLDS, "rules: the two queries are identical"), shown
    what = ["the whole"] * isinstance(whole, Proved) + [f"each of {steps} steps"] * (
        steps > 0 and not unproved
    )
    but = f"; it does not prove {unproved} on its own" if unproved else ""
    line = f"rules: the algebra alone proves {' and '.join(what)}, {with_claims(shown.obligations)}{but}"
    return Check(Holding.HOLDS, line), shown


def _obligations(proved: Proved) -> tuple[Obligation, ...]:
    return proved.evidence.obligations if isinstance(proved.evidence, Proof) else ()


def _relation_of(line: DerivationLine) -> Relation:
    """What a step is said to keep."""
    if line.under not in set(Rows):
        raise InputError(f"unknown relation {line.under!r} of a step: {_DAMAGED}")
    return Relation(Rows(line.under), Columns.ANY if line.rule == COLUMN_ORDER else Columns.ORDERED)


def _decided(pair: Pair | None, prover: Settler, refuter: Settler) -> TierOutcome | None:
    """What the algebra alone makes of a pair, or else a database that refutes it."""
    if pair is None:
        return None
    outcome = prover.settle(pair, 0)
    return outcome if isinstance(outcome, Proved) else refuter.settle(pair, EFFORTS["normal"])


def _pair_of(line: DerivationLine, pair: Pair, read: QueryReader) -> Pair | None:
    """The query before a step and the query after it; None if one is no query."""
    before, after = read(line.before), read(line.after)
    if isinstance(before, Broken) or isinstance(after, Broken):
        return None
    return pair.of_core_texts(before, after, _relation_of(line))


def _leads_to_one_text(certificate: Certificate, pair: Pair, read: QueryReader) -> bool:
    """Whether the steps begin with both queries, go on from one another, and end with one query."""
    ends = []
    for side, query in (("pred", pair.pred), ("gold", pair.gold)):
        text = query.sql if query.tree is None else to_sql(query.tree)
        for line in certificate.steps:
            if line.side == side:
                if line.before != text:
                    return False
                text = line.after
        ends.append(text)
    if ends[0] == ends[1]:
        return True
    trees = [each.tree for each in map(read, ends) if isinstance(each, Query) and each.tree is not None]
    return len(trees) == len(ends) and key(trees[0]) == key(trees[1])


SECONDS = 30.0
"""How long a solver may take over one claim."""

_OF_THE_DDL = (Grade.DECLARED, Grade.INTENDED)

_GRADES = tuple(Grade)
"""The grades, the strongest first."""

_DERIVING = (Tier.RULES, Tier.PACKS)
"""The tiers whose evidence is a derivation."""

MakeTiers = Callable[[Schema, Facts], list[Settler]]
"""Gives the tiers for a schema and its facts."""


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
) -> Iterator[Check]:
    """The findings on a certificate, one for the proof made anew and one for each solver; and on its facts.

    Args:
        certificate: what is to be checked.
        solvers: the names of the solvers to ask.
        make_tiers: gives the provers.
        seconds: how long a solver may take over one claim.

    Raises:
        InputError: the certificate's schema, facts, relation or scripts are none.
    """
    facts = _given(certificate)
    if facts.refuted:
        yield Check(Holding.REFUTED, f"facts: {'; '.join(facts.refuted)}")
    finding, derived = _made_anew(certificate, facts, make_tiers)
    yield finding
    claims = certificate.obligations if derived is None else derived.obligations
    for solver in solvers if claims else ():
        yield _asked(claims, solver, seconds)
    if derived is not None:
        yield from _rests_on([fact for fact in derived.facts if fact.table != NUMBERS.name])


@dataclass(frozen=True, slots=True)
class _Given:
    """What a certificate's proof may rest on."""

    schema: Schema
    facts: Facts
    """Those that it is said to use, each under the strongest grade by which it comes from the DDL, or else
    the one that it claims."""
    in_force: Facts
    """These and the others, of which the algebra may need some where rules need none."""
    refuted: tuple[str, ...]
    """Why others are left out, a line each."""


def _given(certificate: Certificate) -> _Given:
    """The schema and the facts of a certificate, less those that do not come from where it says."""
    dialect = dialect_named(certificate.dialect)
    loader, statements = reference().loader, certificate.schema
    if certificate.native:
        loader, statements = dialect.loader, certificate.native
    elif is_across(dialect):
        raise InputError(f"a certificate across two dialects says what the schema is of: {_DAMAGED}")
    schema = replace(loader.read_ddl(";\n".join(statements) + ";"), dialect=dialect.name)
    derived = {claim_of(fact): fact for fact in facts_for(schema, "intended", rounding="strict")}
    facts, in_force, refuted = [], [], []
    for premise in certificate.facts:
        claimed = replace(parse_fact(premise.fact, schema), grade=_grade(premise.grade))
        known = derived.get(claim_of(claimed))
        is_weaker = known is None or _GRADES.index(known.grade) > _GRADES.index(claimed.grade)
        if claimed.grade in _OF_THE_DDL and is_weaker:
            refuted.append(f"the DDL of the certificate does not make {premise.fact} {claimed.grade}")
        else:
            in_force.append(known or claimed)
            facts += in_force[-1:] if premise.used else []
    return _Given(schema.under(Facts(facts)), Facts(facts), Facts(in_force), tuple(refuted))


def _made_anew(certificate: Certificate, given: _Given, make_tiers: MakeTiers) -> tuple[Check, Shown | None]:
    """What comes of the proof, and what it rests on if it holds."""
    from equiv.engine.pipeline import Engine

    schema, facts = given.schema, given.facts
    tiers = {str(tier.tier): tier for tier in make_tiers(schema, facts)}
    derived = certificate.tier in _DERIVING
    if certificate.tier not in PROVERS or not (derived or certificate.tier in tiers):
        raise InputError(f"not a proving tier: {certificate.tier!r}")
    asked, claimed = _relation(certificate.relation), _relation(certificate.strongest)
    if not claimed.implies(asked):
        said = f"what is shown under {claimed} says nothing under {asked}"
        return Check(Holding.REFUTED, f"{certificate.tier}: {said}"), None
    with (
        closing(Engine(schema, facts, (), relation="bag", effort=0, tiers=())) as engine,
        reference().engine.empty(schema) as empty,
    ):
        # Steps are printed trees: text of the reference dialect, whichever the queries are of.
        read = partial(reference().reader.read, schema=schema, empty=empty)
        pred, gold = engine.read(certificate.pred_sql), engine.read(certificate.gold_sql, gold=True)
        if not isinstance(pred, Query) or not isinstance(gold, Query):
            raise InputError("a query of the certificate is not valid on its schema")
        # A certificate does not say whether a boolean equals a number to whoever asked.
        pair = Pair(*told_apart_by_types(pred, gold, asked, alike=True), schema, facts, asked).for_proofs
        excused = Facts((*facts, Fact(FactKind.NO_ERROR, Grade.ASSUMED)))
        needed = replace(pair, facts=excused).facts_of_errors(facts) or ()
        raised = facts.of(FactKind.NO_ERROR) if needed else ()
        granted = _granted(pair)
        if missing := {claim_of(each): each for each in granted}.keys() - set(map(claim_of, facts)):
            named = next(str(each) for each in granted if claim_of(each) in missing)
            said = f"the proof rests on {named}, which the certificate does not list"
            return Check(Holding.REFUTED, f"{certificate.tier}: {said}{_made_by(certificate)}"), None
        if needed and not raised:
            said = "a query may raise an error, but the certificate does not list no_error"
            return Check(Holding.REFUTED, f"{certificate.tier}: {said}{_made_by(certificate)}"), None
        try:
            if derived:
                pair, checked = replace(pair, relation=claimed), (tiers[Tier.PROOF], tiers[Tier.GENERATE])
                finding, obligations = rederived(certificate, pair, read, *checked)
                if finding.result is Holding.OPEN:
                    pair = replace(pair, facts=given.in_force)
                    finding, obligations = rederived(certificate, pair, read, *checked)
            else:
                finding, obligations = _proved_anew(
                    certificate,
                    tiers[certificate.tier].settle(replace(pair, relation=claimed), certificate.effort),
                )
        except (RecursionError, MemoryError) as error:
            return Check(Holding.OPEN, f"{certificate.tier}: cannot be checked: {type(error).__name__}"), None
        except ContradictionError as error:
            return Check(Holding.OPEN, f"{certificate.tier}: cannot be checked: {error}"), None
    if finding.result is Holding.REFUTED:
        finding = replace(finding, line=f"{finding.line}{_made_by(certificate)}")
    if obligations is not None:
        rests_on = dict.fromkeys((*obligations.facts, *granted, *raised))
        obligations = replace(obligations, facts=tuple(rests_on))
    return finding, obligations


def _granted(pair: Pair) -> tuple[Fact, ...]:
    """What a pair of typed dialects rests on whatever proves it.

    Raises:
        InputError: it is one of which nothing is proved.
    """
    known = facts_for(pair.schema, "intended")
    taken = partial(Fact, FactKind.SETTING, Grade.ASSUMED)
    settings = [
        known.setting(name) or taken(columns=(name,), expression=pair.dialect.taken[name])
        for name in pair.settings
    ]
    called = sorted((FactKind(label), name) for name, label in pair.pred.labelled | pair.gold.labelled)
    labels = (known.labelled(*each) or Fact(each[0], Grade.ASSUMED, expression=each[1]) for each in called)
    settings += (*pair.freshness, *labels)
    if not pair.is_across:
        return (*calendar_read(pair, known), *arithmetic_read(pair, known), *settings)
    if comparable(pair.pred, pair.gold) != (pair.pred, pair.gold):
        raise InputError("the queries of the certificate are not comparable across dialects")
    return *taken_for_granted(replace(pair, facts=known)), *settings


def _proved_anew(certificate: Certificate, outcome: TierOutcome) -> tuple[Check, Shown | None]:
    """What comes of a proof, and what it rests on if it holds."""
    tier, proved = certificate.tier, outcome if isinstance(outcome, Proved) else None
    short = f"does not prove them equivalent under {certificate.strongest}"
    trouble = short if proved is None else _differs(certificate, proved)
    if proved is None or trouble:
        return Check(Holding.REFUTED, f"{tier}: {trouble}"), None
    needed = _obligations(proved)
    claims = f"{with_claims(needed)}, all in the certificate" if needed else with_claims(needed)
    shown = Shown(proved.facts, needed)
    return Check(Holding.HOLDS, f"{tier}: the proof was found again, {claims}"), shown


def _differs(certificate: Certificate, proved: Proved) -> str:
    """In what a proof falls short of the one that a certificate speaks of; '' if in nothing."""
    claimed = _relation(certificate.strongest)
    if not (proved.strongest or _relation(certificate.relation)).implies(claimed):
        return f"does not prove them equivalent under {claimed}"
    if trouble := _claims_differ(certificate.obligations, _obligations(proved)):
        return trouble
    if lines_of(proved.evidence) != certificate.steps:
        return "a new proof takes other steps than the certificate"
    proof, given = proved.evidence, (certificate.pred_rewrites, certificate.gold_rewrites)
    if isinstance(proof, Proof) and given != (proof.pred_rewrites, proof.gold_rewrites):
        return "a new proof takes other rewrites than the certificate"
    return ""


def _claims_differ(given: Sequence[Obligation], needed: Sequence[Obligation]) -> str:
    """In what the claims of a certificate are not those that the proof needs; '' if in nothing.

    A claim is its script.  Every hypothesis is derived anew that way: one that was added, or says more, makes
    another script.  The texts are for people, and are not looked at.
    """
    wanted, known = {each.smtlib for each in needed}, {each.smtlib for each in given}
    missing = [each for each in needed if each.smtlib not in known]
    for number, claim in enumerate(given, 1):
        if claim.smtlib not in wanted:
            if not missing:
                return f"claim {number} is not needed by the proof: {claim.text}"
            lines = claim.smtlib.splitlines()
            derived = [set(own.smtlib.splitlines()) for own in missing]
            added = min(([line for line in lines if line not in own] for own in derived), key=len)
            said = f"an underived hypothesis: {added[0][:200]}" if added else "a hypothesis is missing"
            return f"claim {number}: {said}"
    if missing:
        of_all = f"{len(missing)} of {len(needed)} claims"
        return f"{of_all} that it needs are not in the certificate: {missing[0].text}"
    return ""


def _made_by(certificate: Certificate) -> str:
    """The versions that made the certificate, as text, where others than these check it; '' if none do."""
    known = certificate.versions
    made_by = {
        name: version for name, version in versions(certificate.dialect).items() if known.get(name) != version
    }
    return "".join(f"; {name} was {known.get(name)}, is {version}" for name, version in made_by.items())


def _rests_on(facts: Sequence[Fact]) -> Iterator[Check]:
    """The facts that a proof rests on: those that the DDL enforces, and those that nobody here can check."""
    declared = [str(fact) for fact in facts if fact.grade is Grade.DECLARED]
    trusted = [f"{f!s} ({f.grade})" for f in facts if f.grade is not Grade.DECLARED]
    if declared or not trusted:
        text = f"the DDL declares {', '.join(declared)}" if declared else "none are needed"
        yield Check(Holding.HOLDS, f"facts: {text}")
    if trusted:
        yield Check(Holding.TRUSTED, f"facts: {', '.join(trusted)}")


def _grade(text: str) -> Grade:
    if text not in set(Grade):
        raise InputError(f"unknown grade of a fact {text!r}: {_DAMAGED}")
    return Grade(text)


def _relation(text: str) -> Relation:
    found = next((relation for relation in RELATIONS if str(relation) == text), None)
    if found is None:
        raise InputError(f"unknown relation {text!r}: {_DAMAGED}")
    return found


_DAMAGED = "the certificate is damaged, or of another version of equiv"


def _asked(claims: Sequence[Obligation], solver: str, seconds: float) -> Check:
    """What a solver says of all claims; the first that does not hold is named."""
    from equiv.smt.recheck import SOLVERS, ScriptError, without_claim

    total = len(claims)
    for number, obligation in enumerate(claims, 1):
        try:
            answer = SOLVERS[solver](obligation.smtlib, seconds)
        except ScriptError as error:
            raise InputError(f"claim {number}: {error}") from None
        if answer != "unsat":
            result = Holding.REFUTED if answer == "sat" else Holding.OPEN
            word = "refutes" if answer == "sat" else "cannot decide"
            return Check(result, f"{solver}: {word} claim {number} of {total}: {obligation.text}")
        if SOLVERS[solver](without_claim(obligation.smtlib), seconds) == "unsat":
            said = f"the assumptions of claim {number} of {total} contradict each other"
            return Check(Holding.REFUTED, f"{solver}: {said}: {obligation.text}")
    return Check(
        Holding.HOLDS, f"{solver}: the claim holds" if total == 1 else f"{solver}: all {total} claims hold"
    )
