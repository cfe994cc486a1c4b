"""Faults of regular expressions by which their time outgrows the text, told from the parsed expression.

Python's engine tries ways to match one after the other.  Where a repetition may hand usage to another
one that follows it, or to its own next turn, there are more ways than characters; where a search may begin
again within what it has skipped, it skips it again.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

ALPHABET = frozenset(map(chr, range(256))) | frozenset("\u017f\u0663\u2028\ufeff\U0001f600")
_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
_EMPTY: frozenset[str] = frozenset()
_SEARCHING = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
_CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_WORD: r"\w",
    c.CATEGORY_NOT_WORD: r"\W",
}
_FEW = 2_000
"""A repetition of at most so many turns counts as bounded."""


def faults(pattern: str, flags: int = 0, *, searched: bool = False) -> list[str]:
    """What of a pattern may take more than linear time, one line each.

    Args:
        pattern: the expression.
        flags: those that it is compiled with.
        searched: whether it is looked for at every place of a text, not only at one.
    """
    tree = _parser.parse(pattern, flags)
    reading = _Reading(tree.state.flags)
    found = list(reading.ambiguous(list(tree), _EMPTY))
    return found + (list(reading.begins_again(list(tree))) if searched else [])


@dataclass(frozen=True)
class _Reading:
    """What parts of an expression may begin with, under its flags."""

    flags: int

    def characters(self, op: Any, value: Any) -> frozenset[str]:
        """The characters that an item of one character takes."""
        match op:
            case c.LITERAL:
                found = frozenset({chr(value)})
            case c.NOT_LITERAL:
                return ALPHABET - self._folded(frozenset({chr(value)}))
            case c.ANY:
                return ALPHABET if self.flags & re.DOTALL else ALPHABET - {"\n"}
            case c.RANGE:
                found = frozenset(each for each in ALPHABET if value[0] <= ord(each) <= value[1])
            case c.CATEGORY:
                found = _of_category(_CATEGORIES[value], self.flags & re.ASCII)
            case c.IN:
                parts = [each for each in value if each[0] is not c.NEGATE]
                found = frozenset().union(*(self.characters(*each) for each in parts))
                if len(parts) < len(value):
                    return ALPHABET - self._folded(found)
            case _:
                return ALPHABET
        return self._folded(found)

    def _folded(self, found: frozenset[str]) -> frozenset[str]:
        if not self.flags & re.IGNORECASE:
            return found
        return frozenset(x for x in ALPHABET if {x, x.lower(), x.upper()} & found) | found

    def first(self, items: list[Any]) -> tuple[frozenset[str], bool]:
        """What a sequence may begin with, and whether it may be empty."""
        found = _EMPTY
        for op, value in items:
            own, empty = self._first_of(op, value)
            found |= own
            if not empty:
                return found, False
        return found, True

    def _first_of(self, op: Any, value: Any) -> tuple[frozenset[str], bool]:
        if op in (c.AT, c.ASSERT, c.ASSERT_NOT):
            return _EMPTY, True
        if op in _REPEATS:
            own, empty = self.first(list(value[2]))
            return own, empty or value[0] == 0
        if op is c.BRANCH:
            each = [self.first(list(one)) for one in value[1]]
            return frozenset().union(*(own for own, _ in each)), any(empty for _, empty in each)
        if (inner := _inner(op, value)) is not None:
            return self.first(inner)
        return self.characters(op, value), op is c.GROUPREF

    def repeating(self, items: list[Any], after: frozenset[str]) -> frozenset[str]:
        """With what a repetition without bound may begin that stands first in a sequence, or after it."""
        found = _EMPTY
        for op, value in items:
            if op in _REPEATS:
                own = self.first(list(value[2]))[0] if _is_unbounded(op, value) else _EMPTY
                found |= own | self.repeating(list(value[2]), _EMPTY)
            elif op is c.BRANCH:
                found |= frozenset().union(*(self.repeating(list(one), _EMPTY) for one in value[1]))
            elif (inner := _inner(op, value)) is not None:
                found |= self.repeating(inner, _EMPTY)
            if not self._first_of(op, value)[1]:
                return found
        return found | after

    def ambiguous(self, items: list[Any], after: frozenset[str]) -> Iterator[str]:
        """Repetitions that may hand what they took to a following one."""
        for place, (op, value) in enumerate(items):
            following = self.repeating(items[place + 1 :], after)
            if op in _REPEATS:
                yield from self._repetition(op, value, following)
            elif op is c.BRANCH:
                for one in value[1]:
                    yield from self.ambiguous(list(one), following)
            elif (inner := _inner(op, value)) is not None:
                yield from self.ambiguous(inner, _EMPTY if op is c.ATOMIC_GROUP else following)

    def _repetition(self, op: Any, value: Any, following: frozenset[str]) -> Iterator[str]:
        body = list(value[2])
        if not _is_unbounded(op, value):
            yield from self.ambiguous(body, following)
            return
        if op is not c.POSSESSIVE_REPEAT:
            if shared := self.first(body)[0] & following:
                yield f"a repetition and one that follows it both take {_sample(shared)}"
            yield from self._alternatives(body)
            yield from self._options(body)
        outside = _EMPTY if op is c.POSSESSIVE_REPEAT else following
        yield from self.ambiguous(body, outside | self.repeating(body, _EMPTY))

    def _alternatives(self, body: list[Any]) -> Iterator[str]:
        """Alternatives within a repetition that may begin alike."""
        for op, value in body:
            if op is c.BRANCH:
                seen = _EMPTY
                for one in value[1]:
                    own = self.first(list(one))[0]
                    if shared := seen & own:
                        yield f"alternatives in a repetition both take {_sample(shared)}"
                    seen |= own
            elif (inner := _inner(op, value)) is not None:
                yield from self._alternatives(inner)

    def _options(self, body: list[Any]) -> Iterator[str]:
        """What may be left out of a turn, and taken by the next one instead."""
        again = self.first(body)[0]
        for place, (op, value) in enumerate(body):
            own, empty = self._first_of(op, value)
            following, ends = self.first(body[place + 1 :])
            shared = own & (following | again if ends else following)
            if empty and not _is_unbounded(op, value) and place and shared:
                yield f"what may be left out of a repetition and what follows it both take {_sample(shared)}"

    def begins_again(self, items: list[Any]) -> Iterator[str]:
        """Repetitions that may skip another beginning of the whole, and fail after it."""
        start = self.first(items)[0]
        at: Any = items[0] if items else (None, None)
        if at[0] is c.AT and at[1] in (c.AT_BEGINNING, c.AT_BEGINNING_STRING):
            if not (self.flags & re.MULTILINE):
                return
            start = frozenset("\n")
        elif (at[0] is c.AT and at[1] is c.AT_BOUNDARY) or (
            at[0] in (c.ASSERT, c.ASSERT_NOT) and at[1][0] < 0
        ):
            start -= _of_category(r"\w", 0)
        yield from self._passing(items, start, can_fail=False)

    def _passing(self, items: list[Any], start: frozenset[str], *, can_fail: bool) -> Iterator[str]:
        for place, (op, value) in enumerate(items):
            fails = can_fail or self._may_fail(items[place + 1 :])
            if op in _REPEATS:
                shared = self.first(list(value[2]))[0] & start
                if _is_unbounded(op, value) and fails and shared:
                    yield f"a repetition that may fail skips {_sample(shared)}, with which it begins"
                yield from self._passing(list(value[2]), start, can_fail=fails)
            elif op is c.BRANCH:
                for one in value[1]:
                    # Each alternative of a scanner is one of its own.
                    own = self.first(list(one))[0] if len(items) == 1 else start
                    yield from self._passing(list(one), own, can_fail=fails)
            elif (inner := _inner(op, value)) is not None:
                own = self.first(inner)[0] if len(items) == 1 else start
                yield from self._passing(inner, own, can_fail=fails)

    def _may_fail(self, items: list[Any]) -> bool:
        """Whether a sequence may fail to match, also at the end of the text."""
        for op, value in items:
            if op is c.AT and value is c.AT_END_STRING:
                continue
            if op is c.BRANCH and any(not self._may_fail(list(one)) for one in value[1]):
                continue
            if op is c.SUBPATTERN and not self._may_fail(list(value[3])):
                continue
            if op in (c.AT, c.ASSERT, c.ASSERT_NOT) or not self._first_of(op, value)[1]:
                return True
        return False


def _inner(op: Any, value: Any) -> list[Any] | None:
    """The sequence in a group."""
    if op is c.SUBPATTERN:
        return list(value[3])
    if op is c.ATOMIC_GROUP:
        return list(value)
    return None


def _is_unbounded(op: Any, value: Any) -> bool:
    return op in _REPEATS and int(value[1]) > _FEW


def _sample(shared: frozenset[str]) -> str:
    shown = min(shared, key=lambda each: (not each.isprintable(), each))
    return repr(shown)


@lru_cache
def _of_category(category: str, flags: int) -> frozenset[str]:
    return frozenset(each for each in ALPHABET if re.match(category, each, flags))


@dataclass(frozen=True)
class Found:
    """A regular expression of the source."""

    where: str
    pattern: str
    flags: int
    searched: bool


def patterns_of(path: Path, module: str) -> Iterator[Found]:
    """The regular expressions of a module: what is compiled, and what is given to a function of ``re``.

    Raises:
        ValueError: one cannot be told without running the function that it is in.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = vars(importlib.import_module(module))
    used = _searched_names(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=called), args=[given, *_]):
                if called not in {"compile", "match", "fullmatch", *_SEARCHING}:
                    continue
                where = f"{module}:{node.lineno}"
                try:
                    pattern = eval(compile(ast.Expression(given), where, "eval"), dict(names))  # noqa: S307
                except NameError:
                    raise ValueError(where) from None
                flags = re.compile(pattern).flags & ~re.UNICODE
                if called == "compile":
                    compiled = eval(compile(ast.Expression(node), where, "eval"), dict(names))  # noqa: S307
                    pattern, flags = compiled.pattern, compiled.flags & ~re.UNICODE
                searched = called in _SEARCHING or (called == "compile" and node.lineno in used)
                text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
                yield Found(where, text, flags, searched)


def _searched_names(tree: ast.Module) -> set[int]:
    """The lines of the calls that compile what is searched for, or is not seen to be matched alone."""
    compiled = {
        target.id: node.value.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    called: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=method) if name in compiled:
                called.setdefault(name, set()).add(method)
    return {line for name, line in compiled.items() if not called.get(name, {"?"}) <= {"match", "fullmatch"}}
