"""The pipeline on one page: from two texts to a verdict.

    two texts -> read -> pair -> rules -> data -> generate -> proof -> fragment -> search -> finish -> verdict

:meth:`Engine.check` is the whole way, :func:`stages` the tiers in their order, :func:`decide` the walk
through them, and :meth:`Engine.finish` what is asked of a verdict before it is given.  A tier has one of
three outcomes: *Proved*, and databases then try to break the proof; *Refuted*, by a database; *Open*, and the
next tier has its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from equiv import verdict as v
from equiv.answers.pair import Pair, comparable, told_apart_by_types
from equiv.core.model import Schema
from equiv.core.query import Broken, Query, with_hint
from equiv.core.texts import clash
from equiv.dialects.crossing.dialect import Crossed, readers_of
from equiv.dialects.crossing.sides import given_side
from equiv.dialects.protocol import ONLY_DETERMINED, UsersDatabase
from equiv.dialects.registry import dialect_of
from equiv.engine.granted import (
    needs_exactness,
    resting,
    resting_on_errors,
    resting_on_settings,
    with_granted,
)
from equiv.engine.walk import Attack, Walk
from equiv.facts import Fact, FactKind, Facts
from equiv.relation import Relation, resolve_relation
from equiv.rewrite.normalise import RuleSet
from equiv.scratch import remembered
from equiv.tiers.data import DataTier
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import (
    BACKSTOP_EFFORT,
    NATIVE_BACKSTOP,
    Deferred,
    Looker,
    Maker,
    Open,
    Opener,
    ProofTester,
    Proved,
    Refuted,
    Settler,
)
from equiv.tiers.rules import RulesTier
from equiv.tiers.witness import SHOWING, as_printed, replay_elsewhere, with_texts

if TYPE_CHECKING:
    from equiv.dialects.protocol import Reader, Session

_KEPT_QUERIES = 256
_PYTHONS = frozenset(("bird", "spider", "rose"))
"""Relations of scripts that compare the values of Python, to which a boolean is a number."""
_TESTERS = (v.Tier.DATA, v.Tier.GENERATE)
"""The tiers that test proofs."""
PROVED_UNDER, OPEN_UNDER = 1, 16
"""How many databases a pair is tried on under other settings: where it is proved, and where it is not."""


@dataclass(eq=False)
class Engine:
    """Decides pairs on one schema under one set of facts, in this process."""

    schema: Schema
    facts: Facts
    """In force."""
    dropped: tuple[Fact, ...]
    """Given up, because the populated database violates them."""
    _: KW_ONLY
    relation: str
    """A name of :data:`equiv.relation.RELATION_NAMES`."""
    effort: int
    """How many databases generation may try."""
    tiers: Sequence[Settler]
    """What may settle a pair, in order."""
    refuters: Sequence[Settler] | None = None
    """What must fail to break a proof; None: the tiers."""
    confirm: Settler | None = None
    """Proves again what the rules derive; None: nothing does."""
    conditions: Callable[[Pair, v.NotEquivalent | v.Undecided], tuple[v.Condition, ...]] | None = None
    """Looks for further facts under which a pair would be equivalent; None: nothing does."""
    rounding_shows: bool = False
    """Whether a difference by rounding alone counts where the engine shows it."""
    live_prepare: bool = False
    """Whether the populated database has the last word on what is no query."""
    _queries: dict[tuple[Reader, str], Query | Broken] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._dialect = dialect_of(self.schema)
        self._empty = self._dialect.engine.empty(self.schema)
        self._readers = readers_of(self._dialect)

    def check(
        self, pred_sql: str, gold_sql: str, *, elsewhere: bool = True, naming: v.Naming = v.Naming.FEWEST
    ) -> v.Verdict:
        """The verdict on one pair; never raises for anything that the two texts hold.

        Args:
            pred_sql: the prediction.
            gold_sql: the gold query.
            elsewhere: whether another version of the engine, if there is one, runs a witness, too.
            naming: which facts an equivalence names.
        """
        start, shown = perf_counter(), SHOWING.ms
        gold, pred = self.read(gold_sql, gold=True), self.read(pred_sql)
        reading = v.Attempt(v.Tier.PARSE, "passed", "", (perf_counter() - start) * 1000)
        match self._paired(pred, gold, reading):
            case Pair() as read:
                pair = replace(read, is_shown=naming is not v.Naming.UNSHOWN)
                found = decide(
                    pair,
                    self.tiers,
                    self.effort,
                    self.dropped,
                    (reading,),
                    refuters=self.refuters,
                    confirm=self.confirm,
                    naming=naming,
                )
                verdict = self.finish(found, pair)
            case unread:
                verdict = unread
        with SHOWING:
            told = self._told(verdict, pred, gold, (pred_sql, gold_sql), elsewhere=elsewhere)
        if not isinstance(told, v.NotEquivalent | v.Undecided):
            return told
        spent = v.Attempt(told.tier or v.Tier.PARSE, "passed", v.SHOWN, SHOWING.ms - shown)
        return replace(told, attempts=(*told.attempts, spent))

    # Two texts to a pair.

    def read(self, sql: str, *, gold: bool = False) -> Query | Broken:
        """A query, kept for the next predictions of the same question.

        Args:
            sql: its text.
            gold: whether it is a gold query, which may be of a dialect of its own.
        """
        reader = self._readers[gold]

        def read() -> Query | Broken:
            found = reader.read(sql, self.schema, self._empty)
            return with_hint(self._by_data(sql, found, gold=gold), sql)

        return remembered(self._queries, (reader, sql), read, _KEPT_QUERIES)

    def _by_data(self, sql: str, found: Query | Broken, *, gold: bool) -> Query | Broken:
        """What is read, or what the populated database makes of a text that the empty one refuses."""
        of_data = not isinstance(self._dialect, Crossed) or self._dialect.given == gold
        if not isinstance(found, Broken) or not self.live_prepare or not of_data:
            return found
        if (data := self.open()) is None:
            return found
        given = given_side(data)
        return given.prepared(sql, found) if isinstance(given, UsersDatabase) else found

    def _paired(self, pred: Query | Broken, gold: Query | Broken, reading: v.Attempt) -> Pair | v.Verdict:
        """The pair of two texts, or the verdict if one is no query or they cannot be asked together."""
        relation = resolve_relation(self.relation, gold_orders=isinstance(gold, Query) and gold.orders)
        undecided = v.Undecided(
            relation=relation, facts_dropped=self.dropped, attempts=(reading,), reason=v.Reason.UNSUPPORTED
        )
        for side, query in (("gold query", gold), ("prediction", pred)):
            if isinstance(query, Broken) and not query.is_fault:
                if query.cause == "EXHAUSTED":
                    return replace(undecided, reason=v.Reason.RESOURCE, detail=f"{side}: {query.message}")
                return replace(undecided, detail=f"{side}: Table: {query.message}")
        if isinstance(gold, Broken):
            code, why = v.FailureCode(f"GOLD_{gold.cause}"), gold.message
            if not self.schema.tables:
                why += "; the schema has no table"
            return replace(undecided, reason=v.Reason.GOLD_INVALID, detail=why, failure_code=code)
        if isinstance(pred, Broken):
            return v.Invalid(
                relation=relation,
                tier=v.Tier.PARSE,
                facts_dropped=self.dropped,
                attempts=(replace(reading, outcome="settled"),),
                failure_code=v.FailureCode(f"PRED_{pred.cause}"),
                message=pred.message,
            )
        if why := clash((*pred.parameters, *gold.parameters)) or _types_apart(pred, gold):
            return replace(undecided, detail=f"Parameter: {why}")
        if len(names := {pred.database, gold.database} - {""}) > 1:
            return replace(
                undecided, detail=f"Table: the queries name two databases: {', '.join(sorted(names))}"
            )
        return self.pair(*self._compared(pred, gold, relation), relation, alike=pred.types == gold.types)

    def pair(self, pred: Query, gold: Query, relation: Relation, *, alike: bool = True) -> Pair:
        """The pair of two queries, as rounding counts here."""
        shows = self.rounding_shows
        return Pair(
            pred, gold, self.schema, self.facts, relation, rounding_shows=shows, are_typed_alike=alike
        )

    def _compared(self, pred: Query, gold: Query, relation: Relation) -> tuple[Query, Query]:
        """Both queries, with what their engines distinguish and the core does not distinguished."""
        if self.schema.sides:
            pred, gold = comparable(pred, gold)
        return told_apart_by_types(pred, gold, relation, alike=self.relation in _PYTHONS)

    def compares_cells(self, pred: Query, gold: Query, relation: Relation) -> bool:
        """Whether results are equal if their cells are: their engines distinguish no more values."""
        known = zip(self._compared(pred, gold, relation), (pred, gold), strict=True)
        return not any(one.apart or one.unsupported != given.unsupported for one, given in known)

    # What the tiers say, to the verdict that is given.

    def finish(self, found: v.Verdict, pair: Pair) -> v.Verdict:
        """Finish the tiers' verdict on a pair; a proof gets all that it rests on."""
        refuters = self.tiers if self.refuters is None else self.refuters
        if isinstance(found, v.Undecided) and found.reason is v.Reason.NO_PROOF:
            found = self._hanging_on_settings(found, pair)
        if isinstance(found, v.Equivalent) and not pair.are_typed_alike:
            found = replace(found, strongest=pair.relation)  # stricter relations may tell true from 1
        if isinstance(found, v.Equivalent):
            found = resting(found, pair) if pair.is_across else with_granted(found, pair, self.dropped)
        if isinstance(found, v.Equivalent):
            found = resting_on_settings(found, pair)
        if isinstance(found, v.Equivalent):
            found = attack_rounding(pair, found, self.effort, refuters)
        if isinstance(found, v.Equivalent):
            found = resting_on_errors(found, pair)
        found = attack_settings(pair, found, refuters if isinstance(found, v.Equivalent) else self.tiers)
        return with_unproven_keys(found, pair) if isinstance(found, v.Undecided) else found

    def _hanging_on_settings(self, found: v.Undecided, pair: Pair) -> v.Undecided:
        """What is said of a pair without a proof that has one under settings which nobody states."""
        taken = pair.taken_settings
        if not taken or pair.for_proofs is pair:
            return found
        held = replace(pair, facts=Facts((*pair.facts, *taken)))
        provers = [tier for tier in self.tiers if tier.tier in v.PROVERS]
        if not isinstance(decide(held, provers, self.effort, refuters=()), v.Equivalent):
            return found
        names = " and ".join(f"the setting {fact.columns[0]}" for fact in taken)
        return replace(found, detail=f"it depends on {names}, which no schema or fact states")

    def _told(
        self,
        verdict: v.Verdict,
        pred: Query | Broken,
        gold: Query | Broken,
        texts: tuple[str, str],
        *,
        elsewhere: bool,
    ) -> v.Verdict:
        """A verdict with what is told beside it: names of columns, remarks of the readers, the two texts."""
        if isinstance(pred, Query) and isinstance(gold, Query):
            verdict = with_texts(verdict, pred, gold)
            verdict = as_printed(verdict, (pred, gold), self._empty, self._dialect.engine)
        # Errors are spoken of where an equivalence leaves out the rows that raise them; what the given data
        # cannot show, where a pair is open.
        rests = isinstance(verdict, v.Equivalent) and FactKind.NO_ERROR in {one.kind for one in verdict.facts}
        is_open = isinstance(verdict, v.Undecided) and verdict.reason is not v.Reason.GOLD_INVALID
        remarks = [
            each
            for one in dict.fromkeys(self._readers)
            for each in one.remarks(pred, gold, self.schema, texts)
            if (rests or each.kind is not v.RemarkKind.NO_ERROR)
            and (is_open or not each.text.endswith(ONLY_DETERMINED))
        ]
        replayed = replay_elsewhere(verdict, self._dialect, texts) if elsewhere else ()
        said = (*remarks, *verdict.remarks, *replayed)
        return replace(verdict, remarks=said, dialect=self.schema.dialect, queries=texts)

    def complete(self, verdict: v.Verdict, pred_sql: str, gold_sql: str) -> v.Verdict:
        """A verdict of :meth:`check` with the facts under which the pair would be equivalent, if wanted."""
        if self.conditions is None or not isinstance(verdict, v.NotEquivalent | v.Undecided):
            return verdict
        pred, gold = self.read(pred_sql), self.read(gold_sql, gold=True)
        if not v.may_be_conditional(verdict) or not isinstance(pred, Query) or not isinstance(gold, Query):
            return verdict
        start = perf_counter()
        relation = verdict.relation
        found = self.conditions(self.pair(*self._compared(pred, gold, relation), relation), verdict)
        outcome = "settled" if found else "passed"
        spent = v.Attempt(v.Tier.PROOF, outcome, v.FURTHER_FACTS, (perf_counter() - start) * 1000)
        return replace(verdict, equivalent_if=found, attempts=(*verdict.attempts, spent))

    def open(self) -> Session | None:
        """The populated database, opened once, for which the first pair would else wait; None without one."""
        tiers = self.tiers if self.refuters is None else self.refuters
        return next((tier.open(self._dialect) for tier in tiers if isinstance(tier, Opener)), None)

    def close(self) -> None:
        """Close the connections of the engine."""
        self._empty.close()
        for tier in (*self.tiers, *(self.refuters or ())):
            if isinstance(tier, Opener):
                tier.close()


def stages(rules: RuleSet, schema: Schema, facts: Facts, db: Path | None) -> list[Settler]:
    """The tiers in the order in which they are tried; those after ``generate`` are imported at first use."""

    def make_proof() -> Settler:
        from equiv.tiers.proof import ProofTier, Trial

        return ProofTier(Trial())

    def make_fragment() -> Settler:
        from equiv.tiers.search import FragmentTier

        return FragmentTier(schema, facts)

    def make_search() -> Settler:
        from equiv.tiers.search import SearchTier

        return SearchTier(schema, facts)

    return [
        RulesTier(rules),  # both queries rewritten to one
        *([DataTier(db)] if db is not None else []),  # distinguished by the populated database
        GenerateTier(schema, facts),  # distinguished by a database made for them
        Deferred(
            v.Tier.PROOF, make_proof
        ),  # one normal form in the algebra, each statement tried on databases
        Deferred(v.Tier.FRAGMENT, make_fragment),  # decided, if they lie in the fragment
        Deferred(v.Tier.SEARCH, make_search),  # distinguished by a database that a solver finds
    ]


def decide(
    pair: Pair,
    tiers: Sequence[Settler],
    effort: int,
    dropped: tuple[Fact, ...] = (),
    before: tuple[v.Attempt, ...] = (),
    *,
    refuters: Sequence[Settler] | None = None,
    confirm: Settler | None = None,
    naming: v.Naming | None = None,
) -> v.Verdict:
    """The verdict on a pair.

    Args:
        tiers: the tiers to try, in order.
        effort: the number of databases that generation may try.
        dropped: facts of the policy that the given database violates; the verdict says so.
        before: attempts already made.
        refuters: what must fail to break a proof; by default the refuting ones of the tiers.
        confirm: a second prover, which is to prove again what the rules derive; None: nothing does.
        naming: which facts an equivalence names; None: those that the tier lists, which may not suffice.
    """
    walk = Walk(pair, effort, dropped, before, naming=naming)
    testers = [tier for tier in (tiers if refuters is None else refuters) if tier.tier in _TESTERS]
    if (seen := _at_first_sight(walk, tiers)) is not None:
        return seen
    hidden = False
    for tier, way in _turns(walk, tiers):
        if hidden and tier.tier in (*_TESTERS, v.Tier.SEARCH) and walk.may_be_hidden(tier):
            continue
        match walk.attempt(tier, effort, attack=way):
            case Proved() as proved:
                verdict = _tested(walk, proved, tier, testers)
                if confirm is None or tier.tier is not v.Tier.RULES or not isinstance(verdict, v.Equivalent):
                    return verdict
                return _confirmed(walk, verdict, confirm, testers)
            case Refuted() if walk.may_be_hidden(tier):
                walk.pass_over(tier.tier)
                hidden = True
            case Refuted() as refuted:
                return walk.refuted(refuted, tier.tier)
    return walk.undecided()


def _turns(walk: Walk, tiers: Sequence[Settler]) -> Iterator[tuple[Settler, Attack | None]]:
    """The tiers, each with how it is asked if not by its ``settle``.

    What no early database distinguishes is mostly equivalent, by a proof that is found at once: most
    databases are tried after that is sought, and what else a proof may take is tried after them, unless the
    engine alone can run them: each costs ten times what it does on the core.  What takes much work on the
    populated database is asked after the early ones and the proof, but where errors on it may count; of a
    large one that is asked all the same, as it tests each proof.
    """
    seeks_proof = any(tier.tier is v.Tier.PROOF for tier in tiers)
    later: Settler | None = None
    may_wait = seeks_proof and walk.pair.runs_on_core
    dear: list[Settler] = []
    for tier in tiers:
        if later is not None and tier.tier is v.Tier.PROOF:
            prover = tier.made if isinstance(tier, Deferred) else tier
            is_quick = isinstance(prover, Maker) and walk.pair.runs_on_core
            yield tier, prover.show_again if isinstance(prover, Maker) and is_quick else None
            yield from ((each, None) for each in dear)
            dear = []
            yield later, None
            if not is_quick:
                continue
        if may_wait and isinstance(tier, DataTier) and (tier.is_dear or not walk.pair.may_fail):
            if not tier.is_dear:
                yield tier, tier.begin
            dear = [tier] if tier.is_dear or walk.is_paused else []
        elif seeks_proof and isinstance(tier, Looker):
            yield tier, tier.begin
            later = tier if walk.is_paused else None
        else:
            yield tier, None
        if tier.tier is v.Tier.PROOF:
            yield from ((each, None) for each in dear)


def _at_first_sight(walk: Walk, tiers: Sequence[Settler]) -> v.Verdict | None:
    """What the tier right behind the rules distinguishes by a few databases, which cost less than the rules.

    A large populated database lets the next one go first.
    """
    if len(tiers) < 2 or tiers[0].tier is not v.Tier.RULES or walk.pair.unbound:
        return None
    behind = next((each for each in tiers[1:] if not (isinstance(each, DataTier) and each.is_dear)), None)
    return walk.first_look(behind) if isinstance(behind, Looker) else None


def _tested(walk: Walk, proved: Proved, prover: Settler, testers: Sequence[Settler]) -> v.Verdict:
    """Believe a proof once the testing tiers have failed to break it, before the proof or now."""
    tried = {attempt.tier for attempt in walk.attempts}
    backstop = BACKSTOP_EFFORT if walk.pair.runs_on_core else NATIVE_BACKSTOP
    for tier in testers:
        if tier.tier in tried:
            continue
        attack = tier.attack if isinstance(tier, ProofTester) else None
        match walk.attempt(tier, min(walk.effort, backstop), attack=attack):
            case Refuted(difference=v.Difference.ERROR) as refuted:
                return walk.refuted(refuted, tier.tier)
            case Refuted(by_rounding=True) as refuted if needs_exactness(walk.pair) or walk.is_exact(
                proved, prover
            ):
                return walk.refuted(refuted, tier.tier)
            case Refuted() as refuted:
                return walk.conflict(prover.tier, proved.evidence, tier.tier, refuted)
    return walk.proved(proved, prover)


def _confirmed(walk: Walk, verdict: v.Equivalent, prover: Settler, testers: Sequence[Settler]) -> v.Verdict:
    """A verdict that a second prover proves again, or else one that the whole effort failed to break."""
    again = walk.attempt(prover, walk.effort)
    if isinstance(again, Open) and again.reason is v.Reason.CONFLICT:
        return walk.left_open(again)
    for tier in () if isinstance(again, Proved) else testers:
        match walk.attempt(tier, walk.effort):
            case Refuted(difference=v.Difference.ERROR) as refuted:
                return walk.refuted(refuted, tier.tier)
            case Refuted() as refuted:
                return walk.conflict(verdict.tier, verdict.evidence, tier.tier, refuted)
    return replace(verdict, confirmed=isinstance(again, Proved), attempts=tuple(walk.attempts))


def attack_rounding(pair: Pair, found: v.Equivalent, effort: int, refuters: Sequence[Settler]) -> v.Verdict:
    """Try to refute a verdict that assumes exact arithmetic by the engine's rounding; return the verdict."""
    if not (pair.rounding_shows and found.up_to_rounding) or pair.unbound:
        return found
    walk = Walk(pair, effort, found.facts_dropped, found.attempts)
    for tier in refuters:
        if isinstance(tier, Looker):
            match walk.attempt(tier, min(effort, BACKSTOP_EFFORT), attack=tier.attack_rounding):
                case Refuted(by_rounding=True) as refuted:
                    return replace(walk.refuted(refuted, tier.tier), remarks=found.remarks)
                case Refuted() as refuted:
                    return walk.conflict(found.tier, found.evidence, tier.tier, refuted)
    return replace(found, attempts=tuple(walk.attempts))


def attack_settings(pair: Pair, found: v.Verdict, refuters: Sequence[Settler]) -> v.Verdict:
    """Try to refute a verdict under other values of the settings that nobody states; return the verdict.

    A proof holds under each value of the settings that it does not name.
    """
    proved = isinstance(found, v.Equivalent)
    is_open = isinstance(found, v.Undecided) and found.reason in (v.Reason.NO_PROOF, v.Reason.UNSUPPORTED)
    if not (proved or is_open) or pair.unbound:
        return found
    if not any(fact.columns[0] in pair.dialect.others for fact in pair.taken_settings):
        return found
    walk = Walk(pair, 0, found.facts_dropped, found.attempts)
    for tier in refuters:
        if isinstance(tier, Looker):
            effort = PROVED_UNDER if proved else OPEN_UNDER
            match walk.attempt(tier, effort, attack=tier.attack_settings):
                case Refuted() as refuted if isinstance(found, v.Equivalent):
                    return walk.conflict(found.tier, found.evidence, tier.tier, refuted)
                case Refuted() as refuted:
                    told = walk.refuted(refuted, tier.tier)
                    return replace(told, remarks=(*found.remarks, *told.remarks))
    return replace(found, attempts=tuple(walk.attempts))


def with_unproven_keys(found: v.Undecided, pair: Pair) -> v.Undecided:
    """What is said of a pair that is open, and of the keys by which it may be equivalent all the same."""
    said = (f"generated databases keep this index, but no proof uses it: {key}" for key in pair.unproven_keys)
    return replace(
        found, remarks=(*found.remarks, *(v.Remark(v.RemarkKind.DIALECT, "schema", each) for each in said))
    )


def _types_apart(pred: Query, gold: Query) -> str:
    """Why a parameter may have other values in one query than in the other, or ''."""
    for of_each in ("parameter_types", "bound_as"):
        one, other = (dict(zip(q.parameters, getattr(q, of_each), strict=False)) for q in (pred, gold))
        for name in one.keys() & other.keys():
            if one[name] and other[name] and one[name] != other[name]:
                return f"{name} is {one[name]} in one query and {other[name]} in the other"
    return ""
