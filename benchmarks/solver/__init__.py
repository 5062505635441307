"""How short and how quick the solver's solutions are.

``run`` measures ``suites`` of ``boards`` and prints what ``report`` makes of them.
"""
