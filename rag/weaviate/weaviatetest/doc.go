// Package weaviatetest runs real Weaviate servers for tests: one, or a cluster of
// several nodes, whose nodes can be frozen, stopped and started again.
//
// The server is a program of its own, named by the variable BIOMCP_WEAVIATE_SERVER
// and built with
//
//	GOBIN=… CGO_ENABLED=0 go install github.com/weaviate/weaviate/cmd/weaviate-server@v1.29.0
//
// Two of its ports cannot be bound to the loopback address. So Main runs the
// tests again in a network of their own, of which nothing is seen from outside,
// and which takes every process that is left with it when the tests end, in
// whatever way.
//
//	func TestMain(m *testing.M) { os.Exit(weaviatetest.Main(m)) }
//
//	func TestEngine(t *testing.T) {
//		nodes := weaviatetest.Start(t, 3) // skips the test where there is no server
//		nodes[2].Stop(t)
//		…
//	}
//
// Only tests import it.
package weaviatetest
