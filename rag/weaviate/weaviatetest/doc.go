// Package weaviatetest runs real Weaviate servers for tests: one node, or a
// cluster, whose nodes can be frozen, stopped and restarted.
//
// The environment variable BIOMCP_WEAVIATE_SERVER holds the path of the server
// program. Build it with
//
//	GOBIN=… CGO_ENABLED=0 go install github.com/weaviate/weaviate/cmd/weaviate-server@v1.29.0
//
// Two of its ports cannot be bound to the loopback address. So Main runs the tests
// in a new network namespace, which is not reachable from outside, and in a new
// process namespace, so that all servers end with the tests.
//
//	func TestMain(m *testing.M) { os.Exit(weaviatetest.Main(m)) }
//
//	func TestEngine(t *testing.T) {
//		nodes := weaviatetest.Start(t, 3) // skips the test if there is no server
//		nodes[2].Stop(t)
//		…
//	}
//
// Only tests import it.
package weaviatetest
