"""The interface to rules and judge, which ``equiv`` does not import, the rules to be read, and completion.

:mod:`cli` passes what rules and judge do to commands. The rules, to be read, are a list of all, and the
page of one.

``equiv completion`` prints a shell's script, which asks here what may come next. What an option takes
stands in its help as ``a|b|FILE`` or ``a,b,c``; the lower-case words of it are offered.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_type_hints

import typer

from equiv.errors import InputError, did_you_mean
from equiv.show.page import Block, Code, Grid, Text

if TYPE_CHECKING:
    from equiv.packs import Pack
    from equiv.records.record import Record
    from equiv.rewrite.rule import Rule


@dataclass(frozen=True)
class Verification:
    """The result of verifying rules: text for people, JSON, and what is known of any of them (``Status``)."""

    blocks: Sequence[Block]
    json: str
    statuses: Collection[str]


@dataclass(frozen=True)
class Outside:
    """The functions of rules and judge that commands call; each imports its modules when called."""

    rules: Callable[[], Sequence[Rule]]
    """All rewrite rules, in their order."""
    verify: Callable[[Iterable[Rule]], Verification]
    verify_pack: Callable[[Pack, Iterable[Rule]], Verification]
    """What is known of some rules of a user's pack."""
    judgement_of: Callable[[Record | None], list[Block]]
    """What a judge said of a record, if one was asked."""
    report: Callable[[list[Record], Path | None], list[Block]]
    """What a judge did and cost, with a file of prices in dollars too."""

    def describe_rules(self, packs: Iterable[str] = ()) -> Callable[[str], str]:
        """A function from a rule's name to the first sentence of its documentation."""
        from equiv.packs import load_packs

        foreign = [rule for pack in load_packs(packs) for rule in pack.rules]
        summaries = {rule.name: first_sentence(rule) for rule in (*self.rules(), *foreign)}
        return lambda name: summaries.get(name, "")


def outside(context: typer.Context) -> Outside:
    """The functions that the command line was composed with."""
    found = context.obj
    assert isinstance(found, Outside)
    return found


def list_of_rules(rules: Iterable[Rule]) -> list[Block]:
    """A table: name, ESM+ number, the weakest relation preserved, and what the rule does."""
    rows = tuple(
        (
            rule.name,
            "" if rule.esm_plus is None else str(rule.esm_plus),
            rule.under.value,
            first_sentence(rule),
        )
        for rule in rules
    )
    return [Grid("", ("rule", "ESM+", "keeps", "what it does"), rows)]


def page_of_rule(rules: Iterable[Rule], name: str) -> list[Block]:
    """The page of one rule: its whole documentation.

    Raises:
        InputError: there is no rule of that name.
    """
    rule = rule_named(rules, name)
    origin = [f"rule {rule.esm_plus} of ESM+"] if rule.esm_plus is not None else []
    needs = ", ".join(need.__name__ for need in rule.needs) or "nothing"
    about = [*origin, f"in {rule.module}", f"preserves the result as a {rule.under}", f"needs {needs}"]
    shown = "; ".join(about)
    return [Text(rule.name), Text(shown[:1].upper() + shown[1:]), Code(inspect.cleandoc(rule.doc))]


def rule_named(rules: Iterable[Rule], name: str) -> Rule:
    """The rule of a name.

    Raises:
        InputError: there is none.
    """
    by_name = {rule.name: rule for rule in rules}
    if name not in by_name:
        hint = did_you_mean(name, by_name) or " (equiv rules lists them)"
        raise InputError(f"there is no rule {name!r}{hint}")
    return by_name[name]


def rules_named(rules: Iterable[Rule], names: Iterable[str]) -> list[Rule]:
    """The rules of some names, all if there are none.

    Raises:
        InputError: there is no rule of a name.
    """
    rules = list(rules)
    return [rule_named(rules, name) for name in names] or rules


def first_sentence(rule: Rule) -> str:
    """The first sentence of a rule's documentation."""
    return " ".join(rule.doc.partition("\n\n")[0].split())


SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")

VARIABLE = "_EQUIV_COMPLETE"
"""What the script sets when it asks."""

RECORDS_READ = 5_000
"""How many records of a results file are looked at for keys."""

KEY_OFFERED = 12
"""How many characters of a key are offered; its beginning will do."""

_CHOICE = re.compile(r"([a-z][a-z0-9_+-]*)(?:(:)[A-Za-z]+)?")


def completion(
    context: typer.Context,
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), help="The shell that completes.")],
) -> int:
    """Print the script that makes a shell complete commands.

    For bash, put eval "$(equiv completion bash)" into ~/.bashrc; README.md has the other shells.
    """
    if shell not in SHELLS:
        raise InputError(f"unknown shell {shell!r}; choose one of {', '.join(SHELLS)}")
    from typer.completion import shell_complete

    _know_shells()
    return shell_complete(context.find_root().command, {}, "equiv", VARIABLE, f"source_{shell}")


def is_asked() -> bool:
    """Whether a shell asks what may come next."""
    return bool(os.environ.get(VARIABLE))


def answer(app: typer.Typer, known: Outside) -> int:
    """Tell the shell what may come next; nothing that fails is shown, since a line is being typed."""
    from typer.completion import shell_complete
    from typer.main import get_command

    _know_shells()
    with suppress(Exception):
        return shell_complete(get_command(app), {"obj": known}, "equiv", VARIABLE, os.environ[VARIABLE])
    return 1


def _know_shells() -> None:
    """Typer registers the shells when it is asked for the options that install their scripts."""
    from typer.completion import get_completion_inspect_parameters

    get_completion_inspect_parameters()


def completable(command: Callable[..., int]) -> Callable[..., int]:
    """The command, each of whose parameters completes what its metavar lists."""
    hints = get_type_hints(command, include_extras=True)
    for hint in hints.values():
        for about in getattr(hint, "__metadata__", ()):
            if isinstance(about, typer.models.ParameterInfo) and about.autocompletion is None:
                about.autocompletion = choices_of(about.metavar or "")
    command.__annotations__ = hints
    return command


def choices_of(metavar: str) -> Callable[[str], list[str]] | None:
    """The completions of a value whose metavar lists words; None if it lists none.

    >>> choices_of("off|live|record:FILE")("")
    ['off', 'live', 'record:']
    >>> choices_of("data,proof")("data,pr")
    ['data,proof']
    """
    matches = [_CHOICE.fullmatch(word) for part in metavar.split("|") for word in part.split(",")]
    words = [match[1] + (match[2] or "") for match in matches if match]
    if not words:
        return None

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if "," in metavar else ("", "", incomplete)
        earlier = before.split(",")
        return [before + comma + word for word in words if word.startswith(last) and word not in earlier]

    return complete


def databases(incomplete: str) -> list[str]:
    """The names of databases that ``--db`` knows."""
    from equiv.schema.locate import database_names, default_roots

    return [name for name in database_names(default_roots()) if name.startswith(incomplete)]


def rule_names(context: typer.Context) -> list[tuple[str, str]]:
    """The rules with their first sentences, and the word before them."""
    found = [(rule.name, first_sentence(rule)) for rule in outside(context).rules()]
    if context.params.get("words"):
        return found
    return [("verify", "Prove rules with the algebra."), *found]


def keys(context: typer.Context, incomplete: str) -> list[str]:
    """The keys in the results file that is the argument before."""
    path = str(context.params.get("pred") or "")
    if not path.endswith(".jsonl"):
        return []
    with suppress(OSError), Path(path).open(encoding="utf-8", errors="replace") as file:
        return list(_keys(islice(file, RECORDS_READ), max(KEY_OFFERED, len(incomplete))))
    return []


def _keys(lines: Iterable[str], length: int) -> Iterable[str]:
    for line in lines:
        if match := re.match(r'\s*\{"key": ?"([0-9a-f]{64})"', line):
            yield match[1][:length]
