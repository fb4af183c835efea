"""How all tests run: no example is judged by the clock, which a busy machine would fail, and Ctrl-C reaches what they
start."""

import os
import signal

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# A shell starts what runs in its background deaf to Ctrl-C, and processes inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
