"""Wherever a trainer may ask for rewards: the right ones, a clean end, and no process left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kit.programs import lines_of_program

pytestmark = pytest.mark.long

COMMON = """
import asyncio, concurrent.futures, multiprocessing, os, sys, threading, time, types
from equiv.rewards import Rewarder, Settings, reward, rewards

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)"
GOLD = "SELECT a FROM t WHERE a IN (1, 2)"
PREDS = ["SELECT a FROM t WHERE a = 2 OR a = 1", "SELECT a FROM t", "SELECT nope FROM t", None]

def one_by_one(_=None):
    return "".join(reward(pred, GOLD, DDL).finding.outcome[0] for pred in PREDS)

def batch(rewarder=None):
    give = rewards if rewarder is None else rewarder.rewards
    return "".join(each.finding.outcome[0] for each in give(PREDS, [GOLD] * 4, [DDL] * 4))
"""
RIGHT = "prin"
"""The first letters of the four outcomes."""

THREADS = """
with Rewarder(Settings(workers=2)) as shared, concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(*pool.map(batch, [shared] * 4), *pool.map(one_by_one, range(4)))
"""
ASYNCIO = """
async def main():
    inside = one_by_one(), batch()
    return *inside, *await asyncio.gather(*(asyncio.to_thread(batch) for _ in range(3)))

print(*asyncio.run(main()))
"""
FORKED = """
used = Rewarder()
found = [batch(used), one_by_one()]
for other in (lambda: batch(used), one_by_one):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, other().encode())
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    found.append(os.read(reading, 100).decode())
print(*found, batch(used))
"""
PROCESSES = """
if __name__ == "__main__":
    context = multiprocessing.get_context({method!r})
    used = Rewarder()
    found = [batch(used)]
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        found += pool.map(one_by_one, range(2))
        found.append(pool.submit(batch, used).result())
    with context.Pool(2) as pool:  # its workers are daemonic
        found += pool.map(one_by_one, range(2))
        found.append(pool.apply(batch, (used,)))
    print(*found)
"""
NOTEBOOK = """
cells = types.ModuleType("__main__")
sys.modules["__main__"] = cells
vars(cells).update(one_by_one=one_by_one, batch=batch)

async def run_cell():
    exec("first, second = one_by_one(), batch()", vars(cells))

asyncio.new_event_loop().run_until_complete(run_cell())
print(cells.first, cells.second)
"""
UNGUARDED = """
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
print(one_by_one(), batch(), batch(Rewarder(Settings(workers=2))))
"""

SCRIPTS = {
    "threads": THREADS,
    "asyncio": ASYNCIO,
    "os.fork": FORKED,
    "fork": PROCESSES.replace("{method!r}", "'fork'"),
    "spawn": PROCESSES.replace("{method!r}", "'spawn'"),
    "notebook": NOTEBOOK,
    "unguarded": UNGUARDED,
}


@pytest.mark.skipif(os.name == "nt", reason="forks and sessions are POSIX")
@pytest.mark.parametrize("name", SCRIPTS)
def test_right_rewards_and_a_clean_end(tmp_path: Path, name: str) -> None:
    (line,) = lines_of_program(COMMON + SCRIPTS[name], tmp_path)
    assert set(line.split()) == {RIGHT}
