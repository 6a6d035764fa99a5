"""PettingZoo's way to make the environment: ``foretold_v1.env("amigo", players=4)``."""

from foretold.env.pettingzoo import env, raw_env

__all__ = ["env", "raw_env"]
