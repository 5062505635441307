"""What is said over HTTP: who may connect, what may be asked, how it is answered.

In come connections (``connections``: how many, how long), then requests (``safety``:
from whom; ``uploads``: how large; ``parameters``: with which fields). Out go answers in
JSON, pictures and files (``answers``). ``serving`` opens the port, ``server`` has the
routes.

To add an endpoint: a function in ``readings`` or ``solving``, marked with
``openapi.api``, and the shapes of what it takes (``parameters``) and answers
(``answers``): they check and describe it. What takes longer than a millisecond, or
touches a picture, is a task of ``imgpuzzle.web.work``.
"""
