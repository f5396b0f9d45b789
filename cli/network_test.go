package cli

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sources"
)

// blackHole dials connections that are neither accepted nor refused.
func blackHole(ctx context.Context, network, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, &net.OpError{Op: "dial", Net: network, Err: ctx.Err()}
}

type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

type stalling struct{}

func (stalling) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// unconnectedApp returns an App without a cache, for use in a synctest bubble.
func unconnectedApp(transport http.RoundTripper) *command.App {
	app := toyApp()
	app.Env = command.ReadEnv(func(name string) (string, bool) { return "", false }, "test", sources.All()...)
	app.Env.Network.Transport, app.Env.Network.Dial = transport, blackHole
	app.Now = time.Now
	return app
}

func exitOf(ctx context.Context, app *command.App, streams command.IO, line string) int {
	return ExitStatus(Run(ctx, app, streams, strings.Fields(line), command.Person))
}

func TestNoNetworkIsReportedWithinThreeSeconds(t *testing.T) {
	for _, line := range []string{"search article asthma", "get article 90100001", "get article 90100001 10.1000/xyz all"} {
		t.Run(line, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir()) // without a cache folder, rate limits are shared there
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				if code := exitOf(t.Context(), unconnectedApp(nil), command.IO{Err: io.Discard}, line); code != 1 {
					t.Errorf("exit %d", code)
				}
				if took := time.Since(began); took >= 3*time.Second {
					t.Errorf("%s took %v", line, took)
				}
			})
		})
	}
}

func TestOneDeadlineHoldsForACommand(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // without a cache folder, rate limits are shared there
	synctest.Test(t, func(t *testing.T) {
		app := unconnectedApp(stalling{})
		app.Env.Network.Deadline = 20 * time.Second
		began := time.Now()
		if code := exitOf(t.Context(), app, command.IO{Err: io.Discard}, "get article 90100001 10.1000/xyz"); code != 1 {
			t.Errorf("exit %d", code)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("a PMID and a DOI took %v under a deadline of 20 s", took)
		}
	})
}

func TestTerminalShowsWhatIsWaitedFor(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // without a cache folder, rate limits are shared there
	synctest.Test(t, func(t *testing.T) {
		app := unconnectedApp(stalling{})
		app.Env.Network.Timeout = 4 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		var screen bytes.Buffer
		exitOf(ctx, app, command.IO{Err: &screen, ErrTTY: true}, "search article asthma")
		shown := screen.String()
		for _, want := range []string{"waiting for NCBI E-utilities: attempt 1, 2 s", "attempt 1, 3 s", "attempt 2, 6 s"} {
			if !strings.Contains(shown, want) {
				t.Errorf("%q is missing in %q", want, shown)
			}
		}
		if strings.Contains(shown, "1 s") || !strings.HasSuffix(shown, clearLine) {
			t.Errorf("shown too early, or not wiped: %q", shown)
		}
	})
}

func TestKeptAnswerIsOfferedWithItsAgeAtEachDoor(t *testing.T) {
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	if text, code := ask(t, app, command.Person, "get article 90100001"); code != 0 {
		t.Fatal(text)
	}
	// Another process, later: the cached replies have expired.
	later := ncbiApp(t, srv)
	later.Env.CacheDir = app.Env.CacheDir
	later.Env.Network.Transport = refusing{}
	for _, line := range []string{"get article 90100001", "get article 90100001 --offline"} {
		t.Run(line, func(t *testing.T) {
			expire(t, filepath.Join(app.Env.CacheDir, "responses.db"))
			for name, out := range map[string]string{
				"terminal": answer(t, later, command.Person, line),
				"JSON":     answer(t, later, command.Person, line+" --json"),
				"MCP":      answer(t, later, command.Agent, line),
			} {
				if !strings.Contains(out, "is from the response cache, 3 days old (stored 20") || !strings.Contains(out, "90100001") {
					t.Errorf("%s, %s: %s", line, name, out)
				}
			}
		})
	}
	text, code := ask(t, later, command.Person, "get article 90100002 --offline")
	if code != 1 || !strings.Contains(text, "--offline") || !strings.Contains(text, "biomcp get article 90100002\n") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := ask(t, later, command.Person, "get article 90100001 --offline --no-cache"); code != 2 {
		t.Errorf("exit %d: %s", code, text)
	}
}

func answer(t *testing.T, app *command.App, may command.Policy, line string) string {
	t.Helper()
	text, code := ask(t, app, may, line)
	if code != 0 {
		return "failed: " + text
	}
	return text
}

// expire makes each entry of a response cache three days old and stale.
func expire(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE reply SET stored=unixepoch()-3*86400, expires=unixepoch()-1"); err != nil {
		t.Fatal(err)
	}
}

func TestProgressOfWorkThatTakesLong(t *testing.T) {
	for name, c := range map[string]struct {
		terminal bool
		want     []string
	}{
		"terminal": {true, []string{
			clearLine + "[                        ] 0 of 4 full texts, 2 s", clearLine + "[======                  ] 1 of 4 full texts, 3 s",
			clearLine + "[============            ] 2 of 4 full texts, 5 s", clearLine + "working, 9 s" + clearLine,
		}},
		"pipe": {false, []string{"2 of 4 full texts, 5 s\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var screen bytes.Buffer
				watch := &httpclient.Progress{}
				stop := showWaiting(command.IO{Err: &screen, ErrTTY: c.terminal}, func(took, long time.Duration) string {
					return cmp.Or(progressLine(watch, took, long, c.terminal), fmt.Sprintf("working, %.0f s", took.Seconds()))
				})
				step := httpclient.BeginTask(httpclient.WithProgress(t.Context(), watch), "full texts", 4)
				for range 4 {
					time.Sleep(2*time.Second + 100*time.Millisecond)
					step()
				}
				time.Sleep(time.Second)
				stop()
				shown := screen.String()
				for _, want := range c.want {
					if !strings.Contains(shown, want) {
						t.Errorf("%s: %q is missing in %q", name, want, shown)
					}
				}
				if strings.Contains(shown, ", 1 s") || !c.terminal && strings.Count(shown, "\n") != 1 {
					t.Errorf("%s: %q", name, shown)
				}
			})
		})
	}
}

// A command that stores shows the service that it waits for, unless it shows its own progress.
// A command that waits for the user shows nothing.
func TestProgressOfACommandThatStores(t *testing.T) {
	for name, c := range map[string]struct {
		cmd  command.Command
		asks bool
		want string
	}{
		"stores":       {command.Command{Effect: command.Stores}, true, "asking Sky, 2 s"},
		"own progress": {command.Command{Effect: command.Stores, OwnProgress: true}, true, ""},
		"serves":       {command.Command{Effect: command.Serves}, true, ""},
		"waits":        {command.Command{Effect: command.Local}, false, ""},
		"reads":        {command.Command{Effect: command.Reads}, false, "working, 2 s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c.cmd.Use, c.cmd.Short = "toy", "Toy"
			c.cmd.Examples = []command.Example{{Line: "biomcp toy", Explanation: "a toy"}}
			c.cmd.Run = func(ctx context.Context, _ *command.Input) (*result.Result, error) {
				time.Sleep(time.Second + 1)
				if c.asks {
					_, done := httpclient.Await(ctx, "Sky")
					defer done()
				}
				time.Sleep(1500 * time.Millisecond)
				return &result.Result{Payload: cacheFolder{}}, nil
			}
			tree := command.NewTree(&command.Command{
				Use: "biomcp", Noun: "command", Short: "Toys", Commands: []*command.Command{&c.cmd}, Flags: Root(nil).Flags,
			})
			var screen bytes.Buffer
			parse(tree, []string{"toy"}, command.Person).run(t.Context(), toyApp(), command.IO{Err: &screen, ErrTTY: true})
			if got := screen.String(); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("%s: %q", name, got)
			}
		})
	}
}
