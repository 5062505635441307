"""Grids that may be the board, each with its support: what stands out on the screen.

In: a screenshot. Out: lattices and how likely each is a board by its looks (nats), the
likeliest first. Whether a proposal is the board is not decided here: leave one out
only where nothing could make a board of it. A new sign of a board (a kind of line, of
box, of numerals) is a file here that proposes lattices, or a measure in ``ranking``.
"""
