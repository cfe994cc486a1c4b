"""The trial of a rewriter or transpiler: each query, its new text, the engine's verdict, and the report.

The report has one outcome for each query, and how many of each.  Many of the queries drawn
are traps for textbook rewrites; kinds of query that the rewriter changes are drawn more often.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import islice
from random import Random
from textwrap import shorten

from sqlglot import exp

from equiv.core.lexer import tokens
from equiv.core.model import Schema, Table
from equiv.core.printing import to_sql
from equiv.engine.host import Checker, require_texts
from equiv.names import fold, folded
from equiv.options import Options
from equiv.testing.making.mutants import drawn_mutants
from equiv.testing.making.queries import SIZES, Features, Queries, uses_only
from equiv.testing.making.remade_queries import disguised, reduced, smaller_queries
from equiv.testing.making.select_changes import tables_of
from equiv.testing.making.texts import kind_of
from equiv.testing.making.traps import Trap, Traps, weight_of
from equiv.testing.schema_facts import ground_of
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Reason, Tier, Undecided, Verdict


class TrialOutcome(StrEnum):
    """The outcome of one query (closed list)."""

    UNCHANGED = "unchanged"
    """The rewriter gave the query back, or None: it declines."""
    PROVED = "proved"
    """The new text is proved to answer the same."""
    REFUTED = "refuted"
    """A database distinguishes the two."""
    NO_QUERY = "no query"
    """The new text cannot be prepared on the schema; the old one can."""
    RAISED = "raised"
    """The rewriter raised an exception."""
    UNDECIDED = "undecided"
    """Neither proved nor refuted, for one of the reasons of :class:`~equiv.verdict.Reason`."""
    UNREAD = "unread"
    """The query itself cannot be prepared on the schema: it says nothing of the rewriter."""


FAULTS = frozenset({TrialOutcome.REFUTED, TrialOutcome.NO_QUERY, TrialOutcome.RAISED})
"""The outcomes that show a rewriter to be wrong."""


FEW, FEW_SHARE = 10, 0.25
"""Fewer changed queries than both, of those drawn, say little of a rewriter."""


class FewChangedWarning(UserWarning):
    """A rewriter changed few of the queries that it was put to, or none."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One query and what a rewriter made of it."""

    before: str
    after: str
    outcome: TrialOutcome
    verdict: Verdict | None = None
    """None where the engine was not asked."""
    error: str = ""
    """The exception that the rewriter raised: its type and message."""
    is_changed: bool = False
    """Whether the new text is another query than the old one, not only laid out otherwise."""

    @property
    def is_fault(self) -> bool:
        """Whether it shows the rewriter to be wrong."""
        return self.outcome in FAULTS


@dataclass(frozen=True, slots=True)
class FaultCause:
    """The common cause of several faults."""

    change: str
    """The smallest change of the text that is known to matter, names as ``x``; or what was said of it."""
    faults: tuple[Tried, ...]
    example: Tried
    """One of them, on the smallest query that was looked for."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcomes of all queries.

    A rewriter without a fault is *not* thereby sound: ``proved`` says of how many rewrites it is known.
    """

    rewriter: str
    """The name of the function."""
    relation: str
    tried: tuple[Tried, ...]
    seed: int | None
    """What the queries were drawn from; None where they were given."""
    smallest: tuple[Tried, ...] = ()
    """The first faults, each on the smallest query found that still shows one of its kind."""
    dialects: tuple[str, str] | None = None
    """The dialects of queries and new texts, where these differ."""
    causes: tuple[FaultCause, ...] = ()
    """The faults by what they come of, most of them first."""

    @property
    def overview(self) -> str:
        """The summary, then each cause of faults: how many, and one of them."""
        told = [
            f"{len(cause.faults)} of {len(self.faults)}: {cause.change}\n"
            f"    {cause.example.before}\n    {cause.example.after or cause.example.error}"
            for cause in self.causes
        ]
        return "\n".join([self.summary, *told])

    @property
    def counts(self) -> Counter[TrialOutcome]:
        """How many queries there are of each outcome."""
        return Counter(each.outcome for each in self.tried)

    @property
    def faults(self) -> tuple[Tried, ...]:
        """The queries that show the rewriter to be wrong."""
        return tuple(each for each in self.tried if each.is_fault)

    @property
    def undecided(self) -> tuple[Tried, ...]:
        """The rewrites about which nothing is known."""
        return tuple(each for each in self.tried if each.outcome is TrialOutcome.UNDECIDED)

    @property
    def changed(self) -> tuple[Tried, ...]:
        """The queries of which the rewriter made other ones, not only another layout or other names."""
        return tuple(each for each in self.tried if each.is_changed)

    @property
    def warning(self) -> str:
        """A warning that the report rests on few queries, with advice; '' if it has enough, or a fault.

        Few are fewer than :data:`FEW`, and than :data:`FEW_SHARE` of the queries; of those that the caller
        gave as a list, none.
        """
        changed, total = len(self.changed), len(self.tried)
        enough = min(FEW, FEW_SHARE * total) if self.seed is not None else 1
        if self.faults or changed >= enough or not total:
            return ""
        told = f"only {changed} of {_queries(total)} ({100 * changed / total:.0f} %) were"
        if not changed:
            told = f"none of {_queries(total)} was"
        return (
            f"{self.rewriter}: {told} changed in more than layout and names, so the test says little.  "
            "Give queries= of the sort that it rewrites, a schema= with the columns that it needs, or more "
            "examples="
        )

    @property
    def summary(self) -> str:
        """The counts in one line."""
        counts, total = self.counts, len(self.tried)
        shown = ", ".join(f"{counts[outcome]} {outcome}" for outcome in TrialOutcome if counts[outcome])
        return f"{self.rewriter}: {_queries(total)}: {shown or 'none'}"


def _queries(number: int) -> str:
    return f"{number} {'query' if number == 1 else 'queries'}"


TRAPS_SHARE, LATER_SHARE = 0.97, 0.5
"""The share of traps among queries that are not variants, until each trap has been set once, and then."""
STRAY = 0.3
"""The share of traps among queries that are drawn for no rewriter."""
DRESSED = 0.2
"""The share of traps that stand within another query, or have their tables in one."""
VARIANTS_SHARE = 0.5
"""The share of variants of changed queries, as long as there are any to make."""
VARIANTS = 8
"""How many variants one query has at most: what is changed in it may not matter there."""
FILLED_ANEW = 0.6
"""The share of variants of a trap that are the same one on other columns."""
OFTEN = 0.25
"""A rewriter that changes more than this share of the queries drawn needs no variants of them."""
TRIES = 20
"""How often a query is drawn for each that is asked for: it may be none, or known."""
SMALLER = 40
"""Among how many smaller queries one is chosen."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A query that was drawn."""

    sql: str
    trap: Trap | None = None
    """The trap that it is made of, if it is one."""


@dataclass
class AimedQueries:
    """So many different queries on a schema; fewer if there are no more.

    They depend on the seed and on which of them were :meth:`learnt` to be changed, on nothing else.
    """

    schema: Schema
    features: Features
    number: int
    seed: int
    _deck: list[Trap] = field(default_factory=list)
    """The traps that are still to come in this round."""
    _rounds: int = 0
    """How often all traps have been laid out."""
    _fresh: int = 0
    """How many queries are no variants."""
    _hits: int = 0
    """How many of these were changed."""
    _bases: list[Drawing] = field(default_factory=list)
    """These, once for each variant that is still to be made of them."""
    _last: tuple[Drawing, bool] = field(init=False)
    """The last one, and whether it is fresh."""

    def __iter__(self) -> Iterator[str]:
        seen: set[str] = set()
        for draw in range(self.number * TRIES):
            random = Random(f"{self.seed} {draw}")
            is_fresh = not self._wants_variant() or random.random() >= VARIANTS_SHARE
            drawn = self._drawn(random) if is_fresh else self._variant(random)
            if drawn.sql in seen or not self._is_allowed(drawn.sql):
                continue
            seen.add(drawn.sql)
            self._last = drawn, is_fresh
            self._fresh += is_fresh
            yield drawn.sql
            if len(seen) == self.number:
                return

    def learnt(self, *, is_changed: bool) -> None:
        """Take note of whether the last query was changed."""
        drawn, is_fresh = self._last
        if is_changed and is_fresh:
            self._hits += 1
            self._bases += [drawn] * VARIANTS

    def _wants_variant(self) -> bool:
        return bool(self._bases) and self._hits <= OFTEN * self._fresh

    def _is_allowed(self, sql: str) -> bool:
        return uses_only(sql, self.features) and ground_of(self.schema).can_be_prepared(sql)

    def _drawn(self, random: Random) -> Drawing:
        """A trap, one after the other, or a query of any shape."""
        if random.random() < (LATER_SHARE if self._rounds > 1 else TRAPS_SHARE):
            if not self._deck:
                self._deck = Traps(random, self.schema, self.features).shuffled()
                self._rounds += 1
            if self._deck:
                drawn = self._filled(random, self._deck.pop(0))
                is_dressed = random.random() < DRESSED
                return replace(drawn, sql=disguised(drawn.sql, random)) if is_dressed else drawn
        return Drawing(Queries(random, self.schema, random.choice(SIZES), self.features).query())

    def _filled(self, random: Random, trap: Trap) -> Drawing:
        return Drawing(Traps(random, self.schema, self.features).query(trap), trap)

    def _variant(self, random: Random) -> Drawing:
        """A query like one that was changed."""
        base = self._bases.pop(random.randrange(len(self._bases)))
        if base.trap is not None and random.random() < FILLED_ANEW:
            return self._filled(random, base.trap)
        makers: tuple[Callable[[], str], ...] = (
            lambda: self._mutant(base.sql, random),
            lambda: self._with_other_columns(base.sql, random),
            lambda: random.choice([base.sql, *islice(smaller_queries(base.sql), SMALLER)]),
        )
        return Drawing(random.choice(makers)(), base.trap)

    def _mutant(self, sql: str, random: Random) -> str:
        tree = ground_of(self.schema).tree(sql)
        return next(drawn_mutants(tree, self.schema, random, 1), sql) if tree is not None else sql

    def _with_other_columns(self, sql: str, random: Random) -> str:
        """The query with columns that may be NULL in the place of some of its columns."""
        tree = ground_of(self.schema).tree(sql)
        if tree is None:
            return sql
        changed = tree.copy()
        for select in changed.find_all(exp.Select):
            for table, alias in tables_of(select, self.schema):
                _exchange(select, alias, table, random)
        return to_sql(changed)


def _exchange(select: exp.Select, alias: str, table: Table, random: Random) -> None:
    """Put another column of its kind in the place of a column of a table; more often one that may be NULL."""
    read = [column for column in select.find_all(exp.Column) if column.text("table") == alias]
    names = sorted({column.name for column in read})
    old = table.column(random.choice(names)) if names else None
    if old is None:
        return
    alike = [
        each for each in table.columns if kind_of(each) == kind_of(old) for _ in range(weight_of(table, each))
    ]
    new = random.choice(alike).name
    for column in read:
        if column.name == old.name:
            column.set("this", exp.to_identifier(new))


def drawn_query(random: Random, schema: Schema, features: Features) -> str:
    """A query of any shape, or now and then a trap; it may use more than the features."""
    if random.random() < STRAY and (sorts := Traps(random, schema, features).sorts()):
        return Traps(random, schema, features).query(random.choice(random.choice(sorts)))
    return Queries(random, schema, random.choice(SIZES), features).query()


Rewriter = Callable[[str], str | None]
"""Takes SQL and gives SQL; None, or the same text, where it declines."""

Ask = Callable[[str, str], Verdict]
"""Gives the verdict on (new text, old text)."""

REDUCTIONS = 150
"""How many smaller queries are tried where one shows a fault."""


@dataclass(frozen=True)
class RewriterTrial:
    """How a rewriter is tried."""

    schema: Schema
    options: Options
    declines: tuple[type[Exception], ...] = ()
    """Exceptions by which the rewriter says that it leaves a query as it is."""
    across: Schema | None = None
    """The schema as new and old texts have it, where these are of different dialects."""

    @property
    def pairs(self) -> Schema:
        """The schema on which new and old texts are compared."""
        return self.across or self.schema

    def run(
        self, rewrite: Rewriter, queries: Iterable[str], *, seed: int | None, faults: int | None, shrink: int
    ) -> Report:
        """The report on all queries, up to so many faults; the first few are shown on small queries."""
        tried: list[Tried] = []
        wrong: list[Tried] = []
        with closing(Checker(self.pairs, **self.options.arguments())) as checker:
            for sql in _different(queries):
                tried.append(self.tried(rewrite, sql, checker.check))
                if isinstance(queries, AimedQueries):
                    queries.learnt(is_changed=tried[-1].is_changed)
                wrong += [tried[-1]] if tried[-1].is_fault else []
                if faults is not None and len(wrong) >= faults:
                    break
            small: list[Tried] = []
            causes = self._causes(wrong, small)
            # The next one to be made small is of a cause that none of these has.
            while len(small) < shrink and (fresh := [c for c in causes if c.example not in small]):
                small.append(self._smallest(rewrite, fresh[0].example, checker.check))
                causes = self._causes(wrong, small)
        dialects = (self.options.gold_dialect, self.options.dialect) if self.across else None
        relation = str(self.options.relation)
        return Report(name_of(rewrite), relation, tuple(tried), seed, tuple(small), dialects, tuple(causes))

    def _causes(self, faults: Sequence[Tried], small: Sequence[Tried]) -> list[FaultCause]:
        """The faults by the fewest changes that, made alone, are known to be one; the most frequent first."""
        known = sorted(
            ((self._changes(each), each) for each in (*small, *faults)), key=lambda each: len(each[0])
        )
        found: dict[frozenset[str], tuple[Tried, list[Tried]]] = {}
        for changes, each in known:
            if not any(other <= changes for other in found):
                found[changes] = each, []
        for fault in faults:
            changes = self._changes(fault)
            next(own for other, own in found.items() if other <= changes)[1].append(fault)
        causes = [
            FaultCause(shorten("; ".join(sorted(changes)), LONGEST_CHANGE), tuple(own), example)
            for changes, (example, own) in found.items()
            if own
        ]
        return sorted(causes, key=lambda cause: -len(cause.faults))

    def _changes(self, fault: Tried) -> frozenset[str]:
        """What a rewriter changed in a query, names as ``x``; of an error or a refusal, its first line."""
        if fault.outcome is not TrialOutcome.REFUTED:
            said, *_ = (fault.error or getattr(fault.verdict, "message", "")).splitlines() or [""]
            return frozenset({f"{fault.outcome}: {_without_names(said)}"})
        trees = [ground_of(self.schema).tree(sql) for sql in (fault.before, fault.after)]
        shown = [fault.before, fault.after]
        if self.across is None and None not in trees:
            shown = [to_sql(tree) for tree in trees if tree is not None]
        names = folded(
            each.name for tree in trees if tree is not None for each in tree.find_all(exp.Identifier)
        )
        before, after = (_plain_words(text, names) for text in shown)
        matcher = SequenceMatcher(None, before, after, autojunk=False)
        return frozenset(
            {
                "insert": f"{' '.join(after[c:d])} is added",
                "delete": f"{' '.join(before[a:b])} is dropped",
            }.get(kind, f"{' '.join(before[a:b])} becomes {' '.join(after[c:d])}")
            for kind, a, b, c, d in matcher.get_opcodes()
            if kind != "equal"
        ) or frozenset({"names or literals alone"})

    def tried(self, rewrite: Rewriter, sql: str, ask: Ask) -> Tried:
        """The outcome of one query."""
        if not ground_of(self.schema).can_be_prepared(sql):
            return Tried(sql, sql, TrialOutcome.UNREAD)
        try:
            after = rewrite(sql)
        except self.declines:
            after = None
        except Exception as error:  # noqa: BLE001 - whatever the rewriter raises is told
            return Tried(sql, "", TrialOutcome.RAISED, error=f"{type(error).__name__}: {error}")
        if after is None or (after == sql and self.across is None):
            return Tried(sql, sql, TrialOutcome.UNCHANGED)
        verdict = ask(after, sql)
        is_changed = self.across is not None or not self._is_same(sql, after)
        return Tried(sql, after, outcome_of(verdict), verdict, is_changed=is_changed)

    def _is_same(self, one: str, two: str) -> bool:
        """Whether two texts are one query, but for layout, aliases and the like."""
        trees = [ground_of(self.schema).tree(sql) for sql in (one, two)]
        return trees[0] is not None and trees[0] == trees[1]

    def _smallest(self, rewrite: Rewriter, fault: Tried, ask: Ask) -> Tried:
        """A fault of the same kind on a query as small as can be found.

        Smaller queries are distinguished by generated databases alone, which are bounded by the effort.
        """
        options = replace(self.options, tiers=(Tier.GENERATE,), timeout=None)
        with closing(Checker(self.pairs, **options.arguments())) as checker:

            def shows(sql: str) -> bool:
                return self.tried(rewrite, sql, checker.check).outcome is fault.outcome

            sql = reduced(fault.before, shows, REDUCTIONS)
        small = fault if sql == fault.before else self.tried(rewrite, sql, ask)
        return small if small.outcome is fault.outcome else fault


LONGEST_CHANGE = 160
"""How many characters are said of what faults come of."""

_QUOTED_OR_WORD = re.compile(r"""["'`][^"'`]*+["'`]|[\w.]++""")
_DIGITS = re.compile(r"\d++")


def _without_names(said: str) -> str:
    """What errors of one kind have in common: ``x`` for what is quoted, names of two parts and numbers."""

    def plain(found: re.Match[str]) -> str:
        word = found[0]
        return "x" if word[0] in "\"'`" or "." in word.rstrip(".") else _DIGITS.sub("x", word)

    return _QUOTED_OR_WORD.sub(plain, said)


def _plain_words(text: str, names: Collection[str]) -> list[str]:
    """The words of a query as they are compared; a column is one, whatever table stands before it."""
    words = (text[token.start : token.end] for token in tokens(text) if token.end > token.start)
    return _OF_A_TABLE.sub("", "\n".join(_plain(word, names) for word in words)).split("\n")


_OF_A_TABLE = re.compile(r"\bx\n\.\n(?=x\b)")


def _plain(word: str, names: Collection[str]) -> str:
    """A word as it is compared: a name as ``x``, a number as 1, a text as 'a'."""
    if word[:1] == "'":
        return "'a'"
    if word[:1].isdigit():
        return "1"
    return "x" if word[:1] == '"' or fold(word) in names else word.upper()


def outcome_of(verdict: Verdict) -> TrialOutcome:
    """The outcome that a verdict on (new text, old text) is for the rewriter."""
    match verdict:
        case Equivalent():
            return TrialOutcome.PROVED
        case NotEquivalent():
            return TrialOutcome.REFUTED
        case Invalid():
            return TrialOutcome.NO_QUERY
        case Undecided(reason=Reason.GOLD_INVALID):
            return TrialOutcome.UNREAD
    return TrialOutcome.UNDECIDED


def _different(texts: Iterable[str]) -> Iterator[str]:
    """Each text once, drawn when it is asked for."""
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            require_texts(text)
            seen.add(text)
            yield text


def name_of(rewrite: Rewriter) -> str:
    """The name of a rewriter."""
    return str(getattr(rewrite, "__name__", type(rewrite).__name__))
