"""`Game`: the rules as people use them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any

import numpy as np

from foretold.actions import Action
from foretold.cards import Card, Suit
from foretold.deal import Deal, check_deal, out_after
from foretold.editions import edition
from foretold.errors import DealError, ForetoldError, IllegalActionError, RecordError
from foretold.fair import FairDeals
from foretold.illegal import refusal_of
from foretold.kernel import ILLEGAL, STATE_SIZE, Phase, try_step
from foretold.legal_actions import LegalActions
from foretold.position import (
    Position,
    after_action,
    after_deal,
    first_position,
    out_next,
)
from foretold.record import (
    FORMAT,
    Header,
    RecordData,
    parse_record,
    read_action,
    read_header,
    read_rounds,
)
from foretold.results import Outcome, Round
from foretold.rules import Rules
from foretold.view import View, view_of
from foretold.words import counted


class Game:
    """A game of Wizard, from its set-up to its outcome.

    >>> game = Game("amigo", players=3, seed=7)
    >>> while not game.outcome():
    ...     _ = game.push(next(iter(game.legal_actions())))
    >>> sum(game.sheet[-1].taken)
    20

    `rules` are `Rules`, or the name of an edition; single options may be given as well. Every round
    is dealt automatically as soon as the one before it is over: from `seed`, from fresh randomness,
    or from `deals`. When a list of deals is used up, the game waits for `deal`; so with an empty
    list you make every deal yourself.
    """

    _tried: tuple[Position, int, Action, Position] | None = None
    """The last action that was looked into: where, by whom, and what it leads to. A server asks
    whether an action is legal, saves it, and only then takes it."""

    def __init__(
        self,
        rules: Rules | str = "amigo",
        *,
        seed: int | None = None,
        deals: FairDeals | Iterable[Deal] | None = None,
        first_dealer: int | None = None,
        names: Sequence[str] | None = None,
        suits: tuple[Suit, ...] | None = None,
        **options: Any,
    ) -> None:
        if isinstance(rules, str):
            rules = edition(rules).rules(**options)
        elif options:
            rules = rules.replace(**options)
        if deals is None:
            deals = FairDeals.random(rules) if seed is None else FairDeals.from_seed(rules, seed)
        elif seed is not None:
            raise TypeError("give seed or deals, not both")
        self.rules = rules
        self.names = None if names is None else tuple(names)
        if self.names is not None and len(self.names) != rules.players:
            raise ValueError(f"there are {len(self.names)} names for {rules.players} players")
        self._deals = deals if isinstance(deals, FairDeals) else tuple(deals)
        if isinstance(self._deals, FairDeals):
            self._deals.check(rules)
            set_up = self._deals.set_up(rules)
            suits = set_up.suits
            first_dealer = set_up.first_dealer if first_dealer is None else first_dealer
        self.first_dealer = first_dealer or 0
        if not 0 <= self.first_dealer < rules.players:
            raise ValueError(f"there is no seat {self.first_dealer} to deal first")
        self._header = Header(rules, self.first_dealer, self.names, suits)
        self._extra_rounds: list[Mapping[str, Any]] = []
        self.position = first_position(rules, self.first_dealer, suits)
        """Everything about the game, hidden cards included. Players get a `view`."""
        self._positions = [self.position]
        self._deal_next()

    # Where the game stands

    @property
    def phase(self) -> Phase:
        return self.position.phase

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must decide now, in ascending order; empty while a deal is awaited."""
        return self.position.to_act

    @property
    def sheet(self) -> tuple[Round, ...]:
        """The score sheet: every finished round."""
        return self.position.sheet

    @property
    def totals(self) -> tuple[int, ...]:
        return self.position.totals

    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it has not."""
        return Outcome(self.totals) if self.phase is Phase.OVER else None

    def view(self, seat: int | None) -> View:
        """What a seat may know; None is a spectator."""
        if seat is not None and not 0 <= seat < self.rules.players:
            raise ValueError(f"there is no seat {seat}")
        return view_of(self.position, seat)

    def legal_actions(self, seat: int | None = None) -> LegalActions:
        """What a seat may do now; without a seat, the first of those to act."""
        return self.position.legal_actions(self.position.turn if seat is None else seat)

    def refusal(self, action: Action, seat: int) -> IllegalActionError | None:
        """Why a seat may not take an action now, or None if it may."""
        if self._after(seat, action) is not None:
            return None
        return refusal_of(self.position, seat, action)

    # Moves

    def push(self, action: Action | str | int, seat: int | None = None) -> Action:
        """Take an action for a seat; without a seat, for the first of those to act."""
        if type(action) is not Action:
            action = Action(action)
        seat = self.position.turn if seat is None else operator.index(seat)
        after = self._after(seat, action)
        if after is None:
            raise refusal_of(self.position, seat, action)
        self._go_on_to(after)
        if after.phase is Phase.DEAL:
            self._deal_next()
        return action

    def pop(self) -> tuple[int, Action]:
        """Undo the last action, and the deal that followed it; returns the seat and the action."""
        for index in range(len(self._positions) - 1, 0, -1):
            log = self._positions[index].log
            if log is not None and log.actions:
                del self._positions[index:]
                self.position = self._positions[-1]
                return log.actions[-1]
        raise IndexError("there is no action to take back")

    def forget(self) -> None:
        """Discard what only `pop` needs: for games that stay in memory for a long time."""
        del self._positions[:-1]

    def deal(self, deal: Deal) -> None:
        """Deal the next round, in a game whose deals you make yourself."""
        position = self.position
        if position.phase is Phase.OVER:
            raise DealError(f"the game is over after {counted(len(self.rules.sizes), 'round')}")
        if position.phase is not Phase.DEAL:
            raise DealError("the round before it is not finished")
        size = self.rules.sizes[len(position.sheet)]
        check_deal(self.rules, size, deal, out_next(position), position.suits)
        self._begin(deal)

    def copy(self) -> Game:
        """A copy that can be played on independently."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._positions = list(self._positions)
        other._extra_rounds = list(self._extra_rounds)
        return other

    # Records

    @classmethod
    def from_record(cls, record: RecordData | bytes | str, deals: FairDeals | None = None) -> Game:
        """Replay a record, checking every deal and action against the rules.

        An unfinished game continues with the `deals` it was started with, if they are given;
        otherwise it waits for `deal` where the record ends.
        """
        if isinstance(record, str):
            record = record.encode(errors="surrogatepass")  # the parser rejects invalid text
        if isinstance(record, bytes):
            record = parse_record(record)
        header = read_header(record)
        game = cls(
            header.rules,
            deals=(),
            first_dealer=header.first_dealer,
            names=header.names,
            suits=header.suits,
        )
        game._header = header
        for number, data in enumerate(read_rounds(record), start=1):
            if game.phase not in (Phase.DEAL, Phase.OVER):
                raise RecordError(f"round {number - 1}: it is not finished, but another follows")
            try:
                game.deal(data.deal)
            except DealError as error:
                raise RecordError(f"round {number}: {error}") from None
            game._extra_rounds.append(data.extra)
            for place, action in enumerate(data.actions, start=1):
                try:
                    seat, decision = read_action(action, game.rules.players)
                    if len(game.sheet) == number:
                        raise RecordError(f"seat {seat} may not {decision}: the round is over")
                    game.push(decision, seat)
                except ForetoldError as error:
                    raise RecordError(f"round {number}, action {place}: {error}") from None
        if deals is not None:
            game._go_on(deals)
        return game

    def _go_on(self, deals: FairDeals) -> None:
        """Deal the rest of the game from the deals it was started with."""
        deals.check(self.rules)
        out: tuple[Card, ...] = ()
        suits = deals.set_up(self.rules).suits or (None,) * self.rules.players
        for number, log in enumerate(self.position.logs, start=1):
            if not deals.deal(self.rules, number, out, suits).same_cards(log.deal):
                raise DealError(f"round {number} was not dealt from these deals")
            out = out_after(self.rules, out, log.deal)
        self._deals = deals
        self._deal_next()

    @classmethod
    def standing_at(cls, position: Position, deals: FairDeals) -> Game:
        """A game in this position, with these deals; earlier actions cannot be undone."""
        game = object.__new__(cls)
        game.rules, game.names = position.rules, None
        game._deals = deals
        set_up = deals.set_up(game.rules)
        game.first_dealer = set_up.first_dealer
        game._header = Header(game.rules, game.first_dealer, None, set_up.suits)
        game._extra_rounds = []
        game.position = position
        game._positions = [position]
        return game

    @property
    def fair(self) -> object:
        """What may be revealed about the deals so far, as under `fair` in a record; or None."""
        if isinstance(self._deals, FairDeals):
            return self._deals.revealed(len(self.sheet)).to_data()
        return self._header.fair

    def to_record(self) -> RecordData:
        """The game as a record; unknown fields are kept unchanged."""
        header = self._header
        record: RecordData = {
            "format": FORMAT,
            "rules": {**header.extra_rules, **self.rules.to_options()},
        }
        if self.names is not None:
            record["names"] = list(self.names)
        record["first_dealer"] = self.first_dealer
        if header.suits is not None:
            record["suits"] = [suit.letter for suit in header.suits]
        if self.fair is not None:
            record["fair"] = self.fair
        record.update(header.extra)
        extras = chain(self._extra_rounds, repeat({}))
        record["rounds"] = [
            {
                "hands": [[card.code for card in hand] for hand in log.deal.hands],
                "turned": None if log.deal.turned is None else log.deal.turned.code,
                "actions": [[seat, str(action)] for seat, action in log.actions],
                **extra,
            }
            for log, extra in zip(self.position.logs, extras, strict=False)
        ]
        return record

    def __repr__(self) -> str:
        return f"Game.from_record({self.to_record()!r})"

    # Inside

    def _after(self, seat: int, action: Action) -> Position | None:
        """The position that an action leads to; None if it is illegal."""
        before, tried = self.position, self._tried
        if tried is not None and tried[0] is before and tried[1:3] == (seat, action):
            return tried[3]
        state = np.empty(STATE_SIZE, dtype=np.int64)
        there = 0 <= seat < self.rules.players
        # A plain int: for a subclass, Numba looks up the type again at every call.
        acts = try_step(before.state, state, seat, int(action)) if there else ILLEGAL
        if acts == ILLEGAL:
            return None
        after = after_action(before, state, acts, seat, action)
        self._tried = (before, seat, action, after)
        return after

    def _go_on_to(self, position: Position) -> None:
        self.position, self._tried = position, None
        self._positions.append(position)

    def _deal_next(self) -> None:
        """Deal the next round if it is due and there is a deal for it."""
        position = self.position
        if position.phase is not Phase.DEAL:
            return
        index = len(position.sheet)
        if isinstance(self._deals, FairDeals):
            out = out_next(position)
            self._begin(self._deals.deal(self.rules, index + 1, out, position.suits))
        elif index < len(self._deals):
            self.deal(self._deals[index])

    def _begin(self, deal: Deal) -> None:
        del self._extra_rounds[len(self.position.logs) :]  # of rounds that were undone
        self._go_on_to(after_deal(self.position, deal))
