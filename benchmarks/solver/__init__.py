"""How short and how quick the solver's solutions are.

``run`` measures ``suites`` of ``boards`` and prints what ``report`` makes of them,
``kernels`` the speed of each compiled kernel, ``first_run`` whole processes on an
empty cache.
"""
