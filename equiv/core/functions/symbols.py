"""Functions about which nothing is known but the type that they result in: symbols."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from equiv.cells import Cell
from equiv.core.functions.texts import CHANGING
from equiv.core.functions.traits import (
    ALL,
    INTEGERS,
    MOST_ARGUMENTS,
    NUMBERS,
    PREFIX,
    TEXTS,
    Function,
    Nulls,
    Reads,
    own_function,
)

_ANY: dict[str, dict[str, tuple[Cell, ...]]] = {
    "WHOLE": {"bool": (0, 1), "": (-1, 0, 1, 2, 7)},
    "NUMBER": {"": (-1, 0, 1, 2.5)},
    "TEXT": {
        "date": ("2020-01-31", "2020-02-29", "2021-07-01"),
        "timestamp": ("2020-02-29 00:00:00", "2021-07-01 12:30:00"),
        "timestamptz": ("2020-02-29 00:00:00", "2021-07-01 12:30:00"),
        "time": ("00:00:00", "12:30:00"),
        "uuid": ("00000000-0000-0000-0000-000000000001", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        "": ("", "a", "A", "b", "1", "{}"),
    },
    "ANY": {
        "affinity NUMERIC": (-1, 0, 1, 2, 2.5, "a"),
        "affinity TEXT": ("", "a", "A", "b", "1"),
        "": (0, 1, 2, 1.0, 2.5, "", "a", "A", "1"),
    },
}
"""By what the core keeps values as, and by type, some values; '' is any other type."""


def symbol_signature(name: str, arguments: Iterable[str], result: str) -> str:
    """A symbol by its call in the dialect's words, and the types of its arguments and of its result.

    In the call ``{0}`` is the first argument, as in ``{0} ->> {1}``; a name alone is called with all.
    """
    return f"{name} : ({', '.join(arguments)}) -> {result}"


def symbol_type(signature: str) -> str:
    """The type that a symbol results in."""
    return signature.rpartition(" -> ")[2]


_CALL = re.compile(rf"\b{PREFIX}(?:STRICT_|EXACT_|SURE_)?(?:WHOLE|NUMBER|TEXT|ANY)_SYMBOL\(")
_ELEMENT = re.compile(rf"\b{PREFIX}ELEMENT\(")
_GATHERED = re.compile(r"\b(?:SUM0?|GROUP_CONCAT)(?=[({])")


def in_words(text: str) -> str:
    """A text of the core, or of the algebra, with each symbol as its dialect calls it."""
    for call in reversed(list(_CALL.finditer(text))):
        (signature, *given), end = _arguments(text, call.end())
        shown = signature[1:-1].replace("''", "'").rpartition(" -> ")[0].rpartition(" : ")[0]
        bags = [at for at, each in enumerate(given) if _ELEMENT.search(each)]
        if len(bags) != 1:
            found = _filled(shown, given) if "{" in shown or "(" in shown else f"{shown}({', '.join(given)})"
            found = _ELEMENT.sub("(", found)
        else:
            (gathered,) = bags
            name, _, inside = shown.partition("(")
            found = _GATHERED.sub(name, given[gathered], count=1)
            for element in reversed(list(_ELEMENT.finditer(found))):
                values, last = _arguments(found, element.end())
                filled = _filled(inside.removesuffix(")"), [*given[:gathered], *values])
                found = f"{found[: element.start()]}{filled}{found[last:]}"
        text = f"{text[: call.start()]}{found}{text[end:]}"
    return text


def _filled(shown: str, given: Sequence[str]) -> str:
    return re.sub(r"\{(\d+)\}", lambda found: "".join(given[int(found[1]) :][:1]), shown)


def _arguments(text: str, place: int) -> tuple[list[str], int]:
    """The arguments of a call from behind its parenthesis on, and the place behind the call."""
    depth, found, start = 0, list[str](), place
    for part in re.finditer(r"'[^']*'|\"[^\"]*\"|[][(){},]", text[place:]):
        at = place + part.start()
        if part[0] in "([{":
            depth += 1
        elif part[0] in ")]}" and depth:
            depth -= 1
        elif not depth and part[0] in ",)":
            found.append(text[start:at].strip())
            start = at + 1
            if part[0] == ")":
                return found, at + 1
    return [*found, text[start:].strip()], len(text)


_computed: dict[str, Callable[[tuple[Cell, ...]], tuple[Cell] | None]] = {}
_MOST_COMPUTED = 500


def compute_symbol(signature: str, compute: Callable[[tuple[Cell, ...]], tuple[Cell] | None]) -> None:
    """Let a symbol have the value that the engine of its dialect computes, in one of its interpretations.

    Args:
        signature: the symbol's.
        compute: gives the value for some arguments; None once the engine is gone.
    """
    _computed.pop(signature, None)
    _computed[signature] = compute
    while len(_computed) > _MOST_COMPUTED:
        del _computed[next(iter(_computed))]


def _symbol(sort: str, nulls: Nulls, signature: Any, *values: Cell) -> Cell:
    """A value of the type that a symbol results in, the same whenever it has the same arguments.

    It is what the engine of its dialect computes.  In the second interpretation, which there is as of what
    depends on a session, it is one of few, so that many agree, and now and then NULL, if it may be.
    """
    is_sure = nulls in (Nulls.EXACTLY, Nulls.NEVER)
    if nulls in (Nulls.EXACTLY, Nulls.AT_LEAST) and None in (signature, *values):
        return None
    compute = None if CHANGING.get() else _computed.get(signature)
    computed = None if compute is None else compute(values)
    # Of arguments for which the engine raises an error it computes NULL.
    if computed is not None and not (is_sure and computed[0] is None):
        return computed[0]
    if not isinstance(signature, str):
        signature = ""
    given = tuple(each + 0.0 if isinstance(each, float) else each for each in values)  # one zero
    digest = sha256(repr((signature, given, CHANGING.get())).encode("utf-8", "surrogatepass")).digest()
    by_type = _ANY[sort]
    known = by_type.get(symbol_type(signature)) or by_type[""]
    return None if digest[0] < _SELDOM and not is_sure else known[digest[1] % len(known)]


_SELDOM = 24


def _element(*values: Cell) -> Cell:
    """A number that stands for values in sums, never NULL, and so small that they do not overflow."""
    given = tuple(each + 0.0 if isinstance(each, float) else each for each in values)
    digest = sha256(repr((given, CHANGING.get())).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6])


SYMBOL_WORDS = {"": Nulls.ANY, "STRICT_": Nulls.AT_LEAST, "EXACT_": Nulls.EXACTLY, "SURE_": Nulls.NEVER}
"""When a symbol is NULL, by the word before what the core keeps its values as."""


def _rows() -> Iterator[Function]:
    """A symbol by what the core keeps its values as, and by when it is NULL, as the word before it says.

    The first argument is the signature.
    """
    for sort, results in (("WHOLE", INTEGERS), ("NUMBER", NUMBERS), ("TEXT", TEXTS), ("ANY", ALL)):
        traits: dict[str, Any] = {"least": 1, "results": results, "reads": (Reads.ANY,), "parameters": (0,)}
        for word, nulls in SYMBOL_WORDS.items():
            code = partial(_symbol, sort, nulls)
            yield own_function(f"{word}{sort}_SYMBOL", MOST_ARGUMENTS, code, nulls=nulls, **traits)
    traits = {"least": 1, "results": INTEGERS, "nulls": Nulls.NEVER, "reads": (Reads.ANY,)}
    yield own_function("ELEMENT", MOST_ARGUMENTS, _element, **traits)


SYMBOLS = tuple(_rows())
