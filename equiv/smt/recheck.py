"""Solvers that check an obligation of a certificate: z3, and cvc5 where it is installed.

A certificate comes from outside, so only commands that declare or assert reach a solver.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Literal

from equiv.smt.logic import UNIVERSAL, HypothesisOrigin

SolverAnswer = Literal["unsat", "sat", "unknown"]
"""A solver's answer on a script; ``unsat``: the obligation holds."""

_TOKEN = re.compile(r'"(?:[^"]++|"")*+(?:"|\Z)|\|[^|]*+(?:\||\Z)|;[^\n]*|[()]|[^\s()"|;]+')
_PASSED = frozenset(
    {"set-logic", "declare-sort", "declare-fun", "declare-const", "define-sort", "define-fun", "assert"}
)
_IGNORED = frozenset({"set-info", "check-sat", "exit"})


class ScriptError(ValueError):
    """The text is no script of declarations and assertions."""


def commands(script: str) -> Iterator[str]:
    """The commands of a script that a solver is given, one by one.

    Raises:
        ScriptError: it holds another command, or is no SMT-LIB2.
    """
    depth = start = 0
    head = ""
    for token in _TOKEN.finditer(script):
        word = token[0]
        if word.startswith(";"):
            continue
        if word == "(":
            if depth == 0:
                start, head = token.start(), ""
            depth += 1
        elif word == ")":
            depth -= 1
            if depth == 0 and head in _PASSED:
                yield script[start : token.end()]
            elif depth < 0 or (depth == 0 and head not in _IGNORED):
                raise ScriptError(f"not a declaration or an assertion: ({head or ')'}")
        elif depth == 0:
            raise ScriptError(f"not a command: {word[:40]}")
        elif depth == 1 and not head:
            head = word
    if depth:
        raise ScriptError("a parenthesis is not closed")


_SPECIFIC = re.compile(rf":named \|\d+ ({'|'.join(o for o in HypothesisOrigin if o not in UNIVERSAL)})\b")


def without_claim(script: str) -> str:
    """The script with nothing asserted but what holds of all rows: facts and axioms.

    It must be satisfiable, or whatever the script claims would be proved by it.
    """
    return "\n".join(line for line in script.splitlines() if not _SPECIFIC.search(line))


def ask_z3(script: str, seconds: float) -> SolverAnswer:
    """Z3's answer on a script (sat, unsat or unknown), in a context of its own.

    Raises:
        ScriptError: Z3 cannot read it.
    """
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", max(1, int(seconds * 1000)))
    try:
        solver.from_string("\n".join(commands(script)))
    except z3.Z3Exception as error:
        raise ScriptError(str(error)) from None
    return _answer(str(solver.check()))


def ask_cvc5(script: str, seconds: float) -> SolverAnswer:
    """cvc5's answer on a script (sat, unsat or unknown).

    Raises:
        ScriptError: cvc5 cannot read it.
    """
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
    parser = cvc5.InputParser(solver)
    try:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "\n".join(commands(script)), "obligation")
        symbols = parser.getSymbolManager()
        while not (command := parser.nextCommand()).isNull():
            command.invoke(solver, symbols)
        return _answer(str(solver.checkSat()))
    except RuntimeError as error:
        raise ScriptError(str(error)) from None


def _answer(text: str) -> SolverAnswer:
    return "unsat" if text == "unsat" else "sat" if text == "sat" else "unknown"


SOLVERS: dict[str, Callable[[str, float], SolverAnswer]] = {"z3": ask_z3, "cvc5": ask_cvc5}
"""By name; the second is an extra."""


def installed(name: str) -> bool:
    """Whether a solver can be asked."""
    return find_spec(name) is not None
