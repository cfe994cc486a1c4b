"""A concatenation that equals a literal: where it can be cut in one way only, each part equals its piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeGuard

from equiv.algebra.terms import FALSE, Apply, Compare, Constant, Expression, conjunction, sites
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


def equals_text(node: Compare) -> bool:
    """A concatenation is compared with a text by =, its parts held apart by literals that are not empty."""
    match node:
        case Compare("=", Apply("||") as whole, Constant("text")):
            pass
        case Compare("=", Constant("text"), Apply("||") as whole):
            pass
        case _:
            return False
    parts = _parts(whole)
    literals = [part.text for part in parts if _is_literal(part)]
    apart = all(_is_literal(one) or _is_literal(other) for one, other in pairwise(parts))
    return apart and "" not in literals and len(literals) < len(parts) and not sites(node)


def operands_are_texts(node: Compare, scope: Scope) -> bool:
    """Each operand is a text or NULL: of a number its text would count, of a BLOB its bytes."""
    whole = node.left if isinstance(node.left, Apply) else node.right
    return all(scope.within_kinds(part, frozenset(("text", "null"))) for part in _parts(whole))


@rewrite(on=Compare, keeps="truth", shape=(equals_text,), needs=(operands_are_texts,))
def split_concatenation(node: Compare, scope: Scope) -> Expression | None:
    """Compare each part of a concatenation with its piece of a text that can be cut in one way only.

    Before:  t.f || ' ' || t.l = 'Ann Lee'
    After:   t.f = 'Ann' and t.l = 'Lee'
    Refuse:  a separator that the text has twice, or parts with none between; numbers, BLOBs; a collation;
             a place where NULL and 0 differ
    Sound:   in an equal concatenation each separator stands where the text has it, so that the pieces between
             are the parts; of a text that cannot be cut there is none
    """
    whole, text = (node.left, node.right) if isinstance(node.right, Constant) else (node.right, node.left)
    assert isinstance(text, Constant)
    parts = _parts(whole)
    first, last = (part.text if _is_literal(part) else "" for part in (parts[0], parts[-1]))
    inner = text.text[len(first) : len(text.text) - len(last)]
    if first + inner + last != text.text:
        return FALSE
    separators = [part.text for part in parts[1:-1] if _is_literal(part)]
    ways = _cut_left(inner, separators), _cut_right(inner, separators)
    if ways[0] is None:
        return FALSE
    if ways[0] != ways[1]:
        return None
    values = (part for part in parts if not _is_literal(part))
    pieces = zip(values, ways[0], strict=True)
    return conjunction(Compare("=", value, Constant("text", piece)) for value, piece in pieces)


def _parts(whole: Expression) -> list[Expression]:
    """The operands of a concatenation, texts that stand beside each other as one."""
    parts: list[Expression] = []
    for part in _operands(whole):
        last = parts[-1] if parts else None
        if last is not None and _is_literal(part) and _is_literal(last):
            parts[-1] = Constant("text", last.text + part.text)
        else:
            parts.append(part)
    return parts


def _operands(node: Expression) -> Iterator[Expression]:
    match node:
        case Apply("||", (left, right)):
            yield from _operands(left)
            yield from _operands(right)
        case _:
            yield node


def _is_literal(part: Expression) -> TypeGuard[Constant]:
    return isinstance(part, Constant) and part.kind == "text"


def _cut_left(text: str, separators: Sequence[str]) -> list[str] | None:
    """The pieces of a text between separators in this order, each as far left as can be."""
    pieces, at = [], 0
    for separator in separators:
        found = text.find(separator, at)
        if found < 0:
            return None
        pieces.append(text[at:found])
        at = found + len(separator)
    return [*pieces, text[at:]]


def _cut_right(text: str, separators: Sequence[str]) -> list[str] | None:
    """The pieces of a text between separators in this order, each as far right as can be."""
    pieces, end = [], len(text)
    for separator in reversed(separators):
        found = text.rfind(separator, 0, end)
        if found < 0:
            return None
        pieces.append(text[found + len(separator) : end])
        end = found
    return [text[:end], *reversed(pieces)]
