"""Blocks on an equivalence: the steps of its derivation, or the forms and matches of its proof.

SQL text is laid over several lines, one clause a line, for reading and for line-by-line diffs: nothing but
white space changes; strings, quoted names and comments are kept as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from equiv.core.lexer import lexemes
from equiv.facts import Fact
from equiv.schema.notation import format_fact
from equiv.show.page import Block, Code, Diff, Text
from equiv.verdict import Derivation, Proof, Step

_CLAUSES = frozenset(
    {"SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW", "VALUES"}
    | {"UNION", "INTERSECT", "EXCEPT", "LEFT", "RIGHT", "FULL", "JOIN"}
)
_CONNECTIVES = frozenset({"AND", "OR", "ON"})
_SIDES = frozenset({"LEFT", "RIGHT", "FULL", "OUTER", "INNER", "CROSS", "NATURAL"})
_QUERY_STARTS = frozenset({"SELECT", "WITH", "VALUES"})
_INDENT = "  "
_DEEPEST = 40
"""Queries nested deeper than this are indented no further."""


def lines_of(sql: str) -> list[str]:
    """The query's text, broken before each clause and connective of a query (not inside calls)."""
    tokens = lexemes(sql)
    lines: list[str] = []
    line = ""
    nesting: list[bool] = []
    depth = 0
    previous = ""
    for token, following in zip(tokens, _following(tokens), strict=True):
        word = token.upper()
        in_query = not nesting or nesting[-1]
        if word == "(":
            nesting.append(following in _QUERY_STARTS)
            depth += nesting[-1]
        elif word == ")" and nesting:
            depth -= nesting.pop()
        elif in_query and _breaks_before(word, previous) and line.strip():
            lines.append(line)
            line = _INDENT * (min(depth, _DEEPEST) + (word in _CONNECTIVES))
        if token.isspace():
            line += " " if line.strip() and not line.endswith(" ") else ""
            continue
        line += token
        previous = word
        if token.startswith("--"):
            lines.append(line)
            line = _INDENT * min(depth, _DEEPEST)
    return [text.rstrip() for text in (*lines, line) if text.strip()]


def _breaks_before(word: str, previous: str) -> bool:
    if word == "JOIN":
        return previous not in _SIDES
    return word in _CLAUSES or word in _CONNECTIVES


def _following(tokens: list[str]) -> list[str]:
    """For each token the next that is no white space, in upper case."""
    found, following = [], ""
    for token in reversed(tokens):
        found.append(following)
        following = following if token.isspace() else token.upper()
    return found[::-1]


MATCHES_SHOWN = 12
"""How many correspondences of a proof are shown."""


def diff_of(before: str, after: str, title: str = "", context: int | None = 1) -> Diff:
    """The lines that change between two queries, each with so many lines of context; None: all lines."""
    import difflib

    old, new = lines_of(before), lines_of(after)
    lines: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in [matcher.get_opcodes()] if context is None else matcher.get_grouped_opcodes(context):
        if lines:
            lines.append((" ", "…"))
        for tag, i, j, k, m in group:
            if tag == "equal":
                lines += [(" ", line) for line in old[i:j]]
            else:
                lines += [("-", line) for line in old[i:j]] + [("+", line) for line in new[k:m]]
    return Diff(title, tuple(lines))


def rules_in_short(derivation: Derivation) -> str:
    """The rules that were applied, on a line."""
    steps = (*derivation.pred_steps, *derivation.gold_steps)
    if not steps:
        return "The two queries are the same once names are resolved."
    names = ", ".join(dict.fromkeys(step.rule for step in steps))
    return f"One normal form after {len(steps)} {'step' if len(steps) == 1 else 'steps'}: {names}"


def derivation_blocks(derivation: Derivation, describe: Callable[[str], str]) -> list[Block]:
    """Every step of both sides, and where they meet."""
    blocks: list[Block] = []
    for side, steps in (("prediction", derivation.pred_steps), ("gold", derivation.gold_steps)):
        if not steps:
            blocks.append(Text(f"{side}: in normal form as it stands"))
        blocks += step_blocks(side, steps, describe)
    return [*blocks, Text("Both are now"), Code("\n".join(lines_of(derivation.normal_form)))]


def step_blocks(side: str, steps: Sequence[Step], describe: Callable[[str], str]) -> list[Block]:
    """The steps of one side as diffs."""
    return [
        block
        for number, step in enumerate(steps, 1)
        for block in _step(f"{side}, step {number} of {len(steps)}: {step.rule}", step, describe)
    ]


def proof_blocks(proof: Proof) -> list[Block]:
    """Both normal forms, what was matched, and how much a solver had to show."""
    if proof.pred_form == proof.gold_form:
        blocks: list[Block] = [Text("Both queries mean"), Code(proof.pred_form)]
    else:
        matches = proof.correspondences[:MATCHES_SHOWN]
        omitted = len(proof.correspondences) - len(matches)
        lines = [*matches, *([f"… and {omitted} more"] if omitted else [])]
        blocks = [
            Text("The prediction means"),
            Code(proof.pred_form),
            Text("and the gold query means"),
            Code(proof.gold_form),
            Text("which are one, because"),
            Code("\n".join(lines)),
        ]
    number = len(proof.obligations)
    if number:
        claims = "1 claim" if number == 1 else f"{number} claims"
        blocks.append(Text(f"Z3 showed {claims}; --certificate writes them for another solver to check."))
    return blocks


def _step(title: str, step: Step, describe: Callable[[str], str]) -> list[Block]:
    remarks = [describe(step.rule).rstrip(".")]
    if step.facts:
        remarks.append("rests on " + ", ".join(fact_name(fact) for fact in step.facts))
    if step.under != "list":
        remarks.append(f"keeps the result as a {step.under}")
    shown = "; ".join(remark for remark in remarks if remark)
    return [diff_of(step.before, step.after, f"{title} ({shown})" if shown else title)]


def fact_name(fact: Fact) -> str:
    """A fact with its grade."""
    return f"{format_fact(fact)} ({fact.grade})"
