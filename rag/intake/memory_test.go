package intake

import (
	"testing"

	"biomcp/rag"
)

// releasing is an embedder that notes that its memory was given back.
type releasing struct {
	rag.Embedder
	times int
}

func (r *releasing) Release() { r.times++ }

// While a model is fitted, those that have made vectors take no memory.
func TestModelsAreReleasedForAFit(t *testing.T) {
	o := options(t)
	if _, err := Import(t.Context(), o, inFile(t, topical(1, 60))); err != nil {
		t.Fatal(err)
	}
	models, err := o.Store.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first, second := &releasing{}, &releasing{}
	s := &session{o: o, maker: &maker{embedder: first}, second: &maker{embedder: second}}
	if _, err := s.localModel(t.Context(), models, whenGrown); err != nil || first.times+second.times != 0 {
		t.Errorf("released %d and %d times where no model is fitted, %v", first.times, second.times, err)
	}
	if _, err := s.localModel(t.Context(), models, always); err != nil || first.times != 1 || second.times != 1 {
		t.Errorf("released %d and %d times, %v", first.times, second.times, err)
	}
}
