"""What random pairs are made of: tables, columns, links, conditions in several ways."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from drawing.phrases import DATES, FLAGS, MIXED, MONTHS, NULLS, NUMERIC, RATIOS, TEXTS, Ways
from drawing.tables import KEYS, LINKS, TABLES


@dataclass
class Words:
    """Draws the parts of queries."""

    random: Random

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def column(self, table: str, alias: str, kinds: str = "itufdr") -> str:
        names = [n for n, kind in TABLES[table].items() if kind in kinds] or list(TABLES[table])
        return f"{alias}.{self.random.choice(names)}"

    def table(self) -> str:
        return self.random.choice("aabbcdefggg")

    def key(self, table: str, alias: str) -> str:
        return f"{alias}.{KEYS.get(table, ('x',))[0]}"

    def link(self) -> tuple[str, str, str, str]:
        """Child, its column, parent, its column."""
        below, above = self.random.choice(LINKS)
        return (*below.split("."), *above.split("."))  # type: ignore[return-value]

    def condition(self, table: str, alias: str) -> str:
        return self.random.choice(self.conditions(table, alias))

    def conditions(self, table: str, alias: str) -> list[str]:
        """Ways to write a condition, not all alike."""
        kinds = TABLES[table]
        name = self.random.choice(list(kinds))
        other = self.column(table, alias, kinds[name])
        c, kind = f"{alias}.{name}", kinds[name]
        groups: list[Ways] = [NULLS]
        if kind in "if":
            groups += [NUMERIC, NUMERIC, FLAGS]
        elif kind == "r":
            groups += [NUMERIC, RATIOS]
        elif kind == "d":
            groups += [DATES, MONTHS, DATES]
        else:
            groups += [TEXTS, TEXTS, MIXED]
        return [text.replace("$o", other).replace("$", c) for text in self.random.choice(groups)]

    def where(self, table: str, alias: str, probability: float = 0.5) -> str:
        return f" WHERE {self.condition(table, alias)}" if self.chance(probability) else ""
