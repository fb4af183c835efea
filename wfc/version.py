"""Which version of `wfc` this is."""

VERSION = "0.1.0"
