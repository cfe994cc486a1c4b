"""The calls of uninterpreted functions on a text, which theories find again."""

from __future__ import annotations

from dataclasses import dataclass

from equiv.algebra.terms import Apply, Constant, Convert, Expression
from equiv.smt.encoding.values import Value
from equiv.smt.logic import Formula


@dataclass(frozen=True, slots=True)
class Call:
    """A call of which one argument, a text, is no literal."""

    node: Apply | Convert
    subject: Value
    result: Value
    """The result where the subject is not NULL; of LIKE and GLOB: 1 or 0."""
    holds: Formula = ""
    """Of LIKE and GLOB: whether it holds, the subject not being NULL."""
    is_date: bool = False
    """Whether the subject is NULL or a date YYYY-MM-DD by facts."""
    is_timestamp: bool = False
    """Whether the subject is NULL or a timestamp YYYY-MM-DD HH:MM:SS by a fact."""
    digits: int = 0
    """How many decimal digits the subject consists of, if that is known, else 0."""
    is_signed: bool = False
    """Whether the subject may also be a year before 0, with a sign and so many or fewer digits."""

    @property
    def slice(self) -> tuple[int, int] | None:
        """Start and length of a SUBSTR by literals, both above 0."""
        match self.node:
            case Apply("SUBSTR", (_, Constant("integer", start), Constant("integer", length))):
                return (int(start), int(length)) if int(start) > 0 and int(length) > 0 else None
        return None

    @property
    def prefix(self) -> tuple[str, bool] | None:
        """The fixed beginning that a pattern asks for and nothing else, and whether case matters."""
        match self.node:
            case Apply("LIKE", (_, Constant("text", pattern))):
                plain, wildcards, case = pattern.removesuffix("%"), "%_", False
            case Apply("GLOB", (_, Constant("text", pattern))):
                plain, wildcards, case = pattern.removesuffix("*"), "*?[", True
            case _:
                return None
        if plain == pattern or not plain or not is_plain(plain) or set(plain) & set(wildcards):
            return None
        return plain, case

    def on(self, literal: str) -> Expression:
        """The call with its text argument replaced by a literal."""
        text = Constant("text", literal)
        if isinstance(self.node, Convert):
            return Convert(self.node.to, text, self.node.explicit)
        arguments = (each if isinstance(each, Constant) else text for each in self.node.arguments)
        return Apply(self.node.function, tuple(arguments))


def is_plain(text: str) -> bool:
    """Whether a text has printable ASCII characters only.

    Then its characters are its bytes, and comparing up to its length is not disturbed by NUL
    characters, at which SUBSTR and LIKE stop reading, nor by invalid UTF-8.
    """
    return all(" " <= character <= "~" for character in text)


def successor(text: str) -> bytes:
    """The least sequence of bytes after all texts that begin with a plain text."""
    return text[:-1].encode() + bytes([ord(text[-1]) + 1])
