"""Control flow: the graph of the steps of each workflow, its regions and loops, and what explains their faults.

Guarantees: everything here is known from steps, edges and outcomes alone, before any value is looked at. A step is a
name, every question is iterative, and nothing but this room knows networkx.
"""
