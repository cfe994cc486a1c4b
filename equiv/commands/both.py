"""Two queries in one file: the prediction first, then the gold query, each ended by a semicolon."""

from __future__ import annotations

from equiv.errors import InputError
from equiv.files import read_query_file


def read_both(name: str) -> tuple[str, str]:
    """The texts of the two queries of a file, or of standard input if it is called ``-``.

    Raises:
        InputError: the file cannot be read, or does not hold two statements.
    """
    found = statements(read_query_file(name))
    match found:
        case [pred, gold]:
            return pred, gold
    shown = "standard input" if name == "-" else name
    number = "no statement" if not found else "1 statement" if len(found) == 1 else f"{len(found)} statements"
    raise InputError(f"{shown}: holds {number}, not two: the prediction, then the gold query")


def statements(text: str) -> list[str]:
    r"""The statements of a text, without the semicolons that end them and the comments between them.

    >>> statements("SELECT ';' -- one; two\n; SELECT 2;;")
    ["SELECT ';'", 'SELECT 2']
    """
    from equiv.core.lexer import Kind, tokens

    found: list[str] = []
    start: int | None = None
    end = 0
    for token in tokens(text):
        if token.kind is Kind.END or token.word == ";":
            if start is not None:
                found.append(text[start:end])
            start = None
        else:
            start = token.start if start is None else start
            end = token.end
    return found
