package intake

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/rag"
	"biomcp/store"
)

// golden are synthetic records with fixed metadata.
func golden(edition int) []pubmedRecord {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("measure ", n-1)) + "." }
	trial := pubmedRecord{pmid: 90000001, title: "A synthetic trial", lr: "2024-06-01", mesh: []string{"Humans"}, pubTypes: "Randomized Controlled Trial",
		abstract: "BACKGROUND: " + words(200) + " METHODS: " + words(300) + " RESULTS: " + words(500)}
	if edition == 2 {
		trial.lr, trial.abstract = "2025-03-01", "It was shortened."
	}
	return []pubmedRecord{
		trial,
		{pmid: 90000002, title: "A synthetic retraction", mesh: []string{"Animals"}, pubTypes: "Retracted Publication", abstract: words(20)},
		{pmid: 90000003, title: "Not indexed yet", status: "Publisher", pubTypes: "Systematic Review", abstract: words(451)},
	}
}

// Expected values of fixed records at a fixed time: version, quality by the documented rules,
// and the ID of each chunk as computed by Python's uuid5. An external engine has the same
// chunks.
const (
	goldenFirst = `90000001 v1 {"design":2,"recency":2,"journal":1,"human":2,"total":7}
  s0 d2ef88c4-dc2a-5c23-bf24-b3eda2a42a01
  s1 eab10b25-c71a-5061-978e-3045a8ae31ea
  s2_0 0b872ff7-2b91-51a0-94ad-74503ba6625e
  s2_1 af5825ba-9ef5-5846-8c03-d1bd368a8025
90000002 v1 {"design":0,"recency":2,"journal":1,"human":1,"total":0}
  w0 d523a614-086e-54bf-a287-116ed36bba88
90000003 v1 {"design":3,"recency":2,"journal":null,"human":null,"total":5}
  w0 137a80d6-c441-5adf-a426-e77d0ed2bc1c
  w1 e44de8f1-1a36-5437-b944-383c078c60e2
`
	goldenSecond = `90000001 v2 {"design":2,"recency":2,"journal":1,"human":2,"total":7}
  w0 f67af2be-f3e5-5b72-8306-e808e4d6ca5e
90000002 v1 {"design":0,"recency":2,"journal":1,"human":1,"total":0}
  w0 d523a614-086e-54bf-a287-116ed36bba88
90000003 v1 {"design":3,"recency":2,"journal":null,"human":null,"total":5}
  w0 137a80d6-c441-5adf-a426-e77d0ed2bc1c
  w1 e44de8f1-1a36-5437-b944-383c078c60e2
`
)

func TestGoldenChunksAndQuality(t *testing.T) {
	o := options(t)
	engine := newShelf(-1)
	o.Index = engine
	for edition, want := range []string{goldenFirst, goldenSecond} {
		t.Run(want, func(t *testing.T) {
			importing(t, o, inFile(t, golden(edition+1)))
			if got := portrait(t, o.Store); got != want {
				t.Errorf("edition %d: got\n%s\nwant\n%s", edition+1, got, want)
			}
			for place, err := range engine.Chunks(t.Context(), 0) {
				if id := rag.UUID(place.PMID, place.ChunkID); err != nil || !strings.Contains(want, fmt.Sprintf("%s %s\n", place.ChunkID, id)) {
					t.Errorf("the engine holds %v as %s, %v", place, id, err)
				}
			}
		})
	}
}

func portrait(t *testing.T, s *store.Store) string {
	t.Helper()
	var b strings.Builder
	for d, err := range s.Documents(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		q, err := json.Marshal(rag.Assess(d, clock))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d v%d %s\n", d.PMID, d.Version, q)
		for _, c := range d.Chunks {
			fmt.Fprintf(&b, "  %s %s\n", c.ID, rag.UUID(d.PMID, c.ID))
		}
	}
	return b.String()
}
