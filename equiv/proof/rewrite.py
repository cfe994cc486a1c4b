"""The interface between the rewrites of the algebra and the passes that apply them.

A rewrite says on which nodes it fires, what these must look like (``shape``), what the facts must promise
(``needs``) and what it keeps, and has a body that builds what the node becomes.  Applying one records a step:
before, after, and the facts that it rests on.  A pass tries rewrites, in order, at some parts of a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from equiv.algebra.terms import Binding, Expression
from equiv.algebra.world import Keeps, RewriteStep, StepNode, World


class Surroundings(Protocol):
    """The scope of a node, as a rewrite may read it."""

    @property
    def world(self) -> World:
        """Schema, facts and names."""
        ...

    @property
    def rows(self) -> tuple[Binding, ...]:
        """The bindings of the variables around the node, outermost first."""
        ...

    @property
    def given(self) -> tuple[Expression, ...]:
        """Conditions that are true of these rows."""
        ...


N = TypeVar("N")
P = TypeVar("P")
S = TypeVar("S", bound=Surroundings)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class PlaceIn(Generic[N]):
    """A node, and what must be found of it before claims can be asked: that stands in a class of its own."""

    shown: N


@dataclass(frozen=True, slots=True)
class Rewrite(Generic[P, S, R]):
    """One rewrite; made by :func:`rewrite`.

    It is tried at the places in a node where it may fire, one after the other, up to the first where it does.
    """

    name: str
    on: str
    """The nodes on which it fires, by the names of their classes."""
    keeps: Keeps
    at: Callable[[Any, S], Iterable[P]] | None
    """The places in a node, in order; None: the node itself, or such as a pass names."""
    shape: tuple[Callable[[P], bool], ...]
    """Claims about the node alone."""
    needs: tuple[Callable[[P, S], bool], ...]
    """Claims about facts, each recording those by which it holds."""
    body: Callable[[P, S], R]
    doc: str
    module: str

    def __call__(self, node: Any, scope: S) -> R | None:
        """The new node, or the new whole that the node is a part of; None where the rewrite does not fire."""
        return self.apply(node, scope) if self.at is None else first((self,), self.at(node, scope), scope)

    def until_done(self, node: Any, scope: S) -> Any:
        """A node after the rewrite has fired as often as it does; each result is a node of the same kind."""
        while (found := self(node, scope)) is not None:
            node = found
        return node

    def apply(self, part: P, scope: S) -> R | None:
        """The same at one place."""
        for claim in self.shape:
            if not claim(part):
                return None
        world = scope.world
        if self.name in world.switches.disabled:
            return None
        mark = world.open_step()
        result = self.body(part, scope) if self._is_granted(part, scope) else None
        facts = world.close_step(mark, is_taken=result is not None)
        if result is not None:
            after = tuple(map(_shown, result)) if isinstance(result, list) else (_shown(result),)
            step = RewriteStep(
                self.name, self.keeps, _shown(part), after, scope.rows, scope.given, facts, world.is_aside
            )
            world.steps.append(step)
        return result

    def _is_granted(self, part: P, scope: S) -> bool:
        waived = scope.world.switches.waived
        for need in self.needs:
            if not (waived and (self.name, need.__name__) in waived) and not need(part, scope):
                return False
        return True


def rewrite(
    *,
    on: type | tuple[type, ...],
    keeps: Keeps,
    at: Callable[[Any, Any], Iterable[Any]] | None = None,
    shape: tuple[Callable[[Any], bool], ...] = (),
    needs: tuple[Callable[[Any, Any], bool], ...] = (),
) -> Callable[[Callable[[P, S], R]], Rewrite[P, S, R]]:
    """Make a rewrite of a body; the function's name becomes the rewrite's."""

    def wrap(body: Callable[[P, S], R]) -> Rewrite[P, S, R]:
        classes = on if isinstance(on, tuple) else (on,)
        return Rewrite(
            name=body.__name__,
            on=", ".join(each.__name__ for each in classes),
            keeps=keeps,
            at=at,
            shape=shape,
            needs=needs,
            body=body,
            doc=(body.__doc__ or "").strip(),
            module=body.__module__,
        )

    return wrap


def first(
    rewrites: Sequence[Rewrite[P, S, R]], parts: Iterable[P], scope: S, *, distinct: bool = True
) -> R | None:
    """The result of the first rewrite that fires, or None; at each part in turn all rewrites are tried.

    Args:
        rewrites: in the order in which they are tried.
        parts: where they may fire.
        scope: what is around.
        distinct: whether duplicates do not count.
    """
    for part in parts:
        for each in rewrites:
            if distinct or each.keeps != "set":
                result = each.apply(part, scope)
                if result is not None:
                    return result
    return None


def changed_by(rewrites: Sequence[Rewrite[Any, S, Any]], node: Expression, scope: S) -> Expression:
    """A node after each rewrite was tried once, in order, until the node is of another class."""
    kind = type(node)
    for each in rewrites:
        found: Expression | None = each(node, scope)
        if found is not None:
            if type(found) is not kind:
                return found
            node = found
    return node


Pass = tuple[Callable[[Any, Any], Iterable[Any]], tuple[Rewrite[Any, Any, Any], ...]]
"""The parts of a node at which rewrites may fire, in order, and the rewrites in firing order."""


def _shown(node: Any) -> StepNode:
    """A node; of a place within a node, the node."""
    found: StepNode = getattr(node, "shown", node)
    return found
