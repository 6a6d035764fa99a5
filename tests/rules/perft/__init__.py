"""Perft data: positions, and how many sequences of legal actions lead on from them."""
