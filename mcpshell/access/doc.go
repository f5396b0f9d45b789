// Package access says who may ask a server over HTTP: which names it goes by,
// which pages may call it from a browser, who has a token, how often one caller
// may ask, and how long a request may be. It knows nothing of what is served.
//
// Tokens are made by this program (HS256), or by a provider that it trusts, whose keys
// [Provider] fetches.
//
//	handler = access.Rules{Hosts: hosts, Origins: origins, Key: key}.Guard(handler)
//	name := access.CallerOf(r.Context()).Subject // in the handler
//
// The checks are made in this order: Host, Origin (a preflight request is answered
// here), token, rate, length. What is refused is answered with a JSON-RPC error,
// since that is what clients of MCP read.
package access
