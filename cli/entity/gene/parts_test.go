package gene_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

func TestGeneOfAnotherOrganismIsNotTheHumanOne(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, requests := clitest.AskUncached(t, srv, "get gene 109880 variants diseases diagnostics trials drugs pgx --json")
	got := geneJSON(t, text)
	if code != 0 || len(got.Genes) != 1 || len(requests) > 2 {
		t.Fatalf("exit %d, %q: %s", code, clitest.Endpoints(requests), text)
	}
	for _, s := range got.Meta.Sources {
		if s.Key != "genes" && s.Outcome != "inapplicable" {
			t.Errorf("%+v", s)
		}
	}
	if n := strings.Join(got.Notices, "\n"); strings.Count(n, "is a gene of Mus musculus; on human genes only: ") != 1 {
		t.Error(n)
	}
	if fmt.Sprint(got.Meta.Next) != "[biomcp get gene 109880 articles orthologs]" {
		t.Error(got.Meta.Next)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene 109880 BRAF variants --json") // only the human gene has variants
	got = geneJSON(t, text)
	if code != 0 || len(got.Genes[0]["variants"].([]any)) != 0 || len(got.Genes[1]["variants"].([]any)) == 0 || got.Meta.Sources[1].Outcome != "data" {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestGeneOfTheMitochondrionOnBothAssemblies(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	at := func(assembly string) map[string]any {
		return map[string]any{"assemblyaccver": assembly, "chraccver": "NC_012920.1", "chrloc": "MT", "chrstart": 3306, "chrstop": 4261}
	}
	srv.SetEntry("gene", entreztest.Entry{UID: "4535", Summary: map[string]any{
		"name": "MT-ND1", "chromosome": "MT", "organism": map[string]any{"scientificname": "Homo sapiens", "taxid": 9606},
		"genomicinfo": []any{at("")}, "locationhist": []any{at("GCF_000001405.40"), at("GCF_000001405.25")},
	}})
	text, code, _ := clitest.AskUncached(t, srv, "get gene 4535 --json")
	got := geneJSON(t, text)
	if code != 0 || got.Genes[0]["location"].(map[string]any)["assembly"] != "GRCh38" || got.Genes[0]["location_grch37"].(map[string]any)["assembly"] != "GRCh37" {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestIDsOfOtherRegistriesAreLookedForAtOnce(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	ids := map[string]string{"HGNC:1097": "673", "ENSG00000157764": "673", "hgnc:11998": "7157", "ENSG00000141510": "7157"}
	srv.SetEntry("gene", entreztest.Entry{UID: "7157", Terms: map[string][]string{"TEXT": {"HGNC:11998", "ENSG00000141510"}, "PROP": {"alive"}}, Summary: map[string]any{"name": "TP53"}})
	for word, id := range ids {
		t.Run(word, func(t *testing.T) {
			text, code, requests := clitest.AskUncached(t, srv, "get gene "+word+" --json")
			if got := geneJSON(t, text); code != 0 || len(requests) != 3 || got.Genes[0]["entrez_id"] != id {
				t.Errorf("%s: exit %d, %q: %s", word, code, clitest.Endpoints(requests), text)
			}
		})
	}
	text, code, requests := clitest.AskUncached(t, srv, "get gene ENSG00000141510 HGNC:1097 HGNC:999999 --json")
	got := geneJSON(t, text)
	if code != 0 || len(requests) != 3 || len(got.Genes) != 2 || got.Genes[0]["symbol"] != "TP53" || got.Genes[1]["symbol"] != "BRAF" || fmt.Sprint(got.NotFound) != "[HGNC:999999]" {
		t.Errorf("exit %d, %q: %s", code, clitest.Endpoints(requests), text)
	}
	text, code, requests = clitest.AskUncached(t, srv, "get gene HGNC:999999 --json")
	if code != 1 || len(requests) != 1 || !strings.Contains(text, "NOT_FOUND") {
		t.Errorf("exit %d, %q: %s", code, clitest.Endpoints(requests), text)
	}
	if err := srv.Fail(sourcetest.Fault{Endpoint: "esearch", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene BRAF HGNC:11998 --json")
	if got := geneJSON(t, text); code != 0 || len(got.Genes) != 1 || !strings.Contains(strings.Join(got.Notices, "\n"), "could not be looked for: HGNC:11998: ") || strings.Contains(strings.Join(got.Notices, "\n"), "not found") || got.Meta.Sources[0].Outcome != "degraded" {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code, _ = clitest.AskUncached(t, srv, "get gene HGNC:11998 --json"); code != 1 || !strings.Contains(text, "UPSTREAM") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestVariantsOfAGeneThatWereNotLookedAt(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for i := range 120 {
		srv.SetEntry("clinvar", entreztest.Entry{UID: fmt.Sprint(91000000 + i), Terms: map[string][]string{"GENE": {"TP53"}}, Summary: map[string]any{"accession": fmt.Sprint("VCV", 91000000+i), "title": "invented"}})
	}
	text, code, _ := clitest.AskUncached(t, srv, "get gene TP53 variants --json")
	if n := strings.Join(geneJSON(t, text).Notices, "\n"); code != 0 || !strings.Contains(n, "of 120 variants of TP53 the first 100 in ClinVar's order were read") {
		t.Errorf("exit %d: %s", code, n)
	}
}

func TestRegionIsOfTheHumanGenome(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for _, organism := range []string{"mouse", "any", "10090"} {
		t.Run(organism, func(t *testing.T) {
			text, code, requests := clitest.AskUncached(t, srv, "search gene --organism "+organism+" --region 7:1-1000 --json")
			if code != 2 || len(requests) > 0 || !strings.Contains(text, "of the human genome") || !strings.Contains(text, "biomcp search gene --region 7:1-1000 --json") {
				t.Errorf("%s: exit %d: %s", organism, code, text)
			}
		})
	}
	for _, organism := range []string{"human", "9606", "'Homo sapiens'"} {
		t.Run(organism, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "search gene --organism "+organism+" --region 7:140719327-140924929 --json")
			if code != 0 || !slices.Contains(geneJSON(t, text).Notices, "--region is a place on GRCh38") {
				t.Errorf("%s: exit %d: %s", organism, code, text)
			}
		})
	}
}

// Each of several sections has its own command for the rest. A section that ends before
// --offset is named, with the command for the others.
func TestPagesOfSeveralSections(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get gene BRAF articles diseases --limit 1", Text: "Articles of BRAF: 1 of 3 shown; the next: biomcp get gene BRAF articles --limit 1 --offset 1\n"},
		{Line: "get gene BRAF articles diseases --limit 1", Text: "Diseases of BRAF: 1 of 2 shown; the next: biomcp get gene BRAF diseases --limit 1 --offset 1\n"},
		{Line: "get gene BRAF all --limit 1 --json", Text: "Gene Ontology of BRAF: 1 of 4 shown; the next: biomcp get gene BRAF go --limit 1 --offset 1 --json"},
		{Line: "get gene BRAF articles diseases --limit 1 --offset 2", ExitStatus: 2, Text: "Diseases: --offset 2 is past the end: there are 2\ntry:   biomcp get gene BRAF articles --limit 1 --offset 2\n"},
		{Line: "get gene BRAF go diseases --limit 1 --offset 9", ExitStatus: 2, Text: "try:   biomcp get gene BRAF diseases --limit 1\n"},
		{Line: "get article 90100001 similar citation --style ris --limit 1", Text: "the next: biomcp get article 90100001 similar --limit 1 --offset 1\n"},
	})
}
