"""The only place where data leaves a table for a seat or a spectator.

Everything they get is built here, only from what they may know: the table without its secrets,
the seat's view, and what happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, get_args

import msgspec

from foretold.actions import Action, Verb
from foretold.kernel import Phase
from foretold.position import Position
from foretold.table.entries import (
    Acted,
    BotCame,
    CameBack,
    Claimed,
    Cleared,
    Committed,
    Entry,
    Faced,
    Hosted,
    Left,
    Logged,
    PlayerSeat,
    Readmitted,
    Rematched,
    Revealed,
    Sat,
    StoodIn,
    TookBack,
)
from foretold.table.events import Event, Kept, Viewer
from foretold.table.hints import gives_hints
from foretold.table.plays import Step, Teller, direct_teller
from foretold.table.stand_ins import stands_in_once
from foretold.table.table import Table
from foretold.table.views import Views
from foretold.table.wire import (
    Data,
    changes,
    dealt_data,
    outcome_data,
    passed_data,
    round_data,
    seats_data,
    trick_data,
)
from foretold.view import Look, bids_of

MISSED: Final = 100
"""How many events are kept for viewers who reconnect."""

encode = msgspec.json.Encoder().encode


class Audience:
    """The viewers of a table, each with their own view."""

    def __init__(self, table: Table, log: Sequence[Logged], events: Iterable[Kept] = ()) -> None:
        """`table` is in the state after the first of these entries; the others are applied here."""
        self.table = table
        self.events: deque[Kept] = deque(events, maxlen=MISSED)
        for logged in log[1:]:
            self.events.append(Kept.of(happened(table, logged)))
        self.last = log[-1]
        """The last entry of the table's log."""
        self._table = table_data(table)
        self._views = None if table.game is None else Views(table.game.position, table.turn)

    def rename(self, player: str, name: str) -> bool:
        """Give a player a new name; returns whether it is shown to anyone here."""
        is_here = self.table.seat_of(player) is not None or player in self.table.removed
        if not is_here and all(one.who != player for one in self.events):
            return False
        self.table.rename(player, name)
        self._table = table_data(self.table)
        names = {player: name} | self.table.shown  # another player may have lost their number
        renamed = (one.named(names) if one.who in names else one for one in tuple(self.events))
        self.events = deque(renamed, maxlen=MISSED)
        return True

    def welcome(
        self,
        player: str | None,
        name: str | None,
        since: int | None,
        presence: Data,
        key: str | None = None,
    ) -> bytes:
        """Everything a player may know, for one who joins or reconnects.

        `key` is the key of the invitation link, for those who may pass it on.
        """
        seat = self.table.seat_of(player)
        host = seat is not None and seat == self.table.host
        missed: list[msgspec.Raw] = []
        view: Data | None = None
        if self._may_watch(seat):
            if since is not None:
                missed = [event.seen_by(seat) for event in self._missed(since)]
            if self._views is not None:
                view = self._views.whole(seat)
        return encode(
            {
                "t": "welcome",
                "n": self.table.n,
                "you": {"seat": seat, "host": host, "name": name, "key": key},
                "table": self._table,
                "view": view,
                "missed": missed,
                "presence": presence,
            }
        )

    def _missed(self, since: int) -> list[Kept]:
        """What has happened since, without the cards of tricks before the last one: those lie
        face down, whatever number a client claims to have seen."""
        missed: list[Kept] = []
        tricks = 0
        for event in reversed(self.events):
            if event.n <= since:
                break
            tricks += event.ends_trick
            if tricks < 2 or not event.is_card:
                missed.append(event)
        return missed[::-1]

    def advance(self, logged: Logged, viewers: Iterable[Viewer]) -> dict[Viewer, bytes]:
        """Apply an entry; returns what each of these viewers is sent."""
        entry, to = logged.entry, set(viewers)
        changes_table = self._changes_table(entry)
        if isinstance(entry, Acted):
            game = self.table.game
            assert game is not None
            before = game.position
            self.table.apply(logged)
            step = Step(logged, entry, before, game.position, self.table.turn)
            tell = None if changes_table else direct_teller(step)
            if tell is not None:
                told = self._tell_directly(tell, step, to)
                if told is not None:
                    return told
            event = _acted(self.table, logged, entry, before)
        else:
            event = happened(self.table, logged)
        if isinstance(entry, TookBack):
            self._views = None  # the new position does not follow from what was sent
        self.last = logged
        kept = Kept.of(event)
        self.events.append(kept)
        head = b'{"t":"event","n":%d' % event.n
        if changes_table or "round" in event.common:
            table, self._table = self._table, table_data(self.table)
            table_changes = changes(table, self._table)
            if table_changes:
                head = b'%b,"table":%b' % (head, encode(table_changes))
        return self._tell(head, event, kept, to)

    def _tell_directly(
        self, tell: Teller, step: Step, viewers: set[Viewer]
    ) -> dict[Viewer, bytes] | None:
        """A faster way after a card or a bid; None if some of the viewers need more."""
        if self._views is None or not self._views.are_known_to(viewers):
            return None
        if None in viewers and not self._may_watch(None):
            return None
        told = self._views.go_on_directly(tell, step, viewers)
        self.last = step.logged
        self.events.append(told.kept)
        return {**dict.fromkeys(viewers, told.common), **told.own}

    def _tell(
        self, head: bytes, event: Event, kept: Kept, viewers: set[Viewer]
    ) -> dict[Viewer, bytes]:
        """What each of these viewers is sent about an event; most get the same bytes.

        `head` is the beginning of the message.
        """
        sent: dict[Viewer, bytes] = {}
        if None in viewers and not self._may_watch(None):
            viewers.remove(None)
            little = {name: event.common[name] for name in ("e", "n", "at")}
            sent[None] = b'%b,"event":%b}' % (head, encode(little))
        head = b'%b,"event":' % head
        position = None if self.table.game is None else self.table.game.position
        if position is None:
            sent |= dict.fromkeys(viewers, b"%b%b}" % (head, kept.common))
            return sent
        if self._views is None:
            self._views = Views(position, self.table.turn)
        common, own = self._views.go_on(position, self.table.turn, viewers)
        if kept.own is None:
            head = b'%b%b,"view":{' % (head, kept.common)
            sent |= dict.fromkeys(viewers, b"%b%b}}" % (head, common))
            for viewer, news in own.items():
                sent[viewer] = b"%b%b}}" % (head, news)
            return sent
        for viewer in viewers:
            view = own.get(viewer, common)
            sent[viewer] = b'%b%b,"view":{%b}}' % (head, kept.seen_by(viewer), view)
        return sent

    def _changes_table(self, entry: Entry) -> bool:
        """Whether the table's public data will change; most actions only change the view."""
        if not isinstance(entry, Acted):
            return True
        # A player who acts takes over from the stand-in bot. A bot that stands in for one decision
        # is gone after any action.
        stands_in = self.table.level_of(entry.seat) is not None
        return stands_in and (entry.by == "player" or stands_in_once(self.table.seats[entry.seat]))

    def _may_watch(self, viewer: Viewer) -> bool:
        """Viewers without a seat see the game if the host allows it, or once it is over."""
        table = self.table
        return viewer is not None or table.settings.spectators or table.state == "over"


def table_data(table: Table) -> Data:
    """The table's public data."""
    if table.game is None:
        # The set-up's secret decides the first dealer, so it stays hidden until then too.
        fair = {**table.deals.to_data(), "secrets": []}
        fair["contribution_commitments"] = list(table.commitments)
    else:
        fair = table.deals.revealed(len(table.game.sheet)).to_data()
    return {
        "code": table.code,
        "state": table.state,
        "rules": table.rules.to_options(),
        "sizes": table.rules.sizes,
        "turned": table.rules.turned,
        "edition": table.edition,
        "lesson": table.lesson,
        "hints": gives_hints(table),
        "take_backs": table.takes_back,
        "taken_back": table.taken_back,
        "settings": msgspec.to_builtins(table.settings),
        "host": table.host,
        "seats": seats_data(table),
        "fair": fair,
        "removed": list(dict.fromkeys(table.removed.values())),
        "rematch": table.rematch,
    }


def happened(table: Table, logged: Logged) -> Event:
    """Apply an entry, and describe what it did."""
    entry = logged.entry
    if isinstance(entry, Acted):
        assert table.game is not None
        before = table.game.position
        table.apply(logged)
        return _acted(table, logged, entry, before)
    common: Data = {"e": _KINDS[type(entry)], "n": logged.n, "at": logged.at}
    who = ""
    match entry:
        case Left() | Cleared():
            gone = table.seats[entry.seat]
            who = gone.player if isinstance(gone, PlayerSeat) else ""
            common.update(seat=entry.seat, name=table.names[entry.seat])
        case BotCame():
            common.update(seat=entry.seat, name=entry.bot.name, level=entry.bot.level)
        case (
            Committed()
            | Faced()
            | Revealed()
            | CameBack()
            | Hosted()
            | Sat()
            | Claimed()
            | TookBack()
        ):
            common.update(seat=entry.seat)
        case StoodIn():
            common.update(seat=entry.seat, reason=entry.reason)
        case Readmitted():
            who = entry.player
            common.update(name=entry.name)
        case Rematched():
            common.update(code=entry.code)
        case _:
            pass
    table.apply(logged)
    if isinstance(entry, Sat):
        common["name"], who = table.names[entry.seat], entry.player
    return Event(logged.n, common, {}, who)


def _acted(table: Table, logged: Logged, entry: Acted, before: Position) -> Event:
    """What an action that was just applied has done to the game."""
    game = table.game
    assert game is not None
    position = game.position
    verb = Action(entry.action).verb
    hidden = verb is Verb.PASS or (verb is Verb.BID and game.rules.seals_bids)
    common: Data = {
        "e": _KINDS[Acted],
        "n": logged.n,
        "at": logged.at,
        "seat": entry.seat,
        "by": entry.by,
        "action": verb.value if hidden else entry.action,
    }
    own: dict[int, Data] = {entry.seat: {"action": entry.action}} if hidden else {}
    ended = len(position.sheet) > len(before.sheet)
    if verb is Verb.PLAY:
        tricks = position.sheet[-1].tricks if ended else position.tricks
        if len(tricks) > len(before.tricks):
            common["trick"] = trick_data(tricks[-1])
    elif verb is Verb.BID and position.phase is not Phase.BID:
        if position.bids_show:
            common["bids"] = bids_of(position, None)
    elif verb is Verb.PASS and position.phase is not Phase.PASS:
        common["passed"] = None
        for seat in range(game.rules.players):
            own.setdefault(seat, {})["passed"] = passed_data(Look(position, seat).passes)
    if ended:
        common["round"] = round_data(game.sheet[-1])
        common["secret"] = table.deals.secrets[len(position.sheet)].hex()
        outcome = game.outcome()
        if outcome is None:
            common["next"] = dealt_data(game)
        else:
            common["outcome"] = outcome_data(outcome)
    return Event(logged.n, common, own)


_KINDS: Final = {kind: str(kind.__struct_config__.tag) for kind in get_args(Entry)}
