"""A server for the conformance cases of MCP: `server.py [PORT]`, in HTTP where there is a port."""

import asyncio
import sys

import uvicorn
from cases import server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http import EventMessage, EventStore


class Kept(EventStore):
    """What was said, so that a stream that broke can be gone on with."""

    said = []

    async def store_event(self, stream_id, message):
        self.said.append((stream_id, message))
        return str(len(self.said))

    async def replay_events_after(self, last_event_id, send_callback):
        at = int(last_event_id)
        stream = self.said[at - 1][0]
        for number, (stream_id, message) in enumerate(self.said[at:], at + 1):
            if stream_id == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


async def through_pipes():
    async with stdio_server() as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())


if len(sys.argv) > 1:
    app = server.streamable_http_app(event_store=Kept(), retry_interval=200)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
else:
    asyncio.run(through_pipes())
