"""The page in the browser, and the HTTP interface behind it.

The server itself holds no picture and loads neither NumPy nor OpenCV: whatever
touches a picture or searches runs in worker processes that may die without harm.
"""
