"""A server's URL in the place of the path of a database.

All that handles databases hands paths on; a URL travels as the last component of one, its signs quoted.  A
password does not: it goes to the environment of this process and its workers, where libpq finds it, so that
no record, message or command shows it.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit, urlunsplit

SCHEMES = ("postgresql", "postgres")
HERE = "{db}"
"""Stands in the URL of many databases for the name of one."""
_MARK = "postgresql:"


def is_url(text: str) -> bool:
    """Whether an argument is the URL of a database of PostgreSQL's."""
    return text.startswith(tuple(f"{scheme}://" for scheme in SCHEMES))


def path_of(url: str) -> Path:
    """The path that stands for a URL; its password is kept where libpq looks."""
    parts = urlsplit(url)
    place = parts.netloc
    if parts.password is not None:
        os.environ["PGPASSWORD"] = unquote(parts.password)
        user, _, host = place.rpartition("@")
        place = f"{user.split(':', 1)[0]}@{host}"
    # An empty host is kept, as three slashes.
    plain = f"//{place}" + urlunsplit(("", "", parts.path, parts.query, ""))
    return Path(_MARK + quote(plain, safe=""))


def url_of(path: Path) -> str | None:
    """The URL that a path stands for, or None: then it is the path of a file."""
    return _MARK + unquote(path.name.removeprefix(_MARK)) if path.name.startswith(_MARK) else None


def place_of(text: str) -> Path:
    """The path that an argument means: that of a file or folder, or one that stands for a server's URL."""
    return path_of(text) if is_url(text) else Path(text)


def named_below(url: str, name: str) -> str | None:
    """The URL of a database by its name, of one in which ``{db}`` stands for that; None if it fixes another.

    Without ``{db}`` and without a database the name comes last.
    """
    parts = urlsplit(url)
    spelt = quote(name, safe="")
    if HERE in parts.path:
        path = parts.path.replace(HERE, spelt)
    elif not parts.path.strip("/"):
        path = f"/{spelt}"
    else:
        return None
    # An empty host is kept, as three slashes.
    return f"{parts.scheme}://{parts.netloc}" + urlunsplit(("", "", path, parts.query, ""))


def name_of(url: str) -> str:
    """What a database is called."""
    return urlsplit(url).path.strip("/") or "postgres"


def shown_name(path: Path) -> str:
    """What people are told of a database."""
    url = url_of(path)
    return path.stem if url is None else name_of(url)
