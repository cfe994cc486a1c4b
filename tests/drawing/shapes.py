"""Random queries of the shapes that structural rules look for."""

from __future__ import annotations

from drawing.structures import COMPARISONS, Maker

SET_OPERATIONS = ("UNION", "UNION", "UNION ALL", "INTERSECT", "INTERSECT", "EXCEPT")


class Shapes(Maker):
    """Makes queries of which half have a shape that some rule looks for."""

    def query(self) -> str:
        return self.shaped() if self.chance(0.5) else super().query()

    def shaped(self) -> str:
        shapes = (
            self.wrapped,
            self.wrapped_groups,
            self.counted,
            self.grouped_join,
            self.members,
            self.extreme,
            self.operands,
            self.anti_join,
            self.ordered,
            self.first_value,
            self.own_row,
            self.windowed,
        )
        return self.random.choice(shapes)()

    def wrapped(self) -> str:
        one, two = self.table(), self.table()
        width = self.random.choice((1, 2))
        left, right = ([self.random.choice(self.reads([s]))[0] for _ in range(width)] for s in (one, two))
        named = ", ".join(f"{x} AS w{n}" for n, x in enumerate(left))
        inner = (
            f"SELECT {named} FROM {self.froms[one.alias]}{self.filter([one])} {self.pick(*SET_OPERATIONS)}"
            f" SELECT {', '.join(right)} FROM {self.froms[two.alias]}{self.filter([two])}"
        )
        shown = [f"q.w{n}" for n in range(width)]
        self.random.shuffle(shown)
        where = self.pick("", "", f" WHERE q.w0 {self.pick(*COMPARISONS)} 1")
        return f"SELECT {self.word()}{', '.join(shown)} FROM ({inner}) AS q{where}{self.ending(shown)}"

    def wrapped_groups(self) -> str:
        text, made = self.derived(1)
        values = [f"{made.alias}.{n}" for n in made.kinds]
        shown = [self.pick(*values, f"COALESCE({values[0]}, 0)") for _ in range(self.random.randint(1, 2))]
        rest = f"{self.filter([made])}{self.ending(values)}"
        return f"SELECT {self.word()}{', '.join(shown)} FROM ({text}) AS {made.alias}{rest}"

    def counted(self) -> str:
        table = self.table()
        column = self.random.choice(self.reads([table]))[0]
        inner = f"SELECT {self.word(0.8)}{column} AS v FROM {self.froms[table.alias]}{self.filter([table])}"
        call = self.pick("COUNT(*)", "COUNT(*)", "COUNT(q.v)", "MAX(q.v)", "COUNT(DISTINCT q.v)", "SUM(q.v)")
        ends = (" HAVING COUNT(*) > 1", " LIMIT 1", " ORDER BY COUNT(*)", " HAVING MAX(q.v) = 1")
        return f"SELECT {call} FROM ({inner}) AS q{self.pick('', '', *ends)}"

    def grouped_join(self) -> str:
        child, column, parent, target = self.linked()
        below, above = self.table(child), self.table(parent)
        sources = [below, above] + ([self.table()] if self.chance(0.2) else [])
        upper, lower = f"{above.alias}.{target}", f"{below.alias}.{column}"
        keys = [self.pick(upper, lower), *(self.some(sources, 1) if self.chance(0.3) else [])]
        choices = (keys[0], *self.some([above], 1), *self.some(sources, 1), self.aggregate(sources))
        shown = [self.pick(*choices) for _ in range(self.random.randint(1, 2))]
        froms = ", ".join(self.froms[s.alias] for s in sources)
        calls = (f"{self.aggregate([below])} > 1", f"{self.aggregate(sources)} = 1", "COUNT(*) >= 1")
        return (
            f"SELECT {self.word(0.2)}{', '.join(shown)} FROM {froms}"
            f"{self.filter([below, above], f'{upper} = {lower}')} GROUP BY {', '.join(keys)}"
            f" HAVING {self.pick(*calls, f'{keys[-1]} = 1')}{self.ending([keys[0]])}"
        )

    def members(self) -> str:
        child, column, parent, target = self.linked()
        below, above = self.table(child), self.table(parent)
        member, key = f"{below.alias}.{column}", f"{above.alias}.{target}"
        groups = (f" GROUP BY {member} HAVING {self.aggregate([below])} >= 1", f" GROUP BY {member}")
        froms = f"{self.froms[below.alias]}{self.filter([below])}{self.pick('', *groups)}"
        inner = f"SELECT {self.word(0.1)}{member} FROM {froms}"
        if self.chance(0.25):
            other = self.table()
            more = f"SELECT {self.some([other], 1)[0]} FROM {self.froms[other.alias]}"
            inner += f" {self.pick('UNION', 'UNION ALL', 'EXCEPT')} {more}"
        shown = self.pick(key, key, f"{key}, {key}", *self.some([above]))
        test = f"{key} {self.pick('', '', 'NOT ')}IN ({inner})"
        where = self.filter([above], test) if self.chance(0.4) else f" WHERE {test}"
        return f"SELECT {self.word()}{shown} FROM {self.froms[above.alias]}{where}{self.ending([key])}"

    def extreme(self) -> str:
        outer = self.table()
        inner = self.table(next(iter(outer.stored.values())).split(".")[0])
        column = self.pick(*outer.kinds, *(k for k in outer.kinds if k in ("id", "x", "code")))
        condition = self.simple([outer])
        both = self.chance(0.5)
        same = condition.replace(outer.alias + ".", inner.alias + ".")
        where = f" WHERE {same}" if both or self.chance(0.2) else ""
        value = f"SELECT {self.pick('MAX', 'MIN')}({inner.alias}.{column})"
        test = f"{outer.alias}.{column} = ({value} FROM {self.froms[inner.alias]}{where})"
        if both or self.chance(0.2):
            test += f" AND {condition}"
        shown = self.some([outer])
        end = self.ending(shown) if self.chance(0.3) else ""
        return f"SELECT {self.word()}{', '.join(shown)} FROM {self.froms[outer.alias]} WHERE {test}{end}"

    def operands(self) -> str:
        sources = [self.table()]
        common = []
        if self.chance(0.4):
            other = self.table(self.pick(*self.neighbours(sources[0])))
            common = [self.link(sources, other)]
            sources.append(other)
        shown = self.some(sources, 2)
        if self.chance(0.5):
            shown = [f"{s.alias}.{next(iter(s.kinds))}" for s in sources]
        froms = ", ".join(self.froms[s.alias] for s in sources)
        text = ""
        for number in range(self.random.choice((2, 2, 2, 3))):
            part = f"SELECT {self.word(0.15)}{', '.join(shown)} FROM {froms}{self.filter(sources, *common)}"
            for name in (s.alias for s in sources):
                part = part.replace(f"{name}.", f"{name}_{number}.")
                part = part.replace(f" AS {name}", f" AS {name}_{number}")
            text += f" {self.pick(*SET_OPERATIONS)} {part}" if text else part
        return text + self.pick("", "", " ORDER BY 1", " ORDER BY 1 DESC LIMIT 1")

    def anti_join(self) -> str:
        child, _, parent, _ = self.linked()
        sources = [self.table(child), self.table(parent)]
        self.random.shuffle(sources)
        one, two = sources
        on = self.link([one], two) + (f" AND {self.simple(sources)}" if self.chance(0.3) else "")
        joins = f"{self.froms[one.alias]} LEFT JOIN {self.froms[two.alias]} ON {on}"
        if self.chance(0.3):
            other = self.table()
            joins += (
                f" {self.pick('LEFT JOIN', 'JOIN')} {self.froms[other.alias]} ON {self.link(sources, other)}"
            )
            sources.append(other)
        test = f"{self.random.choice(self.reads([two]))[0]} IS {self.pick('', '', 'NOT ')}NULL"
        shown = self.some([one]) if self.chance(0.6) else self.some(sources)
        calls = [self.aggregate(sources)] if self.chance(0.2) else shown
        return f"SELECT {self.word()}{', '.join(calls)} FROM {joins}{self.filter([one], test)}"

    def ordered(self) -> str:
        table = self.table()
        sources = [table]
        links = []
        if self.chance(0.5):
            other = self.table(self.pick(*self.neighbours(table)))
            links = [self.link([table], other)]
            sources.append(other)
        shown = self.some(sources)
        keys = (f"{s.alias}.{next(iter(s.kinds))}" for s in sources)
        terms = [*self.some(sources), *shown, *keys]
        order = [self.pick(*terms) + self.pick("", " DESC") for _ in range(self.random.randint(1, 4))]
        froms = ", ".join(self.froms[s.alias] for s in sources)
        start = f"SELECT {self.word()}{', '.join(shown)} FROM {froms}{self.filter(sources, *links)}"
        return f"{start} ORDER BY {', '.join(order)}{self.pick('', ' LIMIT 1', ' LIMIT 2')}"

    def first_value(self) -> str:
        one, two = self.table(), self.table()
        column = self.random.choice(self.reads([two]))[0]
        froms = f"{self.froms[two.alias]}{self.filter([two])}"
        inner = (
            f"SELECT {self.word(0.2)}{column} FROM {froms} ORDER BY {column}{self.pick('', ' DESC')} LIMIT 1"
        )
        shown = self.some([one])
        if self.chance(0.4):
            return f"SELECT {shown[0]}, ({inner}) + 1 FROM {self.froms[one.alias]}"
        test = f"{self.some([one])[0]} {self.pick(*COMPARISONS)} ({inner})"
        return f"SELECT {', '.join(shown)} FROM {self.froms[one.alias]} WHERE {test}"

    def own_row(self) -> str:
        one = self.table()
        table = next(iter(one.stored.values())).split(".")[0]
        two = self.table(table)
        names = self.random.sample(list(one.kinds), self.random.randint(1, 2))
        if self.chance(0.6):
            names = ["p", "q"] if table == "e" else [next(iter(one.kinds))]
        link = " AND ".join(f"{one.alias}.{n} = {two.alias}.{n}" for n in names)
        if self.chance(0.5):
            shown, where = self.some([one, two]), self.filter([one, two])
            join = f"{self.pick('JOIN', 'LEFT JOIN')} {self.froms[two.alias]} ON {link}"
            return f"SELECT {self.word()}{', '.join(shown)} FROM {self.froms[one.alias]} {join}{where}"
        inner = f"SELECT 1 FROM {self.froms[two.alias]}{self.filter([two], link)}"
        start = f"SELECT {self.word()}{', '.join(self.some([one]))} FROM {self.froms[one.alias]}"
        return f"{start} WHERE {self.pick('', '', 'NOT ')}EXISTS ({inner})"

    def windowed(self) -> str:
        text, made = self.derived(1)
        sources = [made]
        join = ""
        if self.chance(0.5):
            other = self.table()
            join = (
                f" {self.pick('JOIN', 'LEFT JOIN')} {self.froms[other.alias]} ON {self.link([made], other)}"
            )
            sources.append(other)
        shown = f"{self.some(sources)[0]} AS a, {self.window(sources)} AS w"
        froms = f"({text}) AS {made.alias}{join}{self.filter(sources)}"
        inner = f"SELECT {self.word(0.2)}{shown} FROM {froms}"
        if self.chance(0.5):
            return (
                f"SELECT q.a FROM ({inner}) AS q WHERE {self.pick('q.w = 1', 'q.a = 1', 'q.a IS NOT NULL')}"
            )
        return inner
