"""Every exchange with a model on one line of a file, and answers from such a file without a network.

Of a request and its answer the same is kept in the cache and in a transcript.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, Self

from equiv.errors import InputError
from equiv.files import FileErrors, open_to_append
from equiv.judge.case import Answer, Ask, NoAnswer, Responder, Role, Usage
from equiv.judge.replies import parse_reply

NO_PARAMETERS: Mapping[str, object] = {}


def request_key(ask: Ask, parameters: Mapping[str, object] = NO_PARAMETERS) -> str:
    """SHA-256 over model, parameters, prompt hash, messages and the reply's schema.

    What the request is about (question id, role) is left out: requests with
    the same bytes get the same answer, whoever asks.
    """
    parts = [
        ask.model,
        dict(parameters),
        ask.prompt_hash,
        [[message.role, message.content] for message in ask.messages],
        dict(ask.schema),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def usage_from_json(value: Mapping[str, Any]) -> Usage:
    """A usage from its fields.

    Raises:
        KeyError: a field is missing.
    """
    return Usage(value["calls"], value["prompt_tokens"], value["completion_tokens"], value["cached_tokens"])


def kept_answer(role: Role, text: str, usage: Usage, source: Literal["cache", "replay"]) -> Answer:
    """The answer that a kept reply gives: it is parsed anew, as strictly as a fresh one."""
    return Answer(parse_reply(role, text), usage, source, text)


Exchange = dict[str, Any]
"""One line; the fields are those of :func:`_exchange`."""

FIELDS = frozenset({"key", "model", "messages", "text", "detail", "usage"})
OPENING = b'{"key": "'
"""How every line begins."""


def is_transcript(path: Path) -> bool:
    """Whether a file's first line is an exchange, or begins like one.

    Raises:
        InputError: the file cannot be read.
    """
    with _opened(path) as file:
        line = file.readline()
    return _parse(line) is not None or (not line.endswith(b"\n") and line.startswith(OPENING))


class Recorder:
    """A responder that writes down what another one is asked and answers.

    Each exchange is one appended line, flushed before the answer is handed
    on; a line that a killed run left unfinished is cut off.  No two runs
    write to one file.

    Args:
        responder: who is asked; put a cache inside, so that hits are written too.
        path: the file.
        parameters: what is sent with each request, to be written down.

    Raises:
        InputError: the file cannot be written, another run writes to it, or it is something else.
    """

    def __init__(
        self, responder: Responder, path: Path, parameters: Mapping[str, object] = NO_PARAMETERS
    ) -> None:
        self._responder = responder
        self._parameters = dict(parameters)
        self._turn = threading.Lock()
        self._file = open_to_append(path)
        try:
            self._file.truncate(sum(size for size, _ in _exchanges(path)))
        except InputError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def ask(self, ask: Ask) -> Answer:
        """The other one's answer, once it is written down."""
        answer = self._responder.ask(ask)
        line = json.dumps(_exchange(ask, answer, self._parameters)).encode() + b"\n"
        with self._turn:
            self._file.write(line)
            self._file.flush()
        return answer


class Replay:
    """A responder that answers from a transcript: what is not in it gets no answer.

    The key is model, prompt, messages and the reply's schema; parameters do not
    count.  Of several exchanges with one key the last usable one counts.

    Raises:
        InputError: the file cannot be read, or is no transcript.
    """

    def __init__(self, path: Path) -> None:
        self._kept: dict[str, Exchange] = {}
        for _, exchange in _exchanges(path):
            if not exchange["detail"] or exchange["key"] not in self._kept:
                self._kept[exchange["key"]] = exchange

    def ask(self, ask: Ask) -> Answer:
        """The recorded answer, with what it cost then."""
        kept = self._kept.get(request_key(ask))
        if kept is None:
            return Answer(NoAnswer("the record has no reply to this request"), source="replay")
        usage = usage_from_json(kept["usage"])
        if kept["detail"]:
            return Answer(NoAnswer(kept["detail"]), usage, "replay", kept["text"])
        return kept_answer(ask.role, kept["text"], usage, "replay")


def _exchange(ask: Ask, answer: Answer, parameters: Mapping[str, object]) -> Exchange:
    return {
        "key": request_key(ask),
        "model": ask.model,
        "parameters": dict(parameters),
        "prompt_hash": ask.prompt_hash,
        "role": ask.role,
        "variant": ask.variant,
        "source": ask.case.source,
        "question_id": ask.case.question_id,
        "db_id": ask.case.db_id,
        "messages": [{"role": message.role, "content": message.content} for message in ask.messages],
        "text": answer.text,
        "detail": answer.reply.detail if isinstance(answer.reply, NoAnswer) else "",
        "usage": asdict(answer.usage),
        "answered_by": answer.source,
    }


def _exchanges(path: Path) -> Iterator[tuple[int, Exchange]]:
    """Each exchange with its size in bytes; an unfinished last line is left out."""
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            exchange = _parse(line)
            if exchange is not None and line.endswith(b"\n"):
                yield len(line), exchange
            elif line.endswith(b"\n") or not _begins_one(line):
                raise InputError(f"{path}:{number}: not an exchange with a judge")


def _begins_one(line: bytes) -> bool:
    return line.startswith(OPENING) or OPENING.startswith(line)


def _parse(line: bytes) -> Exchange | None:
    try:
        exchange = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return exchange if isinstance(exchange, dict) and exchange.keys() >= FIELDS else None


def _opened(path: Path) -> Any:
    with FileErrors(path):
        return path.open("rb")
