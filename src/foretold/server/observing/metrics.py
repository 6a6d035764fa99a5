"""The metrics, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """All metrics of one server."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.connections = Gauge("foretold_connections", "Open sockets", registry=registry)
        self.tables = Gauge("foretold_tables", "Tables in memory", registry=registry)
        self.entries = Counter(
            "foretold_entries", "Entries written to tables, by kind", ["kind"], registry=registry
        )
        self.moves = 0
        """Moves since the last scrape: nothing else happens as often, and a counter has a lock."""
        self.refusals = Counter(
            "foretold_refusals", "Requests refused, by code", ["code"], registry=registry
        )
        self.requests = Counter(
            "foretold_http_requests", "HTTP requests, by status", ["status"], registry=registry
        )
        self.cut_off = Counter(
            "foretold_cut_off", "Connections cut off because they were slow", registry=registry
        )
        self.handed = Counter(
            "foretold_handed_sockets",
            "Sockets that belong to another process at this port, by outcome",
            ["outcome"],
            registry=registry,
        )
        self.resets = Counter(
            "foretold_table_resets", "Tables rebuilt after an error", registry=registry
        )
        self.commit_seconds = Histogram(
            "foretold_commit_seconds",
            "Time to write a transaction",
            buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0),
            registry=registry,
        )
        self.commit_size = Histogram(
            "foretold_commit_size",
            "Requests in a transaction",
            buckets=(1, 2, 5, 10, 20, 50, 100, 500),
            registry=registry,
        )
        self.commit_failures = Counter(
            "foretold_commit_failures", "Failed attempts to write", registry=registry
        )
        self.queue = Gauge("foretold_write_queue", "Write requests waiting", registry=registry)
        self.saves = Gauge(
            "foretold_saves", "Whether moves can be saved now: 1 or 0", registry=registry
        )
        self.saves.set(1)
        self.read_seconds = Histogram(
            "foretold_read_seconds",
            "Time to query the database, waiting included",
            buckets=(0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 5.0),
            registry=registry,
        )
        self.read_failures = Counter(
            "foretold_read_failures", "Reads that the database did not answer", registry=registry
        )
        self.wake_seconds = Histogram(
            "foretold_wake_seconds",
            "Processor time to load a table, by source",
            ["source"],
            buckets=(0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.2),
            registry=registry,
        )
        self.free_disk = Gauge(
            "foretold_free_disk_bytes",
            "Free space on the data folder's disk",
            registry=registry,
        )
        self.bot_seconds = Histogram(
            "foretold_bot_seconds",
            "Time bots took to decide, waiting included, by level",
            ["level"],
            buckets=(0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0),
            registry=registry,
        )
        self.bot_faults = Counter(
            "foretold_bot_faults",
            "Moves made by another bot after a fault, by level",
            ["level"],
            registry=registry,
        )

    def page(self) -> bytes:
        self.entries.labels("Acted").inc(self.moves)
        self.moves = 0
        return generate_latest(self.registry)
