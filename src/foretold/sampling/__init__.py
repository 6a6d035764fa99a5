"""Exact sampling of hidden cards: whole worlds that fit all a view knows, each equally likely.

A *world* says what every seat was dealt, and what it passed if the Juggler made everyone pass. It
is consistent if the whole round so far could have gone as the view saw it: hands have their sizes,
nobody held a suit that they failed to follow, and cards seen are where they were seen. All
consistent worlds are equally likely. Every unseen card counts separately, even one of several
Wizards or Jesters, as in the pack.

Unseen cards fall into classes (a suit, or no suit), and a *place* where some of them are (a hand,
the card just received from the right, the stock) may be closed to some suits. The ways to fill all
places are counted, from the last place to the first; then the places are filled at random in
proportion to those counts. So there are no dead ends and nothing is rejected. Places open to all
are filled together at the end. What the others passed is unknown; the few possible kinds of pass
are counted separately.

May import `rows`, and what is below it.
"""

from foretold.sampling.holdings import Holdings
from foretold.sampling.sampler import DRAWN_FOR_ONE, Sampler, Weigher, choose_by_weight
from foretold.sampling.worlds import Draw, World

__all__ = ["DRAWN_FOR_ONE", "Draw", "Holdings", "Sampler", "Weigher", "World", "choose_by_weight"]
