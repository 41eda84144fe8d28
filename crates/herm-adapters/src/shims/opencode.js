// Written by `herm init`, which also takes it away: `herm uninit opencode`.
// herm-command: @line@
//
// Asks herm before each tool of OpenCode, and hands it each result afterwards. It belongs into ~/.config/opencode/plugin/.
// Nothing runs unless herm says so.
import { spawn } from "node:child_process";

const HERM = @words@;
// Longer than herm itself takes to refuse.
const PATIENCE = 3_600_000;

function ask(event) {
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
      let said;
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

export const Herm = async ({ directory }) => ({
  // A person has spoken: what went before no longer counts against the model.
  "chat.message": async (input) => {
    await ask({ event: "chat.message", session: input?.sessionID, cwd: directory }).catch(() => {});
  },
  "tool.execute.before": async (input, output) => {
    const said = await ask({
      event: "tool.execute.before",
      session: input.sessionID,
      id: input.callID,
      cwd: directory,
      tool: input.tool,
      args: output.args ?? {},
    });
    // What herm runs itself takes the place of what the model wrote.
    if (said.args) Object.assign(output.args, said.args);
  },
  "tool.execute.after": async (input, output) => {
    const said = await ask({
      event: "tool.execute.after",
      session: input.sessionID,
      id: input.callID,
      cwd: directory,
      tool: input.tool,
      args: input.args ?? {},
      result: output.output,
      // Of commands; other tools say nothing.
      failed: (output.metadata?.exit ?? 0) !== 0,
    });
    if (typeof said.result === "string") output.output = said.result;
    if (said.warning) output.output = `${output.output}\n${said.warning}`;
  },
});
