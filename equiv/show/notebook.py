"""A verdict in a notebook: HTML with a style of its own, which reaches nothing else on the page.

The style inherits colours and lays translucent ones over them, so that it is readable on a light and on a
dark page, whichever way the notebook has of being dark.  There is no script and no link, and it says the
same without its style.  Everything shown may come from a model: hidden characters are written out, and
markup is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape as escape_markup

from equiv.files import own_file
from equiv.show.evidence import derivation_blocks
from equiv.show.page import Beside, Block, Code, Diff, Grid, Heading, Headline, Text, escape
from equiv.show.verdicts import attempts_of, summary_of, trouble_of
from equiv.verdict import VERDICTS, Derivation, Equivalent, Verdict

LINES_OPEN = 6
"""How many lines of code are shown without being asked for."""

_LAID_OUT = "\n\t"
_CHANGES = {"-": "del", "+": "ins"}


def notebook(verdict: Verdict) -> str:
    """The HTML of a verdict: what ``equiv check`` shows, and folded below it what ``equiv explain`` adds."""
    style = own_file(__file__, "notebook.css")
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


def html(blocks: Iterable[Block]) -> str:
    """The blocks, one below the other."""
    return "\n".join(_html(block) for block in blocks)


def fold(title: str, blocks: Iterable[Block]) -> str:
    """Blocks below a title that opens them."""
    return f"<details><summary>{plain(title)}</summary>\n{html(blocks)}\n</details>"


def plain(text: str, keep: str = "") -> str:
    """A text as text."""
    return escape_markup(escape(text, keep))


def _html(block: Block) -> str:
    match block:
        case Headline():
            name = block.verdict.partition(" ")[0]
            kind = name if name in VERDICTS else "other"
            return (
                f'<p class="headline {kind}"><strong>{plain(block.verdict)}</strong> {plain(block.rest)}</p>'
            )
        case Heading():
            return f"<h4>{plain(block.text)}</h4>"
        case Text():
            return f"<p>{plain(block.text)}</p>"
        case Code():
            return f"<pre>{plain(block.text, _LAID_OUT)}</pre>"
        case Grid():
            return _table(block)
        case Beside():
            return f'<div class="beside">{_table(block.left)}{_table(block.right)}</div>'
        case Diff():
            return f"<p>{plain(block.title)}</p><pre>{''.join(_changes(block))}</pre>"


def _table(grid: Grid) -> str:
    title = f"<caption>{plain(grid.title)}</caption>" if grid.title else ""
    head = "".join(f"<th>{plain(column)}</th>" for column in grid.columns)
    body = "".join(
        f"<tr>{''.join(_cell(cell, (row, place) in grid.marks) for place, cell in enumerate(cells))}</tr>"
        for row, cells in enumerate(grid.rows)
    )
    heading = f"<thead><tr>{head}</tr></thead>" if head else ""
    return f'<div class="scroll"><table>{title}{heading}<tbody>{body}</tbody></table></div>'


def _cell(text: str, marked: bool) -> str:
    return f"<td><mark>{plain(text)}</mark></td>" if marked else f"<td>{plain(text)}</td>"


def _changes(diff: Diff) -> Iterator[str]:
    """The lines of a diff, their signs kept: a reader may see neither colours nor styles."""
    for sign, text in diff.lines:
        line = f"{sign} {plain(text)}".rstrip()
        tag = _CHANGES.get(sign)
        yield f"<{tag}>{line}</{tag}>\n" if tag else f"{line}\n"
