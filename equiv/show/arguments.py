"""The options of every command that compares pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.options import TIERS
from equiv.relation import RELATION_NAMES

if TYPE_CHECKING:
    from equiv.options import OptionArguments


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What the command line says of how pairs are compared; fields are options."""

    relation: Annotated[
        str, typer.Option(metavar="|".join(RELATION_NAMES), help="What counts as the same result.")
    ] = "sql"
    facts: Annotated[
        str, typer.Option(metavar="declared|intended|observed", help="Which promises of the schema hold.")
    ] = "intended"
    assume: Annotated[
        list[str] | None,
        typer.Option(metavar="FACT", help="A further fact, as in 'not_null(t.c)'; repeatable."),
    ] = None
    strict_float: Annotated[
        bool, typer.Option("--strict-float", help="REAL arithmetic rounds, integers overflow.")
    ] = False
    effort: Annotated[
        str,
        typer.Option(metavar="quick|normal|thorough|N", help="How much is tried; N: generated databases."),
    ] = "normal"
    tiers: Annotated[str, typer.Option(metavar=",".join(TIERS), help="Which tiers may settle a pair.")] = (
        ",".join(TIERS)
    )
    accept: Annotated[
        str, typer.Option(metavar="bounded:k", help="Score 1 where no k rows a table tell a pair apart.")
    ] = ""
    dialect: Annotated[
        str, typer.Option(metavar="sqlite", help="Refuse a schema that reads as another dialect.")
    ] = ""
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.001, help="Outer limit for one pair.")
    ] = 60.0

    def arguments(self, *, conditions: bool) -> OptionArguments:
        """As keyword arguments of the library; ``conditions`` has another default in each command."""
        return {
            "relation": self.relation,
            "facts": self.facts,
            "assume": tuple(self.assume or ()),
            "strict_float": self.strict_float,
            "effort": self.effort,
            "timeout": self.timeout,
            "accept": self.accept,
            "conditions": conditions,
            "dialect": self.dialect,
            "tiers": tuple(name.strip() for name in self.tiers.split(",") if name.strip()),
        }
