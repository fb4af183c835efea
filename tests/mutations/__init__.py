"""Faults of planners put into valid workflows, the quick version."""
