"""The state of a table, folded from its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from foretold.game import Game
from foretold.kernel import Phase
from foretold.protocol.settings import TableSettings
from foretold.record import RecordData
from foretold.rules import Rules
from foretold.table.entries import (
    Acted,
    BotCame,
    BotSeat,
    CameBack,
    Changed,
    Claimed,
    Cleared,
    Closed,
    Committed,
    Created,
    Dealt,
    Empty,
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
    Seat,
    Started,
    StoodIn,
    TookBack,
    encode_entry,
    named_seat,
)
from foretold.table.names import BOT_NAMES, folded, numbered
from foretold.table.past import Past
from foretold.table.secrets import deals_of
from foretold.table.stand_ins import ABSENT, LEFT, level_of, stands_in_once
from foretold.words import FORMER_PLAYER


class Table:
    """The state of a table. Only `apply` changes it; the log is the truth."""

    def __init__(self, code: str, created: Logged) -> None:
        entry = created.entry
        assert isinstance(entry, Created)
        self.code = code
        self.n = created.n
        self.created = self.updated = created.at
        self.state = "lobby"
        self.seats: list[Seat] = list(entry.seats)
        self.rules = Rules.from_options(entry.rules)
        self.edition = entry.edition
        self.lesson = entry.lesson
        self.settings: TableSettings = entry.settings
        self.commitments = list(entry.commitments)
        self.contributions: dict[int, str] = {}
        self.secrets = entry.secrets
        """The deals' secrets, in hexadecimal: for the set-up and for every round ever planned."""
        self.deals = deals_of(self.rules, self.secrets)
        self.game: Game | None = None
        self.turn = 0
        self.claimed = False
        """Whether somebody takes all remaining tricks of the round."""
        self.past: Past | None = None
        """What can be taken back in this round; None where nothing ever can."""
        self.taken_back = 0
        """How often that was done."""
        self.rematch: str | None = None
        self.removed: dict[str, str] = {}
        """The names of removed players, by player."""
        self.changes: Counter[str] = Counter()
        """How many bytes each player has added to the log, moves aside."""
        self._founder = entry.host
        self._sat = self._players()
        """The seats of everyone who has had one in this game, in order of arrival."""
        self._done: dict[str, dict[str, int]] = {}
        """The entry numbers of saved messages, by player and message id."""
        self._note(created)

    @classmethod
    def replayed(cls, code: str, log: Iterable[Logged]) -> Table:
        """The table that a log describes."""
        entries = iter(log)
        table = cls(code, next(entries))
        for logged in entries:
            table.apply(logged)
        return table

    # Who is there

    @property
    def host(self) -> int | None:
        """The host's seat: the founder's, or that of the player they made the host.

        While the host is away, the first player who is present takes their place.
        """
        players = [
            (seat, one)
            for seat, one in enumerate(self.seats)
            if isinstance(one, PlayerSeat) and one.stand_in != LEFT
        ]
        players = [one for one in players if one[1].stand_in != ABSENT] or players
        for seat, one in players:
            if one.player == self._founder:
                return seat
        return players[0][0] if players else None

    def is_host(self, player: str) -> bool:
        seat = self.seat_of(player)
        return seat is not None and seat == self.host

    def is_host_for_good(self, player: str) -> bool:
        """Whether they are the host themselves, not standing in for one who is away."""
        return self.is_host(player) and self.seat_of(self._founder) in (None, self.host)

    def is_founders(self, seat: int) -> bool:
        """Whether the table belongs to that seat, even while somebody else stands in as host."""
        return seat == self.seat_of(self._founder)

    def knows(self, player: str | None) -> bool:
        """Whether the player has or had a seat here, and was not removed."""
        if player is None or player in self.removed:
            return False
        return player in self._sat or self.seat_of(player) is not None

    @property
    def players(self) -> tuple[str, ...]:
        """Everyone who has had a seat in this game."""
        return tuple(self._sat)

    def had_seat(self, player: str, seat: int) -> bool:
        return self._sat.get(player) == seat

    def seat_of(self, player: str | None) -> int | None:
        for seat, one in enumerate(self.seats):
            if isinstance(one, PlayerSeat) and one.player == player:
                return seat
        return None

    def _players(self) -> dict[str, int]:
        """The seats by player."""
        return {
            one.player: seat for seat, one in enumerate(self.seats) if isinstance(one, PlayerSeat)
        }

    @property
    def people(self) -> int:
        """How many people have had a seat in the game."""
        return len(self._sat)

    @property
    def takes_back(self) -> bool:
        """Whether decisions can be taken back: by one person against bots, not at a lesson."""
        return self.people == 1 and self.lesson is None

    def may_take_over(self, player: str, seat: int) -> bool:
        """Whether a player may take that seat during a game: not if they have seen another hand."""
        return self._sat.get(player, seat) == seat

    def new_bot(self, level: str) -> BotSeat:
        """A bot with a name that nobody at the table has."""
        taken = set(map(folded, self.names))
        return BotSeat(next(name for name in BOT_NAMES if folded(name) not in taken), level)

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, as everyone sees them; nothing for empty seats and former players."""
        names = ["" if isinstance(one, Empty) else one.name for one in self.seats]
        return numbered(names, self.arrivals)

    @property
    def arrivals(self) -> tuple[int, ...]:
        """The seats in the order their players arrived."""
        arrival = {player: order for order, player in enumerate(self._sat)}

        def came(seat: int) -> int:
            one = self.seats[seat]
            return arrival.get(one.player, 0) if isinstance(one, PlayerSeat) else -1

        return tuple(sorted(range(len(self.seats)), key=came))

    @property
    def shown(self) -> dict[str, str]:
        """The names of the seated players, by player, as everyone sees them."""
        return {
            one.player: name
            for one, name in zip(self.seats, self.names, strict=True)
            if isinstance(one, PlayerSeat)
        }

    def rename(self, player: str, name: str) -> None:
        """Give a player a new name, which is not in the log."""
        if (seat := self.seat_of(player)) is not None:
            self.seats[seat] = named_seat(self.seats[seat], {player: name})
        if player in self.removed:
            self.removed[player] = name

    # Who must act

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must decide now."""
        if self.game is None or self.state != "playing":
            return ()
        return self.game.to_act

    @property
    def awaits_reveal(self) -> tuple[int, ...]:
        """The seats whose contributions to the shuffle are awaited."""
        if self.state != "dealing":
            return ()
        return tuple(
            seat
            for seat, commitment in enumerate(self.commitments)
            if commitment and seat not in self.contributions
        )

    def level_of(self, seat: int) -> str | None:
        """The level of the bot that decides for a seat; None if a player does."""
        return level_of(self.seats[seat])

    def done(self, player: str, ask_id: str) -> int | None:
        """The number of the entry that a message made, if it was saved."""
        return self._done.get(player, {}).get(ask_id)

    def record(self) -> RecordData | None:
        """The part of the game that everyone may see: the finished rounds."""
        if self.game is None:
            return None
        record = self.game.to_record()
        del record["rounds"][len(self.game.sheet) :]
        marks = {"taken_back": self.taken_back} if self.taken_back else {}
        return {**record, "names": [name or FORMER_PLAYER for name in self.names], **marks}

    # What happens

    def apply(self, logged: Logged) -> None:
        """Apply an entry of the log."""
        assert logged.n == self.n + 1, f"entry {logged.n} after {self.n}"
        self.n, self.updated = logged.n, logged.at
        self._change(logged.entry)
        self._note(logged)

    def _note(self, logged: Logged) -> None:
        entry = logged.entry
        if entry.ask_id:
            self._done.setdefault(entry.asked_by, {})[entry.ask_id] = logged.n
        if entry.asked_by and not isinstance(entry, Acted):
            self.changes[entry.asked_by] += len(encode_entry(entry))

    def _change(self, entry: Entry) -> None:
        match entry:
            case Acted():
                self._act(entry)
            case Sat():
                self._sit_down(entry)
            case Left():
                self.seats[entry.seat] = entry.bot or Empty()
                self._forget_commitment(entry.seat)
                if self.host is None:
                    self.state = "closed"
            case BotCame():
                self.seats[entry.seat] = entry.bot
            case Cleared():
                gone = self.seats[entry.seat]
                if isinstance(gone, PlayerSeat):
                    self.removed[gone.player] = gone.name
                self.seats[entry.seat] = entry.bot or Empty()
                self._forget_commitment(entry.seat)
            case Readmitted():
                for player in entry.players:
                    self.removed.pop(player, None)
            case Hosted():
                host = self.seats[entry.seat]
                assert isinstance(host, PlayerSeat)
                self._founder = host.player
            case Changed():
                self._change_settings(entry)
            case Committed():
                self.commitments[entry.seat] = entry.commitment
            case Faced():
                self.seats[entry.seat] = replace(self.seats[entry.seat], face=entry.face)
            case Started():
                self.state = "dealing"
                seated = self._players()
                self._sat = {one: seated[one] for one in self._sat if one in seated}
            case Revealed():
                self.contributions[entry.seat] = entry.contribution
            case Dealt():
                self._deal()
            case Claimed():
                self.claimed = True
            case TookBack():
                self._take_back(entry.to)
            case StoodIn():
                self._stand_in(entry.seat, entry.reason)
            case CameBack():
                self._stand_in(entry.seat, None)
            case Rematched():
                self.rematch = entry.code
            case Closed():
                self.state = "closed"
            case Created():
                raise AssertionError("a table is created once")

    def _sit_down(self, entry: Sat) -> None:
        before, face = self.seats[entry.seat], None
        if entry.same and isinstance(before, PlayerSeat):
            face = before.face
            renamed = {before.player: entry.player}
            self._sat = {renamed.get(one, one): seat for one, seat in self._sat.items()}
            self._founder = renamed.get(self._founder, self._founder)
        elif self.game is None:
            self._sat.pop(entry.player, None)
        self._sat[entry.player] = entry.seat
        if not self.takes_back:
            self.past = None
        self.removed.pop(entry.player, None)
        self.seats[entry.seat] = PlayerSeat(entry.player, entry.name, face=face)
        if self.game is None:
            self.commitments[entry.seat] = entry.commitment

    def _act(self, entry: Acted) -> None:
        game = self.game
        assert game is not None
        before = game.position
        game.push(entry.action, entry.seat)
        game.forget()
        after = game.position
        if self.past is not None:
            self.past = self.past.after(entry, before, after)
        self.claimed = self.claimed and len(after.sheet) == len(before.sheet)
        # Where all decide at once, the turn ends only when the last has decided.
        fewer = len(after.to_act) < len(before.to_act) and after.phase is before.phase
        if not (fewer and after.is_decided_at_once):
            self.turn += 1
        if entry.by == "player" or stands_in_once(self.seats[entry.seat]):
            self._stand_in(entry.seat, None)
        if after.phase is Phase.OVER:
            self.state = "over"

    def _take_back(self, to: int) -> None:
        assert self.game is not None
        assert self.past is not None
        self.game = self.past.game(self.game.position, to, self.deals)
        self.past = self.past._replace(decided=self.past.decided[:-1], is_known=True)
        self.claimed = False
        self.taken_back += 1
        self.turn += 1

    def _deal(self) -> None:
        seats = range(self.rules.players)
        added = (bytes.fromhex(self.contributions.get(seat, "")) for seat in seats)
        self.deals = self.deals.with_contributions(added, map(bytes.fromhex, self.commitments))
        self.game = Game(self.rules, deals=self.deals)
        self.state = "playing"
        self.turn = 1
        self.past = Past(self.game.position) if self.takes_back else None

    def _stand_in(self, seat: int, reason: str | None) -> None:
        one = self.seats[seat]
        if isinstance(one, PlayerSeat) and one.stand_in != reason:
            self.seats[seat] = replace(one, stand_in=reason)

    def _forget_commitment(self, seat: int) -> None:
        if self.state == "lobby":
            self.commitments[seat] = ""

    def _change_settings(self, entry: Changed) -> None:
        self.settings = entry.settings
        if entry.rules is None:
            return
        self.rules = Rules.from_options(entry.rules)
        self.edition = entry.edition
        self.secrets = entry.secrets or (*self.secrets, *entry.more_secrets)
        self.deals = deals_of(self.rules, self.secrets)
        players = self.rules.players
        self.seats = [*self.seats, *[Empty()] * players][:players]
        self.commitments = [*self.commitments, *[""] * players][:players]
