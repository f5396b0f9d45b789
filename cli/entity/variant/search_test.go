package variant_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez"
)

func TestSearchVariant(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for flags, want := range map[string]string{
		"-g BRAF": "BRAF[gene]",
		"-g BRAF --significance likely-pathogenic --consequence missense": `BRAF[gene] AND ("clinsig likely pathogenic"[Properties] OR "clinsig likely pathogenic low penetrance"[Properties] OR "clinsig likely risk allele"[Properties]) AND "missense variant"[Molecular consequence]`,
		"-g BRAF --hgvsp p.V600E":                          `BRAF[gene] AND ("p.Val600Glu"[Variant name] OR "Val600Glu"[Variant name] OR "V600E"[Variant name])`,
		"--hgvsc c.1799T'>'A":                              `("c.1799T>A"[Variant name] OR "1799T>A"[Variant name])`,
		"--condition Melanoma":                             `"Melanoma"[DIS]`,
		"--region 7:140753000-140754000":                   "7[CHR] AND 140753000:140754000[CPOS]",
		"--region 7:140453000-140454000 --assembly GRCh37": "7[CHR] AND 140453000:140454000[C37]",
		"--rs rs113488022":                                 "rs113488022[VRID]",
	} {
		t.Run(flags, func(t *testing.T) {
			text, code, requests := clitest.AskUncached(t, srv, "search variant "+flags+" --json")
			got := variantJSON(t, text)
			clitest.WantExit(t, code, 0, text)
			if len(requests) != 2 {
				t.Fatalf("%d requests, want 2: %q: %s", len(requests), clitest.Endpoints(requests), text)
			}
			if requests[0].Params.Get("term") != want {
				t.Errorf("requests[0].Params.Get(\"term\") = %v, want %v: %s", requests[0].Params.Get("term"), want, text)
			}
			if len(got.Results) == 0 {
				t.Errorf("Results is empty: %s", text)
			}
			if strings.Contains(fmt.Sprint(got.Notices), "no field of this name") {
				t.Errorf("Notices contains %q: %s", "no field of this name", text)
			}
			unknown, _, err := entrez.New(srv.Network(t)).UnknownTags(t.Context(), "clinvar", want)
			if err != nil {
				t.Errorf("error: %v", err)
			}
			if len(unknown) > 0 {
				t.Errorf("unknown = %v, want none", unknown)
			}
		})
	}
	// ClinVar indexes protein changes without p.: a spelling without hits is not a dropped filter.
	text, code, _ := clitest.AskUncached(t, srv, "search variant -g BRAF --hgvsp p.V600E --strict --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, `"dropped":false}],"total":2,`, `"dropped_phrases":[]`)
	text, _, _ = clitest.AskUncached(t, srv, "search variant -g BRAF --review-stars 2 --json")
	got := variantJSON(t, text)
	if len(got.Results) != 2 {
		t.Fatalf("len(Results) = %v, want 2: %s", len(got.Results), text)
	}
	if *got.Total != 2 {
		t.Errorf("*got.Total = %v, want 2: %s", *got.Total, text)
	}
	if !slices.Contains(got.Notices, "--review-stars was applied to the 6 variants found") {
		t.Errorf("Notices lacks %q: %s", "--review-stars was applied to the 6 variants found", text)
	}
	for line, want := range map[string]string{
		"--significance bad":  "is not one of pathogenic, likely-pathogenic",
		"--consequence odd":   "is not one of missense",
		"--review-stars 5":    "is not one of 0, 1, 2, 3, 4",
		"--hgvsp hello":       "is not a change such as",
		"--region 7":          "is not a place such as",
		"--rs 5":              "is not a number such as",
		"--review-stars 3":    "requires a query or a filter",
		"BRAF[gnee] --strict": "has no field of this name",

		"-g BRAF --hgvsp V999E --strict": "V999E", // no spelling matches
	} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "search variant "+line)
			if code == 0 {
				t.Errorf("exit 0, want a failure: %s", text)
			}
			clitest.WantText(t, text, want)
		})
	}
	srv.ExpectTags()
}

// A search by gene symbol takes two requests. An alias takes one more, and another one if only
// ClinVar's empty answer shows that it may be an alias.
func TestSearchVariantByTheAliasOfAGene(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for gene, want := range map[string]struct {
		requests int
		term     string
	}{"braf": {2, "braf[gene]"}, "BRAF1": {3, "BRAF[gene]"}, "B-RAF1": {3, "BRAF[gene]"}, "NS7": {4, "BRAF[gene]"}, "MLL2": {2, "KMT2D[gene]"}} {
		t.Run(gene, func(t *testing.T) {
			text, code, requests := clitest.AskUncached(t, srv, "search variant -g "+gene+" --json")
			clitest.WantExit(t, code, 0, text)
			if len(requests) != want.requests {
				t.Errorf("%d requests, want %d: %q: %.400s", len(requests), want.requests, clitest.Endpoints(requests), text)
			}
			clitest.WantText(t, text, `"effective_term":"`+want.term+`"`)
			if said := strings.Contains(text, gene+" is an alias: searched for the gene "); said != (gene != "braf") {
				t.Errorf("%s: %.400s", gene, text)
			}
		})
	}
}
