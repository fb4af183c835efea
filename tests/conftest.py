"""How all tests run: neither an example nor how it is made is judged by the clock, which a busy machine would fail, and
Ctrl-C reaches what they start."""

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# A shell starts what runs in its background deaf to Ctrl-C, and processes inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
