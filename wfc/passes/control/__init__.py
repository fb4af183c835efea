"""Passes over names, edges, ends, loops and regions: the codes WF1xx and WF2xx.

Guarantees to a workflow without these errors: every step leads somewhere, every region is entered and left as it may
be, and every fork has its one join.
"""
