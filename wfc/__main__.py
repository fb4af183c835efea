"""`python -m wfc` is the program `wfc`."""

from wfc.cli import main

main()
