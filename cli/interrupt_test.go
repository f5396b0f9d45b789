package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
)

// interrupting cancels a command, as Ctrl-C does, before the n-th request whose path ends in path.
type interrupting struct {
	next   http.RoundTripper
	path   string
	n      int32
	asked  atomic.Int32
	cancel context.CancelCauseFunc
}

func (i *interrupting) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, i.path) && i.asked.Add(1) == i.n {
		i.cancel(errInterrupted)
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return i.next.RoundTrip(r)
}

// After Ctrl-C a command tells what is kept and where, and suggests the line that goes on.
func TestAnInterruptedCommandTellsWhatIsKept(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 1500, nil)
	records, err := filepath.Abs("../cmd/biomcp/testdata/records.xml")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		line string
		at   string // endpoint of the request that is interrupted
		n    int32  // its number
		want string // in the message
		rest bool   // the suggested line asks for the rest
		file bool   // a.ris holds the first records
	}{
		"export, at once":             {"search article synthetic --style ris -o a.ris", "efetch.fcgi", 1, "; the response cache keeps ", false, false},
		"export, at once, no cache":   {"search article synthetic --style ris -o a.ris --no-cache", "efetch.fcgi", 1, "; nothing is kept", false, false},
		"export, late":                {"search article synthetic --style ris -o a.ris", "efetch.fcgi", 7, "; the records exported so far are in ", true, true},
		"export, late, no cache":      {"search article synthetic --style ris -o a.ris --no-cache", "efetch.fcgi", 7, "; the records exported so far are in ", true, true},
		"export, late, to the output": {"search article synthetic --style ris --no-cache", "efetch.fcgi", 7, "; the records exported so far are in the output", true, false},
		"get":                         {"get article 70000001 similar", "elink.fcgi", 1, "; the response cache keeps 1 reply", false, false},
		"get, no cache":               {"get article 70000001 similar --no-cache", "elink.fcgi", 1, "; nothing is kept", false, false},
		"batch, no cache":             {"batch article 70000001 70000002 --no-cache", "efetch.fcgi", 1, "; nothing is kept", false, false},
		"sync":                        {"sync pubmed --query-key k --term synthetic --no-vectors", "efetch.fcgi", 3, "; everything stored or downloaded so far is kept", false, false},
		"import":                      {"sync pubmed --from " + records, "", 0, "; everything stored or downloaded so far is kept", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.ris")
			app := ncbiApp(t, srv)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			app.Env.Network.Transport = &interrupting{next: http.DefaultTransport, path: c.at, n: c.n, cancel: cancel}
			if c.n == 0 {
				cancel(errInterrupted)
			}
			words := strings.Fields(strings.ReplaceAll(c.line, "a.ris", file))
			out := parse(NewTree(), words, command.Person).run(ctx, app, command.IO{Err: io.Discard})
			if out.Failure == nil || ExitStatus(out) != interrupted {
				t.Fatalf("failure %+v, want the status %d", out.Failure, interrupted)
			}
			if !strings.Contains(out.Failure.Message, "interrupted"+c.want) {
				t.Errorf("message %q, want %q in it", out.Failure.Message, c.want)
			}
			if got := slices.Contains(out.Failure.Try, "--offset"); got != c.rest {
				t.Errorf("try %s: asks for the rest: %v, want %v", out.Failure.Try, got, c.rest)
			}
			held, err := os.ReadFile(file)
			if (err == nil) != c.file {
				t.Errorf("the file: %v, want one: %v", err, c.file)
			}
			if n := strings.Count(string(held), "TY  -"); c.file && !strings.Contains(strings.Join(out.Result.Notices, " "), fmt.Sprintf("only the first %d of 1500 hits", n)) {
				t.Errorf("the file holds %d records, notices %q", n, out.Result.Notices)
			}
			var text bytes.Buffer
			if err := result.Render(&text, &text, out, result.Format{}); err != nil || !strings.Contains(text.String(), "error: "+out.Failure.Message+"\ntry:   ") {
				t.Errorf("rendered %.300q, %v", text.String(), err)
			}
		})
	}
}
