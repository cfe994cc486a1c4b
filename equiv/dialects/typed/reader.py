"""From a typed query to a query that can be compared, whichever engine has resolved it.

An engine's reader parses and types a text, prints the typed tree, has it resolved again and compares; what is
faithful is lowered to the core's text here, which the core's reader takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from equiv.core.printing import to_sql
from equiv.core.query import Broken, Query, Unsupported, UnsupportedError
from equiv.dialects.registry import reference
from equiv.dialects.typed.lowering.numbers import computed_in, has_narrow_fractions
from equiv.dialects.typed.lowering.operators import has_constant_error
from equiv.dialects.typed.lowering.queries import lower
from equiv.dialects.typed.tree import shape_of
from equiv.files import MAX_QUERY_BYTES

if TYPE_CHECKING:
    from equiv.core.model import Schema
    from equiv.dialects.protocol import Session
    from equiv.dialects.typed.lowering.calls import Routines
    from equiv.dialects.typed.tree import TypedQuery


@dataclass(frozen=True)
class CoreTranslation:
    """A query as far as it is translated; without a text of the core there is a reason."""

    core: str = ""
    why: Unsupported | None = None
    may_fail: bool = False
    orders: bool = False
    lengths: tuple[int | None, ...] = ()
    """For each column the characters that its values show, blanks behind among them; None: not known."""
    computed: frozenset[tuple[str, str]] = frozenset()
    has_narrow_fractions: bool = False
    has_constant_error: bool = False
    shape: str = ""
    settings: frozenset[str] = frozenset()
    """Those that it hangs on."""
    fresh: frozenset[str] = frozenset()
    with_symbols: CoreTranslation | None = None
    """The same with symbols for what hangs on settings, if there is such a reading."""


def read_safely(text: str, read: Callable[[str], Query | Broken]) -> Query | Broken:
    """What a reader makes of any text, also a hostile one."""
    if len(text) > MAX_QUERY_BYTES:
        return Broken("SYNTAX", f"query longer than {MAX_QUERY_BYTES} bytes")
    try:
        return read(text)
    except RecursionError:
        return Broken("WITHHELD", "a query nested too deeply is not supported")


def why_not(error: UnsupportedError | RecursionError) -> Unsupported:
    """Why a query has no translation."""
    if isinstance(error, UnsupportedError):
        return Unsupported(error.node, error.why)
    return Unsupported("Query", "nested too deeply")


def lowered(
    typed: TypedQuery, plain: TypedQuery, read: TypedQuery, schema: Schema, routines: Mapping[str, Routines]
) -> CoreTranslation:
    """A typed query in the core's text.

    Args:
        typed: as it is resolved.
        plain: the same in the words that engines share, calls of constants computed.
        read: the same, moved to where the core answers alike.
        schema: the tables and views.
        routines: what lowers the calls of each schema of functions that is not PostgreSQL's.

    Raises:
        UnsupportedError: it has no meaning there.
    """
    return CoreTranslation(
        to_sql(lower(read, schema, routines)),
        computed=computed_in(plain),
        has_narrow_fractions=has_narrow_fractions(typed),
        has_constant_error=has_constant_error(plain),
        shape=shape_of(typed),
    )


def stated_otherwise(
    asked: Iterable[str], schema: Schema, taken: Mapping[str, str]
) -> dict[str, Unsupported]:
    """The settings that are asked for and stated with a value that texts are not read under, and why not."""
    names = {*asked}
    return {
        name: Unsupported(
            "Setting", f"{name} is {value!r}, and what asks for it is known under {taken[name]!r} alone"
        )
        for name, value in schema.settings
        if name in names and value != taken[name]
    }


def with_trees(found: Query, made: CoreTranslation, schema: Schema, empty: Session) -> Query:
    """The query with the tree of its translation, as the core's reader takes it, and one with symbols."""
    if made.with_symbols is not None:
        other = _with_tree(found, made.with_symbols, schema, empty)
        found = replace(found, with_symbols=other if other.tree is not None else None)
    return _with_tree(found, made, schema, empty)


def _with_tree(found: Query, made: CoreTranslation, schema: Schema, empty: Session) -> Query:
    tree, why = None, made.why
    if made.core:
        core = reference().reader.read(made.core, schema, empty)
        if isinstance(core, Broken):
            why = Unsupported("resolution", f"the core does not take the query: {core.message}")
        else:
            tree, why = core.tree, core.unsupported
    return replace(
        found,
        tree=tree,
        unsupported=why,
        may_fail=made.may_fail,
        has_constant_error=made.has_constant_error,
        shape=made.shape,
        settings=made.settings,
        fresh=made.fresh,
        computed=made.computed,
        has_narrow_fractions=made.has_narrow_fractions,
        core_text=made.core if why is None else "",
    )
