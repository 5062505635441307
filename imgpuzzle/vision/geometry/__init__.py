"""Where tiles lie in a picture: lattices, how places are related, views, colours.

In: pictures and numbers. Out: ``Lattice``, tiles resampled from it, upright views of
boards that were photographed at an angle. Nothing here knows what a board shows. Add
here what two rooms must agree on about places, such as when two grids are the same.
"""
