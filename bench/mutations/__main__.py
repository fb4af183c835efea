"""`python -m bench.mutations`: a table of kinds of faults, how they are found and healed, beside the goals."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from bench.mutations.doubles import Double
from bench.mutations.measure import Measured
from bench.mutations.survey import Part, Sample, survey
from bench.mutations.table import SHARES, as_json, lines, markdown


def main() -> None:
    asked = _arguments()
    sample = Sample(asked.of_kind, asked.all, tuple(asked.kinds), tuple(asked.originals), not asked.no_doubles)
    parts = []
    for part in survey(sample, asked.jobs):
        parts.append(part)
        sys.stderr.write(f"\r{len(parts)} workflows")
    sys.stderr.write("\n")
    singles = [one for part in parts for one in part.singles]
    pairs = [one for part in parts for one in part.doubles]
    if asked.json:
        sys.stdout.write(json.dumps(_all(parts, singles, pairs), indent=1) + "\n")
        return
    sys.stdout.write(markdown([line for line in lines(singles) if not asked.kinds or line.kind in asked.kinds]))
    sys.stdout.write(_valid(parts) + _double(pairs))
    for one in singles if asked.show else ():
        if asked.show in _lacks(one):
            sys.stdout.write(f"{one.kind} {one.original} {' '.join(one.at)}: {one.found} {one.worse}\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutations", description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--of-kind", type=int, default=20, help="mutants of a kind, at most")
    parser.add_argument("--all", action="store_true", help="every mutant of every kind")
    parser.add_argument("--kinds", nargs="*", default=[])
    parser.add_argument("--originals", nargs="*", type=int, default=[], help="workflows by their number in the corpus")
    parser.add_argument("--no-doubles", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", choices=(*SHARES, "worse"))
    return parser.parse_args()


def _lacks(one: Measured) -> set[str]:
    """What a mutant that counts falls short of."""
    if one.same:
        return set()
    lacking = {share for share in SHARES if not getattr(one, share)}
    return lacking | ({"worse"} if one.worse else set())


def _all(parts: Sequence[Part], singles: Sequence[Measured], pairs: Sequence[Double]) -> dict[str, object]:
    told = {"valid": {part.original: part.findings for part in parts if part.findings}}
    return {
        **as_json(lines(singles)),
        **told,
        "singles": [asdict(o) for o in singles],
        "doubles": [asdict(o) for o in pairs],
    }


def _valid(parts: Sequence[Part]) -> str:
    faulty = [f"  - {part.original}: {', '.join(part.findings)}" for part in parts if part.findings]
    return "\n".join([f"\n{len(parts)} valid workflows, {len(faulty)} with errors or warnings", *faulty]) + "\n"


def _double(pairs: Sequence[Double]) -> str:
    both = sum(one.reported == 2 for one in pairs)
    short = sum(not one.beside for one in pairs)
    return f"\n{len(pairs)} double faults: both reported {both}, nothing beside them {short}\n"


if __name__ == "__main__":
    main()
