"""The service under load: requests a second, twice what it can take, stopped and killed under way.

    python -m benchmarks.service.serve --seconds 5

``wrk`` (https://github.com/wg/wrk; Debian and Ubuntu: apt-get install wrk) asks over loopback.  Pairs are
made on the example database, half of them equivalent by rules, half refuted by its rows; ``new`` pairs have a
gold query of their own each, ``known`` is one pair again and again.  A request is answered, refused with 429,
or lost: its connection ended without a reply.  The last columns are the processor time of the service and of
its workers for each pair, which a busy machine changes less than the pace.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from math import ceil
from pathlib import Path
from time import monotonic, sleep

from benchmarks import ROOT
from benchmarks.command import parser
from benchmarks.times.throughput import descendants, memory

CLIENTS = (1, 8, 64)
HEADINGS = "answered/s | refused/s | other | lost | 50 % ms | 99 % ms | slowest ms | service ms | workers ms"
LUA = Path(__file__).with_name("load.lua")


@dataclass(frozen=True)
class Load:
    """What became of the requests of some seconds."""

    seconds: float
    statuses: Counter[int]
    lost: int
    median: float
    """Milliseconds, as the other two."""
    slow: float
    slowest: float
    spent: tuple[float, float]
    """Processor time of the service and of its workers for each pair, in seconds."""

    def row(self) -> str:
        """As a line of the table."""
        answered, refused = self.statuses[200], self.statuses[429]
        others = sum(self.statuses.values()) - answered - refused
        pace = f"{answered / self.seconds:.0f} | {refused / self.seconds:.0f} | {others} | {self.lost}"
        each = " | ".join(f"{1000 * part:.1f}" for part in self.spent)
        return f"{pace} | {self.median:.0f} | {self.slow:.0f} | {self.slowest:.0f} | {each}"


class Service:
    """The command as a process."""

    def __init__(self, *arguments: str, port: int = 0) -> None:
        started = monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "equiv", "serve", "--port", str(port), *arguments],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.address = self.process.stderr.readline().split()[-1]
        self.port = int(self.address.rstrip("/").rpartition(":")[2])
        self.start_seconds = monotonic() - started

    def workers(self) -> list[int]:
        """Its worker processes."""
        return descendants(self.process.pid)

    def memory(self) -> list[int]:
        """MiB that it and its workers hold."""
        return [int(memory(one, "VmRSS")) for one in (self.process.pid, *self.workers())]

    def spent(self) -> tuple[float, float]:
        """Processor time that it and its workers have taken, in seconds."""
        return _spent(self.process.pid), sum(map(_spent, self.workers()))

    def held(self) -> int:
        """How many pairs it says it holds."""
        return int(json.loads(self._asked("healthz"))["pairs"])

    def pairs(self) -> int:
        """How many pairs it has decided or remembered."""
        found = re.findall(
            r"^equiv_(?:pair_seconds_count|remembered_total) (\S+)", self._asked("metrics"), re.MULTILINE
        )
        return int(sum(map(float, found)))

    def _asked(self, path: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"/{path}")
        try:
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def end(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Seconds that it takes to end."""
        started = monotonic()
        self.process.send_signal(number)
        self.process.wait(120)
        return monotonic() - started


def bodies(start: int, number: int) -> Iterator[str]:
    """Requests for pairs, none of which was asked before."""
    for n in range(start, start + number):
        gold = f"SELECT name FROM sets WHERE baseSetSize = {n} OR baseSetSize = {n + 1}"
        pred = f"SELECT name FROM sets WHERE baseSetSize IN ({n}, {n + 1})"
        if n % 2:
            pred, gold = (f"SELECT name FROM sets WHERE baseSetSize {sign} {n % 300}" for sign in (">", "<="))
            pred, gold = f"{pred} OR id = {n}", f"{gold} OR id = {n}"
        yield json.dumps({"pred": pred, "gold": gold, "db": "card_games"})


def load(service: Service, clients: int, seconds: float, lines: list[str], pause: float = 0) -> Load:
    """What becomes of requests of so many clients, each with one under way at a time."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "bodies"
        asked.write_text("\n".join(lines) + "\n")
        before, known = service.spent(), service.pairs()
        command = ["wrk", "-t1", f"-c{clients}", f"-d{ceil(seconds)}s", "--timeout", "60s", "-s", str(LUA)]
        done = subprocess.run(
            [*command, service.address, "--", str(asked), f"{pause:.0f}"],
            capture_output=True,
            text=True,
            check=True,
        )
    statuses = Counter(int(status) for status in re.findall(r"STATUS (\d+)", done.stdout))
    found = re.search(r"DONE (\d+) (\d+) (\d+) (\d+) (\d+)", done.stdout)
    assert found is not None, done.stdout
    micros, lost, median, slow, slowest = (float(part) for part in found.groups())
    while service.held():
        sleep(0.1)
    pairs = max(1, service.pairs() - known)
    own, workers = ((now - then) / pairs for now, then in zip(service.spent(), before, strict=True))
    times = (median / 1e3, slow / 1e3, slowest / 1e3)
    return Load(micros / 1e6, statuses, int(lost), *times, (own, workers))


def hammer(port: int, clients: int, until: threading.Event, told: Counter[str]) -> list[threading.Thread]:
    """Clients that ask on and on, and count how each request ends."""
    numbers = count(10_000_000)

    def ask() -> None:
        while not until.is_set():
            (body,) = bodies(next(numbers), 1)
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            try:
                connection.connect()
            except OSError:
                told["not connected"] += 1
                sleep(0.05)
                continue
            try:
                connection.request("POST", "/v1/check", body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                told[str(answer.status)] += 1
            except (OSError, http.client.HTTPException):
                told["lost"] += 1
            finally:
                connection.close()

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    return threads


@contextmanager
def running(*arguments: str) -> Iterator[Service]:
    """A service, ended afterwards."""
    service = Service(*arguments, "--db-root", str(ROOT / "dev_databases"))
    try:
        yield service
    finally:
        service.end()


def paces(workers: int, seconds: float) -> float:
    """Print requests a second; the most new pairs a second."""
    print(f"| pairs | clients | {HEADINGS} |")
    print("|---" * (3 + HEADINGS.count("|")) + "|")
    numbers, best = count(0, 20_000), 0.0
    with running("--workers", str(workers)) as service:
        load(service, 1, 1, list(bodies(next(numbers), 20_000)))
        for kind in ("new", "known"):
            for clients in CLIENTS:
                lines = list(bodies(next(numbers), 20_000 if kind == "new" else 1))
                found = load(service, clients, seconds, lines)
                print(f"| {kind} | {clients} | {found.row()} |", flush=True)
                best = max(best, found.statuses[200] / found.seconds) if kind == "new" else best
        print(f"\nMiB of service and workers: {service.memory()}; start {service.start_seconds:.1f} s")
    return best


def overload(workers: int, seconds: float, best: float) -> None:
    """Print what becomes of twice as many requests as can be answered."""
    clients = 48
    pause = clients / (2 * best) * 1000
    seconds = max(seconds, 3 * pause / 1000)
    with running("--workers", str(workers), "--queue", "16", "--batch", "1") as service:
        load(service, 1, 1, list(bodies(5_000_000, 1_000)))
        found = load(service, clients, seconds, list(bodies(6_000_000, 50_000)), pause)
        print(f"\ntwice {best:.0f}/s, a queue of 16: {found.row()}")
        print(f"pairs held afterwards: {service.held()}")


def ends(number: signal.Signals, seconds: float) -> None:
    """Print what becomes of requests while the service is ended and started anew on its port."""
    service = Service("--db-root", str(ROOT / "dev_databases"))
    until, told = threading.Event(), Counter[str]()
    threads = hammer(service.port, 8, until, told)
    sleep(seconds)
    workers, before = service.workers(), Counter(told)
    took = service.end(number)
    sleep(1)
    gone = not any(map(_runs, workers))
    lost = told["lost"] - before["lost"]
    service = Service("--db-root", str(ROOT / "dev_databases"), port=service.port)
    back = told["200"]
    started = monotonic()
    while told["200"] == back and monotonic() - started < 60:
        sleep(0.01)
    first = monotonic() - started
    sleep(seconds)
    until.set()
    for thread in threads:
        thread.join(70)
    service.end()
    print(f"{number.name} under 8 clients: ended in {took:.2f} s, lost {lost}, workers gone: {gone}")
    print(
        f"restarted in {service.start_seconds:.1f} s, first answer {first:.1f} s later; in all {dict(told)}"
    )


def _runs(process: int) -> bool:
    """Whether a process is there, and not only its entry, which waits for who started it."""
    path = Path(f"/proc/{process}/stat")
    return path.exists() and path.read_text().rpartition(")")[2].split()[0] != "Z"


def _spent(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Measure, and print."""
    given = parser(__doc__, seconds=(10.0, "for each line"), workers=2).parse_args()
    if shutil.which("wrk") is None:
        sys.stderr.write("no wrk here\n")
        return 2
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {given.workers} workers")
    best = paces(given.workers, given.seconds)
    overload(given.workers, given.seconds, best)
    for number in (signal.SIGTERM, signal.SIGKILL):
        ends(number, min(given.seconds, 5))
    return 0


if __name__ == "__main__":
    sys.exit(main())
