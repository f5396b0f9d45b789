package clitest

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/bulk"
	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/sourcetest"
)

// Sites are the simulated download sites of the local tables, with an App that uses them.
type Sites struct {
	*sourcetest.Server
	*bulktest.Sites
	App *command.App
}

// Now is the time on the clock of the App of Sites when a test begins.
var Now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// WithSites runs a test with simulated sites in a synctest bubble.
func WithSites(t *testing.T, test func(t *testing.T, s *Sites)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		srv, err := sourcetest.Start(sourcetest.WithoutNetwork(), sourcetest.NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		s := &Sites{srv, bulktest.New(), commandtest.App()}
		s.AddTo(srv)
		variables := func(name string) (string, bool) { return dir, name == "HOME" }
		s.App.Env = command.ReadEnv(variables, "test", bulk.Sources()...)
		network, cfg := &s.App.Env.Network, srv.Config()
		network.Addresses, network.Transport, network.Dial = cfg.Addresses, cfg.Transport, cfg.Dial
		network.MaxRetries = 0
		began := time.Now()
		s.App.Now = func() time.Time { return Now.Add(time.Since(began)) }
		defer s.App.Close()
		test(t, s)
	})
}

// SyncReport is the answer of a sync command.
type SyncReport struct {
	Source, URL string
	Version     int
	Rows        int
	Changed     bool
	Bytes       int64
	StoredAt    time.Time `json:"stored_at"`
	Notices     []string
}

// Sync runs a line that downloads a table and returns its answer. The test fails if the command
// fails.
func (s *Sites) Sync(t testing.TB, line string) (got SyncReport) {
	t.Helper()
	text, code := Ask(t, s.App, command.Person, line+" --json")
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatalf("%s: exit %d, %v: %s", line, code, err, text)
	}
	return got
}
