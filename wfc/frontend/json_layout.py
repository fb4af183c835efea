"""JSON documents in canonical layout: keys in the order of the language, today's spelling, one form of paths.

Guarantees: no `x-` key, no order of a list and nothing inside of schemas and literals is changed; what is already laid
out so stays as it is; a part that is not what the language has there stays as it was written.
"""

from __future__ import annotations

from typing import Any, Literal

from wfc.frontend.json_style import Style, value_text
from wfc.frontend.legacy import renewed_state, renewed_step
from wfc.frontend.model import AGAIN, DOCUMENT
from wfc.frontend.reader import fitting
from wfc.frontend.shapes import Again, Either, ListOf, MapOf, Object, PathText, Shape, Tagged
from wfc.frontend.unrolled import Walk, unrolled
from wfc.paths import PathError

PathForm = Literal["dotted", "structural"]
PATH_FORMS: tuple[PathForm, ...] = ("dotted", "structural")
_STYLE = Style(step="  ", newline="\n", comma=", ", colon=": ", pad="", short=True, ascii=False)


def json_text(value: Any, paths: PathForm = "dotted") -> str:
    """The text of a document in canonical layout."""
    arranged = unrolled(_arranged(DOCUMENT, renewed(value), paths))
    text = value_text(_STYLE, arranged, "", False if isinstance(arranged, (dict, list)) and arranged else None)
    return text + "\n"


def renewed(value: Any) -> Any:
    """A document in today's spelling, as far as its older spellings can be read."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("workflows"), list):
        return {**value, "workflows": [_workflow(one) for one in value["workflows"]]}
    return _workflow(value)


def _workflow(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    made = dict(value)
    if isinstance(made.get("state_schema"), dict):
        made["state_schema"] = renewed_state(made["state_schema"])
    if isinstance(made.get("nodes"), list):
        made["nodes"] = [_step(step) for step in made["nodes"]]
    return made


def _step(step: Any) -> Any:
    if not isinstance(step, dict):
        return step
    made = renewed_step(step)
    if made.get("type") == "subgraph" and isinstance(made.get("workflow"), str):
        made = {**made, "workflow": {"name": made["workflow"]}}
    return made


def _arranged(shape: Shape, value: Any, paths: PathForm) -> Walk:
    match shape:
        case Object() if isinstance(value, dict):
            return (yield from _object(shape, value, paths))
        case Tagged() if isinstance(value, dict) and isinstance(value.get(shape.tag), str):
            case = shape.cases.get(value[shape.tag])
            return value if case is None else (yield from _object(case, value, paths))
        case ListOf() if isinstance(value, list):
            made = []
            for item in value:
                made.append((yield _arranged(shape.item, item, paths)))
            return made
        case MapOf() if isinstance(value, dict):
            return value
        case Either():
            case_ = fitting(shape, value)
            return value if case_ is None else (yield _arranged(case_.shape, value, paths))
        case Again():
            return (yield _arranged(AGAIN[shape.title], value, paths))
        case PathText():
            return _path(shape, value, paths)
    return value


def _object(shape: Object, value: dict[str, Any], paths: PathForm) -> Walk:
    made = {}
    known = [field for field in shape.fields if field.name in value]
    for field in known:
        made[field.name] = yield _arranged(field.shape, value[field.name], paths)
    return {**made, **{key: inner for key, inner in value.items() if key not in made}}


def _path(shape: PathText, value: Any, paths: PathForm) -> Any:
    try:
        path = shape.kind.parse(value)
    except PathError:
        return value
    return str(path) if paths == "dotted" else path.to_json()
