"""The search: proposals are made, witnesses asked in the order of cost, rules applied.

In: a view of the screenshot, with or without a reference. Out: a ``Finding`` or why
there is none. What is asked for when, and when to stop, is said here; which of several
things it is, in ``decide``. Add here another place to look at when all else has failed.
"""
