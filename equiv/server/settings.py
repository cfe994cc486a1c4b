"""The settings of the service's operator."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from equiv.errors import InputError
from equiv.options import Options

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Under which names of the machine itself a service on loopback answers."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the service's operator.

    Attributes:
        host: the address that is listened on.
        port: the TCP port; 0 lets the system choose one.
        db_roots: the folders whose databases requests may name; none: they bring their schema as DDL.
        token: what requests must bear; '' asks for none.
        no_token: that others may ask without one.
        host_names: further names of this machine that requests may use in ``Host``.
        workers: processes that decide pairs.
        queue: how many pairs may wait or be worked on; what comes beyond is refused.
        batch: how many pairs one request may bring.
        body_bytes: how long the body of a request may be.
        body_seconds: how long it may take to arrive.
        seconds: how long a pair may take from the arrival of its request.
        batch_seconds: how long a batch may take.
        grace: how long what was accepted may go on after the service was told to stop.
        remembered_bytes: how much of the answers is remembered.
        options: how pairs are compared where a request does not say.

    Raises:
        InputError: a setting has no such value, or others could reach the service without a token.
    """

    host: str = "127.0.0.1"
    port: int = 8181
    db_roots: tuple[Path, ...] = ()
    token: str = field(default="", repr=False)
    no_token: bool = False
    host_names: tuple[str, ...] = ()
    workers: int = 1
    queue: int = 256
    batch: int = 128
    body_bytes: int = 1_000_000
    body_seconds: float = 30.0
    seconds: float = 30.0
    batch_seconds: float = 300.0
    grace: float = 30.0
    remembered_bytes: int = 64 * 1024 * 1024
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        if min(self.workers, self.queue, self.batch, self.body_bytes) < 1 or self.remembered_bytes < 0:
            raise InputError("workers, queue, batch and body must be at least 1")
        if min(self.body_seconds, self.seconds, self.batch_seconds) <= 0 or self.grace < 0:
            raise InputError("the seconds of a pair and of a batch must be positive, grace not negative")
        if self.batch > self.queue:
            raise InputError(
                f"a batch of {self.batch} pairs would never find room in a queue of {self.queue}"
            )
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
