"""A self-contained HTML page: no scripts, nothing from the web."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

# Standing stones at dusk, quietly.
_STONES = (
    '<svg viewBox="0 0 600 60" preserveAspectRatio="xMidYMax meet" aria-hidden="true"><path d="'
    "M-2000 60V58Q-300 58 150 52T420 52Q900 60 2600 58V60Z "
    "M190 52l3-30h12l2 30Z M224 51l2-33h13l2 33Z "
    "M187 22l2-8h56l1 8Z M268 51l4-40h14l2 40Z M318 51l1-40h14l3 40Z M264 11l3-9h72l2 9Z "
    'M362 51l2-33h12l3 33Z M396 52l1-30h12l2 30Z M359 22l1-8h55l2 8Z M446 53l5-19 9-2 6 21Z"/>'
    "</svg>"
)


def page(title: str, heading: str, below: str, sections: Iterable[str]) -> str:
    """The whole page; `title` is text, everything else is HTML."""
    style = files("foretold.report").joinpath("page.css").read_text()
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"<header><div><h1>{heading}</h1><p>{below}</p>{_STONES}</div></header>"
        f"<main>{''.join(sections)}</main></body></html>\n"
    )


def section(title: str, body: str, *, wide: bool = False) -> str:
    kind = ' class="wide"' if wide else ""
    return f"<section{kind}><h2>{title}</h2>{body}</section>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    first = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>' for name, *cells in rows)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{first}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def cell(text: str, small: str = "", kind: str = "", style: str = "") -> str:
    attributes = f' class="{kind}"' if kind else ""
    attributes += f' style="{style}"' if style else ""
    below = f"<small>{small}</small>" if small else ""
    return f"<td{attributes}>{text}{below}</td>"
