"""From evidence to arrangements: the likeliest layouts of tiles, and the runners-up.

In: costs in nats of tiles at homes and side by side. Out: arrangements, the likeliest
first, and how far the next is. What the rules of the puzzle forbid is said here: one
blank, each home once, a goal that can be reached. Another kind of puzzle begins here.
"""
