"""Where the model is asked, and with which key; the key is never shown, logged or written."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of
from pathlib import Path
from urllib.parse import urlsplit

from equiv.errors import InputError
from equiv.judge.case import Answer, NoAnswer

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
        raise InputError(f".env sets {URL}, but the key is not from there: set {URL} in the environment too")
    key = (key or file.get(KEY) or "").strip()
    url = (url or file.get(URL) or OPENAI).strip()
    _check_url(url)
    if not key and url == OPENAI:
        raise InputError(f"the judge needs a key: set {KEY}, or {URL} for a server without one")
    if not all("!" <= character <= "~" for character in key):
        raise InputError(f"{KEY} holds characters that no key has")
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
        raise InputError("the judge's base URL must hold no credentials, query or fragment")


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
