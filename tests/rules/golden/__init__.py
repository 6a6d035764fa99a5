"""Golden games: complete games and what their replay must print, worked out by the oracle."""
