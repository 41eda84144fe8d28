"""Plays a scenario as a client of MCP: the first generation of the reference implementation in Python."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client


async def play(scenario):
    asked, answers = [], []

    async def elicit(_, params):
        asked.append(params.message)
        return types.ElicitResult(**answers.pop(0))

    program, *arguments = scenario["command"]
    server = StdioServerParameters(command=program, args=arguments, cwd=scenario["cwd"], env=scenario["env"])
    told = {"steps": []}
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, elicitation_callback=elicit) as client:
            told["version"] = (await client.initialize()).protocolVersion
            told["tools"] = [tool.name for tool in (await client.list_tools()).tools]
            for step in scenario["steps"]:
                answers[:] = step.get("answers", [])
                asked.clear()
                result = await client.call_tool(step["tool"], step["arguments"])
                told["steps"].append({
                    "text": result.content[0].text, "isError": bool(result.isError), "asked": list(asked),
                    "data": result.structuredContent,
                })
    return told


print(json.dumps(asyncio.run(play(json.load(open(sys.argv[1]))))))
