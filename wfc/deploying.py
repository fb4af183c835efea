"""Deployments: the capabilities of one graph tree bound to sources (reference 4.4).

Guarantees: every binding says something about the tree, the longest `at` wins, and what comes of it was checked like
any other workflow, by what the configuration and the lock know, before anything runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from wfc import driver
from wfc.backends.stores import Library, StoredDeployment, StoreFault, open_store
from wfc.ir import (
    CapabilityRef,
    Linked,
    Module,
    NodeDef,
    NodeStep,
    Program,
    Step,
    SubgraphStep,
    Workflow,
    canonical,
)
from wfc.loading import ARTIFACT
from wfc.project import Project
from wfc.publishing import found_artifact, loaded_artifact
from wfc.records import dataclass, field, replace

DEPLOYMENT = "deployment:"
# The last two are in what is told of a deployment, which can be applied again.
_KEYS = ("name", "artifact", "bindings", "schema", "applied")
_BINDING_KEYS = ("node", "source", "capability_key", "at")


class DeploymentFault(StoreFault):
    """A deployment that cannot be used: one sentence with what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What a node calls, below a place in the tree: `at` are step ids from the root."""

    node: str
    uses: CapabilityRef
    at: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"`{self.node}`" + (f" at `{'/'.join(self.at)}`" if self.at else "")


@dataclass(frozen=True, slots=True)
class Deployment:
    """One environment for a whole graph tree. `artifact` is its reference, `artifact:ID@N`."""

    name: str
    artifact: str
    bindings: tuple[Binding, ...]


def deployment_of(value: Any, where: str) -> Deployment:
    """Read a deployment from JSON. Raises `DeploymentFault`."""
    table = _object(value, _KEYS, where)
    name = _text(table, "name", where)
    artifact = _object(table.get("artifact"), ("artifact_id", "version"), f"{where}: `artifact`")
    identity, version = _text(artifact, "artifact_id", f"{where}: `artifact`"), artifact.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DeploymentFault(f"{where}: `version` of `artifact` is {json.dumps(version)}; expected 1 or more")
    listed = table.get("bindings", [])
    if not isinstance(listed, list):
        raise DeploymentFault(f"{where}: `bindings` is no list")
    bindings = tuple(_binding(one, f"{where}: binding {number}") for number, one in enumerate(listed, 1))
    places = [(one.node, one.at) for one in bindings]
    twice = next((one for one in bindings if places.count((one.node, one.at)) > 1), None)
    if twice is not None:
        raise DeploymentFault(f"{where}: {twice} is bound twice; expected one binding for a place")
    return Deployment(name, f"{ARTIFACT}{identity}@{version}", bindings)


def found_deployment(name: str, library: Library) -> tuple[Deployment, str]:
    """A deployment that was applied, and its text. Raises `UnknownDeployment`."""
    stored = library.deployment(name)
    return stored_deployment(stored), stored.text


def stored_deployment(stored: StoredDeployment) -> Deployment:
    """What a store keeps as a deployment. Raises `DeploymentFault` when it is damaged."""
    try:
        value = json.loads(stored.text)
    except (ValueError, RecursionError) as wrong:
        what = f"the deployment `{stored.name}` in the store is damaged"
        raise DeploymentFault(f"{what}: {wrong}; apply it again") from None
    return deployment_of(value, f"the deployment `{stored.name}`")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A deployment made ready to run; `hash` is that of the artifact."""

    deployment: Deployment
    program: Program
    hash: str


def prepare(deployment: Deployment, project: Project, store: str) -> Prepared:
    """Find, bind, check and compile a whole tree. Raises `DeploymentFault`, `UnknownArtifact`, `CompileError`."""
    artifact = found_artifact(deployment.artifact, open_store(store).library)
    catalogue = project.catalogue
    given = loaded_artifact(artifact, store, catalogue)
    if given.module is None or given.module.main is None:
        raise driver.CompileError(driver.check(given))
    module = replace(bound(given.module, deployment), catalogue=catalogue)
    elaborated = replace(given.elaborated, module=module)
    program = driver.compile(replace(given, elaborated=elaborated, catalogue=catalogue, tried={}))
    return Prepared(deployment, program, artifact.summary.hash)


def apply(deployment: Deployment, project: Project, store: str) -> None:
    """Keep a deployment under its name once the whole tree was found, bound and checked. Raises as `prepare` does."""
    prepared = prepare(deployment, project, store)
    missing = list(unbound(prepared.program, project))
    if missing:
        raise DeploymentFault(f"the deployment `{deployment.name}` cannot run: {'; '.join(missing)}")
    open_store(store).library.apply(deployment.name, deployment_json(deployment))


def unbound(program: Program, project: Project) -> Iterator[str]:
    """The definitions of a program that nothing configured answers, a sentence each."""
    known = project.settings.sources
    for routine in program.routines:
        for definition in routine.definitions:
            source = definition.uses.source
            if source is None:
                yield f"`{definition.name}` of `{routine.name}` is bound to no source"
            elif source != "wf.std" and source not in known:
                bound_to = f"`{definition.name}` of `{routine.name}` is bound to `{definition.uses}`"
                yield f"{bound_to}, and no source has that name"


# -- reading ----------------------------------------------------------------------------------------------------------


def _object(value: Any, keys: tuple[str, ...], where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DeploymentFault(f"{where} is no object; expected one with {', '.join(f'`{key}`' for key in keys)}")
    unknown = next((key for key in value if key not in keys and not key.startswith("x-")), None)
    if unknown is not None:
        expected = ", ".join(f"`{key}`" for key in keys)
        raise DeploymentFault(f"{where} has a key `{unknown}`; expected {expected}")
    return value


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        found = "is missing" if value is None else f"is {json.dumps(value)}"
        raise DeploymentFault(f"{where}: `{key}` {found}; expected a name")
    return value


def _binding(value: Any, where: str) -> Binding:
    table = _object(value, _BINDING_KEYS, where)
    at = table.get("at", [])
    if not isinstance(at, list) or not all(isinstance(one, str) for one in at):
        raise DeploymentFault(f"{where}: `at` is {json.dumps(at)}; expected a list of step ids from the root")
    uses = CapabilityRef(_text(table, "source", where), _text(table, "capability_key", where))
    return Binding(_text(table, "node", where), uses, tuple(at))


# -- binding ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Site:
    """A workflow as one or several steps run it: what holds in all of it, and bindings for places further below."""

    index: int
    settled: tuple[tuple[str, int], ...]
    below: tuple[tuple[tuple[str, ...], int], ...]


@dataclass
class _Binder:
    """The bound workflows by their sites, in the order in which they are met; owned by `bound`."""

    module: Module
    bindings: tuple[Binding, ...]
    sites: dict[_Site, int] = field(default_factory=dict)
    order: list[_Site] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    def site(self, index: int, settled: Mapping[str, int], below: list[tuple[tuple[str, ...], int]]) -> int:
        here = {self.bindings[number].node: number for rest, number in below if not rest}
        # A binding that a longer one replaces here is about something all the same.
        replaced = {settled[one.name] for one in self.module.workflows[index].defs if one.name in settled}
        self.used |= replaced
        further = tuple((rest, number) for rest, number in below if rest)
        made = _Site(index, tuple(sorted({**settled, **here}.items())), further)
        if made not in self.sites:
            self.sites[made] = len(self.order)
            self.order.append(made)
        return self.sites[made]

    def workflow(self, site: _Site) -> Workflow:
        """The workflow of a site, every definition with what it calls there."""
        workflow, settled = self.module.workflows[site.index], dict(site.settled)
        definitions = [self._bound(one, settled.get(one.name)) for one in workflow.defs]
        steps: list[Step] = []
        for step in workflow.steps:
            if isinstance(step, SubgraphStep) and isinstance(step.link, Linked):
                below = [(rest[1:], number) for rest, number in site.below if rest[0] == step.id]
                step = replace(step, link=Linked(self.site(step.link.index, settled, below)))
            elif isinstance(step, NodeStep):
                step = self._own(step, workflow, site, definitions)
            steps.append(step)
        # One whose every use is bound by itself answers nothing any more.
        was = {step.definition for step in workflow.steps if isinstance(step, NodeStep)}
        now = {step.definition for step in steps if isinstance(step, NodeStep)}
        kept = tuple(one for one in definitions if one.name in now or one.name not in was)
        return replace(workflow, defs=kept, steps=tuple(steps))

    def _own(self, step: NodeStep, workflow: Workflow, site: _Site, definitions: list[NodeDef]) -> NodeStep:
        """A step that one binding is about; it gets a definition of its own."""
        wanted = ((step.id,), step.definition)
        number = next((n for rest, n in site.below if (rest, self.bindings[n].node) == wanted), None)
        original = next((one for one in workflow.defs if one.name == step.definition), None)
        if number is None or original is None:
            return step
        name = f"{original.name}_at_{step.id}"
        while any(one.name == name for one in definitions):
            name += "_"
        named = replace(original, name=name)
        definitions.append(self._bound(named, number))
        return replace(step, definition=named.name)

    def _bound(self, definition: NodeDef, number: int | None) -> NodeDef:
        if number is None:
            return definition
        self.used.add(number)
        return replace(definition, uses=self.bindings[number].uses)


def bound(module: Module, deployment: Deployment) -> Module:
    """The module with every definition bound; a child that is bound in two ways is there twice.

    Raises `DeploymentFault` for a binding that is about nothing.
    """
    assert module.main is not None
    bindings = tuple(sorted(deployment.bindings, key=lambda one: len(one.at)))
    binder = _Binder(module, bindings)
    binder.site(module.main, {}, [(one.at, number) for number, one in enumerate(bindings)])
    made: list[Workflow] = []
    while len(made) < len(binder.order):
        made.append(binder.workflow(binder.order[len(made)]))
    for number, binding in enumerate(bindings):
        if number not in binder.used:
            raise DeploymentFault(
                f"the deployment `{deployment.name}` binds {binding}, and `{deployment.artifact}` has no such node"
                " there; expected a definition's name, and step ids from the root"
            )
    return replace(module, workflows=tuple(made), main=0)


def deployment_json(deployment: Deployment) -> str:
    """A deployment as it is kept: canonical, whatever its layout was."""
    identity, _, version = deployment.artifact.removeprefix(ARTIFACT).rpartition("@")
    listed = [
        {
            "node": one.node,
            "source": one.uses.source,
            "capability_key": one.uses.capability_key,
            **({"at": list(one.at)} if one.at else {}),
        }
        for one in deployment.bindings
    ]
    value = {
        "name": deployment.name,
        "artifact": {"artifact_id": identity, "version": int(version)},
        "bindings": listed,
    }
    return canonical(value)
