"""Asking a live model through the openai SDK: one request in, one answer out, and no surprise between.

The endpoint says where the model is asked, and with which key; the key is never shown, logged or written.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from equiv.errors import InputError
from equiv.judge.case import Answer, Ask, NoAnswer, OutOfBudget, Usage
from equiv.judge.replies import NO_SCHEMA, read_completion, shorten

if TYPE_CHECKING:
    import openai


OPENAI = "https://api.openai.com/v1"
KEY, URL = "OPENAI_API_KEY", "OPENAI_BASE_URL"
NO_KEY = "none"
"""What is sent to a server of one's own that asks for no key."""
SHORTEST_SECRET = 8
"""A shorter key is no secret."""
_ESCAPE = re.compile(r"\\u00([0-9a-fA-F]{2})")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that speaks the chat-completions protocol."""

    base_url: str
    api_key: str = field(repr=False)

    @property
    def _is_secret(self) -> bool:
        """Whether the key is one: a word that a server of one's own takes may stand in any reply."""
        return len(self.api_key) >= SHORTEST_SECRET

    def without_key(self, text: str) -> str:
        """The text with the key blotted out: some servers repeat it in messages and replies."""
        return text.replace(self.api_key, "[key]") if self._is_secret else text

    def cleared(self, answer: Answer) -> Answer:
        """The answer, unless its reply spells the key by escapes: then neither reply nor text is kept."""
        if not self._is_secret or self.api_key not in _spelt_out(answer):
            return answer
        return replace(answer, reply=NoAnswer("unusable reply: it repeats the key"), text="")


def _spelt_out(answer: Answer) -> str:
    """All that a reply says, and its text with JSON's escapes read, wherever they stand."""
    fields = (getattr(answer.reply, name.name) for name in fields_of(answer.reply))
    return "\n".join((*map(str, fields), _ESCAPE.sub(lambda one: chr(int(one[1], 16)), answer.text)))


def find_endpoint(
    base_url: str | None = None, api_key: str | None = None, folder: Path | None = None
) -> Endpoint:
    """The endpoint from arguments, else the environment, else ``.env`` in the working folder.

    Raises:
        InputError: there is no key for OpenAI's own server, the URL or the key is malformed, or
            only the file gives the URL and only the environment the key: a folder of somebody
            else's must not be able to send the user's key to a server of its choice.
    """
    file = _read_env_file((folder or Path.cwd()) / ".env")
    key = api_key or os.environ.get(KEY)
    url = base_url or os.environ.get(URL)
    if key and not url and file.get(URL):
        raise InputError(f".env sets {URL}, but not the key: set {URL} in the environment as well")
    key = (key or file.get(KEY) or "").strip()
    url = (url or file.get(URL) or OPENAI).strip()
    _check_url(url)
    if not key and url == OPENAI:
        raise InputError(f"the judge needs a key: set {KEY}, or {URL} for a server without one")
    if not all("!" <= character <= "~" for character in key):
        raise InputError(f"{KEY} contains characters that are not allowed in a key")
    return Endpoint(url, key or NO_KEY)


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise InputError("the judge's base URL is malformed") from None
    if not valid:
        raise InputError("the judge's base URL must begin with http:// or https:// and name a host")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError("the judge's base URL must not contain credentials, a query or a fragment")


def _read_env_file(path: Path) -> dict[str, str | None]:
    if not path.is_file():
        return {}
    try:
        from dotenv import dotenv_values
    except ModuleNotFoundError:
        raise InputError(f"{path.name} needs python-dotenv: pip install -e '.[judge]'") from None
    try:
        return dotenv_values(path, interpolate=False)
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path}: cannot be read") from None


RESERVED = frozenset({"model", "messages", "response_format", "stream", "n"})
"""Fields of a request that are not parameters of the user's."""

_TOO_LONG = re.compile(
    r"context.{0,3}(length|window|size)|maximum.{0,40}tokens|too many tokens|prompt is too long",
    re.IGNORECASE,
)


class LiveClient:
    """Asks one model on any server that speaks the chat-completions protocol.

    The SDK retries rate limits (waiting as the server says, up to two
    minutes), server errors, timeouts and lost connections, with back-off.
    What still fails is a NoAnswer that says why, so that one pair cannot end
    a run; what would fail for every pair is an InputError.  No redirect is
    followed, and a response is read up to :data:`equiv.judge.asking.response_limits.MOST_BYTES`.

    Args:
        model: the name under which the server knows the model.
        base_url: the server; see :func:`equiv.judge.asking.client.find_endpoint`.
        api_key: the key; it is sent to the server and goes nowhere else.
        timeout: seconds that the server may stay silent.
        connect_timeout: seconds to wait for a connection.
        max_retries: requests after the first one, for one answer.
        concurrency: requests at a time, over all threads.
        temperature: sent if given; some models refuse it.
        seed: sent if given.
        parameters: further fields of the request, e.g. ``reasoning_effort``.

    Raises:
        InputError: the SDK is not installed, or an argument cannot be used.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 300.0,
        connect_timeout: float = 10.0,
        max_retries: int = 4,
        concurrency: int = 8,
        temperature: float | None = None,
        seed: int | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> None:
        settings = {"temperature": temperature, "seed": seed}
        self.model = model
        self._sent = {
            **(parameters or {}),
            **{name: value for name, value in settings.items() if value is not None},
        }
        if taken := sorted(RESERVED & self._sent.keys()):
            raise InputError(f"{taken[0]!r} cannot be set as a request parameter")
        self._endpoint = find_endpoint(base_url, api_key)
        self._timeout = timeout
        self._slots = threading.BoundedSemaphore(concurrency)
        self._form = 0
        self._was_reached = False
        try:
            import openai

            from equiv.judge.asking.response_limits import client as bounded_client
        except ModuleNotFoundError:
            raise InputError("the judge needs the openai package: pip install -e '.[judge]'") from None
        self._client = openai.OpenAI(
            api_key=self._endpoint.api_key,
            base_url=self._endpoint.base_url,
            timeout=openai.Timeout(timeout, connect=connect_timeout),
            max_retries=max_retries,
            default_headers={"Accept-Encoding": "identity"},
            http_client=bounded_client(),
        )

    @property
    def parameters(self) -> Mapping[str, object]:
        """The parameters that an answer depends on besides the prompt: the server, and its settings."""
        return {"base_url": self._endpoint.base_url, **self._sent}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, ask: Ask) -> Answer:
        """The model's answer.

        Raises:
            OutOfBudget: the account has no credit left.
            InputError: no request can succeed: no connection at all, key, model or parameter refused.
        """
        assert ask.model == self.model, "a client is bound to one model"
        import openai

        from equiv.judge.asking.response_limits import RedirectedError, RefusedError

        with self._slots:
            try:
                body = self._complete(ask)
            except RedirectedError:
                url = self._endpoint.base_url
                raise InputError(
                    f"{url} redirects, which equiv does not follow: give the final URL"
                ) from None
            except RefusedError as error:
                self._was_reached = True
                return Answer(NoAnswer(str(error)), Usage(calls=1))
            except openai.APIStatusError as error:
                self._was_reached = True
                return self._after_status(error)
            except openai.APIConnectionError as error:
                return self._after_silence(error)
            except openai.OpenAIError as error:
                return Answer(NoAnswer(self._shown(str(error))), Usage(calls=1))
        self._was_reached = True
        return self._endpoint.cleared(read_completion(body, ask.role, self._endpoint.without_key))

    def _complete(self, ask: Ask) -> str:
        """The body of the response; a form of structured output that is refused is not asked for again."""
        import openai

        refusals = (openai.BadRequestError, openai.UnprocessableEntityError, openai.InternalServerError)
        while (form := self._form) < len(_FORMS):
            try:
                return self._send(ask, {**self._sent, "response_format": _FORMS[form](ask)})
            except refusals as error:
                if not _refuses_schema(error):
                    raise
                self._form = max(self._form, form + 1)
        return self._send(ask, self._sent)

    def _send(self, ask: Ask, fields: Mapping[str, object]) -> str:
        response = self._client.chat.completions.with_raw_response.create(
            model=ask.model,
            messages=[
                {"role": "system", "content": _sendable(message.content)}
                if message.role == "system"
                else {"role": "user", "content": _sendable(message.content)}
                for message in ask.messages
            ],
            extra_body=dict(fields),
        )
        return response.text

    def _after_status(self, error: openai.APIStatusError) -> Answer:
        """What an error response means; it brought no completion, so that no call counts."""
        body = _details(error)
        message = self._shown(str(body.get("message") or body.get("detail") or "no explanation"))
        match error.status_code:
            case 401:
                raise InputError(f"{self._endpoint.base_url} rejects the key")
            case 404:
                raise InputError(f"{self._endpoint.base_url} has no model {self.model!r}: {message}")
            case 402:
                raise OutOfBudget(f"the account has no credit: {message}")
            case 429 if body.get("code") == "insufficient_quota":
                raise OutOfBudget(f"the account's quota is used up: {message}")
            case 400 | 413 | 422 if _is_too_long(error, body):
                return Answer(NoAnswer(f"context too long: {message}"))
            case 400 | 422 if str(body.get("param")) in self._sent:
                raise InputError(f"{self._endpoint.base_url} refuses {body['param']!r}: {message}")
        return Answer(NoAnswer(f"the server answers {error.status_code}: {message}"))

    def _after_silence(self, error: openai.APIConnectionError) -> Answer:
        """No response: the call counts unless no connection was made, since it may have been billed."""
        was_sent = type(error.__cause__).__name__ not in {"ConnectError", "ConnectTimeout"}
        if not was_sent and not self._was_reached:
            raise InputError(f"no connection to {self._endpoint.base_url}")
        if not was_sent:
            return Answer(NoAnswer("no connection to the server"))
        import openai

        if isinstance(error, openai.APITimeoutError):
            return Answer(NoAnswer(f"no reply within {self._timeout:g} s"), Usage(calls=1))
        return Answer(NoAnswer("the connection was lost"), Usage(calls=1))

    def _shown(self, message: str) -> str:
        return shorten(self._endpoint.without_key(message))


def _sendable(text: str) -> str:
    """The text without lone surrogates, which JSON input can bring in and UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _json_schema(ask: Ask) -> dict[str, object]:
    """Structured output as OpenAI has it."""
    schema = {"name": ask.role.value, "strict": True, "schema": dict(ask.schema)}
    return {"type": "json_schema", "json_schema": schema}


def _json_object(ask: Ask) -> dict[str, object]:
    """Structured output as llama-cpp-python's server has it, which answers 500 to the other form."""
    return {"type": "json_object", "schema": dict(ask.schema)}


_FORMS = (_json_schema, _json_object)
"""The forms of structured output, tried in this order; then none."""


def _details(error: openai.APIStatusError) -> Mapping[str, object]:
    """What an error response says of itself; small servers send a bare text."""
    match error.body:
        case Mapping():
            return error.body
        case str(message):
            return {"message": message}
    return {}


def _refuses_schema(error: openai.APIStatusError) -> bool:
    body = _details(error)
    if _is_too_long(error, body):
        return False
    return bool(NO_SCHEMA.search(f"{body.get('param')} {body.get('message')} {body.get('detail')}"))


def _is_too_long(error: openai.APIStatusError, body: Mapping[str, object]) -> bool:
    code = str(body.get("code"))
    return (
        error.status_code == 413
        or "context_length" in code
        or bool(_TOO_LONG.search(f"{body.get('type')} {body.get('message')} {body.get('detail')}"))
    )
