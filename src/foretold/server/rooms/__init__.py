"""Tables and score sheets while people are there: connections, turns, clocks, knocks.

May import `people`, `storage` and what they may.
"""
