"""The settings of the service's operator, which are the options of ``equiv serve``; see ``spread``."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from equiv.errors import InputError
from equiv.files import read_text
from equiv.options import Options
from equiv.show.arguments import option

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Under which names of the machine itself a service on loopback answers."""


TOKEN_VARIABLE = "EQUIV_TOKEN"  # noqa: S105 - where a token is, not one


def token_of(file: str) -> str:
    """The token that a file holds; without one, that of the environment.

    Raises:
        InputError: the file cannot be read, or holds none.
    """
    if not file:
        return os.environ.get(TOKEN_VARIABLE, "").strip()
    found = read_text(Path(file)).strip()
    if not found:
        raise InputError(f"{file}: the file holds no token")
    return found


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The settings of the service's operator.

    Attributes:
        options: how pairs are compared where a request does not say.
        body_seconds: how long the body of a request may take to arrive.
        remembered_bytes: how much of the answers is remembered.

    Raises:
        InputError: a setting has no such value, or others could reach the service without a token.
    """

    host: str = option("127.0.0.1", "ADDRESS", "The address to listen on.")
    port: int = option(8181, "N", "The port; 0: a free one.", min=0, max=65_535)
    db_roots: tuple[Path, ...] = option(
        (), "DIR", "A folder whose databases requests may name; repeatable.", "--db-root"
    )
    token: str = option(
        "",
        "FILE",
        "File with the token that requests must bear.",
        "--token-file",
        callback=token_of,
        is_secret=True,
    )
    no_token: bool = option(False, None, "Serve requests without a token.", "--no-token")
    host_names: tuple[str, ...] = option(
        (), "NAME", "A further host name that requests may use; repeatable.", "--host-name"
    )
    workers: int = option(1, "N", "Worker processes.", min=1)
    queue: int = option(256, "N", "How many pairs may wait before requests are rejected.", min=1)
    batch: int = option(128, "N", "How many pairs a batch may have.", min=1)
    body_bytes: int = option(
        1_000_000, "BYTES", "Maximum length of a request body in bytes.", "--max-body", min=1
    )
    seconds: float = option(30.0, "SECONDS", "Time limit for one pair.", "--timeout", min=0.001)
    batch_seconds: float = option(300.0, "SECONDS", "Time limit for one batch.", "--batch-timeout", min=0.001)
    grace: float = option(30.0, "SECONDS", "How long running pairs may go on after a signal.", min=0)
    options: Options = field(default_factory=Options)
    body_seconds: float = 30.0
    remembered_bytes: int = 64 * 1024 * 1024

    def __post_init__(self) -> None:
        if min(self.workers, self.queue, self.batch, self.body_bytes) < 1 or self.remembered_bytes < 0:
            raise InputError("workers, queue, batch and body must be at least 1")
        if min(self.body_seconds, self.seconds, self.batch_seconds) <= 0 or self.grace < 0:
            raise InputError("the seconds of a pair and of a batch must be positive, grace not negative")
        # A larger one would never find room.
        object.__setattr__(self, "batch", min(self.batch, self.queue))
        if not 0 <= self.port <= 65_535:
            raise InputError(f"invalid port {self.port}")
        for root in self.db_roots:
            if not root.is_dir():
                raise InputError(f"{root}: no such folder")
        if not self.token and not self.no_token and not self.is_loopback:
            raise InputError(
                f"other machines can reach {self.host}: give the service a token (--token-file, $EQUIV_TOKEN)"
                " or pass --no-token"
            )

    @property
    def is_loopback(self) -> bool:
        """Whether this machine alone can reach the service."""
        if self.host == "localhost":
            return True
        from ipaddress import ip_address

        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def known_hosts(self) -> frozenset[str] | None:
        """The names that ``Host`` may have, in lower case; None: any, as where others may reach the service.

        A page of another site that lets its name lead to this machine comes with its own name.
        """
        if not self.is_loopback and not self.host_names:
            return None
        own = LOOPBACK_NAMES if self.is_loopback else (self.host,)
        return frozenset(name.lower() for name in (*own, self.host, *self.host_names))
