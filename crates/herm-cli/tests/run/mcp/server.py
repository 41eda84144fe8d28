"""A server that speaks MCP as a script says: `server.py SCRIPT LOG`.

SCRIPT is JSON, read again before each answer: `tools` is what it lists, a page each where it is a list of lists; `results` and
`errors` say what its tools come to; `lines` what it says instead, as it stands; `before` what it says first. LOG gets every line that
it hears.
"""

import json
import os
import socket
import subprocess
import sys

script, log = sys.argv[1:3]


def say(message):
    sys.stdout.write(message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message}))
    sys.stdout.write("\n")
    sys.stdout.flush()


def call(wanted, params):
    name = params["name"]
    if name == "environ":
        return json.dumps(dict(os.environ))
    if name == "spawn":
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        return json.dumps([os.getpid(), child.pid])
    if name == "reach":
        return json.dumps(reach(params["arguments"]))
    if name == "grumble":
        sys.stderr.write(params["arguments"]["text"] + "\n")
        sys.stderr.flush()
    return wanted.get("results", {}).get(name, "done")


def reach(wanted):
    """What it can do of: read a file of the home directory, write there, write here, connect."""
    home = os.environ["HOME"]
    attempts = {
        "read": lambda: open(os.path.join(home, wanted["file"])).close(),
        "write": lambda: open(os.path.join(home, "made"), "w").close(),
        "here": lambda: open("made", "w").close(),
        "connect": lambda: socket.create_connection(("127.0.0.1", wanted["port"]), 5).close(),
    }
    done = []
    for name, attempt in attempts.items():
        try:
            attempt()
            done.append(name)
        except OSError:
            pass
    return done


def answer(message):
    with open(script) as file:
        wanted = json.load(file)
    method, params = message["method"], message.get("params") or {}
    name = params.get("name", method)
    for line in wanted.get("before", {}).get(name, []):
        say(line)
    if name in wanted.get("lines", {}):
        for line in wanted["lines"][name]:
            # So that no file has to hold what is huge.
            say(line if isinstance(line, str) else "x" * line)
        return
    if name in wanted.get("errors", {}):
        say({"id": message["id"], "error": wanted["errors"][name]})
        return
    result = {}
    if method in wanted.get("results", {}):
        result = wanted["results"][method]
    elif method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {"listChanged": True}},
                  "serverInfo": {"name": "scripted", "version": "1"}}
    elif method == "tools/list":
        pages = wanted.get("tools", [])
        pages = pages if pages and isinstance(pages[0], list) else [pages]
        at = int(params.get("cursor", "0"))
        result = {"tools": pages[at]}
        if at + 1 < len(pages):
            result["nextCursor"] = str(at + 1)
    elif method == "tools/call":
        said = call(wanted, params)
        result = said if isinstance(said, dict) else {"content": [{"type": "text", "text": said}]}
    if "_meta" in params and "io.modelcontextprotocol/protocolVersion" in params["_meta"]:
        result.setdefault("resultType", "complete")
    say({"id": message["id"], "result": result})


for heard in sys.stdin:
    with open(log, "a") as file:
        file.write(heard)
    message = json.loads(heard)
    if "method" in message and "id" in message:
        answer(message)
