"""`foretold editions` and `bench`: the rules as tables, and how fast the kernel plays them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from foretold.cli.arguments import Edition, Json, Options, Players, rules_of
from foretold.cli.telling import print_json, progress


def editions(json: Json = False) -> None:
    """List editions, options and what may be combined.

    Example: foretold editions
    """
    from foretold.rulebook import as_data, tables

    if json:
        print_json(as_data())
        return
    from rich.console import Console

    console = Console()
    for table in tables():
        console.print(table)


def bench(
    edition: Edition = "amigo",
    players: Players = None,
    option: Options = None,
    threads: Annotated[int, typer.Option(help="On how many threads.", min=1, metavar="N")] = 1,
    device: Annotated[
        str, typer.Option(help="cpu, or cuda: a GPU as well as the CPU.", metavar="DEVICE")
    ] = "cpu",
    seconds: Annotated[
        float, typer.Option(help="How long to measure.", min=0.1, max=600, metavar="S")
    ] = 2.0,
    peer: Annotated[bool, typer.Option("--peer", help="Compare with OpenSpiel's oh_hell.")] = False,
    json: Json = False,
) -> None:
    """Measure the speed of the kernel.

    Uniformly random legal play, deals included. --device cuda needs foretold[cuda].

    Example: foretold bench --peer
    """
    from foretold.bench import kernel_speed, peer_speed
    from foretold.kernel.engine import require_device

    rules = rules_of(edition, players, option)
    require_device(device)
    on_gpu = None
    with progress("measuring") as tick:
        other = peer_speed(seconds=seconds) if peer else None
        speed = kernel_speed(rules, threads=threads, seconds=seconds, tick=tick)
        if device != "cpu":
            on_gpu = kernel_speed(rules, device=device, seconds=seconds, tick=tick)
    ratio = None if other is None else speed.decisions_per_second / other
    if json:
        answer: dict[str, Any] = {
            "decisions_per_second": round(speed.decisions_per_second),
            "games_per_second": round(speed.games_per_second, 1),
            "rules": rules.to_options(),
            "threads": speed.threads,
        }
        if on_gpu is not None:
            answer["cuda"] = {
                "decisions_per_second": round(on_gpu.decisions_per_second),
                "games_per_second": round(on_gpu.games_per_second, 1),
            }
        if other is not None and ratio is not None:
            answer["peer"] = {
                "name": "OpenSpiel oh_hell from Python",
                "decisions_per_second": round(other),
                "ratio": round(ratio, 1),
            }
        print_json(answer)
        return
    typer.echo(f"{rules!r}, {threads} thread{'s' if threads > 1 else ''}")
    typer.echo(f"  {speed.decisions_per_second / 1e6:.1f} million decisions a second")
    typer.echo(f"  {speed.games_per_second:,.0f} games a second")
    if on_gpu is not None:
        times = on_gpu.decisions_per_second / speed.decisions_per_second
        typer.echo("on a GPU")
        typer.echo(f"  {on_gpu.decisions_per_second / 1e6:,.1f} million decisions a second")
        typer.echo(f"  {on_gpu.games_per_second:,.0f} games a second")
        typer.echo(f"  {times:.0f} times the CPU")
    if ratio is not None and other is not None:
        typer.echo(f"  {ratio:.0f} times OpenSpiel's oh_hell from Python ({other:,.0f} a second)")
