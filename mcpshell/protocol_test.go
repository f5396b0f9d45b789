package mcpshell

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func initialize(id, version string) string {
	return request(id, "initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
}

// batch sends a batch of messages and reads the batch of answers.
func (r *rig) batch(messages ...string) (answers []got) {
	r.t.Helper()
	r.send("[" + strings.Join(messages, ",") + "]")
	if !r.seen.Scan() {
		r.t.Fatal("no answer")
	}
	if err := json.Unmarshal(r.seen.Bytes(), &answers); err != nil {
		r.t.Fatalf("%s: %v", r.seen.Text(), err)
	}
	return answers
}

// Protocol 2025-03-26 requires batches; later protocols forbid them.
func TestBatches(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	served(t, Options{}, func(t *testing.T, r *rig) {
		r.ask(initialize("0", "2025-03-26"))
		answers := r.batch(call("1", "list"), note, call(`"b"`, "version"), `{"jsonrpc":"2.0","id":3,"method":"no/such"}`, `5`)
		byID := map[string]got{}
		for _, a := range answers {
			byID[string(a.ID)] = a
		}
		if len(answers) != 4 || byID["1"].text() != `["list"] json=false` || byID[`"b"`].text() != `["version"] json=false` ||
			byID["3"].Error == nil || byID["3"].Error.Code != -32601 || byID["null"].Error == nil || byID["null"].Error.Code != -32600 {
			t.Errorf("%d answers: %+v", len(answers), answers)
		}
		r.send("[" + note + "," + note + "]")
		r.alive() // nothing was answered to notifications
		for _, bad := range []string{"[]", "[" + strings.Repeat(note+",", maxBatch) + note + "]"} {
			if g := r.ask(bad); g.Error == nil || g.Error.Code != -32600 || string(g.ID) != "null" {
				t.Errorf("%.20s answered %s", bad, g.raw)
			}
		}
		if g := r.ask("[1"); g.Error == nil || g.Error.Code != -32700 {
			t.Errorf("half a batch answered %s", g.raw)
		}
	})
	for _, version := range []string{"2024-11-05", "2025-06-18", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			served(t, Options{}, func(t *testing.T, r *rig) {
				r.ask(initialize("0", version))
				if g := r.ask("[" + call("1", "list") + "]"); g.Error == nil || g.Error.Code != -32600 || !strings.Contains(g.Error.Message, batchVersion) {
					t.Errorf("%s: a batch answered %s", version, g.raw)
				}
			})
		})
	}
}

func TestCancelledMemberOfABatch(t *testing.T) {
	served(t, Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		if words[0] == "slow" {
			<-ctx.Done()
		}
		return Reply{Text: "done"}
	})}, func(t *testing.T, r *rig) {
		r.ask(initialize("0", "2025-03-26"))
		r.send("[" + call("1", "slow") + "," + call("2", "fast") + "]")
		synctest.Wait()
		r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		if !r.seen.Scan() || strings.Contains(r.seen.Text(), `"id":1`) || !strings.HasPrefix(r.seen.Text(), `[{"jsonrpc":"2.0","id":2`) {
			t.Errorf("answered %s", r.seen.Text())
		}
	})
}

// The error for an oversized message has the message's ID, wherever in the message that is.
func TestLongMessageIsRefusedUnderItsID(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	params := `"params":{"name":"biomcp","id":"no","arguments":{"command":"\"id\":5,{` + long + `"}}`
	served(t, Options{}, func(t *testing.T, r *rig) {
		for line, id := range map[string]string{
			`{"jsonrpc":"2.0","id":7,"method":"tools/call",` + params + `}`:        `7`,
			`{"jsonrpc":"2.0","method":"tools/call",` + params + `, "id" : "a,b"}`: `"a,b"`,
			`{` + params + `,"id":"\"]}"}`:                                         `"\"]}"`,
			`{"method":"x",` + params + `}`:                                        "null",
			`{"id":{"id":3},` + params + `}`:                                       "null",
			`{"id":"` + long + `"}`:                                                "null",
			`{"id":tru,"x":"` + long + `"}`:                                        "null",
			long + `{"id":1}`:                                                      "null",
			`[{"id":1,"x":"` + long + `"}]`:                                        "null",
		} {
			if g := r.ask(line); string(g.ID) != id || g.Error == nil || g.Error.Code != -32600 {
				t.Errorf("%.60s… answered %s; want id %s", line, g.raw, id)
			}
		}
	})
}

// Invalid params cause error -32602 with a message free of Go type names.
func TestMalformedParams(t *testing.T) {
	served(t, Options{Resources: shelf(1)}, func(t *testing.T, r *rig) {
		for _, m := range []struct{ method, params string }{
			{"tools/call", `{"name":5,"arguments":{"command":"list"}}`},
			{"tools/call", `{"name":{"a":1}}`},
			{"tools/call", `{"name":"biomcp","_meta":5}`},
			{"tools/list", `{"cursor":5}`},
			{"initialize", `{"protocolVersion":5}`},
			{"initialize", `{"protocolVersion":"2025-06-18","clientInfo":"x"}`},
			{"logging/setLevel", `{"level":5}`},
			{"resources/read", `{"uri":5}`},
		} {
			g := r.ask(request("1", m.method, m.params))
			if g.Error == nil || g.Error.Code != -32602 || string(g.ID) != "1" {
				t.Errorf("%s %s answered %s", m.method, m.params, g.raw)
			}
			for _, name := range []string{"Go ", "json:", "unmarshal", "mcp.", "struct"} {
				if strings.Contains(g.raw, name) {
					t.Errorf("%s %s: %q in %s", m.method, m.params, name, g.raw)
				}
			}
		}
	})
}

// Error messages quote a client's text only up to a limit.
func TestErrorMessagesAreBounded(t *testing.T) {
	long := strings.Repeat("é", 300000)
	served(t, Options{Resources: shelf(1)}, func(t *testing.T, r *rig) {
		for _, line := range []string{
			request("1", "resources/read", `{"uri":"biomcp://`+long+`"}`),
			request("1", long, `{}`),
			request("1", "tools/call", `{"name":"`+long+`"}`),
			request("1", "logging/setLevel", `{"level":"`+long+`"}`),
		} {
			if g := r.ask(line); g.Error == nil || len(g.raw) > 1000 {
				t.Errorf("%.60s answered with %d bytes: %.100s", line, len(g.raw), g.raw)
			}
		}
	})
}

func TestProgressIsReportedWhereATokenIsGiven(t *testing.T) {
	slow := parsing(func(context.Context, []string, bool) Reply {
		<-time.After(7 * time.Second)
		return Reply{Text: "done"}
	})
	served(t, Options{Parse: slow, CallTimeout: 20 * time.Second}, func(t *testing.T, r *rig) {
		r.ask(initialize("0", "2025-06-18"))
		r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		for _, token := range []string{`"p"`, `7`} {
			r.send(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"x"},"_meta":{"progressToken":`+token+`}}`))
			for _, passed := range []int{2, 4, 6} {
				g := r.next()
				want := fmt.Sprintf(`"progress":%d,"progressToken":%s,"total":20`, passed, token)
				if g.Method != "notifications/progress" || !strings.Contains(string(g.Params), want) {
					t.Errorf("got %s; want %s", g.raw, want)
				}
			}
			if g := r.next(); g.text() != "done" {
				t.Errorf("got %s", g.raw)
			}
		}
		if g := r.ask(call("2", "x")); g.text() != "done" { // no token, no progress
			t.Errorf("got %s", g.raw)
		}
	})
}

// The texts that a client reads before its first call stay short.
func TestListOfToolsIsShort(t *testing.T) {
	served(t, Options{Description: Description, Version: "1"}, func(t *testing.T, r *rig) {
		r.ask(initialize("0", "2025-11-25"))
		if g := r.ask(request("1", "tools/list", "{}")); len(g.raw) >= 8000 || !strings.Contains(g.raw, "biomcp suggest") {
			t.Errorf("%d bytes: %.300s", len(g.raw), g.raw)
		}
	})
}
