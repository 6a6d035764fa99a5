"""The extras of the package: what to say where the packages of one are not installed.

Which packages an extra brings is read from the metadata of the installed package, so pyproject.toml
alone states it. What is asked is whether they are installed, not whether an import fails: a package
that is there and broken is told of as Python tells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import PackageNotFoundError, distribution, requires
from typing import Final

from foretold.errors import MissingExtraError

PURPOSES: Final = {
    "site": "the site",
    "play": "the full-screen game",
    "env": "an environment for Gymnasium or PettingZoo",
    "train": "training",
    "ray": "a Ray cluster",
    "postgres": "PostgreSQL",
    "otel": "tracing by OpenTelemetry",
    "cuda": "a GPU",
    "bench": "the comparison with OpenSpiel",
}
"""What each extra is for."""

_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
_ONLY_FOR: Final = re.compile(r"""extra == ["']([a-z-]+)["']""")


def need(extra: str, otherwise: str = "") -> AbstractContextManager[None]:
    """Raise `MissingExtraError` unless the packages of an extra are installed.

    `otherwise` is what can be done without them. As a context it can stand around imports at the
    top of a module.
    """
    if any(not _is_installed(package) for package in packages_of(extra)):
        told = f"{PURPOSES[extra]} needs more packages: pip install 'foretold[{extra}]'"
        raise MissingExtraError(f"{told}{otherwise and ', or '}{otherwise}")
    return nullcontext()


def packages_of(extra: str) -> Iterator[str]:
    """What an extra brings; not what it brings to some systems only, as uvloop."""
    try:
        requirements = requires("foretold") or ()
    except PackageNotFoundError:  # run from its sources, uninstalled
        return
    for requirement in requirements:
        package, _, condition = requirement.partition(";")
        only_for, name = _ONLY_FOR.fullmatch(condition.strip()), _NAME.match(package)
        if only_for and name and only_for[1] == extra:
            yield name[0]


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True
