"""How commands report: on standard error, as progress, as JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

FINE, NEGATIVE, BAD_INPUT = 0, 1, 2
"""The exit statuses: success, a negative answer, bad input."""


@contextmanager
def progress(what: str) -> Iterator[Callable[[float], None]]:
    """A progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda done: progress.update(task, completed=done)


@contextmanager
def counter(what: str) -> Iterator[Callable[[], None]]:
    """A count on standard error, if that is a terminal and the answer goes elsewhere."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda: None
        return
    from rich.console import Console

    done = 0
    with Console(stderr=True).status(f"0 {what}") as status:

        def count() -> None:
            nonlocal done
            done += 1
            if done % 100 == 0:
                status.update(f"{done:,} {what}")

        yield count


def complain(text: str) -> None:
    typer.echo(f"error: {text}", err=True)


def print_json(answer: object) -> None:
    import msgspec

    typer.echo(msgspec.json.encode(answer).decode())
