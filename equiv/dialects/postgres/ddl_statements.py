"""What a statement that defines something is about.

It makes, changes or drops objects of a kind; these have names, bare or as they are spelt.  A trigger or an
index is on a table, an ALTER TABLE may add a constraint, and a CREATE TABLE may have defaults.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from equiv.core.lexer import Token, TokenKind, depths, parts_between_commas, tokens
from equiv.dialects.postgres.statements import SqlStatement, bare_name, dotted_name
from equiv.dialects.postgres.wire import WireError
from equiv.names import fold

_DEFINING = ("CREATE", "ALTER", "DROP")
_KINDS_OF_KINDS = frozenset(
    """OR REPLACE GLOBAL LOCAL TEMP TEMPORARY UNLOGGED RECURSIVE MATERIALIZED FOREIGN UNIQUE""".split()  # noqa: SIM905
)
_OTHER_KINDS = frozenset(("CONSTRAINT", "EVENT", "TEXT", "SEARCH", "ACCESS", "TRUSTED"))
_BEFORE_NAMES = frozenset(("CONCURRENTLY", "IF", "NOT", "EXISTS", "ONLY"))
_OF_A_FAMILY = frozenset(
    (
        ("PARTITION", "OF"),
        ("ATTACH", "PARTITION"),
        ("DETACH", "PARTITION"),
        ("RENAME", "TO"),
        ("INHERITS", "("),
    )
)
_SAID = 120
_HEAD = 2_000
"""Characters of a statement in which its words are looked for."""
_KIND = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(TEMP\s+|TEMPORARY\s+)?(?:(?:GLOBAL|LOCAL)\s+(TEMP\w*\s+)?)?(?:UNLOGGED\s+)?"
    r"(?:RECURSIVE\s+|TRUSTED\s+|PROCEDURAL\s+)?"
    r"((?:MATERIALIZED|UNIQUE|CONSTRAINT|EVENT|FOREIGN|TEXT\s+SEARCH|OPERATOR\s+(?:CLASS|FAMILY)\b|ACCESS)"
    r"(?:\s+\w+)?|\w+)",
    re.IGNORECASE,
)
_PAIRED = frozenset(
    "MATERIALIZED VIEW, UNIQUE INDEX, CONSTRAINT TRIGGER, EVENT TRIGGER, FOREIGN TABLE, FOREIGN DATA, "  # noqa: SIM905
    "TEXT SEARCH, OPERATOR CLASS, OPERATOR FAMILY, ACCESS METHOD".split(", ")
)
_BINDING = frozenset(
    "ADD ATTACH DETACH INHERIT NULL TYPE RENAME DROP EXPRESSION CONSTRAINT SCHEMA".split()  # noqa: SIM905
)
"""Words of what alters the rows that a table takes."""
_CONSTRAINTS = frozenset(("CONSTRAINT", "CHECK", "UNIQUE", "PRIMARY", "FOREIGN", "EXCLUDE"))
_KINDS = {
    "CHECK": "check",
    "UNIQUE": "unique constraint",
    "PRIMARY": "primary key",
    "FOREIGN": "foreign key",
    "EXCLUDE": "exclusion constraint",
}
OPERATOR = re.compile(r"CREATE\s++OPERATOR\s++(?:[\w\"]++\s*+\.\s*+)?+([^\s\w(\"]++)", re.IGNORECASE)
_CAST = re.compile(r"CREATE\s++CAST\s*+\(([^()]*+)\)", re.IGNORECASE)
_MISSING = re.compile(r'(?<![\w$])(\w[\w$]*+)"?+(?:\([^()]*+\))?+ does not exist')
_BEHIND_DEFAULTS = _CONSTRAINTS | {"NOT", "NULL", "REFERENCES", "GENERATED", "COLLATE"}
_FROM_QUERY = re.compile(r"\bAS\b[\s(]*(?:SELECT|WITH|VALUES|TABLE)\b", re.IGNORECASE)


def objects_of(statement: SqlStatement) -> tuple[str, ...]:
    """The bare names of what the statement makes, changes or drops; of an index, its table too."""
    found = tokens(statement.bare)
    place = _past(found, 1, _KINDS_OF_KINDS)
    kind = found[place].word if place < len(found) else ""
    place = _past(found, place + 1, _BEFORE_NAMES)
    names = []
    if found[0].word in _DEFINING and kind:
        if kind != "INDEX" or found[place].word != "ON":
            listed, place = _names(statement, found, place)
            names += listed if found[0].word == "DROP" else listed[:1]
        if kind == "INDEX" and found[place].word == "ON":
            names += _names(statement, found, _past(found, place + 1, _BEFORE_NAMES))[0][:1]
    if kind in ("TABLE", "INDEX"):
        for at, (one, two) in enumerate(pairwise(each.word for each in found)):
            if (one, two) in _OF_A_FAMILY:
                names += _names(statement, found, at + 2)[0][: None if one == "INHERITS" else 1]
            elif one == "INHERIT":
                names += _names(statement, found, at + 1)[0][:1]
    return tuple(dict.fromkeys(names))


def spelt_name(statement: SqlStatement) -> str:
    """The name of what the statement makes, changes or drops, as it is spelt; '' of none."""
    found = tokens(statement.bare)
    place = _past(found, 1, _KINDS_OF_KINDS | _OTHER_KINDS)
    if found[place].word in ("CAST", "OPERATOR"):
        return ""
    return dotted_name(found, _past(found, place + 1, _BEFORE_NAMES), statement.bare)[0]


def _names(statement: SqlStatement, found: list[Token], place: int) -> tuple[list[str], int]:
    """The bare names in a list that begins at a token, and the place after it."""
    names: list[str] = []
    while (spelt := dotted_name(found, place, statement.bare))[0]:
        names.append(bare_name(spelt[0]))
        place = spelt[1]
        if found[place].word != ",":
            break
        place += 1
    return names, place


def _past(found: list[Token], place: int, words: frozenset[str]) -> int:
    while place < len(found) - 1 and found[place].word in words:
        place += 1
    return min(place, len(found) - 1)


def kind_of(statement: SqlStatement) -> str:
    """The kind of object that a statement creates, alters or drops: ``TABLE``, ``UNIQUE INDEX``, …."""
    if statement.words[0] == "DO":
        return "DO"
    if statement.words[0] != "CREATE":
        return "MATERIALIZED VIEW" if statement.words[1] == "MATERIALIZED" else statement.words[1]
    found = _KIND.match(statement.bare)
    if found is None:
        return ""
    words = " ".join(found[3].upper().split())
    kind = words if words in _PAIRED else words.split()[0]
    return f"TEMPORARY {kind}" if found[1] or found[2] else kind


def said_name(statement: SqlStatement) -> str:
    """The name of what a statement defines or alters, as it is spelt."""
    if statement.words[0] == "DO":
        return "block"
    sign = OPERATOR.match(statement.bare)
    return spelt_name(statement) or (sign[1] if sign else in_short(statement))


def in_short(statement: SqlStatement) -> str:
    """The beginning of a statement, for people."""
    return " ".join(statement.bare[:_SAID].split("\n", 1)[0].split())


def goes_before(waiting: SqlStatement, other: SqlStatement) -> bool:
    """Whether a statement that waits has to go before another: both are about one object.

    What makes the object that others wait to change goes before them.
    """
    is_about = not set(objects_of(waiting)).isdisjoint(objects_of(other))
    return is_about and (other.words[0] != "CREATE" or waiting.words[0] != "ALTER")


def table_of(statement: SqlStatement) -> str:
    """The table that a trigger, a policy, a rule or an index is on, as it is spelt; '' of anything else."""
    kind = kind_of(statement)
    if statement.words[0] != "CREATE":
        return ""
    before = "TO" if kind == "RULE" else "ON"
    if kind not in ("RULE", "TRIGGER", "CONSTRAINT TRIGGER", "POLICY", "INDEX", "UNIQUE INDEX"):
        return ""
    head = statement.bare[:_HEAD]
    found = tokens(head)
    place = next((i for i, each in enumerate(found) if each.word == before), len(found))
    place += 1 + (found[place + 1 : place + 2] != [] and found[place + 1].word == "ONLY")
    return dotted_name(found, place, head)[0]


def head_of(statement: SqlStatement) -> list[str]:
    """The words of a statement behind the first two."""
    return [token.word for token in tokens(statement.bare[:_HEAD])][2:]


def actions_of(statement: SqlStatement) -> list[SqlStatement]:
    """An ALTER TABLE of several actions as one for each; another statement as it is."""
    bare = statement.bare
    found = tokens(bare) if statement.words[:2] == ("ALTER", "TABLE") else []
    begin = dotted_name(found, _past(found, 2, _BEFORE_NAMES), bare)[1] if found else 0
    parts = [part for part in parts_between_commas(found[begin:-1]) if part]
    if len(parts) < 2:
        return [statement]
    head = bare[: found[begin].start]
    return [replace(statement, text=head + bare[part[0].start : part[-1].end]) for part in parts]


def renamed_table(statement: SqlStatement) -> str:
    """The bare name that an ALTER TABLE gives the table; '' if it gives it none."""
    found = tokens(statement.bare)
    pairs = pairwise(each.word for each in found)
    at = next((at for at, pair in enumerate(pairs) if pair == ("RENAME", "TO")), len(found))
    return bare_name(dotted_name(found, at + 2, statement.bare)[0])


def is_binding(statement: SqlStatement) -> bool:
    """Whether a statement may alter the rows that a table takes."""
    return not _BINDING.isdisjoint(head_of(statement))


def drops_part(statement: SqlStatement) -> bool:
    """Whether a statement drops a part of a table, which is not there if PostgreSQL misses something."""
    return statement.words[0] == "ALTER" and "DROP" in head_of(statement) and "ADD" not in head_of(statement)


def made_by_query(statement: SqlStatement) -> SqlStatement | None:
    """The CREATE TABLE that a SELECT … INTO stands for; None of another query."""
    bare = statement.bare
    found = tokens(bare)
    levels = zip(found, depths(found), strict=True)
    at = next((i for i, (each, depth) in enumerate(levels) if each.word == "INTO" and not depth), None)
    if at is None or found[at - 1].word in ("INSERT", "MERGE"):
        return None
    first = _past(found, at + 1, frozenset(("TEMP", "TEMPORARY", "UNLOGGED", "TABLE")))
    name, after = dotted_name(found, first, bare)
    kind = " ".join(each.word for each in found[at + 1 : first] if each.word != "TABLE")
    rest = bare[found[after].start :] if after < len(found) else ""
    return replace(statement, text=f"CREATE {kind} TABLE {name} AS {bare[: found[at].start]}{rest}")


def may_take_away(text: str) -> bool:
    """Whether code that is not run may drop or loosen what is declared of a table."""
    return (runs_texts(text) and not _SAID_TO_DO.search(text)) or bool(_TAKING_AWAY.search(text))


def may_add(text: str) -> bool:
    """Whether code that is not run may forbid rows that are taken without it."""
    return may_take_away(text) or bool(_ADDING.search(text))


_TAKING_AWAY = re.compile(
    r"\bDROP\b(?!\s+(?:TRIGGER|POLICY|FUNCTION|PROCEDURE|ROLE|USER|PUBLICATION)\b)|\bALTER\s+CONSTRAINT\b"
    r"|\bALTER\b[^;]*?\b(?:RENAME|TYPE|DISABLE|ATTACH|DETACH|INHERIT)\b|\bINHERITS\b",
    re.IGNORECASE,
)
_ADDING = re.compile(
    r"\bALTER\b[^;]*?\b(?:ADD|SET\s+NOT)\b|\bCREATE\b(?!\s+(?:TEMP\w*|TABLE|INDEX|EXTENSION|SCHEMA|ROLE|USER|SEQUENCE"
    r"|(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE))\b)",
    re.IGNORECASE,
)
_FORBIDDING = re.compile(r"\bALTER\b[^;]*?\b(?:ADD|SET\s+NOT)\b[^;]*|\bCREATE\s+UNIQUE\b[^;]*", re.IGNORECASE)
"""What forbids rows of a table that it names; a trigger, a rule or a policy has a remark of its own."""


def forbidding(text: str) -> str | None:
    """What code that is not run says of rows that it forbids; None if it may forbid whatever it likes."""
    return None if may_take_away(text) or runs_texts(text) else " ".join(_FORBIDDING.findall(text))


_SAID_TO_DO = re.compile(
    r"\b(?:ALTER|ANALYZE|COMMENT|CREATE|DELETE|DROP|GRANT|INSERT|MERGE|NOTIFY|REFRESH|REINDEX|REVOKE|SELECT|TRUNCATE"
    r"|UPDATE|VACUUM)\b",
    re.IGNORECASE,
)
"""What the texts do that code puts together, if it says so itself."""


def may_mean_any_table(text: str) -> bool:
    """Whether code that is not run puts statements together and looks tables up in the catalogue."""
    return runs_texts(text) and bool(_OF_CATALOGUE.search(text))


_OF_CATALOGUE = re.compile(r"\b(?:pg|information)_\w", re.IGNORECASE)


def runs_texts(text: str) -> bool:
    """Whether code runs texts as statements: by EXECUTE, but of a trigger's function or of a privilege."""
    return bool(_RUNNING_TEXTS.search(text))


_RUNNING_TEXTS = re.compile(r"\bEXECUTE\b(?!\s+(?:FUNCTION|PROCEDURE|ON)\b)", re.IGNORECASE)


def fires_on_insert(statement: SqlStatement) -> bool:
    """Whether a trigger is run for rows that are inserted, as those of a database that is made are."""
    words = [token.word for token in tokens(statement.bare[:_HEAD])]
    end = words.index("ON") if "ON" in words else len(words)
    return "INSERT" in words[:end]


def added_constraint(statement: SqlStatement) -> tuple[str, str] | None:
    """The kind and the name of the one constraint that an ALTER TABLE adds; None if it does anything else."""
    if statement.words[:2] != ("ALTER", "TABLE"):
        return None
    found = [each for each in tokens(statement.bare) if each.word != ";"][:-1]
    actions = [(place, each) for place, each in enumerate(found) if each.word in ("ADD", "ALTER", "DROP")][1:]
    if not actions or len([*parts_between_commas(found)]) > 1:
        return None
    place, action = actions[0]
    after = [each.word for each in found[place + 1 : place + 4]]
    if action.word == "ALTER" and "SET" in after and [each.word for each in found[-2:]] == ["NOT", "NULL"]:
        return "NOT NULL", _spelt(found, place + (2 if after[0] == "COLUMN" else 1), statement)
    if action.word != "ADD" or after[0] not in _CONSTRAINTS:
        return None
    if after[0] != "CONSTRAINT":
        return _KINDS[after[0]], ""
    return _KINDS.get(after[2], "constraint"), _spelt(found, place + 2, statement)


def _spelt(found: Sequence[Token], place: int, statement: SqlStatement) -> str:
    return statement.bare[found[place].start : found[place].end]


def without_default(statement: SqlStatement, error: WireError) -> SqlStatement | None:
    """What makes a table or a domain, without the default in which the server met an error; None if in none.

    No row that is made has a default.
    """
    bare, missing = statement.bare, _MISSING.search(str(error))
    found = tokens(bare) if kind_of(statement) in ("TABLE", "DOMAIN") else []
    for place, token in enumerate(found):
        if token.word == "DEFAULT" and found[place - 1].word != "SET":
            end = found[_end_of_default(found, place)].start
            # Of what alters a table PostgreSQL tells no position.
            is_named = not error.position and missing and missing[1] in fold(bare[token.start : end])
            if is_named or token.start < error.position < end:
                return replace(statement, text=f"{bare[: token.start]} {bare[end:]}")
    return None


def _end_of_default(found: Sequence[Token], place: int) -> int:
    """Where what follows a default begins: another column, a constraint or the end of the columns."""
    for at, depth in enumerate(depths(found[place + 1 :]), place + 1):
        word, before = found[at].word, found[at - 1]
        is_operand = before.kind is TokenKind.SIGN and before.word != ")"
        is_value = word in ("NOT", "NULL") and (is_operand or before.word in ("DEFAULT", "IS", "FROM"))
        if depth < 0 or (not depth and (word == "," or (word in _BEHIND_DEFAULTS and not is_value))):
            return at
    return len(found) - 1


def types_of_cast(text: str) -> tuple[str, ...]:
    """Both types that a CREATE CAST names; none of another statement."""
    found = _CAST.match(text)
    words = found[1].split() if found else []
    middle = next((place for place, word in enumerate(words) if word.upper() == "AS"), None)
    return () if middle is None else (" ".join(words[:middle]), " ".join(words[middle + 1 :]))


def without_rows(text: str, filled: set[str]) -> str:
    """The statement; one that makes a table from a query makes it without rows."""
    statement = SqlStatement(text)
    made = statement.words[:1] == ("CREATE",) and not filled.isdisjoint(objects_of(statement)[:1])
    return f"{text} WITH NO DATA" if made and _FROM_QUERY.search(text) else text
