package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/pubmedfiles/pubmedfilestest"
	"biomcp/entrez/record"
	"biomcp/entrez/sourcetest"
	"biomcp/store"
)

// mirrorRig is a file server without a network, and a corpus that follows it.
type mirrorRig struct {
	t     *testing.T
	srv   *sourcetest.Server
	files *pubmedfilestest.Files
	o     Options
	m     MirrorOptions
}

func newMirrorRig(t *testing.T, s *store.Store, dir string) *mirrorRig {
	t.Helper()
	srv, err := sourcetest.Start(sourcetest.WithoutNetwork(), sourcetest.NoLimit())
	if err != nil {
		t.Fatal(err)
	}
	r := &mirrorRig{t: t, srv: srv, files: pubmedfilestest.New(), o: Options{Store: s, NoVectors: true, Now: func() time.Time { return clock.AddDate(3, 0, 0) }, batch: 7}}
	r.files.AddTo(srv)
	cfg := srv.Config()
	cfg.MaxRetries = 1
	client, err := httpclient.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.m = MirrorOptions{Files: pubmedfiles.New(client), Dir: filepath.Join(dir, "downloads"), Connections: 2}
	return r
}

// mirroring runs a test with a rig in a bubble.
func mirroring(t *testing.T, test func(t *testing.T, r *mirrorRig)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newMirrorRig(t, openStore(t, dir), dir)
		defer r.srv.Close()
		test(t, r)
	})
}

func name(year, number int) string { return fmt.Sprintf("pubmed%02dn%04d.xml.gz", year, number) }

// base puts files of a baseline and, as the last one, of the updates.
func (r *mirrorRig) base(year int, sets ...string) {
	for i, text := range sets {
		folder := "baseline"
		if i == len(sets)-1 {
			folder = "updatefiles"
		}
		r.files.Put(folder, name(year, i+1), []byte(gzipped(text)))
	}
}

// run is a run that must succeed.
func (r *mirrorRig) run() Report {
	r.t.Helper()
	report, err := Mirror(r.t.Context(), r.o, r.m)
	if err != nil {
		r.t.Fatal(err)
	}
	return report
}

// fails runs a sync that must be incomplete, with a reason that contains text.
func (r *mirrorRig) fails(text string) Report {
	r.t.Helper()
	_, err := Mirror(r.t.Context(), r.o, r.m)
	var incomplete *Incomplete
	if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), text) {
		r.t.Fatalf("want %q, got %v", text, err)
	}
	return incomplete.Report
}

// sameAsByHand demands that the corpus holds the documents that importing the
// server's files into an empty one gives, and that no download is left.
func (r *mirrorRig) sameAsByHand(what string) {
	r.t.Helper()
	dir := r.t.TempDir()
	_, bodies := r.files.All()
	for name, body := range bodies {
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
			r.t.Fatal(err)
		}
	}
	s := openStore(r.t, r.t.TempDir())
	if _, err := Import(r.t.Context(), Options{Store: s, NoVectors: true, Now: r.o.Now}, dir); err != nil {
		r.t.Fatal(err)
	}
	want, have := wholeTexts(r.t, s), wholeTexts(r.t, r.o.Store)
	for pmid, text := range want {
		if have[pmid] != text {
			r.t.Fatalf("%s: %d is %.200q, by hand %.200q", what, pmid, have[pmid], text)
		}
	}
	if len(have) != len(want) {
		r.t.Fatalf("%s: %d documents, by hand %d", what, len(have), len(want))
	}
	if left, err := os.ReadDir(r.m.Dir); !r.m.Keep && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatalf("%s: left of the downloads: %v, %v", what, left, err)
	}
}

// wholeTexts is everything that documents hold but how often they changed here.
func wholeTexts(t *testing.T, s *store.Store) map[record.PMID]string {
	t.Helper()
	all := map[record.PMID]string{}
	for d, err := range s.Documents(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		d.Version = 0
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		all[d.PMID] = string(text)
	}
	return all
}

func filepathOf(t *testing.T, name, text string) string {
	return filepath.Join(write(t, map[string]string{name: text}), name)
}
