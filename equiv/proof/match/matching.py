"""The state of one matching: the world, the prover, and the choices paired so far.

A *choice site* is a place where SQL leaves a query free: which of the tied rows a LIMIT takes, which row
a scalar subquery sees first.  Two queries have the same possible answers if their sites correspond
one to one and everything else agrees; so each site of the right-hand query is paired with at most one
site of the left-hand query, and the other way round.

A choice that depends on outer rows is made anew for each of them.  In the algebra it depends on the fields
that it mentions; the two agree where these fields distinguish the outer rows.  Where they do not, a query
whose choice is free for every row and one whose choice is the same for many may look alike: then nothing
is shown.  The same if the query says that the choice depends on outer rows, and the normal form no more.

Cells and rows are equal by value, or by value and storage class: a claim for the prover either way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from equiv.algebra import terms as t
from equiv.algebra.correspondences import atoms
from equiv.algebra.world import REPRESENTATION, Claim, Prover, World


def not_distinct(left: t.Expression, right: t.Expression) -> t.Expression:
    """The claim that two values are equal, NULL to NULL and 1 to 1.0."""
    return t.Compare("IS", left, right)


@dataclass(frozen=True, slots=True)
class CellEquality:
    """A comparison of two rows of outputs: the claim for each pair of cells, and how many outputs count."""

    claim: Callable[[t.Expression, t.Expression], t.Expression]
    width: int | None = None
    """How many of the outputs are compared, from the first on; None: all."""

    def claims(self, left: Sequence[t.Expression], right: Sequence[t.Expression]) -> list[t.Expression]:
        """One claim for each output on which the rows must agree; none where both say the same expression."""
        pairs = zip(left[: self.width], right[: self.width], strict=True)
        return [self.claim(a, b) for a, b in pairs if t.alpha(a) != t.alpha(b)]


def identical(left: t.Expression, right: t.Expression) -> t.Expression:
    """The claim that two values are equal and of one storage class: no function can distinguish them."""
    return t.Compare("IS", t.Apply(REPRESENTATION, (left,)), t.Apply(REPRESENTATION, (right,)))


BY_VALUE = CellEquality(not_distinct)
"""Outputs are equal, 1 to 1.0."""

IDENTICAL = CellEquality(identical)
"""Outputs are the same values in the same storage class."""


@dataclass(frozen=True, slots=True)
class MatchingScope:
    """The scope in which two expressions are compared: rows of their free variables, conditions, lemmas."""

    given: tuple[t.Expression, ...] = ()
    rows: tuple[t.Binding, ...] = ()
    lemmas: tuple[t.Expression, ...] = ()
    """Conditions that matching has shown to follow for these rows."""

    def knowing(self, conditions: Iterable[t.Expression]) -> MatchingScope:
        """The place with more conditions."""
        return MatchingScope((*self.given, *conditions), self.rows, self.lemmas)

    def within(self, bindings: Iterable[t.Binding]) -> MatchingScope:
        """The place with more rows at hand."""
        return MatchingScope(self.given, (*self.rows, *bindings), self.lemmas)

    def relying_on(self, lemmas: Iterable[t.Expression]) -> MatchingScope:
        """The place with further lemmas."""
        return MatchingScope(self.given, self.rows, (*self.lemmas, *lemmas))


MAX_STEPS = 400
"""How many claims one matching may put to the prover."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two terms shown equal, the right one over the variables of the left one."""

    left: t.Term
    right: t.Term


@dataclass
class Matching:
    """The state of one attempt to match two queries."""

    world: World
    prover: Prover
    paired: dict[int, int] = field(default_factory=dict)
    """Choice sites of the right-hand query and their partners."""
    steps: int = 0
    _failed: set[tuple[object, ...]] = field(default_factory=set)

    def proves(self, goal: t.Expression, here: MatchingScope) -> bool:
        """Put a claim to the prover, as long as the budget of steps lasts."""
        self.steps += 1
        return self.steps <= MAX_STEPS and self.prover.proves(Claim(here.rows, here.given, goal, here.lemmas))

    def pair_sites(self, left: t.Node, right: t.Node) -> bool:
        """Pair the choice sites of two nodes that are equal up to their sites; False if one is taken."""
        trial = dict(self.paired)
        for mine, theirs in zip(_all_sites(left), _all_sites(right), strict=True):
            # Without ties on one side there are none on the other, which is equal.
            if mine and theirs and trial.setdefault(theirs, mine) != mine:
                return False
        if len(set(trial.values())) != len(trial):
            return False
        self.paired = trial
        return True

    def has_failed(self, *key: object) -> bool:
        """Whether a question was asked before in vain."""
        return key in self._failed

    def fail(self, *key: object) -> None:
        """Remember that a question was asked in vain."""
        self._failed.add(key)


def shared_and_rest(
    left: t.Expression, right: t.Expression
) -> tuple[list[t.Expression], t.Expression, t.Expression]:
    """The conjuncts that two conditions have in common (up to bound names), and what is left of each."""
    mine = {t.alpha(part): part for part in t.conjuncts(left)}
    theirs = {t.alpha(part): part for part in t.conjuncts(right)}
    common = [part for key, part in mine.items() if key in theirs]
    rest_left = t.conjunction(part for key, part in mine.items() if key not in theirs)
    rest_right = t.conjunction(part for key, part in theirs.items() if key not in mine)
    return common, rest_left, rest_right


def plain_assumption(left: t.Expression, right: t.Expression) -> list[t.Expression]:
    """Conditions without bags that each of two conditions implies: common conjuncts, and ``rest OR rest``."""
    common, rest_left, rest_right = shared_and_rest(left, right)
    plain = [part for part in common if not atoms(part)]
    sides = [
        t.conjunction(part for part in t.conjuncts(rest) if not atoms(part))
        for rest in (rest_left, rest_right)
    ]
    if all(t.conjuncts(side) for side in sides):
        plain.append(t.Or(tuple(sides)))
    return plain


def _all_sites(node: t.Node) -> list[int]:
    return [inner.site for inner in t.walk(node) if isinstance(inner, t.Limited | t.Numbered | t.Aggregate)]


_CHOICES = t.Limited | t.Numbered | t.Aggregate


def repeated(answer: t.Answer) -> frozenset[int]:
    """The sites of the correlated choices of an answer: each outer row has a choice of its own."""
    return frozenset(
        node.site for node in t.walk(answer) if isinstance(node, _CHOICES) and node.site and t.free(node)
    )


def are_comparable(answer: t.Answer, world: World, anew: Collection[int]) -> bool:
    """Whether every choice of an answer is made once for each row around it, and stands once.

    One that depends on the rows around it may stand in several terms, as what LEFT JOIN LATERAL matches does
    in those that match a next source and those that do not: equal rows around it have one choice.

    Args:
        answer: in normal form.
        world: facts that are relied on are recorded there.
        anew: the sites of choices that the query makes anew for each row around them.
    """
    numbers = Counter(t.sites(answer))
    return all(n == 1 or site in anew for site, n in numbers.items()) and _by_row(answer, (), world, anew)


def _by_row(node: t.Node, around: tuple[t.Binding, ...], world: World, anew: Collection[int]) -> bool:
    if isinstance(node, _CHOICES) and node.site and not _tells_apart(node, around, world, anew):
        return False
    if isinstance(node, t.Term):
        around = (*around, *node.bindings)
    return all(_by_row(child, around, world, anew) for child in t.children(node))


def _tells_apart(
    node: t.Limited | t.Numbered | t.Aggregate,
    around: tuple[t.Binding, ...],
    world: World,
    anew: Collection[int],
) -> bool:
    """Whether the fields that a choice mentions distinguish all rows around it, or it is made just once."""
    outer = t.free(node)
    if not outer and node.site not in anew:
        return True
    mentioned = {inner for inner in t.walk(node) if isinstance(inner, t.Field) and inner.row in outer}
    return all(_is_told(binding, mentioned, world) for binding in around if binding.source != node)


def _is_told(binding: t.Binding, mentioned: set[t.Field], world: World) -> bool:
    columns = {field.column for field in mentioned if field.row == binding.row}
    if isinstance(binding.source, t.Limited):
        return binding.source.limit is not None and binding.source.limit <= 1
    return tells_rows_apart(binding.source, columns, world)


def tells_rows_apart(source: t.Source, columns: Collection[str | int], world: World) -> bool:
    """Whether some columns tell any two rows of a source apart: all of a distinct one, a key of a table."""
    match source:
        case t.Squash(bag):
            return all(set(columns) >= set(range(len(term.outputs))) for term in bag.terms)
        case t.Scan(table):
            key = world.facts.strict_key(table, [str(column) for column in columns])
            return world.rests_on(key)
    return False
