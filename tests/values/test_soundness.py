"""What is known of generated workflows agrees with every run of them on the real machine."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.values import making
from tests.values.soundness import disagreements


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_presence_and_types_agree_with_every_observation(seed: int) -> None:
    choose = random.Random(seed)
    assert list(disagreements(making.workflow(choose.randrange, 1 + seed % 3), choose, runs=2)) == []
