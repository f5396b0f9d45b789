package cli

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
)

// distant is a transport that delays each reply.
type distant struct {
	next http.RoundTripper
	wait time.Duration
}

func (d distant) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(d.wait)
	return d.next.RoundTrip(r)
}

// BenchmarkBreadth_100ms measures questions about genes and variants if each request takes 100
// ms, with an API key and an empty cache.
func BenchmarkBreadth_100ms(b *testing.B) {
	srv := entreztest.New(b, entreztest.File(sampleRecords), entreztest.NoLimit())
	sourcestest.AddTo(srv.Server)
	for _, line := range []string{
		"get gene BRAF", "get gene P53", "get gene BRAF all", "search gene kinase", "get variant rs113488022", "get variant 13961 all", "search variant -g BRAF",
	} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			requests := 0
			for b.Loop() {
				vars := map[string]string{"NCBI_API_KEY": entreztest.Key, "HOME": b.TempDir()}
				for _, v := range srv.Env() {
					name, value, _ := strings.Cut(v, "=")
					vars[name] = value
				}
				app := toyApp()
				app.Env = command.ReadEnv(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }, "test", sources.All()...)
				app.Env.Network.Transport, app.Now = distant{srv.Transport(), 100 * time.Millisecond}, time.Now
				srv.ClearRequests()
				Run(b.Context(), app, command.IO{}, strings.Fields(line), command.Agent)
				requests = srv.Count()
				if err := app.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(requests), "requests/op")
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
		})
	}
}
