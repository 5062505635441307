"""Folders of screenshots: what comes in are paths, what goes out guides and a report.

``run`` is the door: ``Batch`` says what is wanted, ``Run`` does it. ``find`` knows
which files are screenshots and which pictures of goals, ``reference`` which of those
belongs to a screenshot, ``work`` what is done with one, ``journal`` what is done, and
``page`` how it is shown. What more a picture shall get goes into ``work``; what the
report shall say of it is a field of ``journal.PictureEntry`` and a cell of ``page``.
"""
