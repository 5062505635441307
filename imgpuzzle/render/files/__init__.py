"""Frames of a solution, and their files: still pictures, animations, films.

``formats`` has a row for each suffix. A new format is a row there and an encoder beside
the others.
"""
