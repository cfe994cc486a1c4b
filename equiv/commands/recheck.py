"""``equiv recheck``: a certificate is checked again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiv.commands.common import TROUBLE, print_line
from equiv.show.page import escape


def recheck(
    certificate: Annotated[Path, typer.Argument(metavar="FILE", help="What check --certificate wrote.")],
    *,
    solver: Annotated[
        str, typer.Option(metavar="z3|cvc5|all", help="Who is asked; all: those that are installed.")
    ] = "all",
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.001, help="Outer limit for one claim.")
    ] = 30.0,
) -> int:
    """Check a certificate: make its proof anew, and let solvers decide every claim.

    Exit code: 0 it holds, 1 it is refuted, 2 trouble, or a solver cannot decide a claim.
    """
    from equiv.engine.make import make_tiers
    from equiv.records.certificate import read_certificate
    from equiv.records.recheck import Holding, recheck, solvers_named

    code = {Holding.HOLDS: 0, Holding.TRUSTED: 0, Holding.REFUTED: 1, Holding.OPEN: TROUBLE}
    results = []
    for finding in recheck(
        read_certificate(certificate),
        solvers_named(solver),
        lambda schema, facts: make_tiers(schema, facts, None),
        timeout,
    ):
        print_line(escape(f"{finding.result.value}  {finding.line}"))
        results.append(finding.result)
    return code[next((r for r in (Holding.REFUTED, Holding.OPEN) if r in results), Holding.HOLDS)]
