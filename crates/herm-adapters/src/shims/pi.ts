// Asks herm before each tool of Pi, and hands it each result afterwards.
// To be put into ~/.pi/agent/extensions/. Nothing runs unless herm says so.
import { spawn } from "node:child_process";

const HERM: string = @herm@;
// Longer than herm itself takes to refuse.
const PATIENCE = 310_000;

function ask(event: unknown): Promise<any> {
  return new Promise((resolve, reject) => {
    const child = spawn(HERM, ["hook", "pi"], { stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    let out = "";
    let err = "";
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
    const said = await ask(told);
    const content = said.result ?? event.content;
    if (said.warning) return { content: [...content, { type: "text", text: said.warning }] };
    return said.result ? { content } : undefined;
  });
}
