package litvar

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"biomcp/entrez/polite"
)

// captured is a service that has one answer, a real one; without it the test is
// skipped.
type captured struct {
	status int
	body   []byte
}

func (c captured) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: c.status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(c.body))}, nil
}

func client(t *testing.T, status int, name string) *Client {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("../../../shared/data/breadth/litvar2", name))
	if err != nil {
		t.Skip("the captured replies are not here")
	}
	c, err := polite.New(polite.Config{Transport: captured{status, body}, SlotDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return New(c)
}

func TestCapturedReplies(t *testing.T) {
	found, err := client(t, 200, "autocomplete_V600E.json").Find(t.Context(), "BRAF V600E")
	if err != nil || len(found) != 1 || found[0].ID != OfRS("rs113488022") || found[0].Articles != 21820 || !slices.Equal(found[0].Genes, []string{"BRAF"}) {
		t.Errorf("%+v, %v", found, err)
	}
	pmids, err := client(t, 200, "publications.json").Articles(t.Context(), OfRS("rs113488022"))
	if err != nil || len(pmids) != 5 || pmids[0] != "32768003" {
		t.Errorf("%q, %v", pmids, err)
	}
	for _, status := range []int{200, 404} {
		if pmids, err := client(t, status, "not_found.json").Articles(t.Context(), OfRS("rs1234")); err != nil || len(pmids) != 0 {
			t.Errorf("%d: %q, %v", status, pmids, err)
		}
	}
}

// The variants of a gene come as Python dictionaries, which are never read as an answer.
func TestListOfPythonDictionariesIsNoAnswer(t *testing.T) {
	if _, err := client(t, 200, "search_gene_BRAF.txt").Find(t.Context(), "BRAF"); !polite.IsKind(err, polite.Upstream) {
		t.Errorf("%v", err)
	}
}
