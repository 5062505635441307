"""Running games, watched and played."""
