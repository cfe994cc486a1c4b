"""Blocks on a terminal or in a pipe, with rich, and as Markdown in the flavour of GitHub; how far a run is.

Everything shown may come from a model: control characters are escaped, and nothing is read as rich markup.
A pipe, NO_COLOR and TERM=dumb get plain text; lines of SQL are never wrapped. In Markdown hidden
characters are written out, and whatever would be markup, a link, a mention or HTML is escaped.

A verdict survives its standard streams: what cannot be written degrades, and never raises as it is.

A run shows a bar on a terminal, and below it pace, time left, verdicts and money so far.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from time import perf_counter
from typing import IO, TYPE_CHECKING, TextIO

from equiv.show.page import Beside, Block, Code, Diff, Grid, Heading, Headline, Text, escape, fenced
from equiv.verdict import VERDICTS

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table


_FALLBACK = "backslashreplace"
_NEVER_RAISE = ("replace", "xmlcharrefreplace", "namereplace", "ignore")


class _Pipe(io.FileIO):
    """A stream that takes what nobody reads any more, quietly."""

    def write(self, data: object) -> int:
        try:
            return super().write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            return memoryview(data).nbytes  # type: ignore[arg-type]


def open_standard_streams() -> None:
    """Make the standard streams of a program sound; to be called once, when it begins.

    One that is closed leads nowhere.  Characters that the encoding of the output
    lacks are written as escapes.  A broken pipe is no error.
    """
    _open_closed(range(3))
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout, sys.stderr = _renewed(sys.stdout, 1), _renewed(sys.stderr, 2)


def _open_closed(descriptors: Iterable[int]) -> None:
    """Let closed descriptors lead nowhere, so that nothing else is opened as one of them."""
    for descriptor in descriptors:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free


def _renewed(stream: TextIO | None, descriptor: int) -> TextIO:
    if isinstance(stream, io.TextIOWrapper) and stream.isatty():
        stream.reconfigure(errors=_FALLBACK)
        return stream
    encoding, errors = (stream.encoding, stream.errors) if stream is not None else ("utf-8", None)
    return io.TextIOWrapper(
        io.BufferedWriter(_Pipe(descriptor, "w", closefd=False)),
        encoding=encoding,
        errors=errors if errors in _NEVER_RAISE else _FALLBACK,
        line_buffering=descriptor == 2,
    )


def leave_standard_output() -> None:
    """Write out what is buffered; what fails now goes nowhere, instead of failing again at the very end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


PIPE_WIDTH = 10_000
"""Columns of an output that is not a terminal: tables are never folded there."""

VERDICT_STYLES = {
    "equivalent": "bold green",
    "not_equivalent": "bold red",
    "undecided": "bold yellow",
    "invalid": "bold magenta",
}
DIFF_STYLES = {"-": "red", "+": "green", " ": "dim"}
MARKED = "bold red"
"""The style of a cell that stands out; without colours it is starred."""

GAP = 4
"""How many columns are between two tables next to each other."""


def show(blocks: Sequence[Block], stream: IO[str]) -> None:
    """Print the blocks one below the other; without rich, which takes time to load, where text will do."""
    if not _is_plain(stream) or any(isinstance(block, Grid | Beside) for block in blocks):
        render(blocks, console_for(stream))
        return
    for block in blocks:
        stream.writelines(f"{line}\n" for line in _plain_lines(block))


def _plain_lines(block: Block) -> Iterator[str]:
    match block:
        case Headline():
            yield f"{block.verdict}  {escape(block.rest)}"
        case Heading() | Text():
            yield escape(block.text)
        case Code():
            yield _indented(escape(block.text, keep="\n\t")).expandtabs()
        case Diff():
            yield escape(block.title)
            for sign, text in block.lines:
                yield _diff_line(sign, text)


def _diff_line(sign: str, text: str) -> str:
    return f"  {sign} {escape(text)}".rstrip()


def _is_plain(stream: IO[str]) -> bool:
    return not stream.isatty() or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def console_for(stream: IO[str]) -> Console:
    """A console on a stream, without colours where none are wanted."""
    from rich.console import Console

    plain = _is_plain(stream)
    return Console(
        file=stream,
        color_system=None if plain else "auto",
        force_terminal=False if plain else None,
        width=None if stream.isatty() else PIPE_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )


def render(blocks: Iterable[Block], console: Console) -> None:
    """Print the blocks one below the other."""
    from rich.text import Text as RichText

    for block in blocks:
        match block:
            case Headline():
                line = RichText(
                    block.verdict, style=VERDICT_STYLES.get(block.verdict.partition(" ")[0], "bold")
                )
                console.print(line.append(f"  {escape(block.rest)}", style="not bold default"))
            case Heading():
                console.print(RichText(f"\n{escape(block.text)}", style="bold underline"))
            case Text():
                console.print(RichText(escape(block.text)))
            case Code():
                console.print(RichText(_indented(escape(block.text, keep="\n\t")), style="cyan"))
            case Grid():
                console.print(_table(block, plain=console.color_system is None))
            case Beside():
                _print_beside(block, console)
            case Diff():
                console.print(RichText(escape(block.title), style="bold"))
                for sign, text in block.lines:
                    console.print(RichText(_diff_line(sign, text), style=DIFF_STYLES[sign]))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))


def _print_beside(both: Beside, console: Console) -> None:
    """Two tables next to each other if a terminal has the room; without colours, what differs is starred."""
    from rich.table import Table
    from rich.text import Text as RichText

    plain = console.color_system is None
    titles = [RichText(escape(grid.title), style="" if plain else "bold") for grid in (both.left, both.right)]
    tables = [_table(replace(grid, title=""), plain=plain) for grid in (both.left, both.right)]
    widths = [
        max(title.cell_len, console.measure(table).maximum)
        for title, table in zip(titles, tables, strict=True)
    ]
    if console.is_terminal and sum(widths) + GAP <= console.width:
        beside = Table.grid(padding=(0, GAP, 0, 0), pad_edge=False)
        beside.add_row(*titles)
        beside.add_row(*tables)
        console.print(beside)
    else:
        for grid, title, table in zip((both.left, both.right), titles, tables, strict=True):
            console.print(title)
            if grid.rows:
                console.print(table)
    if plain and (both.left.marks or both.right.marks):
        console.print(RichText("* differs"))


def _table(grid: Grid, *, plain: bool) -> Table:
    from rich.box import ASCII2, SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text as RichText

    table = Table(
        title=RichText(escape(grid.title)) if grid.title else None,
        title_justify="left",
        title_style="bold",
        show_edge=plain,
        box=ASCII2 if plain else SIMPLE_HEAD,
    )
    for column in grid.columns:
        table.add_column(RichText(escape(column)), overflow="fold")
    for number, row in enumerate(grid.rows):
        marked = [(number, place) in grid.marks for place in range(len(row))]
        table.add_row(
            *(
                RichText(escape(cell) + (" *" if plain and mark else ""), style=MARKED if mark else "")
                for cell, mark in zip(row, marked, strict=True)
            )
        )
    return table


@contextmanager
def progress_on(console: Console, total: int, done: int, what: str = "pairs") -> Iterator[Callable[[], None]]:
    """A progress bar with the time left, on a terminal only; gives what is to be called per pair done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        f"{what},",
        TimeElapsedColumn(),
        "so far, left",
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total, completed=done)
        yield lambda: progress.advance(task)


_ACTIVE = re.compile(r"[\\`*_\[\]<>&|~#@!$^]|(?<=[a-z]):(?=//)|(?<=www)\.", re.IGNORECASE)
"""What may open markup; a colon or a dot only where a bare address would become a link."""

_OPENING = re.compile(r"^(\s*)([-+=]|\d+[.)])")
"""What would make a line a list, or the line above it a heading."""

_NUMBER = re.compile(r"[-+]?(?:[\d,]*\d|[\d,]*+\.\d+)( ?%| [\[(].*)?|-|")


def markdown(blocks: Iterable[Block]) -> str:
    """The text of a Markdown file."""
    return "\n\n".join("\n".join(_lines(block)) for block in blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Headline():
            yield f"**{_plain(block.verdict)}** {_plain(block.rest)}"
        case Heading():
            yield f"## {_plain(block.text)}"
        case Text():
            yield _OPENING.sub(r"\1\\\2", _plain(block.text))
        case Code():
            yield fenced(escape(block.text, keep="\n\t"), "sql")
        case Diff():
            yield f"**{_plain(block.title)}**"
            yield ""
            yield fenced("\n".join(f"{sign} {escape(text)}" for sign, text in block.lines), "diff")
        case Grid():
            yield from _table_lines(block)
        case Beside():
            yield from _table_lines(block.left)
            yield ""
            yield from _table_lines(block.right)


def _plain(text: str) -> str:
    return _ACTIVE.sub(r"\\\g<0>", escape(text))


def _table_lines(grid: Grid) -> Iterator[str]:
    if grid.title:
        yield f"**{_plain(grid.title)}**"
        yield ""
    columns = zip(*grid.rows, strict=True) if grid.rows else ((),) * len(grid.columns)
    yield _row(grid.columns)
    yield _row(["---:" if is_numeric(cells) else "---" for cells in columns], escaped=True)
    for number, row in enumerate(grid.rows):
        cells = [
            f"**{_plain(cell)}**" if (number, place) in grid.marks else _plain(cell)
            for place, cell in enumerate(row)
        ]
        yield _row(cells, escaped=True)


def _row(cells: Iterable[str], *, escaped: bool = False) -> str:
    return f"| {' | '.join(cells if escaped else map(_plain, cells))} |"


def is_numeric(cells: Iterable[str]) -> bool:
    """Whether the cells of a column are numbers, maybe with a unit or an interval, or missing."""
    known = list(cells)
    return any(known) and all(_NUMBER.fullmatch(cell) for cell in known)


@dataclass
class Progress:
    """The progress of a run."""

    total: int
    """Pairs in all."""
    resumed: int
    """Those whose records stood before."""
    spent: Callable[[], str] = str
    """What the judge has cost so far, or ''."""
    checked: int = 0
    """Pairs that this run has done."""
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Those of all pairs so far, with the tiers that settled them."""

    def add(self, verdict: str, tier: str | None, *, resumed: bool = False) -> None:
        """Take in what one pair came to."""
        self.verdicts[verdict, tier or ""] += 1
        self.checked += not resumed

    @property
    def done(self) -> int:
        """Pairs that need nothing more."""
        return self.resumed + self.checked

    def told(self, seconds: float) -> str:
        """Pace, time left, verdicts by tier and money, after so many seconds."""
        parts = [pace(self.checked, self.total - self.done, seconds), funnel(self.verdicts), self.spent()]
        return "; ".join(part for part in parts if part)


def pace(checked: int, left: int, seconds: float) -> str:
    """Pairs a second so far, and how long the rest takes at that pace."""
    if not checked or seconds <= 0:
        return ""
    rest = timedelta(seconds=round(left * seconds / checked))
    return f"{checked / seconds:.1f} pairs/s, {rest} left"


def funnel(verdicts: Mapping[tuple[str, str], int]) -> str:
    """Verdicts with their counts, and by tier where several settled them."""
    parts = []
    for verdict in VERDICTS:
        tiers = {tier: count for (own, tier), count in verdicts.items() if own == verdict}
        if tiers:
            named = ", ".join(f"{tier} {count:,}" for tier, count in sorted(tiers.items()) if tier)
            parts.append(f"{verdict} {sum(tiers.values()):,}" + (f" ({named})" if len(tiers) > 1 else ""))
    return ", ".join(parts)


@contextmanager
def shown_on(console: Console, progress: Progress) -> Iterator[None]:
    """Show it while it changes, on a terminal only."""
    if not console.is_terminal:
        yield
        return

    from rich import progress as rich
    from rich.text import Text

    start = perf_counter()

    class Shown(rich.Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            for task in self.tasks:
                task.completed = progress.done
            yield self.make_tasks_table(self.tasks)
            yield Text(progress.told(perf_counter() - start))

    columns = (rich.BarColumn(), rich.MofNCompleteColumn(), "pairs,", rich.TimeElapsedColumn(), "so far")
    with Shown(*columns, console=console) as display:
        display.add_task("pairs", total=progress.total, completed=progress.done)
        yield
