package mcpshell

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// counting returns a parser whose call has four steps, one a second from its third second on, and
// ends in its eleventh.
func counting(words []string) Call {
	var at atomic.Pointer[Progress]
	at.Store(&Progress{Text: "asking a source"})
	return Call{
		Progress: func() Progress { return *at.Load() },
		Run: func(context.Context, bool) Reply {
			time.Sleep(2*time.Second + 100*time.Millisecond)
			for i := range 5 {
				at.Store(&Progress{Done: i, Total: 4, Text: words[0]})
				time.Sleep(time.Second)
			}
			time.Sleep(3 * time.Second)
			return Reply{Text: "done"}
		},
	}
}

type reported struct {
	Progress, Total float64
	Message         string
}

// check checks that the numbers increase up to the last step and never exceed the total.
func check(t *testing.T, got []reported) {
	t.Helper()
	if len(got) != 6 || got[0] != (reported{2, 60, "asking a source"}) {
		t.Fatalf("%+v", got)
	}
	whole := 0
	for i, g := range got[1:] {
		if before := got[i]; g.Progress <= before.Progress || g.Progress > g.Total || g.Message != "steps" {
			t.Errorf("%+v after %+v", g, before)
		}
		if g.Progress == float64(int(g.Progress)) && g.Total == 6 { // two seconds were reported before the steps
			whole++
		}
	}
	if whole != 4 {
		t.Errorf("%d of 4 steps are reported: %+v", whole, got)
	}
}

func TestProgressCountsSteps(t *testing.T) {
	ask := request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"steps"},"_meta":{"progressToken":"p"}}`)
	served(t, Options{Parse: counting}, func(t *testing.T, r *rig) {
		r.ask(initialize("0", "2025-11-25"))
		r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ask)
		var all []reported
		for g := r.next(); g.Method != ""; g = r.next() {
			all = append(all, params(t, g.Params))
		}
		check(t, all)
	})
	overHTTP(t, Options{Parse: counting}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		r.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, session)
		var all []reported
		for line := range strings.Lines(r.post(ask, session).body) {
			if data, ok := strings.CutPrefix(line, "data: "); ok && strings.Contains(data, "notifications/progress") {
				var note struct{ Params json.RawMessage }
				if err := json.Unmarshal([]byte(data), &note); err != nil {
					t.Fatal(err)
				}
				all = append(all, params(t, note.Params))
			}
		}
		check(t, all)
	})
}

func params(t *testing.T, raw json.RawMessage) (p reported) {
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatal(err)
	}
	return p
}
