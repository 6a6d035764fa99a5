"""Parts of other packages that are not guaranteed to stay, each with the module that relies on it.

Such a package has an upper bound in pyproject.toml. To raise it, install the new version and run
these tests: a failure says what is gone, and where to adapt.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import socket
import sys
import textwrap
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

import numba
import numpy as np
import psycopg
import pytest
import uvicorn
from numba.core import cgutils, event
from packaging.requirements import Requirement
from pettingzoo import AECEnv
from psycopg import waiting
from psycopg.abc import PQGen
from textual.app import App
from textual.screen import Screen
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from foretold.env.pettingzoo import ForetoldAEC
from foretold.kernel import compile as kernel_compile
from foretold.server.net.guard import http_protocol
from foretold.server.net.protocol import SocketProtocol
from foretold.server.net.siblings import Handshake
from foretold.server.quotas.budgets import Budgets
from foretold.server.run import _Server
from foretold.server.settings import ServerSettings
from foretold.tui import app, hand, lines, others, pages, scene, stage, table
from foretold.tui.scene import ScenePart


def gone(package: str, part: str, user: str) -> str:
    return (
        f"{package} {version(package)}: {user} relies on {part}, which is gone or has changed; "
        "adapt it, or leave this version out by the bounds in pyproject.toml"
    )


@pytest.mark.parametrize("package", ["numba", "pettingzoo", "psycopg", "textual", "uvicorn"])
def test_package_has_an_upper_bound(package: str) -> None:
    bounds = [
        {one.operator for one in requirement.specifier}
        for requirement in map(Requirement, requires("foretold") or ())
        if requirement.name == package
    ]
    assert bounds
    assert all("<" in operators for operators in bounds)


# uvicorn: a connection's protocols and a server's life cycle


@pytest.mark.parametrize(
    ("ours", "parent"),
    [
        (SocketProtocol, WebSocketsSansIOProtocol),
        (http_protocol(1, Budgets(ServerSettings())), HttpToolsProtocol),
        (_Server, uvicorn.Server),
    ],
    ids=["socket", "http", "server"],
)
def test_uvicorn_has_what_we_build_on(ours: type[Any], parent: type[Any]) -> None:
    user = f"{ours.__module__}.{ours.__qualname__}"
    theirs = {name for base in parent.__mro__ for name in written_names(base)}
    tree = tree_of(ours)
    overridden = names_of("super()", tree)
    slots = set(vars(ours).get("__slots__", ()))  # the parent's attributes have slots too
    introduced = (set(vars(ours)) - slots | set(inspect.get_annotations(ours))) - overridden
    if "__init__" in vars(ours):
        introduced |= names_of("self", tree_of(vars(ours)["__init__"]), ast.Store)
    for name in sorted((names_of("self", tree) - introduced) | overridden - {"__init__"}):
        part = f"{parent.__name__}.{name}"
        assert name in theirs, gone("uvicorn", part, user)
        if name in overridden:
            assert parameters(ours, name) == parameters(parent, name), gone("uvicorn", part, user)


def test_uvicorn_lets_us_take_a_connection_whose_handshake_another_process_read() -> None:
    scopes: list[Any] = []

    async def upgrade() -> None:
        line = HttpToolsProtocol(config, ServerState(), {"a": 1})
        line.handle_websocket_upgrade = lambda: scopes.append(line.scope)  # type: ignore[method-assign]
        line.data_received(b"GET /b HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")

    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError

    kind: Any = SocketProtocol
    config = uvicorn.Config(nothing, ws=kind, log_config=None)
    config.load()
    assert getattr(config, "ws_protocol_class", None) is kind, gone(
        "uvicorn", "Config.ws_protocol_class", "foretold.server.net.guard"
    )
    assert getattr(config.lifespan_class(config), "state", None) == {}, gone(
        "uvicorn", "Server.lifespan.state", "foretold.server.run"
    )
    asyncio.run(upgrade())
    [theirs] = scopes
    for name, value in Handshake.of(theirs, b"/b").scope({"a": 1}).items():
        assert theirs[name] == value, gone(
            "uvicorn", f"{name} in a scope", "foretold.server.net.siblings"
        )


def tree_of(code: Any) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(code)))


def names_of(
    whose: str, tree: ast.AST, context: type[ast.expr_context] = ast.expr_context
) -> set[str]:
    """The attributes of `self` or `super()` that some code uses."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, context)
        and ast.unparse(node.value) == whose
    }


def written_names(kind: type[Any]) -> set[str]:
    """The names that the source of a class defines, and that its methods set on its objects."""
    if kind.__module__ in sys.stdlib_module_names or kind.__module__.startswith("asyncio."):
        return set(vars(kind))
    tree = tree_of(kind)
    names = names_of("self", tree, ast.Store)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def parameters(owner: Any, function: str) -> list[str] | None:
    """The parameters of a function; None if it does not exist."""
    found = getattr(owner, function, None)
    return None if found is None else list(inspect.signature(found).parameters)


# Numba: compilation without its memory manager, its events and its cache


def allocates() -> Any:
    return np.zeros(3)


def adds_up(numbers: Any) -> Any:
    total = 0
    for one in numbers:
        total += one
    return total


class Heard(event.Listener):
    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []

    def on_start(self, event: Any) -> None:
        self.data.append(event.data)

    def on_end(self, event: Any) -> None:
        pass


def test_numba_compiles_as_we_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = "foretold.kernel.compile"
    monkeypatch.setattr(kernel_compile, "cache_folder", lambda source: str(tmp_path))
    try:
        adding: Any = kernel_compile.compiled(adds_up)
    except KeyError as error:
        pytest.fail(f"{gone('numba', 'the options of jit', user)}: {error}")
    heard = Heard()
    with event.install_listener("numba:compile", heard):
        assert adding(np.arange(4)) == 6
    code = adding.inspect_llvm(adding.signatures[0])
    assert "NRT_" not in code, gone("numba", "the option _nrt", user)
    assert "alwaysinline" in code, gone("numba", "the option forceinline", user)
    assert any(one["dispatcher"].py_func is adds_up for one in heard.data), gone(
        "numba", "the event numba:compile", user
    )
    assert list(tmp_path.rglob("*.nbc")), gone(
        "numba", "config.CACHE_DIR, read when a function is decorated", user
    )
    with pytest.raises(numba.core.errors.NumbaError):
        kernel_compile.compiled(allocates)()


def test_numba_lets_us_write_to_an_array() -> None:
    takes = parameters(cgutils, "pointer_add") or []
    assert takes[:3] == ["builder", "ptr", "offset"], gone(
        "numba", "core.cgutils.pointer_add", "foretold.env.spread"
    )


# psycopg: how it waits for an answer


def test_psycopg_tells_that_nothing_has_come_yet() -> None:
    user = "foretold.server.storage.postgres"
    takes = parameters(psycopg.Connection, "wait") or []
    assert takes[:3] == ["self", "gen", "interval"], gone("psycopg", "Connection.wait", user)

    def looks_once() -> PQGen[bool]:
        ready = yield waiting.Wait.R
        return bool(ready)

    silent, other = socket.socketpair()
    with silent, other:
        came = waiting.wait(looks_once(), silent.fileno(), interval=0.01)
    assert not came, gone("psycopg", "being woken while nothing comes", user)


# PettingZoo: what its own environments call


def test_pettingzoo_keeps_accounts_for_us() -> None:
    user = ForetoldAEC.__module__
    for part, takes in {
        "_accumulate_rewards": ["self"],
        "_was_dead_step": ["self", "action"],
    }.items():
        assert parameters(AECEnv, part) == takes, gone("pettingzoo", f"AECEnv.{part}", user)
    env = AECEnv()
    env.rewards, env._cumulative_rewards = {"a": 3, "b": 4}, {"a": 1, "b": 0}
    env._accumulate_rewards()
    assert env._cumulative_rewards == {"a": 4, "b": 4}, gone(
        "pettingzoo", "AECEnv._accumulate_rewards", user
    )


# Textual: its keys to quit, and private names we must not hide


def test_textual_asks_before_it_quits() -> None:
    keys = {binding.key: binding.action for binding in App.BINDINGS}  # type: ignore[union-attr]
    assert (keys["ctrl+c"], keys["ctrl+q"]) == ("help_quit", "quit"), gone(
        "textual", "what control-C and control-Q do", "foretold.tui.app"
    )


def test_private_names_hide_none_of_textual() -> None:
    modules = (app, hand, lines, others, pages, scene, stage, table)
    ours = {
        one
        for module in modules
        for one in vars(module).values()
        if inspect.isclass(one)
        and issubclass(one, ScenePart | Screen | App)
        and one.__module__ == module.__name__
    }
    theirs = {base for one in ours for base in one.__mro__ if base.__module__.startswith("textual")}
    taken = {name for base in theirs for name in private_names(base)}
    hidden = sorted(name for one in ours for name in private_names(one) & taken)
    assert "_running" in taken
    assert hidden == [], (
        f"textual {version('textual')} has names that foretold.tui has too: {hidden}"
    )


def private_names(kind: type[Any]) -> set[str]:
    return {name for name in written_names(kind) if name.startswith("_") and name[-1] != "_"}
