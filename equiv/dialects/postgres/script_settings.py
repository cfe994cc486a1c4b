"""What a script says of the settings of sessions, as far as it has been read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from equiv.core.lexer import Token, TokenKind, parts_between_commas, tokens
from equiv.core.single_values import sql_literal
from equiv.dialects.postgres.ddl_statements import in_short
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.session_settings import (
    ORDER,
    REFUSED,
    TAKEN,
    cases_of,
    made_under,
    path_in,
    stated_by,
    words_behind_set,
    written,
)
from equiv.dialects.postgres.statements import SqlStatement
from equiv.dialects.protocol import known_settings, settled
from equiv.errors import InputError
from equiv.names import fold, quoted_name


@dataclass(frozen=True, slots=True)
class SettingChange:
    """What a statement says of one setting."""

    name: str
    """In lower case; '' of all settings."""
    text: str
    """As ``SET name = value``; '' where the setting is again what nobody states."""
    of: str = ""
    """The role or database whose sessions have it, as ``ALTER ROLE CLERK``; '' of this one."""
    is_local: bool = False
    """Whether it ends with the transaction."""


def changes_of(statement: str) -> list[SettingChange] | None:
    """The settings that a statement sets or resets; None if it sets some to what it does not spell out."""
    found = [each for each in tokens(statement)[:-1] if each.word != ";"]
    words = [each.word for each in found]
    if "SET_CONFIG" in words:
        return _configured_by(found, statement)
    if words[0] not in _CHANGING and (words[0] != "ALTER" or words[1] not in _HAVING):
        return []
    at = next((i for i, word in enumerate(words) if word in _CHANGING), 0)
    of = re.sub(r"\AALTER USER\b", "ALTER ROLE", " ".join(words[:at]))
    rest, is_local = words_behind_set(found) if words[at] == "SET" else found[at + 1 :], "LOCAL" in words[1:2]
    match [words[at], *(each.word.strip('"') for each in rest)]:
        case ["RESET" | "DISCARD", "ALL"]:
            return [SettingChange("", "", of)]
        case ["RESET", "TIME", "ZONE"] | ["SET", "TIME", "ZONE", "LOCAL" | "DEFAULT"]:
            return [SettingChange("timezone", "", of, is_local)]
        case ["RESET", name] | ["SET", name, "=" | "TO", "DEFAULT"]:
            return [SettingChange(fold(name), "", of, is_local)]
        case ["SET", "SCHEMA", _]:
            path = next(written(rest[1:], statement))
            return [SettingChange(_PATH, f"SET {_PATH} = {quoted_name(path)}", of, is_local)]
        case ["SET", "TIME", "ZONE", _, *_]:
            name = "timezone"
        case ["SET", name, "=" | "TO", _, *_]:
            name = fold(name)
        case _:
            return []
    return [SettingChange(name, f"SET {statement[rest[0].start : rest[-1].end]}", of, is_local)]


_CHANGING = frozenset(("SET", "RESET", "DISCARD"))
_HAVING = frozenset(("DATABASE", "ROLE", "USER", "SYSTEM"))
"""What has settings that its sessions begin with."""
_PATH = "search_path"


def _configured_by(found: Sequence[Token], statement: str) -> list[SettingChange] | None:
    """The settings of a query that calls ``set_config`` and nothing else."""
    changes = []
    for part in parts_between_commas(found[1:]):
        call = part[2 * ([each.word for each in part[:2]] == ["PG_CATALOG", "."]) :]
        match [each.kind if each.kind is TokenKind.STRING else each.word for each in call]:
            case ["SET_CONFIG", "(", "string", ",", "string", ",", "TRUE" | "FALSE" as local, ")"]:
                name, value = written(call[2:5:2], statement)
            case _:
                return None
        given = value if fold(name) == _PATH else f"'{value}'"
        # An empty path is that of a dump, which names every schema.
        text = f"SET {name} = {given}" if given else ""
        changes.append(SettingChange(fold(name), text, "", local == "TRUE"))
    return changes


@dataclass
class ScriptSession:
    """The settings of the sessions that a script is about, as far as it has been read."""

    sandbox: Sandbox
    notes: list[str]
    made: list[str]
    """The statements that were taken, those that say where names are found among them."""
    stated: dict[tuple[str, str], str] = field(default_factory=dict)
    """The values of settings by names and by what they are stated of: ``ALTER ROLE CLERK``, '', …."""
    path: str = ""
    """The statement by which names are found; '' if there was none."""
    own_path: str = "SET search_path = public"
    """What the path is where the session states none."""
    misread: list[str] = field(default_factory=list)
    """The views that were made before the zone was stated in which their instants are read."""
    is_misread: bool = False
    """Whether conditions of tables were."""
    _lasting: dict[str, SettingChange] | None = None
    """What brings back what SET LOCAL changes in the present transaction, by setting; None outside of one."""

    def transact(self, words: Sequence[str]) -> None:
        """Begin or end a transaction, with which ends what SET LOCAL says in it."""
        if words[0] in ("BEGIN", "START"):
            self._lasting = {} if self._lasting is None else self._lasting
        elif words[0] not in ("SAVEPOINT", "RELEASE") and "TO" not in words:
            lasting, is_chained = self._lasting or {}, "CHAIN" in words and "NO" not in words
            self._lasting = {} if is_chained else None
            for each in lasting.values():
                self._take(each)

    def change(self, statement: str) -> bool:
        """Let what follows mean what it does under what a statement says; whether it is about settings."""
        if (changes := changes_of(statement)) is None:
            self.lose(_said(statement))
        for each in changes or ():
            if each.text and is_unknown(each.text):
                self.notes.append(f"skipped: {_said(statement)}")
            # PostgreSQL warns of one outside of a transaction, and changes nothing.
            elif not each.is_local or self._lasting is not None:
                self._take(each)
        return changes is None or bool(changes)

    def lose(self, said: str) -> None:
        """Know no setting of the session any more, behind what is said and may have set each."""
        self.notes.append(f"skipped, so that all settings count as unknown: {said}")
        self._take(SettingChange("", ""))

    def _take(self, change: SettingChange) -> None:
        if self._lasting is not None and not change.of:
            present = self._lasting.get(change.name) or self._present(change.name)
            self._lasting = {} if not change.name else self._lasting
            self._lasting.pop(change.name, None)
            self._lasting |= {change.name: present} if change.is_local else {}
        if change.name in (_PATH, ""):
            self._find_by(change)
        if not change.text:
            self._forget(change)
        elif (found := stated_by(change.text)) is not None:
            self.state(found, change.text, change.of)

    def _present(self, name: str) -> SettingChange:
        """What brings a setting of the session back to the value that it has."""
        value = next(
            (value for (each, of), value in self.stated.items() if (fold(each), of) == (name, "")), ""
        )
        text = f"SET {name} = {sql_literal(value)}" if value else ""
        return SettingChange(name, self.path if name == _PATH else text)

    def _find_by(self, change: SettingChange) -> None:
        if change.of:
            names = ", ".join(map(quoted_name, path_in(change.text)))
            self.own_path = f"SET {_PATH} = {names}" if names else type(self).own_path
        path = self.own_path if change.of else change.text or self.own_path
        if path != (self.path or type(self).own_path):
            self.set_path(path)

    def set_path(self, statement: str) -> None:
        """Let names without a schema mean what a statement says."""
        self.path = statement
        self.made.append(statement)
        self.sandbox.set_path(statement)

    def _forget(self, change: SettingChange) -> None:
        gone = [each for each in self.stated if each[1] == change.of and change.name in ("", fold(each[0]))]
        for name, of in gone:
            del self.stated[name, of]
            left = [value for (other, _), value in self.stated.items() if other == name]
            self.sandbox.reset(name)
            for value in left[-1:]:
                self.sandbox.set((name, value))

    def state(self, found: tuple[str, str], statement: str, of: str = "") -> None:
        """Take down the setting that a statement states of the sessions of a role, a database, or its own.

        Raises:
            InputError: nothing is read under the value.
        """
        name, called = found[0], self.sandbox.set(found)
        if called is None:
            self.notes.append(f"skipped: {_said(statement)}")
        elif name == REFUSED and called != TAKEN[REFUSED]:
            raise InputError(f"only {REFUSED} = {TAKEN[REFUSED]} is supported: {_said(statement)}")
        else:
            if name == "TimeZone" and all(stated != name for stated, _ in self.stated):
                self._look_back()
            cases = cases_of(statement) if name == ORDER else None
            self.stated |= {(name, of): value for name, value in filter(None, ((name, called), cases))}

    def _look_back(self) -> None:
        """Find what holds instants that were read before a zone is stated."""
        found = [str(name) for (name,) in self.sandbox.wire.execute(_HOLDING_INSTANTS).rows]
        self.misread += [name for name in found if name]
        self.is_misread = self.is_misread or "" in found

    def settings(self) -> tuple[tuple[str, str], ...]:
        """The settings with one stated value; a setting with several gets a note, and counts as unknown."""
        of_databases = {name for name, of in self.stated if of.startswith("ALTER DATABASE")}
        values = [
            (name, value)
            for (name, of), value in self.stated.items()
            # The server's do not count where the database has its own.
            if not (of == "ALTER SYSTEM" and name in of_databases)
        ]
        for setting in sorted({each for each, _ in values} - {each for each, _ in settled(values)}):
            said = " and ".join(sorted({repr(value) for each, value in values if each == setting}))
            self.notes.append(
                f"{setting} is set to {said}, depending on the role that connects, so it counts as unknown"
            )
        return made_under(settled(values))


_INSTANTS = "':consttype (1184|1185|1266|1270|3910|3911|4534)'"
_HOLDING_INSTANTS = f"""
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_rewrite r
JOIN pg_class c ON c.oid = ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid >= 16384 AND ev_action::text ~ {_INSTANTS}
UNION SELECT '' FROM pg_constraint WHERE oid >= 16384 AND conbin::text ~ {_INSTANTS}
UNION SELECT '' FROM pg_attrdef WHERE oid >= 16384 AND adbin::text ~ {_INSTANTS}
UNION SELECT '' FROM pg_class WHERE oid >= 16384 AND relpartbound::text ~ {_INSTANTS}
UNION SELECT '' FROM pg_index WHERE indexrelid >= 16384 AND concat(indpred, indexprs) ~ {_INSTANTS}
"""


def _said(statement: str) -> str:
    return in_short(SqlStatement(statement))


def is_unknown(statement: str) -> bool:
    """Whether a SET names a parameter that PostgreSQL lacks; False for ``extension.name``."""
    name, sign, *_ = (*(each.word for each in words_behind_set(tokens(statement)[:-1])), "", "")
    is_known = fold(name.strip('"')) in known_settings("postgres") or name in _UNLISTED
    return sign in ("=", "TO") and not is_known


_UNLISTED = frozenset(("ROLE", "SESSION_AUTHORIZATION", "SEED", "IS_SUPERUSER", "DEFAULT_WITH_OIDS"))
"""Settings that ``pg_settings`` does not list, or that dumps of older versions set to what holds always."""
