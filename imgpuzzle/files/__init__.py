"""What touches the disk: pictures in, and files out that are whole or not there.

``image`` is the only door to picture files, ``folder`` makes the files of a run appear
together, ``temporary`` names what is being made and sweeps what a killed run left.
"""
