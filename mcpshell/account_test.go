package mcpshell

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/mcpshell/access"
)

// audited returns the lines of a log, which must be JSON objects with the same fields.
func audited(t *testing.T, audit *logBuffer) (lines []map[string]any) {
	t.Helper()
	for line := range strings.Lines(audit.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		fields := "bytes call code command duration_ms level method msg outcome peer request session subject time"
		if got := strings.Join(slices.Sorted(maps.Keys(v)), " "); got != fields {
			t.Errorf("a line with %s; want %s", got, fields)
		}
		lines = append(lines, v)
	}
	return lines
}

// brief returns a log line without times and without names that the server chose.
func brief(v map[string]any) string {
	return fmt.Sprintf("%v|%v|%v|%v|%v|%v|%v|%v", v["msg"], v["request"], v["subject"], v["peer"], v["method"], v["command"], v["outcome"], v["bytes"])
}

// Each call, rejected token and session writes one line to the log and to the audit log.
func TestAccountOverHTTP(t *testing.T) {
	audit := &logBuffer{}
	site := Site{Rules: access.Rules{Key: testKey, Now: time.Now}, HTTP: HTTPOptions{PerAccount: 1}, Library: http.NotFoundHandler()}
	overHTTP(t, Options{Resources: shelf(1), Audit: audit}, site, func(t *testing.T, r *siteRig) {
		alice := bearer(t, "alice")
		session := r.open("2025-11-25", alice)
		r.post(initialize("1", "2025-11-25"), alice)
		time.Sleep(time.Minute)
		r.post(call("41", "get article 32051057"), session, alice)
		r.post(request(`"r"`, "resources/read", `{"uri":"biomcp://book/0"}`), session, alice)
		r.post(request("42", "tools/call", `{"name":"rm"}`), session, alice)
		modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
		r.post(request("43", "tools/call", `{"name":"biomcp","arguments":{"command":"list"},`+modern+`}`), alice,
			"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: biomcp")
		expired, err := access.NewToken(testKey, "mallory", time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		forged := "eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.AAAA"
		for _, token := range []string{expired, forged} {
			r.post(call("1", "list"), session, "Authorization: Bearer "+token)
		}
		r.post(call("1", "list"), session)
		pasted := strings.TrimPrefix(alice, "Authorization: ")
		r.post(call("44", "search article x --api-key SECRET "+pasted), session, alice)
		r.post(call("45", "list "+strings.TrimPrefix(pasted, "Bearer ")), session, alice)
		r.do("DELETE", "/mcp", "", session, alice)
		synctest.Wait()

		lines := audited(t, audit)
		var got []string
		for _, v := range lines {
			got = append(got, brief(v))
		}
		const missing = "a token is required: Authorization: Bearer, made with biomcp serve-http token"
		want := []string{
			"session||alice|pipe|initialize|t 2025-11-25|opened|0",
			"session||alice|pipe|initialize|t 2025-11-25|too many sessions of one caller|0",
			`call|41|alice|pipe|tools/call|get article 32051057|ok|39`,
			`read|"r"|alice|pipe|resources/read|biomcp://book/0|ok|36`,
			`call|42|alice|pipe|tools/call|"rm"|refused|0`,
			`call|43|alice|pipe|tools/call|list|ok|19`,
			"token|||pipe|POST|/mcp|the token has expired|0",
			"token|||pipe|POST|/mcp|this server did not issue the token|0",
			"token|||pipe|POST|/mcp|" + missing + "|0",
			"call|44|alice|pipe|tools/call|search article x --api-key [hidden] Bearer [hidden]|ok|253",
			"call|45|alice|pipe|tools/call|list [hidden]|ok|207",
			"session||alice|pipe|initialize|t 2025-11-25|ended|0",
		}
		for i, line := range want {
			if i >= len(got) || got[i] != line {
				t.Errorf("line %d:\n got %s\nwant %s", i, strings.Join(got[i:min(i+1, len(got))], ""), line)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d lines: %q", len(got), got[min(len(want), len(got)):])
		}
		first, last := lines[0], lines[len(lines)-1]
		if first["session"] == "" || lines[2]["session"] != first["session"] || last["session"] != first["session"] || lines[1]["session"] == first["session"] || lines[5]["session"] != "" {
			t.Errorf("sessions: %v", lines)
		}
		if last["duration_ms"] != float64(time.Minute/time.Millisecond) {
			t.Errorf("a session of a minute: %v", last)
		}
		// Nothing of a token, and no id of a session, since who has one can use it.
		for _, name := range append(strings.Split(expired+"."+forged+"."+strings.TrimPrefix(pasted, "Bearer "), "."), strings.TrimPrefix(session, "Mcp-Session-Id: "), "SECRET", "mallory") {
			for _, text := range []string{audit.String(), r.log.String()} {
				if strings.Contains(text, name) {
					t.Errorf("%q is in\n%s", name, text)
				}
			}
		}
		for _, v := range lines {
			if !strings.Contains(r.log.String(), v["call"].(string)) {
				t.Errorf("not in the log: %v", v)
			}
		}
	})
}

func TestAccountOverStdio(t *testing.T) {
	audit := &logBuffer{}
	served(t, Options{Resources: shelf(1), Audit: audit}, func(t *testing.T, r *rig) {
		r.ask(initialize("0", "2025-11-25"))
		r.ask(call("1", "list --token SECRET"))
		r.ask(request("2", "resources/read", `{"uri":"biomcp://no"}`))
		lines := audited(t, audit)
		if len(lines) != 3 || lines[0]["session"] == "" || lines[0]["session"] != lines[1]["session"] {
			t.Fatal(audit)
		}
		for i, want := range []string{
			"session|||stdio|initialize|t 2025-11-25|opened|0",
			"call|1||stdio|tools/call|list --token [hidden]|ok|38",
			"read|2||stdio|resources/read|biomcp://no|not found|0",
		} {
			if got := brief(lines[i]); got != want {
				t.Errorf("line %d:\n got %s\nwant %s", i, got, want)
			}
		}
	})
}

// The audit log gets every line at any log level.
func TestAuditWithoutLog(t *testing.T) {
	audit := &logBuffer{}
	s := New(Options{Parse: parsing(echo), Audit: audit})
	in, out := io.Pipe()
	go func() {
		_, _ = io.WriteString(out, call("1", "list")+"\n")
		out.Close()
	}()
	if err := s.ServeStdio(t.Context(), in, io.Discard); err != nil {
		t.Error(err)
	}
	if lines := audited(t, audit); len(lines) != 1 {
		t.Errorf("%d lines: %s", len(lines), audit)
	}
}
