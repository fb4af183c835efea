"""The two things that this workflow does in Python: tell what kind of change a commit is, and write the report."""

from pathlib import Path
from typing import Any

import wfc

TEXT = {"type": "string"}
KINDS = {"Added": ("add", "introduce", "support"), "Fixed": ("fix", "mend", "repair", "correct")}


@wfc.node(
    name="classify",
    outcomes=["ok"],
    input_schema={"type": "object", "properties": {"commit": {"type": "object"}}, "required": ["commit"]},
    output_schema={
        "type": "object",
        "properties": {
            "entry": {"type": "object", "properties": {"kind": TEXT, "line": TEXT}, "required": ["kind", "line"]}
        },
        "required": ["entry"],
    },
    effects="pure",
)
def classify(payload: dict[str, Any]) -> dict[str, Any]:
    """Group a commit by the verb that its subject begins with."""
    commit = payload["commit"]
    verb = commit["subject"].partition(" ")[0].lower().rstrip(":")
    kind = next((kind for kind, verbs in KINDS.items() if verb in verbs), "Changed")
    return {"entry": {"kind": kind, "line": f"- {commit['subject'].strip()} ({commit['sha']})"}}


@wfc.node(
    name="write",
    outcomes=["ok"],
    input_schema={"type": "object", "properties": {"path": TEXT, "text": TEXT}, "required": ["path", "text"]},
    output_schema={"type": "object", "properties": {"bytes": {"type": "integer"}}, "required": ["bytes"]},
    effects="idempotent",
)
def write(payload: dict[str, Any]) -> dict[str, Any]:
    """Write the report; writing it again changes nothing."""
    data = payload["text"].encode()
    Path(payload["path"]).write_bytes(data)
    return {"bytes": len(data)}
