"""Pages of web games with a sliding puzzle: ten designs, drawn by Chromium.

``play.make_scene`` gives the scene of a design and a number. A design is a function in
``games`` that writes the page of a ``board.Deal``, and a line in
``designs``; what pages are made of is in ``parts``.
"""
