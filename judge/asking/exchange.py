"""What is kept of a request and its answer, the same in the cache and in a transcript."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal

from equiv.judge.case import Answer, Ask, Role, Usage
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


def usage_to_json(usage: Usage) -> dict[str, int]:
    """The usage as a JSON object."""
    return {
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
    }


def usage_from_json(value: Mapping[str, Any]) -> Usage:
    """Read :func:`usage_to_json`.

    Raises:
        KeyError: a field is missing.
    """
    return Usage(value["calls"], value["prompt_tokens"], value["completion_tokens"], value["cached_tokens"])


def kept_answer(role: Role, text: str, usage: Usage, source: Literal["cache", "replay"]) -> Answer:
    """The answer that a kept reply gives: it is parsed anew, as strictly as a fresh one."""
    return Answer(parse_reply(role, text), usage, source, text)
