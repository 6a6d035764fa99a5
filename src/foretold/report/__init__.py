"""Reports: estimates with intervals, SVG charts, self-contained HTML pages.

Used for matches, reviews and training runs. May import nothing from the game.
"""
