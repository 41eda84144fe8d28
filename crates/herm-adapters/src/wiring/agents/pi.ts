// Written by `herm init`, which also takes it away: `herm uninit pi`.
// herm-command: @LINE@
//
// Asks herm before each tool. Whatever goes wrong on the way throws, and what throws here is not run.

import { spawn } from "node:child_process";

const words: string[] = "@WORDS@";
const seconds = 3600;

type Heard = { code: number | null; stdout: string; stderr: string };

function ask(event: unknown): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const [program, ...rest] = words;
    const child = spawn(program, rest, { stdio: ["pipe", "pipe", "pipe"] });
    const heard = { stdout: "", stderr: "" };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error("herm did not answer in time"));
    }, seconds * 1000);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`herm cannot be started: ${error.message}`));
    });
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8");
    child.stderr.setEncoding("utf8");
    child.stdout.on("data", (text: string) => (heard.stdout += text));
    child.stderr.on("data", (text: string) => (heard.stderr += text));
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ...heard });
    });
    child.stdin.end(JSON.stringify(event));
  });
}

function told(name: string, event: any, context: any) {
  return {
    event: name,
    tool: event.toolName,
    args: event.input ?? {},
    session: context?.sessionManager?.getSessionId?.(),
    id: event.toolCallId,
    cwd: context?.cwd ?? process.cwd(),
  };
}

function allowed({ code, stdout, stderr }: Heard): any {
  if (code !== 0) {
    throw new Error(stderr.trim() || `refused by herm (${code})`);
  }
  const answer = JSON.parse(stdout);
  if (answer?.decision !== "allow") {
    throw new Error(answer?.reason || "refused by herm");
  }
  return answer;
}

export default function (pi: any) {
  pi.on("tool_call", async (event: any, context: any) => {
    try {
      allowed(await ask(told("tool_call", event, context)));
    } catch (error) {
      return { block: true, reason: error instanceof Error ? error.message : String(error) };
    }
    return undefined;
  });
  pi.on("tool_result", async (event: any, context: any) => {
    try {
      const result = event.content ?? null;
      const asked = { ...told("tool_result", event, context), result, failed: event.isError === true };
      const answer = allowed(await ask(asked));
      const content = answer.result ?? result ?? [];
      if (answer.warning !== undefined) {
        return { content: [...content, { type: "text", text: answer.warning }] };
      }
      return answer.result === undefined ? undefined : { content };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { content: [{ type: "text", text: `herm kept the result back: ${reason}` }], isError: true };
    }
  });
}
