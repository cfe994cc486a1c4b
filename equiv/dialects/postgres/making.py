"""What a script makes on the embedded server, object by object; what cannot be made takes what names it.

A statement that is refused for want of something waits, and with it all that follows about the same objects,
until what it wants exists.  What then still cannot be made is skipped, each object once:

- a table, a type or what alters one: with the tables and views that name it;
- a constraint: the table stays without it, and no database that is made refutes a pair that reads the table;
- a trigger, rule or policy: the table stays, and a remark of its own says what a verdict takes for granted;
- all else, such as a view or a function: by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from equiv.core.model import PassedOver, Schema, Table
from equiv.core.query import INCLUDED
from equiv.core.texts import name_in
from equiv.dialects.postgres.analysis.scope import CASTS
from equiv.dialects.postgres.ddl_statements import (
    OPERATOR,
    added_constraint,
    drops_part,
    fires_on_insert,
    goes_before,
    head_of,
    in_short,
    is_binding,
    kind_of,
    objects_of,
    said_name,
    table_of,
    types_of_cast,
    without_default,
    without_rows,
)
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.session_settings import (
    ORDER,
    REFUSED,
    TAKEN,
    cases_of,
    made_under,
)
from equiv.dialects.postgres.statements import SqlStatement, bare_name
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.protocol import settled
from equiv.dialects.typed.query_texts import code
from equiv.errors import InputError
from equiv.names import fold, folded

HELD = frozenset(("TABLE", "TYPE", "DOMAIN", "SCHEMA"))
"""What rows and their types depend on."""
_UNREAD = {
    "TRIGGER": "equiv does not run triggers",
    "CONSTRAINT TRIGGER": "equiv does not run triggers",
    "RULE": "equiv does not apply rules",
    "POLICY": "equiv reads rows as the table's owner does",
    "EVENT TRIGGER": "equiv does not run triggers",
}
_WHY_UNREAD = "not supported"
_OF_OWNER = "row-level security was skipped: its rows are read as the owner sees them"
_OF_PARTITION = "no partition of it is declared; its rows are in a default one"
_NOT_READ = "equiv does not read what a script runs from elsewhere"
_TEMPORARY = "a temporary table ends with its session"
_MISSING = frozenset(("42P01", "42704", "42883", "3F000", "42703", "42830"))
"""Codes of refusals for want of a table, a type, a function, a schema, a column or the key of a parent."""
_EXISTS_ALREADY, _SYNTAX = "42P06", "42601"
_NOT_FILLED = "55000"


@dataclass
class _Waiting:
    """A statement that is refused for want of something, or that one about the same object goes before."""

    statement: SqlStatement
    path: str
    """The statement by which names were found in its place."""
    wants: frozenset[str]
    """The names on which it may be tried again."""
    error: WireError | None = None


@dataclass
class ScriptReading:
    """The state of running a script."""

    sandbox: Sandbox
    notes: list[str] = field(default_factory=list)
    passed: list[PassedOver] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    hiding: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    """The statements that were taken and define something."""
    stated: dict[tuple[str, str], str] = field(default_factory=dict)
    """The values of settings by names and by what they are stated of: ``ALTER ROLE CLERK``, '', …."""
    waiting: list[_Waiting] = field(default_factory=list)
    remarks: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What a reader of a verdict should know, by bare names of tables."""
    lacking: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The constraints that tables lack, by bare names."""
    unchecked: set[str] = field(default_factory=set)
    """Bare names of the tables whose triggers are disabled, those of their foreign keys among them."""
    own_path: str = "SET search_path = public"
    """What the path is where the session states none."""
    _path: str = ""
    _gone: set[str] = field(default_factory=set)
    """Bare names of what is skipped: statements about it are, too, without a word."""

    def make(self, statement: SqlStatement) -> None:
        """Run a statement that defines something, or let it wait."""
        about = frozenset(objects_of(statement))
        before = next((w for w in self.waiting if goes_before(w.statement, statement)), None)
        if before is not None:
            self.waiting.append(_Waiting(statement, self._path, frozenset(objects_of(before.statement))))
            return
        try:
            self.define(statement)
        except WireError as error:
            if error.code in _MISSING and (plain := without_default(statement, error)):
                self._note("DEFAULT", f"of {said_name(statement)}", str(error), statement)
                self.make(plain)
            elif error.code in _MISSING and statement.words[0] != "DROP" and not drops_part(statement):
                self.waiting.append(_Waiting(statement, self._path, _words_of(error), error))
            else:
                self.refuse(statement, error)
        else:
            self._try_again(folded(about))

    def finish(self) -> None:
        """Try the waiting statements again until none of them succeeds, and skip the rest."""
        while self._try_again(None):
            pass
        left, self.waiting = self.waiting, []
        for each in left:
            error = each.error
            try:
                if error is None:
                    self._define_as_of(each)
            except WireError as refused:
                error = refused
            if error is not None:
                self.refuse(each.statement, error)
        for table, partition, bound in self.sandbox.wire.execute(_UNPARTED).rows:
            # Applications make partitions as time goes by, of which a script says nothing.
            if self.refusal(SqlStatement(f"CREATE TABLE {partition} PARTITION OF {table} {bound}")) is None:
                self.remarks[bare_name(str(table))].append(_OF_PARTITION)

    def _try_again(self, names: frozenset[str] | None) -> bool:
        """Whether anything that waits can be made, now that there are some names; None: any may help."""
        found, progress = False, True
        while progress and self.waiting:
            progress, held = False, list[SqlStatement]()
            for each in list(self.waiting):
                is_held = any(goes_before(other, each.statement) for other in held)
                if is_held or (names is not None and names.isdisjoint(each.wants)):
                    held.append(each.statement)
                    continue
                try:
                    self._define_as_of(each)
                except WireError as error:
                    each.error = error
                    each.wants = _words_of(error)
                    held.append(each.statement)
                else:
                    self.waiting.remove(each)
                    found = progress = True
                    if names is not None:
                        about = objects_of(each.statement)
                        names |= {*about, *(fold(name) for name in about)}
        return found

    def _define_as_of(self, waiting: _Waiting) -> None:
        """Run a statement under the search path of its place in the script."""
        now = self._path
        if waiting.path != now:
            self.set_path(waiting.path or self.own_path)
        try:
            self.define(waiting.statement)
        finally:
            if waiting.path != now:
                self.set_path(now or self.own_path)

    def set_path(self, statement: str) -> None:
        """Let names without a schema mean what a statement says."""
        self._path = statement
        self.made.append(statement)
        self.sandbox.set_path(statement)

    def define(self, statement: SqlStatement) -> None:
        """Run a statement that defines something.

        Raises:
            WireError: PostgreSQL refuses it.
        """
        # Within a transaction an index is made at once.
        text = _CONCURRENTLY.sub(r"\1", statement.bare)
        try:
            self.sandbox.define(text)
        except WireError as error:
            if error.code != _NOT_FILLED or statement.words[1] != "MATERIALIZED":
                raise
            text = f"{text} WITH NO DATA"
            self.sandbox.define(text)
        self.made.append(text)

    def refusal(self, statement: SqlStatement) -> WireError | None:
        """Run a statement; why PostgreSQL refuses it, if it does."""
        try:
            self.define(statement)
        except WireError as error:
            return error
        return None

    def refuse(self, statement: SqlStatement, error: WireError) -> None:
        """Leave out what a statement, which PostgreSQL refuses, is about."""
        kind, why = kind_of(statement), str(error)
        signs = "".join(statement.bare[start:end] for start, end in code(statement.bare))
        if error.code == _SYNTAX and signs.count("(") > signs.count(")"):
            raise InputError(f"a parenthesis is not closed (line {statement.line}): {in_short(statement)}")
        if error.code == _EXISTS_ALREADY and kind == "SCHEMA":
            return
        if statement.words[0] == "ALTER":
            if not self._gone.isdisjoint(objects_of(statement)) or not is_binding(statement):
                return
            if error.code in _MISSING and drops_part(statement):
                self._forget(statement)
                return
            if constraint := added_constraint(statement):
                self._loosen(statement, *constraint, why)
            else:
                self.leave_out(statement, why)
        elif statement.words[0] == "DROP":
            return
        elif kind in HELD:
            self.leave_out(statement, why)
        elif kind == "UNIQUE INDEX":
            self._loosen(statement, "unique index", said_name(statement), why)
        else:
            self.pass_over(statement, why)

    def pass_over(self, statement: SqlStatement, why: str = "") -> None:
        """Note a statement, and the name that it would have defined."""
        kind, table = kind_of(statement), table_of(statement)
        if table and bare_name(table) in self._gone:
            return
        name = said_name(statement)
        why = why or _UNREAD.get(kind, _WHY_UNREAD)
        self._note(kind, f"{name} on {table}" if table else name, why, statement)
        sign = OPERATOR.match(statement.bare)
        called = sign[1] if sign else name_in(statement.bare)
        if kind == "INDEX":
            return
        if kind == "DO":
            self._doubt(statement)
            return
        self.withheld.append(called)
        if kind in ("TRIGGER", "CONSTRAINT TRIGGER") and fires_on_insert(statement):
            said = f"the trigger {name} was skipped: rows are assumed to stay as inserted"
            self.remarks[bare_name(table)].append(said)
        elif kind == "RULE" and table:
            said = f"the rule {name} was skipped: statements on the table are assumed to run as written"
            self.remarks[bare_name(table)].append(said)
        elif kind == "POLICY" and table:
            self.remarks[bare_name(table)].append(_OF_OWNER)
        types = types_of_cast(statement.bare)
        if _CALLED.match(statement.bare):
            self.hiding.append(called)
        elif types and not self._defined().intersection(map(bare_name, types)):
            self.hiding.append(CASTS)

    def _doubt(self, block: SqlStatement) -> None:
        """Let the tables that a block names, which is not run, say so."""
        words = _words_of(block.bare)
        line = f" on line {block.line}" * bool(block.line)
        said = f"a block{line} was skipped; it may change this table"
        for name in map(bare_name, self._relations()):
            if fold(name) in words:
                self.remarks[name].append(said)

    def pass_over_security(self, statement: SqlStatement) -> None:
        """Note a statement that lets policies hide the rows of a table."""
        table = said_name(statement)
        if "ENABLE" in head_of(statement) and bare_name(table) not in self._gone:
            self.remarks[bare_name(table)].append(_OF_OWNER)
            self._note("ROW-LEVEL SECURITY", table, _UNREAD["POLICY"], statement)

    def pass_over_temporary(self, statement: SqlStatement) -> None:
        """Note a temporary table, which is not a part of what is there when the script has ended."""
        self._note("TEMPORARY TABLE", said_name(statement), _TEMPORARY, statement)
        self._gone.update(objects_of(statement))
        self.withheld += [fold(each) for each in objects_of(statement)]

    def pass_over_included(self, statement: SqlStatement) -> None:
        """Note a command that runs what the script does not say: it may make anything."""
        self._note(INCLUDED, in_short(statement), _NOT_READ, statement)
        self.withheld.append(INCLUDED)

    def _note(
        self, kind: str, name: str, why: str, statement: SqlStatement, lost: Iterable[str] = ()
    ) -> None:
        found = PassedOver(kind.lower(), name, why, statement.line, tuple(lost))
        if all((each.kind, each.name) != (found.kind, found.name) for each in self.passed):
            self.passed.append(found)

    def _loosen(self, statement: SqlStatement, kind: str, name: str, why: str) -> None:
        """Let the table of a constraint that cannot be made stand without it."""
        table = table_of(statement) or said_name(statement)
        if bare_name(table) in self._gone:
            return
        if bare_name(table) not in map(bare_name, self._relations()):
            self.leave_out(statement, why)
            return
        self._note(kind, f"{name} on {table}" if name else f"of {table}", why, statement)
        self.lacking[bare_name(table)].append(f"{kind} {name}".strip())

    def _forget(self, statement: SqlStatement) -> None:
        """Let a table lack no longer what a statement drops."""
        words = folded(head_of(statement))
        for name in objects_of(statement):
            kept = [each for each in self.lacking[name] if fold(each.rpartition(" ")[2]) not in words]
            lost = {each for each in self.lacking[name] if each not in kept}
            self.lacking[name] = kept
            self.passed = [
                each
                for each in self.passed
                if f"{each.kind} {each.name.partition(' on ')[0]}" not in lost or each.bare not in words
            ]

    def _defined(self) -> set[str]:
        """The bare names of what the statements that were taken define or change."""
        return {name for each in self.made for name in objects_of(SqlStatement(each))}

    def state(self, statement: SqlStatement) -> None:
        """Let what follows mean what it does under the setting that a statement states."""
        found = self.sandbox.set(statement.bare)
        if found is None:
            self.notes.append(f"skipped: {in_short(statement)}")
        elif found[0] == REFUSED and found[1] != TAKEN[REFUSED]:
            raise InputError(f"only {REFUSED} = {TAKEN[REFUSED]} is supported: {in_short(statement)}")
        else:
            of = " ".join(_SET.split(statement.bare, maxsplit=1)[0].upper().split())
            cases = cases_of(statement.bare) if found[0] == ORDER else None
            self.stated |= {(name, of): value for name, value in filter(None, (found, cases))}

    def refuse_of_server(self, statement: SqlStatement, error: WireError) -> None:
        """Leave out what a statement of a server's catalogue is about; nothing depends on a default."""
        if statement.words[0] != "ALTER" or " SET DEFAULT " not in statement.bare:
            self.refuse(statement, error)

    def leave_out(self, statement: SqlStatement, why: str) -> None:
        """Leave out the tables that a refused statement is about, and what names them."""
        before, keys = self._relations(), self._foreign_keys()
        about = objects_of(statement)
        for name in [each for each in before if bare_name(each) in about or self._has_type(each, about)]:
            if name in self._relations():
                self.define(SqlStatement(f"DROP {_dropping(before[name])} {name} CASCADE"))
        after = self._relations()
        lost = before.keys() - after.keys()
        for table, key, parent in keys - self._foreign_keys():
            if table in after:
                said = f"its foreign key {key} to {parent}, which was skipped, is assumed to hold"
                self.remarks[bare_name(table)].append(said)
        own = {bare_name(each) for each in objects_of(statement)[:1]}
        self._note(
            kind_of(statement),
            said_name(statement),
            why,
            statement,
            sorted(each for each in lost if bare_name(each) not in own),
        )
        self._gone.update(objects_of(statement), map(bare_name, lost))
        self.withheld += [fold(each) for each in (*objects_of(statement), *map(bare_name, lost))]

    def marked(self, schema: Schema) -> Schema:
        """A schema whose tables say what was skipped of them."""
        return replace(
            schema,
            tables=tuple(map(self._marked, schema.tables)),
            passed=tuple(sorted((*self._told(), *schema.passed), key=lambda each: each.line)),
            notes=tuple(dict.fromkeys((*self.notes, *schema.notes))),
            withheld=tuple(dict.fromkeys(filter(None, (*self.withheld, *schema.withheld)))),
            hiding=tuple(dict.fromkeys(self.hiding)),
        )

    def _told(self) -> Iterator[PassedOver]:
        """What was skipped but for parts of tables that are left out themselves."""
        for each in self.passed:
            part, _, table = each.name.partition(" on ")
            if part == each.name or bare_name(table) not in self._gone:
                yield each

    def _marked(self, table: Table) -> Table:
        name = (table.earlier.table if table.earlier else table.name).rpartition(".")[2]
        remarks = dict.fromkeys(filter(None, (table.remark, *self.remarks.get(name, ()))))
        lacking = dict.fromkeys(self.lacking.get(name, ()))
        found = replace(table, remark="; ".join(remarks), looser=", ".join(lacking))
        return self._without_unchecked(found, name) if self.unchecked else found

    def _without_unchecked(self, table: Table, name: str) -> Table:
        """The table without the foreign keys, and what they promise, that no trigger checks."""

        def is_checked(parent: str) -> bool:
            return self.unchecked.isdisjoint((name, parent.rpartition(".")[2]))

        kept = tuple(key for key in table.foreign_keys if is_checked(key.parent))
        if len(kept) == len(table.foreign_keys):
            return table
        said = "the triggers that check its foreign keys are disabled"
        return replace(
            table,
            foreign_keys=kept,
            promised=tuple(each for each in table.promised if not each.parent or is_checked(each.parent)),
            remark="; ".join(filter(None, (table.remark, said))),
        )

    def settings(self) -> tuple[tuple[str, str], ...]:
        """The settings with one stated value; a setting with several gets a note, and counts as unknown."""
        values = [(setting, value) for (setting, _), value in self._that_count().items()]
        found = made_under(settled(values))
        for setting in sorted({each for each, _ in values} - {each for each, _ in settled(values)}):
            said = " and ".join(sorted({repr(value) for each, value in values if each == setting}))
            self.notes.append(
                f"{setting} is set to {said}, depending on the role that connects, so it counts as unknown"
            )
        return found

    def native(self) -> tuple[str, ...]:
        """The statements that make all that there is, without rows."""
        filled = {bare_name(str(each)) for (each,) in self.sandbox.wire.execute(_FILLED).rows}
        return tuple(without_rows(text, filled) for text in self.made)

    def _that_count(self) -> dict[tuple[str, str], str]:
        """The stated settings, without the server's where the database has its own."""
        of_databases = {name for name, of in self.stated if of.startswith("ALTER DATABASE")}
        return {
            (name, of): value
            for (name, of), value in self.stated.items()
            if not (of == "ALTER SYSTEM" and name in of_databases)
        }

    def _relations(self) -> dict[str, str]:
        return {str(name): str(kind) for name, kind in self.sandbox.wire.execute(_RELATIONS).rows}

    def _foreign_keys(self) -> set[tuple[str, str, str]]:
        return {(str(a), str(b), str(c)) for a, b, c in self.sandbox.wire.execute(_FOREIGN_KEYS).rows}

    def _has_type(self, relation: str, names: tuple[str, ...]) -> bool:
        types = self.sandbox.wire.one(_TYPES, (relation,)).rows
        return any(name in names for (name,) in types)


def _words_of(text: WireError | str) -> frozenset[str]:
    """The names in what a refusal or a text says, in lower case."""
    return frozenset(_MENTIONED.findall(fold(str(text))))


_MENTIONED = re.compile(r"[\w$]+")
_CONCURRENTLY = re.compile(r"\A(CREATE\s+(?:UNIQUE\s+)?INDEX\s+)CONCURRENTLY\s+", re.IGNORECASE)
_RELATIONS = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.relkind FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""
_FOREIGN_KEYS = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), quote_ident(k.conname),
  quote_ident(m.nspname) || '.' || quote_ident(p.relname)
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_class p ON p.oid = k.confrelid JOIN pg_namespace m ON m.oid = p.relnamespace
WHERE k.contype = 'f' AND k.conparentid = 0
"""
_UNPARTED = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname),
  quote_ident(n.nspname) || '.' || quote_ident(left(c.relname, 55) || '_default'),
  CASE p.partstrat WHEN 'h' THEN 'FOR VALUES WITH (MODULUS 1, REMAINDER 0)' ELSE 'DEFAULT' END
FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid) ORDER BY c.oid
"""
_TYPES = """
SELECT e.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
JOIN pg_type e ON e.oid IN (t.oid, t.typelem, t.typbasetype)
WHERE a.attrelid = $1::text::regclass AND a.attnum > 0
"""
_FILLED = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND pg_relation_size(c.oid) > 0
"""


_SET = re.compile(r"\bSET\b", re.IGNORECASE)
_CALLED = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|AGGREGATE)\b", re.IGNORECASE)


def _dropping(relation: str) -> str:
    return {"v": "VIEW", "m": "MATERIALIZED VIEW"}.get(relation, "TABLE")
