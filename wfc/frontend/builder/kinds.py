"""The kinds of step as methods: each appends one step and returns it (reference 1.4, 4.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from wfc.frontend.builder import steps
from wfc.frontend.builder.bindings import Inputs, Outputs, inputs, older_inputs, older_outputs, outputs
from wfc.frontend.builder.expressions import Expr, condition, is_literal, literal, read_path
from wfc.frontend.builder.steps import Step, names, step, subgraph_ref
from wfc.frontend.builder.written import Written, part, plain
from wfc.nodes import contract_of, schema_from

Extra = Mapping[str, Any] | None


class Kinds:
    """What appends steps. The text at each field is that of the language: nothing is left out of it."""

    def add(self, step: Step | Mapping[str, Any]) -> Step:
        raise NotImplementedError

    def _used(self, node: Any) -> str:
        raise NotImplementedError

    def connect(self, step: Any, outcome: str | bool, target: Any, *, extra: Extra = None) -> None:
        raise NotImplementedError

    def node(
        self,
        node: Any,
        id: str | None = None,
        *,
        input: Inputs | None = None,
        output: Outputs | None = None,
        retry: int | Mapping[str, Any] | None = None,
        timeout_seconds: int | float | None = None,
        catch: Iterable[Any] | None = None,
        desc: str | None = None,
        extra: Extra = None,
        in_map: Mapping[Any, Any] | None = None,
        input_values: Mapping[Any, Any] | None = None,
        out_map: Mapping[Any, Any] | None = None,
        **payload: Any,
    ) -> Step:
        """Use a node: a function marked with `@wfc.node`, the name of a definition, or a built-in.

        Keywords are fields of its payload: a path is read, anything else is a value. If no id is
        given, it is the node's name, of `drive.list` what stands last. `in_map`, `input_values` and `out_map` are older
        spellings.
        """
        name = self._used(node)
        usual = None if isinstance(node, str) else contract_of(node)
        given = older_inputs(input, in_map, input_values, "`in_map` or `input_values`")
        written = older_outputs(output, out_map)
        if usual is not None:
            given = usual.input if given is None and not payload else given
            written = usual.output if written is None else written
        made = step(
            name.replace("/", ".").rpartition(".")[2] if id is None else id,
            "node",
            desc,
            extra,
            ("node", plain(name)),
            ("input", inputs(given, payload)),
            ("output", outputs(written)),
            ("retry", part(retry)),
            ("timeout_seconds", plain(timeout_seconds)),
            ("catch", names(catch)),
        )
        return self.add(made)

    def condition(
        self, id: str, check: Expr | Mapping[str, Any], *, desc: str | None = None, extra: Extra = None
    ) -> Step:
        """Decide by a condition. Outcomes: `true` and `false`."""
        return self.add(step(id, "condition", desc, extra, ("check", condition(check))))

    def foreach(
        self,
        id: str,
        over: Any,
        as_: str,
        *,
        mode: Literal["serial", "parallel"] | None = None,
        on_item_error: Literal["fail", "collect", "skip"] | None = None,
        max_concurrency: int | None = None,
        locals: Iterable[Any] | None = None,
        output: Outputs | None = None,
        desc: str | None = None,
        extra: Extra = None,
    ) -> Step:
        """Enter the body once for each element. Outcomes: `item` and `done`.

        `over` is a path, a list of values, or a `literal`; `as_` names the item in the context. A body path ends by an
        edge back to this step.
        """
        array = literal(over) if isinstance(over, (list, tuple)) else over
        made = step(
            id,
            "foreach",
            desc,
            extra,
            ("over", array if is_literal(array) else read_path(array)),
            ("as", plain(as_)),
            ("mode", plain(mode)),
            ("on_item_error", plain(on_item_error)),
            ("max_concurrency", plain(max_concurrency)),
            ("locals", _places(locals)),
            ("output", outputs(output)),
        )
        return self.add(made)

    def fork(
        self,
        id: str,
        branches: Iterable[Any] | Mapping[str, Any],
        *,
        locals: Iterable[Any] | None = None,
        desc: str | None = None,
        extra: Extra = None,
    ) -> Step:
        """Run branches side by side: names, `wfc.branch`es, or a mapping of names to conditions or none."""
        if isinstance(branches, Mapping):
            branches = [name if when is None else steps.branch(name, when=when) for name, when in branches.items()]
        listed = list(branches)
        outcomes = tuple(one if isinstance(one, str) else str(_inside(one).get("outcome")) for one in listed)
        given = (("branches", names(listed)), ("locals", _places(locals)))
        return self.add(step(id, "fork", desc, extra, *given, outcomes=outcomes))

    def join(self, id: str, *, desc: str | None = None, extra: Extra = None) -> Step:
        """Wait for the activated branches of the fork that it closes. Outcome: `ok`."""
        return self.add(step(id, "join", desc, extra))

    def wait(self, id: str, seconds: Any, *, desc: str | None = None, extra: Extra = None) -> Step:
        """Wait for a number of seconds, or for what a path has. Outcome: `ok`."""
        is_path = not isinstance(seconds, (int, float, Mapping))
        how_long = {"path": read_path(seconds)} if is_path else plain(seconds)
        return self.add(step(id, "wait", desc, extra, ("seconds", how_long)))

    def interrupt(
        self,
        id: str,
        kind: str,
        outcomes: Iterable[str],
        *,
        request: Inputs | None = None,
        resume: Outputs | None = None,
        request_schema: Any = None,
        resume_schema: Any = None,
        resume_schemas: Mapping[str, Any] | None = None,
        desc: str | None = None,
        extra: Extra = None,
        request_map: Mapping[Any, Any] | None = None,
        out_map: Mapping[Any, Any] | None = None,
        **payload: Any,
    ) -> Step:
        """Ask a person or a platform. Keywords are fields of the request, as those of `node` are of a payload."""
        listed = list(outcomes)
        made = step(
            id,
            "interrupt",
            desc,
            extra,
            ("kind", plain(kind)),
            ("request", inputs(older_inputs(request, request_map, None, "`request_map`"), payload)),
            ("resume", outputs(older_outputs(resume, out_map))),
            ("outcomes", plain(listed)),
            ("request_schema", _schema(request_schema)),
            ("resume_schema", _schema(resume_schema)),
            ("resume_schemas", {name: _schema(one) for name, one in (resume_schemas or {}).items()} or None),
            outcomes=tuple(listed),
        )
        return self.add(made)

    def subgraph(
        self,
        id: str,
        workflow: Any,
        *,
        input: Inputs | None = None,
        output: Outputs | None = None,
        outcomes: Iterable[str] | None = None,
        input_schema: Any = None,
        output_schema: Any = None,
        catch: Iterable[Any] | None = None,
        desc: str | None = None,
        extra: Extra = None,
        in_map: Mapping[Any, Any] | None = None,
        input_values: Mapping[Any, Any] | None = None,
        out_map: Mapping[Any, Any] | None = None,
    ) -> Step:
        """Run a workflow as a step: a builder, a program, a document – whose contract is copied –, or a reference."""
        made = subgraph_ref(
            id,
            workflow,
            input=older_inputs(input, in_map, input_values, "`in_map` or `input_values`"),
            output=older_outputs(output, out_map),
            outcomes=outcomes,
            input_schema=_schema(input_schema),
            output_schema=_schema(output_schema),
            catch=catch,
            desc=desc,
            extra=extra,
        )
        return self.add(made)

    def end(self, id: str, outcome: str = "ok", *, desc: str | None = None, extra: Extra = None) -> Step:
        """End with an outcome of the workflow."""
        return self.add(step(id, "end", desc, extra, ("outcome", plain(outcome))))


def _places(given: Iterable[Any] | None) -> Any:
    """State paths as they stand in a document."""
    return None if given is None else [read_path(one) for one in ([given] if isinstance(given, str) else given)]


def _schema(given: Any) -> Any:
    return None if given is None else plain(schema_from(given))


def _inside(given: Any) -> Mapping[str, Any]:
    inside = given.inside if isinstance(given, Written) else given
    return inside if isinstance(inside, Mapping) else {}
