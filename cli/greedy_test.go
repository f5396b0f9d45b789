//go:build unix

package cli

import (
	"context"
	"flag"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/mcpshell"
	"biomcp/mcpshell/access"
)

var greedyTime = flag.Duration("greedy", 0, "how long each part of TestLatencyBesideAGreedyCaller takes; 0 leaves it out")

// A caller that uses all its connections and sends expensive calls as fast as the limits allow
// does not slow down the calls of another caller: neither cached answers, nor local data, nor
// requests to NCBI at its permitted rate.
//
//	go test ./cli -run TestLatencyBesideAGreedyCaller -greedy 30s -v -timeout 10m
func TestLatencyBesideAGreedyCaller(t *testing.T) {
	if *greedyTime == 0 {
		t.Skip("the load is put on by hand: -greedy 30s")
	}
	srv := entreztest.New(t, entreztest.NoLimit())
	if err := srv.Add(entreztest.Generate(2000, 3)); err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, srv)
	if text, code := ask(t, app, command.Person, "sync pubmed --query-key k --term 'synthetic AND 2005[pdat]'"); code != 0 {
		t.Fatal(text)
	}
	site := mcpshell.Site{Rules: access.Rules{Now: time.Now, Key: []byte(secret), Rate: access.NewRate(2*defaultRate, 2*time.Second)}}
	server := httptest.NewServer(newShell(app, mcpshell.Options{CallsPerMinute: defaultPerMinute}).NewServer(site))
	defer server.Close()
	as := func(who string) *loadClient {
		token, err := access.NewToken([]byte(secret), who, time.Now(), time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		c, err := newLoadClient(server.URL, token)
		for tries := 0; err != nil && strings.Contains(err.Error(), "requests a second") && tries < 10; tries++ { // the limit of its own rate
			time.Sleep(time.Second)
			c, err = newLoadClient(server.URL, token)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	next := 70000002
	measure := func(kind string) (p50, p99 time.Duration) {
		c, took := as("alice"), []time.Duration{}
		defer c.CloseIdleConnections()
		for end := time.Now().Add(*greedyTime); time.Now().Before(end); {
			line := map[string]string{"kept": "get article 70000001", "disk": "search corpus 'synthetic record'"}[kind]
			if line == "" {
				line, next = "get article "+strconv.Itoa(next), next+1
			}
			sent := time.Now()
			_, text, err := c.post(toolCall(line))
			took = append(took, time.Since(sent))
			if err != nil || strings.Contains(text, `"isError":true`) {
				t.Errorf("%s: %v %.300s", line, err, text)
			}
			time.Sleep(10 * time.Millisecond)
		}
		slices.Sort(took)
		return took[len(took)/2], took[len(took)*99/100]
	}
	kinds := []string{"kept", "disk", "NCBI"}
	idle := map[string]time.Duration{}
	for _, kind := range kinds {
		p50, p99 := measure(kind)
		idle[kind] = p99
		t.Logf("%s, idle: p50 %s, p99 %s", kind, p50, p99)
	}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var answered, refused atomic.Int64
	var sessions []*loadClient
	for range 63 {
		sessions = append(sessions, as("mallory"))
	}
	for session, c := range sessions {
		c.ctx = ctx
		for worker := range 4 {
			all.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					id := strconv.Itoa(70001000 + (session*4+worker+i)%1000)
					line := []string{"get article " + id + " all --no-cache", "search all synthetic --no-cache", "search corpus " + id, "get article " + id + " " + id + "1 similar citedby references --no-cache"}[(worker+i)%4]
					_, text, err := c.post(toolCall(line))
					if answered.Add(1); err != nil || strings.Contains(text, "RATE_LIMIT") {
						refused.Add(1)
						time.Sleep(rand.N(200 * time.Millisecond))
					}
				}
				c.CloseIdleConnections()
			})
		}
	}
	time.Sleep(2 * time.Second)
	for _, kind := range kinds {
		p50, p99 := measure(kind)
		t.Logf("%s, beside: p50 %s, p99 %s, %.1f times the idle one", kind, p50, p99, float64(p99)/float64(idle[kind]))
		if p99 >= 5*idle[kind] {
			t.Errorf("%s: others wait for a greedy caller", kind)
		}
	}
	stop()
	all.Wait()
	t.Logf("the greedy caller made %d calls, of which %d were refused", answered.Load(), refused.Load())
}
