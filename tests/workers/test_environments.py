"""Wherever a program may call: right verdicts, a clean end, and no process left behind.

Each script runs as a program of its own, whose last line says what it found.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kit.programs import lines_of_program

COMMON = """
import concurrent.futures, multiprocessing, os, pathlib, sys, threading, time
import equiv

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)"
PAIRS = [
    ("SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a = 2 OR a = 1"),
    ("SELECT a FROM t WHERE a > 1", "SELECT a FROM t"),
    ("SELECT nope FROM t", "SELECT a FROM t"),
    ("SELECT COUNT(*) FROM t WHERE a + 0 = 5", "SELECT SUM(CASE WHEN a = 5 THEN 1 ELSE 0 END) FROM t"),
    ("SELECT b FROM t WHERE a = 1 OR a = 2", "SELECT b FROM t WHERE a BETWEEN 1 AND 2 AND a <> 1.5"),
]
TIMEOUT = {timeout!r}

def fresh():
    return equiv.Checker(DDL, timeout=TIMEOUT)

def names(checker):
    return "".join(checker.check(*pair).name[0] for pair in PAIRS)

def called(_=None):
    return "".join(equiv.check(*pair, schema=DDL, timeout=TIMEOUT).name[0] for pair in PAIRS)

def own(_=None):
    checker = fresh()
    return names(checker)
"""
RIGHT = "enine"
"""The first letters of the five verdicts."""

THREADS = """
with fresh() as shared:
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: names(shared), range(4)))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found += pool.map(called, range(4))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found += pool.map(own, range(2))
print(*found)
"""
ASYNCIO = """
import asyncio

async def main():
    with fresh() as shared:
        inside = names(shared), called()
        return *inside, *await asyncio.gather(*(asyncio.to_thread(names, shared) for _ in range(3)))

print(*asyncio.run(main()))
"""
FORKED = """
used = fresh()
found = [names(used)]
for other in (lambda: names(used), called):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, other().encode())
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    found.append(os.read(reading, 100).decode())
found.append(names(used))
print(*found)
"""
PROCESSES = """
def use(checker):
    return names(checker)

def send(queue):
    queue.put(own())

if __name__ == "__main__":
    context = multiprocessing.get_context({method!r})
    queue = context.SimpleQueue()
    process = context.Process(target=send, args=(queue,))
    process.start()
    found = [queue.get()]
    process.join()
    assert process.exitcode == 0
    used = fresh()
    found.append(names(used))
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        found += pool.map(own, range(2))
        found += pool.map(called, range(2))
        found.append(pool.submit(use, used).result())
    with context.Pool(2) as pool:
        found += pool.map(own, range(2))
        found.append(pool.apply(use, (used,)))
    with context.Pool(2) as pool:
        found += pool.map(called, range(2))
        pool.close()
        pool.join()
    print(*found)
"""
NOTEBOOK = """
import asyncio, types

cells = types.ModuleType("__main__")
sys.modules["__main__"] = cells
code = "first = names(shared)\\nsecond = called()\\nwith fresh() as third: third = names(third)"

async def run_cell():
    exec(code, vars(cells))

vars(cells).update(names=names, called=called, fresh=fresh, shared=fresh())
asyncio.new_event_loop().run_until_complete(run_cell())
print(cells.first, cells.second, cells.third)
"""
UNGUARDED = """
print("begins")
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
checker = fresh()
found = [names(checker), called()]
found += [v.name[0] for v in equiv.check_many(PAIRS, schema=DDL, timeout=TIMEOUT, workers=2)]
print(*found[:2], "".join(found[2:]))
"""

BURIED = """
def unburied():
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if (int(parent), state) == (os.getpid(), "Z"):
            yield stat

if __name__ == "__main__" or not hasattr(sys.modules["__main__"], "__file__"):
    equiv.Checker(DDL).close()
    # Between the end of a worker and its burial other threads may have their turn.
    patience = time.monotonic() + 20
    while (left := list(unburied())) and time.monotonic() < patience:
        time.sleep(0.05)
    assert not left
"""

SCRIPTS = {
    "threads": THREADS,
    "asyncio": ASYNCIO,
    "os.fork": FORKED,
    "fork": PROCESSES.replace("{method!r}", "'fork'"),
    "spawn": PROCESSES.replace("{method!r}", "'spawn'"),
    "forkserver": PROCESSES.replace("{method!r}", "'forkserver'"),
    "notebook": NOTEBOOK,
    "unguarded": UNGUARDED,
}


KEPT = [(name, None if name in ("fork", "forkserver") else 60.0) for name in SCRIPTS]
"""Each environment once, with workers but for plain forks."""


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="forks and sessions are POSIX")
@pytest.mark.parametrize(("name", "timeout"), KEPT)
def test_right_verdicts_and_a_clean_end(tmp_path: Path, name: str, timeout: float | None) -> None:
    text = COMMON.replace("{timeout!r}", repr(timeout)) + SCRIPTS[name] + BURIED
    *before, last = lines_of_program(text, tmp_path)
    assert before == (["begins"] if name == "unguarded" else [])
    assert set(last.split()) == {RIGHT}
