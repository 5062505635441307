"""Grids that may be the board, each with its support: what stands out on the screen.

In: a screenshot. Out: lattices and how likely each is a board by its looks (nats), the
likeliest first. Whether a proposal is the board is not decided here: leave one out
only where nothing could make a board of it. A kind of board that is missed is drawn in
``benchmarks/scenes``, and the finder trained anew.
"""
