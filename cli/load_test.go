//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/mcpshell"
	"biomcp/mcpshell/access"
	"biomcp/store/study/example"
)

// The load test is run by hand, on an otherwise idle machine:
//
//	go test ./cli -run TestLoad -load 60s -v -timeout 10m
//
// The clients of biomcp have a token; those of bare mcp-go have none.
var (
	kindCalls = flag.Int("kinds", 0, "how many calls TestMemoryOfManyKinds makes; 0 leaves it out")
	loadTime  = flag.Duration("load", 0, "how long each part of TestLoad takes; 0 leaves it out")
	loadCPU   = flag.String("load-cpu", "", "a file for the processor profile of the load on biomcp")
)

const (
	loadClients  = 64
	loadSessions = 1000
	// perClient exceeds the number of goroutines per client: its own, two of its connection,
	// two of the server, one of its call, and some that are about to end.
	perClient = 8
)

// toolCall returns the message of a call. line must not contain a double quote.
func toolCall(line string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"biomcp","arguments":{"command":"` + line + `"}}}`
}

// loadClient is a client that generates load.
type loadClient struct {
	*http.Client
	url, token, session string
	ctx                 context.Context
}

func newLoadClient(url, token string) (*loadClient, error) {
	c := &loadClient{&http.Client{Transport: &http.Transport{}}, url + "/mcp", token, "", context.Background()}
	resp, _, err := c.post(hello)
	if err == nil {
		c.session = resp.Header.Get("Mcp-Session-Id")
	}
	return c, err
}

func (c *loadClient) post(body string) (*http.Response, string, error) {
	q, err := http.NewRequestWithContext(c.ctx, "POST", c.url, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	if c.token != "" {
		q.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.session != "" {
		q.Header.Set("Mcp-Session-Id", c.session)
	}
	resp, err := c.Do(q)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, data)
	}
	return resp, string(data), err
}

// figures are the results of a load test.
type figures struct {
	perSecond     float64
	processor     time.Duration // per call, including the client
	p50, p99      time.Duration
	early, late   uint64 // bytes in use after a sixth of the time and at the end
	goroutines    [2]int
	slowest       time.Duration
	calls, failed int
}

func (f figures) String() string {
	return fmt.Sprintf("%d calls, %d failed, %.0f a second, %s of a processor each; p50 %s, p99 %s, slowest %s; %.1f then %.1f MB, %d then %d goroutines",
		f.calls, f.failed, f.perSecond, f.processor, f.p50, f.p99, f.slowest, mb(f.early), mb(f.late), f.goroutines[0], f.goroutines[1])
}

func mb(n uint64) float64 { return float64(n) / (1 << 20) }

// inUse returns the memory of the heap and stacks of this process.
func inUse() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// processorTime returns the processor time that this process has used.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// put makes clients call without pause and expects answers that contain want.
func put(t *testing.T, url, token, want string, d time.Duration) (f figures) {
	t.Helper()
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	begin, used := time.Now(), processorTime(t)
	end := begin.Add(d)
	for range loadClients {
		all.Go(func() {
			c, err := newLoadClient(url, token)
			var mine []time.Duration
			failed := 0
			for err == nil && time.Now().Before(end) {
				sent := time.Now()
				_, body, callErr := c.post(toolCall("get article 90100001"))
				mine = append(mine, time.Since(sent))
				if callErr != nil || !strings.Contains(body, want) || strings.Contains(body, `"isError":true`) {
					failed++
					t.Logf("%v %.300s", callErr, body)
				}
			}
			c.CloseIdleConnections()
			mu.Lock()
			defer mu.Unlock()
			took = append(took, mine...)
			if f.failed += failed; err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(d / 6)
	f.early, f.goroutines[0] = inUse(), runtime.NumGoroutine()
	time.Sleep(time.Until(end) - 500*time.Millisecond)
	f.late, f.goroutines[1] = inUse(), runtime.NumGoroutine()
	all.Wait()
	used = processorTime(t) - used
	if len(took) == 0 {
		t.Fatal("no call was answered")
	}
	slices.Sort(took)
	f.calls, f.perSecond = len(took), float64(len(took))/time.Since(begin).Seconds()
	f.processor = used / time.Duration(len(took))
	f.p50, f.p99, f.slowest = took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
	return f
}

// constant returns a bare mcp-go server with one tool that always gives the same answer.
func constant(text string) http.Handler {
	s := server.NewMCPServer("constant", "1")
	s.AddTool(mcp.NewTool("biomcp", mcp.WithString("command")), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(text), nil
	})
	return server.NewStreamableHTTPServer(s, server.WithStateful(true))
}

// loaded starts an HTTP server with a cached article. If secret is not empty, calls need a
// token.
func loaded(t *testing.T, secret string) (app *command.App, url, text string) {
	app = ncbiApp(t, synthetic(t))
	text, code := ask(t, app, command.Agent, "get article 90100001")
	if code != 0 {
		t.Fatal(text)
	}
	rules := access.Rules{Now: time.Now}
	if secret != "" {
		rules.Key = []byte(secret)
	}
	srv := httptest.NewServer(newShell(app, mcpshell.Options{MaxInFlight: 4 * loadClients}).NewServer(mcpshell.Site{Rules: rules, HTTP: mcpshell.HTTPOptions{MaxSessions: 2 * loadSessions, PerAccount: loadSessions}}))
	t.Cleanup(srv.Close)
	return app, srv.URL, text
}

func TestLoad(t *testing.T) {
	if *loadTime == 0 {
		t.Skip("the load is put on by hand: -load 60s")
	}
	_, url, text := loaded(t, secret)
	token, err := access.NewToken([]byte(secret), "load", time.Now(), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	bare := httptest.NewServer(constant(text))
	defer bare.Close()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Trim(string(quoted), `"`)
	put(t, url, token, want, time.Second) // warms up
	put(t, bare.URL, "", want, time.Second)
	if *loadCPU != "" {
		out, err := os.Create(*loadCPU)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		if err := pprof.StartCPUProfile(out); err != nil {
			t.Fatal(err)
		}
	}
	ours := put(t, url, token, want, *loadTime)
	pprof.StopCPUProfile()
	theirs := put(t, bare.URL, "", want, *loadTime)
	t.Logf("biomcp:      %s", ours)
	t.Logf("bare mcp-go: %s", theirs)
	t.Logf("ratio of calls a second: %.2f; of calls a second of a processor, where it has other work too: %.2f",
		ours.perSecond/theirs.perSecond, theirs.processor.Seconds()/ours.processor.Seconds())
	if ours.failed > 0 || ours.p99 >= 10*ours.p50 || ours.late > ours.early+ours.early/4+8<<20 || max(ours.goroutines[0], ours.goroutines[1]) > perClient*loadClients+16 {
		t.Error("calls failed, the slowest hundredth took ten times the half, or memory grew")
	}
}

// kindLines are command lines of twenty kinds. {id} stands for one of 200 ids and {n} for one
// of 26 numbers.
var kindLines = []string{
	"get article {id}", "get article {id} --json", "get article {id} abstract", "get article {id} mesh --json", "get article {id} citation --style ris",
	"search article synthetic --limit {n}", "search article synthetic --offset {n} --json", "search corpus 'synthetic record' --top-k {n}", "search corpus synthetic --top-k {n} --json",
	"get document pmid:{id}", "get document pmid:{id} --json", "search mesh synthetic", "suggest 'who cites {id}'", "skill {n}", "list article", "help get article",
	"study survival --study synthetic_demo --gene TP53 --chart survival", "study top-mutated --study synthetic_demo --limit {n}", "get article {id} nonsense", "serach article {id}",
}

// Memory use does not grow with the number of calls:
//
//	go test ./cli -run TestMemoryOfManyKinds -kinds 100000 -v -timeout 60m
func TestMemoryOfManyKinds(t *testing.T) {
	if *kindCalls == 0 {
		t.Skip("the calls are made by hand: -kinds 100000")
	}
	srv := entreztest.New(t)
	if err := srv.Add(entreztest.Generate(200, 3)); err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, srv)
	for _, line := range []string{"sync pubmed --query-key k --term synthetic", "study download " + example.ID} {
		if text, code := ask(t, app, command.Person, line); code != 0 {
			t.Fatal(text)
		}
	}
	server := httptest.NewServer(newShell(app, mcpshell.Options{}).NewServer(mcpshell.Site{}))
	defer server.Close()
	made := 0
	calls := func(until int) uint64 {
		var all sync.WaitGroup
		next := make(chan int)
		for range 4 {
			all.Go(func() {
				c, err := newLoadClient(server.URL, "")
				if err != nil {
					t.Error(err)
				}
				for i := range next {
					round := i / len(kindLines)
					line := strings.NewReplacer("{id}", strconv.Itoa(70000001+round%200), "{n}", strconv.Itoa(1+round%26)).Replace(kindLines[i%len(kindLines)])
					if _, text, err := c.post(toolCall(line)); err != nil ||
						strings.Contains(text, `"isError":true`) != (i%len(kindLines) >= len(kindLines)-2) {
						t.Errorf("%s: %v %.300s", line, err, text)
					}
				}
				c.CloseIdleConnections()
			})
		}
		for ; made < until; made++ {
			next <- made
		}
		close(next)
		all.Wait()
		return inUse()
	}
	early := calls(*kindCalls / 20)
	late := calls(*kindCalls)
	t.Logf("%.1f MB in use after %d calls, %.1f MB after %d", mb(early), *kindCalls/20, mb(late), *kindCalls)
	if late > early+10<<20 {
		t.Error("memory grew by more than 10 MB")
	}
}

// BenchmarkCachedArticle measures a call without the transport.
func BenchmarkCachedArticle(b *testing.B) {
	app := ncbiApp(b, synthetic(b))
	words, parse := []string{"get", "article", "90100001"}, Parser(app)
	if reply := parse(words).Run(b.Context(), false); reply.IsError {
		b.Fatal(reply.Text)
	}
	b.ReportAllocs()
	for b.Loop() {
		parse(words).Run(b.Context(), false)
	}
}

func TestIdleSessionsCostLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("opens a thousand connections")
	}
	_, url, _ := loaded(t, "")
	before := inUse()
	var ids []string
	for range loadSessions {
		c, err := newLoadClient(url, "")
		if err != nil {
			t.Fatal(err)
		}
		c.CloseIdleConnections()
		ids = append(ids, c.session)
	}
	sessions := inUse()
	for _, id := range ids {
		c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := fmt.Fprintf(c, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n", id); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 4096)); err != nil { // the header of the stream
			t.Fatal(err)
		}
	}
	listening := inUse()
	cost := func(after uint64) float64 { return mb(after - min(before, after)) }
	t.Logf("%d idle sessions: %.1f MB; each with an open stream, its connection included: %.1f MB", loadSessions, cost(sessions), cost(listening))
	if cost(sessions) > 50 {
		t.Errorf("%d idle sessions cost %.1f MB", loadSessions, cost(sessions))
	}
}
