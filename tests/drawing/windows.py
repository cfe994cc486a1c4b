"""Random queries with window functions or GROUP_CONCAT, most of them inside another query."""

from __future__ import annotations

from drawing.shapes import SET_OPERATIONS, Shapes
from drawing.structures import Source

WINDOWS = (
    "ROW_NUMBER() OVER (ORDER BY {0})",
    "ROW_NUMBER() OVER (PARTITION BY {0} ORDER BY {1} DESC)",
    "RANK() OVER (PARTITION BY {0} ORDER BY {1})",
    "DENSE_RANK() OVER (ORDER BY {0})",
    "LAG({0}) OVER (ORDER BY {1})",
    "FIRST_VALUE({0}) OVER (PARTITION BY {1} ORDER BY {2})",
    "COUNT(*) OVER ()",
    "COUNT({0}) OVER (PARTITION BY {1})",
    "SUM({0}) OVER (ORDER BY {1})",
    "MAX({0}) OVER (PARTITION BY {1})",
    "COUNT(*) FILTER (WHERE {0} = 1) OVER ()",
)
SEPARATOR = ", '-'"
LIMITS = ("", " LIMIT 1", " LIMIT 2", " LIMIT 0", " LIMIT -1", " LIMIT 2 OFFSET 1", " LIMIT -1 OFFSET 1")


class Windows(Shapes):
    """Makes queries around a window or a concatenation."""

    def columns_of(self, sources: list[Source], number: int = 3) -> list[str]:
        reads = [r[0] for r in self.reads(sources)]
        return [self.random.choice(reads) for _ in range(number)]

    def join_of(self, number: int = 2) -> tuple[str, list[Source]]:
        """A FROM clause over linked tables, and its sources."""
        made = [self.table()]
        text = self.froms[made[0].alias]
        for _ in range(number - 1):
            other = self.table(self.pick(*self.neighbours(self.random.choice(made))))
            word = self.pick("JOIN", "JOIN", "LEFT JOIN")
            text += f" {word} {self.froms[other.alias]} ON {self.link(made, other)}"
            made.append(other)
        return text, made

    def windowed_source(self) -> str:
        froms, sources = self.join_of(self.random.choice((1, 1, 2)))
        one, two, three = self.columns_of(sources)
        call = self.pick(*WINDOWS).format(one, two, three)
        inner = f"SELECT {self.word(0.2)}{self.columns_of(sources, 1)[0]} AS v, {call} AS w FROM {froms}"
        inner += self.filter(sources)
        if self.chance(0.25):
            more, others = self.join_of(1)
            shown = ", ".join(self.columns_of(others, 2))
            inner += f" {self.pick(*SET_OPERATIONS)} SELECT {shown} FROM {more}"
        tests = ("", "", " WHERE win.w = 1", " WHERE win.v = 1", " WHERE win.v IS NOT NULL AND win.w <= 2")
        if self.chance(0.3):
            other = self.table()
            froms = f"win {self.pick('JOIN', 'LEFT JOIN')} {self.froms[other.alias]} ON win.v = "
            froms += f"{self.columns_of([other], 1)[0]}"
            shown = f"{self.pick('win.v', 'win.w', *self.columns_of([other], 1))}"
        else:
            froms, shown = "win", self.pick("win.v", "win.w", "win.v, win.w", "COUNT(*)", "MAX(win.w)")
        end = self.pick("", "", self.pick(*LIMITS), " ORDER BY 1" + self.pick(*LIMITS))
        if self.chance(0.2) and "(" not in shown:
            end = f" GROUP BY {shown}"
        outer = f"SELECT {self.word()}{shown} FROM {froms}{self.pick(*tests)}{end}"
        if self.chance(0.4):
            return f"WITH win AS ({inner}) {outer}"
        return outer.replace("FROM win", f"FROM ({inner}) AS win", 1)

    def concatenated(self) -> str:
        froms, sources = self.join_of(self.random.choice((1, 2)))
        one, two, three = self.columns_of(sources)
        word = self.word(0.4)
        call = f"GROUP_CONCAT({word}{one}{'' if word else self.pick('', SEPARATOR)})"
        where = self.filter(sources)
        forms = (
            f"SELECT {call} FROM {froms}{where}",
            f"SELECT {two}, {call} FROM {froms}{where} GROUP BY {two}",
            f"SELECT q.v FROM (SELECT {call} AS v, {two} AS k FROM {froms}{where} GROUP BY {two}) AS q",
            f"SELECT GROUP_CONCAT(q.v) FROM (SELECT {self.word(0.5)}{one} AS v FROM {froms}{where}) AS q",
            f"SELECT MAX(q.v) FROM (SELECT {call} AS v FROM {froms}{where} GROUP BY {three}) AS q",
            f"SELECT {two} FROM {froms}{where} GROUP BY {two} HAVING {call} IS NOT NULL",
        )
        return self.pick(*forms)
