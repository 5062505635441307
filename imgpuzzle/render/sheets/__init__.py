"""All steps at once: sheets, pages to print, and the moves in words.

In come a solution and its tiles, out come large pictures, a PDF, or text.
"""
