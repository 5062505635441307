"""How well the reader reads: one command a module, each with ``main``.

They take scenes from ``benchmarks.scenes``, read them, and judge what was read.
``python -m benchmarks`` lists the commands.
"""
