"""Estimated tokens, where nobody counted them: by the characters of what was asked and answered."""

from __future__ import annotations

import json
from dataclasses import asdict

from .case import Answer, Ask, NoAnswer, Usage

CHARACTERS = 4
"""Characters per token: a rule of thumb for English and SQL."""


def estimated_tokens(ask: Ask) -> int:
    """The tokens of a prompt, estimated by its characters."""
    characters = sum(len(message.content) for message in ask.messages) + len(json.dumps(dict(ask.schema)))
    return _tokens(characters)


def estimated_usage(ask: Ask, answer: Answer) -> Usage:
    """The estimated usage of a call whose tokens were not counted; zero where they were, or without a call.

    The prompt is this project's own for the request, whoever made the call; of the reply only what is
    at hand counts, so that the thoughts of a model that thinks first are left out: a lower bound.
    """
    usage = answer.usage
    if not usage.calls or usage.prompt_tokens or usage.completion_tokens:
        return Usage()
    if answer.text or isinstance(answer.reply, NoAnswer):
        reply = answer.text
    else:
        reply = json.dumps(asdict(answer.reply), ensure_ascii=False)
    return Usage(usage.calls, estimated_tokens(ask), _tokens(len(reply)))


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS)
