"""The reference client: `reference.py MODE CALLS URL [TOKEN]` or `reference.py MODE CALLS -- COMMAND…`.

Lists the tools, makes the calls, a list of names and arguments in JSON, and prints what came of it as one line of JSON. Whatever it is
asked in a form, it answers with `once`; whatever its model is asked, with `sampled`.
"""

import asyncio
import json
import sys

import mcp.types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

mode, calls, *where = sys.argv[1:]


def transport():
    if where[0] == "--":
        return stdio_client(StdioServerParameters(command=where[1], args=where[2:]))
    import httpx2

    headers = {"authorization": f"Bearer {where[1]}"} if len(where) > 1 else {}
    return streamable_http_client(where[0], http_client=httpx2.AsyncClient(headers=headers, timeout=60))


async def elicit(_context, params):
    asked.append(params.message)
    return types.ElicitResult(action="accept", content={"answer": "once"})


async def sample(_context, _params):
    content = types.TextContent(type="text", text="sampled")
    return types.CreateMessageResult(role="assistant", content=content, model="none")


async def main():
    async with Client(transport(), mode=mode, elicitation_callback=elicit, sampling_callback=sample) as client:
        listed = await client.list_tools()
        results = []
        for name, arguments in json.loads(calls):
            result = await client.call_tool(name, arguments)
            texts = [part.text for part in result.content if part.type == "text"]
            results.append({"failed": bool(result.is_error), "text": "\n".join(texts)})
        told = {"version": client.protocol_version, "tools": [tool.name for tool in listed.tools], "results": results}
        print(json.dumps({**told, "asked": asked}))


asked = []
asyncio.run(asyncio.wait_for(main(), 60))
