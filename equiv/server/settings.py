"""The settings of the service's operator, which are the options of ``equiv serve``; see ``spread``."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from equiv.errors import InputError
from equiv.files import read_text
from equiv.options import Options

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
        raise InputError(f"{file}: holds no token")
    return found


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the service's operator.

    Attributes:
        options: how pairs are compared where a request does not say.
        body_seconds: how long the body of a request may take to arrive.
        remembered_bytes: how much of the answers is remembered.

    Raises:
        InputError: a setting has no such value, or others could reach the service without a token.
    """

    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65_535, help="The port; 0: a free one.")] = 8181
    db_roots: Annotated[
        tuple[Path, ...],
        typer.Option(
            "--db-root", metavar="DIR", help="A folder whose databases requests may name; repeatable."
        ),
    ] = ()
    token: Annotated[
        str,
        typer.Option(
            "--token-file",
            callback=token_of,
            metavar="FILE",
            help="Holds the token that requests must bear.",
        ),
    ] = field(default="", repr=False)
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let whoever can reach the service ask it.")
    ] = False
    host_names: Annotated[
        tuple[str, ...],
        typer.Option(
            "--host-name", metavar="NAME", help="A further name of this machine in requests; repeatable."
        ),
    ] = ()
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1
    queue: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many pairs may wait; beyond, requests are refused.")
    ] = 256
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="How many pairs a batch may have.")] = 128
    body_bytes: Annotated[
        int,
        typer.Option("--max-body", metavar="BYTES", min=1, help="How long the body of a request may be."),
    ] = 1_000_000
    seconds: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="Outer limit for one pair.")
    ] = 30.0
    batch_seconds: Annotated[
        float,
        typer.Option("--batch-timeout", metavar="SECONDS", min=0.001, help="Outer limit for one batch."),
    ] = 300.0
    grace: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="How long pairs go on after a signal to stop.")
    ] = 30.0
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
            raise InputError(f"there is no port {self.port}")
        for root in self.db_roots:
            if not root.is_dir():
                raise InputError(f"{root}: no such folder")
        if not self.token and not self.no_token and not self.is_loopback:
            raise InputError(
                f"others could reach a service on {self.host}: give it a token (--token-file, $EQUIV_TOKEN),"
                " or say --no-token"
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
