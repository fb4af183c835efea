"""The typed program: per workflow a routine of blocks, per step a block of instructions with one terminator.

Reference 5, 4.1.1. A program is self-contained: children are routines of it, schemas stand once in `schemas` and are
named by index, every path is structural, and `__end__` is the only label without a block. It is stored as canonical
JSON (`wfc.ir.codec`) and reads as assembly (`wfc.ir.assembly`); both come from the annotations below, so that a
new instruction is one class here, one case in the machine and one in the lowering.

Labels are step ids. An outcome without an edge has no arm: the machine answers it with `unwired_outcome`.
"""

from collections.abc import Mapping
from typing import Any, Literal, NewType

from wfc.ir.calls import CapabilityRef, Retry
from wfc.ir.conditions import Condition, Value
from wfc.paths import GraphSourcePath, LocalPath, StatePath
from wfc.records import dataclass

VERSION = 1

Label = NewType("Label", str)
SchemaIndex = NewType("SchemaIndex", int)
RoutineIndex = NewType("RoutineIndex", int)


@dataclass(frozen=True, slots=True)
class Move:
    """target ← source      One field of a payload, from state, input, context or a literal."""

    target: LocalPath
    source: GraphSourcePath | Value


@dataclass(frozen=True, slots=True)
class Write:
    """target ← source      One incoming value for a state path; `on` none: every outcome that is not caught."""

    target: StatePath
    source: LocalPath
    on: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Arm:
    """outcome → target"""

    outcome: str
    target: Label


@dataclass(frozen=True, slots=True)
class Handler:
    """codes → outcome      One entry of a step's `catch`."""

    codes: tuple[str, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class Bind:
    """→ payload      Builds the payload of a call, a child or an interrupt from moves, in order, and validates it."""

    moves: tuple[Move, ...]
    schema: SchemaIndex | None


@dataclass(frozen=True, slots=True)
class Call:
    """payload → outcome, output      Invokes a definition; retries, timeout and effects are resolved."""

    definition: str
    retry: Retry | None
    timeout_seconds: int | float | None
    catch: tuple[Handler, ...]


@dataclass(frozen=True, slots=True)
class EnterChild:
    """payload → outcome, output      Runs a routine in a scope of its own; `routine` none: nothing prepared it."""

    routine: RoutineIndex | None
    workflow: str
    catch: tuple[Handler, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """payload → outcome, payload      Parks the frame until a person or platform answers."""

    kind: str
    outcomes: tuple[str, ...]
    resume_schema: SchemaIndex | None
    resume_schemas: Mapping[str, SchemaIndex]


@dataclass(frozen=True, slots=True)
class Commit:
    """outcome, output → state      Writes one patch as a whole or not at all."""

    writes: tuple[Write, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    """seconds → ·      Waits durably."""

    seconds: GraphSourcePath | Value


@dataclass(frozen=True, slots=True)
class EnterForeach:
    """over → items      Reads the array once and opens the region; `limit` items at most have entered and not ended."""

    over: GraphSourcePath | Value
    alias: str
    mode: Literal["serial", "parallel"]
    on_item_error: Literal["fail", "collect", "skip"]
    limit: int
    locals: tuple[StatePath, ...]


@dataclass(frozen=True, slots=True)
class NextItem:
    """item → body      Every item enters here in a frame of its own. None: the outcome is not wired."""

    target: Label | None


Instruction = Bind | Call | EnterChild | Ask | Commit | Pause | EnterForeach | NextItem


@dataclass(frozen=True, slots=True)
class Switch:
    """outcome → ·      Goes to the block wired to the outcome just returned. Terminator."""

    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class Decide:
    """check → true | false      Goes to the block wired to the answer of a condition. Terminator."""

    check: Condition
    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class Activation:
    """name, when → target      One branch of a fork."""

    outcome: str
    when: Condition | None
    target: Label | None


@dataclass(frozen=True, slots=True)
class Fork:
    """→ branches      Every activated branch runs in a frame of its own up to `join`. Terminator.

    Only a fork that no run comes to may have no join.
    """

    branches: tuple[Activation, ...]
    locals: tuple[StatePath, ...]
    join: Label | None


@dataclass(frozen=True, slots=True)
class Finish:
    """→ outcome      Projects the output and ends the routine. Terminator."""

    outcome: str


Terminator = Switch | Decide | Fork | Finish


@dataclass(frozen=True, slots=True)
class Block:
    """One step. `kind` is the step's type; `edges` its outcomes wired to labels, for those that leave it."""

    id: Label
    kind: str
    body: tuple[Instruction, ...]
    end: Terminator
    desc: str | None = None
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A node's contract as the machine enforces it. `outcomes`: the first one, then the others sorted."""

    name: str
    input_schema: SchemaIndex
    output_schema: SchemaIndex
    outcomes: tuple[str, ...]
    outcome_schemas: Mapping[str, SchemaIndex]
    uses: CapabilityRef
    effects: Literal["pure", "read", "idempotent", "write"] | None
    retry: Retry | None
    timeout_seconds: int | float | None
    desc: str | None = None
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Routine:
    """One workflow; of several with one name the second is called `NAME:2`. Definitions stand in the order of their
    names, blocks in the order in which they are reached."""

    name: str
    input_schema: SchemaIndex
    state_schema: SchemaIndex
    output_schema: SchemaIndex
    outcomes: tuple[str, ...]
    definitions: tuple[Definition, ...]
    start: Label
    blocks: tuple[Block, ...]
    desc: str | None = None
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """A linked workflow: `routines[0]` is what a run starts, the others are its children. `schemas` are JSON."""

    name: str
    routines: tuple[Routine, ...]
    schemas: tuple[Any, ...]
    extra: Mapping[str, Any] | None = None
