"""The options of ``serve``; see ``spread``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.errors import InputError
from equiv.files import read_text
from equiv.options import Options

if TYPE_CHECKING:
    from equiv.server.settings import Settings

DEFAULTS = Options()

TOKEN_VARIABLE = "EQUIV_TOKEN"  # noqa: S105 - where a token is, not one


@dataclass(frozen=True, kw_only=True)
class Serving:
    """The options of ``equiv serve``."""

    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65_535, help="The port; 0: a free one.")] = 8181
    db_root: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A folder whose databases requests may name; repeatable."),
    ] = None
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Holds the token that requests must bear.")
    ] = None
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let whoever can reach the service ask it.")
    ] = False
    host_name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name of this machine in requests; repeatable."),
    ] = None
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1
    queue: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many pairs may wait; beyond, requests are refused.")
    ] = 256
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="How many pairs a batch may have.")] = 128
    max_body: Annotated[
        int, typer.Option(metavar="BYTES", min=1, help="How long the body of a request may be.")
    ] = 1_000_000
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.001, help="Outer limit for one pair.")
    ] = 30.0
    batch_timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.001, help="Outer limit for one batch.")
    ] = 300.0
    grace: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="How long pairs go on after a signal to stop.")
    ] = 30.0

    def settings(self, options: Options = DEFAULTS) -> Settings:
        """The settings of the service that the options make.

        Raises:
            InputError: an option has no such value, or the token cannot be read.
        """
        from equiv.server.settings import Settings

        return Settings(
            host=self.host,
            port=self.port,
            db_roots=tuple(self.db_root or ()),
            token=self._token(),
            no_token=self.no_token,
            host_names=tuple(self.host_name or ()),
            workers=self.workers,
            queue=self.queue,
            batch=min(self.batch, self.queue),
            body_bytes=self.max_body,
            seconds=self.timeout,
            batch_seconds=self.batch_timeout,
            grace=self.grace,
            options=options,
        )

    def _token(self) -> str:
        if self.token_file is None:
            return os.environ.get(TOKEN_VARIABLE, "").strip()
        found = read_text(self.token_file).strip()
        if not found:
            raise InputError(f"{self.token_file}: holds no token")
        return found
