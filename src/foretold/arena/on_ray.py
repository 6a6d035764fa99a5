"""Deal sets on a Ray cluster: a referee, with its worker process, for every core of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from typing import Any

from foretold.arena.match import Job, Settings
from foretold.arena.referee import Referee
from foretold.arena.results import Lost, SetResult
from foretold.cluster import cluster
from foretold.errors import BotError


class RemoteReferee(Referee):
    """A referee on another machine; errors become one line, not a remote traceback."""

    def refusal(self) -> str | None:
        try:
            self.check()
        except BotError as error:
            return str(error)
        return None


def play_on_ray(
    settings: Settings, jobs: Sequence[Job], workers: int | None
) -> Generator[SetResult | Lost, None, None]:
    """Play deal sets; yields results as they finish. Closing the iterator stops all work."""
    with cluster() as ray:
        yield from _play(ray, settings, jobs, workers)


def _play(
    ray: Any, settings: Settings, jobs: Sequence[Job], workers: int | None
) -> Generator[SetResult | Lost, None, None]:
    actors: list[Any] = []
    try:
        cores = int(ray.cluster_resources().get("CPU", 1))
        # If a machine is lost, its referee is recreated on another, and its work is repeated.
        remote: Any = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(RemoteReferee)
        actors = [
            remote.remote(settings, [*sys.path, os.getcwd()])
            for _ in range(min(workers or cores, cores, len(jobs)))
        ]
        refusal = ray.get(actors[0].refusal.remote())
        if refusal is not None:
            raise BotError(refusal)
        todo = iter(jobs)
        pending = {actor.do.remote(job): actor for actor, job in zip(actors, todo, strict=False)}
        while pending:
            finished, _ = ray.wait(list(pending))
            for reference in finished:
                actor = pending.pop(reference)
                job = next(todo, None)
                if job is not None:
                    pending[actor.do.remote(job)] = actor
                yield ray.get(reference)
    finally:
        for actor in actors:
            ray.kill(actor)  # its worker notices, and exits
