package resolve_test

import (
	"context"
	"errors"
	"testing"

	"biomcp/entrez/disease"
	"biomcp/entrez/drug"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/gene"
	"biomcp/entrez/resolve"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/variant"
)

// follow finds word, or the only record that it is another name of.
func follow[R any](ctx context.Context, find func(context.Context, string) (R, error), word string) (R, error) {
	r, err := find(ctx, word)
	if miss, ok := errors.AsType[*resolve.Miss](err); ok && miss.Kind == resolve.Alias {
		return find(ctx, miss.Candidates[0].Symbol)
	}
	return r, err
}

// A program resolves names without a command line.
func TestNamesOfEveryKind(t *testing.T) {
	srv := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork())
	sourcestest.AddTo(srv.Server)
	network := srv.Network(t)
	for word, want := range map[string]string{"BRAF": "673", "HER2": "2064", "c-kit": "3815"} {
		if g, err := follow(t.Context(), gene.New(network).Find, word); err != nil || g.ID != want {
			t.Errorf("%s is the gene %+v, %v, want %s", word, g, err, want)
		}
	}
	for _, word := range []string{"BRAF V600E", "rs113488022"} {
		if v, err := variant.New(network).Find(t.Context(), word); err != nil || v[0].VCV != "VCV000013961" {
			t.Errorf("%s is the variant %+v, %v, want VCV000013961", word, v, err)
		}
	}
	if d, err := follow(t.Context(), drug.New(network).Find, "Gleevec"); err != nil || d.Name != "imatinib" {
		t.Errorf("Gleevec is the drug %+v, %v, want imatinib", d, err)
	}
	if d, err := disease.New(network).Find(t.Context(), "Lynch syndrome"); err != nil || d.Name != "Lynch syndrome" {
		t.Errorf("Lynch syndrome is the disease %+v, %v", d, err)
	}
}
