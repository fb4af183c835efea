"""Python functions as capabilities: the source of one module, whose functions are marked with `@wfc.node`.

Reference 4.2, 4.8. A module is imported when a program that uses it is about to run, never by a check; what goes wrong
in it is a sentence.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from wfc.backends.sources import handlers
from wfc.backends.sources.handlers import Handler, handler_of
from wfc.backends.sources.source import Circumstances
from wfc.diagnostics import close_match
from wfc.ir import Answer, Invoke, Listing, difference, effects_by_pattern, is_allowed
from wfc.nodes import NodeContract, contract_of
from wfc.records import replace


class PythonSource:
    """The marked functions of one module. `folder` is where the module may stand besides what Python finds itself.

    `effects` wins over what the functions claim; `allow` and `deny` are patterns over their names; `timeout_seconds`
    holds for calls that have no timeout of their own. `locked` is what the lock pins of them.
    """

    def __init__(
        self,
        name: str,
        module: str,
        *,
        folder: Path | None = None,
        effects: Mapping[str, str] | None = None,
        allow: Sequence[str] = ("*",),
        deny: Sequence[str] = (),
        timeout_seconds: float | None = None,
        max_concurrency: int | None = None,
        locked: Mapping[str, Listing] | None = None,
    ) -> None:
        self.max_concurrency = max_concurrency
        self.name = name
        self.module = module
        self.folder = folder
        self._effects = dict(effects or {})
        self._allow, self._deny = allow, deny
        self._timeout_seconds = timeout_seconds
        self._locked = dict(locked or {})
        self._handlers: dict[str, Handler] | None = None
        self._fault: str | None = None

    @property
    def fault(self) -> str | None:
        """Why the module cannot be used, once it was imported."""
        return self._fault

    def contracts(self) -> dict[str, NodeContract]:
        """The contracts of all functions, by name; empty when the module cannot be imported."""
        found = {key: contract_of(handler.function) for key, handler in self._loaded().items()}
        return {key: contract for key, contract in found.items() if contract is not None}

    def needs_loop(self, key: str) -> bool:
        handler = self._loaded().get(key)
        return handler is not None and handler.is_async

    async def open(self) -> None:
        self._loaded()

    async def close(self) -> None:
        """A module stays imported."""

    def missing(self, key: str) -> str | None:
        found = self._loaded()
        if self._fault is not None:
            return self._fault
        if key in found and not is_allowed(key, self._allow, self._deny):
            return f"the configuration of source `{self.name}` does not allow `{key}`"
        if key in found:
            return None
        near = close_match(key, list(found))
        hint = f"nearest: `{near}`" if near else "expected a function marked with `@wfc.node`"
        return f"source `{self.name}` has no `{key}`; {hint}"

    def listing(self, key: str) -> Listing | None:
        contract = self.contracts().get(key)
        return None if contract is None else _listing(contract, self._loaded()[key].function)

    def drifted(self, key: str) -> str | None:
        locked, now = self._locked.get(key), self.listing(key)
        if locked is None or now is None or locked.hash == now.hash:
            return None
        return difference(locked, now, old_name=f"{self.name}.{key} (locked)", new_name="now") or None

    def effects(self, key: str) -> str | None:
        contract = self.contracts().get(key)
        return effects_by_pattern(key, self._effects) or (contract.effects if contract else None)

    async def perform(self, key: str, invoke: Invoke, circumstances: Circumstances) -> Answer:
        if invoke.timeout_seconds is None and self._timeout_seconds is not None:
            invoke = replace(invoke, timeout_seconds=self._timeout_seconds)
        return await handlers.perform(self._loaded()[key], invoke, circumstances)

    def _loaded(self) -> dict[str, Handler]:
        if self._handlers is None:
            self._handlers = {}
            try:
                self._handlers = _marked(_imported(self.module, self.folder))
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the door to foreign code
                told = f"{type(error).__name__}: {error}"
                self._fault = f"source `{self.name}`: the module `{self.module}` cannot be used: {told}"
        return self._handlers


def _listing(contract: NodeContract, function: Callable[..., Any]) -> Listing:
    return Listing(
        input_schema=contract.input_schema,
        output_schema=contract.output_schema,
        outcomes=contract.outcomes,
        outcome_schemas=contract.outcome_schemas,
        effects=contract.effects,
        description=inspect.getdoc(function),
    )


def _imported(module: str, folder: Path | None) -> ModuleType:
    # Behind everything else, so that a file of the project never takes the place of a module of Python's own.
    if folder is not None and str(folder) not in sys.path:
        sys.path.append(str(folder))
    return importlib.import_module(module)


def _marked(module: ModuleType) -> dict[str, Handler]:
    found: dict[str, Callable[..., Any]] = {}
    for value in vars(module).values():
        contract = contract_of(value) if callable(value) else None
        if contract is None:
            continue
        if found.setdefault(contract.name, value) is not value:
            raise ValueError(f"two functions are marked with the name `{contract.name}`")
    return {name: handler_of(function) for name, function in found.items()}
