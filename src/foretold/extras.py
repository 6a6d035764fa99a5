"""The package's extras: what to say when an extra's packages are not installed.

The list of an extra's packages is read from the installed package's metadata, so it is stated only
in pyproject.toml. The check is whether they are installed, not whether an import fails: a package
that is installed but broken still raises its own error.
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
    "cluster": "a site of several processes",
    "otel": "tracing by OpenTelemetry",
    "cuda": "a GPU",
    "bench": "the comparison with OpenSpiel",
}
"""What each extra is for."""

_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
_ONLY_FOR: Final = re.compile(r"""extra == ["']([a-z-]+)["']""")


def need(extra: str, otherwise: str = "") -> AbstractContextManager[None]:
    """Raise `MissingExtraError` unless the packages of an extra are installed.

    `otherwise` is what can be done without them. Used as a context manager, it can wrap imports at
    the top of a module.
    """
    if any(not _is_installed(package) for package in packages_of(extra)):
        told = f"{PURPOSES[extra]} needs more packages: pip install 'foretold[{extra}]'"
        raise MissingExtraError(f"{told}{otherwise and ', or '}{otherwise}")
    return nullcontext()


def packages_of(extra: str) -> Iterator[str]:
    """The packages an extra brings, except those for some systems only, such as uvloop."""
    try:
        requirements = requires("foretold") or ()
    except PackageNotFoundError:  # run from source, not installed
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
