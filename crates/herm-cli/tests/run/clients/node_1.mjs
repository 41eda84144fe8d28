// Plays a scenario as a client of MCP: the first generation of the reference implementation for Node.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [scenarioFile, packages] = process.argv.slice(2);
const from = createRequire(packages + "/");
const load = (name) => import(pathToFileURL(from.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { ElicitRequestSchema } = await load("types.js");

const scenario = JSON.parse(readFileSync(scenarioFile, "utf8"));
const [command, ...args] = scenario.command;
let asked = [];
let answers = [];
const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, (request) => {
  asked.push(request.params.message);
  return answers.shift();
});
await client.connect(new StdioClientTransport({ command, args, cwd: scenario.cwd, env: scenario.env, stderr: "ignore" }));
const told = { version: null, steps: [] };
told.tools = (await client.listTools()).tools.map((tool) => tool.name);
for (const step of scenario.steps) {
  answers = step.answers ?? [];
  asked = [];
  const result = await client.callTool({ name: step.tool, arguments: step.arguments });
  told.steps.push({ text: result.content[0].text, isError: result.isError === true, asked, data: result.structuredContent });
}
await client.close();
console.log(JSON.stringify(told));
