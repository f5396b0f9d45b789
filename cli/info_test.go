package cli

import (
	"encoding/json"
	"io"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/mcpshell"
)

func TestServerInfo(t *testing.T) {
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	app.Env.Network.Email = "someone@example.org"
	l := library{app, func() mcpshell.Stats { return mcpshell.Stats{Sessions: 2, Calls: 3} }}
	read := func() (info serverInfo, text string) {
		t.Helper()
		r, found, err := l.Read(t.Context(), infoURI)
		if err != nil || !found || r.MIME != jsonMIME || json.Unmarshal([]byte(r.Text), &info) != nil {
			t.Fatal(r, found, err)
		}
		return info, r.Text
	}
	info, text := read()
	var members map[string]any
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		t.Fatal(err)
	}
	want := []string{"_meta", "calls", "contact_configured", "description", "documentation_url", "name", "ncbi", "notices", "protocol_versions", "sessions", "sources", "supported_eutilities", "uptime_seconds", "version"}
	if got := slices.Sorted(maps.Keys(members)); !slices.Equal(got, want) {
		t.Errorf("members %q", got)
	}
	ncbi, _ := members["ncbi"].(map[string]any)
	want = []string{"api_key", "last_contact", "queue_length", "rate_limit", "status", "tool", "usage_policy_url"}
	if got := slices.Sorted(maps.Keys(ncbi)); !slices.Equal(got, want) {
		t.Errorf("members of ncbi %q", got)
	}
	if info.NCBI.Status != "not asked yet" || info.NCBI.LastContact != nil || !info.Contact || info.Sessions != 2 || info.Calls != 3 || !slices.Contains(info.Eutilities, "EFetch") || info.ProtocolVersions[0] != "2026-07-28" {
		t.Errorf("%s", text)
	}
	if _, code := ask(t, app, command.Agent, "get article 90100001"); code != 0 {
		t.Fatal("no article")
	}
	if info, text = read(); info.NCBI.Status != "ok" || info.NCBI.LastContact == nil {
		t.Errorf("after a request: %s", text)
	}
	if err := srv.Fail(entreztest.Fault{Kind: entreztest.Down503, Times: -1}); err != nil {
		t.Fatal(err)
	}
	_, _ = ask(t, app, command.Agent, "get article 90100002 --no-cache")
	if info, text = read(); info.NCBI.Status != "failing" {
		t.Errorf("after a failure: %s", text)
	}
	for _, private := range []string{app.Env.DataDir, app.Env.CacheDir, app.Env.Network.Email, entreztest.Key} {
		t.Run(private, func(t *testing.T) {
			if strings.Contains(text, private) {
				t.Errorf("%s is in %s", private, text)
			}
		})
	}
}

func TestMetricsOfSources(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	server := NewShell(app, 60)
	in := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"biomcp","arguments":{"command":"COMMAND"}}}`
	for _, line := range []string{"get article 90100001", "get article 90100001", "cache path", "artcle secret-query", "search article --no-such-flag"} {
		t.Run(line, func(t *testing.T) {
			if err := server.ServeStdio(t.Context(), strings.NewReader(strings.Replace(in, "COMMAND", line, 1)), io.Discard); err != nil {
				t.Fatal(err)
			}
		})
	}
	w := httptest.NewRecorder()
	server.NewServer(mcpshell.Site{Metrics: upstream(app)}).ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/metrics", nil))
	text := w.Body.String()
	for _, line := range []string{
		`biomcp_calls_total{family="get article",outcome="ok"} 2`,
		`biomcp_calls_total{family="cache path",outcome="failed",code="VALIDATION"} 1`,
		`biomcp_calls_total{family="none",outcome="failed",code="VALIDATION"} 1`,
		`biomcp_upstream_queue{lane="ncbi"} 0`,
		`biomcp_call_duration_seconds_count{family="get article"} 2`,
	} {
		t.Run(line, func(t *testing.T) {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("no %s in\n%s", line, text)
			}
		})
	}
	for _, begins := range []string{`biomcp_upstream_requests_total{source="entrez",status="200"} `, `biomcp_cache_hits_total{source="entrez"} `} {
		t.Run(begins, func(t *testing.T) {
			if _, n, ok := strings.Cut(text, begins); !ok || n[0] < '1' {
				t.Errorf("no %s in\n%s", begins, text)
			}
		})
	}
	if strings.Contains(text, "90100001") || strings.Contains(text, "secret") {
		t.Errorf("what was asked is in\n%s", text)
	}
}
