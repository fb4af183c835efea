"""The tests, a folder a room."""
