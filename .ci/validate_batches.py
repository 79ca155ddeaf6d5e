"""Validates recorded batches against the JSON Schemas of the SDK, from outside.

Runs seeds, reads the bodies of the requests to the collector out of the histories, and checks each
body, and each message in it, with Python's own validator.

Usage: validate_batches.py BINARY SCHEMA_FOLDER COUNT
"""

import json
import os
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

PROFILES = ["default", "calm", "server", "offline", "disk"]


def batches(binary, folder):
    """Distinct batch bodies of one seed after another."""
    seen = set()
    seed = 0
    while True:
        profile = PROFILES[seed % len(PROFILES)]
        path = os.path.join(folder, "history")
        subprocess.run(
            [binary, "run", "--seed", str(seed), "--profile", profile, "--history", path],
            stdout=subprocess.DEVNULL, check=False, timeout=300)
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if record.get("fact") != "requestStarted" or record["host"] != "collector":
                    continue
                body = record["body"]
                if body not in seen:
                    seen.add(body)
                    yield seed, profile, body
        seed += 1


def main(binary, schema_folder, count):
    with open(os.path.join(schema_folder, "batch.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    # A schema that accepts everything proves nothing.
    for broken in ({}, {"batch": []}, {"batch": [{}], "sentAt": "2026-01-01T00:00:00.000Z"}):
        if validator.is_valid(broken):
            sys.exit(f"the schema accepts {broken}")
    checked = messages = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed, profile, body in batches(binary, folder):
            value = json.loads(body)
            for error in validator.iter_errors(value):
                sys.exit(f"seed {seed}, profile {profile}: {error.json_path}: {error.message}")
            checked += 1
            messages += len(value["batch"])
            if checked == int(count):
                break
    print(f"{checked} batches with {messages} messages validate")


if __name__ == "__main__":
    main(*sys.argv[1:])
