"""The sdist and the wheel: what is in them, and that an installation from them works."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import tarfile
import zipfile
from pathlib import Path

import httpx
from packaging.metadata import Metadata

import foretold
from package.conftest import ROOT, Built
from package.environment import Environment

PACKAGE = ROOT / "src" / "foretold"


def tracked(folder: str) -> set[str]:
    """The files of a folder that git tracks; all of them if this is not a clone."""
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if found.returncode:
        paths = (path for path in (ROOT / folder).rglob("*") if path.is_file())
        return {path.relative_to(ROOT).as_posix() for path in paths}
    return set(found.stdout.split())


def client() -> set[str]:
    """The built client, which git does not track."""
    paths = (PACKAGE / "server" / "static").rglob("*")
    return {path.relative_to(ROOT).as_posix() for path in paths if path.is_file()}


def test_wheel_holds_the_package_with_its_client_and_nothing_else(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = set(wheel.namelist())
    about = f"foretold-{foretold.__version__}.dist-info"
    expected = {name.removeprefix("src/") for name in tracked("src/foretold") | client()}
    assert {name for name in names if not name.startswith(about)} == expected
    assert {f"{about}/licenses/LICENSE", f"{about}/entry_points.txt"} <= names
    for needed in (
        "report/page.css",
        "bots/weights/sage.npz",
        "bots/worth.npy",
        "py.typed",
        "server/storage/migrations/env.py",
        "server/static/index.html",
        "tui/foretold.tcss",
    ):
        assert f"foretold/{needed}" in names


def test_sdist_holds_the_clone_with_its_client_and_nothing_else(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    expected = tracked(".") | client()
    missing = expected - names
    assert {name for name in missing if name[0] != "."} == set()  # dotfiles concern the clone
    assert names - expected == {"PKG-INFO"}


def test_metadata_is_valid(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
        metadata = Metadata.from_email(wheel.read(name), validate=True)
    assert str(metadata.version) == foretold.__version__
    assert metadata.description_content_type == "text/markdown"
    assert metadata.provides_extra is not None
    assert {"bench", "dev", "env", "play", "postgres", "ray", "site", "train"} <= set(
        metadata.provides_extra
    )


def test_client_is_built_again_only_where_its_sources_are_newer(tmp_path: Path) -> None:
    place = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert place is not None
    assert place.loader is not None
    hook = importlib.util.module_from_spec(place)
    place.loader.exec_module(hook)
    page = tmp_path / "src" / "foretold" / "server" / "static" / "index.html"
    source = tmp_path / "web" / "src" / "App.svelte"
    tool = tmp_path / "web" / "node_modules" / "tool.js"
    for path in (source, tool):
        path.parent.mkdir(parents=True)
        path.touch()
    assert not hook.is_built(tmp_path)

    page.parent.mkdir(parents=True)
    page.touch()
    for path in (source, source.parent, tmp_path / "web", tool.parent):
        os.utime(path, (1000, 1000))
    os.utime(page, (2000, 2000))
    assert hook.is_built(tmp_path)  # tools are newer, which does not matter

    os.utime(source, (3000, 3000))
    assert not hook.is_built(tmp_path)

    (tmp_path / "PKG-INFO").touch()  # an unpacked sdist
    assert hook.is_built(tmp_path)


PLAYED = """
from foretold import Game
game = Game(players=3, seed=7)
while not game.outcome():
    game.push(next(iter(game.legal_actions())))
print(game.totals)
"""


def test_package_alone_plays(built: Built, tmp_path: Path) -> None:
    alone = Environment(tmp_path / "alone", built.wheel)
    assert alone.run("foretold", "--version").stdout == f"foretold {foretold.__version__}\n"
    game = foretold.Game(players=3, seed=7)
    while not game.outcome():
        game.push(next(iter(game.legal_actions())))
    played = alone.run("python", "-c", PLAYED)
    assert played.stdout == f"{game.totals}\n", played.stderr

    plain = alone.run("foretold", "play", "--plain", NUMBA_DISABLE_JIT="1")
    assert plain.returncode == 0, plain.stderr
    assert "You have left the game." in plain.stdout

    refused = alone.run("foretold", "serve")
    assert refused.returncode == 2
    assert refused.stderr == ("error: the site needs more packages: pip install 'foretold[site]'\n")


def test_site_is_served_with_its_client(built: Built, tmp_path: Path) -> None:
    site = Environment(tmp_path / "site", built.wheel, "site")
    # Uncompiled, which takes a tenth of the time: the point is that everything is there.
    variables = site.variables(NUMBA_DISABLE_JIT="1", FORETOLD_WORKERS="1")
    server = subprocess.Popen(
        site.command("foretold", "serve", "--port", "0", "--data", str(tmp_path / "data")),
        cwd=tmp_path,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    with server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            assert found is not None, f"the server did not start: {line}"
            with httpx.Client(base_url=found[0]) as http:
                page = http.get("/")
                assert page.status_code == 200
                scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page.text)
                assert scripts
                for script in scripts:
                    assert http.get(script).status_code == 200
                api = http.get("/api/openapi.json").json()
                assert api["info"]["version"] == foretold.__version__
                assert http.get("/healthz").json() == {"status": "ok"}
        finally:
            server.send_signal(signal.SIGTERM)
    assert server.returncode == 0
