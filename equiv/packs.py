"""Rule packs of users: rules that come with no promise of this project, loaded by name and asked last.

A pack is a Python file or module that defines rules with :func:`equiv.rewrite.rule.rule`. It may list them
in ``RULES`` (else all of its rules count, in the order of their definition), and name in ``SCHEMA`` the
DDL on which their documented examples are queries.

Tier ``packs`` comes when every other tier is done. So a pack decides nothing that can be decided without
it, and a wrong rule of it has had every refuting tier against it. Of each step that a rule of a pack
takes, the algebra is asked for a proof; what it does not prove is on trust, and the derivation says so.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from equiv.answers.pair import Pair
from equiv.core.query import Broken, Query
from equiv.dialects.registry import reference
from equiv.errors import InputError
from equiv.facts import Fact
from equiv.files import FileErrors
from equiv.relation import Columns, Relation, Rows
from equiv.rewrite.normalise import RuleSet
from equiv.rewrite.rule import Body, Need, Rule, Shape, rules_of
from equiv.tiers.outcome import Open, Proved, TierOutcome
from equiv.tiers.rules import COLUMN_ORDER, RulesTier
from equiv.verdict import Derivation, Step, Tier

GROUP = "equiv.rules"
"""The entry points that name packs: ``mypack = "mypackage.sql_rules"``."""

SEPARATOR = ":"
"""Between a pack's name and a rule's, wherever a verdict names a rule of a pack."""

_Result = TypeVar("_Result")


class PackError(Exception):
    """A rule of a pack raised; the text names the rule and what it raised."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A rule pack."""

    name: str
    rules: tuple[Rule, ...]
    """Named ``pack:rule``; what they raise comes out as :class:`PackError`."""
    schema: str
    """The DDL on which their documented examples are queries; '' if the pack names none."""
    source: Path
    digest: str
    """SHA-256 of the source."""


def load_packs(names: Iterable[str]) -> tuple[Pack, ...]:
    """Packs by their names; see :func:`load_pack`.

    Raises:
        InputError: one cannot be loaded, or two have one name.
    """
    packs = tuple(map(load_pack, names))
    called = [pack.name for pack in packs]
    if doubled := [name for name in called if called.count(name) > 1]:
        raise InputError(f"there are two rule packs {doubled[0]!r}")
    return packs


def load_pack(name: str) -> Pack:
    """A pack by the path of a Python file, by the name of an entry point, or by that of a module.

    Loading a pack runs its code.

    Raises:
        InputError: there is none, or it cannot be imported, or it has no rules.
    """
    source = source_of(name)
    return _loaded(name, source, _digest(source))


def source_of(name: str) -> Path:
    """The file of a pack, which is not run for that.

    Raises:
        InputError: there is none.
    """
    if is_path(name):
        path = Path(name).expanduser().absolute()
        if not path.is_file():
            raise InputError(f"{name}: no such rule pack")
        return path
    point = _entry_point(name)
    module = point.module if point is not None else name
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        spec = None
    if spec is None or not spec.origin or not Path(spec.origin).is_file():
        raise InputError(f"there is no rule pack {name!r}: give a file, a module or an installed pack")
    return Path(spec.origin)


def located(name: str) -> str:
    """The name of a pack as it is understood in every working directory."""
    return str(source_of(name)) if is_path(name) else name


def is_path(name: str) -> bool:
    """Whether a name of a pack is that of a file."""
    return name.endswith(".py") or "/" in name or "\\" in name


def is_pack(name: str) -> bool:
    """Whether a name is meant as that of a pack: it is that of a file, or there is such a module."""
    if is_path(name):
        return True
    try:
        source_of(name)
    except InputError:
        return False
    return True


def _entry_point(name: str) -> EntryPoint | None:
    return next(iter(entry_points(group=GROUP, name=name)), None)


def _digest(source: Path) -> str:
    with FileErrors(source):
        return hashlib.sha256(source.read_bytes()).hexdigest()


@lru_cache(maxsize=32)
def _loaded(name: str, source: Path, digest: str) -> Pack:
    try:
        module = _imported(name, source, digest)
    except Exception as error:  # noqa: BLE001 - the pack is somebody else's code
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"rule pack {name}: {said}") from None
    rules = _rules_of(module, name)
    called = source.stem if is_path(name) else name
    schema = getattr(module, "SCHEMA", "")
    if not isinstance(schema, str):
        raise InputError(f"rule pack {name}: SCHEMA must be DDL text, not {type(schema).__name__}")
    return Pack(called, tuple(_answered_for(rule, called) for rule in rules), schema, source, digest)


def _imported(name: str, source: Path, digest: str) -> ModuleType:
    if not is_path(name):
        point = _entry_point(name)
        return importlib.import_module(point.module if point is not None else name)
    own = f"equiv_pack_{source.stem}_{digest[:12]}"
    spec = importlib.util.spec_from_file_location(own, source)
    if spec is None or spec.loader is None:
        raise InputError("is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[own] = module  # dataclasses of the pack look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[own]
        raise
    return module


def _rules_of(module: ModuleType, name: str) -> Sequence[Rule]:
    listed: object = getattr(module, "RULES", None)
    if listed is None:
        rules: list[object] = [*rules_of(module)]
    elif isinstance(listed, Sequence):
        rules = list(listed)
    else:
        raise InputError(f"rule pack {name}: RULES must be a sequence of rules")
    chosen = [rule for rule in rules if isinstance(rule, Rule)]
    if not chosen or len(chosen) < len(rules):
        what = "RULES holds something that is not a rule" if chosen else "it defines no rules"
        raise InputError(f"rule pack {name}: {what} (rules are made with equiv.rewrite.rule.rule)")
    names = [rule.name for rule in chosen]
    if doubled := [each for each in names if names.count(each) > 1]:
        raise InputError(f"rule pack {name}: there are two rules {doubled[0]!r}")
    return chosen


def _answered_for(rule: Rule, pack: str) -> Rule:
    """The rule under its full name, so that whatever it does is put down to it."""
    name = f"{pack}{SEPARATOR}{rule.name}"
    return replace(
        rule,
        name=name,
        module=pack,
        shape=tuple(_shape(each, name) for each in rule.shape),
        needs=tuple(_need(each, name) for each in rule.needs),
        body=_body(rule.body, name),
    )


def _shape(shape: Shape, name: str) -> Shape:
    return lambda node: _called(name, lambda: shape(node))


def _need(need: Need, name: str) -> Need:
    def answered(node, ctx):  # type: ignore[no-untyped-def]
        return _called(name, lambda: need(node, ctx))

    answered.__name__ = need.__name__
    answered.__doc__ = need.__doc__
    return answered


def _body(body: Body, name: str) -> Body:
    return lambda node, ctx: _called(name, lambda: body(node, ctx))


def _called(name: str, ask: Callable[[], _Result]) -> _Result:
    try:
        return ask()
    except (RecursionError, MemoryError):
        raise
    except Exception as error:
        raise PackError(f"{name} raised {type(error).__name__}: {error}") from error


Read = Callable[[str], Query | Broken]
Prove = Callable[[Pair], TierOutcome]


@dataclass(frozen=True, slots=True)
class _Side:
    """Of one query, the rules of packs that are on trust, and the facts by which the algebra proves steps."""

    trusted: tuple[str, ...]
    facts: tuple[Fact, ...]


class PacksTier:
    """Settles as equivalent what our rules and those of packs rewrite to one normal form.

    Args:
        own: our rules, which are applied before those of packs.
        prove: the algebra, which knows no rules.
    """

    tier = Tier.PACKS

    def __init__(self, own: Iterable[Rule], packs: Sequence[Pack], prove: Prove) -> None:
        self._rules = RulesTier(RuleSet((*own, *(rule for pack in packs for rule in pack.rules))))
        self._prove = prove

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """A derivation that names, of the rules of packs in it, those that are on trust."""
        try:
            outcome = self._rules.settle(pair, effort)
        except PackError as error:
            return Open(detail=str(error))
        if not isinstance(outcome, Proved) or not isinstance(outcome.evidence, Derivation):
            return outcome
        derivation = outcome.evidence
        # The steps are printed trees: text of the reference dialect, whichever the pair is of.
        with reference().engine.empty(pair.schema) as empty:
            read = partial(reference().reader.read, schema=pair.schema, empty=empty)
            sides = [
                self._looked_at(steps, pair, read) for steps in (derivation.pred_steps, derivation.gold_steps)
            ]
        trusted = dict.fromkeys(name for side in sides for name in side.trusted)
        facts = dict.fromkeys((*outcome.facts, *(fact for side in sides for fact in side.facts)))
        return replace(outcome, facts=tuple(facts), evidence=replace(derivation, on_trust=tuple(trusted)))

    def make_again(self, pair: Pair, effort: int) -> TierOutcome:
        """Whether there is such a derivation, without looking at its steps."""
        try:
            return self._rules.make_again(pair, effort)
        except PackError as error:
            return Open(detail=str(error))

    def show_again(self, pair: Pair, effort: int) -> TierOutcome:
        """The outcome of :meth:`settle`."""
        return self.settle(pair, effort)

    def _looked_at(self, steps: Iterable[Step], pair: Pair, read: Read) -> _Side:
        """The steps of one side from the first of a pack on, each put to the algebra.

        A rule of ours may rely on what a pack has made of the tree, so that the pack answers for it as well.
        """
        foreign = ""
        trusted: list[str] = []
        facts: list[Fact] = []
        for step in steps:
            if SEPARATOR in step.rule:
                foreign = step.rule
            if not foreign:
                continue
            proved = self._proved(step, pair, read)
            if proved is None:
                trusted.append(foreign)
            else:
                facts += proved.facts
        return _Side(tuple(trusted), tuple(facts))

    def _proved(self, step: Step, pair: Pair, read: Read) -> Proved | None:
        before, after = read(step.before), read(step.after)
        if isinstance(before, Broken) or isinstance(after, Broken):
            return None
        columns = Columns.ANY if step.rule == COLUMN_ORDER else Columns.ORDERED
        kept = Relation(Rows(step.under), columns)
        outcome = self._prove(pair.of_core_texts(before, after, kept))
        return outcome if isinstance(outcome, Proved) else None
