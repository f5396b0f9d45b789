package intake

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A delta whose watermark lies on a later day fails and names the watermark that its last
// whole window allows. From there the next delta finds what the first missed.
func TestAWatermarkInTheFuture(t *testing.T) {
	bubble(t, func(r *rig) {
		set := func(at string) {
			t.Helper()
			if err := r.o.Store.SetCheckpoint(t.Context(), "k", at); err != nil {
				t.Fatal(err)
			}
		}
		refused := func(want string) {
			t.Helper()
			before := r.watermark()
			report, err := Delta(t.Context(), r.o, r.cl, r.q)
			var future *WatermarkError
			if !errors.As(err, &future) {
				t.Fatalf("error %v, want a WatermarkError", err)
			}
			if future.Right != want || future.Key != "k" || future.Watermark != before {
				t.Errorf("%+v, want the watermark %s", future, want)
			}
			if report.JobID != "" {
				t.Errorf("job %s began", report.JobID)
			}
			r.wantWatermark(before)
		}
		set(r.now.AddDate(8, 0, 0).Format(time.RFC3339))
		refused(noWatermark)
		set("2024-01-01T00:00:00Z")
		r.sync()
		began := rfc3339(r.now)
		r.later(1)
		r.add(pubmedRecord{pmid: 77, edat: r.today(), crdt: r.today(), lr: r.today()})
		for _, ahead := range []time.Duration{24 * time.Hour, 8 * 365 * 24 * time.Hour} {
			set(r.now.Add(ahead).UTC().Format(time.RFC3339))
			refused(began)
		}
		// A later hour of the same day hides no record.
		set(r.today() + "T23:59:59Z")
		wantCounts(t, r.sync(), "1 inserted, 0 updated, 0 skipped, 0 deleted")
		set("2998-01-01T00:00:00Z")
		refused(rfc3339(clock.Add(time.Second))) // the store's clock stands still, and rounds differ
	}, many(1, 10)...)
}

// The watermark of all of PubMed waits until the list of files has no gap, and the run fails.
func TestMirrorOfAListWithAGap(t *testing.T) {
	for what, gap := range map[string][2]string{"baseline": {"baseline", name(26, 2)}} {
		t.Run(what, func(t *testing.T) {
			mirroring(t, func(t *testing.T, r *mirrorRig) {
				r.base(26, three()...)
				r.files.Remove(gap[0], gap[1])
				report := r.fails("the server lists no ")
				if report.Inserted == 0 {
					t.Error("no listed file was imported")
				}
				if at, ok, err := r.o.Store.Checkpoint(t.Context(), MirrorKey); ok || err != nil {
					t.Errorf("watermark %q, %v; want none", at, err)
				}
				r.base(26, three()...)
				if report := r.run(); report.Watermark == "" {
					t.Error("no watermark after a list without a gap")
				}
				r.sameAsByHand("without a gap")
			})
		})
	}
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.files.Remove("baseline", name(26, 2))
		r.m.From, r.m.To = 3, 3
		r.run() // the gap is not in the requested part
		var input *InputError
		r.m.From, r.m.To = 4, 0
		if _, err := Mirror(t.Context(), r.o, r.m); !errors.As(err, &input) || !strings.Contains(err.Error(), "only the files 1 to 3 of 2026") {
			t.Errorf("files after the last one: %v", err)
		}
	})
}

// The watermark of all of PubMed is set right by the command that the error names.
func TestMirrorWithAWatermarkInTheFuture(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		if err := r.o.Store.SetCheckpoint(t.Context(), MirrorKey, "2034-01-01T00:00:00Z"); err != nil {
			t.Fatal(err)
		}
		report := r.fails("is in the future")
		wantCounts(t, report, "40 inserted, 10 updated, 0 skipped, 2 deleted")
	})
}

// An import of files that hold no PubMed record fails, and stores the other files.
func TestImportWithoutARecord(t *testing.T) {
	for what, text := range map[string]string{
		"an empty set": "<PubmedArticleSet></PubmedArticleSet>", "an empty element": "<PubmedArticleSet/>",
		"an empty deletion": "<PubmedArticleSet><DeleteCitation/></PubmedArticleSet>",
		"other elements":    "<PubmedArticleSet><Article><PMID>1</PMID></Article></PubmedArticleSet>",
		"a comment":         "<?xml version=\"1.0\"?><!-- nothing -->", "nothing": "", "another root": "<feed/>",
	} {
		t.Run(what, func(t *testing.T) {
			o := options(t)
			dir := write(t, map[string]string{"a.xml": text, "b.xml": set(many(1, 3))})
			for range 2 { // a second run neither
				report, err := Import(t.Context(), o, dir)
				var file *FileError
				if !errors.As(err, &file) || file.Name != "a.xml" {
					t.Errorf("error %v, want one of a.xml", err)
				}
				if report.Broken > 0 {
					t.Errorf("%d records could not be read, want 0", report.Broken)
				}
			}
			if got := len(pmids(t, o.Store)); got != 3 {
				t.Errorf("%d documents, want 3", got)
			}
		})
	}
}
