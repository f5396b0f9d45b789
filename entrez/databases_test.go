package entrez_test

import (
	"slices"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
)

func TestDatabases(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		names, err := c.Databases(t.Context())
		if err != nil || !slices.Contains(names, "pubmed") || !slices.Contains(names, "gtr") || len(names) < 30 {
			t.Errorf("%q, %v", names, err)
		}
		if err := sim.Fail(entreztest.Fault{Endpoint: "einfo", Kind: entreztest.HTML200, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if names, err := c.Databases(t.Context()); err == nil {
			t.Errorf("HTML was read as %q", names)
		}
	})
}
