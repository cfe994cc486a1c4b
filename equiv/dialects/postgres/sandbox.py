"""One database of a pair on a server of ours: tables that vanish, and untrusted queries that only read them.

All happens in one transaction, which is rolled back.  Each text that comes from outside runs in a savepoint
under a role that may do little, under a deadline, and in a search path that statements of our own do not
have: these find nothing but what is PostgreSQL's.

A function of the schema's becomes the reader's, and runs as that whoever calls it (``SECURITY DEFINER``,
within which PostgreSQL takes no ``SET ROLE``).  Its text holds no statement that is put together as it runs,
and none that begins with a word such as SET: so it leaves the session as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeVar

from equiv.cells import Row
from equiv.core.runner import DEFAULT_LIMITS, MAX_STATEMENT, Failure, Limits, Result
from equiv.dialects.postgres import server
from equiv.dialects.postgres.session_settings import OF_DATABASE, path_in, set_in
from equiv.dialects.postgres.statements import bare_name
from equiv.dialects.postgres.values import cell_of, printed_cell, sending, sent_cell
from equiv.dialects.postgres.wire import ServerAnswer, Wire, WireError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.query_texts import code
from equiv.scratch import Closing

K = TypeVar("K")

STATEMENT_SECONDS = 30.0
"""What a statement of DDL may take."""

_TIMEOUT = "57014"
_TRIES = 3
_RESOURCES = ("53", "54")
"""Classes of errors: insufficient resources, and a limit of the program."""
_OF_OTHERS = frozenset(("25006", "3F000", "42501", "42704", "42883", "42P01"))
"""Errors that are not fault of a text, which PostgreSQL took before: what its transaction or the reader's
rights refuse, and names that what a witness is made of may lack."""


@dataclass(frozen=True, slots=True)
class Viewed:
    """A query as PostgreSQL prints it, names qualified by their schemas and columns named c0, c1, …."""

    text: str
    types: tuple[tuple[int, str], ...]
    """The type of each column, below a domain: its number in ``pg_type`` (that of text for an enumeration),
    and as ``format_type`` writes it."""
    tree: str
    """What PostgreSQL keeps of the resolved query: the text of its node tree."""


class Sandbox(Closing):
    """An empty database, until it is closed.

    Attributes:
        wire: the connection, for statements of our own.
    """

    def __init__(self) -> None:
        self.wire: Wire = server.borrow()
        self._closing: Callable[[], None] = self.discard
        self._path = "public"
        self.wire.execute(f"BEGIN; SET LOCAL search_path = {_OWN_PATH}")

    def define(self, statement: str, seconds: float = STATEMENT_SECONDS) -> None:
        """Run one statement that makes or fills tables, which may come from anybody.

        What it may begin with is the caller's business: no SET, no statement about transactions.

        Raises:
            WireError: PostgreSQL refuses it; nothing is changed then.
        """
        if found := _EXTENSION.match(statement):
            self._make_extension(statement, *found.groups())
            return
        kind = _kind_of_code(statement)
        statement = _with_plain_statements(statement) if kind == "DO" else statement
        if kind and (why := why_not_run(statement, kind)):
            raise WireError(why, _NOT_TAKEN)
        with self.acting_as(server.AUTHOR, seconds):
            if kind == "DO":
                self.wire.one(_as_function(statement))
                self.wire.one(f"SELECT {_DONE}()")
                self.wire.one(f"DROP FUNCTION {_DONE}()")
            else:
                self.wire.one(statement)
            if kind == "FUNCTION":
                self._hand_to_reader()

    def _hand_to_reader(self) -> None:
        """Let functions that were made run as the reader, who may read the tables that there are."""
        self.wire.execute(f"RESET ROLE; SET LOCAL search_path = {_OWN_PATH}")
        for (statement,) in self.wire.execute(_HANDING).rows:
            self.wire.execute(str(statement))
        self.open_to_reader()

    def _make_extension(self, statement: str, name: str, schema: str | None) -> None:
        """Make an extension, in the schema that is named or in the first of the path."""
        place = bare_name(schema) if schema else bare_name(self._path.partition(",")[0])
        if bare_name(name) not in server.HARMLESS_EXTENSIONS:
            with self.acting_as(server.AUTHOR, STATEMENT_SECONDS):
                self.wire.one(statement)
        elif not self.wire.one("SELECT FROM pg_extension WHERE extname = $1", (bare_name(name),)).rows:
            with self.acting_as(server.SESSION, STATEMENT_SECONDS):
                self.wire.one(f"SELECT pg_catalog.{server.MAKE_EXTENSION}($1, $2)", (bare_name(name), place))

    def set_path(self, statement: str) -> None:
        """Let names without a schema mean what a script says: ``SET search_path = a, "B"``."""
        names = ['"' + each.replace('"', '""') + '"' for each in path_in(statement)]
        if names:
            self._path = ", ".join(names)

    def set(self, stated: tuple[str, str]) -> str | None:
        """Let texts mean what they do under a value of a setting, as PostgreSQL calls it; None if refused."""
        return set_in(self.wire, *stated)

    def reset(self, name: str) -> None:
        """Let texts mean what they do where nobody states a setting."""
        if name not in OF_DATABASE:
            self.wire.execute(f"SET LOCAL {name} TO DEFAULT")

    def define_all(self, statements: Iterable[str]) -> None:
        """Run statements as :meth:`define` does; if one is refused, all has to be rolled back.

        A label that is added to an enumeration is of use before the end of the transaction only if no
        savepoint stands between.

        Raises:
            WireError: PostgreSQL refuses one.
        """
        for brings_code, group in groupby(statements, lambda each: bool(_BRINGING.match(each))):
            if brings_code:
                for statement in group:
                    self.define(statement)
                continue
            self.wire.execute(self._acting(server.AUTHOR, STATEMENT_SECONDS))
            for statement in group:
                self.wire.one(statement)
            self.wire.execute(_ACTED)

    def open_to_reader(self) -> None:
        """Let untrusted queries read the tables and views that there are."""
        names = ", ".join(str(name) for (name,) in self.wire.execute(_SCHEMAS).rows)
        self.wire.execute(
            f"GRANT USAGE ON SCHEMA {names} TO {server.READER};"
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {names} TO {server.READER}"
        )

    def run(self, text: str, limits: Limits = DEFAULT_LIMITS, *, prints: bool = False) -> Result | Failure:
        """Run an untrusted query: its result, and how it is printed if wanted; never raises for the text."""
        reading = f"SET LOCAL ROLE {server.READER}; SET LOCAL search_path = {self._path}"
        return run_untrusted(self.wire, text, limits, reading, prints=prints)

    def viewed(self, text: str, columns: int | None = None) -> Viewed:
        """An untrusted query as PostgreSQL resolves and prints it; it is not run.

        Args:
            text: the query.
            columns: how many columns it has, if that is known already.

        Raises:
            WireError: PostgreSQL refuses it.
        """
        width = len(self.describe(text).names) if columns is None else columns
        names = f" ({', '.join(f'c{i}' for i in range(width))})" if width else ""
        granted = f"GRANT ALL ON SCHEMA {_VIEWS} TO {server.READER}"
        with self.wire.undoing(f"CREATE SCHEMA {_VIEWS}; {granted}"):
            with self.acting_as(server.READER, STATEMENT_SECONDS):
                self.wire.one(f"CREATE VIEW {_VIEWS}.equiv_view{names} AS {text}")
            self.wire.execute("SET LOCAL search_path = ''")
            found = self.wire.execute(_VIEWED).rows
        types = tuple((int(str(number)), str(name)) for _, number, name, _ in found if number is not None)
        return Viewed(str(found[0][0]) if found else "", types, str(found[0][3]) if found else "")

    def describe(self, text: str) -> ServerAnswer:
        """The names and types of the columns of an untrusted query, which is not run.

        That is so whoever may call the functions that it calls.

        Raises:
            WireError: PostgreSQL refuses it.
        """
        with self.acting_as(server.READER, STATEMENT_SECONDS, keep=False):
            return self.wire.describe(text)

    def parameter_types(self, text: str) -> tuple[int, ...]:
        """The numbers of the types of ``$1``, ``$2``, … in an untrusted query.

        Raises:
            WireError: PostgreSQL refuses it, or takes no type for one of them.
        """
        with self.acting_as(server.READER, STATEMENT_SECONDS, keep=False):
            return self.wire.parameter_types(text)

    @contextmanager
    def acting_as(self, role: str, seconds: float, *, keep: bool = True) -> Iterator[None]:
        """Statements within are a role's, and leave nothing if one fails or nothing is to be kept."""
        self.wire.execute(f"SAVEPOINT equiv; {self._acting(role, seconds)}")
        try:
            yield
        except BaseException:
            roll_back(self.wire)
            raise
        if keep:
            self.wire.execute(f"{_ACTED}; RELEASE equiv")
        else:
            self.wire.execute("ROLLBACK TO equiv; RELEASE equiv")

    def _acting(self, role: str, seconds: float) -> str:
        """The statements after which a role acts."""
        return (
            f"SET LOCAL ROLE {role}; SET LOCAL statement_timeout = {max(1, round(seconds * 1000))};"
            f"SET LOCAL search_path = {self._path}"
        )

    def mark(self, key: K, kept: dict[K, Sandbox]) -> None:
        """When it is closed, roll back to what there is now, and keep it under a key that is not taken."""
        self.wire.execute("SAVEPOINT equiv_made")
        path = self._path

        def put_back() -> None:
            self._path = path
            self.wire.execute("ROLLBACK TO equiv_made; RELEASE equiv_made")
            if key in kept:
                server.give_back(self.wire)
            else:
                kept[key] = self

        self._closing = put_back

    def is_alive(self) -> bool:
        """Whether the connection still works."""
        return self.wire.is_alive()

    def close(self) -> None:
        """Roll back."""
        try:
            self._closing()
        except WireError:
            self.wire.close()

    def discard(self) -> None:
        """Roll all back."""
        server.give_back(self.wire)


def run_untrusted(
    wire: Wire,
    text: str,
    limits: Limits,
    role: str = "",
    types: tuple[int, ...] = (),
    *,
    prints: bool = False,
) -> Result | Failure:
    """Run an untrusted query on a connection that is in a transaction, and return its result.

    A cursor takes one SELECT, VALUES or WITH that changes nothing; the savepoint's transaction reads only.

    Args:
        wire: the connection.
        text: the query.
        limits: what it may take.
        role: the statement by which a role runs it, if not the connection's.
        types: the types of its columns, where the session may write values otherwise than this program
            reads them; their bytes are asked for then.
        prints: whether the rows are given as PostgreSQL prints them, too.
    """
    if len(text.encode(errors="surrogatepass")) > MAX_STATEMENT:
        return Failure("error", f"query longer than {MAX_STATEMENT} bytes")
    milliseconds = max(1, round(limits.seconds * 1000))
    settings_ = f"SET LOCAL cursor_tuple_fraction = 1; SET LOCAL statement_timeout = {milliseconds}"
    try:
        wire.execute(f"SAVEPOINT equiv; {role}; SET LOCAL transaction_read_only = on; {settings_}")
    except WireError as error:
        return Failure("resource", str(error))
    try:
        found: Result | Failure = _fetched(wire, text, limits, types, prints=prints)
    except WireError as error:
        found = failure(error)
    except MemoryError:
        found = Failure("resource", "out of memory")
    roll_back(wire)
    return found


def roll_back(wire: Wire) -> None:
    """Leave the savepoint ``equiv``.

    A late answer to a cancelled query cancels this instead: it is asked again.
    """
    for _ in range(_TRIES):
        with suppress(WireError):
            wire.execute("ROLLBACK TO equiv; RELEASE equiv")
            return
    wire.close()


def failure(error: WireError) -> Failure:
    """The failure that a refusal of the server means."""
    if error.code == _TIMEOUT:
        return Failure("timeout", "the query ran out of time")
    if not error.code or error.code[:2] in _RESOURCES or error.code in _OF_OTHERS:
        return Failure("resource", str(error))
    return Failure("error", str(error))


def _fetched(
    wire: Wire, text: str, limits: Limits, sent: tuple[int, ...], *, prints: bool
) -> Result | Failure:
    wire.one(f"DECLARE equiv NO SCROLL CURSOR FOR {sending(text, sent)}")
    rows: list[Row] = []
    printed: list[Row] = []
    types: tuple[int, ...] = ()
    spent = 0
    for types, fields in wire.stream("FETCH ALL FROM equiv", limits.seconds):
        if not fields and types:
            break
        pairs = zip(fields, sent or types, strict=True)
        rows.append(tuple([sent_cell(*each) if sent else cell_of(*each) for each in pairs]))
        if prints:
            printed.append(tuple(map(printed_cell, fields, types)))
        spent += 8 * len(fields) + sum([len(field) for field in fields if field is not None])
        if len(rows) > limits.rows or spent > limits.bytes:
            return Failure("resource", f"the result exceeds {limits.rows} rows or {limits.bytes} bytes")
    # A row without columns is a value that is all of it.
    if not types:
        return Result(((t.EMPTY_ROW,),) * len(rows), 1)
    return Result(tuple(rows), len(types), (), tuple(printed))


_OWN_PATH = "pg_catalog, pg_temp"
_ACTED = f"RESET ROLE; SET LOCAL statement_timeout = 0; SET LOCAL search_path = {_OWN_PATH}"
_NOT_TAKEN = "0A000"
_EXTENSION = re.compile(
    r"""CREATE\s+EXTENSION\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+|"[^"]+")(?:\s+WITH)?(?:\s+SCHEMA\s+(\w+|"[^"]+"))?""",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(DO)\b|CREATE\s+(?:OR\s+REPLACE\s+)?(FUNCTION|PROCEDURE|SCHEMA)\b"
    r"|(ALTER)\s+(?:FUNCTION|ROUTINE|PROCEDURE|AGGREGATE)\b",
    re.IGNORECASE,
)
_BRINGING = re.compile(f"(?:{_CODE.pattern}|{_EXTENSION.pattern})", re.IGNORECASE)
"""What begins a statement that may bring code, or makes an extension."""
_RENAMED = re.compile(r"\b(?:RENAME\s+TO|SET\s+SCHEMA)\s+(?:\w+|\"[^\"]+\")\s*\Z", re.IGNORECASE)
_LABELS = re.compile(
    r"(?: (?:IMMUTABLE|VOLATILE|S(?:TABLE|TRICT|ET search_path (?:=|TO) \w+)|PARALLEL \w+"
    r"|C(?:OST \d+|ALLED ON NULL INPUT)|R(?:OWS \d+|ETURNS NULL ON NULL INPUT)))+(?: RESTRICT)?",
    re.IGNORECASE,
)
"""What labels a function, with single spaces between the words."""
_DONE = "public.equiv_done"
_LANGUAGE = re.compile(r"\bLANGUAGE\s+'?(\w+|\"[^\"]+\")", re.IGNORECASE)
_OPENING = re.compile(r"DO\s+(?:LANGUAGE\s+'?\w+'?\s+)?", re.IGNORECASE)
_TAGGED = re.compile(r"\$(\w*)\$(.*)\$\1\$\Z", re.DOTALL)
_ESCAPING = re.compile(r"(?<![\w$])(?:[eE]|[uU]&)\Z")
_TOKEN = re.compile(r"[\w$]+|<<|>>|[^\s\w]")
_BEFORE_STATEMENTS = frozenset((";", "BEGIN", "THEN", "ELSE", "LOOP", ">>", "ATOMIC"))
_NO_STATEMENTS = frozenset(
    (
        *("SET", "RESET", "DISCARD", "COPY", "LOAD", "LISTEN", "NOTIFY", "UNLISTEN", "DO", "CALL", "COMMIT"),
        *("ROLLBACK", "SAVEPOINT", "RELEASE", "PREPARE", "DEALLOCATE", "LOCK", "GRANT", "REVOKE", "VACUUM"),
        *("ANALYZE", "CHECKPOINT", "CLUSTER", "REINDEX", "SECURITY", "REASSIGN", "IMPORT", "EXPLAIN"),
    )
)
"""Words with which no statement of a function begins: what changes the session, or asks the server."""
_OF_A_BLOCK = frozenset(
    (
        *("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "REFRESH", "PERFORM", "FUNCTION", "PROCEDURE"),
        *("ROUTINE", "AGGREGATE", "OPERATOR", "CAST", "TRIGGER", "RULE", "POLICY", "SECURITY", "EXTENSION"),
        *("TEMP", "TEMPORARY", "LANGUAGE", "SERVER", "OWNER", "PRIVILEGES"),
    )
)
"""What a block is not run for that has it: rows, and what a script is asked for statement by statement."""
_HANDING = f"""
SELECT format('GRANT CREATE ON SCHEMA %1$I TO {server.READER}; ALTER FUNCTION %2$s SECURITY DEFINER;'
  ' ALTER FUNCTION %2$s OWNER TO {server.READER}; REVOKE CREATE ON SCHEMA %1$I FROM {server.READER}',
  n.nspname, p.oid::regprocedure)
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND p.prokind IN ('f', 'w')
  AND NOT p.prosecdef
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype IN ('e', 'i'))
"""


def _kind_of_code(statement: str) -> str:
    """FUNCTION, PROCEDURE, ALTER, SCHEMA or DO of a statement that may bring code; '' of another."""
    found = _CODE.match(statement)
    return (found[1] or found[2] or found[3]).upper() if found else ""


def changes_rows_alone(block: str) -> bool:
    """Whether a block makes no object, and changes rows, of which a schema has none."""
    words = {word.upper() for word in _TOKEN.findall(block)}
    makes = words & {"CREATE", "ALTER", "DROP", "EXECUTE", "RENAME", "PERFORM"}
    return not makes and bool(words & {"INSERT", "UPDATE", "DELETE", "MERGE"})


def _is_labelled(altered: str) -> bool:
    """Whether all that a statement says of a function, behind its name and arguments, is labels."""
    words = altered.replace("=", " = ").split()
    _, has_arguments, after = " ".join(words).rpartition(")")
    return _LABELS.fullmatch(after if has_arguments else f" {' '.join(words[3:])}") is not None


def why_not_run(statement: str, kind: str) -> str:
    """Why code is not run here, or ''."""
    if kind == "PROCEDURE":
        return "queries cannot call procedures"
    outside = " ".join(statement[start:end] for start, end in code(statement))
    if kind == "SCHEMA":
        return "it contains a trigger" if "TRIGGER" in outside.upper() else ""
    if kind == "ALTER":
        is_plain = _RENAMED.search(outside) or _is_labelled(outside)
        return "" if is_plain else "functions cannot be altered after they are created"
    if any(statement[e : e + 1] == "'" and _ESCAPING.search(statement, s, e) for s, e in code(statement)):
        return "its source text contains escapes"
    # Where the last is named: it may be so in quotes, in which nothing else counts.
    said = [
        found for s, e in code(statement) for found in _LANGUAGE.finditer(statement, s) if found.start() < e
    ]
    spoken = {bare_name(found[1]) for found in said} - {"sql", "plpgsql"}
    if spoken:
        return f"the language {min(spoken)} is not supported"
    if _SETTING.search(outside):
        return "it changes a setting of the session"
    bodies = list(_strings(statement))
    for text in (outside, *bodies):
        # The words of comments and of strings count as well.
        words = [word.upper() for word in _TOKEN.findall(text)]
        if "EXECUTE" in words:
            return "it uses dynamic SQL"
        if kind == "DO" and (found := sorted(_OF_A_BLOCK.intersection(words))):
            return f"a block with {found[0]} is not run"
    for text in bodies:
        plain = " ".join(text[start:end] for start, end in code(text))
        words = [";", *(word.upper() for word in _TOKEN.findall(plain))]
        begun = {word for before, word in pairwise(words) if before in _BEFORE_STATEMENTS}
        if found := sorted(begun & _NO_STATEMENTS):
            return f"one of its statements begins with {found[0]}"
    return ""


def _strings(statement: str) -> Iterator[str]:
    """The texts of the strings of a statement."""
    position, text = 0, None
    for start, end in (*code(statement), (len(statement), len(statement))):
        gap = statement[position:start]
        tagged = _TAGGED.match(gap)
        if text is not None and not gap.startswith("'"):
            yield text
            text = None
        if gap.startswith("'"):
            # One that begins where another ends goes on with it, behind a quote.
            text = gap[1:-1] if text is None else f"{text}'{gap[1:-1]}"
        elif tagged:
            yield tagged[2]
        if end > start and text is not None:
            yield text
            text = None
        position = end
    if text is not None:
        yield text


_SETTING = re.compile(r"\bSET\b(?!\s+search_path\b)", re.IGNORECASE)


def _with_plain_statements(block: str) -> str:
    """A block that has the statement itself in the place of each EXECUTE of a string."""
    spans = pairwise(((0, 0), *code(block), (len(block), len(block))))
    parted = ((end, _TAGGED.match(block[end:start])) for (_, end), (start, _) in spans)
    begin, tagged = next((each for each in parted if each[1]), (0, None))
    if tagged is None:
        return block
    first, last = begin + tagged.start(2), begin + tagged.end(2)
    body, pieces, place = tagged[2], list[str](), 0
    for (start, end), (after, _) in pairwise(code(body)):
        executes, string = _EXECUTING.search(body, start, end), body[end:after]
        if executes and _QUOTED.match(string) and body[after:].lstrip().startswith(";"):
            pieces += [body[place : executes.start()], string[1:-1].replace("''", "'")]
            place = after
    return "".join([block[:first], *pieces, body[place:], block[last:]])


_EXECUTING = re.compile(r"\bEXECUTE\s*\Z", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:[^']|'')*'\Z")


def _as_function(block: str) -> str:
    """A function that does what a block does, within which no role can be set."""
    rest = block[_OPENING.match(block).end() :]  # type: ignore[union-attr]
    language = "" if _LANGUAGE.search(rest) else " LANGUAGE plpgsql"
    return f"CREATE FUNCTION {_DONE}() RETURNS void SECURITY DEFINER{language} AS {rest}"


_VIEWS = "equiv_views"
_VIEWED = f"""
SELECT pg_get_viewdef(c.oid),
  CASE WHEN b.sort = 'e' THEN 25 WHEN b.has_labels THEN 1009 ELSE b.oid END,
  format_type(b.oid, b.modifier), r.ev_action
FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
JOIN pg_rewrite r ON r.ev_class = c.oid
LEFT JOIN LATERAL (
  WITH RECURSIVE below AS (
    SELECT a.atttypid AS type, a.atttypmod AS modifier
    UNION ALL
    SELECT t.typbasetype, t.typtypmod FROM below JOIN pg_type t ON t.oid = type WHERE t.typtype = 'd')
  SELECT t.oid, modifier, t.typtype AS sort, e.typtype = 'e' AND e.typarray = t.oid AS has_labels
  FROM below JOIN pg_type t ON t.oid = type LEFT JOIN pg_type e ON e.oid = t.typelem
  WHERE t.typtype <> 'd') b ON true
WHERE c.relname = 'equiv_view' AND c.relnamespace = '{_VIEWS}'::regnamespace
ORDER BY a.attnum
"""
_SCHEMAS = """
SELECT quote_ident(nspname) FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
"""
