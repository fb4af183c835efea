"""Burr: a chain of actions."""

from __future__ import annotations

from itertools import pairwise

from burr.core import ApplicationBuilder, State, action

from bench.measure import inc
from bench.peers.telling import Run, tell


@action(reads=["count"], writes=["count"])
def step(state: State) -> State:
    return state.update(**inc({"count": state["count"]}))


def chain(steps: int) -> Run:
    names = [f"s{number}" for number in range(steps)]
    builder = ApplicationBuilder().with_actions(**dict.fromkeys(names, step))
    builder = builder.with_transitions(*pairwise(names)).with_entrypoint(names[0])

    def run() -> object:
        return builder.with_state(count=0).build().run(halt_after=[names[-1]])

    return run


if __name__ == "__main__":
    tell(chain, None)
