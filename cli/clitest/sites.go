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

// Sites are the simulated sites of the local tables with an App that asks them.
type Sites struct {
	*sourcetest.Server
	*bulktest.Sites
	App *command.App
}

// Now is the clock of the App of Sites when a test begins.
var Now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// WithSites runs a test with the sites in a bubble of synctest.
func WithSites(t *testing.T, test func(t *testing.T, s *Sites)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		srv, err := sourcetest.Start(sourcetest.Unlisted(), sourcetest.NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		s := &Sites{srv, bulktest.New(), commandtest.App()}
		s.AddTo(srv)
		s.App.Env = command.ReadEnv(func(name string) (string, bool) { return dir, name == "HOME" }, "test", bulk.Sources()...)
		cfg := srv.Config()
		s.App.Env.Network.Addresses, s.App.Env.Network.Transport, s.App.Env.Network.Dial = cfg.Addresses, cfg.Transport, cfg.Dial
		s.App.Env.Network.MaxRetries = 0
		began := time.Now()
		s.App.Now = func() time.Time { return Now.Add(time.Since(began)) }
		defer s.App.Close()
		test(t, s)
	})
}

// Stored is what an answer of sync says.
type Stored struct {
	Source, URL string
	Version     int
	Rows        int
	Changed     bool
	Bytes       int64
	StoredAt    time.Time `json:"stored_at"`
	Notices     []string
}

// Sync runs a line that brings a table.
func (s *Sites) Sync(t testing.TB, line string) (got Stored) {
	t.Helper()
	text, code := Ask(t, s.App, command.Person, line+" --json")
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatalf("%s: exit %d, %v: %s", line, code, err, text)
	}
	return got
}
