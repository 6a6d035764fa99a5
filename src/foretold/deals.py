"""The former name of `foretold.sampling`."""

from foretold.sampling import Draw, Sampler, World

__all__ = ["Draw", "Sampler", "World"]
