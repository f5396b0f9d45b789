package intake

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/pubmedfiles/pubmedfilestest"
	"biomcp/entrez/record"
	"biomcp/entrez/sourcetest"
)

var mirrorKills = flag.Int("mirror-kills", 3, "how often a run of Mirror is killed")

// mirrorChild runs Mirror against a file server until it is killed or done.
func mirrorChild(ctx context.Context, o Options, url, data string) error {
	client, err := httpclient.New(httpclient.Config{Addresses: map[string]string{pubmedfiles.Source.Name: url}})
	if err != nil {
		return err
	}
	_, err = Mirror(ctx, o, MirrorOptions{Files: pubmedfiles.New(client), Dir: filepath.Join(data, "downloads"), Connections: 2})
	return err
}

// A run that is killed at a random moment loses nothing it has stored, and the next one
// continues. The result equals an import of the files by hand. Then a new year begins.
func TestKilledMirrorGoesOn(t *testing.T) {
	t.Parallel()
	srv := sourcetest.New(t, sourcetest.NoLimit())
	files := pubmedfilestest.New()
	files.AddTo(srv)
	r := &mirrorRig{t: t, srv: srv, files: files}
	whole, year := 500*time.Millisecond, 26 // a guess, until a run has come to its end
	kills := *mirrorKills
	if testing.Short() {
		kills = min(kills, 2)
	}
	for killed := 0; killed < kills; {
		data := t.TempDir()
		fill(r, year)
		var before map[record.PMID]string
		for years := 0; years < 2; {
			wait := rand.N(whole + 200*time.Millisecond)
			if killed >= kills {
				wait = -1
			}
			ran := run(t, "mirror", data, srv.Address(&pubmedfiles.Source), wait)
			s, docs := contents(t, data)
			for pmid := range before {
				if _, ok := docs[pmid]; !ok && lasting(int(pmid)) {
					t.Fatalf("%d is missing", pmid)
				}
			}
			if before = docs; ran.killed {
				killed++
			} else {
				whole = max(whole, ran.took)
				r.o.Store, r.m.Dir = s, filepath.Join(data, "downloads")
				r.sameAsByHand(fmt.Sprint("after ", killed, " kills"))
				years, year = years+1, year+1
				files.Remove("baseline", "")
				files.Remove("updatefiles", "")
				fill(r, year)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// lasting reports whether a record is in the files of every year and never deleted.
func lasting(pmid int) bool {
	return pmid != 4 && pmid != 800 && (pmid <= 680 || pmid > 700 && pmid <= 990 || pmid >= 2000)
}

// fill puts the files of a year with fewer records per file.
func fill(r *mirrorRig, year int) {
	r.base(year, set(many(1, 700-20*(year%2))), set(many(701, 300-10*(year%2))), set(many(2000, 400)), set(revised(many(500, 250)), 4, 800), set(revised(many(1, 20))))
}
