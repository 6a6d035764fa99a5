"""Figures for people: estimates with their limits, charts as SVG, pages of HTML that stand alone.

For matches, reviews and training runs alike; imports nothing of the game.
"""
