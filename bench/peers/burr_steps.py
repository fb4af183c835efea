"""Burr: a chain of actions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from burr.core import ApplicationBuilder, State, action, default, expr
from burr.core.persistence import SQLitePersister

from bench.by_hand import Work
from bench.measure import inc
from bench.peers.telling import Run, tell


@action(reads=["count"], writes=["count"])
def step(state: State) -> State:
    return state.update(**inc({"count": state["count"]}))


@action(reads=[], writes=[])
def done(state: State) -> State:
    return state


def chain(steps: int) -> Run:
    names = [f"s{number}" for number in range(steps)]
    builder = ApplicationBuilder().with_actions(**dict.fromkeys(names, step))
    builder = builder.with_transitions(*pairwise(names)).with_entrypoint(names[0])

    def run() -> object:
        return builder.with_state(count=0).build().run(halt_after=[names[-1]])

    return run


def kept(steps: int) -> Work:
    """A counter that goes up, its state kept after every step."""
    more = [("step", "step", expr(f"count < {steps}"))]

    def work(path: Path) -> None:
        persister = SQLitePersister.from_values(str(path))
        persister.initialize()
        builder = ApplicationBuilder().with_actions(step=step, done=done).with_state(count=0).with_entrypoint("step")
        builder = builder.with_transitions(*more, ("step", "done", default)).with_state_persister(persister)
        builder.build().run(halt_after=["done"])
        persister.connection.close()

    return work


if __name__ == "__main__":
    tell(chain, None, kept)
