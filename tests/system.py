"""What the tests need from the system besides Python packages: a browser and servers.

    python tests/system.py install    installs what is missing, by apt if run as root; else says so
    python tests/system.py show       shows what is there: a failure on one machine may be due to it

It needs only Python, so it can run before anything else is installed.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

BROWSERS: Final = (
    "chromium-headless-shell",  # without windows, it opens a page with two thirds of the work
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PACKAGES: Final = (
    ("chromium-headless-shell", "chromium"),
    ("postgresql",),
    ("nats-server",),
    ("nginx",),
)
"""Debian's package names, the preferred one first."""
FONTS: Final = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
CLUSTERS: Final = Path("/etc/postgresql-common/createcluster.conf")


def find_browser() -> str | None:
    """The first such browser on this machine."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_postgres() -> Path | None:
    """The folder with PostgreSQL's programs."""
    homes = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    found = shutil.which("initdb")
    homes += [Path(found).parent] if found else []
    return next((home for home in homes if (home / "initdb").exists()), None)


def find_nats() -> str | None:
    """NATS's server, which Debian keeps where only root looks."""
    return shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")


def find_balancer(name: str) -> str | None:
    """nginx, HAProxy or Caddy; the first two are also where only root looks."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


# Installing


def install() -> None:
    postgres = find_postgres() or os.environ.get("FORETOLD_TEST_POSTGRES")
    there = find_browser(), postgres, find_nats(), find_balancer("nginx")
    missing = [names for names, found in zip(PACKAGES, there, strict=True) if not found]
    if not missing:
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        first = " ".join(names[0] for names in missing)
        print(f"Some tests are skipped on this machine. To run them: apt install {first}")
        return
    print("installing for the tests:", ", ".join(names[0] for names in missing), flush=True)
    if ("postgresql",) in missing and not CLUSTERS.exists():
        # Tests start their own server, so none may start by itself.
        CLUSTERS.parent.mkdir(exist_ok=True)
        CLUSTERS.write_text("create_main_cluster = false\n")
    apt("update")
    with not_started("nats-server"), not_started("nginx"):
        for names in missing:
            if not any(apt("install", name) for name in names):
                sys.exit(f"apt-get could not install any of: {', '.join(names)}")


@contextmanager
def not_started(service: str) -> Iterator[None]:
    """Keep Debian from starting a service, open to the network, when it is installed."""
    mask = Path(f"/etc/systemd/system/{service}.service")
    masks = mask.parent.is_dir() and not mask.exists()
    if masks:
        mask.symlink_to("/dev/null")
    try:
        yield
    finally:
        if masks:
            mask.unlink()


def apt(*command: str) -> bool:
    options = ["-qq", "--yes", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold"]
    done = subprocess.run(
        ["apt-get", *options, *command],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return done.returncode == 0


# Showing


def show() -> None:
    print("What the tests ran with:")
    for name, found in used():
        print(f"  {name:<12}{found}")


def used() -> Iterator[tuple[str, str]]:
    yield "system", f"{distribution()}, {platform.machine()}, {os.cpu_count()} cores"
    yield "Python", f"{platform.python_version()} {sys.executable}"
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    yield "Node.js", told(node, "--version") if node else "none"
    browser = find_browser()
    yield "browser", f"{told(browser, '--version')}{owned(browser)}" if browser else "none"
    yield "fonts", fonts()
    home = find_postgres()
    given = "that of FORETOLD_TEST_POSTGRES" if os.environ.get("FORETOLD_TEST_POSTGRES") else None
    program = str(home / "postgres") if home else ""
    yield "PostgreSQL", given or (told(program, "--version") + owned(program) if home else "none")
    nats = find_nats()
    yield "NATS", told(nats, "--version") + owned(nats) if nats else "none"
    balancers = [name for name in ("nginx", "haproxy", "caddy") if find_balancer(name)]
    yield "balancers", ", ".join(balancers) or "none"


def distribution() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform(terse=True)


def told(*command: str) -> str:
    """The first line that a command prints, or a question mark."""
    lines = told_lines(*command)
    return lines[0].strip() if lines else "?"


def owned(program: str) -> str:
    """The Debian package a program comes from, if that can be known."""
    real = os.path.realpath(program)
    for path in dict.fromkeys((program, real)):
        owner = told("dpkg-query", "--search", path).partition(":")[0]
        if owner != "?":
            version = told("dpkg-query", "--show", "--showformat=${Version}", owner)
            return f" (package {owner} {version})"
    return f" ({real})"


def fonts() -> str:
    """The font families that pages may fall back on; the site brings its own."""
    listed = told_lines("fc-list", ":", "family")
    if listed is None:
        places = (Path(place).expanduser() for place in FONTS)
        files = [file for place in places for file in place.rglob("*") if file.is_file()]
        kinds = Counter(file.parent.name for file in files if re.search(r"\.[ot]t[fc]$", file.name))
        listed = [f"{name} ({count} files)" for name, count in kinds.items()]
    families = sorted({line.split(",")[0].strip() for line in listed} - {""})
    return ", ".join(families) if families else "none"


def told_lines(*command: str) -> list[str] | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.splitlines() if done.returncode == 0 else None


if __name__ == "__main__":
    commands = {"install": install, "show": show}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]]()
