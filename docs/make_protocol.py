"""Writes the files generated from the protocol's types, the refusals, the cards and the options:

the client's types, sentences and cards (web/src/lib), what its tests need to know of the server
(web/tests), and the tables in docs/protocol.md. `make protocol` runs it; with `--check` it only
says what is out of date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from foretold import figures
from foretold.bots import LEVELS
from foretold.editions import EDITIONS
from foretold.protocol import events, http, sheets, study, tables, views
from foretold.protocol.describing import (
    Field,
    about,
    description_of,
    fields_of,
    members_of,
    messages_in,
    tag_of,
    title_of,
)
from foretold.protocol.messages import ServerMessage
from foretold.protocol.requests import TableMessage
from foretold.protocol.settings import TableSettings
from foretold.protocol.sheet_messages import SheetMessage
from foretold.protocol.typescript import aliases, typed, typescript
from foretold.protocol.words import Message
from foretold.refusals import FAMILIES, REASONS, RETRY_AFTER, TEXT, Reason
from foretold.rules import OPTIONS
from foretold.server.api.http import http_app

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs" / "protocol.md"
TYPES: Final = ROOT / "web" / "src" / "lib" / "net" / "protocol.gen.ts"
SENTENCES: Final = ROOT / "web" / "src" / "lib" / "refusals.gen.ts"

CARDS: Final = ROOT / "web" / "src" / "lib" / "cards" / "figures.json"
OFFERED: Final = ROOT / "web" / "tests" / "offered.json"

_BLOCK: Final = re.compile(r"(<!-- made: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def main(*arguments: str) -> int:
    """Write the files, or only say which are out of date."""
    stale = {path: text for path, text in files().items() if _read(path) != text}
    checks = "--check" in arguments
    for path, text in stale.items():
        name = path.relative_to(ROOT)
        if checks:
            print(f"{name} is not up to date: run make protocol")
        else:
            path.write_text(text)
            print(f"{name} is up to date now")
    return len(stale) if checks else 0


def files() -> dict[Path, str]:
    """What every file should contain."""
    made = dict(_blocks())
    page = _BLOCK.sub(lambda found: f"{found[1]}\n{made[found[2]]}\n{found[4]}", DOCS.read_text())
    return {
        DOCS: page,
        TYPES: typescript(),
        SENTENCES: sentences(),
        CARDS: _json(figures.as_data()),
        OFFERED: _json(offered()),
    }


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def offered() -> dict[str, Any]:
    """The names of everything the server offers; the client's tests require words for each."""
    return {
        "editions": list(EDITIONS),
        "levels": list(LEVELS),
        "options": {
            name: [] if name in ("players", "rounds", "specials") else list(option.values)
            for name, option in OPTIONS.items()
        },
    }


# The client's sentences


def sentences() -> str:
    """The client's sentence for every code."""
    kinds = sorted({one.params[name] for one in REASONS.values() for name in one.told})
    lines = [
        "/** Generated from src/foretold/refusals.py by `make protocol`: change it there. */",
        'import { m } from "./messages.svelte";',
        f'import {{ {", ".join(kinds)}, type Params }} from "./refusal-params";',
        "",
        "/** Every refusal code of the server, with its sentence. */",
        "export const sentences = {",
        *(f"  {code}: {_sentence(code, reason)}," for code, reason in REASONS.items()),
        "} as const satisfies Record<string, (params: Params) => string>;",
        "",
        "export type RefusalCode = keyof typeof sentences;",
        "",
    ]
    return "\n".join(lines)


def _sentence(code: str, reason: Reason) -> str:
    if not reason.told:
        return f"() => m.refusal_{code}()"
    told = ", ".join(f"{name}: {reason.params[name]}(p.{name})" for name in reason.told)
    return f"(p: Params) => m.refusal_{code}({{ {told} }})"


# The tables of the page


def _blocks() -> Iterator[tuple[str, str]]:
    yield "refusals", _table(["code", "with", "status", "reason"], _refusals())
    yield (
        "passing",
        _table(
            ["code", "seconds", "reason"],
            ([f"`{code}`", str(one), _reason(REASONS[code])] for code, one in RETRY_AFTER.items()),
        ),
    )
    yield "http", _table(["request", "body", "answer", ""], _doors("/api/operator", without=True))
    yield "operator", _table(["request", "body", "answer", ""], _doors("/api/operator"))
    yield "told", _table(["`t`", "with", ""], _family(ServerMessage))
    yield "said", _table(["`t`", "with", "who, when"], _family(TableMessage))
    yield "events", _table(["`e`", "with", ""], _family(events.TableEvent, without=events.Stamp))
    yield "sheet_said", _table(["`t`", "with", ""], _family(SheetMessage))
    yield (
        "sheet_events",
        _table(["`e`", "with", ""], _family(sheets.SheetEvent, without=events.Stamp)),
    )
    yield "seats", _table(["`kind`", "with", ""], _family(tables.SeatInfo))
    yield "words", _table(["type", "is", ""], _words())
    yield "small", _table(["type", "with", ""], _small())
    for name, kind in _PARTS.items():
        yield name, _table(["field", "type", ""], _fields(kind))


_PARTS: Final[Mapping[str, type[Message]]] = {
    one.__name__: one
    for one in (
        TableSettings,
        tables.TableSummary,
        tables.Table,
        tables.Fair,
        tables.You,
        tables.Presence,
        tables.Clock,
        tables.Knocking,
        views.View,
        views.Trick,
        views.FinishedTrick,
        views.SheetLine,
        views.Outcome,
        views.Passed,
        views.NextRound,
        sheets.Sheet,
        sheets.Line,
        sheets.SheetYou,
        sheets.SheetSummary,
        sheets.PlayerRecord,
        study.Hint,
        study.HintChoice,
        study.ReviewData,
        study.Account,
        study.Decision,
        study.ReplayData,
        study.ReplayStep,
        http.Options,
        http.Meaning,
        http.Excluded,
        http.Stay,
        http.NewTable,
        http.NewSheet,
    )
}


def _words() -> Iterator[list[str]]:
    """The named types that are not messages."""
    for kind in aliases():
        if not isinstance(members_of(kind)[0], type) or not issubclass(
            members_of(kind)[0], Message
        ):
            is_made_of = typed(get_args(kind)[0])
            yield [f"`{title_of(kind)}`", f"`{is_made_of}`", description_of(kind)]


def _small() -> Iterator[list[str]]:
    """Bodies and answers without their own table."""
    for kind in messages_in(http):
        if kind not in _PARTS.values():
            fields = [f"{_short(one)} (`{typed(one.kind)}`)" for one in fields_of(kind)]
            yield [f"`{kind.__name__}`", ", ".join(fields), _with_notes(kind, fields_of(kind))]


def _refusals() -> Iterator[list[str]]:
    for family, reasons in FAMILIES.items():
        yield [f"*{family}*", "", "", ""]
        for code, reason in reasons.items():
            params = ", ".join(
                f"`{name}`" + ("" if kind == TEXT else f" ({kind})")
                for name, kind in reason.params.items()
            )
            yield [f"`{code}`", params, str(reason.status), _reason(reason)]


def _reason(reason: Reason) -> str:
    """Worded for the player, with parameters by name."""
    told = re.sub(r"\[(.*?)\|.*?\]", r"\1", reason.english)
    return re.sub(r"\{(\w+)\}", r"*\1*", told)


def _doors(prefix: str, *, without: bool = False) -> Iterator[list[str]]:
    for path, methods in http_app().openapi()["paths"].items():
        if path.startswith(prefix) == without or not path.startswith("/api/"):
            continue
        for method, told in methods.items():
            query = [one["name"] for one in told.get("parameters", ()) if one["in"] == "query"]
            shown = re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), path)
            shown += f"?{'&'.join(query)}" if query else ""
            yield [
                f"`{method.upper()} {shown}`",
                _named(told.get("requestBody", {}).get("content", {})),
                _named(told["responses"]["200"]["content"]),
                " ".join(told["description"].split()),
            ]


def _named(content: Mapping[str, Any]) -> str:
    """The name of a body or answer; its media type if it is not JSON."""
    for media, told in content.items():
        found = re.search(r"schemas/(\w+)", str(told["schema"]))
        return f"`{found[1] if found else told['schema'].get('title', media)}`"
    return ""


def _family(union: Any, *, without: type[Message] | None = None) -> Iterator[list[str]]:
    """The messages of a family, without the fields that all of them have."""
    common = {"id"} if without is None else {field.name for field in fields_of(without)}
    for kind in members_of(union):
        tag = tag_of(kind)
        assert tag is not None
        fields = [field for field in fields_of(kind) if field.name not in common]
        yield [f"`{tag[1]}`", ", ".join(map(_short, fields)), _with_notes(kind, fields)]


def _with_notes(kind: type[Message], fields: Iterable[Field]) -> str:
    notes = [f"`{field.name}`: {_lowered(field.about)}" for field in fields if field.about]
    return " ".join([about(kind), *notes])


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _short(field: Field) -> str:
    return f"`{field.name}`{'?' if field.may_be_left_out else ''}"


def _fields(kind: type[Message]) -> Iterator[list[str]]:
    for field in fields_of(kind):
        yield [_short(field), f"`{typed(field.kind)}`", _with_default(kind, field)]


def _with_default(kind: type[Message], field: Field) -> str:
    default = next(one.default for one in msgspec.structs.fields(kind) if one.name == field.name)
    if default is msgspec.NODEFAULT or default is msgspec.UNSET:
        return field.about
    return f"{field.about} By default `{json.dumps(default)}`.".strip()


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
