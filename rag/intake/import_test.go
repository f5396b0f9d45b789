package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// importing runs an import that must succeed.
func importing(t *testing.T, o Options, paths ...string) Report {
	t.Helper()
	r, err := Import(t.Context(), o, paths...)
	if err != nil {
		t.Fatal(err)
	}
	if r.Processed != r.Inserted+r.Updated+r.Skipped {
		t.Fatalf("the parts of %+v do not add up", r)
	}
	return r
}

func counts(r Report) string {
	return fmt.Sprintf("%d inserted, %d updated, %d skipped, %d deleted", r.Inserted, r.Updated, r.Skipped, r.Deleted)
}

func wantCounts(t *testing.T, r Report, want string) {
	t.Helper()
	if counts(r) != want {
		t.Errorf("got %s; want %s (%q)", counts(r), want, r.Warnings)
	}
}

func pmids(t *testing.T, s *store.Store) []record.PMID {
	t.Helper()
	list := []record.PMID{}
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d.PMID)
	}
	return list
}

func TestImportFiles(t *testing.T) {
	o := options(t)
	dir := write(t, map[string]string{"a.xml": set(many(1, 70)), "b.xml.gz": gzipped(set(many(60, 30)))})
	r := importing(t, o, filepath.Join(dir, "a.xml"), filepath.Join(dir, "b.xml.gz"))
	wantCounts(t, r, "89 inserted, 0 updated, 11 skipped, 0 deleted")
	if r.MaxEDAT == nil {
		t.Fatal("the report has no greatest EDAT")
	}
	wantEqual(t, "greatest EDAT", *r.MaxEDAT, "2024-05-11T06:00:00Z")
	wantEqual(t, "documents", len(pmids(t, o.Store)), 89)
	doc, err := o.Store.Document(t.Context(), 7)
	noError(t, err)
	wantEqual(t, "title", doc.Title, "Synthetic title 7")
	if len(doc.Chunks) != 1 {
		t.Fatalf("got %d chunks, want 1", len(doc.Chunks))
	}
	wantEqual(t, "chunk ID", doc.Chunks[0].ID, "w0")
	// A file that the caller names is read again, and changes nothing.
	r = importing(t, o, filepath.Join(dir, "a.xml"))
	wantCounts(t, r, "0 inserted, 0 updated, 70 skipped, 0 deleted")
	_, ok, err := o.Store.Checkpoint(t.Context(), importKey)
	noError(t, err)
	wantEqual(t, "the import has set a watermark", ok, false)
}

func TestImportFolder(t *testing.T) {
	o := options(t)
	// In the order of the names the second file is the revision.
	dir := write(t, map[string]string{
		"updatefiles/pubmed26n0003.xml": set([]pubmedRecord{{pmid: 1, lr: "2025-02-01", title: "Third"}}),
		"baseline/pubmed26n0001.xml":    set([]pubmedRecord{{pmid: 1, lr: "2024-02-01", title: "First"}}),
		"baseline/pubmed26n0002.xml.gz": gzipped(set([]pubmedRecord{{pmid: 1, lr: "2024-09-01", title: "Second"}, {pmid: 2}})),
		"baseline/README.txt":           "no XML",
		"baseline/._pubmed26n0001.xml":  "no XML either",
	})
	wantCounts(t, importing(t, o, dir), "2 inserted, 2 updated, 0 skipped, 0 deleted")
	doc, err := o.Store.Document(t.Context(), 1)
	noError(t, err)
	wantEqual(t, "title", doc.Title, "Third")
	wantEqual(t, "version", doc.Version, 3)
	// The files of the folder are done, but not a new one.
	r := importing(t, o, dir)
	wantCounts(t, r, "0 inserted, 0 updated, 0 skipped, 0 deleted")
	if !slices.Contains(r.Warnings, "0 files stored to the end, 3 skipped as imported before") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if err := os.WriteFile(filepath.Join(dir, "pubmed26n0004.xml"), []byte(set(many(3, 1))), 0o644); err != nil {
		t.Fatal(err)
	}
	wantCounts(t, importing(t, o, dir), "1 inserted, 0 updated, 0 skipped, 0 deleted")
}

// The test states which of two records with one PMID is kept: within a file and in two files,
// in this order.
func TestWhichOfTwoRecordsIsKept(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compares texts: what runs at once in it, other tests run too")
	}
	for name, c := range map[string]struct {
		records []pubmedRecord
		want    string // title, version and counts
	}{
		"the same twice":      {[]pubmedRecord{{title: "A"}, {title: "A"}}, "A 1: 1 inserted, 0 updated, 1 skipped, 0 deleted"},
		"later LR":            {[]pubmedRecord{{title: "A"}, {title: "B", lr: "2024-06-02"}}, "B 2: 1 inserted, 1 updated, 0 skipped, 0 deleted"},
		"LR alone":            {[]pubmedRecord{{title: "A"}, {title: "A", lr: "2024-06-02"}}, "A 2: 1 inserted, 1 updated, 0 skipped, 0 deleted"},
		"older LR":            {[]pubmedRecord{{title: "A"}, {title: "B", lr: "2024-05-31"}}, "A 1: 1 inserted, 0 updated, 1 skipped, 0 deleted"},
		"no LR":               {[]pubmedRecord{{title: "A"}, {title: "B", lr: "none"}}, "A 1: 1 inserted, 0 updated, 1 skipped, 0 deleted"},
		"same LR, new text":   {[]pubmedRecord{{title: "A"}, {title: "B"}}, "B 2: 1 inserted, 1 updated, 0 skipped, 0 deleted"},
		"back and forth":      {[]pubmedRecord{{title: "A"}, {title: "B"}, {title: "A"}}, "A 3: 1 inserted, 2 updated, 0 skipped, 0 deleted"},
		"version before LR":   {[]pubmedRecord{{title: "A", version: 2}, {title: "B", lr: "2025-01-01"}}, "A 1: 1 inserted, 0 updated, 1 skipped, 0 deleted"},
		"version, older date": {[]pubmedRecord{{title: "A"}, {title: "B", version: 2, lr: "2023-01-01"}}, "B 2: 1 inserted, 1 updated, 0 skipped, 0 deleted"},
	} {
		for _, apart := range []string{"neighbours", "far apart", "two files"} {
			t.Run(name+"/"+apart, func(t *testing.T) {
				o := options(t)
				filler := 0
				var all []pubmedRecord
				files := map[string]string{}
				for i, r := range c.records {
					r.pmid = 7
					all = append(all, r)
					if apart == "far apart" { // so that each is in its own group
						filler += groupSize
						all = append(all, many(100+filler, groupSize)...)
					}
					files[fmt.Sprintf("%d.xml", i)] = set([]pubmedRecord{r})
				}
				if apart != "two files" {
					files = map[string]string{"1.xml": set(all)}
				}
				r := importing(t, o, write(t, files))
				r.Inserted -= filler
				doc, err := o.Store.Document(t.Context(), 7)
				if err != nil {
					t.Fatal(err)
				}
				if got := fmt.Sprintf("%s %d: %s", doc.Title, doc.Version, counts(r)); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		}
	}
}

func TestDeleteCitation(t *testing.T) {
	o := options(t)
	load := func(text string) Report {
		t.Helper()
		return importing(t, o, filepath.Join(write(t, map[string]string{"f.xml": text}), "f.xml"))
	}
	load(set([]pubmedRecord{{pmid: 1}, {pmid: 2}, {pmid: 3}}))
	// The corpus has 2, but not 9. The file both adds and deletes 8.
	r := load(set([]pubmedRecord{{pmid: 8, lr: "2025-03-01"}}, 2, 9, 8))
	wantCounts(t, r, "1 inserted, 0 updated, 0 skipped, 2 deleted")
	if !slices.Contains(r.Warnings, "2 documents deleted") {
		t.Errorf("warnings %q", r.Warnings)
	}
	wantEqual(t, "remaining PMIDs", fmt.Sprint(pmids(t, o.Store)), "[1 3]")
	// A record that is as old as the deletion is skipped. A newer one is stored.
	wantCounts(t, load(set([]pubmedRecord{{pmid: 2}, {pmid: 9, lr: "2025-02-28"}})), "0 inserted, 0 updated, 2 skipped, 0 deleted")
	wantCounts(t, load(set([]pubmedRecord{{pmid: 2, lr: "2025-03-01"}, {pmid: 9, lr: "2025-03-01"}})), "0 inserted, 0 updated, 2 skipped, 0 deleted")
	wantCounts(t, load(set([]pubmedRecord{{pmid: 2, lr: "2025-03-02"}, {pmid: 9, lr: "2025-03-02"}})), "2 inserted, 0 updated, 0 skipped, 0 deleted")
	// A deletion that is older than the document has no effect.
	wantCounts(t, load(set([]pubmedRecord{{pmid: 8, lr: "2025-02-01"}}, 2, 3)), "0 inserted, 0 updated, 1 skipped, 1 deleted")
}

func TestImportBadFiles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compares texts: what runs at once in it, other tests run too")
	}
	whole := set(many(1, 200))
	good := set(many(1000, 3))
	for name, c := range map[string]struct {
		text, reason string
		stored       int
	}{
		"cut.xml":      {whole[:len(whole)*3/4], "it is cut short", 140},
		"cut.xml.gz":   {gzipped(whole)[:len(gzipped(whole))*3/4], "it is cut short", 50},
		"page.xml":     {"<!DOCTYPE html><html><body>Sign in</body></html>", "it is not PubMed XML but an HTML page", 0},
		"empty.xml":    {"", "it is not PubMed XML but", 0},
		"error.xml":    {"<eFetchResult><ERROR>secret words</ERROR></eFetchResult>", "it holds no records but an error message of NCBI", 0},
		"flip.xml.gz":  {gzipped(whole)[:3000] + "\x00\xff" + gzipped(whole)[3002:], "", 0},
		"other.xml.gz": {"\x1f\x8b and no gzip after that", "its gzip data is damaged", 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			dir := write(t, map[string]string{name: c.text, "z.xml": good})
			r, err := Import(t.Context(), o, dir)
			var bad *FileError
			var incomplete *Incomplete
			if !errors.As(err, &incomplete) {
				t.Fatalf("got the error %v, want *Incomplete", err)
			}
			if !errors.As(err, &bad) {
				t.Fatalf("got the error %v, want *FileError", err)
			}
			wantEqual(t, "file of the error", bad.Name, name)
			if !strings.Contains(bad.Reason, c.reason) {
				t.Errorf("got the reason %q, want one with %q", bad.Reason, c.reason)
			}
			if strings.Contains(err.Error(), dir) {
				t.Errorf("the error %q contains the folder", err)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error %q quotes the file", err)
			}
			got := pmids(t, o.Store)
			if len(got) < 3+c.stored {
				t.Errorf("got %d documents, want at least %d", len(got), 3+c.stored)
			}
			wantEqual(t, "inserted", r.Inserted, len(got))
			wantEqual(t, "inserted in the error", incomplete.Report.Inserted, r.Inserted)
			// A repaired file is read again; the good file is not.
			if err := os.WriteFile(filepath.Join(dir, name), []byte(gzipped(whole)), 0o644); err != nil {
				t.Fatal(err)
			}
			r = importing(t, o, dir)
			wantEqual(t, "processed after the repair", r.Processed, 200)
			wantEqual(t, "documents after the repair", len(pmids(t, o.Store)), 203)
		})
	}
}

func TestImportBrokenRecords(t *testing.T) {
	o := options(t)
	text := strings.Replace(set(many(1, 20)), "Synthetic title 5<", "Synthetic &nonsense; title 5<", 1)
	dir := write(t, map[string]string{"f.xml": text})
	r := importing(t, o, dir)
	wantCounts(t, r, "19 inserted, 0 updated, 0 skipped, 0 deleted")
	wantEqual(t, "broken records", r.Broken, 1)
	if want := "f.xml: 1 record could not be read: PubMed record 5"; !strings.Contains(r.Warnings[0], want) {
		t.Errorf("got the warning %q, want one with %q", r.Warnings[0], want)
	}
	wantCounts(t, importing(t, o, dir), "0 inserted, 0 updated, 19 skipped, 0 deleted") // the file is not done
}

// A file without a readable record is a failure, unless it has deletions.
func TestImportOfUnreadableRecordsAlone(t *testing.T) {
	bad := strings.ReplaceAll(set(many(1, 3)), "Synthetic title", "Synthetic &nonsense; title")
	for name, c := range map[string]struct {
		text, want string
	}{
		"broken.xml":  {bad, "broken.xml: none of its 3 records could be read"},
		"deletes.xml": {strings.Replace(bad, "</PubmedArticleSet>", "<DeleteCitation><PMID Version=\"1\">9</PMID></DeleteCitation></PubmedArticleSet>", 1), ""},
		"zip.xml":     {"PK\x03\x04\x14\x00\x08\x00", "zip.xml: it is not PubMed XML but a zip archive; unpack it first"},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			_, err := Import(t.Context(), options(t), write(t, map[string]string{name: c.text}))
			var file *FileError
			got := ""
			if errors.As(err, &file) {
				got = file.Error()
			}
			wantEqual(t, "file error", got, c.want)
		})
	}
}

func TestImportRefuses(t *testing.T) {
	o := options(t)
	dir := write(t, map[string]string{"empty/x.txt": "", "a.xml": set(many(1, 1))})
	var input *InputError
	if _, err := Import(t.Context(), o); !errors.As(err, &input) {
		t.Errorf("nothing named: %v", err)
	}
	if _, err := Import(t.Context(), o, filepath.Join(dir, "a.xml"), filepath.Join(dir, "empty")); !errors.As(err, &input) {
		t.Errorf("an empty folder: %v", err)
	}
	var file *FileError
	if _, err := Import(t.Context(), o, filepath.Join(dir, "a.xml"), filepath.Join(dir, "none.xml")); !errors.As(err, &file) {
		t.Fatalf("an absent file: got the error %v, want *FileError", err)
	}
	wantEqual(t, "file of the error", file.Name, "none.xml")
	if got := pmids(t, o.Store); len(got) > 0 {
		t.Errorf("stored %v before refusing", got)
	}
	other := options(t)
	if err := other.Store.SetMeta(t.Context(), "analysis", "0"); err != nil {
		t.Fatal(err)
	}
	var analysis *rag.AnalysisError
	if _, err := Import(t.Context(), other, dir); !errors.As(err, &analysis) {
		t.Errorf("a corpus of other terms: %v", err)
	}
	lease, err := o.Store.Lease(t.Context(), importKey)
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	var held *store.HeldError
	_, err = Import(t.Context(), o, dir)
	if !errors.As(err, &held) {
		t.Fatalf("while another import runs: got the error %v, want *store.HeldError", err)
	}
	wantEqual(t, "process of the error", held.PID, os.Getpid())
	if want := "is busy with an import since"; !strings.Contains(err.Error(), want) {
		t.Errorf("got the error %q, want one with %q", err, want)
	}
	if strings.Contains(err.Error(), "--") {
		t.Errorf("the error %q contains an internal key", err)
	}
}

// An import that is stopped keeps the records read so far, and the next one continues after
// them.
func TestImportStopped(t *testing.T) {
	o := options(t)
	dir := write(t, map[string]string{"a.xml": set(many(1, 300)), "b.xml": set(many(301, 300)), "c.xml": set(many(601, 300))})
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("Ctrl-C")
	o.Progress = func(p Progress) {
		if p.Records > 400 {
			cancel(reason)
		}
	}
	r, err := Import(ctx, o, dir)
	var incomplete *Incomplete
	if !errors.As(err, &incomplete) {
		t.Fatalf("got the error %v, want *Incomplete", err)
	}
	if !errors.Is(err, reason) {
		t.Fatalf("got the error %v, want %v", err, reason)
	}
	if r.Inserted < 400 || r.Inserted > 600 {
		t.Errorf("got %d inserted, want 400 to 600", r.Inserted)
	}
	wantEqual(t, "documents", len(pmids(t, o.Store)), r.Inserted)
	o.Progress = nil
	second := importing(t, o, dir)
	wantEqual(t, "inserted by both runs", second.Inserted+r.Inserted, 900)
	wantEqual(t, "processed by the second run", second.Processed, 600)
}

func TestImportProgress(t *testing.T) {
	o := options(t)
	var last Progress
	o.Progress = func(p Progress) {
		if p.Records < last.Records || p.Bytes < last.Bytes || p.Stored < last.Stored {
			t.Errorf("progress went back from %+v to %+v", last, p)
		}
		if p.Stored > p.Records {
			t.Errorf("%d records stored, but only %d read", p.Stored, p.Records)
		}
		last = p
	}
	text := set(many(1, 300))
	importing(t, o, write(t, map[string]string{"a.xml": text, "b.xml": text}))
	wantEqual(t, "records read", last.Records, 600)
	wantEqual(t, "records stored", last.Stored, 600)
	wantEqual(t, "bytes read", last.Bytes, int64(2*len(text)))
	wantEqual(t, "bytes in all", last.TotalBytes, last.Bytes)
	wantEqual(t, "last file", last.File, "b.xml")
}

func TestJobsOfOneSecond(t *testing.T) {
	o := options(t)
	file := filepath.Join(write(t, map[string]string{"a.xml": set(many(1, 1))}), "a.xml")
	var ids []string
	for range 3 {
		ids = append(ids, importing(t, o, file).JobID)
	}
	if got := strings.Join(ids, " "); got != "sync_2026-01-20T13:00:00Z sync_2026-01-20T13:00:00.001Z sync_2026-01-20T13:00:00.002Z" {
		t.Errorf("jobs %s", got)
	}
}

// Imports and deltas of several processes go into one corpus side by side.
func TestImportsAndDeltasAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	srv := entreztest.New(t, entreztest.XML(strings.NewReader(set(many(1, 900)))), entreztest.NoLimit())
	path := inFile(t, many(600, 900))
	var group sync.WaitGroup
	for i := range 3 {
		o := Options{Store: openStore(t, dir), Now: func() time.Time { return clock }, batch: 50, NoVectors: i > 0}
		group.Go(func() {
			var err error
			if i == 0 {
				_, err = Import(t.Context(), o, path)
			} else {
				_, err = Delta(t.Context(), o, unhurried{srv.EntrezURL()}, Query{Key: fmt.Sprint("k", i), Term: "synthetic[tiab]"})
			}
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	group.Wait()
	s, docs := contents(t, dir)
	defer s.Close()
	if len(docs) != 1499 {
		t.Errorf("%d documents", len(docs))
	}
	for _, key := range []string{"k1", "k2"} {
		t.Run(key, func(t *testing.T) {
			came, err := s.QueryDocuments(t.Context(), key, 0)
			noError(t, err)
			if !slices.ContainsFunc(came, func(k store.QueryDocument) bool { return k.PMID == 700 }) {
				t.Errorf("PMID 700 is not among the %d documents of the key", len(came))
			}
		})
	}
}
