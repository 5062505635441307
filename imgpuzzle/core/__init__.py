"""The small frozen values that all speak in: boards, goals, readings, solutions.

Nothing here opens a file or looks at a picture. A new value with rules of its own is
added here; how it is found, drawn or said is not.
"""
