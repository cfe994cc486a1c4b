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
    actions_of,
    added_constraint,
    drops_part,
    fires_on_insert,
    forbidding,
    goes_before,
    head_of,
    in_short,
    is_binding,
    kind_of,
    may_add,
    may_mean_any_table,
    may_take_away,
    objects_of,
    runs_texts,
    said_name,
    table_of,
    types_of_cast,
    without_default,
    without_rows,
)
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.script_settings import ScriptSession
from equiv.dialects.postgres.session_settings import TAKEN
from equiv.dialects.postgres.statements import SqlStatement, bare_name
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.typed.query_texts import code
from equiv.errors import InputError
from equiv.facts import FactKind
from equiv.names import fold, folded, quoted_name

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
_SETTINGS = folded((*TAKEN, "search_path", "zone"))
_HIDDEN = "a temporary table of the same name hides it"
_MISREAD = "its instants were read before the time zone is set"
_HANGS = "its dates mean others under another DateStyle: state one by SET DateStyle"
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
    waiting: list[_Waiting] = field(default_factory=list)
    remarks: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What a reader of a verdict should know, by bare names of tables."""
    lacking: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The constraints that tables lack, by bare names."""
    doubted: set[str] = field(default_factory=set)
    """Bare names of tables of which code that is not run may have taken away whatever is declared."""
    _adding: dict[str, list[tuple[str, frozenset[str] | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """What code that is not run may add to tables, by their bare names, with the words of it; None: any."""
    unread: set[str] = field(default_factory=set)
    """Words, in lower case: of what is checked by a condition that has one nothing is known."""
    unchecked: set[str] = field(default_factory=set)
    """Bare names of the tables whose triggers are disabled, those of their foreign keys among them."""
    _gone: set[str] = field(default_factory=set)
    """Bare names of what is skipped: statements about it are, too, without a word."""

    _code: dict[str, str] = field(default_factory=dict)
    """The texts of functions, procedures and views by their bare names, of all that had one."""
    _changing: set[str] = field(default_factory=set)
    """The names of those that may change tables."""
    _redefined: list[tuple[str, int]] = field(default_factory=list)
    """The names of those that were defined again, and how many statements had been taken before."""
    _temporary: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.session = ScriptSession(self.sandbox, self.notes, self.made)

    def make(self, statement: SqlStatement) -> None:
        """Run a statement that defines something, or let it wait."""
        about = frozenset(objects_of(statement))
        before = next((w for w in self.waiting if goes_before(w.statement, statement)), None)
        if before is not None:
            self.waiting.append(
                _Waiting(statement, self.session.path, frozenset(objects_of(before.statement)))
            )
            return
        try:
            self.define(statement)
        except WireError as error:
            if error.code in _MISSING and (plain := without_default(statement, error)):
                self._note("DEFAULT", f"of {said_name(statement)}", str(error), statement)
                self.make(plain)
            elif error.code in _MISSING and drops_part(statement) and len(parts := actions_of(statement)) > 1:
                # PostgreSQL changes nothing, unless it has what is missing.
                for name in objects_of(statement):
                    self.lacking[name].append(f"what {in_short(statement)} may leave")
                for part in parts:
                    self.make(part)
            elif error.code in _MISSING and statement.words[0] != "DROP" and not drops_part(statement):
                self.waiting.append(_Waiting(statement, self.session.path, _words_of(error), error))
            else:
                self.refuse(statement, error)
        else:
            self._try_again(folded(about))

    def note_code(self, statement: SqlStatement) -> None:
        """Keep the text of a function, a procedure or a view, which may be called before it is replaced."""
        for name in folded(objects_of(statement)[:1]):
            if name in self._code or statement.words[0] == "ALTER":
                self._redefined.append((name, len(self.made)))
            body = "" if statement.words[0] == "ALTER" else _DEFINING.sub("", statement.bare)
            self._code[name] = f"{self._code.get(name, '')}\n{body}"
            self._changing |= {name} if may_add(body) else set()

    def call(self, statement: SqlStatement) -> None:
        """Let tables say so that a function may change which a statement calls; none is run."""
        outside = _CALLING.match(statement.bare)
        if outside and fold(outside[1]) not in self._code and not self._is_known(fold(outside[1])):
            self._doubt(statement, f"CREATE {statement.bare}", f"a call of {outside[1]}", unknown=True)
        called = (
            self._reached(_words_of(statement.bare) & self._code.keys(), calls=True) if self._changing else ()
        )
        if called and not self._changing.isdisjoint(called):
            text = "\n".join([statement.bare, *(self._code[name] for name in sorted(called))])
            self._doubt(statement, text, f"a call of {min(self._changing.intersection(called))}")

    def _is_known(self, function: str) -> bool:
        """Whether the server has a function of a name."""
        return bool(self.sandbox.wire.one("SELECT FROM pg_proc WHERE proname = $1 LIMIT 1", (function,)).rows)

    def doubt_all(self, statement: SqlStatement) -> None:
        """Let all tables say that a statement may have changed them that drops what it does not name."""
        self._doubt(statement, f"{statement.bare}: EXECUTE DROP pg_class", in_short(statement))

    def _reached(self, names: Iterable[str], *, calls: bool) -> set[str]:
        """The functions and views that some call, or that call them, and so on, with these."""
        words = {name: _words_of(text) for name, text in self._code.items()}
        found = [*names]
        for each in found:
            more = words[each] & words.keys() if calls else {n for n in words if each in words[n]}
            found += more.difference(found)
        return set(found)

    def _distrust(self) -> None:
        """Know nothing of what was checked or stored by functions and views that were replaced afterwards."""
        words = [_words_of(each) for each in self.made] if self._redefined else []
        for name, count in self._redefined:
            users = self._reached((name,), calls=False)
            for text, said in zip(self.made[:count], words, strict=False):
                statement = SqlStatement(text)
                if users.isdisjoint(said) or kind_of(statement) in ("FUNCTION", "AGGREGATE", "VIEW", "PATH"):
                    continue
                if kind_of(statement) == "MATERIALIZED VIEW":
                    self.leave_out(statement, f"{name}, which it is made of, was replaced afterwards")
                else:
                    self.unread |= users
        for name in sorted(self._temporary.intersection(map(bare_name, self._relations()))):
            self.leave_out(SqlStatement(f"CREATE TABLE {quoted_name(name)}"), _HIDDEN)
        for name in self.session.misread:
            self.leave_out(SqlStatement(f"CREATE VIEW {name}"), _MISREAD)
        self.unread |= {"zone"} if self.session.is_misread else set()

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
        self._distrust()

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
        session, now = self.session, self.session.path
        if waiting.path != now:
            session.set_path(waiting.path or session.own_path)
        try:
            self.define(waiting.statement)
        finally:
            if waiting.path != now:
                session.set_path(now or session.own_path)

    def define(self, statement: SqlStatement) -> None:
        """Run a statement that defines something.

        Raises:
            WireError: PostgreSQL refuses it.
        """
        # Within a transaction this is done at once.
        text = _CONCURRENTLY.sub(r"\1", statement.bare)
        if _IN_SOME_ORDER.search(text) and self._hangs_on_style(text):
            raise WireError(_HANGS, "")
        try:
            self.sandbox.define(text)
        except WireError as error:
            if error.code != _NOT_FILLED or statement.words[1] != "MATERIALIZED":
                raise
            text = f"{text} WITH NO DATA"
            self.sandbox.define(text)
        self.made.append(text)

    def _hangs_on_style(self, text: str) -> bool:
        """Whether a statement makes something else under another order of day and month than the usual."""
        if any(name == "DateStyle" for name, _ in self.session.stated):
            return False
        found = []
        for style in ("ISO, MDY", "ISO, DMY"):
            self.sandbox.wire.execute(f"SAVEPOINT equiv_style; SET LOCAL DateStyle = '{style}'")
            try:
                self.sandbox.define(text)
                found.append(self.sandbox.wire.execute(_DEFINED).rows)
            except WireError as error:
                found.append([(str(error),)])
            self.sandbox.wire.execute("ROLLBACK TO equiv_style; RELEASE equiv_style")
        return found[0] != found[1]

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
        if statement.words[0] == "ALTER" and kind in ("FUNCTION", "ROUTINE", "AGGREGATE"):
            self._note(f"{kind} {said_name(statement)}", "", why, statement)
            self.hiding += folded(objects_of(statement))
            self.withheld += folded(objects_of(statement))
        elif statement.words[0] == "ALTER":
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
            inner = self._reached(_words_of(statement.bare) & self._code.keys(), calls=True)
            text = "\n".join([statement.bare, *(self._code[each] for each in sorted(inner))])
            self._doubt(statement, text, "a block")
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

    def _doubt(self, statement: SqlStatement, text: str, called: str, *, unknown: bool = False) -> None:
        """Let the tables that code names, which is not run, say so; nothing that it may take away is a fact.

        Args:
            statement: what has the code run.
            text: the code, with that of the functions that it calls.
            called: what it is, for people.
            unknown: whether nothing is known of what it adds.
        """
        words, kinds = _words_of(text), {bare_name(name): kind for name, kind in self._relations().items()}
        named = {name for name in kinds if fold(name) in words}
        if may_mean_any_table(text) or (not named and runs_texts(text) and may_add(text)):
            named = set(kinds)
        said = f"{called}{f' on line {statement.line}' * bool(statement.line)} was skipped"
        if "set_config" in words or ("set" in words and not _SETTINGS.isdisjoint(words)):
            self.session.lose(in_short(statement))
        for name in sorted(named):
            self.remarks[name].append(f"{said}; it may change this table")
            if kinds[name] in "vm" and "view" in words and may_add(text):
                self.leave_out(SqlStatement(f"CREATE VIEW {quoted_name(name)}"), f"{said}; it may replace it")
            elif may_add(text):
                added = None if unknown else forbidding(text)
                words_of_it = None if added is None else _words_of(added)
                self._adding[name].append((f"what {said.removesuffix(' was skipped')} may add", words_of_it))
            if may_take_away(text):
                self.doubted.add(name)

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
        self._temporary.update(objects_of(statement)[:1])
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
        # What is added with a column of its own says nothing of the others.
        own = folded(column.name for column in table.columns)
        added = [said for said, words in self._adding.get(name, ()) if words is None or words & own]
        lacking = dict.fromkeys((*self.lacking.get(name, ()), *added))
        found = replace(table, remark="; ".join(remarks), looser=", ".join(lacking))
        found = _without_constraints(found) if name in self.doubted else found
        return self._without_unchecked(found, name) if self.unchecked or self.doubted else found

    def _without_unchecked(self, table: Table, name: str) -> Table:
        """The table without the foreign keys, and what they promise, that no trigger checks."""

        def is_checked(parent: str) -> bool:
            return (self.unchecked | self.doubted).isdisjoint((name, parent.rpartition(".")[2]))

        kept = tuple(key for key in table.foreign_keys if is_checked(key.parent))
        if len(kept) == len(table.foreign_keys):
            return table
        said = "the triggers that check its foreign keys are disabled" if self.unchecked else ""
        return replace(
            table,
            foreign_keys=kept,
            promised=tuple(each for each in table.promised if not each.parent or is_checked(each.parent)),
            remark="; ".join(filter(None, (table.remark, said))),
        )

    def native(self) -> tuple[str, ...]:
        """The statements that make all that there is, without rows."""
        filled = {bare_name(str(each)) for (each,) in self.sandbox.wire.execute(_FILLED).rows}
        return tuple(without_rows(text, filled) for text in self.made)

    def _relations(self) -> dict[str, str]:
        return {str(name): str(kind) for name, kind in self.sandbox.wire.execute(_RELATIONS).rows}

    def _foreign_keys(self) -> set[tuple[str, str, str]]:
        return {(str(a), str(b), str(c)) for a, b, c in self.sandbox.wire.execute(_FOREIGN_KEYS).rows}

    def _has_type(self, relation: str, names: tuple[str, ...]) -> bool:
        types = self.sandbox.wire.one(_TYPES, (relation,)).rows
        return any(name in names for (name,) in types)


def _without_constraints(table: Table) -> Table:
    """The table with nothing but its columns and their types."""
    return replace(
        table,
        columns=tuple(
            replace(
                each, not_null=False, generated=False, expression="", derived=each.generated or each.derived
            )
            for each in table.columns
        ),
        primary_key=(),
        unique=(),
        checks=(),
        indexes=(),
        promised=tuple(fact for fact in table.promised if fact.kind is FactKind.TYPE),
        remark=f"{table.remark}, so that its constraints are no facts",
    )


def _words_of(text: WireError | str) -> frozenset[str]:
    """The names in what a refusal or a text says, in lower case."""
    return frozenset(_MENTIONED.findall(fold(str(text))))


_MENTIONED = re.compile(r"[\w$]+")
_CONCURRENTLY = re.compile(
    r"\A(CREATE\s+(?:UNIQUE\s+)?INDEX\s+|DROP\s+INDEX\s+|ALTER\s.*\bDETACH\s+PARTITION\s+\S+\s*)CONCURRENTLY\b",
    re.IGNORECASE | re.DOTALL,
)
_IN_SOME_ORDER = re.compile(r"'\s*\d{1,2}\s*[-/.]\s*\d{1,2}\s*[-/.]\s*\d{1,4}(?:'|\s)")
_DEFINED = """
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE oid >= 16384
UNION ALL SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relpartbound IS NOT NULL
UNION ALL SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_attribute
  ON (attrelid, attnum) = (adrelid, adnum) WHERE attgenerated <> ''
UNION ALL SELECT pg_get_indexdef(oid) FROM pg_class
  WHERE relkind IN ('i', 'I') AND oid >= 16384 AND relnamespace <> 'pg_toast'::regnamespace
UNION ALL SELECT pg_get_viewdef(oid) FROM pg_class WHERE relkind IN ('v', 'm') AND oid >= 16384 ORDER BY 1
"""
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


_CALLING = re.compile(r"(?:SELECT|CALL)\s+(?:[\w$]+\s*\.\s*)?([\w$]+)\s*\(", re.IGNORECASE)
_DEFINING = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?\w+", re.IGNORECASE)
_CALLED = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|AGGREGATE)\b", re.IGNORECASE)


def _dropping(relation: str) -> str:
    return {"v": "VIEW", "m": "MATERIALIZED VIEW"}.get(relation, "TABLE")
