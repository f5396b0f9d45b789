// Package access decides which HTTP requests a server accepts. It checks the server's host names,
// the origins of browser pages, the caller's token, its request rate and the length of the body.
// It does not depend on the content that the server serves.
//
// Tokens are signed by this program (HS256) or by a trusted provider, whose keys [Provider]
// fetches.
//
//	handler = access.Rules{Hosts: hosts, Origins: origins, Key: key}.Guard(handler)
//	name := access.CallerOf(r.Context()).Subject // in the handler
//
// The checks run in this order: Host, Origin (a preflight request is answered here), token, rate,
// length. The rate also limits requests with an invalid token. A rejected request gets a JSON-RPC
// error, because MCP clients read those.
package access
