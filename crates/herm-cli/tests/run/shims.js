// Stands in for an agent that loads a shim: calls it as the agent would, and says what came of it.
import { pathToFileURL } from "node:url";

const [kind, file, cwd, command] = process.argv.slice(2);
const shim = await import(pathToFileURL(file).href);
const secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const long = "ä€".repeat(200_000);
const said = {};
if (kind === "opencode") {
  const hooks = await shim.Herm({ directory: cwd });
  const input = { tool: "bash", sessionID: "s", callID: "c", args: { command } };
  said.before = await hooks["tool.execute.before"](input, { args: { command } }).then(
    () => "ran",
    (error) => error.message,
  );
  const output = { title: "", output: `x ${secret}`, metadata: {} };
  await hooks["tool.execute.after"](input, output);
  said.after = output.output;
  const large = { title: "", output: `${long} ${secret}`, metadata: { exit: 1 } };
  await hooks["tool.execute.after"](input, large);
  said.whole = large.output.startsWith(`${long} [REDACTED]`);
  const failed = { title: "", output: "", metadata: { exit: 1 } };
  await hooks["tool.execute.after"](input, failed);
  said.told = failed.output;
} else {
  const on = {};
  shim.default({ on: (name, handler) => (on[name] = handler) });
  const context = { cwd, sessionManager: { getSessionId: () => "s" } };
  const event = { toolName: "bash", toolCallId: "c", input: { command } };
  const blocked = await on.tool_call(event, context);
  said.before = blocked?.block ? blocked.reason : "ran";
  const content = [{ type: "text", text: `x ${secret}` }];
  const result = await on.tool_result({ ...event, content, isError: false }, context);
  said.after = result.content[0].text;
  const large = [{ type: "text", text: `${long} ${secret}` }];
  const read = await on.tool_result({ ...event, content: large, isError: true }, context);
  said.whole = read.content[0].text === `${long} [REDACTED]`;
  const failed = await on.tool_result({ ...event, content: [], isError: true }, context);
  said.told = JSON.stringify(failed);
}
console.log(JSON.stringify(said));
