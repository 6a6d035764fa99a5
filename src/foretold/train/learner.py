"""Learning from what was played, by proximal policy optimisation with a critic that sees all hands.

The policy moves towards actions that brought more than the critic expected, in points and in the
chance of winning the game. The other heads learn what hints and reviews show, in points alone. The
value of an action is the sum of two parts: what the seat can expect from what it sees, and by how
much the action beats the critic's estimate for the whole deal. So the luck of the deal does not
drown the difference between two actions.
"""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from foretold.actions import ACTION_COUNT, BID, TRUMP
from foretold.bots.network import TRICK_SLOTS
from foretold.bots.outlook import TRICK_COUNTS
from foretold.errors import UnreadableError
from foretold.train.fusing import fused
from foretold.train.network import Critic, Network, State
from foretold.train.outcomes import NOT_ENDED, RESULTS, Batch, Chunk, batch_of, lesson
from foretold.train.seating import NETWORK
from foretold.train.settings import Settings

LARGEST_GRADIENT: Final = 1.0
CLIP: Final = 0.2
"""How far an action's probability may move before its gradient is clipped."""
NEVER: Final = -1e9
"""The logit of an illegal action."""
VALUES_MATTER: Final = 0.25
TRICKS_MATTER: Final = 0.05
_MOMENTS: Final = ("exp_avg", "exp_avg_sq")


class Learner:
    """A network, its critic and their optimiser."""

    def __init__(self, settings: Settings, device: torch.device) -> None:
        self.settings, self.device = settings, device
        self.network = Network(settings.width, settings.blocks).to(device)
        self.critic = Critic(settings.critic_width, settings.critic_blocks).to(device)
        self._bases = torch.nn.Linear(settings.width, 2).to(device)
        torch.nn.init.zeros_(self._bases.weight)
        torch.nn.init.zeros_(self._bases.bias)
        self._parts = {"network": self.network, "critic": self.critic, "bases": self._bases}
        self._parameters = [one for part in self._parts.values() for one in part.parameters()]
        self._teach, self._expect = fused(self._losses, device), fused(self._critic_of, device)
        self.optimiser = torch.optim.Adam(
            self._parameters, lr=settings.rate, betas=(0.9, 0.99), fused=device.type == "cuda"
        )

    def learn(
        self,
        chunk: Chunk,
        rate: float,
        curiosity: float,
        chance: torch.Generator,
        *,
        critic_alone: bool = False,
    ) -> tuple[int, dict[str, float]]:
        """Learn from all decisions of a chunk, in random order; returns their number, and losses.

        `curiosity` is the weight of the entropy bonus. With `critic_alone` nothing else learns.
        """
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        batch = self.settings.batch
        taught = lesson(chunk, self._expected(chunk), self.settings.trace, self.settings.winning)
        count = len(taught.rows)
        order = torch.randperm(count, generator=chance, device=self.device)
        gains = _gains(taught.returns) - _gains(taught.expected)
        spread = gains.std().clamp(min=1e-3)
        sums: dict[str, Tensor] = {}
        batches = max(1, count // batch)
        for chosen in torch.split(order[: batches * batch], batch):
            self.optimiser.zero_grad(set_to_none=True)
            losses = self._teach(batch_of(taught, chosen), spread)
            total = losses["critic"]
            if not critic_alone:
                total = (
                    total
                    + losses["policy"]
                    - curiosity * losses["entropy"]
                    + VALUES_MATTER * (losses["base"] + losses["value"])
                    + TRICKS_MATTER * losses["tricks"]
                )
            total.backward()
            torch.nn.utils.clip_grad_norm_(self._parameters, LARGEST_GRADIENT)
            self.optimiser.step()
            for name, loss in losses.items():
                sums[name] = sums.get(name, torch.zeros_like(loss)) + loss.detach()
        return count, {name: float(total) / batches for name, total in sums.items()}

    @torch.no_grad()
    def _expected(self, chunk: Chunk) -> Tensor:
        """The critic's estimate for every decision of the network."""
        rows = (chunk.whom == NETWORK).flatten().nonzero().squeeze(1)
        told = torch.zeros((chunk.whom.numel(), RESULTS), device=self.device)
        batch = self.settings.batch
        for first in range(0, len(rows), batch):
            # The last batch has the size of the others, or it would be compiled for variable sizes.
            some = rows[max(0, min(first, len(rows) - batch)) :][:batch]
            observations, _, hands = chunk.some(some)
            told[some] = self._expect(observations, hands)
        return told.view(*chunk.whom.shape, RESULTS)

    def _critic_of(self, observations: Tensor, hands: Tensor) -> Tensor:
        told: Tensor = self.critic(self.network.inputs(observations, hands))
        return told

    def _losses(self, batch: Batch, spread: Tensor) -> dict[str, Tensor]:
        network = self.network
        rows = network.inputs(batch.observations, batch.hands)
        seen = network.trunk(rows)
        heads = (network.policy, network.values, network.points, self._bases)
        weight = torch.cat([head.weight for head in heads])
        bias = torch.cat([head.bias for head in heads])
        every = functional.linear(seen.float(), weight, bias)
        logits, values, points, bases = torch.split(every, [*[ACTION_COUNT] * 3, 2], dim=1)
        logits = logits.masked_fill(batch.masks == 0, NEVER)
        taken = _only(batch.actions, ACTION_COUNT)
        chances = functional.log_softmax(logits, dim=1)
        ratio = (_picked(chances, taken) - batch.chances).exp()
        better = batch.returns - batch.expected
        gain = _gains(better) / spread
        kept = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
        meant = ~batch.strayed

        is_bid = (batch.actions >= BID) & (batch.actions < TRUMP)
        slot = torch.where(is_bid, 1 + batch.actions - BID, 0).clamp(max=TRICK_COUNTS)
        tricks = _picked(network.told_tricks(seen), _only(slot, TRICK_SLOTS)[..., None])
        surprise = functional.cross_entropy(
            tricks.float(),
            batch.tricks.clamp(max=TRICK_COUNTS - 1),
            ignore_index=NOT_ENDED,
            reduction="sum",
        )
        told = self.critic(rows)
        own = batch.returns[:, 0]
        lead = torch.stack([_lead(batch.returns), own], dim=1)
        return {
            "policy": -kept.where(meant, 0.0).sum() / meant.sum().clamp(min=1),
            "entropy": -(chances.exp() * chances).sum(dim=1).mean(),
            "critic": functional.mse_loss(told, batch.returns),
            "base": functional.mse_loss(bases, lead),
            "value": functional.mse_loss(_picked(values, taken), _lead(better))
            + functional.mse_loss(_picked(points, taken), better[:, 0]),
            "tricks": surprise / (batch.tricks != NOT_ENDED).sum().clamp(min=1),
        }

    def player(self) -> Network:
        """The network for playing, with the full values of its actions, not only their advantages.

        While learning, the two parts are separate.
        """
        network = Network.of(self.network.state_dict()).to(self.device)
        with torch.no_grad():
            for index, head in enumerate((network.values, network.points)):
                head.weight.add_(self._bases.weight[index])
                head.bias.add_(self._bases.bias[index])
        return network

    def start_from(self, state: State) -> None:
        """Take over a network for playing; the critic starts anew."""
        try:
            self.network.load_state_dict(state)
        except RuntimeError:
            size = f"width={self.settings.width}, blocks={self.settings.blocks}"
            raise UnreadableError(f"the run has {size}: the weights are of another size") from None
        with torch.no_grad():
            # Any split of values into a base and advantages plays the same.
            for index, head in enumerate((self.network.values, self.network.points)):
                self._bases.weight[index] = head.weight.mean(dim=0)
                self._bases.bias[index] = head.bias.mean()
                head.weight.sub_(self._bases.weight[index])
                head.bias.sub_(self._bases.bias[index])

    def state(self) -> dict[str, Any]:
        """What is needed to resume; the optimiser's moments in half precision, to halve the file.

        They are rounded here too, so that an uninterrupted run continues the same way.
        """
        optimiser = self.optimiser.state_dict()
        kept = {
            number: {"step": one["step"], **{name: one[name].bfloat16() for name in _MOMENTS}}
            for number, one in optimiser["state"].items()
        }
        for number, one in optimiser["state"].items():
            for name in _MOMENTS:
                one[name].copy_(kept[number][name])
        return {
            **{name: part.state_dict() for name, part in self._parts.items()},
            "optimiser": {"state": kept, "param_groups": optimiser["param_groups"]},
        }

    def load(self, state: dict[str, Any]) -> None:
        for name, part in self._parts.items():
            part.load_state_dict(state[name])
        self.optimiser.load_state_dict(state["optimiser"])


def _only(places: Tensor, count: int) -> Tensor:
    """A one-hot mask: true in one column of each row."""
    return torch.arange(count, device=places.device) == places[:, None]


def _picked(rows: Tensor, chosen: Tensor) -> Tensor:
    """The chosen entry of each row. (`gather` would scatter in the backward pass, which is
    slow.)
    """
    return rows.where(chosen, 0.0).sum(dim=1)


def _lead(told: Tensor) -> Tensor:
    """Own points less the mean of the others'."""
    return told[:, 0] - told[:, 1]


def _gains(told: Tensor) -> Tensor:
    """What the policy is after: the lead in points, and the chance of winning."""
    return _lead(told) + told[:, 2]
