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

// synthetic is a made-up record with something in every field.
func synthetic(pmid record.PMID) *Document {
	return &Document{
		PMID: pmid, PMIDVersion: 1, Title: fmt.Sprintf("Made-up record %d", pmid), VernacularTitle: "Ein Titel",
		Abstract: "AIM: None. RESULTS: p < 0.05.", Sections: []Section{{"AIM", "OBJECTIVE", "None."}, {"RESULTS", "RESULTS", "p < 0.05."}},
		Authors:  []Author{{LastName: "Müller", ForeName: "Ada", Initials: "A", Suffix: "Jr", ORCID: "0000-0002-1825-0097"}, {Collective: "The Group"}},
		Journal:  Journal{"Journal of Samples", "J. Samp.", "J Samp", "0000001", "1234-5679", "1", "2", "3-4"},
		PubTypes: []string{"Journal Article", "Review"}, Mesh: []Heading{{true, "Mushrooms", "D000001", []Qualifier{{Name: "chemistry", UI: "Q000737"}}}},
		Grants: []Grant{{"R01", "CA", "NCI", "United States"}}, Chemicals: []Chemical{{"Ergothioneine", "D004880", "BDZ3DQM98W"}}, Cites: []record.PMID{7, 8}, SupplMesh: []Supplementary{{"Yeast", "C1", "Organism"}}, PubModel: "Print", PII: "e1", Season: "Spring",
		Keywords: []string{"k1", "k2"}, Languages: []string{"eng"}, DOI: "10.1/x", PMCID: "PMC1",
		PDat: "2024-05", MedlineDate: "2024 May-Jun", Epub: "2024-04-01", EDAT: "2024-05-02T06:00:00Z", CRDT: "2024-05-01T06:00:00Z", LR: "2024-06-01T00:00:00Z",
		Status: "MEDLINE", Publisher: "P", BookTitle: "B", Corrections: []Correction{{"ErratumIn", "5", "J Samp", "n"}},
		Indexed: true, Human: true, Facts: 77,
		Chunks: []Chunk{{ID: "s0", Section: "AIM", Text: "None."}, {ID: "s1", Section: "RESULTS", Text: "p < 0.05."}},
	}
}

func commitTest(t testing.TB, s *Store, source string, docs ...*Document) Committed {
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

func TestDamagedBodiesAreErrors(t *testing.T) {
	body, _ := encodeBody(synthetic(1))
	for i := range body {
		if _, err := decodeBody(body[:i]); err == nil {
			t.Fatalf("%d of %d bytes were taken for a document", i, len(body))
		}
	}
	if _, err := decodeBody(append(body, 0)); err == nil {
		t.Error("trailing bytes were taken for part of a document")
	}
}

func FuzzDecodeBody(f *testing.F) {
	body, _ := encodeBody(synthetic(1))
	f.Add(body)
	f.Add([]byte{byte(bodyFormat), 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := decodeBody(data)
		if err != nil {
			return
		}
		again, _ := encodeBody(doc)
		back, err := decodeBody(again)
		if err != nil || !reflect.DeepEqual(doc, back) {
			t.Errorf("a document that was read cannot be written and read: %v", err)
		}
	})
}

// Bodies packed before there was a dictionary, under the first and under later
// ones are all read, also by a process that was open before.
func TestBodiesOutliveTheirDictionaries(t *testing.T) {
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
	if err := s.db.Writer.QueryRow("SELECT count(*) FROM code").Scan(&dictionaries); err != nil || dictionaries < 2 {
		t.Fatalf("%d dictionaries, %v", dictionaries, err)
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
	if n != 2*trainAt {
		t.Errorf("%d documents", n)
	}
	if st, err := other.Stats(t.Context()); err != nil || st.Documents != int64(n) || st.Chunks != 2*int64(n) || st.Bytes == 0 {
		t.Errorf("stats: %+v %v", st, err)
	}
}

// The rule of the corpus, case by case.
func TestRevisionsAndDeletions(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	doc := func(version int, lr, title string) *Document {
		return &Document{PMID: 9, PMIDVersion: version, LR: lr, Title: title}
	}
	check := func(name string, got Committed, want Committed, version int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		d, err := s.Document(t.Context(), 9)
		if version == 0 && !IsKind(err, NotFound) || version > 0 && (err != nil || d.Version != version) {
			t.Errorf("%s: %+v %v, want version %d", name, d, err, version)
		}
	}
	remove := func(asOf string) Committed {
		b := s.Begin("updates")
		b.Delete(9, asOf)
		done, err := b.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	check("new", commitTest(t, s, "q", doc(1, "2024-05-02", "a")), Committed{Inserted: 1}, 1)
	check("same again", commitTest(t, s, "q", doc(1, "2024-05-02", "a")), Committed{Skipped: 1}, 1)
	check("older", commitTest(t, s, "q", doc(1, "2024-05-01", "b")), Committed{Skipped: 1}, 1)
	check("same date, other content", commitTest(t, s, "q", doc(1, "2024-05-02T00:00:00Z", "b")), Committed{Updated: 1}, 2)
	check("LR advanced", commitTest(t, s, "q", doc(1, "2024-05-03", "b")), Committed{Updated: 1}, 3)
	check("PMID version advanced, LR not", commitTest(t, s, "q", doc(2, "2024-05-01", "b")), Committed{Updated: 1}, 4)
	check("older PMID version", commitTest(t, s, "q", doc(1, "2025-01-01", "b")), Committed{Skipped: 1}, 4)
	check("deleted", remove(""), Committed{Deleted: 1}, 0)
	check("deleted twice", remove("2024-06-01"), Committed{}, 0)
	check("not newer than the deletion", commitTest(t, s, "q", doc(2, "2024-06-01", "b")), Committed{Skipped: 1}, 0)
	check("newer", commitTest(t, s, "q", doc(2, "2024-06-02", "b")), Committed{Inserted: 1}, 5)
	check("two in one batch", commitTest(t, s, "q", doc(2, "2024-06-03", "b"), doc(2, "2024-06-03", "b"), doc(2, "2024-06-04", "c")), Committed{Updated: 2, Skipped: 1}, 7)

	b := s.Begin("q")
	b.Delete(10, "2024-06-01") // before its record was ever seen
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if done := commitTest(t, s, "q", &Document{PMID: 10, LR: "2024-01-01"}); done.Skipped != 1 {
		t.Errorf("a record that was deleted before it was seen came back: %+v", done)
	}
	states, err := s.States(t.Context(), []record.PMID{9, 10, 11})
	if err != nil || states[9].Version != 7 || states[9].Revised != 202406040000 || !states[10].Deleted || states[11] != (State{}) {
		t.Errorf("states: %+v %v", states, err)
	}
	same, skip := states[9].Put(doc(2, "2024-06-04", "c"), 0)
	if _, update := states[9].Put(doc(2, "2024-06-04", "d"), 0); skip != Skip || same != states[9] || update != Update {
		t.Error("Put must foretell what Commit does")
	}
}

func TestProvenanceNamesTheQueriesOfADocument(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := openTest(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	commitTest(t, s, "mushrooms", synthetic(1))
	now = now.Add(time.Hour)
	commitTest(t, s, "antioxidants", synthetic(1)) // skipped, and yet found by this query too
	got, err := s.provenance(t.Context(), 1)
	want := []brought{{"mushrooms", now.Add(-time.Hour)}, {"antioxidants", now}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v %v", got, err)
	}
}

func TestCheckpointsMoveForwardAndManualSetsAreAudited(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := openTest(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	ctx := t.Context()
	if _, ok, err := s.Checkpoint(ctx, "k"); ok || err != nil {
		t.Fatalf("an unknown key: %v %v", ok, err)
	}
	for _, step := range []struct{ began, edat, now string }{
		{"", "2024-05-01T00:00:00Z", "2024-05-01T00:00:00Z"},
		{"2024-05-01T00:00:00Z", "2024-04-01T00:00:00Z", "2024-05-01T00:00:00Z"}, // never back
		{"", "2024-06-01T00:00:00Z", "2024-05-01T00:00:00Z"},                     // set meanwhile
		{"2024-04-01T00:00:00Z", "2024-06-01T00:00:00Z", "2024-05-01T00:00:00Z"},
		{"2024-05-01T00:00:00Z", "2024-05-01T06:00:00Z", "2024-05-01T06:00:00Z"},
	} {
		t.Run(step.began, func(t *testing.T) {
			if now, err := s.AdvanceCheckpoint(ctx, "k", step.began, step.edat); err != nil || now != step.now {
				t.Errorf("advance from %q to %s: %q %v", step.began, step.edat, now, err)
			}
		})
	}
	if err := s.SetCheckpoint(ctx, "k", "2020-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetCheckpoint(ctx, "new", "2021-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	if edat, ok, err := s.Checkpoint(ctx, "k"); edat != "2020-01-01T00:00:00Z" || !ok || err != nil {
		t.Errorf("after a manual set: %q %v %v", edat, ok, err)
	}
	audit, err := s.audit(ctx, "")
	want := []auditEntry{
		{"2026-01-02T03:04:05Z", "k", "2024-05-01T06:00:00Z", "2020-01-01T00:00:00Z"},
		{"2026-01-02T03:04:05Z", "new", "", "2021-01-01T00:00:00Z"}}
	if err != nil || !reflect.DeepEqual(audit, want) {
		t.Errorf("audit: %v %v", audit, err)
	}
	if one, _ := s.audit(ctx, "new"); len(one) != 1 {
		t.Errorf("audit of a key: %v", one)
	}
	for _, bad := range []string{"", "yesterday", "2024-05-01", "2024-05-01T00:00:00+02:00"} {
		t.Run(bad, func(t *testing.T) {
			if err := s.SetCheckpoint(ctx, "k", bad); !IsKind(err, Invalid) {
				t.Errorf("%q was taken for a time: %v", bad, err)
			}
		})
	}
}

func TestJobsResume(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	ctx := t.Context()
	if _, ok, err := s.UnfinishedJob(ctx, "k"); ok || err != nil {
		t.Fatalf("no job yet: %v %v", ok, err)
	}
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
	if got, ok, err := s.UnfinishedJob(ctx, "k"); got != job || !ok || err != nil {
		t.Errorf("got %+v %v %v", got, ok, err)
	}
	if done, err := s.Slices(ctx, "sync_1"); err != nil || len(done) != 1 || !done["2024/01/01:2024/06/30"] {
		t.Errorf("slices: %v %v", done, err)
	}
	grown, touched := file, file
	grown.Size++
	touched.ModTime = touched.ModTime.Add(1)
	for _, c := range []struct {
		f    File
		done bool
	}{{file, true}, {grown, false}, {touched, false}, {File{Path: "/other"}, false}} {
		t.Run(fmt.Sprint(c.done), func(t *testing.T) {
			if done, err := s.FileDone(ctx, c.f); err != nil || done != c.done {
				t.Errorf("%+v: %v %v", c.f, done, err)
			}
		})
	}
	if err := s.FinishJob(ctx, "sync_1", "{}"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := s.UnfinishedJob(ctx, "k"); ok {
		t.Error("a finished job is not resumed")
	}
	if done, _ := s.Slices(ctx, "sync_1"); len(done) != 0 {
		t.Errorf("slices of a finished job: %v", done)
	}
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
	if _, err := b.Lease(t.Context(), "k"); !errors.As(err, &held) || held.PID != os.Getpid() || held.Since != "2026-01-02T03:04:05Z" || held.Host == "" || held.Key != "k" {
		t.Fatalf("the second learns who works: %v", err)
	}
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
