"""The balancers of `deploy/`, run on loopback before real nodes, without certificates."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ports import free_port, is_listening

DEPLOY = Path(__file__).parents[2] / "deploy"


def nginx(folder: Path, port: int, nodes: Sequence[int]) -> list[str]:
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"listen 443 ssl", f"listen 127.0.0.1:{port}", text)
    text = re.sub(r"\n\s*ssl_certificate.*", "", text)
    text = _with_nodes(text, r"(\n *server )node\d:8000(.*)", nodes)
    paths = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{one}_temp_path {folder}/{one};" for one in paths)
    limits = "".join(re.findall(r"^#     (.*;.*)$", text, re.MULTILINE))  # as its comment says
    assert "worker_connections" in limits
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/pid; error_log {folder}/log; daemon off;\n{limits}\n"
        f"http {{ access_log off; {temporary}\n{text}\n}}"
    )
    return ["-c", str(file), "-e", f"{folder}/log"]


def haproxy(folder: Path, port: int, nodes: Sequence[int]) -> list[str]:
    text = (DEPLOY / "haproxy.cfg").read_text()
    text = text.replace("maxconn 50000", "maxconn 500")  # as few files as a test may open
    text = re.sub(r"\n\s*bind :443.*", "", text)
    text = re.sub(r"\n\s*http-request redirect scheme.*", "", text)
    text = text.replace("X-Forwarded-Proto https", "X-Forwarded-Proto http")
    text = text.replace("bind :80", f"bind 127.0.0.1:{port}")
    text = _with_nodes(text, r"(\n *server )node\d node\d:8000(.*)", nodes, named=True)
    file = folder / "haproxy.cfg"
    file.write_text(text)
    return ["-f", str(file), "-db"]


def caddy(folder: Path, port: int, nodes: Sequence[int]) -> list[str]:
    text = (DEPLOY / "Caddyfile.nodes").read_text().replace("{$SITE}", f"http://127.0.0.1:{port}")
    there = " ".join(f"127.0.0.1:{one}" for one in nodes)
    text = re.sub(r"(reverse_proxy ).*( \{)", rf"\g<1>{there}\g<2>", text)
    file = folder / "Caddyfile"
    file.write_text("{\n\tadmin off\n}\n" + text)
    return ["run", "--adapter", "caddyfile", "--config", str(file)]


BALANCERS = {"nginx": nginx, "haproxy": haproxy, "caddy": caddy}


def _with_nodes(text: str, line: str, nodes: Sequence[int], *, named: bool = False) -> str:
    """One such line for each node."""
    found = list(re.finditer(line, text))
    assert found, "there are no nodes in it"
    lines = "".join(
        f"{found[0][1]}{f'node{at} ' if named else ''}127.0.0.1:{port}{found[0][2]}"
        for at, port in enumerate(nodes, start=1)
    )
    return text[: found[0].start()] + lines + text[found[-1].end() :]


@contextmanager
def balanced(
    name: str, program: str, folder: Path, nodes: Sequence[int]
) -> Iterator[tuple[str, int]]:
    """The address and the process of a balancer before nodes at these ports."""
    folder.mkdir()
    port = free_port()
    arguments = BALANCERS[name](folder, port, nodes)
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(
            [program, *arguments],
            stdout=output,
            stderr=output,
            env={"HOME": str(folder)},
        )
        try:
            deadline = time.monotonic() + 30
            while not is_listening(port):
                told = (folder / "output").read_text()
                assert process.poll() is None, f"{name} has ended: {told}"
                assert time.monotonic() < deadline, f"{name} does not listen: {told}"
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()
            process.wait(30)
