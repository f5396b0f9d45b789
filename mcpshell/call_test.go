package mcpshell

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The text of a reply reaches the client unchanged.
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
				r.ask(call("1", "list")).wantReply(t, "list", text, failed)
			}
		}
		reply = Reply{Text: "a\xffb\xc3"}
		if g := r.ask(call("1", "list")); g.text() != "a\uFFFDb\uFFFD" {
			t.Errorf("invalid UTF-8 arrived as %q, want U+FFFD for each byte", g.text())
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
			r.ask(call("1", command)).wantReply(t, command, want, false)
		}
		g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"list","json":true},"_meta":{"progressToken":1}}`))
		if want := `["list"] json=true`; g.text() != want {
			t.Errorf("with json: text = %q, want %q", g.text(), want)
		}
		g = r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"list","json":false}}`))
		if want := `["list"] json=false`; g.text() != want {
			t.Errorf("without json: text = %q, want %q", g.text(), want)
		}
	})
}

// Invalid arguments cause a tool error that says how to correct them. The command does not run.
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
			`{"command":null}`:                    "command is missing",
			`{"command":["list"]}`:                "not a list",
			`{"command":{"a":1}}`:                 "not an object",
			`{"command":true}`:                    "not true or false",
			`{"command":"list","json":"yes"}`:     "json must be true or false, not a string",
			`{"command":"list","json":1}`:         "json must be true or false, not a number",
			`{"Command":"list"}`:                  `no argument "Command"`,
			`{"command":""}`:                      "command is missing",
			`{"cmd":"get x","toolCallId":"1"}`:    "try:   biomcp get x\n",
			`{"command":"  "}`:                    "command is empty",
			`{"command":"biomcp"}`:                "command is empty",
			`{"command":"list | head"}`:           "this is not a shell",
			`{"command":"list --json | head"}`:    "\"try\":\"biomcp list --json\"",
			`{"command":"get x c.1A>T | head"}`:   "try:   biomcp get x 'c.1A>T'\n",
			`{"command":"get p < 0.05"}`:          "try:   biomcp get p '<' 0.05\n",
			`{"command":"get x > 50% y"}`:         "try:   biomcp get x '>' 50% y\n",
			`{"command":"get x > 50.csv"}`:        "try:   biomcp get x\n",
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
			if g.Error != nil {
				t.Errorf("%.80s: a protocol error, want a tool error: %s", args, g.raw)
			}
			g.wantFailure(t, args, want)
			if !strings.HasPrefix(g.text(), "error: ") && !strings.Contains(args, "--json") {
				t.Errorf("%.80s: text = %.300q, want the prefix %q", args, g.text(), "error: ")
			}
			if strings.ContainsAny(g.text(), "\x00\x1b") {
				t.Errorf("%.80s: a control character in %q", args, g.text())
			}
		}
		// In JSON the failure is an error object.
		for _, args := range []string{
			`{"command":"a | b","json":true}`, `{"command":"a | b --json"}`, `{"command":"a \"$(b)\" --json"}`,
			`{"command":"a --json \"b"}`, `{"json":true}`,
		} {
			g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":`+args+`}`))
			var envelope struct {
				Error struct {
					Code, Message string
					Details       map[string]any
				}
			}
			g.wantFailure(t, args)
			if err := json.Unmarshal([]byte(g.text()), &envelope); err != nil {
				t.Errorf("%s: %v in %s", args, err, g.raw)
			}
			if got, want := envelope.Error.Code, "VALIDATION"; got != want {
				t.Errorf("%s: code = %q, want %q", args, got, want)
			}
			if envelope.Error.Message == "" {
				t.Errorf("%s: no message in %s", args, g.text())
			}
			if envelope.Error.Details == nil {
				t.Errorf("%s: no details in %s", args, g.text())
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
					t.Errorf("answered after %s, want 20s", took)
				}
				g.wantFailure(t, "after the deadline", "within 20s", "--limit")
				r.alive()
				<-time.After(2 * time.Hour)
				if err := r.end(); err != nil {
					t.Error(err)
				}
				wantOutcomes(t, r, errDeadline.Error())
			})
		})
	}
	if stopped != 1 {
		t.Error("the runner's context did not end")
	}
}

// wantOutcomes checks the outcomes of the logged calls, in order.
func wantOutcomes(t *testing.T, r *rig, want ...string) {
	t.Helper()
	var got []string
	for _, line := range r.logLines("call") {
		got = append(got, fmt.Sprint(line["outcome"]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("logged outcomes = %q, want %q", got, want)
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
		// Neither call is answered: the next answers belong to the next requests.
		r.alive()
		synctest.Wait()
		g := r.ask(call("2", "fast"))
		g.wantID(t, "2")
		g.wantReply(t, "fast", "done", false)
		wantOutcomes(t, r, "cancelled", "cancelled", "ok")
	})
}

// A call that is cancelled while it waits never runs.
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
		r.next().wantID(t, "1")
		if ran != 1 {
			t.Errorf("%d calls ran, want 1", ran)
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
		g.wantID(t, "99")
		g.wantFailure(t, "one call too many", "busy: 2 calls run at once, 16 may wait")
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

// inBubble returns the number of goroutines in the caller's synctest bubble. The number of other
// goroutines of the process varies.
func inBubble() int {
	stacks := make([]byte, 1<<20)
	own := regexp.MustCompile(`synctest bubble \d+`).Find(stacks[:runtime.Stack(stacks, false)])
	return len(regexp.MustCompile(string(own)+`\b`).FindAll(stacks[:runtime.Stack(stacks, true)], -1))
}

// Calls that never end keep their slots: every request is answered in time, and no more such calls
// start.
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
			g.wantFailure(t, fmt.Sprintf("call %d", i), want)
		}
		synctest.Wait()
		if n := started.Load(); n != 2 {
			t.Errorf("%d calls started, want 2", n)
		}
		if n := inBubble() - before; n > 2 {
			t.Errorf("%d goroutines are left, want at most 2", n)
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
		r.ask(call("1", "unparsed")).wantFailure(t, "a panic of the parser", "internal error")
		if n := len(r.logLines("panic")); n != 1 {
			t.Errorf("%d panics are logged after the parser's, want 1", n)
		}
		for i, word := range []string{"panic", "index", "exit"} {
			g := r.ask(call("1", word+" --json"))
			g.wantFailure(t, word, `"UNKNOWN"`)
			ends := r.logLines("call")
			end := ends[i+1]
			id, _ := end["call"].(string)
			if len(id) < 8 {
				t.Errorf("%s: logged call ID = %q, want at least 8 characters", word, id)
			}
			if !strings.Contains(g.text(), id) {
				t.Errorf("%s: text = %q, want the logged call ID %q in it", word, g.text(), id)
			}
			if end["level"] != "ERROR" {
				t.Errorf("%s: log level = %v, want ERROR", word, end["level"])
			}
			if strings.Contains(g.raw+r.log.String(), "SECRET") {
				t.Errorf("%s: the panic's value is in the answer or the log: %s\n%s", word, g.raw, r.log)
			}
			for _, internal := range []string{".go", "goroutine"} {
				if strings.Contains(g.raw, internal) {
					t.Errorf("%s: %q is in the answer: %s", word, internal, g.raw)
				}
			}
		}
		panics := r.logLines("panic")
		if len(panics) != 3 {
			t.Fatalf("%d panics are logged, want 3: %v", len(panics), panics)
		}
		if at := fmt.Sprint(panics[1]["at"]); !strings.Contains(at, "call_test.go") {
			t.Errorf("logged place = %q, want call_test.go in it", at)
		}
		if g := r.ask(call("1", "x")); g.text() != "fine" {
			t.Errorf("after the panics: text = %q, want %q", g.text(), "fine")
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
