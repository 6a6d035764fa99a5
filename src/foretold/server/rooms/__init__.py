"""Tables and score sheets while people are there: connections, turns, clocks, knocks.

May import `people` and `storage`, and whatever they may import.
"""
