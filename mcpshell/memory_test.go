package mcpshell

import (
	"flag"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// manyCalls is more when memory is measured by hand:
//
//	go test ./mcpshell -run TestCallsLeaveNothing -calls 20000 -v
var manyCalls = flag.Int("calls", 2000, "how many calls TestCallsLeaveNothing makes in each way")

// leaked is the tolerated growth of memory after many calls in bytes, which covers Go's own
// pools.
const leaked = 1 << 20

// No memory of a call remains after its session ends, whatever its outcome.
func TestCallsLeaveNothing(t *testing.T) {
	const stateless = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"`
	for _, c := range []struct {
		name, level, meta string
		headers           []string
		events            int
	}{
		{"plain", "error", ``, nil, 0},
		{"streamed", "info", `"progressToken":1`, nil, 2},
		{"stateless", "error", stateless + `,"progressToken":1`, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: biomcp"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"list"},"_meta":{`+c.meta+`}}`)
			overHTTP(t, Options{}, Site{}, func(t *testing.T, r *siteRig) {
				// put makes calls in one session, eight at a time, and returns what is in
				// use when it has ended.
				put := func(n int) (bytes uint64, goroutines int) {
					session := r.open("2025-11-25")
					r.post(request("1", "logging/setLevel", `{"level":"`+c.level+`"}`), session)
					var all sync.WaitGroup
					for range 8 {
						all.Go(func() {
							for range n / 8 {
								a := r.post(call, append(slices.Clone(c.headers), session)...)
								if strings.Count(a.body, "data: ") != c.events || !strings.Contains(a.body, "json=false") {
									t.Errorf("answered %s", a.body)
									return
								}
								r.log.reset()
							}
						})
					}
					all.Wait()
					r.do("DELETE", "/mcp", "", session)
					r.client.CloseIdleConnections()
					time.Sleep(time.Hour) // Go forgets timers that were stopped when their time comes
					synctest.Wait()
					runtime.GC()
					runtime.GC() // the second one empties Go's pools
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					return m.HeapAlloc, runtime.NumGoroutine()
				}
				before, first := put(*manyCalls / 10)
				after, last := put(*manyCalls)
				t.Logf("%d calls: %.2f then %.2f MB, %d then %d goroutines", *manyCalls, float64(before)/(1<<20), float64(after)/(1<<20), first, last)
				if after > before+leaked || last > first {
					t.Errorf("calls leave %d bytes and %d goroutines", int64(after)-int64(before), last-first)
				}
				if kept := r.server.mcp.streams; kept.bytes != 0 || len(kept.list) != 0 {
					t.Errorf("%d bytes of %d streams are kept", kept.bytes, len(kept.list))
				}
			})
		})
	}
}
