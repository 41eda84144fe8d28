// Written by `herm init`, which also takes it away: `herm uninit opencode`.
// herm-command: @LINE@
//
// Asks herm before each tool. Whatever goes wrong on the way throws, and what throws here is not run.

import { spawn } from "node:child_process";

const words = "@WORDS@";
const seconds = 3600;

function ask(event) {
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
    for (const stream of ["stdout", "stderr"]) {
      child[stream].setEncoding("utf8");
      child[stream].on("data", (text) => (heard[stream] += text));
    }
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ...heard });
    });
    child.stdin.end(JSON.stringify(event));
  });
}

function allowed({ code, stdout, stderr }) {
  if (code !== 0) {
    throw new Error(stderr.trim() || `refused by herm (${code})`);
  }
  const answer = JSON.parse(stdout);
  if (answer?.decision !== "allow") {
    throw new Error(answer?.reason || "refused by herm");
  }
  return answer;
}

export const Herm = async ({ directory }) => {
  const told = (event, input, args) => ({
    event,
    tool: input.tool,
    args: args ?? {},
    session: input.sessionID,
    id: input.callID,
    cwd: directory,
  });
  return {
    "tool.execute.before": async (input, output) => {
      allowed(await ask(told("tool.execute.before", input, output.args)));
    },
    "tool.execute.after": async (input, output) => {
      const event = told("tool.execute.after", input, input.args);
      const answer = allowed(await ask({ ...event, result: output.output ?? null }));
      if (answer.result !== undefined) {
        output.output = answer.result;
      }
      if (answer.warning !== undefined) {
        output.output = `${output.output}\n${answer.warning}`;
      }
    },
  };
};
