"""``equiv rules``: the rewrite rules, listed, documented or verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands.common import NOT_EQUIVALENT, print_line, show
from equiv.commands.completion import rule_names
from equiv.commands.outside import outside
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.packs import Pack
    from equiv.rewrite.rule import Rule


def rules(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[verify] [PACK] [NAME]",
            help="A rule to document or verify, of a rule pack if one is named.",
            autocompletion=rule_names,
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print what verify finds as JSON.")] = False,
) -> int:
    """List the rewrite rules, print the documentation of one, or verify them.

    With verify, every rule (or one) is proved by the algebra alone on many schemas, which takes minutes.
    PACK is a rule pack of yours, by file, module or entry point: its rules are meant, then, on its schema.
    Exit code: 0; with verify 1 if a rule is refuted.
    """
    from equiv.show.catalogue import list_of_rules, page_of_rule, rules_named

    known = outside(context)
    verb, names = (words[0], words[1:]) if words and words[0] == "verify" else ("", words or [])
    rules: Sequence[Rule] = known.rules()
    pack = _pack(names[0], rules) if names else None
    if pack is not None:
        rules, names = pack.rules, [_full(name, pack) for name in names[1:]]
    if len(names) > 1 or (as_json and not verb):
        raise InputError("give at most one rule; --json goes with verify")
    if not verb:
        show(page_of_rule(rules, names[0]) if names else list_of_rules(rules))
        return 0
    chosen = rules_named(rules, names)
    verified = known.verify(chosen) if pack is None else known.verify_pack(pack, chosen)
    if as_json:
        print_line(verified.json)
    else:
        show(verified.blocks)
    return NOT_EQUIVALENT if verified.refuted else 0


def _pack(word: str, rules: Sequence[Rule]) -> Pack | None:
    """The rule pack that a word names; None if it names a rule, or nothing."""
    from equiv.packs import is_pack, load_pack

    if any(rule.name == word for rule in rules) or not is_pack(word):
        return None
    return load_pack(word)


def _full(name: str, pack: Pack) -> str:
    """The name of a rule of a pack, which may be given without that of the pack."""
    from equiv.packs import SEPARATOR

    return name if SEPARATOR in name else f"{pack.name}{SEPARATOR}{name}"
