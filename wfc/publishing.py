"""Workflows published as artifacts, and read back (reference 4.4).

Guarantees: what is published checks clean and stands for itself: children by name are in its document, children by
version in the same store, and what a lock knew of a capability stands on the definition. Compiled again, it is the
program whose hash its version has, or a sentence says that it is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wfc import driver
from wfc.backends.stores import Artifact, ArtifactSummary, Library, StoreFault, open_store
from wfc.ir import Catalogue, EnterChild, Linked, Module, NodeDef, Program, Refused, SubgraphStep, content_hash
from wfc.loading import ARTIFACT
from wfc.records import dataclass
from wfc.source import lookup, pointer_parts

_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_REFERENCE = re.compile(rf"{ARTIFACT}([^@]*)@([1-9][0-9]{{0,9}})")
_FILLED = ("input_schema", "output_schema", "outcomes", "outcome_schemas", "effects")


class PublishFault(StoreFault):
    """A workflow that cannot be published, or a reference that names no artifact: one sentence."""


@dataclass(frozen=True, slots=True)
class Published:
    """A version, and whether it was made just now."""

    artifact: ArtifactSummary
    is_new: bool


def publish(given: driver.Loaded, store: str, artifact_id: str | None = None) -> Published:
    """Keep a workflow as a version. Raises `CompileError`, `PublishFault`, `StoreFault`.

    `given` was read with the same store. The id is the name of the workflow unless another is given.
    """
    program, _ = driver.compile_checked(given)
    missing = list(_unprepared(program))
    if missing:
        raise PublishFault(f"{given.root.name} cannot be published: {missing[0]}; publish the child first")
    wanted = program.name if artifact_id is None else artifact_id
    if not _ID.fullmatch(wanted):
        raise PublishFault(f"`{wanted}` is no id of an artifact; expected letters, digits, `_`, `-` and `.`")
    document = _document(given)
    again = driver.compile(_read(f"{ARTIFACT}{wanted}", document, store, given.catalogue))
    if content_hash(again) != content_hash(program):
        raise PublishFault(f"{given.root.name} does not mean the same when it stands for itself; report this workflow")
    return Published(*open_store(store).library.publish(wanted, program.name, content_hash(program), document))


def is_artifact(reference: str) -> bool:
    """Whether a text is meant as a reference to an artifact, whole or not."""
    return reference.startswith(ARTIFACT)


def found_artifact(reference: str, library: Library) -> Artifact:
    """The version that `artifact:ID@N` names. Raises `PublishFault`, `UnknownArtifact`."""
    read = _REFERENCE.fullmatch(reference)
    if read is None:
        raise PublishFault(f"`{reference}` names no version of an artifact; expected `artifact:ID@N`")
    return library.artifact(read[1], int(read[2]))


def loaded_artifact(artifact: Artifact, store: str, catalogue: Catalogue) -> driver.Loaded:
    """The document of a version, read with its children; `catalogue` is what is known of capabilities."""
    return _read(str(artifact.summary), artifact.document, store, catalogue)


def artifact_program(artifact: Artifact, store: str, catalogue: Catalogue) -> Program:
    """The program of a version. Raises `CompileError`; `Refused` when it is not what was published."""
    program = driver.compile(loaded_artifact(artifact, store, catalogue))
    if content_hash(program) != artifact.summary.hash:
        raise Refused(
            "drift",
            f"`{artifact.summary}` was published as {artifact.summary.hash} and compiles to {content_hash(program)}"
            " here: a child is another one, or this is another version of wfc; publish it again",
        )
    return program


def _read(name: str, document: str, store: str, catalogue: Catalogue) -> driver.Loaded:
    return driver.loads(document, form="json", name=name, libraries=(), store=store, catalogue=catalogue)


def _unprepared(program: Program) -> Iterator[str]:
    for routine in program.routines:
        for block in routine.blocks:
            for instruction in block.body:
                if isinstance(instruction, EnterChild) and instruction.routine is None:
                    where = f"`{block.id}` of `{routine.name}`"
                    yield f"{where} runs `{instruction.workflow}`, which the store does not hold"


# -- the document -----------------------------------------------------------------------------------------------------


def _document(given: driver.Loaded) -> str:
    """The main workflow and its children by name as one document, the main one first."""
    from wfc.frontend import canonical_text, document_of

    module = given.module
    assert module is not None and module.main is not None
    inside = [index for index in _contained(module) if not is_artifact(module.workflows[index].at.file)]
    written = [_written(given, module, index) for index in inside]
    names = [module.workflows[index].name for index in inside]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise PublishFault(f"two workflows that {names[0]} contains have the name `{twice}`; give one of them another")
    whole: dict[str, Any] = written[0]
    if len(written) > 1 or module.extra:
        whole = {**module.extra, "main": names[0], "workflows": written}
    return canonical_text(document_of(whole, given.root.name), "json", "structural")


def _contained(module: Module) -> list[int]:
    """The main workflow and what it contains, in the order in which it is met."""
    assert module.main is not None
    found = {module.main: None}
    waiting = [module.main]
    while waiting:
        for step in module.workflows[waiting.pop(0)].steps:
            if isinstance(step, SubgraphStep) and isinstance(step.link, Linked) and step.link.index not in found:
                found[step.link.index] = None
                waiting.append(step.link.index)
    return list(found)


def _written(given: driver.Loaded, module: Module, index: int) -> dict[str, Any]:
    """A workflow as it was written, with what the lock knew of its capabilities."""
    workflow = module.workflows[index]
    raw, _ = lookup(given.documents[workflow.at.file].value, pointer_parts(workflow.at.pointer))
    made = dict(raw)
    known = {one.name: one for one in workflow.defs if one.uses.source in module.catalogue.sources}
    if known and isinstance(made.get("node_defs"), list):
        made["node_defs"] = [_filled(one, known) for one in made["node_defs"]]
    return made


def _filled(raw: Any, known: dict[str, NodeDef]) -> Any:
    if not isinstance(raw, dict) or raw.get("name") not in known:
        return raw
    definition = known[raw["name"]]
    filled: dict[str, Any] = {
        "input_schema": definition.input_schema.value,
        "output_schema": definition.output_schema.value,
        "outcomes": list(definition.outcomes),
        "outcome_schemas": {name: one.value for name, one in definition.outcome_schemas.items()} or None,
        "effects": definition.effects,
    }
    return {**raw, **{key: filled[key] for key in _FILLED if key not in raw and filled[key] is not None}}
