"""A puzzle that is being played: it is watched, and played, while it is on a screen.

In: frames, pictures of the screen as they come (``sources``), and what was read from
the first. Out: what each frame shows (``follower``), the moves that are left
(``watching``), and moves made on the screen (``playing``, ``hands``). A new kind of
screen is a class in ``sources`` that grabs frames; a new effect of a game belongs in
``follower``.
"""
