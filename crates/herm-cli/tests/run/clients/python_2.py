"""Plays a scenario as a client of MCP: the second generation of the reference implementation in Python."""

import asyncio
import json
import sys

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def play(scenario):
    asked, answers = [], []

    async def elicit(_, params):
        asked.append(params.message)
        return types.ElicitResult(**answers.pop(0))

    program, *arguments = scenario["command"]
    server = StdioServerParameters(command=program, args=arguments, cwd=scenario["cwd"], env=scenario["env"])
    told = {"steps": []}
    async with Client(stdio_client(server), elicitation_callback=elicit, mode=scenario["mode"]) as client:
        told["version"] = client.session.protocol_version
        told["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        for step in scenario["steps"]:
            answers[:] = step.get("answers", [])
            asked.clear()
            result = await client.call_tool(step["tool"], step["arguments"])
            told["steps"].append({
                "text": result.content[0].text, "isError": bool(result.is_error), "asked": list(asked),
                "data": result.structured_content,
            })
    return told


print(json.dumps(asyncio.run(play(json.load(open(sys.argv[1]))))))
