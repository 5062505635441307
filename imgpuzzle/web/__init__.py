"""The page in the browser, and the HTTP interface behind it.

The server itself holds no picture and loads neither NumPy nor OpenCV: whatever
touches a picture or searches runs in worker processes that may die without harm.

    a visitor -> http -> endpoints -> work -> processes that read, search and draw

Each knows those behind it and never the other way round; all know ``settings``, where
all limits stand, and ``errors``. The page itself is in ``static``.
"""
