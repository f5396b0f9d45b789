// Drives a biomcp server with the official TypeScript client: initialize, list, call,
// read, complete, progress and cancel. Its first argument is the environment of a
// server on standard input and output, NAME=value on each line; the others are the
// server's URL, or its command. It is run in the folder that has the SDK, and ends
// with status 1 where an answer is not the right one.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const sdk = createRequire(process.cwd() + '/');
const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = sdk('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { StdioClientTransport } = sdk('@modelcontextprotocol/sdk/client/stdio.js');

const [variables, ...server] = process.argv.slice(2);
const overHTTP = server[0].startsWith('http');
const env = Object.fromEntries(variables.split('\n').map((v) => [v.slice(0, v.indexOf('=')), v.slice(v.indexOf('=') + 1)]));
const transport = overHTTP
  ? new StreamableHTTPClientTransport(new URL(server[0]))
  : new StdioClientTransport({ command: server[0], args: server.slice(1), env, stderr: 'ignore' });
const client = new Client({ name: 'test', version: '1' });
const call = (command, more = {}, options = {}) => client.callTool({ name: 'biomcp', arguments: { command, ...more } }, undefined, options);
const step = (name) => console.log(name);

step('initialize');
await client.connect(transport);
assert.equal(client.getServerVersion().name, 'biomcp');
assert.match(client.getInstructions(), /biomcp suggest/);
const { tools: ofTools, resources: ofResources, completions, prompts } = client.getServerCapabilities();
assert.ok(ofTools && ofResources && completions && prompts && !ofResources.subscribe);

step('list');
const { tools } = await client.listTools();
const { prompts: examples } = await client.listPrompts();
const follow = examples.find((p) => p.name === 'follow-citations');
assert.deepEqual(follow.arguments.map((a) => a.name), ['id']);
const { messages } = await client.getPrompt({ name: follow.name, arguments: { id: '70000001' } });
assert.match(messages[0].content.text, /- id: "70000001"/);
assert.deepEqual(tools.map((t) => t.name), ['biomcp']);
assert.equal(tools[0].annotations.readOnlyHint, true);
assert.ok(JSON.stringify(tools).length < 8000);

step('call');
const article = await call('get article 70000001');
assert.ok(!article.isError);
assert.match(article.content[0].text, /70000001/);
assert.equal(JSON.parse((await call('get article 70000001', { json: true })).content[0].text).articles[0].pmid, '70000001');
const refused = await call('cache path');
assert.ok(refused.isError);
assert.match(refused.content[0].text, /workstation-local/);
await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), { code: -32602 });

step('read');
const { resources } = await client.listResources();
assert.equal(resources[0].uri, 'biomcp://help');
const note = resources.at(-1).uri;
assert.equal(note, 'research://notes/pmid-70000001.md');
assert.match((await client.readResource({ uri: note })).contents[0].text, /70000001/);
assert.equal(JSON.parse((await client.readResource({ uri: 'biomcp://info' })).contents[0].text).name, 'biomcp');
await assert.rejects(client.readResource({ uri: 'biomcp://no' }), { code: -32002, message: /Unknown resource: biomcp:\/\/no/ });

step('complete');
const { resourceTemplates } = await client.listResourceTemplates();
const stats = resourceTemplates.find((t) => t.uriTemplate === 'biomcp://stats/{database}');
const { completion } = await client.complete({ ref: { type: 'ref/resource', uri: stats.uriTemplate }, argument: { name: 'database', value: 'pub' } });
assert.ok(completion.values.includes('pubmed'));

// NCBI does not answer searches, so that the next call waits.
step('progress and cancel');
const stop = new AbortController();
const seen = [];
await assert.rejects(call('search article synthetic --limit 5', {}, {
  signal: stop.signal,
  onprogress: (p) => {
    seen.push(p);
    if (seen.length === 2) stop.abort('enough');
  },
}), /enough/);
assert.equal(seen.length, 2);
assert.ok(seen[0].progress < seen[1].progress && seen[1].progress <= seen[1].total && seen[1].message);
const begin = Date.now();
assert.ok(!(await call('get article 70000001')).isError);
assert.ok(Date.now() - begin < 1000, 'the server did not answer at once after a cancelled call');

step('end');
if (overHTTP) await transport.terminateSession();
await client.close();
