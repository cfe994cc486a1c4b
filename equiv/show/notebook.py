"""A verdict in a notebook: HTML with a style of its own, which reaches nothing else on the page.

The style inherits colours and lays translucent ones over them, so that it is readable on a light and on a
dark page, whichever way the notebook has of being dark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files

from equiv.show.equivalences import derivation_blocks
from equiv.show.html import fold, html
from equiv.show.page import Block, Code, Text
from equiv.show.verdicts import attempts_of, summary_of, trouble_of
from equiv.verdict import Derivation, Equivalent, Verdict

LINES_OPEN = 6
"""How many lines of code are shown without being asked for."""


def notebook(verdict: Verdict) -> str:
    """The HTML of a verdict: what ``equiv check`` shows, and folded below it what ``equiv explain`` adds."""
    style = files("equiv.show").joinpath("notebook.css").read_text(encoding="utf-8")
    blocks = summary_of(verdict)
    if trouble := trouble_of(verdict):
        blocks.append(Text(trouble))
    tried = [replace(block, title="") for block in attempts_of(verdict)]
    title = f"What was tried, {verdict.ms:,.0f} ms"
    parts = [*_folding(blocks), *_steps(verdict), *([fold(title, tried)] if tried else [])]
    return "\n".join(('<div class="equiv-verdict">', f"<style>\n{style}</style>", *parts, "</div>"))


def _folding(blocks: list[Block]) -> Iterator[str]:
    """The blocks, long code folded below the line that announces it."""
    waiting: list[Block] = []
    for block in blocks:
        if isinstance(block, Code) and block.text.count("\n") >= LINES_OPEN and waiting:
            announced = waiting.pop()
            yield html(waiting)
            if isinstance(announced, Text):
                yield fold(announced.text.rstrip(":"), [block])
            else:
                yield html([announced, block])
            waiting = []
        else:
            waiting.append(block)
    yield html(waiting)


def _steps(verdict: Verdict) -> Iterator[str]:
    match verdict:
        case Equivalent(evidence=Derivation() as found):
            number = len(found.pred_steps) + len(found.gold_steps)
            blocks = derivation_blocks(found, lambda _: "")
        case _:
            return
    if number:
        yield fold(f"The derivation, {'1 step' if number == 1 else f'{number} steps'}", blocks)
