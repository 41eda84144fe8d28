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

export default function (pi: any) {
  pi.on("tool_call", async (event: any, context: any) => {
    const told = {
      event: "tool_call",
      toolName: event.toolName,
      toolCallId: event.toolCallId,
      input: event.input,
      cwd: context?.cwd ?? process.cwd(),
      sessionId: context?.sessionManager?.getSessionId?.(),
    };
    const { code, stdout, stderr } = await ask(told);
    if (code !== 0) {
      return { block: true, reason: stderr.trim() || `refused by herm (${code})` };
    }
    const answer = JSON.parse(stdout);
    if (answer?.decision !== "allow") {
      return { block: true, reason: answer?.reason || "refused by herm" };
    }
    return undefined;
  });
}
