"""Pages of web games with a sliding puzzle: twenty designs, drawn by Chromium.

``play.make_scene`` gives the scene of a design and a number. A design is a function in
``tune_half`` or ``test_half`` that writes the page of a ``board.Deal``, and a line in
``designs``; what pages are made of is in ``parts``.
"""
