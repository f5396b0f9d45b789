package rag

import (
	"slices"
	"testing"

	"biomcp/rag/analyze"
	"biomcp/store"
)

func TestChunksHaveTheTermsOfTitlePassageAndSubjects(t *testing.T) {
	d := &store.Document{
		Title:    "Lens surgery",
		Abstract: prose(500) + " Cataract.",
		Mesh:     []store.Heading{{Descriptor: "Lens, Crystalline", Qualifiers: []store.Qualifier{{Name: "surgery"}}}, {Descriptor: "Humans"}},
		Keywords: []string{"unused with MeSH"},
	}
	NewCutter().Cut(d)
	if len(d.Chunks) != 2 || d.Chunks[0].ID != "w0" || d.Chunks[1].ID != "w1" {
		t.Fatalf("chunks %v", d.Chunks)
	}
	count := func(c store.Chunk, term string) (n int) {
		for _, tok := range c.Tokens {
			if tok.Term == term {
				n++
			}
		}
		return n
	}
	for i, c := range d.Chunks {
		for term, want := range map[string]int{"surgeri": 2, "len": 3, "human": 1, "cataract": i, "unus": 0} {
			t.Run(term, func(t *testing.T) {
				if got := count(c, term); got != want {
					t.Errorf("%s holds %s %d times, want %d", c.ID, term, got, want)
				}
			})
		}
		if !slices.IsSortedFunc(c.Tokens, func(a, b store.Token) int { return int(a.Pos) - int(b.Pos) }) {
			t.Errorf("%s: positions go down", c.ID)
		}
	}
	// No phrase crosses from one field into the next, or from one heading.
	bag := NewBag(d.Chunks[1].Tokens)
	for phrase, want := range map[string]bool{`"lens surgery"`: true, `"surgery lens"`: false, `"lens, crystalline"`: true, `"crystalline humans"`: false, `"cataract lens"`: false} {
		t.Run(phrase, func(t *testing.T) {
			if got := bag.Matches(ParseQuery(analyze.New(), phrase).Lexical); got != want {
				t.Errorf("%s: %v", phrase, got)
			}
		})
	}
}

// A title is one term as a whole in its first chunk. A query has that term only if it has the
// same words at the same positions.
func TestATitleIsATerm(t *testing.T) {
	d := &store.Document{Title: "Opioids in chronic pain: the role of TNF-α.", Abstract: prose(500)}
	NewCutter().Cut(d)
	for typed, want := range map[string]bool{
		"opioids in chronic pain: the role of TNFα": true, "[Opioids in Chronic Pain - the Role of TNF-alpha]": true,
		"opioids chronic pain role TNFα": false, "chronic pain in opioids: the role of TNFα": false, "opioids": false, "": false,
	} {
		t.Run(typed, func(t *testing.T) {
			tokens, _ := analyze.New().Tokens(nil, typed, 0)
			if term := titleTerm(tokens); (len(NewBag(d.Chunks[0].Tokens)[term]) == 1) != want || len(NewBag(d.Chunks[1].Tokens)[term]) > 0 {
				t.Errorf("%q", term)
			}
		})
	}
}

func TestADocumentWithoutAbstractHasOneChunk(t *testing.T) {
	d := &store.Document{Title: "A letter", Keywords: []string{"vaccines"}}
	NewCutter().Cut(d)
	if len(d.Chunks) != 1 || d.Chunks[0].ID != "w0" || d.Chunks[0].Text != "" {
		t.Fatalf("chunks %v", d.Chunks)
	}
	if bag := NewBag(d.Chunks[0].Tokens); len(bag["letter"]) != 2 || len(bag["vaccin"]) != 1 {
		t.Errorf("terms %v", bag)
	}
}

func TestEmbeddingTextEndsWithSubjects(t *testing.T) {
	if got, want := EmbeddingText("Title", "Passage.", []string{"Humans", "Lens, Crystalline"}), "Title\nPassage.\nHumans; Lens, Crystalline"; got != want {
		t.Error(got)
	}
	if got := EmbeddingText("", "", nil); got != "\n\n" {
		t.Errorf("%q", got)
	}
}
