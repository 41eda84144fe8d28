"""Calls what Hermes itself calls, and prints what came of it: a line of JSON for each line of standard input."""

import json
import sys

import yaml

from hermes_cli.config import DEFAULT_CONFIG, load_config
from tools import approval, tirith_security

for line in sys.stdin:
    asked = json.loads(line)
    if asked["what"] == "config":
        config = load_config()
        print(json.dumps({key: config.get(key) for key in ("approvals", "command_allowlist")}))
    elif asked["what"] == "guard":
        # Everything that Hermes does before it runs a command, up to its question. Nothing is run.
        shown = []

        def person(command, description, *rest, **more):
            shown.append(description)
            return asked["answer"]

        judged = approval.check_all_command_guards(asked["command"], "local", approval_callback=person)
        print(json.dumps({"approved": judged["approved"], "shown": shown}))
    elif asked["what"] == "make":
        with open(asked["file"], "w", encoding="utf-8") as file:
            yaml.safe_dump(DEFAULT_CONFIG, file, sort_keys=False, allow_unicode=True)
        print(json.dumps({"sections": len(DEFAULT_CONFIG)}))
    elif asked["what"] == "scan":
        scanned = tirith_security.check_command_security(asked["command"])
        findings = scanned["findings"]
        key = "tirith:" + (findings[0].get("rule_id", "unknown") if findings else "unknown")
        scanned["key"] = key
        scanned["shown"] = approval._format_tirith_description(scanned)
        scanned["breaker"] = tirith_security._circuit_open or tirith_security._crash_count
        scanned["approved"] = approval.is_approved("s", key)
        if asked.get("approve"):
            approval.approve_session("s", key)
        print(json.dumps(scanned))
