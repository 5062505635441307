"""What the server has done: pools of worker processes, and what is kept of their work.

In come requests of the routes, checked, as dictionaries (``service``, and ``jobs`` for
what takes long). ``workers`` is the pool of ``files``, which gives each to a process
that is free, in which ``worker`` calls one of ``tasks``. Out come dictionaries for
JSON, and files in the folders of ``store``; what a task keeps for the next one is a
``state`` there.

To add work: a function in ``tasks``, named in ``TASKS``, and a call of ``Pool.run`` in
``service`` or, to be watched and cancelled, ``Jobs.start``.
"""
