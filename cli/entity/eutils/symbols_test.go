package eutils_test

import (
	"io"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/entity/eutils"
	"biomcp/entrez/gene"
	"biomcp/entrez/resolve"
)

// Another name of a gene returns the symbols of the genes that have it.
func TestNamesOfGenes(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	in := command.NewInput(app, nil, command.IO{Err: io.Discard}, []string{"search", "trial"}, nil, nil)
	for word, want := range map[string]string{"P53": "an alias of TP53", "BRAF": "", "not a symbol": ""} {
		t.Run(word, func(t *testing.T) {
			name, err := eutils.Genes(app).LookupName(t.Context(), word)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(name.Genes) > 0 {
				got = eutils.DescribeName(name)
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
			other, err := eutils.GeneNames(t.Context(), in, word)
			if err != nil || (len(other.Names) > 0) != (want != "") {
				t.Errorf("%+v, %v", other, err)
			}
		})
	}
	several := gene.Name{Genes: []resolve.Candidate{{Symbol: "KMT2A"}, {Symbol: "KMT2D"}}, Previous: true}
	if got := eutils.DescribeName(several); got != "a previous symbol or an alias of several genes (KMT2A, KMT2D)" {
		t.Error(got)
	}
}

// Listed knows no word if the table is absent.
func TestListedWithoutTheTable(t *testing.T) {
	if name, known := eutils.LookupInTable(t.Context(), commandtest.Disk(t), "P53"); known || len(name.Genes) > 0 {
		t.Errorf("%+v", name)
	}
	if text, code := clitest.Ask(t, commandtest.NCBI(t, commandtest.EverySource(t)), command.Agent, "search trial -g P53 --json"); code != 0 || !strings.Contains(text, "TP53") {
		t.Errorf("exit %d: %s", code, text)
	}
}
