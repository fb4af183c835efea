"""The front door of marked functions: what `@wfc.node` makes of a function, and the schemas that type hints mean."""

from wfc.nodes.contract import NodeContract, contract_of, node
from wfc.nodes.fields import StateField, schema_from
from wfc.nodes.hints import HintFault, schema_of

__all__ = ["HintFault", "NodeContract", "StateField", "contract_of", "node", "schema_from", "schema_of"]
