"""What can be asked of the page's engine, and how it is answered; by whom, is not said.

A server asks by HTTP (``imgpuzzle.web.http``), a page without a server by messages to
its worker (``imgpuzzle.web.site``). Either makes an ``Asked`` of what came, calls the
endpoint that stands in ``ROUTES``, and passes its ``Answer`` on.

To add an endpoint: a function in ``readings``, ``solving`` or ``reviewing``, marked
with ``asked.api``, and the shape of what it takes in ``parameters``. What takes longer
than a millisecond, or touches a picture, is a task of ``imgpuzzle.web.work``.
"""
