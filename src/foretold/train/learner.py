"""Learning from lessons: what the network said of decisions, against what came of them."""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from foretold.actions import BID, TRUMP
from foretold.bots.prospect import TRICK_COUNTS
from foretold.bots.sight import POINTS
from foretold.train.network import Network
from foretold.train.outcomes import Batch, Lesson, batch_of
from foretold.train.policy import precision

LARGEST_GRADIENT: Final = 1.0
TRICKS_MATTER: Final = 0.1
_MOMENTS: Final = ("exp_avg", "exp_avg_sq")


class Learner:
    """A network and its optimiser."""

    def __init__(self, network: Network, device: torch.device, rate: float) -> None:
        self.network, self.device = network, device
        self.optimiser = torch.optim.Adam(
            network.parameters(), lr=rate, betas=(0.9, 0.99), fused=device.type == "cuda"
        )

    def learn(
        self, taught: Lesson, batch: int, rate: float, chance: torch.Generator
    ) -> dict[str, float]:
        """Learn from all decisions of a lesson, in random order; returns the mean losses."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        count = len(taught.rows)
        order = torch.randperm(count, generator=chance, device=self.device)
        sums: dict[str, Tensor] = {}
        batches = max(1, count // batch)
        for chosen in torch.split(order[: batches * batch], batch):
            self.optimiser.zero_grad(set_to_none=True)
            with precision(self.device):
                losses = losses_of(self.network, batch_of(taught, chosen))
            total = losses["value"] + losses["points"] + TRICKS_MATTER * losses["tricks"]
            total.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
            self.optimiser.step()
            for name, loss in losses.items():
                sums[name] = sums.get(name, torch.zeros_like(loss)) + loss.detach()
        return {name: float(total) / batches for name, total in sums.items()}

    def state(self) -> dict[str, Any]:
        """What is needed to go on from here; the moments in half precision, to halve the file.

        They are rounded here too, so that whoever goes on without a break goes on the same.
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
            "network": self.network.state_dict(),
            "optimiser": {"state": kept, "param_groups": optimiser["param_groups"]},
        }

    def load(self, state: dict[str, Any]) -> None:
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])


def losses_of(network: Network, batch: Batch) -> dict[str, Tensor]:
    """How far the network was off, for each thing that it tells."""
    told = network(batch.observations)
    at = batch.actions[:, None]
    values = told.values.gather(1, at).squeeze(1)
    points = told.points.gather(1, at).squeeze(1)
    is_bid = (batch.actions >= BID) & (batch.actions < TRUMP)
    slot = torch.where(is_bid, 1 + batch.actions - BID, 0).clamp(max=TRICK_COUNTS)
    tricks = told.tricks[torch.arange(len(slot), device=slot.device), slot].float()
    return {
        "value": functional.mse_loss(values, batch.values / POINTS),
        "points": functional.mse_loss(points, batch.points / POINTS),
        "tricks": functional.cross_entropy(tricks, batch.tricks.clamp(max=TRICK_COUNTS - 1)),
    }
