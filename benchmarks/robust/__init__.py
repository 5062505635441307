"""Attacks on the program, from a seed: what it is given, done to it or taken from it.

``python -m benchmarks attacks NAME [--count N] [--seed S]`` runs many of
one kind and prints a table; ``tests/robust`` runs few, with seeds that never change.
"""
