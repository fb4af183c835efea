"""Workflows written as Python calls: what is called makes a document, as a text does, and goes the same way from there.

Reference 4.8. Guarantees: a draft gives a document, never a module of its own making; every part of it has its place in
the Python file in which it was called for.
"""

from wfc.frontend.builder.bindings import input_from, input_value, output_to
from wfc.frontend.builder.draft import Defaulted, Draft
from wfc.frontend.builder.expressions import (
    Expr,
    Operand,
    PathExpr,
    all_of,
    any_of,
    context_path,
    exists,
    input_path,
    literal,
    state_path,
)
from wfc.frontend.builder.steps import Step, branch, catch, subgraph_ref

__all__ = [
    "Defaulted",
    "Draft",
    "Expr",
    "Operand",
    "PathExpr",
    "Step",
    "all_of",
    "any_of",
    "branch",
    "catch",
    "context_path",
    "exists",
    "input_from",
    "input_path",
    "input_value",
    "literal",
    "output_to",
    "state_path",
    "subgraph_ref",
]
