"""A client for the conformance cases of MCP, which speaks to their server through herm: `client.py HERM HOME URL`.

The case and the revision stand in the environment. It does what the case wants to see done, with the reference client.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

import mcp.types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

herm, home, url = sys.argv[1:]
case = os.environ["MCP_CONFORMANCE_SCENARIO"]
version = os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"]
context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))

# Links that some cases name. Nothing but this machine is spoken to, wherever this runs.
BLOCKED = "\nsecurity: {website_blocklist: {enabled: true, domains: [example.com, json-schema.org]}}\n"


def configure():
    """The server of the case listens on another port each time."""
    port = url.split("/")[2].rpartition(":")[2]
    endpoints = json.dumps([f"localhost:{port}", f"127.0.0.1:{port}"])
    text = "mcp: {servers: {case: {allow: ['*']}}}\negress:\n  endpoints: " + endpoints + BLOCKED
    Path(home, ".herm").mkdir(exist_ok=True)
    Path(home, ".herm", "config.yaml").write_text(text)


async def elicit(_context, params):
    fields = getattr(params, "requested_schema", {}).get("properties", {})
    content = {name: field["default"] for name, field in fields.items() if "default" in field}
    answers = {"string": "yes", "boolean": True, "integer": 1, "number": 1}
    asked = {name: answers[field["type"]] for name, field in fields.items() if field.get("type") in answers}
    return types.ElicitResult(action="accept", content={**asked, **content})


async def play(client):
    listed = (await client.list_tools()).tools
    calls = {
        "tools_call": [("add_numbers", {"a": 5, "b": 3})],
        "json-schema-2020-12-preservation": [(tool.name, {"schema": listed[0].input_schema}) for tool in listed[1:]],
        "http-custom-headers": [(call["name"], call["arguments"]) for call in context.get("toolCalls", [])],
        "json-schema-ref-no-deref": [],
        "request-metadata": [],
    }
    calls = calls.get(case, [(tool.name, {}) for tool in listed])
    steps = [client.call_tool(name, given) for name, given in calls]
    if case == "http-standard-headers":
        steps += [client.read_resource(resource.uri) for resource in (await client.list_resources()).resources]
        steps += [client.get_prompt(prompt.name) for prompt in (await client.list_prompts()).prompts]
    # All of them at once: what belongs to one must not be taken for what belongs to another. What comes of a step the case does not ask.
    for came in await asyncio.gather(*steps, return_exceptions=True):
        print(came, file=sys.stderr)


async def main():
    configure()
    words = ["mcp", "wrap", "--name", "case", "--home", home, "--url", url]
    server = StdioServerParameters(command=herm, args=words, env={"HOME": home, "PATH": os.environ["PATH"]}, cwd=home)
    mode = "legacy" if version < "2026" else "auto"
    async with Client(stdio_client(server), mode=mode, elicitation_callback=elicit) as client:
        await play(client)


asyncio.run(asyncio.wait_for(main(), 25))
