"""Passes over what steps write, what state begins with and what becomes of it: writes, seeds, reducers, WF4xx.

Guarantees to a workflow without these findings, the strict ones included: every write is accepted where it goes.
"""
