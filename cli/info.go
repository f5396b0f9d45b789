package cli

import (
	"context"
	"maps"
	"slices"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/mcpshell"
)

// serverInfo is the content of biomcp://info. It is built without network requests.
type serverInfo struct {
	Name             string   `json:"name"`
	Version          string   `json:"version"`
	Description      string   `json:"description"`
	DocumentationURL string   `json:"documentation_url"`
	ProtocolVersions []string `json:"protocol_versions"`
	Contact          bool     `json:"contact_configured"`
	NCBI             ncbiInfo `json:"ncbi"`
	Eutilities       []string `json:"supported_eutilities"`
	Sources          []string `json:"sources"`
	Sessions         int      `json:"sessions"`
	Calls            int64    `json:"calls"`
	Uptime           int64    `json:"uptime_seconds"`
}

// ncbiInfo describes the access of this server to NCBI. Status is "ok" or "failing" after the
// latest request, or "not asked yet".
type ncbiInfo struct {
	APIKey      bool    `json:"api_key"`
	Tool        string  `json:"tool"`
	PolicyURL   string  `json:"usage_policy_url"`
	RateLimit   string  `json:"rate_limit"`
	QueueLength int64   `json:"queue_length"`
	Status      string  `json:"status"`
	LastContact *string `json:"last_contact"` // RFC 3339
}

func (serverInfo) Doc() result.Doc { return nil }

// info returns the text of biomcp://info.
func (l library) info(ctx context.Context) string {
	network := l.app.Env.Network
	keyed := network.Keys[ncbi.Key.Variable] != ""
	stats := l.stats()
	out := serverInfo{
		Name: "biomcp", Version: l.app.Version,
		Description: "One read-only tool, biomcp, over PubMed and related databases.", DocumentationURL: overviewURI,
		ProtocolVersions: mcpshell.ProtocolVersions(), Contact: network.Email != "",
		NCBI: ncbiInfo{APIKey: keyed, Tool: network.Tool,
			PolicyURL: "https://www.ncbi.nlm.nih.gov/books/NBK25497/", RateLimit: ncbi.Rate.Text(keyed),
			Status: "not asked yet"},
		Eutilities: entrez.Utilities(), Sources: result.Map(l.app.Env.Sources,
			func(s *httpclient.Source) string { return s.Name }),
		Sessions: stats.Sessions, Calls: stats.Calls, Uptime: int64(stats.Uptime.Seconds()),
	}
	var notices []string
	client := l.app.Network()
	if err := client.Err(); err != nil {
		notices = append(notices, failureOf(ctx, err).Message)
	}
	out.NCBI.QueueLength = client.Waiting(ncbi.Rate.Group)
	for _, a := range client.Activity() {
		if a.Source != entrez.Source.Name || a.Last.IsZero() {
			continue
		}
		out.NCBI.LastContact, out.NCBI.Status = new(a.Last.UTC().Format(time.RFC3339)), "failing"
		if a.Answered {
			out.NCBI.Status = "ok"
		}
	}
	text, _ := RenderAnswer(result.Outcome{Result: &result.Result{Payload: out, Notices: notices}}, true, 0)
	return text
}

// upstream returns the request counters of the sources, for GET /metrics.
func upstream(app *command.App) func() []mcpshell.Metric {
	return func() []mcpshell.Metric {
		client := app.Network()
		requests := mcpshell.Metric{Name: "biomcp_upstream_requests_total", Type: "counter",
			Help: "Requests to each source, by the HTTP status of the reply, or failed."}
		cached := mcpshell.Metric{Name: "biomcp_cache_hits_total", Type: "counter",
			Help: "Replies of each source that came from the response cache."}
		for _, a := range client.Activity() {
			for _, status := range slices.Sorted(maps.Keys(a.Requests)) {
				requests.Samples = append(requests.Samples,
					mcpshell.Sample{Labels: []string{"source", a.Source, "status", status},
						Value: float64(a.Requests[status])})
			}
			cached.Samples = append(cached.Samples,
				mcpshell.Sample{Labels: []string{"source", a.Source}, Value: float64(a.Cached)})
		}
		queue := mcpshell.Metric{Name: "biomcp_upstream_queue", Type: "gauge",
			Help: "Requests that wait for their turn, by the lane of sources that share a rate limit."}
		for _, lane := range lanes(app.Env.Sources) {
			queue.Samples = append(queue.Samples,
				mcpshell.Sample{Labels: []string{"lane", lane}, Value: float64(client.Waiting(lane))})
		}
		return []mcpshell.Metric{requests, cached, queue}
	}
}

// lanes returns the names of the rate limits that the sources use.
func lanes(list []*httpclient.Source) (names []string) {
	for _, s := range list {
		if !slices.Contains(names, s.Rate.Group) {
			names = append(names, s.Rate.Group)
		}
	}
	return names
}
