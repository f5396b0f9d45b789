package wordindex_test

import (
	"fmt"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
)

// Authors are found as PubMed finds them: any initials that begin as typed, without regard to case,
// diacritics, apostrophes and hyphens; in quotes the initials are whole.
func TestAuthorsAreFound(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := s.Begin("q")
	for i, authors := range [][]store.Author{
		1: {{LastName: "Smith", Initials: "J"}, {LastName: "Müller", Initials: "KH"}},
		2: {{LastName: "Smith", Initials: "JA"}}, 3: {{LastName: "Smith Jones", Initials: "B"}},
		4: {{LastName: "O'Brien", Initials: "É"}, {LastName: "Smith", Initials: "J"}}, 5: {{LastName: "van der Berg", Initials: "J"}},
		6: {{LastName: "García-López", Initials: "M"}}, 7: {{Collective: "Test Group of 1999"}}, 8: {{LastName: "Li", Initials: "W"}},
		9: {{LastName: "Smithers", Initials: "J"}},
	} {
		if i > 0 {
			if err := b.Put(&store.Document{PMID: record.PMID(i), Authors: authors, Chunks: []store.Chunk{chunk("heart")}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := func(f store.Filter) string {
		hits, _, err := s.List(t.Context(), f, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		var pmids []record.PMID
		for _, h := range hits {
			pmids = append(pmids, h.PMID)
		}
		slices.Sort(pmids)
		docs, err := s.DocumentsByPMID(t.Context(), []record.PMID{1, 2, 3, 4, 5, 6, 7, 8, 9})
		if err != nil {
			t.Fatal(err)
		}
		for pmid, d := range docs {
			if passes, err := d.Passes(f); err != nil || passes != slices.Contains(pmids, pmid) {
				t.Errorf("%v: document %d passes: %t, %v; the index finds %v", f, pmid, passes, err, pmids)
			}
		}
		return fmt.Sprint(pmids)
	}
	for typed, want := range map[string]string{
		"Smith": "[1 2 4]", "smith j": "[1 2 4]", "SMITH JA": "[2]", "Smith J A": "[2]", "smith j.a.": "[2]",
		"Smith, J": "[1 2 4]", "Smith, John A": "[2]", "John Smith": "[1 2 4]", "Smith John": "[1 2 4]", `"Smith J"`: "[1 4]",
		"smith jb": "[]", "Smith JA Jr": "[2]", "smith*": "[1 2 3 4 9]", "smith jones": "[1 2 3 4]", "smith jones*": "[3]", "Smith Jones B": "[3]",
		"muller k": "[1]", "Müller": "[1]", "obrien e": "[4]", "O’Brien É": "[4]", "van der Berg": "[5]", "van der Berg J": "[5]",
		"garcia lopez": "[6]", "García-López M": "[6]", "test group of 1999": "[7]", "Test Group*": "[7]", "Wei Li": "[8]",
		"Li W": "[8]", "": "[]", "nobody": "[]",
	} {
		if got := list(store.Filter{Authors: []string{typed}}); got != want {
			t.Errorf("author %q finds %s, want %s", typed, got, want)
		}
	}
	if got := list(store.Filter{FirstAuthors: []string{"smith j"}}); got != "[1 2]" {
		t.Errorf("first author smith j finds %s, want [1 2]", got)
	}
	if got := list(store.Filter{Authors: []string{"smith", "muller"}}); got != "[1]" {
		t.Errorf("authors smith and muller find %s, want [1]", got)
	}
	none := store.Filter{None: []store.Filter{{Authors: []string{"smith*"}}, {Any: []store.Filter{{PMIDs: []record.PMID{5, 6}}, {Authors: []string{"li"}}}}}}
	if got := list(none); got != "[7]" {
		t.Errorf("the rest is %s, want [7]", got)
	}
	if got := list(store.Filter{Any: []store.Filter{}}); got != "[]" {
		t.Errorf("one of no filters finds %s, want []", got)
	}
}
