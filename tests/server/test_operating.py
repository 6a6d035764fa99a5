"""The files of deploy/ are sound, and docs/operating.md works as written.

There may be no container engine here: the steps of the image run as plain commands.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import site
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from foretold.server.observing.metrics import Metrics
from foretold.server.settings import ServerSettings
from ports import free_port
from server.process import FAST

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OTHER_VARIABLES = {"WEIGHTS", "KEYS"}
"""Read elsewhere than by `ServerSettings`."""
Instruction = tuple[str, str]
INSTRUCTIONS = {
    *("FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME"),
    *("EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "CMD"),
}


def instructions() -> list[Instruction]:
    text = (DEPLOY / "Containerfile").read_text()
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    return [
        (name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines) if rest
    ]


def stages() -> list[list[Instruction]]:
    found: list[list[Instruction]] = []
    for one in instructions():
        if one[0] == "FROM":
            found.append([])
        found[-1].append(one)
    return found


def last(stage: list[Instruction], name: str) -> str:
    return [rest for one, rest in stage if one == name][-1]


def test_the_image_is_small_and_runs_without_root() -> None:
    build, final = stages()
    assert {name for name, _ in instructions()} <= INSTRUCTIONS
    for stage in (build, final):
        image = stage[0][1].split()[0]
        assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim-\w+", image)
    assert int(last(final, "USER")) > 0
    assert final.index(("USER", last(final, "USER"))) > max(
        place for place, (name, _) in enumerate(final) if name == "RUN"
    )
    for command in (last(final, "CMD"), last(final, "HEALTHCHECK").partition("CMD ")[2]):
        assert all(isinstance(word, str) for word in json.loads(command))
    assert "'.[site,cluster]'" in last(build, "RUN")  # what serving needs, alone or as a node
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for name, rest in build:
        if name == "COPY":
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists()
                assert f"!{source}" in ignored


def test_compose_keeps_the_database_inside_and_roots_read_only() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    assert set(services) == {"site", "database", "proxy"}
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    assert services["database"]["networks"] == ["inside"]
    assert compose["networks"]["inside"]["internal"] is True
    for name in ("site", "proxy"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    for one in services.values():
        for volume in one["volumes"]:
            place = volume.partition(":")[0]
            assert place in compose["volumes"] or (DEPLOY / place).exists()
        for network in one["networks"]:
            assert network in compose["networks"]
        if "image" in one and "build" not in one:
            assert re.search(r":\d", one["image"])
    database = services["database"]["healthcheck"]["test"]
    assert "--host=127.0.0.1" in database  # its socket answers before it takes connections
    outside = compose["networks"]["outside"]  # without IPv6, visitors by it share an address
    assert outside["enable_ipv6"] == "${IPV6:-true}"
    (pool,) = outside["ipam"]["config"]
    usual = re.fullmatch(r"\$\{SUBNET6:-(.+)\}", pool["subnet"])
    assert usual is not None
    subnet = ip_network(usual[1])
    assert subnet.version == 6
    assert subnet.is_private
    build = services["site"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).exists()
    caddy = (DEPLOY / "Caddyfile").read_text()
    assert "reverse_proxy site:8000" in caddy
    assert caddy.count("{") == caddy.count("}")


def test_passwords_stay_out_of_the_repository() -> None:
    assert "deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_the_page_names_services_that_exist() -> None:
    page = (ROOT / "docs" / "operating.md").read_text().replace("\\\n", " ")
    commands = re.findall(r"^ *docker compose --file deploy/(\S+) (.+)$", page, re.MULTILINE)
    assert {"up", "build", "exec", "cp", "stop", "run", "ps"} == {
        words.split()[0] for _, words in commands
    }
    for name, words in commands:
        services = set(yaml.safe_load((DEPLOY / name).read_text())["services"])
        first, *rest = words.split(" sh -c ")[0].split()
        named = {one.partition(":")[0] for one in rest if not one.startswith(("-", "$", "."))}
        if first in ("exec", "run"):
            named = set(next(one for one in rest if not one.startswith("-")).split())
        assert named <= services, words
        assert "--no-deps" not in rest  # the next `up` would replace the service again
    loop = re.search(r"^for node in (.*); do$", page, re.MULTILINE)
    assert loop is not None
    nodes = yaml.safe_load((DEPLOY / "compose.nodes.yaml").read_text())["services"]
    assert set(loop[1].split()) == {name for name, one in nodes.items() if "hostname" in one}


def metric_names() -> set[str]:
    families = text_string_to_metric_families(Metrics().page().decode())
    names = set()
    for family in families:
        total = f"{family.name}_total" if family.type == "counter" else family.name
        names |= {total, f"{family.name}_bucket"} if family.type == "histogram" else {total}
    return names


def test_alerts_and_board_ask_for_metrics_that_exist() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    board = json.loads((DEPLOY / "grafana.json").read_text())
    questions = [rule["expr"] for rule in rules]
    questions += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked = {name for one in questions for name in re.findall(r"foretold_\w+", one)}
    assert asked <= metric_names()
    assert {"foretold_saves", "foretold_write_queue", "foretold_read_seconds_bucket"} <= asked
    for rule in rules:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "action"}
    places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
    assert len(set(places)) == len({panel["id"] for panel in board["panels"]}) == len(places)


def test_every_setting_that_is_named_exists() -> None:
    """In the files of deploy/ and in the docs."""
    named = {
        name
        for folder in (DEPLOY, ROOT / "docs")
        for file in folder.iterdir()
        if file.is_file() and file.suffix != ".svg"
        for name in re.findall(r"FORETOLD_([A-Z_]+)", file.read_text())
    }
    known = {one.name.upper() for one in fields(ServerSettings)}
    assert named - {"NAME"} <= known | OTHER_VARIABLES
    assert {"DATA", "DATABASE", "BUS", "DRAIN"} <= named


def check(*command: str | Path) -> None:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"no {command[0]} here")
    told = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stdout + told.stderr


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    for unit in DEPLOY.glob("foretold*.*"):
        text = unit.read_text().replace("/opt/foretold/bin/foretold", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    check("systemd-analyze", "verify", "--man=no", *sorted(tmp_path.iterdir()))


def test_prometheus_reads_the_rules() -> None:
    check("promtool", "check", "rules", DEPLOY / "alerts.yml")


def test_three_nodes_are_the_parts_of_one() -> None:
    alone = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    compose = yaml.safe_load((DEPLOY / "compose.nodes.yaml").read_text())
    services = compose["services"]
    nodes = {"site", "node2", "node3"}
    assert set(services) == nodes | {"think", "bus", "database", "proxy"}
    assert compose["networks"] == alone["networks"]
    assert compose["volumes"] == alone["volumes"]
    for name, one in services.items():
        if "extends" in one:
            assert one["extends"]["file"] == "compose.yaml"
            assert one["extends"]["service"] in alone["services"]
        assert "ports" not in one
        assert set(one.get("depends_on", ())) <= set(services), name
    for name in nodes:
        assert services[name]["environment"] == {"FORETOLD_BUS": "nats://bus:4222"}
    caddy = (DEPLOY / "Caddyfile.nodes").read_text()
    assert set(re.findall(r"(\w+):8000", caddy)) == nodes


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    file = tmp_path / "wizard.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=x"
    )
    check(*command.split(), "-keyout", file, "-out", tmp_path / "certificate.pem")
    file.write_text(file.read_text() + (tmp_path / "certificate.pem").read_text())
    return file


def test_nginx_reads_its_configuration(tmp_path: Path, certificate: Path) -> None:
    text = re.sub(r"/etc/ssl/\S+(?=;)", str(certificate), (DEPLOY / "nginx.conf").read_text())
    file = tmp_path / "nginx.conf"
    around = f"pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}} http {{ access_log off;"
    file.write_text(f"{around}\n{re.sub('node[0-9]', '127.0.0.1', text)}\n}}")
    check("nginx", "-t", "-p", tmp_path, "-c", file)


def test_haproxy_reads_its_configuration(tmp_path: Path, certificate: Path) -> None:
    text = re.sub("node[0-9]:", "127.0.0.1:", (DEPLOY / "haproxy.cfg").read_text())
    file = tmp_path / "haproxy.cfg"
    file.write_text(text.replace("/etc/haproxy/wizard.example.pem", str(certificate)))
    check("haproxy", "-c", "-f", file)


@pytest.mark.parametrize("name", ["Caddyfile", "Caddyfile.nodes"])
def test_caddy_reads_its_configuration(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE", "wizard.example")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    check("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / name)


# The image, by hand, and the page run with its result


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a file system in which the image's steps were run."""
    root = tmp_path_factory.mktemp("image")
    source, (build, final) = root / "src", stages()
    (root / "opt").mkdir()
    source.mkdir()
    for name, rest in build:
        if name == "COPY":
            *files, _ = rest.split()
            for file in files:
                _copy(ROOT / file, source / file)
        elif name == "RUN":
            # The packages are installed here already, and the client is built: nothing is
            # downloaded or built again.
            command = rest.replace("/opt/", f"{root}/opt/")
            command = re.sub(r"^python ", f"{shlex.quote(sys.executable)} ", command)
            settings = {
                "PIP_NO_DEPS": "1",
                "PIP_NO_INDEX": "1",
                "PIP_NO_BUILD_ISOLATION": "0",
                "HATCH_BUILD_NO_HOOKS": "true",
            }
            _share_packages(root / "opt" / "foretold")
            subprocess.run(
                command, shell=True, cwd=source, check=True, env={**os.environ, **settings}
            )
    assert ("COPY", "--from=build /opt/foretold /opt/foretold") in final
    shutil.rmtree(source)  # none of it is in the image
    return root


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        shutil.copy(source, target)
    else:
        unwanted = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(source, target, ignore=unwanted)


def _share_packages(environment: Path) -> None:
    for folder in environment.glob("lib/python*/site-packages"):
        (folder / "shared.pth").write_text("\n".join(site.getsitepackages()))


class Shell:
    """Does what a page says, line by line, with its paths and ports made harmless."""

    def __init__(self, image: Path, folder: Path, postgres: str) -> None:
        env = dict(re.findall(r"(\w+)=(\S+)", last(stages()[1], "ENV")))
        self.port = str(free_port())
        self._changes = {
            "postgresql://foretold@localhost/foretold": postgres,
            "/var/": f"{folder}/var/",
            "/opt/": f"{image}/opt/",
            "/data": f"{folder}/data",
            "8000": self.port,
        }
        (folder / "var" / "backups").mkdir(parents=True)
        mine = {name: self._mine(value) for name, value in env.items() if name != "NUMBA_CACHE_DIR"}
        path = f"{image}/opt/foretold/bin:{os.environ['PATH']}"
        # Plain Python: code at a new path would be compiled again.
        plain = {"PATH": path, "FORETOLD_HOST": "127.0.0.1", "NUMBA_DISABLE_JIT": "1"}
        self.env = {**os.environ, **FAST, **mine, **plain}
        self._server: subprocess.Popen[str] | None = None

    def _mine(self, text: str) -> str:
        for name, value in self._changes.items():
            text = text.replace(name, value)
        return text

    def do(self, line: str) -> None:
        line = self._mine(line)
        settings = dict(re.findall(r"(FORETOLD_\w+)=(\S+)", line))
        if line.startswith("export "):
            self.env.update(settings)
            return
        words = shlex.split(line)[len(settings) :]
        env = {**self.env, **settings}
        if "serve" in words:
            self.stop()
            self._server = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True)
            assert self._server.stdout is not None
            assert "Foretold is at" in self._server.stdout.readline()
        elif words[0] == "curl":
            assert httpx.get(words[-1]).raise_for_status().json() == {"status": "ok"}
        else:
            if "restore" in words or "move" in words:
                self.stop()
            subprocess.run(words, env=env, check=True, timeout=60)

    def stop(self) -> None:
        if self._server is not None:
            with self._server:
                self._server.terminate()
                assert self._server.wait(20) == 0
            self._server = None


@pytest.fixture
def shell(image: Path, tmp_path: Path, empty_postgres: str) -> Iterator[Shell]:
    found = Shell(image, tmp_path, empty_postgres)
    yield found
    found.stop()


def test_the_page_works_as_it_is_written(shell: Shell, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    lines = [
        one
        for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for one in block.splitlines()
    ]
    assert len(lines) == 12
    known = None
    for line in lines:
        shell.do(line)
        if "foretold serve" in line:
            live = json.loads(last(stages()[1], "HEALTHCHECK").partition("CMD ")[2])
            subprocess.run(live, env=shell.env, check=True, timeout=30)
            where = f"http://127.0.0.1:{shell.port}/api/me"
            if known is None:
                known = httpx.put(where, json={"name": "Ana"}).raise_for_status().cookies
            else:  # restored and moved, and still the same player
                me: Any = httpx.get(where, cookies=known).json()
                assert me == {"name": "Ana", "face": None}
    assert len(list((tmp_path / "var" / "lib").rglob("foretold.db*.old"))) == 1
