"""How well workflows come of requests: without a model, from scripts and rules; with one, from its real answers."""
