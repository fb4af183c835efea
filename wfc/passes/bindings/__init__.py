"""Passes over what steps read and hand on: sources, payloads, conditions, projections; most of the codes WF3xx.

Guarantees to a workflow without these findings, the strict ones included: what is read is there
and fits where it goes.
"""
