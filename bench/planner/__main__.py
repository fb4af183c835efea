"""`python -m bench.planner --planner openai --model NAME`: all requests to a real planner, with a report.

Keys are read from OPENAI_API_KEY and ANTHROPIC_API_KEY. Without a key: `--planner reference` answers with the reference
workflows, to see that the evaluation works; any command line is a planner, too.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bench.planner.evaluation import Outcome, as_json, evaluated, reference_of, report
from bench.planner.requests import Request, requests
from wfc.planner import Options, Plan, Planner, Reply, Scripted, Sessions, chosen_planner
from wfc.project import Project


def main() -> None:
    asked = _arguments()
    wanted = [one for one in requests() if not asked.only or one.id in asked.only]
    sessions = Sessions(Path(asked.sessions)) if asked.sessions else None

    def planner(request: Request) -> Planner:
        if asked.planner == "reference":
            return Scripted([Reply(json.dumps(reference_of(request)))])
        return chosen_planner(Project(Path(".")), asked.planner, asked.model, asked.base_url)

    def keep(request: Request, so_far: Plan) -> None:
        if sessions is not None:
            sessions.keep(so_far)

    options = Options(max_rounds=asked.max_rounds, auto_fix=not asked.no_auto_fix)
    outcomes: list[Outcome] = []
    for one in evaluated(wanted, planner, options, keep):
        outcomes.append(one)
        sys.stderr.write(f"{len(outcomes)} of {len(wanted)}: {one.id} {one.status} {one.reason}\n")
    sys.stdout.write(json.dumps(as_json(outcomes), indent=1) + "\n" if asked.json else report(outcomes))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.planner", description=__doc__)
    parser.add_argument("--planner", required=True, help="openai, anthropic, reference, or a command line")
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--max-rounds", type=int, default=3)
    parser.add_argument("--no-auto-fix", action="store_true")
    parser.add_argument("--only", nargs="*", default=[], help="ids of requests")
    parser.add_argument("--sessions", help="a folder in which every session is kept")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
