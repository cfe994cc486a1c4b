"""Rule packs: modules of rules that somebody else wrote, found by path or by name.

A pack is a Python file or module that defines rules with :func:`equiv.rewrite.rule.rule`.  It may list them
in ``RULES`` (else all of its rules count, in the order of their definition), and name in ``SCHEMA`` the DDL
on which their documented examples are queries.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from equiv.errors import InputError
from equiv.rewrite.rule import Body, Need, Rule, Shape

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
        raise InputError(f"two rule packs are called {doubled[0]!r}")
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
        raise InputError(f"no rule pack is called {name!r}: give a file, a module or an installed pack")
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
    try:
        return hashlib.sha256(source.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{source}: {error.strerror or error}") from None


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
        raise InputError("is no Python file")
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
        own_rules = [value for value in vars(module).values() if isinstance(value, Rule)]
        rules: list[object] = [rule for rule in own_rules if rule.module == module.__name__]
    elif isinstance(listed, Sequence):
        rules = list(listed)
    else:
        raise InputError(f"rule pack {name}: RULES must be a sequence of rules")
    chosen = [rule for rule in rules if isinstance(rule, Rule)]
    if not chosen or len(chosen) < len(rules):
        what = "RULES holds what is no rule" if chosen else "it defines no rules"
        raise InputError(f"rule pack {name}: {what} (rules are made with equiv.rewrite.rule.rule)")
    names = [rule.name for rule in chosen]
    if doubled := [each for each in names if names.count(each) > 1]:
        raise InputError(f"rule pack {name}: two rules are called {doubled[0]!r}")
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
