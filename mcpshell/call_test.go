package mcpshell

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The text of an answer is the runner's, byte for byte.
func TestReplyTextIsSentUnchanged(t *testing.T) {
	texts := []string{
		"", "\n", "a\n", "tab\tand\r\nlines\n\n", "β-catenin ≥ 5 µg · 你好 · 🧬 · e\u0301 · \u202e · \ufeff",
		`{"a": "<b> & \"c\"", "n": 9007199254740993}` + "\n", "\u2028\u2029\x00\x1b[31m\x7f", "\uFFFD",
		strings.Repeat("0123456789", 6000),
	}
	var reply Reply
	served(t, Options{Parse: parsing(func(context.Context, []string, bool) Reply { return reply })}, func(t *testing.T, r *rig) {
		for _, text := range texts {
			for _, failed := range []bool{false, true} {
				reply = Reply{Text: text, IsError: failed}
				if g := r.ask(call("1", "list")); g.text() != text || g.Result.IsError != failed {
					t.Errorf("the runner said %.80q (%v), the client got %.80q (%v)", text, failed, g.text(), g.Result.IsError)
				}
			}
		}
		reply = Reply{Text: "a\xffb\xc3"}
		if g := r.ask(call("1", "list")); g.text() != "a\uFFFDb\uFFFD" {
			t.Errorf("bytes that are not UTF-8 came as %q", g.text())
		}
	})
}

func TestCommandIsSplitIntoWords(t *testing.T) {
	served(t, Options{}, func(t *testing.T, r *rig) {
		for command, want := range map[string]string{
			`list`:                           `["list"] json=false`,
			`biomcp list`:                    `["list"] json=false`,
			`BioMCP list`:                    `["list"] json=false`,
			`biomcp biomcp`:                  `["biomcp"] json=false`,
			`  get article 1 'a b'  `:        `["get" "article" "1" "a b"] json=false`,
			`search article "β & γ" --json`:  `["search" "article" "β & γ" "--json"] json=true`,
			`search corpus "a --json b"`:     `["search" "corpus" "a --json b"] json=false`,
			`'' x`:                           `["" "x"] json=false`,
			strings.Repeat("x", 4096):        `["` + strings.Repeat("x", 4096) + `"] json=false`,
			`search article '$(whoami); ls'`: `["search" "article" "$(whoami); ls"] json=false`,
		} {
			if g := r.ask(call("1", command)); g.Result.IsError || g.text() != want {
				t.Errorf("%.60q: %.100s", command, g.text())
			}
		}
		g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"list","json":true},"_meta":{"progressToken":1}}`))
		if g.text() != `["list"] json=true` {
			t.Errorf("with json: %s", g.raw)
		}
		g = r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"list","json":false}}`))
		if g.text() != `["list"] json=false` {
			t.Errorf("without json: %s", g.raw)
		}
	})
}

// Whatever is wrong with the arguments is a tool error that says how to mend
// it, and the runner never sees it.
func TestInvalidArguments(t *testing.T) {
	ran := parsing(func(context.Context, []string, bool) Reply { return Reply{Text: "ran"} })
	refusing := func(words []string) Call {
		c := ran(words)
		c.Refused = words[0] == "refused"
		return c
	}
	served(t, Options{Parse: refusing}, func(t *testing.T, r *rig) {
		for args, want := range map[string]string{
			`{}`:                                  "command is missing",
			`null`:                                "command is missing",
			`[]`:                                  "arguments must be an object",
			`"list"`:                              "arguments must be an object",
			`5`:                                   "arguments must be an object",
			`{"command":5}`:                       "command must be one string, such as \"list\", not a number",
			`{"command":null}`:                    "not null",
			`{"command":["list"]}`:                "not a list",
			`{"command":{"a":1}}`:                 "not an object",
			`{"command":true}`:                    "not true or false",
			`{"command":"list","json":"true"}`:    "json must be true or false, not a string",
			`{"command":"list","json":1}`:         "json must be true or false, not a number",
			`{"command":"list","limit":5}`:        `no argument "limit"; arguments: command, json`,
			`{"Command":"list"}`:                  `no argument "Command"`,
			`{"command":""}`:                      "command is empty",
			`{"command":"  "}`:                    "command is empty",
			`{"command":"biomcp"}`:                "command is empty",
			`{"command":"list | head"}`:           "this is not a shell",
			`{"command":"list --json | head"}`:    "\"try\":\"biomcp list --json\"",
			`{"command":"get x c.1A>T | head"}`:   "try:   biomcp get x 'c.1A>T'\n",
			`{"command":"refused x | head"}`:      "try:   biomcp list\n",
			`{"command":"get Crohn's disease"}`:   `try:   biomcp get 'Crohn'\''s' disease` + "\n",
			`{"command":"list; version"}`:         "one command per call",
			`{"command":"list\nversion"}`:         "this is not a shell",
			`{"command":"get article $(whoami)"}`: "this is not a shell",
			`{"command":"get article \"x"}`:       `unbalanced double quote " at character 13`,
			`{"command":"a\u0000b"}`:              "U+0000",
			`{"command":"\u001b[31m"}`:            "U+001B",
			`{"command":"` + strings.Repeat("x", 4097) + `"}`:   "4097 bytes; at most 4096",
			`{"command":"` + strings.Repeat("β", 2049) + `"}`:   "4098 bytes; at most 4096",
			`{"command":"` + strings.Repeat("x", 900000) + `"}`: "900000 bytes",
		} {
			g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":`+args+`}`))
			if g.Error != nil || !g.Result.IsError || !strings.Contains(g.text(), want) || !strings.HasPrefix(g.text(), "error: ") && !strings.Contains(args, "--json") {
				t.Errorf("%.80s answered %s; want %q", args, g.raw, want)
			}
			if strings.ContainsAny(g.text(), "\x00\x1b") {
				t.Errorf("%.80s: a control character in %q", args, g.text())
			}
		}
		// Asked for JSON, the failure is the envelope.
		for _, args := range []string{`{"command":"a | b","json":true}`, `{"command":"a | b --json"}`, `{"command":"a \"$(b)\" --json"}`, `{"command":"a --json \"b"}`, `{"json":true}`} {
			g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":`+args+`}`))
			var envelope struct {
				Error struct {
					Code, Message string
					Details       map[string]any
				}
			}
			if err := json.Unmarshal([]byte(g.text()), &envelope); err != nil || !g.Result.IsError {
				t.Errorf("%s: %v in %s", args, err, g.raw)
			}
			if e := envelope.Error; e.Code != "VALIDATION" || e.Message == "" || e.Details == nil {
				t.Errorf("%s: %s", args, g.text())
			}
		}
	})
}

func TestCallDeadline(t *testing.T) {
	stopped := 0
	for name, run := range map[string]func(context.Context, []string, bool) Reply{
		"a runner that stops": func(ctx context.Context, _ []string, _ bool) Reply {
			<-ctx.Done()
			stopped++
			return Reply{Text: "context deadline exceeded", IsError: true}
		},
		"a runner that does not": func(context.Context, []string, bool) Reply {
			<-time.After(time.Hour)
			return Reply{Text: "late"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, Options{Parse: parsing(run), CallTimeout: 20 * time.Second})
				begin := time.Now()
				g := r.ask(call("1", "search article x"))
				if took := time.Since(begin); took != 20*time.Second {
					t.Errorf("answered after %s", took)
				}
				if !g.Result.IsError || !strings.Contains(g.text(), "within 20s") || !strings.Contains(g.text(), "--limit") {
					t.Errorf("answered %s", g.raw)
				}
				r.alive()
				<-time.After(2 * time.Hour)
				if err := r.end(); err != nil {
					t.Error(err)
				}
				if end := r.logLines("call"); len(end) != 1 || end[0]["outcome"] != errDeadline.Error() {
					t.Errorf("log: %v", end)
				}
			})
		})
	}
	if stopped != 1 {
		t.Error("the runner's context did not end")
	}
}

func TestClientCancelsCall(t *testing.T) {
	served(t, Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		if words[0] == "slow" {
			<-ctx.Done()
		}
		return Reply{Text: "done"}
	})}, func(t *testing.T, r *rig) {
		r.send(call(`"a"`, "slow"), call("1", "slow"),
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"x"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		// Neither is answered: the next messages answer what follows.
		r.alive()
		synctest.Wait()
		if g := r.ask(call("2", "fast")); string(g.ID) != "2" || g.text() != "done" {
			t.Errorf("got %s", g.raw)
		}
		ends := r.logLines("call")
		if len(ends) != 3 || ends[0]["outcome"] != "cancelled" || ends[1]["outcome"] != "cancelled" {
			t.Errorf("log: %v", ends)
		}
	})
}

// A cancelled call that waits for its turn never runs.
func TestCancelledWhileWaiting(t *testing.T) {
	ran := 0
	served(t, Options{MaxInFlight: 1, Parse: parsing(func(context.Context, []string, bool) Reply {
		ran++
		<-time.After(time.Second)
		return Reply{Text: "done"}
	})}, func(t *testing.T, r *rig) {
		r.send(call("1", "x"))
		synctest.Wait()
		r.send(call("2", "x"))
		synctest.Wait()
		r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		if g := r.next(); string(g.ID) != "1" || ran != 1 {
			t.Errorf("got %s, %d runs", g.raw, ran)
		}
	})
}

func TestConcurrentCallsAreBounded(t *testing.T) {
	const running, waiting = 2, 2 * waitingPerRunning
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var mu sync.Mutex
		now, most := 0, 0
		count := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			now += by
			most = max(most, now)
		}
		r := start(t, Options{MaxInFlight: running, Parse: parsing(func(context.Context, []string, bool) Reply {
			count(1)
			<-release
			count(-1)
			return Reply{Text: "done"}
		})})
		for i := range running + waiting {
			r.send(call(fmt.Sprint(i), "x"))
		}
		synctest.Wait()
		g := r.ask(call("99", "x"))
		if string(g.ID) != "99" || !g.Result.IsError || !strings.Contains(g.text(), "busy: 2 calls run at once, 16 may wait") {
			t.Errorf("one too many answered %s", g.raw)
		}
		r.alive()
		close(release)
		for range running + waiting {
			if g := r.next(); g.text() != "done" {
				t.Errorf("got %s", g.raw)
			}
		}
		if most != running {
			t.Errorf("%d ran at once; the bound is %d", most, running)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// inBubble is how many goroutines the caller's bubble of synctest has. Others of the
// process come and go.
func inBubble() int {
	stacks := make([]byte, 1<<20)
	own := regexp.MustCompile(`synctest bubble \d+`).Find(stacks[:runtime.Stack(stacks, false)])
	return len(regexp.MustCompile(string(own)+`\b`).FindAll(stacks[:runtime.Stack(stacks, true)], -1))
}

// Runners that never end keep their places: everybody gets an answer in time,
// and no more of them pile up.
func TestStuckCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var started atomic.Int32
		r := start(t, Options{MaxInFlight: 2, CallTimeout: time.Second, Parse: parsing(func(context.Context, []string, bool) Reply {
			started.Add(1)
			<-release
			return Reply{Text: "late"}
		})})
		r.alive()
		before := inBubble()
		for i := range 40 {
			g := r.ask(call(fmt.Sprint(i), "x"))
			want := "busy"
			if i < 2 {
				want = "within 1s"
			}
			if !g.Result.IsError || !strings.Contains(g.text(), want) {
				t.Fatalf("call %d answered %s", i, g.raw)
			}
		}
		synctest.Wait()
		if n := inBubble() - before; started.Load() != 2 || n > 2 {
			t.Errorf("%d runners started, %d goroutines left behind", started.Load(), n)
		}
		close(release)
		synctest.Wait()
		if g := r.ask(call("50", "x")); g.text() != "late" {
			t.Errorf("after their end: %s", g.raw)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

func TestPanicIsReportedAndLogged(t *testing.T) {
	run := parsing(func(_ context.Context, words []string, _ bool) Reply {
		switch words[0] {
		case "panic":
			panic("key=SECRET at /home/someone")
		case "index":
			fmt.Print(words[len(words)])
		case "exit":
			runtime.Goexit()
		}
		return Reply{Text: "fine"}
	})
	parse := func(words []string) Call {
		if words[0] == "unparsed" {
			panic("key=SECRET")
		}
		return run(words)
	}
	served(t, Options{Parse: parse}, func(t *testing.T, r *rig) {
		if g := r.ask(call("1", "unparsed")); !g.Result.IsError || !strings.Contains(g.text(), "internal error") || len(r.logLines("panic")) != 1 {
			t.Errorf("a panic of the parser: %s", g.raw)
		}
		for i, word := range []string{"panic", "index", "exit"} {
			g := r.ask(call("1", word+" --json"))
			if !g.Result.IsError || !strings.Contains(g.text(), `"UNKNOWN"`) {
				t.Errorf("%s answered %s", word, g.raw)
			}
			ends := r.logLines("call")
			end := ends[i+1]
			id, _ := end["call"].(string)
			if len(id) < 8 || !strings.Contains(g.text(), id) || end["level"] != "ERROR" {
				t.Errorf("the client got %q, the log has %v", g.text(), end)
			}
			if strings.Contains(g.raw+r.log.String(), "SECRET") || strings.Contains(g.raw, ".go") || strings.Contains(g.raw, "goroutine") {
				t.Errorf("%s: the panic's text got out: %s\n%s", word, g.raw, r.log)
			}
		}
		if at := r.logLines("panic"); len(at) != 3 || !strings.Contains(fmt.Sprint(at[1]["at"]), "call_test.go") {
			t.Errorf("the log does not name the place: %v", at)
		}
		if g := r.ask(call("1", "x")); g.text() != "fine" {
			t.Errorf("afterwards: %s", g.raw)
		}
	})
}

func TestCallsAreLogged(t *testing.T) {
	served(t, Options{Parse: parsing(func(_ context.Context, words []string, _ bool) Reply {
		<-time.After(1500 * time.Millisecond)
		return Reply{Text: "12345", IsError: words[0] == "bad"}
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
		ids := map[any]bool{}
		for i, outcome := range []string{"ok", "failed", "refused", "ok", "ok"} {
			if ends[i]["outcome"] != outcome || ids[ends[i]["call"]] {
				t.Errorf("call %d: %v; want %s", i+1, ends[i], outcome)
			}
			ids[ends[i]["call"]] = true
		}
		if d := ends[0]["duration_ms"]; d != 1500.0 || ends[0]["bytes"] != 5.0 {
			t.Errorf("end: %v", ends[0])
		}
		if c := ends[2]["command"]; c != `a\x1b[31m | b` {
			t.Errorf("control characters are logged as %q", c)
		}
		if c, _ := ends[3]["command"].(string); len(c) > maxLoggedBytes+len("…") || !strings.HasSuffix(c, "β…") {
			t.Errorf("a long command is logged as %q", c)
		}
		if strings.Contains(r.log.String(), "SECRET") {
			t.Errorf("a key is logged: %v", ends[4])
		}
	})
}

func TestNewNeedsAParser(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New accepted no parser")
		}
	}()
	New(Options{})
}
