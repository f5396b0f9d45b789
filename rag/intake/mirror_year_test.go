package intake

import (
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

// A new year's baseline lacks 3, which was deleted, and 7 and 25, which were removed
// without a word; a document of a query is in none of the files.
func TestNewYearReplacesTheOld(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.run()
		own := filepathOf(t, "own.xml", set([]pubmedRecord{{pmid: 500}, {pmid: 25, lr: "2024-09-01"}}))
		importing(t, r.o, own)
		r.files.Remove("baseline", "")
		r.files.Remove("updatefiles", "")
		kept := slices.DeleteFunc(many(1, 40), func(r pubmedRecord) bool { return slices.Contains([]int{3, 7, 25, 30}, r.pmid) })
		r.files.Put("baseline", name(27, 1), []byte(gzipped(set(kept[:18]))))
		r.files.Put("baseline", name(27, 2), []byte(gzipped(set(kept[18:]))))
		missing := 0
		r.files.OnRequest = func(string) {
			have := pmids(t, r.o.Store)
			for _, k := range kept {
				if !slices.Contains(have, record.PMID(k.pmid)) {
					missing++
				}
			}
		}
		// Without an update file it is not known whether the baseline is complete.
		report := r.run()
		if said := strings.Join(report.Warnings, "\n"); !strings.Contains(said, "no update file of 2027 yet: its baseline, 2 files so far, may not be complete") {
			t.Errorf("half of a baseline: %s", said)
		}
		if have := pmids(t, r.o.Store); report.Deleted != 0 || missing > 0 || !slices.Contains(have, 7) || !slices.Contains(have, 25) {
			t.Errorf("%d deleted, %d missing: %v", report.Deleted, missing, have)
		}
		r.files.Put("updatefiles", name(27, 4), []byte(gzipped(set(many(15, 1)))))
		r.fails("the server lists no file pubmed27n0003, but pubmed27n0004.xml.gz; the watermark stays")
		r.files.Remove("updatefiles", name(27, 4))
		r.files.Put("updatefiles", name(27, 3), []byte(gzipped(set(revised(many(15, 2))))))
		report = r.run()
		if have := pmids(t, r.o.Store); report.Deleted != 2 || missing > 0 || slices.Contains(have, 7) || slices.Contains(have, 25) || !slices.Contains(have, 500) {
			t.Errorf("%d deleted, %d missing: %v", report.Deleted, missing, have)
		}
		if report = r.run(); report.Deleted != 0 {
			t.Errorf("%d deleted again", report.Deleted)
		}
		// One that comes back is there again.
		r.files.Put("updatefiles", name(27, 4), []byte(gzipped(set(many(7, 1)))))
		if report = r.run(); report.Inserted != 1 {
			t.Errorf("%+v", report)
		}
	})
}
