"""A table as its log says it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from foretold.bots import LEVELS
from foretold.fair import FairDeals
from foretold.game import Game
from foretold.kernel import Phase
from foretold.protocol.settings import TableSettings
from foretold.record import RecordData
from foretold.rules import Bidding, Rules
from foretold.table.entries import (
    Acted,
    BotCame,
    BotSeat,
    CameBack,
    Changed,
    Cleared,
    Closed,
    Committed,
    Created,
    Dealt,
    Empty,
    Entry,
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
    encode_entry,
    named_seat,
)
from foretold.table.names import BOT_NAMES, folded, numbered
from foretold.words import FORMER_PLAYER

STAND_IN_LEVEL: Final = "adept"
"""How strong the bot is that plays for someone who is away, or who has left."""

LEFT: Final = "left"
"""Why a bot stands in for a player who has gone for good, or so it seems."""
ABSENT: Final = "absent"
"""Why a bot stands in for a player whose connection was lost."""

assert STAND_IN_LEVEL in LEVELS


def is_free(seat: Seat) -> bool:
    """Whether somebody may sit down there: nobody has the seat, or a bot, or one who has left."""
    return not isinstance(seat, PlayerSeat) or seat.stand_in == LEFT


class Table:
    """Where a table stands. It changes by `apply` alone; the log is the truth."""

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
        """Of the deals, in hexadecimal: for the set-up and for every round that there ever was."""
        self.deals = _deals(self.rules, self.secrets)
        self.game: Game | None = None
        self.turn = 0
        self.rematch: str | None = None
        self.removed: dict[str, str] = {}
        """Whom a host has removed: their names by player."""
        self.changes: Counter[str] = Counter()
        """How many bytes each has had written by what was granted, besides moves."""
        self._founder = entry.host
        self._sat = self._players()
        """The seats of all who have had one in this game, in the order in which they came."""
        self._done: dict[str, dict[str, int]] = {}
        """The numbers of messages that were written down, by player and id."""
        self._note(created)

    @classmethod
    def replayed(cls, code: str, log: Iterable[Logged]) -> Table:
        """The table that a log tells of."""
        entries = iter(log)
        table = cls(code, next(entries))
        for logged in entries:
            table.apply(logged)
        return table

    # Who is there

    @property
    def host(self) -> int | None:
        """The seat of whoever decides about the table: its founder, or whom they made the host.

        While they are away it is the first player who is not.
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
        """Whether they are the host, and for nobody who is away."""
        return self.is_host(player) and self.seat_of(self._founder) in (None, self.host)

    def is_founders(self, seat: int) -> bool:
        """Whether that seat is whose table it is, also while another is the host."""
        return seat == self.seat_of(self._founder)

    def knows(self, player: str | None) -> bool:
        """Whether somebody has or had a seat here, and was not removed."""
        if player is None or player in self.removed:
            return False
        return player in self._sat or self.seat_of(player) is not None

    @property
    def players(self) -> tuple[str, ...]:
        """All who have had a seat in this game."""
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

    def may_take_over(self, player: str, seat: int) -> bool:
        """Whether a player may sit there in a game: not who knows other cards of it."""
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
        """The seats in the order in which those who have them came."""
        arrival = {player: order for order, player in enumerate(self._sat)}

        def came(seat: int) -> int:
            one = self.seats[seat]
            return arrival.get(one.player, 0) if isinstance(one, PlayerSeat) else -1

        return tuple(sorted(range(len(self.seats)), key=came))

    @property
    def shown(self) -> dict[str, str]:
        """The names of those who sit here, by player, as everyone sees them."""
        return {
            one.player: name
            for one, name in zip(self.seats, self.names, strict=True)
            if isinstance(one, PlayerSeat)
        }

    def rename(self, player: str, name: str) -> None:
        """A player has another name now; no entry of the log says so."""
        names = {player: name}
        seat = self.seat_of(player)
        if seat is not None:
            self.seats[seat] = named_seat(self.seats[seat], names)
        if player in self.removed:
            self.removed.update(names)

    # What is awaited

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

    @property
    def decides_at_once(self) -> bool:
        """Whether all decide now without seeing what the others do."""
        if self.game is None:
            return False
        phase = self.game.phase
        sealed = self.rules.bidding is not Bidding.OPEN
        return phase is Phase.PASS or (phase is Phase.BID and sealed)

    def level_of(self, seat: int) -> str | None:
        """How strong the bot is that decides for a seat; None where a player does."""
        one = self.seats[seat]
        if isinstance(one, BotSeat):
            return one.level
        return STAND_IN_LEVEL if isinstance(one, PlayerSeat) and one.stand_in else None

    def done(self, player: str, ask_id: str) -> int | None:
        """The number under which a message was written down, if it was."""
        return self._done.get(player, {}).get(ask_id)

    def record(self) -> RecordData | None:
        """The game as far as all may see it: the rounds that are over."""
        if self.game is None:
            return None
        record = self.game.to_record()
        del record["rounds"][len(self.game.sheet) :]
        return {**record, "names": [name or FORMER_PLAYER for name in self.names]}

    # What happens

    def apply(self, logged: Logged) -> None:
        """Take over what was written down."""
        assert logged.n == self.n + 1, f"entry {logged.n} after {self.n}"
        self.n = logged.n
        self.updated = logged.at
        self._change(logged.entry)
        self._note(logged)

    def _note(self, logged: Logged) -> None:
        entry = logged.entry
        if entry.ask_id:
            self._done.setdefault(entry.asked_by, {})[entry.ask_id] = logged.n
            if not isinstance(entry, Acted):
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
            case Started():
                self.state = "dealing"
                seated = self._players()
                self._sat = {one: seated[one] for one in self._sat if one in seated}
            case Revealed():
                self.contributions[entry.seat] = entry.contribution
            case Dealt():
                self._deal()
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
        before = self.seats[entry.seat]
        if entry.same and isinstance(before, PlayerSeat):
            renamed = {before.player: entry.player}
            self._sat = {renamed.get(one, one): seat for one, seat in self._sat.items()}
            self._founder = renamed.get(self._founder, self._founder)
        elif self.game is None:
            self._sat.pop(entry.player, None)
        self._sat[entry.player] = entry.seat
        self.removed.pop(entry.player, None)
        self.seats[entry.seat] = PlayerSeat(entry.player, entry.name)
        if self.game is None:
            self.commitments[entry.seat] = entry.commitment

    def _act(self, entry: Acted) -> None:
        game = self.game
        assert game is not None
        before = game.position
        game.push(entry.action, entry.seat)
        game.forget()
        after = game.position
        # Where all decide at once nobody waits for anybody until the last has decided.
        fewer = len(after.to_act) < len(before.to_act) and after.phase is before.phase
        if not (fewer and self.decides_at_once):
            self.turn += 1
        if entry.by == "player":
            self._stand_in(entry.seat, None)
        if after.phase is Phase.OVER:
            self.state = "over"

    def _deal(self) -> None:
        seats = range(self.rules.players)
        added = (bytes.fromhex(self.contributions.get(seat, "")) for seat in seats)
        self.deals = self.deals.with_contributions(added, map(bytes.fromhex, self.commitments))
        self.game = Game(self.rules, deals=self.deals)
        self.state = "playing"
        self.turn = 1

    def _stand_in(self, seat: int, reason: str | None) -> None:
        one = self.seats[seat]
        if isinstance(one, PlayerSeat) and one.stand_in != reason:
            self.seats[seat] = PlayerSeat(one.player, one.name, reason)

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
        self.deals = _deals(self.rules, self.secrets)
        players = self.rules.players
        self.seats = [*self.seats, *[Empty()] * players][:players]
        self.commitments = [*self.commitments, *[""] * players][:players]


def _deals(rules: Rules, secrets: Sequence[str]) -> FairDeals:
    return FairDeals.of(rules, map(bytes.fromhex, secrets[: secrets_of(rules)]))


def secrets_of(rules: Rules) -> int:
    """How many secrets a game needs: one for the set-up and one for each round."""
    return len(rules.sizes) + 1
