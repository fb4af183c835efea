"""The front door of marked functions: what `@wfc.node` makes of a function, and the schemas that type hints mean."""

from typing import TYPE_CHECKING

from wfc.doors import lazily

if TYPE_CHECKING:
    from wfc.nodes.contract import NodeContract, contract_of, node
    from wfc.nodes.fields import StateField, schema_from
    from wfc.nodes.hints import HintFault, schema_of

__all__ = ["HintFault", "NodeContract", "StateField", "contract_of", "node", "schema_from", "schema_of"]

__getattr__ = lazily(
    "wfc.nodes",
    {
        "contract": (
            "NodeContract",
            "contract_of",
            "node",
        ),
        "fields": (
            "StateField",
            "schema_from",
        ),
        "hints": (
            "HintFault",
            "schema_of",
        ),
    },
)
