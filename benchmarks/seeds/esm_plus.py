"""ESM+: its Table 2 on Spider dev, and which of its rules are sound as stated (arXiv 2407.07313)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchmarks.seeds.published_esm_plus import kept
from benchmarks.seeds.spider_scores import is_at_hand, pairs, scores, seconds_spent, verdicts
from benchmarks.seeds.table import Cell, Paper, Table, absent, numbers, printed, rows_of

PRINTED = printed(__file__)
SYSTEMS: dict[str, str] = PRINTED["systems"]
"""The names of Table 2, and those of the prediction files."""


def table_2() -> Iterator[Table]:
    """The development set, a measure a table."""
    known = scores(list(SYSTEMS.values())) if is_at_hand() else {}
    for place, (measure, said) in enumerate(PRINTED["measures"].items()):
        cells = []
        for name, words in rows_of(PRINTED["numbers"]):
            own = known.get((SYSTEMS.get(name, ""), measure))
            cells.append(Cell(name, measure, numbers(words)[place], None if own is None else own.percent))
        spent = f"all measures took {seconds_spent():,.0f} s on one processor."
        how = f"{said['how']} Kept in `results/seeds.spider.jsonl`; {spent}"
        yield Table(**PRINTED["table_2"] | said | {"how": how}, cells=tuple(cells))


def beside_script() -> Iterator[Table]:
    """The agreement of ESM+ here with the published script, and the verdicts on the pairs where they part."""
    theirs = kept()
    if not theirs or not is_at_hand():
        for name in ("pair_by_pair", "apart"):
            how = PRINTED["pair_by_pair"]["how"]
            yield Table(PRINTED[name]["place"], "", how, missing="scores of the script.")
        return
    ours = scores(list(SYSTEMS.values()))
    cells: list[Cell] = []
    found: Counter[tuple[bool, str]] = Counter()
    for name, file in SYSTEMS.items():
        sides = list(zip(pairs(file), theirs[file], ours[file, "ESM+"].scores, strict=True))
        both = Counter((script, own) for _, script, own in sides)
        script = 100 * (both[True, True] + both[True, False]) / both.total()
        agree = 100 * (both[True, True] + both[False, False]) / both.total()
        cells += [
            Cell(name, "the script, percent", None, script),
            Cell(name, "agree, percent", None, agree),
            Cell(name, "script alone matches", None, both[True, False]),
            Cell(name, "esm+ alone matches", None, both[False, True]),
        ]
        differing = [(asked, script) for asked, script, own in sides if script != own]
        told = verdicts([asked for asked, _ in differing])
        found.update((script, verdict) for (_, script), verdict in zip(differing, told, strict=True))
    yield Table(cells=tuple(cells), **PRINTED["pair_by_pair"])
    rows = {True: "script alone matches", False: "esm+ alone matches"}
    columns = sorted({verdict for _, verdict in found})
    parted = tuple(Cell(rows[side], each, None, found[side, each]) for side in rows for each in columns)
    yield Table(cells=parted, **PRINTED["apart"])


def rules() -> Table:
    """Table 1: rules that are sound as the paper states them."""
    from equiv.rules.esm_plus import PROVED, listed

    sound = sum(entry.as_stated.verdict == PROVED for entry in listed("table_1"))
    cells = (
        Cell("rules", "listed", 20, len(listed("table_1"))),
        Cell("rules", "sound as stated", None, sound),
    )
    return Table(cells=cells, **PRINTED["table_1"])


def tables() -> Iterator[Table]:
    """All tables with numbers."""
    yield rules()
    yield from table_2()
    yield from beside_script()
    yield from absent(PRINTED["absent"])


PAPER = Paper("ESM+", "Ascoli, Kandikonda and Choi, ESM+, arXiv 2407.07313.", tables)
