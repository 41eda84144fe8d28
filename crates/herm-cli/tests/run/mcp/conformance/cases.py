"""What the conformance cases of MCP expect of a server, made with the reference implementation.

The names and what they do are fixed by the cases; each of them describes what it needs.
"""

import base64
import io
import struct
import wave
import zlib

import anyio
import mcp.types as types
from mcp.server.caching import CACHEABLE_METHODS, CacheHint
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp.types import INVALID_PARAMS

MISSING_CAPABILITY = -32021

bus = InMemorySubscriptionBus()


def pixel():
    """A picture of one grey point."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


def silence():
    """A sound that is none."""
    kept = io.BytesIO()
    with wave.open(kept, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(2))
    return base64.b64encode(kept.getvalue()).decode()


PIXEL, SILENCE = pixel(), silence()


def text(said):
    return {"type": "text", "text": said}


def image():
    return {"type": "image", "data": PIXEL, "mimeType": "image/png"}


def embedded(uri, kind, said):
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": said}}


def form(message, properties, required=()):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"mode": "form", "message": message, "requestedSchema": schema}


def one_field(message, name, kind="string"):
    return form(message, {name: {"type": kind}}, [name])


def prompted(said, most=100):
    return {"messages": [{"role": "user", "content": text(said)}], "maxTokens": most}


ELICIT, SAMPLE, ROOTS = "elicitation/create", "sampling/createMessage", "roots/list"
DEFAULTS = form(
    "Look through the fields",
    {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
)
TITLED = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
PLAIN = ["option1", "option2", "option3"]
CHOICES = form(
    "Choose",
    {
        "untitledSingle": {"type": "string", "enum": PLAIN},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": PLAIN}},
        "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
    },
)
SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

TOOLS = {}


def tool(name, schema=None):
    def take(work):
        TOOLS[name] = (work, schema or {"type": "object", "properties": {}})
        return work

    return take


def says(name, *content):
    @tool(name)
    async def _(_ctx, _params):
        return {"content": list(content)}


says("test_simple_text", text("This is a simple text response for testing."))
says("test_image_content", image())
says("test_audio_content", {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"})
says("test_embedded_resource", embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."))
says(
    "test_multiple_content_types",
    text("Multiple content types test:"),
    image(),
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
)
tool("json_schema_2020_12_tool", SCHEMA_2020_12)(TOOLS["test_simple_text"][0])
FIELD = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}, "required": ["region"]}
tool("test_custom_headers", FIELD)(TOOLS["test_simple_text"][0])


@tool("test_tool_with_logging")
async def logs(ctx, _params):
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message("info", said, related_request_id=ctx.request_id)
        await anyio.sleep(0.05)
    return {"content": [text("logged")]}


tool("test_logging_tool")(logs)


@tool("test_tool_with_progress")
async def progresses(ctx, _params):
    token = (ctx.meta or {}).get("progress_token", (ctx.meta or {}).get("progressToken"))
    for done in (0, 50, 100):
        await ctx.session.send_progress_notification(token, done, 100, related_request_id=ctx.request_id)
        await anyio.sleep(0.05)
    return {"content": [text(str(token))]}


@tool("test_error_handling")
async def fails(_ctx, _params):
    return {"content": [text("This tool intentionally returns an error for testing")], "isError": True}


async def ask(ctx, method, params):
    request = types.ElicitRequest if method == ELICIT else types.CreateMessageRequest
    result = types.ElicitResult if method == ELICIT else types.CreateMessageResult
    related = ServerMessageMetadata(related_request_id=ctx.request_id)
    return await ctx.session.send_request(request.model_validate({"method": method, "params": params}), result, metadata=related)


@tool("test_sampling", {"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]})
async def samples(ctx, params):
    said = await ask(ctx, SAMPLE, prompted(params.arguments["prompt"]))
    return {"content": [text(f"LLM response: {said.content.text}")]}


@tool("test_elicitation", {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]})
async def elicits(ctx, params):
    said = await ask(ctx, ELICIT, one_field(params.arguments["message"], "response"))
    return {"content": [text(f"User response: action={said.action}, content={said.content}")]}


def fills_in(name, shown):
    @tool(name)
    async def _(ctx, _params):
        said = await ask(ctx, ELICIT, shown)
        return {"content": [text(f"Elicitation completed: action={said.action}, content={said.content}")]}


fills_in("test_elicitation_sep1034_defaults", DEFAULTS)
fills_in("test_elicitation_sep1330_enums", CHOICES)


def required(state=None, **inputs):
    requests = {key: {"method": method, "params": params} for key, (method, params) in inputs.items()}
    result = {"resultType": "input_required", "inputRequests": requests}
    return {**result, "requestState": state} if state else result


def answers(params):
    given = params.input_responses or {}
    return {key: value if isinstance(value, dict) else value.model_dump(by_alias=True) for key, value in given.items()}


def done(said):
    return {"content": [text(said)]}


def asks_first(name, state=None, **inputs):
    """A tool that is done once it has everything that it asks for."""

    @tool(name)
    async def _(_ctx, params):
        given = answers(params)
        if not inputs.keys() <= given.keys() or (state and params.request_state != state):
            return required(state, **inputs)
        return done(f"state-ok {sorted(given)}")


NAME = (ELICIT, one_field("What is your name?", "name"))
CONFIRM = (ELICIT, one_field("Please confirm", "ok", "boolean"))
asks_first("test_input_required_result_elicitation", user_name=NAME)
asks_first("test_input_required_result_sampling", capital_question=(SAMPLE, prompted("What is the capital of France?")))
asks_first("test_input_required_result_list_roots", client_roots=(ROOTS, {}))
asks_first("test_input_required_result_request_state", "asked", confirm=CONFIRM)
asks_first("test_input_required_result_tampered_state", "asked", confirm=CONFIRM)
asks_first(
    "test_input_required_result_multiple_inputs",
    "asked",
    user_name=NAME,
    greeting=(SAMPLE, prompted("Generate a greeting", 50)),
    client_roots=(ROOTS, {}),
)


@tool("test_input_required_result_multi_round")
async def in_rounds(_ctx, params):
    given = answers(params)
    if params.request_state == "second" and "step2" in given:
        return done("all of it was said")
    if params.request_state == "first" and "step1" in given:
        return required("second", step2=(ELICIT, one_field("Step 2: What is your favorite color?", "color")))
    return required("first", step1=(ELICIT, one_field("Step 1: What is your name?", "name")))


def can(ctx, what):
    return getattr(ctx.session.client_capabilities, what, None) is not None


@tool("test_input_required_result_capabilities")
async def within_reach(ctx, _params):
    wanted = {"elicitation": NAME, "sampling": (SAMPLE, prompted("Say something"))}
    return required(**{name: asked for name, asked in wanted.items() if can(ctx, name)})


@tool("test_missing_capability")
async def needs_sampling(ctx, _params):
    if not can(ctx, "sampling"):
        raise MCPError(MISSING_CAPABILITY, "a model is needed", {"requiredCapabilities": {"sampling": {}}})
    return done("it is there")


@tool("test_streaming_elicitation")
async def streams(ctx, _params):
    await ctx.session.send_progress_notification("stream", 1, 2, related_request_id=ctx.request_id)
    return required(user_name=NAME)


def changes(name, event):
    @tool(name)
    async def _(_ctx, _params):
        await bus.publish(event())
        return done("changed")


changes("test_trigger_tool_change", ToolsListChanged)
changes("test_trigger_prompt_change", PromptsListChanged)


@tool("test_reconnection")
async def drops(ctx, _params):
    if ctx.close_sse_stream:
        await ctx.close_sse_stream()
    await anyio.sleep(0.1)
    return done("reconnected")


async def list_tools(_ctx, _params):
    tools = [{"name": name, "description": f"For the case {name}", "inputSchema": made[1]} for name, made in TOOLS.items()]
    return types.ListToolsResult.model_validate({"tools": tools})


async def call_tool(ctx, params):
    if params.name not in TOOLS:
        raise MCPError(INVALID_PARAMS, "there is no such tool")
    result = await TOOLS[params.name][0](ctx, params)
    return result if "resultType" in result else types.CallToolResult.model_validate(result)


RESOURCES = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched resource content"},
}
BEFORE, AFTER = "test://template/", "/data"


async def list_resources(_ctx, _params):
    listed = [{"uri": uri, "name": uri.removeprefix("test://"), "mimeType": kept["mimeType"]} for uri, kept in RESOURCES.items()]
    return types.ListResourcesResult.model_validate({"resources": listed})


async def list_templates(_ctx, _params):
    template = {"uriTemplate": BEFORE + "{id}" + AFTER, "name": "template", "mimeType": "application/json"}
    return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": [template]})


async def read_resource(_ctx, params):
    uri = str(params.uri)
    kept = RESOURCES.get(uri)
    if uri.startswith(BEFORE) and uri.endswith(AFTER):
        which = uri.removeprefix(BEFORE).removesuffix(AFTER)
        kept = {"mimeType": "application/json", "text": f'{{"id":"{which}","data":"Data for ID: {which}"}}'}
    if kept is None:
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    return types.ReadResourceResult.model_validate({"contents": [{"uri": uri, **kept}]})


PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


async def list_prompts(_ctx, _params):
    listed = [
        {"name": name, "description": f"For the case {name}", "arguments": [{"name": key, "required": True} for key in keys]}
        for name, keys in PROMPTS.items()
    ]
    return types.ListPromptsResult.model_validate({"prompts": listed})


async def get_prompt(_ctx, params):
    given = params.arguments or {}
    missing = [key for key in PROMPTS.get(params.name, ["?"]) if key not in given]
    if missing:
        raise MCPError(INVALID_PARAMS, f"there is no such prompt, or it needs {missing}")
    if params.name == "test_input_required_result_prompt" and "user_context" not in answers(params):
        return required(user_context=(ELICIT, one_field("What context should the prompt use?", "context")))
    said = {
        "test_simple_prompt": [text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")],
        "test_prompt_with_embedded_resource": [
            embedded(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [image(), text("Please analyze the image above.")],
        "test_input_required_result_prompt": [text("with that context")],
    }
    messages = [{"role": "user", "content": content} for content in said[params.name]]
    return types.GetPromptResult.model_validate({"messages": messages})


async def complete(_ctx, _params):
    return types.CompleteResult.model_validate({"completion": {"values": ["paris"], "total": 1, "hasMore": False}})


async def nothing(_ctx, _params):
    return types.EmptyResult()


server = Server(
    "conformance",
    version="1",
    cache_hints={method: CacheHint(ttl_ms=1000, scope="public") for method in CACHEABLE_METHODS},
    get_tool_input_schema=lambda name: TOOLS[name][1] if name in TOOLS else None,
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_list_resource_templates=list_templates,
    on_read_resource=read_resource,
    on_subscribe_resource=nothing,
    on_unsubscribe_resource=nothing,
    on_subscriptions_listen=ListenHandler(bus),
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
    on_completion=complete,
    on_set_logging_level=nothing,
)
server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="conformance"))
