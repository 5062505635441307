"""What is said over HTTP: who may connect, what may be asked, how it is answered.

In come connections (``connections``: how many, how long), then requests (``safety``:
from whom; ``uploads``: how large). ``answers`` hands them to
``imgpuzzle.web.endpoints`` and puts what these answer in HTTP. ``serving`` opens the
port, ``server`` has the routes.
"""
