package variant_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
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
			text, code, requests := clitest.AskUncached(t, srv, "get variant "+strings.NewReplacer(">", "'>'", "(", "'('", ")", "')'").Replace(word)+" --json")
			got := variantJSON(t, text)
			clitest.WantExit(t, code, 0, text)
			if len(got.Variants) != 1 {
				t.Fatalf("len(Variants) = %v, want 1: %.600s", len(got.Variants), text)
			}
			if got.Variants[0].ID != v600e {
				t.Errorf("Variants[0].ID = %v, want %v: %.600s", got.Variants[0].ID, v600e, text)
			}
			if got.Variants[0].RSID != "rs113488022" {
				t.Errorf("Variants[0].RSID = %q, want %q: %.600s", got.Variants[0].RSID, "rs113488022", text)
			}
			if len(requests) > most+1 { // one more reads the whole record
				t.Errorf("%d requests, want at most %d: %q: %.600s", len(requests), most+1, clitest.Endpoints(requests), text)
			}
		})
	}
}

func TestEveryNameThatIsPrintedIsAcceptedAgain(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, _, _ := clitest.AskUncached(t, srv, "get variant rs113488022 --json")
	v := variantJSON(t, text).Variants[0]
	names := []string{v.ID, v.VCV, v.RSID, v.CAID, v.SPDI, v.HGVS.G, v.HGVS.C, v.HGVS.P}
	text, _, _ = clitest.AskUncached(t, srv, "get variant rs113488022 normalize --json")
	for _, n := range variantJSON(t, text).Variants[0].Normalize {
		names = append(names, n.Name)
	}
	if len(names) < 12 {
		t.Fatalf("len(names) = %v, want >= 12: %q", len(names), names)
	}
	if slices.Contains(names, "") {
		t.Fatalf("names contains %q: %q", "", names)
	}
	slices.Sort(names)
	for _, n := range slices.Compact(names) {
		text, code, _ := clitest.AskUncached(t, srv, "get variant '"+n+"' --json")
		got := variantJSON(t, text)
		clitest.WantExit(t, code, 0, text)
		if len(got.Variants) != 1 {
			t.Fatalf("%s: len(Variants) = %v, want 1: %.400s", n, len(got.Variants), text)
		}
		if got.Variants[0].ID != v600e {
			t.Errorf("%s: Variants[0].ID = %v, want %v: %.400s", n, got.Variants[0].ID, v600e, text)
		}
	}
}

func TestCoordinateIsAlwaysOfAnAssembly(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for flag, want := range map[string]string{"": "PTEN", " --assembly GRCh38": "PTEN", " --assembly GRCh37": "GRID1"} {
		t.Run(flag, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get variant 'chr10:g.87933119A>C' --json"+flag)
			got := variantJSON(t, text)
			clitest.WantExit(t, code, 0, text)
			if got.Variants[0].Gene != want {
				t.Errorf("Variants[0].Gene = %v, want %v: %s", got.Variants[0].Gene, want, text)
			}
			if !strings.Contains(fmt.Sprint(got.Notices), "was read on GRCh3") {
				t.Errorf("Notices lacks %q: %s", "was read on GRCh3", text)
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
	text, _, _ := clitest.AskUncached(t, srv, "get variant 13961 90400001 90400003 --json")
	got := variantJSON(t, text).Variants
	g, o, i := got[0].Germline, got[0].Oncogenicity, got[0].Impact
	if g.Classification != "Pathogenic/Likely pathogenic" {
		t.Errorf("g.Classification = %q, want %q: %s", g.Classification, "Pathogenic/Likely pathogenic", text)
	}
	if g.Stars != 2 {
		t.Errorf("g.Stars = %v, want 2: %s", g.Stars, text)
	}
	if g.Evaluated != "2024-05-01" {
		t.Errorf("g.Evaluated = %q, want %q: %s", g.Evaluated, "2024-05-01", text)
	}
	if o.Classification != "Oncogenic" {
		t.Errorf("o.Classification = %q, want %q: %s", o.Classification, "Oncogenic", text)
	}
	if o.Stars != 1 {
		t.Errorf("o.Stars = %v, want 1: %s", o.Stars, text)
	}
	if i.Classification != "Tier I - Strong" {
		t.Errorf("i.Classification = %q, want %q: %s", i.Classification, "Tier I - Strong", text)
	}
	v := got[1]
	if v.Germline != nil {
		t.Errorf("v.Germline = %v, want nil: %+v", v.Germline, v)
	}
	if v.Oncogenicity != nil {
		t.Errorf("v.Oncogenicity = %v, want nil: %+v", v.Oncogenicity, v)
	}
	if v.Impact != nil {
		t.Errorf("v.Impact = %v, want nil: %+v", v.Impact, v)
	}
	if *v.Submissions != 10 {
		t.Errorf("*v.Submissions = %v, want 10: %+v", *v.Submissions, v)
	}
	if got[2].Germline.Classification != "VUS-high" {
		t.Errorf("got[2].Germline.Classification = %q, want %q: %+v", got[2].Germline.Classification, "VUS-high", got[2].Germline)
	}
	if got[2].Germline.Stars != 3 {
		t.Errorf("got[2].Germline.Stars = %v, want 3: %+v", got[2].Germline.Stars, got[2].Germline)
	}
	text, _, _ = clitest.AskUncached(t, srv, "get variant 90400001")
	if n := strings.Count(text, "no classification"); n != 3 {
		t.Errorf("%q occurs %d times, want 3: %s", "no classification", n, text)
	}
	if strings.Contains(text, "0001") {
		clitest.WantNoText(t, text, "1/01/01")
	}
	clitest.WantNoText(t, text, "enign")
	if n := strings.Count(text, "\n"); n > 40 {
		t.Errorf("the card has %d lines", n)
	}
}

func TestMergedNumberOfDBSNP(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, requests := clitest.AskUncached(t, srv, "get variant rs386571803 rs268 rs429358 --json")
	got := variantJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if len(got.Variants) != 2 {
		t.Fatalf("len(Variants) = %v, want 2: %s", len(got.Variants), text)
	}
	if got.Variants[0].RSID != "rs268" {
		t.Errorf("Variants[0].RSID = %q, want %q: %s", got.Variants[0].RSID, "rs268", text)
	}
	if fmt.Sprint(got.Variants[0].MergedFrom) != "[rs386571803]" {
		t.Errorf("Variants[0].MergedFrom = %q, want %q: %s", fmt.Sprint(got.Variants[0].MergedFrom), "[rs386571803]", text)
	}
	if !strings.Contains(fmt.Sprint(got.Notices), "rs386571803 was merged into rs268") {
		t.Errorf("Notices lacks %q: %s", "rs386571803 was merged into rs268", text)
	}
	if len(requests) > 5 {
		t.Errorf("%d requests, want at most 5: %q: %s", len(requests), clitest.Endpoints(requests), text)
	}
	f := got.Variants[0].Frequencies
	if len(f) != 3 {
		t.Fatalf("len(f) = %v, want 3: %+v", len(f), f)
	}
	if *f[0].Count != 26 {
		t.Errorf("*f[0].Count = %v, want 26: %+v", *f[0].Count, f)
	}
	if *f[0].Frequency != 0.0051917 {
		t.Errorf("*f[0].Frequency = %v, want 0.0051917: %+v", *f[0].Frequency, f)
	}
	if f[0].Allele != "G" {
		t.Errorf("f[0].Allele = %q, want %q: %+v", f[0].Allele, "G", f)
	}
	if *f[2].Count != 0 {
		t.Errorf("*f[2].Count = %v, want 0: %+v", *f[2].Count, f)
	}
	l := got.Variants[1].Locations
	if len(l) != 2 {
		t.Fatalf("len(l) = %v, want 2: %+v", len(l), l)
	}
	if l[0].Assembly != "GRCh38" {
		t.Errorf("l[0].Assembly = %q, want %q: %+v", l[0].Assembly, "GRCh38", l)
	}
	if l[0].Start != 44908684 {
		t.Errorf("l[0].Start = %v, want 44908684: %+v", l[0].Start, l)
	}
	if l[1].Assembly != "GRCh37" {
		t.Errorf("l[1].Assembly = %q, want %q: %+v", l[1].Assembly, "GRCh37", l)
	}
	if l[1].Start != 45411941 {
		t.Errorf("l[1].Start = %v, want 45411941: %+v", l[1].Start, l)
	}
}

func TestChangeOnTheNumberingOfAnotherTranscript(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "get variant MYD88 L265P --json")
	got := variantJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if got.Variants[0].ID != "VCV000037055" {
		t.Errorf("Variants[0].ID = %q, want %q: %s", got.Variants[0].ID, "VCV000037055", text)
	}
	if !strings.Contains(fmt.Sprint(got.Notices), "numbered by another transcript") {
		t.Errorf("Notices lacks %q: %s", "numbered by another transcript", text)
	}
	clitest.WantText(t, text, "p.Leu252Pro")
	// c.1679T>A is V600E on another transcript, so only the variant that is V600E on its own
	// transcript is returned.
	text, _, _ = clitest.AskUncached(t, srv, "get variant BRAF V600E --json")
	got = variantJSON(t, text)
	if len(got.Variants) != 1 {
		t.Errorf("len(Variants) = %v, want 1: %s", len(got.Variants), text)
	}
	if len(got.Notices) > 0 {
		t.Errorf("Notices = %v, want none: %s", got.Notices, text)
	}
	for line, want := range map[string]int{"BRAF V600X": 1, "NOSUCH V600E": 1, "rs999999999": 1, "chr7:140753336G>T": 2, "V600E": 2, "chr99:1A>T": 2, "hello": 2} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get variant '"+line+"' --json")
			if code != want {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}

func TestSectionsOfAVariant(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, requests := clitest.AskUncached(t, srv, "get variant BRAF V600E articles clinvar population diseases --json")
	got := variantJSON(t, text).Variants[0]
	clitest.WantExit(t, code, 0, text)
	if len(requests) > 3+1+3 {
		t.Fatalf("%d requests, want at most %d: %q: %s", len(requests), 3+1+3, clitest.Endpoints(requests), text)
	}
	from := map[string]string{}
	for _, a := range got.Articles {
		from[a.PMID] = strings.Join(a.From, "+")
	}
	if fmt.Sprint(from) != "map[90100001:ClinVar+LitVar2 90100002:LitVar2 90100003:ClinVar 90100004:LitVar2]" {
		t.Errorf("%v", from)
	}
	c := got.ClinVar
	if len(c) != 4 {
		t.Fatalf("len(c) = %v, want 4: %+v", len(c), c)
	}
	if c[0].Kind != "germline" {
		t.Errorf("c[0].Kind = %q, want %q: %+v", c[0].Kind, "germline", c)
	}
	if c[1].Kind != "oncogenicity" {
		t.Errorf("c[1].Kind = %q, want %q: %+v", c[1].Kind, "oncogenicity", c)
	}
	if c[2].Kind != "clinical impact" {
		t.Errorf("c[2].Kind = %q, want %q: %+v", c[2].Kind, "clinical impact", c)
	}
	if c[2].Drug != "Syntheticinib" {
		t.Errorf("c[2].Drug = %q, want %q: %+v", c[2].Drug, "Syntheticinib", c)
	}
	if mane := got.HGVS.MANE; mane == nil || !*mane {
		t.Errorf("HGVS.MANE = %v, want true: %+v", mane, got.HGVS)
	}
	if err := srv.Fail(sourcetest.Fault{Endpoint: "litvar-publications", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get variant 13961 articles diseases --json")
	clitest.WantExit(t, code, 0, text)
	if n := len(variantJSON(t, text).Variants[0].Articles); n != 2 {
		t.Errorf("%d articles, want 2: %s", n, text)
	}
	clitest.WantText(t, text,
		`"articles_total":null`,
		`"key":"articles","label":"Articles","outcome":"degraded"`)
	text, code, _ = clitest.AskUncached(t, srv, "get variant rs268 clinvar --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, `"outcome":"inapplicable"`)
}

func TestVariantAnswersValidate(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	const answers = "get_variant.response"
	for _, line := range []string{"get variant 13961 90400001 rs268 rs429358 --json", "get variant 13961 all --json", "get variant chr7:140800001A'>'G --json"} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, line)
			if code != 0 {
				t.Errorf("%s: exit %d", line, code)
			}
			commandtest.Validate(t, answers, line, text)
		})
	}
}
