"""Golden cases of the algebra: which rewrites fire, which do not, and what holds them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.terms import Answer
from equiv.algebra.text import page_of, texts_of
from equiv.algebra.translate.query import translate
from equiv.algebra.trials import try_statements
from equiv.algebra.world import ALL_ON, RewriteStep, Switches
from equiv.algebra.world import World as AlgebraWorld
from equiv.generate.plan import databases
from equiv.proof.catalogue import REWRITES
from equiv.proof.match.answers import form_of
from equiv.relation import Rows
from equiv.rewrite.rule import Rule
from equiv.rules import RULES
from equiv.rules.verification.golden import EFFORT, Case, UnmetError, World
from equiv.smt.prover import Z3Prover
from equiv.tiers.proof import PATIENCE


@dataclass(frozen=True)
class Normal:
    """A query in the algebra: its normal form, and the steps that led there."""

    form: Answer
    steps: tuple[RewriteStep, ...]

    def fired(self, name: str) -> list[RewriteStep]:
        """The applications of a rewrite."""
        return [step for step in self.steps if step.rewrite == name]

    def page(self, *, steps: bool = False) -> str:
        """The normal form, and maybe the steps that it shows."""
        taken = [step for step in self.steps if not step.aside] if steps else []
        return "\n".join([*map(line_of, taken), page_of(self.form)])


def line_of(step: RewriteStep) -> str:
    """A step on a line."""
    before, after = texts_of(step)
    return f"{step.rewrite}: {before}  ⇒  {after}"


def enabled(case: Case) -> tuple[Rule, ...] | None:
    """The rules that a case does not switch off; None: it switches none off."""
    disabled = case.options.get("disable", ())
    return tuple(rule for rule in RULES if rule.name not in disabled) if disabled else None


def normal(case: Case, world: World, waived: frozenset[tuple[str, str]] = ALL_ON.waived) -> Normal:
    """The query of a case in the algebra, some needs taken for granted."""
    rows = Rows(case.option("rows", "list"))
    text, rules = case.parts[0], enabled(case) if "ruled" in case.options else ()
    # Typed text goes to the prover as it was read, LATERAL included.
    tree = world.read(text).tree if world.dialect else world.norm(text, rules, rows).tree
    assert tree is not None
    switches = Switches(frozenset(case.options.get("disable", ())), waived)
    inner = AlgebraWorld(world.schema, world.facts, switches=switches)
    form = form_of(translate(tree, inner), rows, inner, Z3Prover(inner))
    return Normal(form, tuple(inner.steps))


def run(case: Case, world: World) -> str:
    """Check what a case expects; returns its output.

    Raises:
        UnmetError: an expectation is not met.
    """
    found = normal(case, world)
    names = [step.rewrite for step in found.steps]
    for name in case.options.get("expect", ()):
        if name not in names:
            raise UnmetError(f"{case.name}: {name} did not fire; these did: {', '.join(names) or 'none'}")
    for name in case.options.get("refuse", ()):
        if name in names:
            raise UnmetError(f"{case.name}: {name} fired")
        if "needs" in case.options:
            _require_need(case, world, name, case.option("needs"))
    return found.page(steps="steps" in case.options)


def _require_need(case: Case, world: World, name: str, guard: str) -> None:
    """The need of a rewrite must be what holds it back, and rightly so."""
    (needs,) = (rewrite.needs for rewrite in REWRITES if rewrite.name == name)
    if guard not in {need.__name__ for need in needs}:
        raise UnmetError(f"{case.name}: {name} has no guard {guard}")
    steps = normal(case, world, frozenset({(name, guard)})).fired(name)
    if not steps:
        raise UnmetError(f"{case.name}: {name} does not fire without {guard} either")
    if not _shows_false(case.parts[0], world, steps):
        shown = "\n".join(map(line_of, steps))
        raise UnmetError(f"{case.name}: no database shows that {guard} is needed:\n{shown}")


def _shows_false(sql: str, world: World, steps: Sequence[RewriteStep]) -> bool:
    """Whether on a generated database one of some steps says something false."""
    stated = [each for step in steps if (each := step.stated) is not None]
    bench, pair = world.generator().bench, world.pair(sql, sql)
    for database in databases(pair, EFFORT):
        if bench.load(pair, database):
            evaluator = Evaluator.of(bench.engine.connection, world.schema)
            evaluator.patience = PATIENCE
            if try_statements(stated, evaluator).broken:
                return True
    return False
