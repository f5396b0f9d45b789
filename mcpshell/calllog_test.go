package mcpshell

import (
	"context"
	"strings"
	"testing"
	"time"

	"biomcp/cli/result"
)

func TestCallsAreLogged(t *testing.T) {
	served(t, Options{Parse: parsing(func(_ context.Context, words []string, _ bool) Reply {
		<-time.After(1500 * time.Millisecond)
		if words[0] == "bad" {
			return Reply{Text: "12345", IsError: true, Code: result.NotFound}
		}
		return Reply{Text: "12345"}
	})}, func(t *testing.T, r *rig) {
		r.ask(call("1", "good one"))
		r.ask(call("2", "bad one"))
		r.ask(call("3", "a\u001b[31m | b"))
		r.ask(call("4", strings.Repeat("β", 1000)))
		r.ask(call("5", "x 'https://h/?api_key=SECRET1&db=p' --api-key SECRET2 token: SECRET3"))
		ends := r.logLines("call")
		if len(ends) != 5 {
			t.Fatalf("5 calls, log:\n%s", r.log)
		}
		wantOutcomes(t, r, "ok", "failed", "refused", "ok", "ok")
		ids := map[any]bool{}
		for i, end := range ends {
			if ids[end["call"]] {
				t.Errorf("call %d has the ID of another call: %v", i+1, end)
			}
			ids[end["call"]] = true
		}
		starts := r.logLines("start")
		if len(starts) != len(ends) {
			t.Fatalf("%d lines at the start of a call, want %d", len(starts), len(ends))
		}
		for i, code := range []string{"", "NOT_FOUND", "VALIDATION", "", ""} {
			if got := ends[i]["code"]; got != code {
				t.Errorf("call %d: code = %q, want %q", i+1, got, code)
			}
			for _, name := range []string{"call", "command"} {
				if starts[i][name] != ends[i][name] {
					t.Errorf("call %d: %s is %q at the start, %q at the end", i+1, name, starts[i][name], ends[i][name])
				}
			}
		}
		if got, want := ends[0]["duration_ms"], 1500.0; got != want {
			t.Errorf("logged duration_ms = %v, want %v", got, want)
		}
		if got, want := ends[0]["bytes"], 5.0; got != want {
			t.Errorf("logged bytes = %v, want %v", got, want)
		}
		if got, want := ends[2]["command"], `a\x1b[31m | b`; got != want {
			t.Errorf("control characters are logged as %q, want %q", got, want)
		}
		long, _ := ends[3]["command"].(string)
		if most := maxLoggedBytes + len("…"); len(long) > most {
			t.Errorf("a long command is logged with %d bytes, want at most %d", len(long), most)
		}
		if !strings.HasSuffix(long, "β…") {
			t.Errorf("a long command is logged as %q, want the end β…", long)
		}
		if strings.Contains(r.log.String(), "SECRET") {
			t.Errorf("a key is logged: %v", ends[4])
		}
	})
}

// Without queries both logs name the family of a command, and nothing that a client sent.
func TestLogWithoutQueries(t *testing.T) {
	audit := &logBuffer{}
	parse := func(words []string) Call {
		c := parsing(echo)(words)
		c.Family = "get article"
		return c
	}
	o := Options{Parse: parse, Resources: shelf(1), Audit: audit, HideQueries: true}
	served(t, o, func(t *testing.T, r *rig) {
		r.ask(call("1", "get article melanoma"))
		r.ask(call("2", "get article melanoma | head"))
		r.ask(request("3", "resources/read", `{"uri":"biomcp://book/melanoma"}`))
		for name, log := range map[string]string{"log": r.log.String(), "audit log": audit.String()} {
			if strings.Contains(log, "melanoma") {
				t.Errorf("the %s has a query: %s", name, log)
			}
			if n := strings.Count(log, `"command":"get article"`); n < 2 {
				t.Errorf("the %s names the family %d times, want 2 or more: %s", name, n, log)
			}
		}
	})
}

// The work of a call can log the ID of the call.
func TestCallIDOfWork(t *testing.T) {
	id := ""
	run := func(ctx context.Context, _ []string, _ bool) Reply {
		id = CallID(ctx)
		return Reply{Text: "x"}
	}
	served(t, Options{Parse: parsing(run)}, func(t *testing.T, r *rig) {
		r.ask(call("1", "list"))
		if got := r.logLines("call")[0]["call"]; got != id || id == "" {
			t.Errorf("CallID = %q, want %q of the log", id, got)
		}
	})
}
