"""What touches the system: pictures in, files out that are whole or absent, workers.

``image`` is the only door to picture files, ``folder`` makes the files of a run appear
together, ``temporary`` names what is being made and sweeps what a killed run left.
``pool`` has the processes that work for the page and for runs of many boards; each is a
``process`` that runs the loop of ``worker``.
"""
