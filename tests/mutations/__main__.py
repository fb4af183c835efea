"""`python -m tests.mutations` prints what the table `LACKING` of the test should be now."""

import sys

from tests.mutations.test_mutations import lacking, measured_sample

sys.stdout.write("LACKING: dict[str, str] = {\n")
for kind, told in lacking(measured_sample()).items():
    sys.stdout.write(f'    "{kind}": "{told}",\n')
sys.stdout.write("}\n")
