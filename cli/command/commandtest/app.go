// Package commandtest makes command.App values for tests, with simulated sources and
// temporary folders. Package clitest runs command lines on them.
//
//	app := commandtest.NCBI(t, commandtest.EverySource(t))
//	text, code := clitest.Ask(t, app, command.Agent, "get gene BRAF")
package commandtest

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/cli/command"
	"biomcp/entrez/ctgov/ctgovtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
	"biomcp/rag/weaviate"
	"biomcp/store/study/example"
)

// App returns an App with an empty environment.
func App() *command.App {
	return &command.App{
		Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), OpenEngine: weaviate.Open,
	}
}

// Disk returns an App with temporary folders and no network, whose clock stands at 21
// November 2026.
func Disk(t testing.TB) *command.App {
	t.Helper()
	app := App()
	app.Env = command.ReadEnv(lookup(map[string]string{
		"HOME": t.TempDir(), "BIOMCP_ENTREZ_URL": "http://127.0.0.1:9/", "NCBI_MAX_RETRIES": "0",
	}), "test", sources.All()...)
	app.Now = func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	closeAtEnd(t, app)
	return app
}

// Empty returns an App with an empty data folder, whose network refuses every connection.
func Empty(t testing.TB) *command.App {
	t.Helper()
	app, home := App(), t.TempDir()
	app.Env = command.ReadEnv(func(name string) (string, bool) { return home, name == "HOME" }, "test", sources.All()...)
	app.Env.Network.Transport = RefusingTransport{}
	closeAtEnd(t, app)
	return app
}

// NCBI returns an App that uses a simulated NCBI, with its own folder and rate limiter.
func NCBI(t testing.TB, srv *entreztest.Server) *command.App {
	t.Helper()
	app := App()
	app.Env = command.ReadEnv(Environment(srv, t.TempDir()), "test", sources.All()...)
	closeAtEnd(t, app)
	return app
}

// closeAtEnd closes the App at the end of the test.
func closeAtEnd(t testing.TB, app *command.App) {
	t.Cleanup(func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	})
}

// lookup returns a function that looks up environment variables in a map.
func lookup(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// Environment returns the environment of a program that uses srv, with an API key.
func Environment(srv *entreztest.Server, home string) func(string) (string, bool) {
	vars := map[string]string{"NCBI_API_KEY": entreztest.Key, "HOME": home, "NCBI_MAX_RETRIES": "0"}
	for _, v := range srv.Env() {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	return lookup(vars)
}

// PubMed starts a simulated NCBI with the sample records. It has no rate limit, since on a
// busy machine requests that were sent at the right pace can arrive too close together.
func PubMed(t testing.TB, options ...entreztest.Option) *entreztest.Server {
	t.Helper()
	return entreztest.New(t, append(options, entreztest.File(Records(t)), entreztest.NoLimit())...)
}

// EverySource starts a simulated NCBI with the sample records and every other source.
func EverySource(t testing.TB, options ...entreztest.Option) *entreztest.Server {
	t.Helper()
	srv := PubMed(t, options...)
	sourcestest.AddTo(srv.Server)
	return srv
}

// WithFakeClock runs a test in a synctest bubble, with simulators of all sources and an App that
// uses them. Time in the bubble advances only while all goroutines wait, so that a busy
// machine cannot exceed a deadline.
func WithFakeClock(t *testing.T, test func(*testing.T, *entreztest.Server, *command.App), options ...entreztest.Option) {
	t.Helper()
	warmCache(t)
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, append(options, entreztest.NoLimit(), entreztest.WithoutNetwork())...)
		sourcestest.AddTo(srv.Server)
		app := App()
		app.Env = command.ReadEnv(Environment(srv, home), "test", sources.All()...)
		app.Env.Network.Transport = srv.Transport()
		defer app.Close()
		test(t, srv, app)
	})
}

// warmCache creates the shared compressor and decompressor of the cache outside of a synctest
// bubble, since values created in one bubble cannot be used in another.
func warmCache(t *testing.T) {
	t.Helper()
	cache, err := Disk(t).Cache()
	if err != nil {
		t.Fatal(err)
	}
	if err := cache.Put(t.Context(), "warm", []byte("words"), time.Hour); err != nil {
		t.Fatal(err)
	}
	if body, found, err := cache.Get(t.Context(), "warm"); err != nil || !found || string(body) != "words" {
		t.Fatal(string(body), found, err)
	}
}

// WithRateLimits runs a test in a synctest bubble, where waiting takes no time, with a simulated
// ClinicalTrials.gov, the simulators that addSources adds, and an App without a cache that uses
// them. The test fails if the App exceeds a rate limit.
func WithRateLimits(t *testing.T, test func(*testing.T, *sourcetest.Server, *command.App), addSources ...func(*sourcetest.Server)) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir()) // processes without a cache folder share their rate limits here
	synctest.Test(t, func(t *testing.T) {
		srv := sourcetest.New(t, sourcetest.WithoutNetwork())
		ctgovtest.AddTo(srv)
		for _, add := range addSources {
			add(srv)
		}
		vars := map[string]string{}
		for _, v := range srv.Env() {
			name, value, _ := strings.Cut(v, "=")
			vars[name] = value
		}
		app := App()
		app.Env = command.ReadEnv(lookup(vars), "test", sources.All()...)
		app.Env.Network.Transport = srv.Transport()
		test(t, srv, app)
		if srv.Limited() > 0 {
			t.Errorf("%d requests came too fast", srv.Limited())
		}
	})
}

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	t.Fatal("the test is in no module")
	return ""
}

// Records returns the path of the file of sample records.
func Records(t testing.TB) string {
	t.Helper()
	return filepath.Join(Root(t), "cmd", "biomcp", "testdata", "records.xml")
}

// GeneratedPMIDs returns the PMIDs of the first n records of entreztest.Generate.
func GeneratedPMIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = strconv.Itoa(entreztest.FirstSynthetic + i)
	}
	return ids
}

// Study returns an App like that of Disk, with the synthetic study synthetic_demo.
func Study(t testing.TB) *command.App {
	t.Helper()
	app := Disk(t)
	if _, err := example.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	return app
}

// GeneratedNCBI starts a simulated NCBI with n generated records. If change is not nil, it may modify
// each record.
func GeneratedNCBI(t testing.TB, n int, change func(i int, m *entreztest.SyntheticRecord)) *entreztest.Server {
	t.Helper()
	if change == nil {
		change = func(int, *entreztest.SyntheticRecord) {}
	}
	return entreztest.New(t, entreztest.XML(entreztest.Generate(n, 1, change)), entreztest.NoLimit())
}

// FullTexts starts a simulated NCBI with n articles in PMC. Each has the given number of parts, and
// each part contains a unique mark. It returns the PMIDs and the marks.
func FullTexts(t testing.TB, n, parts int) (srv *entreztest.Server, ids, marks []string) {
	t.Helper()
	ids = GeneratedPMIDs(n)
	srv = GeneratedNCBI(t, n, func(i int, m *entreztest.SyntheticRecord) { m.PMCID = "PMC" + ids[i] })
	for _, id := range ids {
		var body strings.Builder
		for p := range parts {
			mark := fmt.Sprintf("mark-%s-%d.", id, p+1)
			marks = append(marks, mark)
			fmt.Fprintf(&body, "<sec><title>Part %d</title><p>%s %s</p></sec>", p+1, mark, strings.Repeat("word ", 500))
		}
		article := fmt.Appendf(nil, `<article article-type="research-article"><front><article-meta>`+
			`<article-id pub-id-type="pmid">%s</article-id><article-id pub-id-type="pmc">%s</article-id>`+
			`</article-meta></front><body>%s</body></article>`, id, id, body.String())
		if _, err := srv.AddJATS(article); err != nil {
			t.Fatal(err)
		}
	}
	return srv, ids, marks
}

// Fail makes a server return a fault.
func Fail(t testing.TB, srv *entreztest.Server, f entreztest.Fault) {
	t.Helper()
	if err := srv.Fail(f); err != nil {
		t.Fatal(err)
	}
}

// RefusingTransport is an http.RoundTripper that refuses every connection.
type RefusingTransport struct{}

func (RefusingTransport) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// WriteLibraryFile writes a file to the research library of an App.
func WriteLibraryFile(t testing.TB, app *command.App, name, text string) {
	t.Helper()
	file := filepath.Join(app.Env.LibraryDir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// unlimitedRate is a rate in requests per second that no test reaches.
const unlimitedRate = 10_000

// Tests with an App do not wait for rate limits. Packages entrez/httpclient and entrez/sources test
// these.
func init() {
	for _, s := range sources.All() {
		s.Rate.PerSecond = unlimitedRate
		if s.Rate.WithKey > 0 {
			s.Rate.WithKey = unlimitedRate
		}
	}
}
