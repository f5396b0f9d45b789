package curated_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/entity/curated"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/entreztest"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// synced returns an App with the tables of sets.
func synced(t *testing.T, sets ...*bulk.Set) (*command.App, *entreztest.Server) {
	t.Helper()
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	for _, s := range sets {
		if text, code := clitest.Ask(t, app, command.Person, "sync "+s.Name); code != 0 {
			t.Fatalf("sync %s: exit %d, %s", s.Name, code, text)
		}
	}
	return app, srv
}

// require reports each text that the answer to a line lacks.
func require(t *testing.T, app *command.App, line string, texts ...string) (answer string) {
	t.Helper()
	answer, code := clitest.Ask(t, app, command.Agent, line)
	for _, want := range texts {
		if code != 0 || !strings.Contains(answer, want) {
			t.Errorf("%s: got exit %d, %s\nwant %q", line, code, answer, want)
		}
	}
	return answer
}

// Without tables a section names the command that brings them.
func TestAbsentTables(t *testing.T) {
	app, _ := synced(t)
	for line, wants := range map[string][]string{
		"get gene KMT2D validity":       {"biomcp sync clingen stores it", "biomcp sync gencc stores it", "Not known"},
		"get gene KMT2D dosage":         {"biomcp sync clingen stores it", "Not known"},
		"get gene BRAF evidence":        {"biomcp sync civic stores it", "Not known"},
		"get variant 13961 evidence":    {"biomcp sync civic stores it"},
		"get disease C0024796 validity": {"biomcp sync clingen stores it"},
	} {
		if text := require(t, app, line, wants...); strings.Contains(text, "has no row") || strings.Contains(text, "None.") {
			t.Errorf("%s: got a claim without a table: %s", line, text)
		}
	}
	app, _ = synced(t, bulk.GenCC) // one of two
	text := require(t, app, "get gene KMT2D validity --json", "the local table clingen (ClinGen) is not on this machine", `"validity_total":null`, `"SGC-900001"`)
	if strings.Contains(text, "CC0 1.0, provided by ClinGen") {
		t.Errorf("got the licence of a table that was not read: %s", text)
	}
	if got := clitest.Outcomes(t, text); got["clingen"] != result.Unavailable || got["gencc"] != result.Data || got["validity"] != result.Degraded {
		t.Errorf("got outcomes %v, want clingen unavailable, gencc data, validity degraded", got)
	}
}

func TestValidityAndDosage(t *testing.T) {
	app, srv := synced(t, bulk.ClinGen, bulk.GenCC)
	srv.ClearRequests()
	text := require(t, app, "get gene KMT2D validity dosage",
		"| ClinGen | KMT2D | invented syndrome 1 (MONDO:9900001) | Definitive | Autosomal dominant | Invented Panel | 2024-07-01 |",
		"| ClinGen | KMT2D | invented syndrome 2 (MONDO:9900002) | Disputed | Autosomal recessive |",
		"| GenCC | KMT2D | invented syndrome 1 (MONDO:9900001) | Strong | Autosomal dominant | Invented Laboratory | 2023-05-01 |",
		"rows on validity for KMT2D: ClinGen (local table clingen, as of ", "CC0 1.0, provided by ClinGen", "CC0 1.0, provided by the Gene Curation Coalition",
		"each row is one organisation's classification",
		"| KMT2D | Sufficient Evidence for Haploinsufficiency (score 3) | No Evidence for Triplosensitivity (score 0) | 2025-09-24 |")
	for _, wrong := range []string{"Moderate", "Limited", "XKMT2DX", "Little"} { // older versions, and a symbol that contains it
		if strings.Contains(text, wrong) {
			t.Errorf("got %q in %s", wrong, text)
		}
	}
	for _, r := range srv.Requests() {
		if name := r.Endpoint; strings.Contains(name, "clingen") || strings.Contains(name, "gencc") {
			t.Errorf("an answer from tables asked %s", name)
		}
	}
	none := require(t, app, "get gene BRAF validity dosage", "ClinGen's table of ", " has no row on validity for BRAF", " has no row on dosage for BRAF",
		"The local tables have no row for it.")
	if strings.Contains(none, "None.") {
		t.Errorf("got a claim that there is none: %s", none)
	}
	page := require(t, app, "get gene KMT2D validity --limit 3 --json", `"validity_total":4`, "--limit 3 --offset 3", `"classification":"Disputed"`)
	commandtest.Validate(t, "get_gene.response", "get gene KMT2D validity", page)
	require(t, app, "get gene KMT2D validity --limit 3 --offset 3", "| GenCC | KMT2D | invented syndrome 1 (MONDO:9900001) | Definitive | Autosomal dominant | ClinGen |")
	csv := require(t, app, "get gene KMT2D dosage --csv", "haploinsufficiency_score")
	if n := strings.Count(csv, "\nKMT2D,"); n != 1 {
		t.Errorf("got %d rows of CSV, want 1: %s", n, csv)
	}
	commandtest.Validate(t, "get_gene.response", "get gene KMT2D dosage", require(t, app, "get gene KMT2D dosage --json", `"haploinsufficiency_score":3`))
	require(t, app, "get gene 109880 validity", "on human genes only: ") // Braf of the mouse
}

func TestValidityOfADisease(t *testing.T) {
	app, _ := synced(t, bulk.ClinGen, bulk.GenCC)
	text := require(t, app, "get disease C0024796 validity --json", `"source":"ClinGen"`, `"source":"GenCC"`, `"gene":"FBN1"`, `"validity_total":2`,
		"rows on validity for Marfan syndrome (MONDO:0007947): ",
		"types of the disease with ids of their own are not among them")
	commandtest.Validate(t, "get_disease.response", "get disease C0024796 validity", text)
	// Without a MONDO id a disease is found by its names.
	s := curated.DiseaseSubject("marfan Syndrome", []string{"other"}, nil)
	if s.Condition.Text != "marfan Syndrome" || !s.Condition.Exact || !strings.Contains(s.Notice, "no MONDO id for marfan Syndrome: rows are found by its names") {
		t.Errorf("got %+v", s)
	}
}

// Rows with a previous symbol count, but not if another gene has or had that symbol too.
func TestPreviousSymbols(t *testing.T) {
	app, _ := synced(t)
	s, err := curated.GeneSubject(t.Context(), app, "PRKN", "HGNC:8607")
	if err != nil || strings.Join(s.Condition.Alternatives, " ") != "HGNC:8607" {
		t.Errorf("without HGNC's table: got %+v, %v, want the symbol and the HGNC id", s, err)
	}
	app, _ = synced(t, bulk.HGNC)
	for symbol, want := range map[string]string{"PRKN": "PARK2", "KMT2D": "TNRC21 MLL2", "BRAF": "", "UNKNOWN1": ""} {
		s, err := curated.GeneSubject(t.Context(), app, symbol, "")
		if err != nil || strings.Join(s.Condition.Alternatives, " ") != want || (s.Notice == "") != (want == "") {
			t.Errorf("%s: got %+v, %v, want %q", symbol, s, err, want)
		}
	}
}

func TestEvidenceOnAGene(t *testing.T) {
	app, _ := synced(t, bulk.CIViC)
	text := require(t, app, "get gene BRAF evidence",
		"| BRAF V600E | variant | Invented Melanoma | Fictinib, Synthimab (Combination) | Predictive | Somatic | A (validated) | Supports | Sensitivity/Response | 5 | PMID 90000001, NCT90000001, NCT90000002 | https://civicdb.org/links/evidence_items/9000001 |",
		"| BRAF V600E | variant | Invented Colorectal Cancer | Fictinib | Predictive | Somatic | B (clinical) | Does Not Support (AGAINST the significance) | Sensitivity/Response | - | ASCO 90002 | https://civicdb.org/links/evidence_items/9000002 (flagged) |",
		"| BRAF V600 | class |", "| BRAF V600E AND KIT Mutation | combination |", "| BRAF K601E AND NOT BRAF V600E | combination |",
		"Does Not Support reverses the meaning", "accepted evidence only", "flagged items are disputed", "one with NOT in the absence of a variant",
		"rows on accepted evidence for BRAF: CIViC (local table civic, as of ", "CC0 1.0, provided by CIViC")
	if strings.Contains(text, "9000008") || strings.Index(text, "| class |") > strings.Index(text, "| combination |") {
		t.Errorf("got a submitted item, or classes after combinations: %s", text)
	}
	page := require(t, app, "get gene BRAF evidence --limit 2 --offset 2 --json", `"evidence_total":5`, `"scope":"class"`, "--offset 4")
	commandtest.Validate(t, "get_gene.response", "get gene BRAF evidence", page)
	require(t, app, "get gene BRAF evidence --csv", "\nBRAF,9000002,", ",ASCO,90002,")
	all := require(t, app, "get gene BRAF evidence --json", `"pmid":"90000001"`, `"against":true`, `"level_meaning":"validated"`, `"variant_origin":"Somatic"`)
	if strings.Contains(all, `"pmid":"90002"`) {
		t.Errorf("got a number of ASCO as a PMID: %s", all)
	}
	require(t, app, "get gene KIT evidence", "| KIT Mutation | class |", "| v::KIT Fusion | class |", "| BRAF V600E AND KIT Mutation | combination |")
	require(t, app, "get gene TP53 evidence", "CIViC's table of ", " has no row on accepted evidence for TP53")
}

func TestEvidenceOnAVariant(t *testing.T) {
	app, _ := synced(t, bulk.CIViC)
	text := require(t, app, "get variant BRAF V600E evidence --json", `"evidence_total":4`, `"evidence_id":"9000001"`, `"evidence_id":"9000003"`,
		"on VCV000013961: 2 on the variant itself (found by its id in ClinVar), 1 on a class whose name covers it, 1 on a combination that names one of these",
		"items not shown because their profile requires the absence of VCV000013961: 1")
	commandtest.Validate(t, "get_variant.response", "get variant BRAF V600E evidence", text)
	if strings.Contains(text, "9000007") {
		t.Errorf("got evidence on the absence of the variant: %s", text)
	}
	require(t, app, "get variant BRAF V600E evidence --limit 2 --offset 3", "| BRAF V600E AND KIT Mutation | combination |")
}

// A variant that CIViC knows by name alone is found by it, and only with its own gene.
func TestEvidenceByName(t *testing.T) {
	var all []curated.Evidence
	files := sets.Files{}
	for _, f := range bulk.CIViC.Files {
		files[f.Name] = bytes.NewReader(bulktest.New().Text(bulk.CIViC, f.Name))
	}
	err := sets.Read(bulk.CIViC.Name, bulk.CIViC.Layouts(), files, func(r *table.Row) error {
		all = append(all, curated.Evidence{Evidence: r.Body.(sets.Evidence)})
		return nil
	}, &sets.Report{})
	if err != nil {
		t.Fatal(err)
	}
	g12 := all[0]
	g12.ID, g12.Scope, g12.Variants = "1", sets.VariantClass, []sets.CIViCVariant{{Genes: []string{"KRAS"}, Name: "G12/G13"}}
	either := g12
	either.ID, either.Variants = "2", []sets.CIViCVariant{{Genes: []string{"KRAS"}, Name: "G12D/V"}}
	all = append(all, g12, either)
	for i, profile := range []string{"NOT BRAF V601A", "BRAF V601 AND NOT BRAF V601A", "NOT (BRAF V601A OR BRAF V601B)",
		"BRAF V601A AND NOT KIT Mutation", "NOT ( NOT BRAF V601A )"} {
		e := g12
		e.ID, e.Profile, e.Scope, e.Variants = fmt.Sprint(10+i), profile, sets.Combination, nil
		for _, name := range []string{"V601", "V601A", "V601B"} {
			if strings.Contains(profile+")", "BRAF "+name+")") || strings.Contains(profile, "BRAF "+name+" ") {
				e.Variants = append(e.Variants, sets.CIViCVariant{Genes: []string{"BRAF"}, Name: name})
			}
		}
		all = append(all, e)
	}
	for _, c := range []struct {
		change curated.Change
		want   string // scope and id of each item
	}{
		{curated.Change{Name: "x", Gene: "BRAF", Protein: "V600E"}, "variant 9000001, variant 9000002, class 9000003, combination 9000004"},
		{curated.Change{Name: "x", VariationID: "376069"}, "variant 9000001, variant 9000002, combination 9000004"},
		{curated.Change{Name: "x", Gene: "BRAF", VariationID: "1", Protein: "V600K"}, "class 9000003"},
		{curated.Change{Name: "x", Gene: "BRAF", Protein: "K601E"}, "combination 9000007"},
		{curated.Change{Name: "x", Gene: "BRAF", Protein: "V60E"}, ""},
		{curated.Change{Name: "x", Gene: "BRAF", Protein: "V601A"}, "combination 13, combination 14"},
		{curated.Change{Name: "x", Gene: "BRAF", Protein: "V601C"}, "combination 11"},
		{curated.Change{Name: "x", Gene: "KIT", Protein: "V600E"}, "class 9000005, combination 9000004"},
		{curated.Change{Name: "x", Gene: "KIT"}, "class 9000005, combination 9000004"},
		{curated.Change{Name: "x", Gene: "KIT", Protein: "L862="}, ""},
		{curated.Change{Name: "x", Gene: "KIT", Type: "copy number gain"}, ""},
		{curated.Change{Name: "x", Gene: "NEW", Previous: []string{"BRAF"}, Protein: "V600K"}, "class 9000003"},
		{curated.Change{Name: "x", Gene: "NEW", Previous: []string{"BRAF"}, Protein: "K601E"}, "combination 9000007"},
		{curated.Change{Name: "x", Gene: "TP53", Protein: "R175H"}, ""},
		{curated.Change{Name: "x", Gene: "KRAS", Protein: "G12V"}, "class 1, class 2"},
		{curated.Change{Name: "x", Gene: "KRAS", Protein: "G13V"}, "class 1"},
		{curated.Change{Name: "x", Gene: "KRAS", Protein: "G121D"}, ""},
		{curated.Change{Name: "x", Gene: "KRAS"}, ""},
	} {
		kept, _, _ := c.change.Choose(all)
		var ids []string
		for _, e := range kept {
			ids = append(ids, e.Scope+" "+e.ID)
		}
		if got := strings.Join(ids, ", "); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.change, got, c.want)
		}
	}
}
