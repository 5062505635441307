"""A puzzle that is being played: it is watched, and played, while it is on a screen.

In: frames, pictures of the screen as they come (``sources``), and what was read from
the first. ``tracking`` is the one loop of all who look: it finds the puzzle, follows
it (``follower``), and reads again where that ends. Out: events (``watch``), and moves
made on the screen (``playing``, ``hands``). A new kind of screen is a class in
``sources`` that grabs frames; a new effect of a game belongs in ``follower``.
"""
