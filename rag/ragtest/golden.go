package ragtest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"biomcp/rag"
	"biomcp/store"
)

// goldenClock is the time at which the quality of the golden documents is assessed.
var goldenClock = time.Date(2025, 11, 21, 13, 0, 0, 0, time.UTC)

// goldenDocuments returns synthetic documents with fixed metadata. In edition 2 the trial is
// shorter and retracted.
func goldenDocuments(edition int) []*store.Document {
	words := func(n int) string { return strings.Repeat("measure ", n-2) + "end." }
	section := func(label string, n int) store.Section { return store.Section{Label: label, Text: words(n)} }
	trial := &store.Document{
		PMID: 90000001, PMIDVersion: 1, LR: "2024-06-01T00:00:00Z", PDat: "2020-11", Title: "A synthetic trial",
		Sections: []store.Section{
			section("BACKGROUND", 50), section("METHODS", 60), section("RESULTS", 500), section("CONCLUSIONS", 130),
		},
		PubTypes: []string{"Journal Article", "Randomized Controlled Trial"},
		Journal:  store.Journal{MedlineTA: "N Engl J Med"},
		Indexed:  true, Human: true,
	}
	if edition == 2 {
		trial.LR, trial.Sections, trial.Retracted = "2025-03-01T00:00:00Z", []store.Section{section("", 30)}, true
	}
	docs := []*store.Document{trial, {
		PMID: 90000002, PMIDVersion: 1, LR: "2024-06-01T00:00:00Z", PDat: "2019", Title: "Mice, reviewed",
		Abstract: words(20), PubTypes: []string{"Journal Article", "Review"},
		Journal: store.Journal{MedlineTA: "Synth J"}, Indexed: true, Animal: true,
	}, {
		PMID: 90000003, PMIDVersion: 1, LR: "2024-06-01T00:00:00Z", PDat: "2015-11-20", Title: "Not indexed yet",
		Abstract: words(451),
		PubTypes: []string{"Systematic Review"}, Journal: store.Journal{MedlineTA: "Lancet"},
	}}
	r, c := rand.New(rand.NewPCG(90, uint64(edition))), rag.NewCutter()
	for _, d := range docs {
		var text []string
		for _, s := range d.Sections {
			if s.Label != "" {
				s.Text = s.Label + ": " + s.Text
			}
			text = append(text, s.Text)
		}
		if len(text) > 0 {
			d.Abstract = strings.Join(text, "\n\n")
		}
		d.Facts = rag.Facts(d)
		c.Cut(d)
		for i := range d.Chunks {
			d.Chunks[i].Vector = roundVector(vector(r))
		}
	}
	return docs
}

// Expected chunks of the golden documents, with the UUIDs that Python's uuid5 computes and the
// quality by the documented rules.
const (
	goldenFirst = `
90000001 s0 d2ef88c4-dc2a-5c23-bf24-b3eda2a42a01 {"design":2,"recency":2,"journal":2,"human":2,"total":8}
90000001 s1_0 63051c6a-57c7-5eff-a69d-8ae3e8a890f4 {"design":2,"recency":2,"journal":2,"human":2,"total":8}
90000001 s1_1 3da6a0c0-d619-5516-a7ab-4bdacadc3733 {"design":2,"recency":2,"journal":2,"human":2,"total":8}
90000001 s2 0e68630d-b20c-5cf8-99ce-f5611a0fd49e {"design":2,"recency":2,"journal":2,"human":2,"total":8}
90000002 w0 d523a614-086e-54bf-a287-116ed36bba88 {"design":1,"recency":1,"journal":1,"human":1,"total":4}
90000003 w0 137a80d6-c441-5adf-a426-e77d0ed2bc1c {"design":3,"recency":0,"journal":null,"human":null,"total":3}
90000003 w1 e44de8f1-1a36-5437-b944-383c078c60e2 {"design":3,"recency":0,"journal":null,"human":null,"total":3}
`
	goldenRevised = `
90000001 w0 f67af2be-f3e5-5b72-8306-e808e4d6ca5e {"design":2,"recency":2,"journal":2,"human":2,"total":0}
90000002 w0 d523a614-086e-54bf-a287-116ed36bba88 {"design":1,"recency":1,"journal":1,"human":1,"total":4}
90000003 w0 137a80d6-c441-5adf-a426-e77d0ed2bc1c {"design":3,"recency":0,"journal":null,"human":null,"total":3}
90000003 w1 e44de8f1-1a36-5437-b944-383c078c60e2 {"design":3,"recency":0,"journal":null,"human":null,"total":3}
`
)

func (e Engine) testGoldenValues(t *testing.T) {
	index := e.Open(t)
	for _, step := range []struct {
		name    string
		edition int
		want    string
	}{
		{"first", 1, goldenFirst},
		{"revised", 2, goldenRevised},
		{"repeated", 2, goldenRevised},
		{"older", 1, goldenRevised},
	} {
		put(t, index, goldenDocuments(step.edition)...)
		if got := summary(t, index); got != step.want {
			t.Errorf("%s: got%swant%s", step.name, got, step.want)
		}
	}
}

// summary lists the chunks of an index with the quality that both searches return.
func summary(t *testing.T, index rag.Index) string {
	t.Helper()
	ctx := context.Background()
	words, err := index.Words(ctx, parse("measure"), store.Filter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	near, _, err := index.SearchVectors(ctx, vector(rand.New(rand.NewPCG(91, 1))), store.Filter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	quality := map[rag.Place]string{}
	for _, h := range append(words, near...) {
		q, err := json.Marshal(rag.QualityOf(h.Facts, h.Date, goldenClock))
		if err != nil {
			t.Fatal(err)
		}
		if was, ok := quality[placeOf(h)]; ok && was != string(q) {
			t.Errorf("%v has quality %s and %s", placeOf(h), was, q)
		}
		quality[placeOf(h)] = string(q)
	}
	b := "\n"
	for _, p := range places(t, index, 0) {
		b += fmt.Sprintf("%d %s %s %s\n", p.PMID, p.ChunkID, rag.UUID(p.PMID, p.ChunkID), quality[p])
		delete(quality, p)
	}
	for p := range quality {
		t.Errorf("%v is a hit, but Chunks does not yield it", p)
	}
	return b
}
