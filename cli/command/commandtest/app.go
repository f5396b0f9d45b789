// Package commandtest makes the App of a test: on simulated sources, with folders of
// its own. Package clitest runs command lines on it.
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
	"biomcp/store/study/example"
)

// App is an App without an environment: no folder, no network.
func App() *command.App {
	return &command.App{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler)}
}

// Disk is an App with its own folders and no network, on 21 November 2026.
func Disk(t testing.TB) *command.App {
	t.Helper()
	app := App()
	app.Env = command.ReadEnv(lookup(map[string]string{"HOME": t.TempDir(), "BIOMCP_ENTREZ_URL": "http://127.0.0.1:9/", "NCBI_MAX_RETRIES": "0"}), "test")
	app.Now = func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	closeAtEnd(t, app)
	return app
}

// Empty is an App with an empty data folder and no network.
func Empty(t testing.TB) *command.App {
	t.Helper()
	app, home := App(), t.TempDir()
	app.Env = command.ReadEnv(func(name string) (string, bool) { return home, name == "HOME" }, "test")
	app.Env.Network.Transport = Refuse{}
	closeAtEnd(t, app)
	return app
}

// NCBI is an App on a simulated NCBI, with its own folder and pace.
func NCBI(t testing.TB, srv *entreztest.Server) *command.App {
	t.Helper()
	app := App()
	app.Env = command.ReadEnv(Environment(srv, t.TempDir()), "test")
	closeAtEnd(t, app)
	return app
}

func closeAtEnd(t testing.TB, app *command.App) {
	t.Cleanup(func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	})
}

func lookup(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// Environment returns the variables of a program that asks a server, with a key.
func Environment(srv *entreztest.Server, home string) func(string) (string, bool) {
	vars := map[string]string{"NCBI_API_KEY": entreztest.Key, "HOME": home, "NCBI_MAX_RETRIES": "0"}
	for _, v := range srv.Env() {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	return lookup(vars)
}

// PubMed is a simulated NCBI with the sample records and without a limit of requests:
// on a busy machine requests that were sent at the right pace can arrive too close to
// each other.
func PubMed(t testing.TB) *entreztest.Server {
	t.Helper()
	return entreztest.New(t, entreztest.File(Records(t)), entreztest.NoLimit())
}

// EverySource is PubMed with every other source.
func EverySource(t testing.TB) *entreztest.Server {
	t.Helper()
	srv := PubMed(t)
	sourcestest.AddTo(srv.Server)
	return srv
}

// InBubble runs a test with every simulator and an App that asks them, in a bubble of
// synctest: there time passes only while all wait, so that no deadline ends because the
// machine is busy.
func InBubble(t *testing.T, test func(*testing.T, *entreztest.Server, *command.App), options ...entreztest.Option) {
	t.Helper()
	warmCache(t)
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, append(options, entreztest.NoLimit(), entreztest.Unlisted())...)
		sourcestest.AddTo(srv.Server)
		app := App()
		app.Env = command.ReadEnv(Environment(srv, home), "test", sources.All()...)
		app.Env.Network.Transport = srv.Transport()
		defer app.Close()
		test(t, srv, app)
	})
}

// warmCache makes what packs and unpacks the cache's entries, which the tests share,
// outside of a bubble of synctest: what is made in one cannot be used by others.
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

// Paced runs a test with a simulated ClinicalTrials.gov, further simulators and an App
// on them without a cache, in a bubble of synctest, where their pace takes no time. It
// fails where a request came too fast.
func Paced(t *testing.T, test func(*testing.T, *sourcetest.Server, *command.App), more ...func(*sourcetest.Server)) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir()) // where the pace is shared without a cache folder
	synctest.Test(t, func(t *testing.T) {
		srv := sourcetest.New(t, sourcetest.Unlisted())
		ctgovtest.AddTo(srv)
		for _, add := range more {
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

// Root is the folder of the module, however deep the test lies.
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

// Records is the file of sample records.
func Records(t testing.TB) string {
	t.Helper()
	return filepath.Join(Root(t), "cmd", "biomcp", "testdata", "records.xml")
}

// Generated are the PMIDs of entreztest.Generate.
func Generated(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = strconv.Itoa(entreztest.FirstSynthetic + i)
	}
	return ids
}

// Study is Disk with the synthetic study, synthetic_demo.
func Study(t testing.TB) *command.App {
	t.Helper()
	app := Disk(t)
	if _, err := example.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	return app
}

// Made is a simulated NCBI with n generated records, each as change makes it.
func Made(t testing.TB, n int, change func(i int, m *entreztest.Made)) *entreztest.Server {
	t.Helper()
	if change == nil {
		change = func(int, *entreztest.Made) {}
	}
	return entreztest.New(t, entreztest.XML(entreztest.Generate(n, 1, change)), entreztest.NoLimit())
}

// Texts is a server with n articles of so many parts each in PMC, and a mark
// in every part.
func Texts(t testing.TB, n, parts int) (srv *entreztest.Server, ids, marks []string) {
	t.Helper()
	ids = Generated(n)
	srv = Made(t, n, func(i int, m *entreztest.Made) { m.PMCID = "PMC" + ids[i] })
	for _, id := range ids {
		var body strings.Builder
		for p := range parts {
			mark := fmt.Sprintf("mark-%s-%d.", id, p+1)
			marks = append(marks, mark)
			fmt.Fprintf(&body, "<sec><title>Part %d</title><p>%s %s</p></sec>", p+1, mark, strings.Repeat("word ", 500))
		}
		_, err := srv.AddJATS(fmt.Appendf(nil, `<article article-type="research-article"><front><article-meta><article-id pub-id-type="pmid">%s</article-id>`+
			`<article-id pub-id-type="pmc">%s</article-id></article-meta></front><body>%s</body></article>`, id, id, body.String()))
		if err != nil {
			t.Fatal(err)
		}
	}
	return srv, ids, marks
}

// Fail makes a server fail.
func Fail(t testing.TB, srv *entreztest.Server, f entreztest.Fault) {
	t.Helper()
	if err := srv.Fail(f); err != nil {
		t.Fatal(err)
	}
}

// Refuse is a network that refuses every connection.
type Refuse struct{}

func (Refuse) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// Note writes a file of an app's research library.
func Note(t testing.TB, app *command.App, name, text string) {
	t.Helper()
	file := filepath.Join(app.Env.LibraryDir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// atOnce is more requests a second than a test makes.
const atOnce = 10_000

// No test that has an App waits for its turn at a service: the rates of services are tested
// in entrez/polite and entrez/sources.
func init() {
	for _, s := range sources.All() {
		s.Rate.PerSecond = atOnce
		if s.Rate.WithKey > 0 {
			s.Rate.WithKey = atOnce
		}
	}
}
