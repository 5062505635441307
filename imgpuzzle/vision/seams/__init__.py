"""The tiles' sides as a witness: which tile goes on into which.

In: the pictures of tiles. Out: for every two tiles the nats that speak for one right
of, or below, the other. Add here what makes the seams of a game hard to see: bevels,
frames, shades, rounded corners.
"""
