"""`python -m tests.mutations` prints what the tables `LACKING` and `ENTANGLED` of the test should be now."""

import sys

from tests.mutations.test_mutations import entangled, lacking, pairs, singles

sys.stdout.write("LACKING: dict[str, str] = {\n")
for kind, told in lacking(singles()).items():
    sys.stdout.write(f'    "{kind}": "{told}",\n')
sys.stdout.write("}\nENTANGLED = (\n")
for entry in entangled(pairs()):
    sys.stdout.write("    (" + ", ".join(f'"{word}"' for word in entry) + "),\n")
sys.stdout.write(")\n")
