"""What things cost: `python -m bench`."""
