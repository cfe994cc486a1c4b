"""The output folders of ROSE's own code as published judgements, for every variant of its cascade.

Usage: ``python -m equiv.judge.asking.rose_output FOLDER… > judgements.jsonl``, the folders being
``…/MODEL/RUN`` as that code leaves them: ``eval_results.json`` beside ``prover_output.json``,
``refuter_output.json``, ``refuter_wogt_output.json``, ``pr_output.json`` and the like, lists of
``{question_id, result}``.
``--judge replay:FILE`` reads the lines, with ``--judge-model MODEL --judge-run RUN`` and the run's variant.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.files import load_json, read_text

RESULTS = "eval_results.json"
REPLIES = "*_output.json"
REFUTER = "refuter"


def judgements_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file of judgements, one a scored question.

    The model and the run are called as the two last parts of the path; of several replies to one question,
    which an interrupted run leaves behind, the last one counts.

    Raises:
        InputError: the folder has no results, or a file has another form.
    """
    prover: dict[str, Any] = {}
    refuter: dict[str, Any] = {}
    for file in sorted(folder.glob(REPLIES)):
        replies = refuter if file.name.startswith(REFUTER) else prover
        replies |= {_id(file, entry): entry.get("result") for entry in _entries(file)}
    model, run = folder.resolve().parts[-2:]
    for entry in _entries(folder / RESULTS):
        number = _id(folder / RESULTS, entry)
        yield {
            "model": model,
            "metric": run,
            "question_id": entry["question_id"],
            "score": entry.get("score"),
            "prover": prover.get(number),
            "refuter": refuter.get(number),
        }


def _entries(file: Path) -> list[Mapping[str, Any]]:
    found = load_json(file, read_text(file))
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise InputError(f"{file}: not a list of records")
    return found


def _id(file: Path, entry: Mapping[str, Any]) -> str:
    if "question_id" not in entry:
        raise InputError(f"{file}: a record without question_id")
    return json.dumps(entry["question_id"])


def main(arguments: Sequence[str]) -> int:
    """Print the judgements of some folders, a line each."""
    if not arguments:
        sys.stderr.write("usage: python -m equiv.judge.asking.rose_output FOLDER… > judgements.jsonl\n")
        return 2
    try:
        for folder in arguments:
            for line in judgements_in(Path(folder)):
                sys.stdout.write(json.dumps(line) + "\n")
    except InputError as error:
        sys.stderr.write(f"rose_output: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
