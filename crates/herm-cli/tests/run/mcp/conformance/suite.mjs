// Put before the conformance cases of MCP (`node --import`): what they need here besides.
//
// CONFORMANCE_TOKEN  what every request shows, since herm lets nobody in without: the cases know no servers that want a token

import http from 'node:http';
import diagnostics from 'node:diagnostics_channel';
import { register } from 'node:module';

const token = process.env.CONFORMANCE_TOKEN;
if (token) {
  const field = ['authorization', `Bearer ${token}`];
  diagnostics.subscribe('undici:request:create', ({ request }) => request.addHeader(...field));
  const plain = http.request;
  http.request = (...given) => {
    const request = plain(...given);
    request.setHeader(...field);
    return request;
  };
}

// They name a function of newer versions of Node, for another purpose than to run a case.
const module = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const files = module(`export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined;`);
register(module(`export const resolve = (name, context, next) =>
  name === 'fs' ? { url: ${JSON.stringify(files)}, shortCircuit: true } : next(name, context);`));
