package pubtator_test

import (
	"fmt"
	"testing"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/pubtator"
)

func TestRelationsAreSortedAndReadFromEitherEnd(t *testing.T) {
	t.Parallel()
	srv := entreztest.New(t, entreztest.NoLimit())
	client := srv.Network(t)
	got, err := pubtator.Relations(t.Context(), client, "@GENE_BRAF", "negative_correlate", "Chemical")
	if want := "[{negative_correlate @CHEMICAL_Syntheticinib 12} {negative_correlate @CHEMICAL_Other_Inventib 3}]"; err != nil || fmt.Sprint(got) != want || got[1].Name() != "Other Inventib" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := pubtator.Relations(t.Context(), client, "@GENE_NONE", "negative_correlate", "Chemical"); err != nil || len(got) > 0 {
		t.Errorf("%v, %v", got, err)
	}
}
