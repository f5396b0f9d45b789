package mcpshell

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"biomcp/cli/result"
	"biomcp/mcpshell/access"
)

func TestMetrics(t *testing.T) {
	run := parsing(func(ctx context.Context, words []string, _ bool) Reply {
		switch words[0] {
		case "slow":
			<-time.After(3 * time.Second)
		case "panic":
			panic("no")
		case "stuck":
			<-ctx.Done()
		}
		if words[0] == "fail" {
			return Reply{IsError: true, Code: result.Upstream}
		}
		return Reply{}
	})
	o := Options{CallTimeout: 20 * time.Second, Parse: func(words []string) Call {
		c := run(words)
		c.Family = "family " + words[0]
		return c
	}}
	site := Site{Rules: access.Rules{Key: testKey}, Metrics: func() []Metric {
		return []Metric{{Name: "more", Type: "gauge", Help: "a\nb\\", Samples: []Sample{{Labels: []string{"x", "1", "y", "a\"b\\c\nd"}, Value: 0.5}, {Labels: []string{"x", "2"}, Value: 1e9}}}}
	}}
	overHTTP(t, o, site, func(t *testing.T, r *siteRig) {
		token := bearer(t, "alice")
		session := r.open("2025-11-25", token)
		for _, command := range []string{"quick", "quick", "slow", "fail", "panic", "stuck", "a | b", ""} {
			r.post(call("1", command), session, token)
		}
		a := r.do("GET", "/metrics", "", token)
		if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
			t.Errorf("%s %v", a.Status, a.Header)
		}
		for _, line := range []string{
			"# TYPE biomcp_calls_total counter",
			`biomcp_calls_total{family="family quick",outcome="ok"} 2`,
			`biomcp_calls_total{family="family fail",outcome="failed",code="UPSTREAM"} 1`,
			`biomcp_calls_total{family="family panic",outcome="panic",code="UNKNOWN"} 1`,
			`biomcp_calls_total{family="family stuck",outcome="deadline",code="UPSTREAM"} 1`,
			`biomcp_calls_total{family="none",outcome="refused",code="VALIDATION"} 1`,
			"# TYPE biomcp_call_duration_seconds histogram",
			`biomcp_call_duration_seconds_bucket{family="family slow",le="2.5"} 0`,
			`biomcp_call_duration_seconds_bucket{family="family slow",le="5"} 1`,
			`biomcp_call_duration_seconds_bucket{family="family slow",le="+Inf"} 1`,
			`biomcp_call_duration_seconds_sum{family="family slow"} 3`,
			`biomcp_call_duration_seconds_count{family="family slow"} 1`,
			`biomcp_call_duration_seconds_bucket{family="family quick",le="0.05"} 2`,
			"biomcp_calls_running 0", "biomcp_sessions 1",
			`# HELP more a\nb\\`, `more{x="1",y="a\"b\\c\nd"} 0.5`, `more{x="2"} 1e+09`,
		} {
			if !strings.Contains(a.body, line+"\n") {
				t.Errorf("no %s in\n%s", line, a.body)
			}
		}
		if strings.Contains(a.body, "alice") {
			t.Error("subjects are shown, which were not asked for")
		}
		r.do("DELETE", "/mcp", "", session, token)
		if a := r.do("GET", "/metrics", "", token); !strings.Contains(a.body, "biomcp_sessions 0\n") {
			t.Errorf("after the session's end:\n%s", a.body)
		}
		for _, header := range []string{"X: y", "Host: evil.org", "Origin: https://evil.org"} {
			if a := r.do("GET", "/metrics", "", header); a.StatusCode/100 != 4 {
				t.Errorf("%s: %s", header, a.Status)
			}
		}
	})
	site.MetricsBySubject = true
	overHTTP(t, o, site, func(t *testing.T, r *siteRig) {
		for _, subject := range []string{"alice", "bob", "alice"} {
			token := bearer(t, subject)
			r.post(call("1", "quick"), r.open("2025-11-25", token), token)
		}
		token := bearer(t, "carol")
		a := r.do("GET", "/metrics", "", token)
		for _, line := range []string{`biomcp_subject_calls_total{subject="alice",outcome="ok"} 2`, `biomcp_subject_calls_total{subject="bob",outcome="ok"} 1`} {
			if !strings.Contains(a.body, line+"\n") {
				t.Errorf("no %s in\n%s", line, a.body)
			}
		}
		for i := range 2 * maxSubjects {
			r.server.shell.counts.addCall(callLabels{outcome: "ok"}, strconv.Itoa(i), 0)
		}
		if n := len(r.server.shell.counts.subjects); n != maxSubjects+1 {
			t.Errorf("%d subjects are counted apart", n)
		}
	})
	overHTTP(t, o, Site{}, func(t *testing.T, r *siteRig) {
		if a := r.do("GET", "/metrics", ""); a.StatusCode != 404 {
			t.Errorf("not asked for: %s", a.Status)
		}
	})
}
