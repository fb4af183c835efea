"""Where a checked program meets the world: a room each for what is emitted, called, stored and driven."""
