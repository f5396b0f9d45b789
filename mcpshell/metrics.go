package mcpshell

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Metric is a family of samples in Prometheus's text format
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
type Metric struct {
	Name, Help, Type string // Type is counter, gauge or histogram
	Samples          []Sample
}

// A Sample is one value. Labels holds names and values in turn. A label must have few values, so
// it must not contain a caller's text; subjects are allowed, because they come from the server's
// tokens.
type Sample struct {
	Suffix string // for a histogram: _bucket, _sum or _count
	Labels []string
	Value  float64
}

// WriteMetrics writes metrics in Prometheus's text format.
func WriteMetrics(w io.Writer, list []Metric) error {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	escapeHelp := strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.Name, escapeHelp.Replace(m.Help), m.Name, m.Type)
		for _, s := range m.Samples {
			b.WriteString(m.Name + s.Suffix)
			for i := 0; i+1 < len(s.Labels); i += 2 {
				separator := ","
				if i == 0 {
					separator = "{"
				}
				b.WriteString(separator + s.Labels[i] + `="` + escape.Replace(s.Labels[i+1]) + `"`)
			}
			if len(s.Labels) > 0 {
				b.WriteByte('}')
			}
			b.WriteString(" " + strconv.FormatFloat(s.Value, 'g', -1, 64) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// metrics returns the shell's own metrics. If bySubject is set, they include calls by subject.
func (s *Shell) metrics(bySubject bool) []Metric {
	c := s.counts
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []Metric{callCounter("biomcp_calls_total",
		"Calls of the tool, by command family, outcome and error code.", "family", c.outcomes)}
	if bySubject {
		list = append(list, callCounter("biomcp_subject_calls_total",
			"Calls of the tool, by subject and outcome.", "subject", c.subjects))
	}
	durations := Metric{
		Name: "biomcp_call_duration_seconds",
		Type: "histogram",
		Help: "How long calls took, from their arrival to their answer.",
	}
	for _, family := range slices.Sorted(maps.Keys(c.durations)) {
		h, n := c.durations[family], int64(0)
		for i, count := range h.counts {
			n += count
			bound := "+Inf"
			if i < len(buckets) {
				bound = strconv.FormatFloat(buckets[i], 'g', -1, 64)
			}
			sample := Sample{"_bucket", []string{"family", family, "le", bound}, float64(n)}
			durations.Samples = append(durations.Samples, sample)
		}
		durations.Samples = append(durations.Samples,
			Sample{"_sum", []string{"family", family}, h.sum},
			Sample{"_count", []string{"family", family}, float64(n)})
	}
	one := func(name, help string, value int) Metric {
		return Metric{Name: name, Type: "gauge", Help: help, Samples: []Sample{{Value: float64(value)}}}
	}
	return append(list, durations,
		one("biomcp_calls_running", "Calls that run now.", len(s.remote.running)+len(s.local.running)),
		one("biomcp_calls_waiting", "Calls that wait for their turn.", len(s.remote.waiting)+len(s.local.waiting)),
		one("biomcp_sessions", "Clients that are connected now.", c.sessions),
		Metric{Name: "biomcp_start_time_seconds", Type: "gauge", Help: "When the server started, in seconds since 1970.",
			Samples: []Sample{{Value: float64(c.since.UnixNano()/int64(time.Millisecond)) / 1000}}},
	)
}

// callCounter returns a counter of calls with their labels, sorted by them.
func callCounter(name, help, label string, calls map[callLabels]int64) Metric {
	m := Metric{Name: name, Type: "counter", Help: help}
	for _, l := range slices.SortedFunc(maps.Keys(calls), func(a, b callLabels) int {
		return strings.Compare(a.family+"\x00"+a.outcome+"\x00"+a.code, b.family+"\x00"+b.outcome+"\x00"+b.code)
	}) {
		labels := []string{label, l.family, "outcome", l.outcome}
		if l.code != "" {
			labels = append(labels, "code", l.code)
		}
		m.Samples = append(m.Samples, Sample{Labels: labels, Value: float64(calls[l])})
	}
	return m
}

// serveMetrics returns a handler for GET /metrics that writes the shell's metrics and more.
func (s *Shell) serveMetrics(bySubject bool, extra func() []Metric) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		// The write fails only if the client has disconnected.
		_ = WriteMetrics(w, append(s.metrics(bySubject), extra()...))
	})
}
