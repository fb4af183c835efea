"""Passes over what runs side by side, branches of forks and items of loops: the codes WF5xx.

Guarantees to a workflow without these findings, the strict ones included: no barrier refuses what its lineages bring.
"""
