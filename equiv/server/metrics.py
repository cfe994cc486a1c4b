"""The metrics of the service, in the format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/)."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from equiv.rewards.reward import Finding

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)


class Metrics:
    """The counts of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "equiv_requests", "Requests answered.", ("path", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "equiv_request_seconds",
            "From the arrival of a request to its answer.",
            ("path",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._pairs = Counter(
            "equiv_pairs",
            "Pairs decided by a worker; remembered ones not counted.",
            ("verdict", "tier", "reason"),
            registry=self._registry,
        )
        self._work = Histogram(
            "equiv_pair_seconds", "A worker's time for a pair.", buckets=_SECONDS, registry=self._registry
        )
        self._remembered = Counter("equiv_remembered", "Pairs answered from memory.", registry=self._registry)
        self._held = Gauge("equiv_pairs_held", "Pairs that wait or are worked on.", registry=self._registry)

    def watch(self, held: Callable[[], float]) -> None:
        """Ask how many pairs are held whenever metrics are shown."""
        self._held.set_function(held)

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def decided(self, finding: Finding, seconds: float) -> None:
        """Count a pair."""
        self._pairs.labels(finding.verdict, finding.tier, finding.reason).inc()
        self._work.observe(seconds)

    def remembered(self) -> None:
        """Count a pair that was known."""
        self._remembered.inc()

    def shown(self) -> bytes:
        """All counts as text."""
        return generate_latest(self._registry)
