"""The picture of the goal as a witness: which piece of it lies in which cell.

In: a screenshot, a reference (given, or found on the screen) and lattices. Out: for
each the costs of every tile at every home, and what stays unexplained. Add here what
games do to their picture (crop, tint, shade it) before they cut it up.
"""
