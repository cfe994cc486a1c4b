"""What each part of the judge's fixed texts does to a model's replies, as Markdown.

Usage: ``python -m benchmarks.judging.prompt_ablation`` asks the model that ``make judge-live`` installs,
``--base-url URL --model NAME`` a better one; ``--limit N`` takes the first N pairs of ``harbour.jsonl``.
Both roles are asked of every pair with the whole text, and then with one part left out at a time.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.journal import read_lines
from benchmarks.judging.live import DATABASE, PAIRS
from benchmarks.judging.live_server import MODEL, served, shipped_model
from equiv.judge.asking.client import LiveClient
from equiv.judge.case import Ask, Case, Message, ProverReply, RefuterReply, Role, Shown, Variant
from equiv.judge.prompt import request, system_text

PARAMETERS = {"max_tokens": 300, "temperature": 0}
COLUMNS = (
    *("role", "left out", "characters", "replies that parse", "same decision", "right"),
    "tokens written",
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one request."""

    passes: bool | None
    """Whether the prediction passes; None where the reply does not parse."""
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Trial:
    """The replies to one text."""

    role: Role
    title: str
    text: str
    """What was left out, or the whole."""
    replies: Sequence[Reply]


def parts_of(text: str) -> list[str]:
    """The paragraphs of a prompt, each with the list below it; a heading belongs to what follows it."""
    parts: list[str] = []
    for block in text.split("\n\n"):
        is_list = block.startswith(("- ", "1. "))
        if parts and (is_list or (parts[-1].startswith("#") and "\n" not in parts[-1])):
            parts[-1] += f"\n\n{block}"
        else:
            parts += [f"#{own}" if place else own for place, own in enumerate(block.split("\n#"))]
    return parts


def without(text: str, part: str) -> str:
    """A prompt without one of its parts; the heading of a part stays if more stands below it."""
    return text.replace(part, "", 1).strip() + "\n"


def _cases(limit: int | None) -> Iterator[tuple[Case, bool]]:
    """The labelled pairs with their results on the database."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(DATABASE)
        ddl = DATABASE.partition("INSERT")[0]
        for number, pair in enumerate(read_lines(PAIRS)[:limit]):
            question, gold, pred = (pair[name] for name in ("question", "gold_sql", "predicted_sql"))
            shown, gold_shown = (_shown(connection, sql) for sql in (pred, gold))
            case = Case("own", number, pair["db_id"], question, "", ddl, pred, gold, shown, gold_shown)
            yield replace(case, results_equal=set(shown.rows) == set(gold_shown.rows)), pair["label"]


def _shown(connection: sqlite3.Connection, sql: str) -> Shown:
    rows = tuple(tuple(row) for row in connection.execute(sql))
    return Shown(rows, len(rows))


def _asked(client: LiveClient, ask: Ask, text: str) -> Reply:
    messages = (Message("system", text), *ask.messages[1:])
    answer = client.ask(replace(ask, messages=messages))
    usage = answer.usage
    match answer.reply:
        case ProverReply(verdict=passes):
            return Reply(passes, usage.prompt_tokens, usage.completion_tokens)
        case RefuterReply(overturn=overturn):
            return Reply(not overturn, usage.prompt_tokens, usage.completion_tokens)
    return Reply(None, usage.prompt_tokens, usage.completion_tokens)


def _rows(client: LiveClient, role: Role, limit: int | None) -> Iterator[str]:
    """A row for the whole text of a role, and one for each part left out."""
    whole = system_text(role, Variant.ROSE)
    cases = list(_cases(limit))
    asks = [request(case, role, Variant.ROSE, client.model) for case, _ in cases]
    labels = [label for _, label in cases]
    base = [_asked(client, ask, whole) for ask in asks]
    yield _row(Trial(role, "(nothing)", whole, base), base, labels)
    for part in parts_of(whole):
        replies = [_asked(client, ask, without(whole, part)) for ask in asks]
        yield _row(Trial(role, _title(part), part, replies), base, labels)


def _title(part: str) -> str:
    words = part.replace("#", "").replace("|", "\\|").replace("*", "").split()
    return f"{' '.join(words[:7])} …"


def _row(trial: Trial, base: Sequence[Reply], labels: Sequence[bool]) -> str:
    replies = trial.replies
    parsed = [reply for reply in replies if reply.passes is not None]
    both = [
        (one, other)
        for one, other in zip(replies, base, strict=True)
        if one.passes is not None and other.passes is not None
    ]
    same = sum(one.passes == other.passes for one, other in both)
    right = sum(reply.passes == label for reply, label in zip(replies, labels, strict=True))
    written = sum(reply.completion_tokens for reply in replies) // len(replies)
    cells = (
        *(trial.role.value, trial.title, f"{len(trial.text):,}", f"{len(parsed)} of {len(replies)}"),
        *(f"{same} of {len(both)}", f"{right} of {len(parsed)}", str(written)),
    )
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, and print a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base-url", help="a server that speaks the chat-completions protocol")
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--threads", type=int, default=1, help="of the server that is started here")
    given = parser.parse_args(arguments)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        log = folder / "server.log"
        url = given.base_url or stack.enter_context(served(shipped_model(), log, given.threads))
        client = LiveClient(given.model, url, "none", parameters=PARAMETERS)
        stack.enter_context(closing(client))
        sys.stdout.write(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n")
        for role in (Role.PROVER, Role.REFUTER):
            for row in _rows(client, role, given.limit):
                sys.stdout.write(f"{row}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
