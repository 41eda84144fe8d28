// Plays a scenario as a client of MCP: the second generation of the reference implementation for Node.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [scenarioFile, packages] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${packages}/node_modules/@modelcontextprotocol/client/dist/${name}.mjs`));
const { Client } = await load("index");
const { StdioClientTransport } = await load("stdio");

const scenario = JSON.parse(readFileSync(scenarioFile, "utf8"));
const [command, ...args] = scenario.command;
let asked = [];
let answers = [];
const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: scenario.mode } };
const client = new Client({ name: "test", version: "1" }, options);
client.setRequestHandler("elicitation/create", (request) => {
  asked.push(request.params.message);
  return answers.shift();
});
await client.connect(new StdioClientTransport({ command, args, cwd: scenario.cwd, env: scenario.env, stderr: "ignore" }));
const told = { version: client.getNegotiatedProtocolVersion?.() ?? null, steps: [] };
told.tools = (await client.listTools()).tools.map((tool) => tool.name);
for (const step of scenario.steps) {
  answers = step.answers ?? [];
  asked = [];
  const result = await client.callTool({ name: step.tool, arguments: step.arguments });
  told.steps.push({ text: result.content[0].text, isError: result.isError === true, asked, data: result.structuredContent });
}
await client.close();
console.log(JSON.stringify(told));
