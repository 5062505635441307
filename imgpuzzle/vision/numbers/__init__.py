"""Numerals on the tiles as a witness: which number each tile shows.

In: the pictures of tiles. Out: log probabilities of every number for every tile, and
the board that they make. Add here another kind of numeral, or another order in which
games count.
"""
