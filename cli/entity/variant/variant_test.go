package variant_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez"
	"biomcp/entrez/sourcetest"
)

type variantAnswer struct {
	Variants []struct {
		ID, VCV, RSID, CAID, Gene, Title, SPDI string
		MergedFrom                             []string `json:"merged_from"`
		HGVS                                   struct {
			G, C, P string
			MANE    *bool
		}
		Locations []struct {
			Assembly, Chromosome, Ref, Alt string
			Start, End                     int
		}
		Germline, Oncogenicity *struct {
			Classification, Evaluated string
			Stars                     int
		}
		Impact      *struct{ Classification string } `json:"clinical_impact"`
		Submissions *int
		Frequencies []struct {
			Study, Allele string
			Frequency     *float64
			Count         *int `json:"allele_count"`
		}
		Articles []struct {
			PMID string
			From []string
		}
		ClinVar   []struct{ Kind, Drug, Submitter string }
		Normalize []struct{ Name string }
	}
	Results []struct {
		ID, Title string
	}
	Total    *int
	NotFound []string `json:"not_found"`
	Notices  []string
}

func variantJSON(t *testing.T, text string) (got variantAnswer) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	return got
}

const v600e = "VCV000013961"

func TestEverySpellingOfAVariant(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for word, most := range map[string]int{
		v600e: 2, v600e + ".3": 2, "13961": 2, "rs113488022": 3, "RCV000014992": 3, "CA123643": 3,
		"NC_000007.14:g.140753336A>T": 3, "NC_000007.14:140753335:A:T": 3, "chr7:140753336A>T": 3, "chr7:g.140753336A>T": 3, "chr7:140753336a>t": 3,
		"NM_004333.6:c.1799T>A": 5, "NM_004333.6(BRAF):c.1799T>A": 5, "NC_000007.13:g.140453136A>T": 4, "NM_004333.6:2024:T:A": 4,
		"NP_004324.2:p.Val600Glu": 3, "'BRAF V600E'": 3, "BRAF V600E": 3, "braf p.V600E": 3, "BRAF p.Val600Glu": 3, "BRAF p.(Val600Glu)": 3, "BRAF c.1799T>A": 3, "BRAF:V600E": 3,
		"chr7:140453136A>T --assembly GRCh37": 4,
	} {
		t.Run(word, func(t *testing.T) {
			text, code, requests := clitest.Asked(t, srv, "get variant "+strings.NewReplacer(">", "'>'", "(", "'('", ")", "')'").Replace(word)+" --json")
			got := variantJSON(t, text)
			if code != 0 || len(got.Variants) != 1 || got.Variants[0].ID != v600e || got.Variants[0].RSID != "rs113488022" || len(requests) > most+1 { // and the whole record
				t.Errorf("%s: exit %d, %q: %.600s", word, code, clitest.Endpoints(requests), text)
			}
		})
	}
}

func TestEveryNameThatIsPrintedIsAcceptedAgain(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, _, _ := clitest.Asked(t, srv, "get variant rs113488022 --json")
	v := variantJSON(t, text).Variants[0]
	names := []string{v.ID, v.VCV, v.RSID, v.CAID, v.SPDI, v.HGVS.G, v.HGVS.C, v.HGVS.P}
	text, _, _ = clitest.Asked(t, srv, "get variant rs113488022 normalize --json")
	for _, n := range variantJSON(t, text).Variants[0].Normalize {
		names = append(names, n.Name)
	}
	if len(names) < 12 || slices.Contains(names, "") {
		t.Fatalf("%q", names)
	}
	slices.Sort(names)
	for _, n := range slices.Compact(names) {
		text, code, _ := clitest.Asked(t, srv, "get variant '"+n+"' --json")
		if got := variantJSON(t, text); code != 0 || len(got.Variants) != 1 || got.Variants[0].ID != v600e {
			t.Errorf("%s: exit %d: %.400s", n, code, text)
		}
	}
}

func TestCoordinateIsAlwaysOfAnAssembly(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for flag, want := range map[string]string{"": "PTEN", " --assembly GRCh38": "PTEN", " --assembly GRCh37": "GRID1"} {
		t.Run(flag, func(t *testing.T) {
			text, code, _ := clitest.Asked(t, srv, "get variant 'chr10:g.87933119A>C' --json"+flag)
			got := variantJSON(t, text)
			if code != 0 || got.Variants[0].Gene != want || !strings.Contains(fmt.Sprint(got.Notices), "was read on GRCh3") {
				t.Errorf("%s: exit %d: %s", flag, code, text)
			}
			for _, l := range got.Variants[0].Locations {
				if !strings.HasPrefix(l.Assembly, "GRCh3") {
					t.Errorf("%+v", l)
				}
			}
		})
	}
}

func TestClassificationsApart(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, _, _ := clitest.Asked(t, srv, "get variant 13961 90400001 90400003 --json")
	got := variantJSON(t, text).Variants
	if g, o, i := got[0].Germline, got[0].Oncogenicity, got[0].Impact; g.Classification != "Pathogenic/Likely pathogenic" || g.Stars != 2 || g.Evaluated != "2024-05-01" || o.Classification != "Oncogenic" || o.Stars != 1 || i.Classification != "Tier I - Strong" {
		t.Errorf("%s", text)
	}
	if v := got[1]; v.Germline != nil || v.Oncogenicity != nil || v.Impact != nil || *v.Submissions != 10 {
		t.Errorf("%+v", v)
	}
	if got[2].Germline.Classification != "VUS-high" || got[2].Germline.Stars != 3 {
		t.Errorf("%+v", got[2].Germline)
	}
	text, _, _ = clitest.Asked(t, srv, "get variant 90400001")
	if strings.Count(text, "no classification") != 3 || strings.Contains(text, "0001") && strings.Contains(text, "1/01/01") || strings.Contains(text, "enign") {
		t.Error(text)
	}
	if n := strings.Count(text, "\n"); n > 40 {
		t.Errorf("the card has %d lines", n)
	}
}

func TestMergedNumberOfDBSNP(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, requests := clitest.Asked(t, srv, "get variant rs386571803 rs268 rs429358 --json")
	got := variantJSON(t, text)
	if code != 0 || len(got.Variants) != 2 || got.Variants[0].RSID != "rs268" || fmt.Sprint(got.Variants[0].MergedFrom) != "[rs386571803]" ||
		!strings.Contains(fmt.Sprint(got.Notices), "rs386571803 was merged into rs268") || len(requests) > 5 {
		t.Errorf("exit %d, %q: %s", code, clitest.Endpoints(requests), text)
	}
	f := got.Variants[0].Frequencies
	if len(f) != 3 || *f[0].Count != 26 || *f[0].Frequency != 0.0051917 || f[0].Allele != "G" || *f[2].Count != 0 {
		t.Errorf("%+v", f)
	}
	if l := got.Variants[1].Locations; len(l) != 2 || l[0].Assembly != "GRCh38" || l[0].Start != 44908684 || l[1].Assembly != "GRCh37" || l[1].Start != 45411941 {
		t.Errorf("%+v", l)
	}
}

func TestChangeOnTheNumberingOfAnotherTranscript(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.Asked(t, srv, "get variant MYD88 L265P --json")
	if got := variantJSON(t, text); code != 0 || got.Variants[0].ID != "VCV000037055" || !strings.Contains(fmt.Sprint(got.Notices), "numbered by another transcript") || !strings.Contains(text, "p.Leu252Pro") {
		t.Errorf("exit %d: %s", code, text)
	}
	// c.1679T>A is V600E on another transcript; the one that is V600E on its own comes alone.
	text, _, _ = clitest.Asked(t, srv, "get variant BRAF V600E --json")
	if got := variantJSON(t, text); len(got.Variants) != 1 || len(got.Notices) > 0 {
		t.Error(text)
	}
	for line, want := range map[string]int{"BRAF V600X": 1, "NOSUCH V600E": 1, "rs999999999": 1, "chr7:140753336G>T": 2, "V600E": 2, "chr99:1A>T": 2, "hello": 2} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.Asked(t, srv, "get variant '"+line+"' --json")
			if code != want {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}

func TestSectionsOfAVariant(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, requests := clitest.Asked(t, srv, "get variant BRAF V600E articles clinvar population diseases --json")
	got := variantJSON(t, text).Variants[0]
	if code != 0 || len(requests) > 3+1+3 {
		t.Fatalf("exit %d, %q: %s", code, clitest.Endpoints(requests), text)
	}
	from := map[string]string{}
	for _, a := range got.Articles {
		from[a.PMID] = strings.Join(a.From, "+")
	}
	if fmt.Sprint(from) != "map[90100001:ClinVar+LitVar2 90100002:LitVar2 90100003:ClinVar 90100004:LitVar2]" {
		t.Errorf("%v", from)
	}
	if c := got.ClinVar; len(c) != 4 || c[0].Kind != "germline" || c[1].Kind != "oncogenicity" || c[2].Kind != "clinical impact" || c[2].Drug != "Syntheticinib" {
		t.Errorf("%+v", c)
	}
	if got.HGVS.MANE == nil || !*got.HGVS.MANE {
		t.Errorf("%+v", got.HGVS)
	}
	if err := srv.Fail(sourcetest.Fault{Endpoint: "litvar-publications", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ = clitest.Asked(t, srv, "get variant 13961 articles diseases --json")
	if got := variantJSON(t, text); code != 0 || len(got.Variants[0].Articles) != 2 || !strings.Contains(text, `"articles_total":null`) || !strings.Contains(text, `"key":"articles","label":"Articles","outcome":"degraded"`) {
		t.Errorf("exit %d: %s", code, text)
	}
	text, code, _ = clitest.Asked(t, srv, "get variant rs268 clinvar --json")
	if code != 0 || !strings.Contains(text, `"outcome":"inapplicable"`) {
		t.Errorf("exit %d: %s", code, text)
	}
}

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
			text, code, requests := clitest.Asked(t, srv, "search variant "+flags+" --json")
			got := variantJSON(t, text)
			if code != 0 || len(requests) != 2 || requests[0].Params.Get("term") != want || len(got.Results) == 0 || strings.Contains(fmt.Sprint(got.Notices), "no field of this name") {
				t.Errorf("%s: exit %d, %q, %s", flags, code, requests[0].Params.Get("term"), text)
			}
			if unknown, _, err := entrez.New(srv.Network(t)).UnknownTags(t.Context(), "clinvar", want); err != nil || len(unknown) > 0 {
				t.Errorf("%s: %q are no fields of clinvar: %v", flags, unknown, err)
			}
		})
	}
	// ClinVar indexes a protein's change without p.: another spelling is no dropped filter.
	if text, code, _ := clitest.Asked(t, srv, "search variant -g BRAF --hgvsp p.V600E --strict --json"); code != 0 || !strings.Contains(text, `"dropped":false}],"total":2,`) || !strings.Contains(text, `"dropped_phrases":[]`) {
		t.Errorf("exit %d: %.600s", code, text)
	}
	text, _, _ := clitest.Asked(t, srv, "search variant -g BRAF --review-stars 2 --json")
	if got := variantJSON(t, text); len(got.Results) != 2 || *got.Total != 2 || !slices.Contains(got.Notices, "--review-stars was applied to the 6 variants found") {
		t.Errorf("%s", text)
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

		"-g BRAF --hgvsp V999E --strict": "V999E", // no spelling of it is found
	} {
		t.Run(line, func(t *testing.T) {
			if text, code, _ := clitest.Asked(t, srv, "search variant "+line); code == 0 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
	srv.ExpectTags()
}

// ClinVar finds a gene by its symbol: two requests. That of an alias is one more, and
// one more again where only ClinVar's empty answer shows that it may be an alias.
func TestSearchVariantByTheAliasOfAGene(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for gene, want := range map[string]struct {
		requests int
		term     string
	}{"braf": {2, "braf[gene]"}, "BRAF1": {3, "BRAF[gene]"}, "B-RAF1": {3, "BRAF[gene]"}, "NS7": {4, "BRAF[gene]"}, "MLL2": {2, "KMT2D[gene]"}} {
		t.Run(gene, func(t *testing.T) {
			text, code, requests := clitest.Asked(t, srv, "search variant -g "+gene+" --json")
			if code != 0 || len(requests) != want.requests || !strings.Contains(text, `"effective_term":"`+want.term+`"`) {
				t.Errorf("%s: exit %d, %q: %.400s", gene, code, clitest.Endpoints(requests), text)
			}
			if said := strings.Contains(text, gene+" is an alias: searched for the gene "); said != (gene != "braf") {
				t.Errorf("%s: %.400s", gene, text)
			}
		})
	}
}

func TestVariantAnswersValidate(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	const answers = "get_variant.response"
	for _, line := range []string{"get variant 13961 90400001 rs268 rs429358 --json", "get variant 13961 all --json", "get variant chr7:140800001A'>'G --json"} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.Asked(t, srv, line)
			if code != 0 {
				t.Errorf("%s: exit %d", line, code)
			}
			commandtest.Validate(t, answers, line, text)
		})
	}
}
