"""Completion in a shell: ``equiv completion`` prints its script, which asks here what may come next.

What an option takes stands in its help as ``a|b|FILE`` or ``a,b,c``; the lower-case words of it are offered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_type_hints

import typer

from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.commands.outside import Outside

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
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), help="The shell that is to complete.")],
) -> int:
    """Print a script that lets a shell complete commands, options and names.

    For bash, put eval "$(equiv completion bash)" into ~/.bashrc; README.md has the other shells.
    """
    if shell not in SHELLS:
        raise InputError(f"no shell is called {shell!r}: {', '.join(SHELLS)}")
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
    from equiv.commands.outside import outside
    from equiv.show.catalogue import first_sentence

    found = [(rule.name, first_sentence(rule)) for rule in outside(context).rules()]
    if context.params.get("words"):
        return found
    return [("verify", "Prove rules by the algebra alone."), *found]


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
