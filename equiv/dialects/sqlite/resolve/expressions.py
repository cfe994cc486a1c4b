"""Resolving expressions: every node is built anew, so no subtree is shared."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.sqlite.resolve.namespace import Namespace, look_up


def expression(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """The resolved copy of an expression.

    Raises:
        UnsupportedError: a name in it has no single meaning.
    """
    special = _SPECIAL.get(type(node))
    return special(node, namespace) if special is not None else _rebuilt(node, namespace)


def _rebuilt(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    args: dict[str, object] = {}
    for name, value in node.args.items():
        if isinstance(value, exp.Expression):
            args[name] = expression(value, namespace)
        elif isinstance(value, list):
            args[name] = [expression(each, namespace) for each in value]
        elif value is not None:
            args[name] = value
    return type(node)(**args)


def _column(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    return look_up(node, namespace, expression)


def _subquery(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    from equiv.dialects.sqlite.resolve.trees import nested

    return exp.Subquery(this=nested(node.this, namespace))


def _exists(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    from equiv.dialects.sqlite.resolve.trees import nested

    return exp.Exists(this=nested(node.this, namespace))


def _in(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """``x IN table`` is ``x IN (SELECT * FROM table)``."""
    table = node.args.get("field")
    if table is None:
        return _rebuilt(node, namespace)
    select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=table.copy()))
    select.meta["spans"] = ["*"]
    return exp.In(
        this=expression(node.this, namespace), query=_subquery(exp.Subquery(this=select), namespace)
    )


def _is(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """IS TRUE and IS FALSE test truth; any other IS is a comparison that NULLs take part in.

    SQLite looks for the word behind every COLLATE (``sqlite3ExprSkipCollateAndLikely`` in
    https://sqlite.org/src/file/src/resolve.c); one that an alias brings along hides it.
    """
    word = behind_collate(node.expression)
    found = expression(word, namespace) if isinstance(word, exp.Column) else None
    if not isinstance(found, exp.Boolean):
        return _rebuilt(node, namespace)
    test = exp.Is(this=expression(node.this, namespace), expression=found)
    return exp.Not(this=test) if isinstance(node, exp.NullSafeNEQ) else test


def behind_collate(node: exp.Expression) -> exp.Expression:
    """The expression behind every COLLATE, where SQLite looks for a word, an alias or a position."""
    while isinstance(node, exp.Collate):
        node = node.this
    return node


def _not(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    found = _rebuilt(node, namespace)
    if node.meta.get("prefix"):
        found.meta["prefix"] = True
    return found


def _window(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """A window function, its named window written out."""
    args = {name: value for name, value in node.args.items() if name != "this"}
    base = args.pop("alias", None)
    while base is not None:
        found = namespace.windows.get(base.name.lower())
        if found is None:
            raise UnsupportedError("Window", f"no such window: {base.name}")
        inherited = {name: value for name, value in found.args.items() if name not in ("this", "alias")}
        args = inherited | {name: value for name, value in args.items() if value is not None}
        base = found.args.get("alias")
    args["this"] = node.this
    return _rebuilt(exp.Window(**args), namespace)


_SPECIAL: dict[type, Callable[[exp.Expression, Namespace], exp.Expression]] = {
    exp.Column: _column,
    exp.Not: _not,
    exp.Parameter: lambda node, _: node.copy(),
    exp.Subquery: _subquery,
    exp.Exists: _exists,
    exp.In: _in,
    exp.NullSafeEQ: _is,
    exp.NullSafeNEQ: _is,
    exp.Window: _window,
}
