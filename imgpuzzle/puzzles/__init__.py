"""The kinds of puzzles: the rules of each in a file that nobody else knows."""
