"""What goes in and out over HTTP, for the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

RuleValue = int | str | bool | list[str]
Rules = dict[str, Any]
Level = Literal["novice", "apprentice", "adept", "archmage"]
Commitment = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="A SHA-256.")]
Text = Annotated[str, Field(pattern="^[^\0]*$")]
"""Any that a database takes: PostgreSQL has no zero bytes in texts."""


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Refusal(BaseModel):
    """Why something was not done."""

    code: str
    params: dict[str, Any]
    reason: str


class Me(BaseModel):
    name: str | None


class NewName(Strict):
    name: Annotated[str, Field(max_length=200)]


class Link(BaseModel):
    path: str
    minutes: int


class SeatLink(BaseModel):
    path: str
    days: int


class TakenSeat(BaseModel):
    code: str
    name: str


class Token(Strict):
    token: Annotated[str, Field(max_length=500)]


class Privacy(BaseModel):
    keep_days: float
    link_minutes: int
    cookie_days: int


class Kept(BaseModel):
    until: int | None
    because: Literal["shared", "known", "always"] | None


class Seat(BaseModel):
    kind: Literal["empty", "bot", "player"]
    name: str | None = None
    level: str | None = None
    stand_in: str | None = None


class TableSettings(BaseModel):
    clock: int | None
    public: bool
    spectators: bool
    pace: int
    open: bool
    patience: int | None


class NewSettings(Strict):
    clock: Annotated[int, Field(ge=5, le=600)] | None = None
    public: bool = False
    spectators: bool = True
    pace: Annotated[int, Field(ge=0, le=3000)] = 700
    open: bool = False
    patience: Annotated[int, Field(ge=5, le=3600)] | None = 180


class Summary(BaseModel):
    code: str
    state: Literal["lobby", "dealing", "playing", "over", "closed"]
    rules: Rules
    settings: TableSettings
    host: int | None = None
    seats: list[Seat]
    your_seat: int | None
    your_turn: bool
    key: str | None
    round: int
    rounds: int
    totals: list[int] | None
    created: int
    updated: int
    lesson: str | None


class SheetSummary(BaseModel):
    code: str
    state: Literal["playing", "over"]
    names: list[str]
    rules: Rules
    round: int
    rounds: int
    totals: list[int]
    places: list[int]
    met: list[int]
    created: int
    updated: int


class Sheets(BaseModel):
    sheets: list[SheetSummary]


class PlayerStatistics(BaseModel):
    name: str
    games: int
    wins: int
    points: int
    best: int
    rounds: int
    exact: int


class Statistics(BaseModel):
    players: list[PlayerStatistics]


class NewSheet(Strict):
    names: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=2, max_length=6)]
    rules: Rules = {}
    first_dealer: Annotated[int, Field(ge=0, le=5)] = 0


Word = Annotated[str, Field(min_length=1, max_length=40)]


class Lessons(BaseModel):
    lessons: list[str]


class Games(BaseModel):
    games: list[Summary]


class Tables(BaseModel):
    tables: list[Summary]


class Options(BaseModel):
    editions: list[dict[str, Any]]
    options: dict[str, Any]
    levels: list[Level]
    phrases: list[str]
    limits: dict[str, Any]


class Excluded(Refusal):
    option: str
    value: RuleValue


class Meaning(BaseModel):
    rules: Rules
    sizes: list[int]
    excluded: list[Excluded]


class QuickPlay(Strict):
    commitment: Commitment | None = None


class NewTable(Strict):
    rules: Rules = {}
    settings: NewSettings = NewSettings()
    bots: Annotated[list[Level | None], Field(max_length=6)] = []
    commitment: Commitment | None = None


class NewCode(BaseModel):
    code: str
    key: str


class Place(BaseModel):
    code: str
    state: str
    entries: int
    created: int
    updated: int
    people: int
    listed: bool
    hidden: bool
    shared: bool


class Places(BaseModel):
    tables: list[Place]


class Sitter(BaseModel):
    seat: int
    player: str
    name: str | None


class PlaceInFull(Place):
    bytes: int
    until: int | None
    because: str | None
    seats: list[Sitter]
    names: list[str]


class OnePlayer(BaseModel):
    id: str
    name: str
    created: int
    known: bool
    tables: int


class Players(BaseModel):
    players: list[OnePlayer]


class NewBan(Strict):
    subject: Annotated[str, Field(max_length=50, description="A player's id or an address.")]
    hours: Annotated[float, Field(gt=0, le=24 * 366)]


class OneBan(BaseModel):
    id: str
    kind: Literal["player", "address"]
    subject: str
    created: int
    until: int


class BanList(BaseModel):
    bans: list[OneBan]


class Day(BaseModel):
    day: str
    tables_opened: int
    games_finished: int
    sheets_opened: int
    new_players: int
    players: int
    most_connections: int
    most_tables: int


class Done(BaseModel):
    done: bool


class Health(BaseModel):
    status: Literal["ok"]
