"""Passes over what a workflow asks of others: capabilities, child workflows, people, secrets; WF6xx to WF8xx.

Guarantees to a workflow without these findings: whom it asks is there, and agrees with it on what is handed over.
"""
