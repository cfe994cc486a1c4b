"""Splits PostgreSQL's scripts into statements, as ``psql`` sends them, and statements into words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from equiv.core.lexer import Token, TokenKind, tokens
from equiv.core.query import UnsupportedError
from equiv.dialects.typed.query_texts import STOP, after_line, after_stop, code, code_start, with_plain_head
from equiv.errors import InputError
from equiv.names import fold

_COPY = re.compile(r"COPY\b", re.IGNORECASE)
_FROM_STDIN = re.compile(r"\bFROM\s+STDIN\b", re.IGNORECASE)
_ATOMIC = re.compile(r"\bBEGIN\s+ATOMIC\b", re.IGNORECASE)
_CONNECT = re.compile(
    r"""\\c(?:onnect)?[ \t]+(?:-reuse-previous=\w+[ \t]+)?(?:"([^"\n]+)"|([^\s"-][^\s"]*))"""
)
_COMMAND = re.compile(
    r"\\(?:(?:i|ir|include|include_relative|if|elif)[ \t]++[^\n]*+|(?:else|endif|c|connect)\b[^\n]*+)"
)
"""What runs another file, takes or leaves statements, or begins another session."""
_PERFORM = re.compile(r"\\(?:g|gx|gset|gdesc|gexec|crosstabview|watch)\b")
"""What ends a statement as a semicolon does."""


@dataclass(frozen=True, slots=True)
class SqlStatement:
    """One statement, without the semicolon that ends it."""

    text: str
    """As written, with its comments."""
    data: str | None = None
    """What follows a ``COPY … FROM stdin``, up to the line ``\\.``."""
    line: int = 0
    """The line of the script on which it begins, from 1; 0 where it stands in none."""
    database: str = ""
    """The database that ``psql`` was told to connect to before it; '' if it was told nothing."""

    @property
    def bare(self) -> str:
        """The text without comments and white space before it, or between its words up to a parenthesis."""
        text = self.text[code_start(self.text) :]
        return with_plain_head(text)

    @property
    def words(self) -> tuple[str, ...]:
        """The first words, in upper case."""
        return tuple(_WORD.findall(self.bare[:400].upper()))[:6]

    @property
    def of_transaction(self) -> tuple[str, ...]:
        """The words of a statement about transactions as :func:`~equiv.core.texts.standing` asks for them."""
        if _TRANSACTIONS.isdisjoint(self.words[:1]):
            return ()
        found = tokens(self.bare)[:-1]
        return tuple(
            t.word if t.kind is not TokenKind.QUOTED else _as_bare(self.bare[t.start : t.end]) for t in found
        )


def dotted_name(found: Sequence[Token], place: int, text: str) -> tuple[str, int]:
    """The name that begins at a token, with those of schemas, and the place after it; '' if none does."""
    first, names = place, (TokenKind.NAME, TokenKind.QUOTED)
    if place >= len(found) or found[place].kind not in names:
        return "", place
    while found[place + 1].word == "." and found[place + 2].kind in names:
        place += 2
    return text[found[first].start : found[place].end], place + 1


def bare_name(name: str) -> str:
    """A name as PostgreSQL keeps it, without those of schemas before it."""
    found = [each for each in tokens(name) if each.kind in (TokenKind.NAME, TokenKind.QUOTED)]
    if not found:
        return ""
    last = name[found[-1].start : found[-1].end]
    return last[1:-1].replace('""', '"') if last.startswith('"') else fold(last)


def taken_statements(script: Iterable[SqlStatement]) -> Iterator[SqlStatement]:
    r"""The statements of a script without those in branches of ``\if`` that are not taken.

    Raises:
        InputError: what a branch hangs on is not told.
    """
    branches: list[tuple[bool, bool]] = []
    for each in script:
        command, _, value = each.text.partition(" ")
        is_read = all(taken for taken, _ in branches)
        match command:
            case "\\if":
                holds = is_read and _is_true(value.strip(), each)
                branches.append((holds, holds or not is_read))
            case "\\elif" if branches:
                _, is_done = branches.pop()
                is_next = not is_done and all(taken for taken, _ in branches)
                holds = is_next and _is_true(value.strip(), each)
                branches.append((holds, holds or is_done))
            case "\\else" if branches:
                _, is_done = branches.pop()
                branches.append((not is_done, True))
            case "\\endif" if branches:
                branches.pop()
            case _ if is_read:
                yield each


def _is_true(value: str, command: SqlStatement) -> bool:
    if value.lower() not in (*_TRUE, *_FALSE):
        said = f"line {command.line}: " * bool(command.line) + command.text
        raise InputError(f"a branch hangs on what the script does not say: {said}")
    return value.lower() in _TRUE


_TRUE, _FALSE = ("1", "on", "true", "yes"), ("0", "off", "false", "no")


def _as_bare(quoted: str) -> str:
    """A name in quotes in upper case if it is that of a bare word, else as it is."""
    name = bare_name(quoted)
    return name.upper() if name == fold(name) else quoted


_TRANSACTIONS = frozenset("ABORT BEGIN COMMIT END RELEASE ROLLBACK SAVEPOINT START".split())  # noqa: SIM905
_WORD = re.compile(r"[A-Z_][A-Z_0-9]*|\S")


def statements(text: str, *, includes: bool = False) -> Iterator[SqlStatement]:
    """The statements that hold anything but comments, and their lines; commands of ``psql`` are left out.

    Args:
        text: a script.
        includes: whether those commands are there that run another file, or what a query gives, that begin a
            session or take statements and leave others.
    """
    line, counted = 1, 0
    for first, statement in placed_statements(text):
        line, counted = line + text.count("\n", counted, first), first
        if includes or not statement.text.startswith("\\"):
            yield replace(statement, line=line)


def placed_statements(text: str) -> Iterator[tuple[int, SqlStatement]]:
    """The statements, and commands that run others, with the places at which they begin."""
    position, first, database = 0, code_start(text), ""
    while (found := STOP.search(text, position)) is not None:
        match found[0]:
            case ";" if first < found.start():
                statement, position = _ended(text, first, found)
                yield first, replace(statement, database=database)
                first = code_start(text, position)
            case ";":
                position = found.end()
                first = code_start(text, position)
            case "\\" if first == found.start():
                if (connected := _CONNECT.match(text, first)) is not None:
                    database = connected[1] or connected[2]
                if (command := _COMMAND.match(text, first)) is not None:
                    yield first, SqlStatement(command[0].rstrip(" \t\r;"), database=database)
                position = after_line(text, found.start())
                first = code_start(text, position)
            case "\\" if performed := _PERFORM.match(text, found.start()):
                yield first, SqlStatement(text[first : found.start()].rstrip(), database=database)
                if performed[0] == "\\gexec":
                    yield found.start(), SqlStatement(performed[0], database=database)
                position = after_line(text, found.start())
                first = code_start(text, position)
            case _:
                position = after_stop(text, found)
    if first < len(text):
        yield first, SqlStatement(text[first:].strip(), database=database)


def _ended(text: str, first: int, found: re.Match[str]) -> tuple[SqlStatement, int]:
    """The statement that a semicolon ends, and where what follows it begins."""
    statement = text[first : found.start()].rstrip()
    if _ATOMIC.search(statement) is not None:
        end = _after_atomic(text, first, found.start())
        return SqlStatement(text[first:end].rstrip()), end
    if _COPY.match(statement) and _FROM_STDIN.search(statement):
        data, position = _copied(text, found.end())
        return SqlStatement(statement, data), position
    return SqlStatement(statement), found.end()


def _copied(text: str, position: int) -> tuple[str, int]:
    """The lines of a COPY, and where the statement after them begins."""
    begin = after_line(text, position)
    end = begin if text.startswith("\\.", begin) else text.find("\n\\.", begin) + 1
    if end <= 0:
        return text[begin:], len(text)
    return text[begin:end], after_line(text, end)


_NESTED = re.compile(r"\b(?:(BEGIN|CASE)|END)\b", re.IGNORECASE)


def _after_atomic(text: str, first: int, position: int) -> int:
    """Where a function ends whose body is written in SQL, which holds semicolons, and CASE … END.

    Args:
        first: where the function begins.
        position: a place in its body.
    """
    depth = 0
    for start, end in code(text[first:]):
        for word in _NESTED.finditer(text, first + start, first + end):
            depth += 1 if word[1] else -1
            if not depth and word.start() >= position:
                return word.end()
    return len(text)


_PART = re.compile(r"\w+|[^\w\s]")
_NAMED_TABLE = re.compile(r"\w")


def without_locks(query: str) -> tuple[str, tuple[str, ...]]:
    """The query without the clauses by which it locks rows, and these clauses.

    A lock changes no row. ``SKIP LOCKED`` does, and stays: which rows others hold is nobody's to say.
    """
    found: list[tuple[int, int]] = []
    for stretch in code(query):
        words = list(_PART.finditer(query, *stretch))
        for at, word in enumerate(words):
            if word[0].upper() == "FOR" and (count := _lock_ends(words[at : at + _LONGEST_LOCK])):
                found.append((word.start(), words[at + count - 1].end()))
    ends = [0, *(place for part in found for place in part), len(query)]
    text = "".join(query[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)).rstrip()
    return text, tuple(" ".join(query[start:end].upper().split()) for start, end in found)


def changing_word(query: str) -> str:
    """The word by which a query with WITH changes rows, or ''."""
    words = [word for stretch in code(query) for word in _PART.findall(query, *stretch)]
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        spelt = str(word).upper()
        if before in "()" and spelt in _CHANGING and _NAMED_TABLE.match(after):
            return spelt
    return ""


_CHANGING = frozenset(("INSERT", "UPDATE", "DELETE", "MERGE"))
_LONGEST_LOCK = 100
"""Words of a clause, the commas between names of tables among them."""


def _lock_ends(words: list[re.Match[str]]) -> int:
    """How many of some words, of which the first is FOR, are a clause that locks rows and waits for them."""
    spelt = [word[0].upper() for word in words]
    for start in (["UPDATE"], ["SHARE"], ["NO", "KEY", "UPDATE"], ["KEY", "SHARE"]):
        if spelt[1 : 1 + len(start)] == start:
            break
    else:
        return 0
    at = 1 + len(start)
    if spelt[at : at + 1] == ["OF"]:
        at += 1
        if not spelt[at : at + 1] or not _NAMED_TABLE.match(spelt[at]):
            return 0
        at += 1
        while spelt[at : at + 1] == [","]:
            at += 2
    at += spelt[at : at + 1] == ["NOWAIT"]
    return 0 if spelt[at : at + 1] == ["SKIP"] else at


_OF_TODAY = re.compile(r"\b(?:now|today|tomorrow|yesterday)\b", re.IGNORECASE)


def require_no_today(query: str) -> None:
    """Make sure that no constant is a date of today, which PostgreSQL computes when it reads the text.

    Raises:
        UnsupportedError: one may be.
    """
    ends = [0, *(place for part in code(query) for place in part), len(query)]
    if any(_OF_TODAY.search(query, *each) for each in zip(ends[::2], ends[1::2], strict=True)):
        raise UnsupportedError("Const", "a text that may be read as the current time")
