package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
)

func openTest(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	o.Dir = dir
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// synthetic returns a synthetic record with a value in every field.
func synthetic(pmid record.PMID) *Document {
	return &Document{
		PMID: pmid, PMIDVersion: 1, Title: fmt.Sprintf("Made-up record %d", pmid), VernacularTitle: "Ein Titel",
		Abstract: "AIM: None. RESULTS: p < 0.05.",
		Sections: []Section{{"AIM", "OBJECTIVE", "None."}, {"RESULTS", "RESULTS", "p < 0.05."}},
		Authors: []Author{
			{LastName: "Müller", ForeName: "Ada", Initials: "A", Suffix: "Jr", ORCID: "0000-0002-1825-0097"},
			{Collective: "The Group"},
		},
		Journal:   Journal{"Journal of Samples", "J. Samp.", "J Samp", "0000001", "1234-5679", "1", "2", "3-4"},
		PubTypes:  []string{"Journal Article", "Review"},
		Mesh:      []Heading{{true, "Mushrooms", "D000001", []Qualifier{{Name: "chemistry", UI: "Q000737"}}}},
		Grants:    []Grant{{"R01", "CA", "NCI", "United States"}},
		Chemicals: []Chemical{{"Ergothioneine", "D004880", "BDZ3DQM98W"}},
		SupplMesh: []Supplementary{{"Yeast", "C1", "Organism"}},
		Cites:     []record.PMID{7, 8}, PubModel: "Print", PII: "e1", Season: "Spring",
		Keywords: []string{"k1", "k2"}, Languages: []string{"eng"}, DOI: "10.1/x", PMCID: "PMC1",
		PDat: "2024-05", MedlineDate: "2024 May-Jun", Epub: "2024-04-01",
		EDAT: "2024-05-02T06:00:00Z", CRDT: "2024-05-01T06:00:00Z", LR: "2024-06-01T00:00:00Z",
		Status: "MEDLINE", Publisher: "P", BookTitle: "B", Corrections: []Correction{{"ErratumIn", "5", "J Samp", "n"}},
		Indexed: true, Human: true, Facts: 77,
		Chunks: []Chunk{{ID: "s0", Section: "AIM", Text: "None."}, {ID: "s1", Section: "RESULTS", Text: "p < 0.05."}},
	}
}

func commitTest(t testing.TB, s *Store, source string, docs ...*Document) CommitResult {
	t.Helper()
	b := s.Begin(source)
	for _, d := range docs {
		if err := b.Put(d); err != nil {
			t.Fatal(err)
		}
	}
	done, err := b.Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func sentence(text string) []Token {
	var tokens []Token
	for i, w := range strings.Fields(text) {
		tokens = append(tokens, Token{Term: w, Pos: uint32(i)})
	}
	return tokens
}

func TestDocumentsAreReadBackUnchanged(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	want := synthetic(32051057)
	bare := &Document{PMID: 1}
	if done := commitTest(t, s, "q", want, bare); done.Inserted != 2 {
		t.Fatalf("%+v", done)
	}
	other := openTest(t, dir, Options{ReadOnly: true})
	for _, s := range []*Store{s, other} {
		got, err := s.Document(t.Context(), want.PMID)
		if err != nil {
			t.Fatal(err)
		}
		want.Version = 1
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got\n%+v, put\n%+v", got, want)
		}
	}
	got, err := s.Document(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	v := reflect.ValueOf(*got)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.IsNil() {
			t.Errorf("%s of a bare document is nil", v.Type().Field(i).Name)
		}
	}
	if _, err := s.Document(t.Context(), 2); !IsKind(err, NotFound) {
		t.Errorf("an absent document: %v", err)
	}
	if err := s.Begin("").Put(&Document{PMID: 0}); !IsKind(err, Invalid) {
		t.Errorf("a document without a PMID: %v", err)
	}
	if _, err := other.Begin("").Commit(t.Context()); !IsKind(err, ReadOnly) {
		t.Errorf("writing what is read only: %v", err)
	}
	var seen []record.PMID
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, d.PMID)
	}
	if fmt.Sprint(seen) != "[1 32051057]" {
		t.Errorf("iteration: %v", seen)
	}
}

func FuzzDecodeBody(f *testing.F) {
	body, _ := encodeBody(synthetic(1))
	f.Add(body)
	f.Add([]byte{byte(bodyFormat), 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		skims(t, data)
		doc, err := decodeBody(data)
		if err != nil {
			return
		}
		again, _ := encodeBody(doc)
		back, err := decodeBody(again)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(doc, back) {
			t.Errorf("after encoding and decoding: got %+v, want %+v", back, doc)
		}
	})
}

// Bodies compressed before there was a code, with the first code and with later ones can all be
// read, also by a process that opened the corpus earlier.
func TestBodiesOutliveTheirDictionaries(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	doc := func(pmid record.PMID) *Document {
		d := synthetic(pmid)
		d.Abstract = strings.Repeat(fmt.Sprint("made-up words ", pmid*7919%1000, " and others "), int(pmid%7))
		return d
	}
	var other *Store
	for from := record.PMID(1); from <= 2*trainAt; from += trainAt / 4 {
		var docs []*Document
		for pmid := from; pmid < from+trainAt/4; pmid++ {
			docs = append(docs, doc(pmid))
		}
		commitTest(t, s, "q", docs...)
		if other == nil {
			other = openTest(t, dir, Options{ReadOnly: true})
			if _, err := other.Document(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.db.Writer.Exec("UPDATE meta SET value=value/4 WHERE key='trained'"); err != nil { // train more than once
			t.Fatal(err)
		}
	}
	var dictionaries int
	if err := s.db.Writer.QueryRow("SELECT count(*) FROM code").Scan(&dictionaries); err != nil {
		t.Fatal(err)
	}
	if dictionaries < 2 {
		t.Fatalf("codes: got %d, want at least 2", dictionaries)
	}
	n := record.PMID(0)
	for got, err := range other.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		want := doc(n)
		want.Version = 1
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("document %d: %+v, want %+v", n, got, want)
		}
	}
	equal(t, "documents read", n, 2*trainAt)
	st, err := other.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "documents counted", st.Documents, int64(n))
	equal(t, "chunks counted", st.Chunks, 2*int64(n))
	equal(t, "the corpus is empty", st.Bytes == 0, false)
}

// TestRevisionsAndDeletions checks the rules by which records replace and delete one another.
func TestRevisionsAndDeletions(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	doc := func(version int, lr, title string) *Document {
		return &Document{PMID: 9, PMIDVersion: version, LR: lr, Title: title}
	}
	check := func(name string, got CommitResult, want CommitResult, version int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		d, err := s.Document(t.Context(), 9)
		switch {
		case version == 0 && !IsKind(err, NotFound):
			t.Errorf("%s: got %+v, %v, want NotFound", name, d, err)
		case version > 0 && err != nil:
			t.Errorf("%s: got %v, want version %d", name, err, version)
		case version > 0:
			equal(t, name+": version", d.Version, version)
		}
	}
	remove := func(asOf string) CommitResult {
		b := s.Begin("updates")
		b.Delete(9, asOf)
		done, err := b.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	check("new", commitTest(t, s, "q", doc(1, "2024-05-02", "a")), CommitResult{Inserted: 1}, 1)
	check("same again", commitTest(t, s, "q", doc(1, "2024-05-02", "a")), CommitResult{Skipped: 1}, 1)
	check("older", commitTest(t, s, "q", doc(1, "2024-05-01", "b")), CommitResult{Skipped: 1}, 1)
	check("same date, other content", commitTest(t, s, "q", doc(1, "2024-05-02T00:00:00Z", "b")), CommitResult{Updated: 1}, 2)
	check("LR advanced", commitTest(t, s, "q", doc(1, "2024-05-03", "b")), CommitResult{Updated: 1}, 3)
	check("PMID version advanced, LR not", commitTest(t, s, "q", doc(2, "2024-05-01", "b")), CommitResult{Updated: 1}, 4)
	check("older PMID version", commitTest(t, s, "q", doc(1, "2025-01-01", "b")), CommitResult{Skipped: 1}, 4)
	check("deleted", remove(""), CommitResult{Deleted: 1}, 0)
	check("deleted twice", remove("2024-06-01"), CommitResult{}, 0)
	check("not newer than the deletion", commitTest(t, s, "q", doc(2, "2024-06-01", "b")), CommitResult{Skipped: 1}, 0)
	check("newer", commitTest(t, s, "q", doc(2, "2024-06-02", "b")), CommitResult{Inserted: 1}, 5)
	batch := []*Document{doc(2, "2024-06-03", "b"), doc(2, "2024-06-03", "b"), doc(2, "2024-06-04", "c")}
	check("several in one batch", commitTest(t, s, "q", batch...), CommitResult{Updated: 2, Skipped: 1}, 7)

	b := s.Begin("q")
	b.Delete(10, "2024-06-01") // before its record was stored
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := commitTest(t, s, "q", &Document{PMID: 10, LR: "2024-01-01"})
	equal(t, "records skipped because of an earlier deletion", done.Skipped, 1)
	states, err := s.States(t.Context(), []record.PMID{9, 10, 11})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "version of 9", states[9].Version, 7)
	equal(t, "date of 9", states[9].Revised, 202406040000)
	equal(t, "10 is deleted", states[10].Deleted, true)
	equal(t, "state of 11, which was never stored", states[11], State{})
	same, action := states[9].Put(doc(2, "2024-06-04", "c"), 0)
	equal(t, "effect of an identical record", action, Skip)
	equal(t, "state after an identical record", same, states[9])
	_, action = states[9].Put(doc(2, "2024-06-04", "d"), 0)
	equal(t, "effect of a record with other content", action, Update)
}

func TestProvenanceNamesTheQueriesOfADocument(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := openTest(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	commitTest(t, s, "mushrooms", synthetic(1))
	now = now.Add(time.Hour)
	commitTest(t, s, "antioxidants", synthetic(1)) // skipped, but also found by this query
	got, err := s.provenance(t.Context(), 1)
	want := []brought{{"mushrooms", now.Add(-time.Hour)}, {"antioxidants", now}}
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("provenance: got %v, want %v", got, want)
	}
}

func TestCheckpointsMoveForwardAndManualSetsAreAudited(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := openTest(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	ctx := t.Context()
	_, ok, err := s.Checkpoint(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "an unknown key has a checkpoint", ok, false)
	for _, step := range []struct{ began, edat, now string }{
		{"", "2024-05-01T00:00:00Z", "2024-05-01T00:00:00Z"},
		{"2024-05-01T00:00:00Z", "2024-04-01T00:00:00Z", "2024-05-01T00:00:00Z"}, // never moves back
		{"", "2024-06-01T00:00:00Z", "2024-05-01T00:00:00Z"},                     // was set in the meantime
		{"2024-04-01T00:00:00Z", "2024-06-01T00:00:00Z", "2024-05-01T00:00:00Z"},
		{"2024-05-01T00:00:00Z", "2024-05-01T06:00:00Z", "2024-05-01T06:00:00Z"},
	} {
		t.Run(step.began, func(t *testing.T) {
			now, err := s.AdvanceCheckpoint(ctx, "k", step.began, step.edat)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "checkpoint after advancing to "+step.edat, now, step.now)
		})
	}
	if err := s.SetCheckpoint(ctx, "k", "2020-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetCheckpoint(ctx, "new", "2021-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	edat, ok, err := s.Checkpoint(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the key has a checkpoint", ok, true)
	equal(t, "checkpoint that was set by hand", edat, "2020-01-01T00:00:00Z")
	audit, err := s.audit(ctx, "")
	want := []auditEntry{
		{"2026-01-02T03:04:05Z", "k", "2024-05-01T06:00:00Z", "2020-01-01T00:00:00Z"},
		{"2026-01-02T03:04:05Z", "new", "", "2021-01-01T00:00:00Z"}}
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(audit, want) {
		t.Errorf("audit: got %v, want %v", audit, want)
	}
	one, err := s.audit(ctx, "new")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "audit entries of one key", len(one), 1)
	for _, bad := range []string{"", "yesterday", "2024-05-01", "2024-05-01T00:00:00+02:00"} {
		t.Run(bad, func(t *testing.T) {
			if err := s.SetCheckpoint(ctx, "k", bad); !IsKind(err, Invalid) {
				t.Errorf("%q: got %v, want Invalid", bad, err)
			}
		})
	}
}

func TestJobsResume(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	ctx := t.Context()
	_, ok, err := s.UnfinishedJob(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "there is an unfinished job before the first one", ok, false)
	job := Job{ID: "sync_1", Key: "k", Term: "t", From: "a", To: "b", Started: "2026-01-01T00:00:00Z"}
	if err := s.StartJob(ctx, job); err != nil {
		t.Fatal(err)
	}
	b := s.Begin("k")
	b.SliceDone("sync_1", "2024/01/01:2024/06/30")
	file := File{Path: "/f/pubmed26n0001.xml.gz", Size: 10, ModTime: time.Unix(5, 6)}
	b.FileDone(file)
	if _, err := b.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	got, ok, err := s.UnfinishedJob(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "there is an unfinished job", ok, true)
	equal(t, "unfinished job", got, job)
	slices, err := s.StoredSlices(ctx, "sync_1")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "number of slices", len(slices), 1)
	equal(t, "the slice is done", slices["2024/01/01:2024/06/30"], true)
	grown, touched := file, file
	grown.Size++
	touched.ModTime = touched.ModTime.Add(1)
	for _, c := range []struct {
		f    File
		done bool
	}{{file, true}, {grown, false}, {touched, false}, {File{Path: "/other"}, false}} {
		t.Run(fmt.Sprint(c.done), func(t *testing.T) {
			done, err := s.FileDone(ctx, c.f)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, fmt.Sprintf("%+v is done", c.f), done, c.done)
		})
	}
	if err := s.FinishJob(ctx, "sync_1", "{}"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err = s.UnfinishedJob(ctx, "k"); err != nil {
		t.Fatal(err)
	}
	equal(t, "there is an unfinished job after FinishJob", ok, false)
	if slices, err = s.StoredSlices(ctx, "sync_1"); err != nil {
		t.Fatal(err)
	}
	equal(t, "slices of a finished job", len(slices), 0)
}

func TestOneSyncOfAKeyAtATime(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a := openTest(t, dir, Options{Now: func() time.Time { return now }})
	b := openTest(t, dir, Options{})
	lease, err := a.Lease(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := b.Lease(t.Context(), "k"); !errors.As(err, &held) {
		t.Fatalf("a second lease of the key: got %v, want a HeldError", err)
	}
	equal(t, "key of the holder", held.Key, "k")
	equal(t, "process of the holder", held.PID, os.Getpid())
	equal(t, "the host of the holder is empty", held.Host == "", false)
	equal(t, "start of the holder", held.Since, "2026-01-02T03:04:05Z")
	other, err := b.Lease(t.Context(), "another key")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	if err := lease.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := b.Lease(t.Context(), "k")
	if err != nil {
		t.Fatalf("after its release: %v", err)
	}
	again.Release()
}
