// Package sourcetest provides the common parts of service simulators for tests: a server with an
// address and a transport without a network, a request limit, a list of requests, a clock, control
// by another process, replay of captured replies, and faults. A simulator adds the answers of its
// service:
//
//	func New(tb testing.TB) *sourcetest.Server {
//		s := sourcetest.New(tb)
//		s.Add(sourcetest.Service{Source: &toy.Source, Path: "/api/", Endpoints: []sourcetest.Endpoint{
//			{Name: "status", Path: "status", Answer: func(c *sourcetest.Call) sourcetest.Reply {
//				return sourcetest.JSON(200, map[string]string{"status": "ok"})
//			}},
//		}})
//		return s
//	}
//
// Package entrez/sourcetest/toytest is a complete example, and entrez/entreztest simulates NCBI.
// [TestFaults] tests a source against every kind of failure.
//
// # Control
//
// Another process controls a server with JSON under /control/. A reply is {"ok":true}, or
// {"error":"..."} with status 400, or 404 if not found. These requests are neither listed nor
// limited. A simulator may add routes.
//
//	GET  state                            {"now","requests","limited"}
//	GET  requests[?endpoint=status]       [{"endpoint","method","path","params","user_agent","status","at"}]
//	POST clock       {"now":"2026-01-02T00:00:00Z"} or {"advance":"24h"}
//	POST faults      [{"endpoint":"status","kind":"limit-429","from":1,"times":3,"retry_after":"1"}]
//	POST behave      drops planned faults
//	POST release     lets stalled requests continue
//	POST forget      empties the list of requests
package sourcetest
