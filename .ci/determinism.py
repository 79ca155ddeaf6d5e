"""One seed gives one run: in two fresh processes, in a debug and a release build, with one worker and
with several.

Usage: determinism.py RELEASE_BINARY DEBUG_BINARY
"""

import json
import os
import subprocess
import sys
import tempfile

# What may differ between equal runs: how long they took.
TIMES = {"cpu_milliseconds", "cpu_seconds", "seconds", "seeds_per_second"}
SEEDS_PER_PROFILE = 12


def environment():
    """The environment without the switch that would make hash tables deterministic."""
    return {k: v for k, v in os.environ.items() if k != "SWIFT_DETERMINISTIC_HASHING"}


def command(*arguments):
    done = subprocess.run(
        arguments, capture_output=True, env=environment(), check=False, timeout=300)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


def run(binary, seed, profile):
    output = command(binary, "run", "--seed", str(seed), "--profile", profile, "--json")
    return without_times(json.loads(output))


def campaign(binary, jobs):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        command(binary, "fuzz", "--seeds", "0..200", "--jobs", str(jobs), "--no-shrink", "--out", out)
        with open(os.path.join(out, "results.jsonl"), encoding="utf-8") as lines:
            rows = [without_times(json.loads(line)) for line in lines]
    return sorted((json.dumps(row, sort_keys=True) for row in rows if not row.get("summary")))


def main(release, debug):
    profiles = [entry["id"] for entry in json.loads(command(release, "list", "profiles", "--json"))]
    compared = 0
    for profile in profiles:
        for seed in range(1, SEEDS_PER_PROFILE + 1):
            first = run(release, seed, profile)
            for name, other in (
                ("a second process", run(release, seed, profile)),
                ("a debug build", run(debug, seed, profile)),
            ):
                if first != other:
                    keys = [k for k in first if first[k] != other.get(k)]
                    sys.exit(f"seed {seed}, profile {profile}: {name} differs in {keys}")
            compared += 1
    one, two = campaign(release, 1), campaign(release, 2)
    if one != two:
        different = [pair for pair in zip(one, two) if pair[0] != pair[1]][:1]
        sys.exit(f"one worker and two differ: {len(one)} and {len(two)} lines, first {different}")
    print(f"{compared} seeds in {len(profiles)} profiles equal three times, "
          f"{len(one)} seeds equal with one worker and two")


if __name__ == "__main__":
    main(*sys.argv[1:])
