"""The bodies of requests as models, or one line on what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from equiv.errors import InputError
from equiv.server.models import VerifyRequest

_SHOWN, _LONGEST = 5, 1_000
"""How many faults of a request are named, and in how many characters."""

Model = TypeVar("Model", bound=BaseModel)


class MalformedError(InputError):
    """The body of a request is not what it should be."""


def read(model: type[Model], body: bytes) -> Model:
    """The model of a request's body.

    Raises:
        MalformedError: it is no such JSON; the message is one line, and repeats nothing of its values.
    """
    return _valid(model, lambda: from_json(body, allow_inf_nan=False))


def read_row(body: bytes) -> dict[str, Any]:
    """The body of a :class:`VerifyRequest`; its texts may have lone surrogates, as models write them.

    Raises:
        MalformedError: as :func:`read`.
    """
    row: dict[str, Any] = {}

    def loaded() -> Any:
        parsed = json.loads(body, parse_constant=_refuse)
        row.update(parsed if isinstance(parsed, dict) else {})
        return parsed

    _valid(VerifyRequest, loaded)
    return row


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _valid(model: type[Model], load: Callable[[], Any]) -> Model:
    try:
        return model.model_validate(load())
    except ValidationError as error:
        found = [
            f"{'.'.join(map(str, each['loc'])) or 'body'}: {each['msg']}"
            for each in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        raise MalformedError("; ".join(found[:_SHOWN])[:_LONGEST]) from None
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"not JSON: {error}") from None
