"""Whether a choice (LIMIT, first row, row number) is made once per outer row, without which none is compared.

A choice that depends on outer rows is made anew for each of them.  In the algebra it depends on the fields
that it mentions; the two agree where these fields tell the outer rows apart.  Where they do not, a query
whose choice is free for every row and one whose choice is the same for many may look alike: then nothing
is shown.  The same if the query says that the choice depends on outer rows, and the normal form no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from equiv.algebra.terms import (
    Aggregate,
    Answer,
    Binding,
    Field,
    Limited,
    Node,
    Numbered,
    Scan,
    Source,
    Squash,
    Term,
    children,
    free,
    sites,
    walk,
)
from equiv.algebra.world import World

_CHOICES = Limited | Numbered | Aggregate


def repeated(answer: Answer) -> frozenset[int]:
    """The sites of the correlated choices of an answer: each outer row has a choice of its own."""
    return frozenset(
        node.site for node in walk(answer) if isinstance(node, _CHOICES) and node.site and free(node)
    )


def are_comparable(answer: Answer, world: World, anew: Collection[int]) -> bool:
    """Whether every choice of an answer stands once, and is made once for each row around it.

    Args:
        answer: in normal form.
        world: facts that are relied on are recorded there.
        anew: the sites of choices that the query makes anew for each row around them.
    """
    numbers = Counter(sites(answer)).values()
    return all(number == 1 for number in numbers) and _by_row(answer, (), world, anew)


def _by_row(node: Node, around: tuple[Binding, ...], world: World, anew: Collection[int]) -> bool:
    if isinstance(node, _CHOICES) and node.site and not _tells_apart(node, around, world, anew):
        return False
    if isinstance(node, Term):
        around = (*around, *node.bindings)
    return all(_by_row(child, around, world, anew) for child in children(node))


def _tells_apart(
    node: Limited | Numbered | Aggregate, around: tuple[Binding, ...], world: World, anew: Collection[int]
) -> bool:
    """Whether the fields that a choice mentions tell all rows around it apart, or it is made just once."""
    outer = free(node)
    if not outer and node.site not in anew:
        return True
    mentioned = {inner for inner in walk(node) if isinstance(inner, Field) and inner.row in outer}
    return all(_is_told(binding, mentioned, world) for binding in around if binding.source != node)


def _is_told(binding: Binding, mentioned: set[Field], world: World) -> bool:
    columns = {field.column for field in mentioned if field.row == binding.row}
    if isinstance(binding.source, Limited):
        return binding.source.limit is not None and binding.source.limit <= 1
    return tells_rows_apart(binding.source, columns, world)


def tells_rows_apart(source: Source, columns: Collection[str | int], world: World) -> bool:
    """Whether some columns tell any two rows of a source apart: all of a distinct one, a key of a table."""
    match source:
        case Squash(bag):
            return all(set(columns) >= set(range(len(term.outputs))) for term in bag.terms)
        case Scan(table):
            key = world.facts.strict_key(table, [str(column) for column in columns])
            world.use(key or ())
            return key is not None
    return False
