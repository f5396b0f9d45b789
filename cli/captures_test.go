package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// capture returns a real reply of a service, recorded in 2026. The test is skipped without it.
func capture(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(commandtest.Root(t), "../shared/data/t4/captures", name))
	if err != nil {
		t.Skip("no captured replies here: ", err)
	}
	return string(body)
}

// replies makes endpoints send bodies, whatever is requested.
func replies(srv *entreztest.Server, bodies map[string]string) {
	srv.Intercept(func(c *sourcetest.Call) (sourcetest.Reply, bool) {
		body, ok := bodies[c.Endpoint]
		kind := sourcetest.JSONType
		if strings.HasPrefix(body, "<") {
			kind = sourcetest.XMLType
		}
		return sourcetest.Reply{Status: 200, Type: kind, Body: []byte(body)}, ok
	})
}

// wantAtEveryDoor asks each line for a person, for an agent and as JSON. Each answer contains all
// texts of the line; a text that begins with a quotation mark is only in JSON.
func wantAtEveryDoor(t *testing.T, srv *entreztest.Server, lines map[string][]string) {
	t.Helper()
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		var ofText, ofJSON []string
		for _, want := range lines[line] {
			if ofJSON = append(ofJSON, want); !strings.HasPrefix(want, `"`) {
				ofText, ofJSON = append(ofText, want), ofJSON[:len(ofJSON)-1]
			}
		}
		for _, may := range []command.Policy{command.Person, command.Agent} {
			text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, line)
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, ofText...)
		}
		text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, line+" --json")
		clitest.WantExit(t, code, 0, text)
		clitest.WantText(t, text, ofJSON...)
	}
}

// Captured records of ClinVar: functional evidence beside or without a classification, and
// classifications of somatic variants.
func TestCapturedRecordsOfClinVar(t *testing.T) {
	for id, c := range map[string]struct {
		file  string
		lines map[string][]string
	}{
		"868615": {"868615_VCV_one_germline_one_functional_data.xml", map[string][]string{
			"get variant 868615 clinvar": {
				"| SCV002648703 | Ambry Genetics | germline | Uncertain significance |",
				"| functionally abnormal, LOSS_OF_FUNCTION, -1.37 (in vitro, cellular survival assay) |",
				`"effect":"functionally abnormal","consequence":"LOSS_OF_FUNCTION","result":"-1.37"`,
			},
			"get variant 868615": {"by Brotman Baty Institute, University of Washington"},
		}},
		"2687784": {"2687784_VCV_with_only_functional_data.xml", map[string][]string{
			"get variant 2687784 clinvar": {"exon-skip at Exon 22 (in vitro, Mini-gene/in vitro splicing assay)",
				`"result":"exon-skip at Exon 22","method":"in vitro"`},
			"get variant 2687784 diseases": {"| C1853099 | Cornelia de Lange syndrome 3 | no classification | evidence only |"},
		}},
		"2691776": {"2691776_VCV_one_submission_with_both_germline_and_functional.xml", map[string][]string{
			"get variant 2691776 clinvar": {"functionally abnormal, NMD_triggering_variant, decreased level of expression (in vivo, RNAseq)",
				`"classification":"Likely pathogenic"`, `"consequence":"NMD_triggering_variant"`},
		}},
		"12624": {"somatic_sample_01.xml", map[string][]string{
			"get variant 12624 diseases": {
				"| C0023473 | Chronic myelogenous leukemia, BCR-ABL1 positive | clinical impact | Tier II - Potential (diagnostic: supports diagnosis) | 3 |",
				`"name":"Chronic myelogenous leukemia, BCR-ABL1 positive"`,
			},
			"get variant 12624 clinvar": {"| clinical impact | Tier I - Strong (prognostic: poor outcome) |"},
		}},
		"16613": {"somatic_sample_07.xml", map[string][]string{
			"get variant 16613 diseases": {"| C0006142 | Malignant tumor of breast | clinical impact | Tier II - Potential (prognostic: poor outcome) |",
				`"name":"Malignant tumor of breast"`},
		}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			record := capture(t, "vcv/"+c.file)
			srv := commandtest.EverySource(t)
			summary := map[string]any{"uid": id, "accession": "VCV000" + id, "title": "A captured variant"}
			srv.SetEntry("clinvar", entreztest.Entry{UID: id, Summary: summary})
			// NCBI's samples are records without the root element of EFetch.
			replies(srv, map[string]string{"efetch": "<ClinVarResult-Set>" + record + "</ClinVarResult-Set>"})
			wantAtEveryDoor(t, srv, c.lines)
		})
	}
}

func TestCapturedClassesAndNamesOfDrugs(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	replies(srv, map[string]string{"classes": capture(t, "rxnav/aspirin_rxclass.json"),
		"near": capture(t, "rxnav/approximate_fluoxetin.json")})
	wantAtEveryDoor(t, srv, map[string][]string{"get drug fictinib classes": {
		"| N02BA | Salicylic acid and derivatives | ATC1-4 | - | ATC |\n\n### Classes of combinations",
		"| N02AJ | Opioids in combination with non-opioid analgesics | ATC1-4 | - | ATC | aspirin / codeine |",
		`"combination_classes":[{"id":"N02AJ"`,
	}})
	for line, want := range map[string]string{"get drug fluoxetin": "did you mean fluoxetine?",
		"get drug fluoxetin --json": `"try":"biomcp get drug fluoxetine --json"`} {
		text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, line)
		clitest.WantExit(t, code, 1, text)
		clitest.WantText(t, text, want)
	}
	// The only candidate for this misspelling has no name.
	srv = commandtest.EverySource(t)
	replies(srv, map[string]string{"near": capture(t, "rxnav/approximate_asprin.json")})
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get drug asprin")
	clitest.WantExit(t, code, 1, text)
	clitest.WantText(t, text, "no drug found for asprin\n")
}

func TestCapturedSummariesOfDBSNP(t *testing.T) {
	t.Parallel()
	var snp struct{ Records json.RawMessage }
	if err := json.Unmarshal([]byte(capture(t, "dbsnp_esummary.json")), &snp); err != nil {
		t.Fatal(err)
	}
	srv := commandtest.EverySource(t)
	if err := srv.SetSummaries("snp", strings.NewReader(`{"result":`+string(snp.Records)+`}`), nil); err != nil {
		t.Fatal(err)
	}
	wantAtEveryDoor(t, srv, map[string][]string{
		"get variant rs80338939 population": {"| TWINSUK | del | 0.007012 | 26 |", `"allele":"del","frequency":0.007012`},
		"get variant rs429358 population":   {"| TOPMED | C | 0.1553138 | 41110 |", `"allele":"C","frequency":0.1553138`},
		"get variant rs80338939":            {"- **Type:** delins\n", "GRCh38 13:20189547", `"gene":"GJB2"`},
	})
}

// The captured studies differ in their phases and in the kind of study.
func TestCapturedTrials(t *testing.T) {
	for name, want := range map[string][]string{
		"initialize":       {"- **Phase:** PHASE1\n", "- **Type:** EXPANDED_ACCESS\n", `"phases":["PHASE1"]`},
		"interventional":   {"- **Phase:** PHASE4\n", "- **Type:** EXPANDED_ACCESS_INTERVENTIONAL\n"},
		"patient_registry": {"- **Phase:** PHASE3\n"},
		"phases":           {"- **Phase:** PHASE1/PHASE2/PHASE3/PHASE4/PHASE5\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			study := strings.Replace(capture(t, "ctgov/study_data_"+name+".json"), "NCT000001", "NCT00000001", 1)
			srv := commandtest.EverySource(t)
			replies(srv, map[string]string{"studies": `{"totalCount":1,"studies":[` + study + `]}`})
			wantAtEveryDoor(t, srv, map[string][]string{
				"get trial NCT00000001": append(want, "- **Conditions:** Cystic Fibrosis Related Diabetes, Pancreatic Insufficiency\n",
					"- **Dates:** 2006-11 (estimated) to 2013-01 (actual)\n", "12 Years to 24 Years", `"status":"COMPLETED"`),
				"get trial NCT00000001 results": {"| BMI (primary, 2 year/end of study) | 1 Placebo | 19.63 (15.56 to 22.64) |"},
			})
		})
	}
}

// ESummary's refusal of a single record, an error beside an empty result, and an error of one
// record. ELink's failure is not NCBI's statement about the article.
func TestCapturedErrorsOfNCBI(t *testing.T) {
	for name, want := range map[string]struct {
		endpoint, line string
		exit           int
		texts          []string
	}{
		"esummary_10mb.json":        {"esummary", "get gene 9757", 0, []string{"cannot send the summary of 9757"}},
		"esummary_invalid_uid.json": {"esummary", "get gene 99999999", 1, []string{"no gene found for 99999999"}},
		"esummary_no_summary.json":  {"esummary", "get gene 99999999", 1, []string{"no gene found for 99999999"}},
		"elink_exlinksrv2.xml": {"elink", "get article 90100001 similar", 0,
			[]string{"Couldn't resolve #exLinkSrv2", "records, searches and get ids do not need it", "Not known"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := commandtest.EverySource(t)
			replies(srv, map[string]string{want.endpoint: capture(t, "ncbi_errors/"+name)})
			for _, may := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, want.line)
				clitest.WantExit(t, code, want.exit, text)
				clitest.WantText(t, text, want.texts...)
			}
			text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, want.line+" --json")
			clitest.WantExit(t, code, want.exit, text)
			clitest.WantText(t, text, want.texts[0])
		})
	}
}

// Captured articles of PubMed and PMC.
func TestCapturedArticles(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	replies(srv, map[string]string{"efetch": capture(t, "peer/testdata_sources_pubmed_efetch_citation_22663011.xml")})
	wantAtEveryDoor(t, srv, map[string][]string{"get article 22663011": {
		"# Improved survival with MEK inhibition in BRAF-mutated melanoma.", "2012-07-12;367(2):107-14", "METRIC Study Group",
		`"doi":"10.1056/NEJMoa1203421"`, `"collective_name":"METRIC Study Group"`,
	}})
	for pmid, c := range map[string]struct {
		pmcid              string
		outline, reference []string
	}{
		"21353854": {"PMC3040717", []string{"| 2 | Introduction | 567 |", `"title":"Introduction","words":567`},
			[]string{"[1] Miki Y, Swensen J, Shattuck-Eidens D, et al. A strong candidate"}},
		"30523155": {"PMC6329583", []string{"| - | – – C. Functional Data (BS3, PS3) | 496 |"},
			[]string{"[1] Balmaña J, Digiovanni L, "}},
	} {
		t.Run(c.pmcid, func(t *testing.T) {
			text := capture(t, "peer/testdata_sources_ncbi_efetch_"+strings.ToLower(c.pmcid)+".xml")
			srv := commandtest.PubMed(t)
			if _, err := srv.AddJATS([]byte(text)); err != nil {
				t.Fatal(err)
			}
			if err := srv.Add(strings.NewReader(`<PubmedArticleSet><PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">` + pmid +
				`</PMID><Article><Journal><Title>J</Title></Journal><ArticleTitle>Captured.</ArticleTitle></Article></MedlineCitation><PubmedData>` +
				`<ArticleIdList><ArticleId IdType="pubmed">` + pmid + `</ArticleId><ArticleId IdType="pmc">` + c.pmcid +
				`</ArticleId></ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>`)); err != nil {
				t.Fatal(err)
			}
			wantAtEveryDoor(t, srv, map[string][]string{
				"get article " + c.pmcid + " fulltext":                   c.outline,
				"get article " + c.pmcid + " fulltext --part references": c.reference,
			})
		})
	}
}
