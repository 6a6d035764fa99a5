"""Playing a match, from the start or resumed, to its end or to Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from foretold.arena.journal import Journal
from foretold.arena.match import Match
from foretold.arena.on_ray import play_on_ray
from foretold.arena.pool import play_here
from foretold.arena.results import Lost, SetResult


@dataclass(frozen=True)
class Played:
    """What was played of a match."""

    match: Match
    results: tuple[SetResult, ...]
    """The finished deal sets, in the order of the match."""
    lost: tuple[Lost, ...] = ()
    """Deal sets that could not be played, though no bot was to blame."""
    interrupted: bool = False

    @property
    def games(self) -> int:
        return sum(len(result.games) for result in self.results)

    @property
    def is_complete(self) -> bool:
        return len(self.results) == self.match.sets


def play_match(
    match: Match,
    *,
    jobs: int | None = None,
    resume: Path | None = None,
    ray: bool = False,
    tick: Callable[[float], None] = lambda done: None,
) -> Played:
    """Play a match on all cores, or on `jobs` of them; Ctrl-C ends it with the results so far.

    `resume` is the file that finished deal sets are saved in, and loaded from if it has any; `tick`
    is called with the finished share of the match.
    """
    journal = None if resume is None else Journal(resume, match)
    finished = {} if journal is None else dict(journal.finished)
    results = {index: result for index, result in finished.items() if index < match.sets}
    todo = [job for job in match.jobs() if job.index not in results]
    lost: list[Lost] = []
    interrupted = False
    try:
        tick(len(results) / match.sets)
        if todo:
            play = play_on_ray if ray else play_here
            with closing(play(match.settings, todo, jobs)) as arriving:
                for result in arriving:
                    if isinstance(result, Lost):
                        lost.append(result)
                        continue
                    if journal is not None:
                        journal.add(result)
                    results[result.index] = result
                    tick(len(results) / match.sets)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if journal is not None:
            journal.close()
    ordered = tuple(results[index] for index in sorted(results))
    return Played(match, ordered, tuple(sorted(lost)), interrupted)
