// Written by `herm init`, which also takes it away: `herm uninit pi`.
// herm-command: @line@
//
// Asks herm before each tool of Pi, and hands it each result afterwards. It belongs into ~/.pi/agent/extensions/.
// Nothing runs unless herm says so.
import { spawn } from "node:child_process";

const HERM: any = @words@;
// Longer than herm itself takes to refuse.
const PATIENCE = 3_600_000;

function ask(event: unknown): Promise<any> {
  return new Promise((resolve, reject) => {
    const child = spawn(HERM[0], HERM.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    let out = "";
    let err = "";
    // A character may come in two pieces.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8");
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    // It may have refused before it read everything.
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`herm cannot be asked, so nothing is allowed: ${error.message}`));
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      let said: any;
      try {
        said = JSON.parse(out);
      } catch {
        said = undefined;
      }
      if (code === 0 && said?.decision === "allow") resolve(said);
      else reject(new Error(said?.reason || err || "herm did not decide, so nothing is allowed"));
    });
    child.stdin.end(JSON.stringify(event));
  });
}

export default function herm(pi: any) {
  const about = (name: string, event: any, ctx: any) => ({
    event: name,
    session: ctx?.sessionManager?.getSessionId?.(),
    id: event.toolCallId,
    cwd: ctx?.cwd,
    tool: event.toolName,
    args: event.input ?? {},
  });
  // A person has spoken: what went before no longer counts against the model.
  pi.on("before_agent_start", async (_event: any, ctx: any) => {
    const session = ctx?.sessionManager?.getSessionId?.();
    await ask({ event: "before_agent_start", session, cwd: ctx?.cwd }).catch(() => {});
    return undefined;
  });
  pi.on("tool_call", async (event: any, ctx: any) => {
    try {
      await ask(about("tool_call", event, ctx));
    } catch (error: any) {
      return { block: true, reason: String(error?.message ?? error) };
    }
    return undefined;
  });
  pi.on("tool_result", async (event: any, ctx: any) => {
    const told = { ...about("tool_result", event, ctx), result: event.content, failed: event.isError === true };
    try {
      const said = await ask(told);
      const content = said.result ?? event.content;
      if (said.warning) return { content: [...content, { type: "text", text: said.warning }] };
      return said.result ? { content } : undefined;
    } catch (error: any) {
      const reason = `the result is kept back: ${error?.message ?? error}`;
      return { content: [{ type: "text", text: reason }], isError: true };
    }
  });
}
