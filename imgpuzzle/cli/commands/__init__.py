"""The sub-commands, one a module: its ``command`` takes options and returns nothing.

In comes what was typed, as an options object; out go lines (``terminal.say``), one JSON
object with ``--json``, files, and errors as exceptions of ``imgpuzzle.errors``. To add
a command: a module here, and a line in ``data/help.txt``.
"""
