"""The nodes of NL2SQLBench's logs: JSON lists or JSON lines, in files or folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.reading.entries import unreadable
from equiv.eval.reading.loading import Entry, entries_of_lines, entries_of_list, load
from equiv.eval.reading.nl2sqlbench_nodes import Node, adapter_for
from equiv.eval.reading.text_file import TextFile
from equiv.records.item import Item

OF_A_QUESTION = re.compile(r"(\d+)_(.+)")
"""How the paper's code names the file of a question: id and database."""


def read_nodes(files: Iterable[Path]) -> Iterator[Node]:
    """The nodes of logs; a folder means its ``.json`` and ``.jsonl`` files.

    The system is called as the entries say, else as the folder of the file.

    Raises:
        InputError: a file cannot be read, or an entry has none of the known forms.
    """
    for file, system in logs_in(files):
        for found in read_log(file, system):
            if isinstance(found, Item):
                raise InputError(f"{file}: {found.faults[0].text}")
            yield found


def logs_in(paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """The log files with the names of their systems: folders, with more of the path where names coincide."""
    files = [file for path in paths for file in _files_of(path)]
    names = _names(list(dict.fromkeys(file.resolve().parent for file in files)))
    return ((file, names[file.resolve().parent]) for file in files)


def _files_of(path: Path) -> list[Path]:
    """The logs of a folder; where some are named as questions are, statistics beside them are none."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))
    return [file for file in files if OF_A_QUESTION.fullmatch(file.stem)] or files


def _names(folders: Sequence[Path]) -> dict[Path, str]:
    """The shortest ends of paths that tell folders apart."""
    names = {folder: folder.name for folder in folders}
    length = 1
    while len(set(names.values())) < len(folders):
        length += 1
        names = {folder: "/".join(folder.parts[-length:]) for folder in folders}
    return names


def read_log(file: Path, system: str) -> Iterator[Node | Item]:
    """The nodes of a log; an entry that is no node makes an item with a fault.

    Raises:
        InputError: the file cannot be read, or none of its entries is a node.
    """
    text = TextFile(file)
    listed = text.head.startswith("[")
    entries = (
        entries_of_list(file, load(file, text.whole())) if listed else entries_of_lines(file, text.lines())
    )
    trouble, has_entry = "no entry in it", False
    for _, own in groupby(_collected(file, system, entries), key=_place_of):
        for found in _with_notes(list(own)):
            if isinstance(found, Item):
                trouble = found.faults[0].text
            has_entry = has_entry or isinstance(found, Node)
            yield found
    if not has_entry:
        raise InputError(f"{file}: {trouble}")


def _collected(file: Path, system: str, entries: Iterable[Entry]) -> Iterator[Node | Item]:
    named = OF_A_QUESTION.fullmatch(file.stem)
    known = {"question_id": int(named[1]), "db_id": named[2]} if named else {}
    for entry in entries:
        adapter = adapter_for(entry.fields)
        if adapter is None:
            trouble = entry.trouble or f"{entry.where}: neither a node of NL2SQLBench nor a list of samples"
            yield unreadable(system, entry.where, trouble)
            continue
        try:
            yield from adapter(_located(entry.fields, known), system)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            kind = "" if type(error) is ValueError else f"{type(error).__name__}: "
            yield unreadable(system, entry.where, f"{entry.where}: {kind}{error}")


def _located(fields: Mapping[str, object], known: Mapping[str, object]) -> dict[str, object]:
    """The fields of an entry; what they do not say of the question, the name of the file does."""
    return {**known, **{name: value for name, value in fields.items() if value is not None}}


def _place_of(found: Node | Item) -> tuple[str, str, str]:
    return found.place if isinstance(found, Node) else (found.source, "", str(found.question_id))


def _with_notes(found: Sequence[Node | Item]) -> list[Node | Item]:
    """The nodes of a question with what its evaluation says of their modules; other notes stay nodes."""
    nodes = [each for each in found if isinstance(each, Node)]
    notes = {node.module: node for node in nodes if node.is_note}
    gold = next((node.gold_sql for node in nodes if node.gold_sql), "")
    given = {node.module for node in nodes if not node.is_note}
    return [
        _noted(each, notes.get(each.module), gold) if isinstance(each, Node) else each
        for each in found
        if isinstance(each, Item) or not each.is_note or each.module not in given
    ]


def _noted(node: Node, note: Node | None, gold: str) -> Node:
    executed = node.executed or (note.executed if note else None)
    return replace(node, gold_sql=node.gold_sql or gold, executed=executed)
