// Signs a person in to a biomcp server with the official TypeScript client, as a host does:
// it finds the provider by the server's answer, registers itself, sends the person's browser
// (played by fetch) to Keycloak, and calls the tool with the token. Its arguments are the
// server's URL, its audience, and the address of a Keycloak with the administrator admin,
// password admin, in which it makes the realm lab anew. Ends with status 1 where a step fails.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const sdk = createRequire(process.cwd() + '/');
const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = sdk('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { UnauthorizedError } = sdk('@modelcontextprotocol/sdk/client/auth.js');

const [server, audience, keycloak] = process.argv.slice(2);
const step = (name) => console.log(name);
const callback = 'http://127.0.0.1:9/callback';

step('realm');
const signIn = await fetch(`${keycloak}/realms/master/protocol/openid-connect/token`, {
  method: 'POST', body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' }),
});
const { access_token: admin } = await signIn.json();
const ask = async (method, path, body) => {
  const reply = await fetch(`${keycloak}/admin/realms${path}`, {
    method, body: body && JSON.stringify(body), headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
  });
  assert.ok(reply.ok || method === 'DELETE', `${method} ${path}: ${reply.status}`);
  return method === 'GET' ? reply.json() : reply.headers.get('location')?.split('/').at(-1);
};
await ask('DELETE', '/lab');
await ask('POST', '', { realm: 'lab', enabled: true });
await ask('POST', '/lab/users', {
  username: 'alice', enabled: true, email: 'alice@example.org', emailVerified: true, firstName: 'Alice', lastName: 'Example',
  credentials: [{ type: 'password', value: 'wonderland', temporary: false }],
});
const scope = await ask('POST', '/lab/client-scopes', {
  name: 'biomcp:read', protocol: 'openid-connect', attributes: { 'include.in.token.scope': 'true' },
  protocolMappers: [{
    name: 'audience', protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper',
    config: { 'included.custom.audience': audience, 'access.token.claim': 'true', 'id.token.claim': 'false' },
  }],
});
await ask('PUT', `/lab/default-optional-client-scopes/${scope}`);
// Any host may register a client.
for (const policy of await ask('GET', '/lab/components?type=org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy')) {
  if (policy.subType === 'anonymous' && policy.providerId === 'trusted-hosts') await ask('DELETE', `/lab/components/${policy.id}`);
}

// The provider's side of a host: what it keeps, and a browser.
class Host {
  redirectUrl = callback;
  clientMetadata = { client_name: 'test', redirect_uris: [callback], token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
  clientInformation() { return this.client; }
  saveClientInformation(client) { this.client = client; }
  tokens() { return this.kept; }
  saveTokens(tokens) { this.kept = tokens; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
  async redirectToAuthorization(url) {
    this.asked = url;
    const page = await fetch(url, { redirect: 'manual' });
    const text = await page.text();
    const form = /action="([^"]+)"/.exec(text);
    assert.ok(form, `no form of sign-in at ${url}: ${page.status} ${text.slice(0, 500)}`);
    const jar = page.headers.getSetCookie().map((c) => c.split(';')[0]).join('; ');
    let sent = await fetch(form[1].replaceAll('&amp;', '&'), {
      method: 'POST', redirect: 'manual', headers: { cookie: jar }, body: new URLSearchParams({ username: 'alice', password: 'wonderland' }),
    });
    const cookies = jar + '; ' + sent.headers.getSetCookie().map((c) => c.split(';')[0]).join('; ');
    for (let i = 0; i < 3 && !sent.headers.get('location')?.startsWith(callback); i++) { // consent
      const next = sent.headers.get('location');
      const body = next ? await (await fetch(next, { headers: { cookie: cookies } })).text() : await sent.text();
      const consent = /action="([^"]+)"/.exec(body);
      const code = /name="code" value="([^"]+)"/.exec(body);
      assert.ok(consent, `after the sign-in: ${sent.status} ${body.slice(0, 500)}`);
      sent = await fetch(new URL(consent[1].replaceAll('&amp;', '&'), keycloak), {
        method: 'POST', redirect: 'manual', headers: { cookie: cookies }, body: new URLSearchParams({ accept: 'Yes', ...(code && { code: code[1] }) }),
      });
    }
    this.code = new URL(sent.headers.get('location')).searchParams.get('code');
  }
}

const host = new Host();
const connect = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: host });
  const client = new Client({ name: 'test', version: '1' });
  try {
    await client.connect(transport);
    return { client, transport };
  } catch (err) {
    if (!(err instanceof UnauthorizedError)) throw err;
    return { transport };
  }
};

step('sign in');
const { transport } = await connect();
assert.ok(host.client?.client_id, 'the client did not register itself');
assert.match(host.asked.searchParams.get('scope'), /biomcp:read/);
assert.equal(host.asked.searchParams.get('resource'), server);
assert.equal(host.asked.searchParams.get('code_challenge_method'), 'S256');
await transport.finishAuth(host.code);
const [head, claims] = host.kept.access_token.split(".").slice(0, 2).map((p) => JSON.parse(Buffer.from(p, 'base64url').toString()));
console.log(`  ${head.alg}, scope ${claims.scope}, audience ${claims.aud}`);

step('call');
const { client } = await connect();
assert.ok(client, 'the token was not taken');
const { tools } = await client.listTools();
assert.deepEqual(tools.map((t) => t.name), ['biomcp']);
assert.ok(!(await client.callTool({ name: 'biomcp', arguments: { command: 'version' } })).isError);
await client.close();

step('refused');
const post = (token) => fetch(server, {
  method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
});
assert.equal((await post(host.kept.access_token.slice(0, -8) + 'AAAAAAAA')).status, 401);
assert.equal((await post(host.kept.refresh_token)).status, 401); // of the same provider, with HS512
assert.equal((await post(admin)).status, 401); // of another realm
step('end');
