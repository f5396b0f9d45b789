package variant_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/bulk"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// withTable runs a test with the local table of ClinVar and simulators of all sources.
func withTable(t *testing.T, test func(t *testing.T, srv *entreztest.Server, app *command.App)) {
	t.Helper()
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if text, code := clitest.Ask(t, app, command.Person, "sync clinvar"); code != 0 {
			t.Fatal(text)
		}
		srv.ClearRequests()
		test(t, srv, app)
	})
}

const source = `"sources":["ClinVar (local table, release 2026-11-22)"]`

// Every name that the table has is answered from it, without a request, on a terminal, as JSON and over MCP.
func TestGetFromTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		for name, id := range map[string]string{
			"VCV000013961": "VCV000013961", "13961": "VCV000013961", "rs113488022": "VCV000013961", "'BRAF V600E'": "VCV000013961",
			"'BRAF c.1799T>A'": "VCV000013961", "'NM_004333.6:c.1799T>A'": "VCV000013961", "'NM_004333:c.1799T>A'": "VCV000013961",
			"NC_000007.14:140753335:A:T": "VCV000013961", "'chr7:140753336A>T'": "VCV000013961", "'chr7:140453136A>T' --assembly GRCh37": "VCV000013961",
			"'NC_000007.13:g.140453136A>T'": "VCV000013961", "RCV000014992": "VCV000013961", "CA123643": "VCV000013961",
			"NC_000002.12:47803500:C:": "VCV000089003", "'MSH6 c.3261del'": "VCV000089003", "'MSH6 F1088fs'": "VCV000089003", "'GTBP F1088fs'": "VCV000089003",
			"'MSH6 c.1164C>T'": "VCV000089001", "'NM_000179.3(MSH6):c.3801+1G>A'": "VCV000089002",
			"'GRCh38/hg38 2p16.3(chr2:47700000-48100000)x1'": "VCV000089004",
		} {
			line := "get variant " + name
			text := clitest.Answer(t, app, command.Person, line+" --json")
			for _, want := range []string{`"id":"` + id + `"`, `"release":"2026-11-22"`, source, "from the local table of ClinVar, release 2026-11-22"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: want %s in %s", line, want, text)
				}
			}
			commandtest.Validate(t, "get_variant.response", line, text)
			if plain := clitest.Answer(t, app, command.Person, line); !strings.Contains(plain, id) {
				t.Errorf("%s: want %s in %s", line, id, plain)
			}
			if reply := clitest.AskAgent(t, app, line, false); !strings.Contains(reply.Text, id) {
				t.Errorf("%s over MCP: want %s in %s", line, id, reply.Text)
			}
		}
		if requests := srv.Requests(); len(requests) > 0 {
			t.Errorf("got requests %+v, want none", requests)
		}
	})
}

// A variant within the genes FBXO11 and MSH6 belongs to the one that numbers its change, and not to the other.
func TestGeneOfAChange(t *testing.T) {
	withTable(t, func(t *testing.T, _ *entreztest.Server, app *command.App) {
		text := clitest.Answer(t, app, command.Person, "get variant VCV000089001 --json")
		clitest.WantText(t, text, `"gene":"MSH6"`, `"p":"MSH6 p.His388="`)
		for _, name := range []string{"'FBXO11 c.1164C>T'", "'FBXO11 H388='"} {
			text, code := clitest.Ask(t, app, command.Person, "get variant "+name)
			if code != 1 || strings.Contains(text, "VCV000089001") {
				t.Errorf("%s: exit %d, want 1 without the variant of MSH6: %s", name, code, text)
			}
		}
	})
}

// The card shows the three classifications with stars, conditions and dates, and what the table lacks.
func TestCardFromTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		text := clitest.Answer(t, app, command.Person, "get variant BRAF V600E")
		clitest.WantText(t, text, "**Germline:** Pathogenic, 2 of 4 stars (criteria provided, multiple submitters, no conflicts), for some of Melanoma, RASopathy, 2025-11-07",
			"**Oncogenicity:** Oncogenic, 3 of 4 stars (reviewed by expert panel)", "**Clinical impact:** Tier I - Strong, 2 of 4 stars",
			"NC_000007.14:140753335:A:T", "GRCh37 7:140453136 A>T", "missense variant",
			"it has no submissions, functional evidence, earlier classifications or frequencies")
		text = clitest.Answer(t, app, command.Person, "get variant rs1800562")
		clitest.WantText(t, text, "Pathogenic/Pathogenic, low penetrance; risk factor", "**Oncogenicity:** no classification")
		text = clitest.Answer(t, app, command.Person, "get variant VCV000089005 --json")
		clitest.WantText(t, text, `"locations":[]`, `"rsid":null`, "no classification for the single variant")
		text = clitest.Answer(t, app, command.Person, "get variant BRAF V600E diseases --json")
		clitest.WantText(t, text, `"name":"RASopathy"`, `"cui":"C0025202","kind":null,"classification":null`, `"stars":null`)
		if n := strings.Count(text, `"kind":`); n != 2 {
			t.Errorf("got %d rows of diseases, want one for each of two conditions: %s", n, text)
		}
		text = clitest.Answer(t, app, command.Person, "get variant VCV000089001 diseases")
		clitest.WantText(t, text, "| germline | Likely benign | 3 |")
		if requests := srv.Requests(); len(requests) > 0 {
			t.Errorf("got requests %+v, want none", requests)
		}
	})
}

// --live, a section that the table lacks and a name that it does not have ask ClinVar, and the answer says so.
func TestLiveBesideTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		live := `"sources":["ClinVar","dbSNP"]`
		text := clitest.Answer(t, app, command.Person, "get variant BRAF V600E --live --json")
		clitest.WantText(t, text, live)
		clitest.WantNoText(t, text, "local table", `"release"`)
		text = clitest.Answer(t, app, command.Person, "get variant BRAF V600E clinvar --json")
		clitest.WantText(t, text, "ClinVar was asked, because its local table has no submissions; biomcp sync clinvar --submissions stores them", live)
		clitest.WantNoText(t, text, `"release"`)
		text = clitest.Answer(t, app, command.Person, "get variant rs1800562 rs386571803 --json")
		clitest.WantText(t, text, `"sources":["ClinVar (local table, release 2026-11-22)","ClinVar","dbSNP"]`, `"id":"VCV000000009"`,
			"not in the local table of ClinVar, release 2026-11-22, which has no haplotypes, genotypes, names on other transcripts "+
				"or proteins, or merged rs numbers, so ClinVar was asked: rs386571803")
		// Without ClinVar the table still answers for what it has, and says nothing about the rest.
		if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.Down503, Times: -1}); err != nil {
			t.Fatal(err)
		}
		text = clitest.Answer(t, app, command.Person, "get variant rs1800562 clinvar --json --no-cache")
		clitest.WantText(t, text, "ClinVar was asked for the sections and did not answer", source, `"outcome":"unavailable"`)
		text, code := clitest.Ask(t, app, command.Person, "get variant VCV000017661 --no-cache")
		if code != 1 || strings.Contains(text, "NOT_FOUND") || strings.Contains(text, "not found") {
			t.Errorf("exit %d: %s, want that it is not known", code, text)
		}
		clitest.WantText(t, text, "503", "the local table of ClinVar, release 2026-11-22, does not have VCV000017661")
	})
}

// A damaged table is named, and ClinVar is asked.
func TestDamagedTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		path := filepath.Join(app.Env.DataDir, "clinvar", "variants.bin")
		if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		text := clitest.Answer(t, app, command.Person, "get variant BRAF V600E --json")
		clitest.WantText(t, text, "the local table of ClinVar cannot be read, and ClinVar was asked", "biomcp sync clinvar --force")
		if text, code := clitest.Ask(t, app, command.Person, "sync clinvar --force"); code != 0 {
			t.Errorf("exit %d: %s", code, text)
		}
	})
}

// Filters apply together, with exact totals: a gene within lists, classes split at "/" and "; ", ids of conditions, the
// consequence from the name, and places on both assemblies.
func TestSearchInTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		for line, want := range map[string]string{
			"-g MSH6":                                            "89001 89002 89003 89004",
			"-g msh6 --significance pathogenic":                  "89003",
			"-g FBXO11":                                          "89001 89004",
			"-g HFE --significance pathogenic":                   "9",
			"-g HFE --significance risk-factor":                  "9",
			"-g HFE --significance likely-pathogenic":            "",
			"--significance conflicting":                         "89002",
			"--significance uncertain,likely-benign":             "89001 89004",
			"--review-stars 3":                                   "13961 89001 89003",
			"-g MSH6 --review-stars 3":                           "89001 89003",
			"-g BRAF --review-stars 3":                           "13961",
			"-g BRAF --significance pathogenic --review-stars 2": "13961",
			"-g BRAF --significance pathogenic --review-stars 3": "", // three stars are of its oncogenicity
			"--consequence missense":                             "13961 9",
			"-g MSH6 --consequence frameshift,synonymous":        "89001 89003",
			"-g MSH6 --consequence splice-donor":                 "89002",
			"-g MSH6 --consequence intron":                       "",
			"-c 'lynch syndrome'":                                "89001 89002 89003",
			"-c lynch":                                           "89001 89002 89003",
			"-c lync":                                            "",
			"-c C4552100":                                        "89001 89002 89003",
			"-c MONDO:0021001":                                   "9",
			"-c OMIM:235200 --review-stars 2":                    "9",
			"-c OMIM:23520":                                      "",
			"-c 'cancer-predisposing syndrome' -g MSH6":          "89002",
			"--hgvsp V600E":                                      "13961",
			"--hgvsc c.845G>A":                                   "9",
			"--rs rs55708305":                                    "89001",
			"--region 2:47799000-47810000":                       "89001 89002 89003 89004",
			"--region 2:48026280-48026290 --assembly GRCh37":     "89001",
			"--region 2:48026280-48026290":                       "89004",
			"'BRAF V600E'":                                       "13961",
			"'MSH6 Lynch'":                                       "89001 89002 89003",
		} {
			line := "search variant " + strings.Replace(line, "c.845G>A", "'c.845G>A'", 1)
			text := clitest.Answer(t, app, command.Person, line+" --json")
			var got struct {
				Total   *int
				Results []struct{ ID string }
				Meta    struct {
					Sources []struct{ Sources []string } `json:"section_sources"`
				} `json:"_meta"`
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err, text)
			}
			var ids []string
			for _, r := range got.Results {
				ids = append(ids, strings.TrimLeft(strings.TrimPrefix(r.ID, "VCV"), "0"))
			}
			slices.Sort(ids)
			if all := strings.Join(ids, " "); all != want || got.Total == nil || *got.Total != len(ids) {
				t.Errorf("%s: got %q of %v, want %q", line, all, got.Total, want)
			}
			if !strings.Contains(text, source) || !strings.Contains(text, "release 2026-11-22") {
				t.Errorf("%s: want the table as source in %s", line, text)
			}
			if strings.Contains(line, "--consequence") && !strings.Contains(text, "reckoned from the names") {
				t.Errorf("%s: want how the consequence was found in %s", line, text)
			}
		}
		if requests := srv.Requests(); len(requests) > 0 {
			t.Errorf("got requests %+v, want none", requests)
		}
		text := clitest.Answer(t, app, command.Person, "search variant -g MSH6 --limit 1 --offset 1 --json")
		clitest.WantText(t, text, `"total":4`, "VCV000089003")
		text = clitest.Answer(t, app, command.Person, "search variant -g GTBP --json")
		clitest.WantText(t, text, "GTBP is another name of MSH6", `"total":4`)
		text = clitest.Answer(t, app, command.Person, "search variant -g GTBP -c lynch --json")
		if n := strings.Count(text, "--condition was compared"); n != 1 {
			t.Errorf("got the notice %d times, want once: %s", n, text)
		}
		text = clitest.Answer(t, app, command.Person, "search variant -c lync --json")
		clitest.WantText(t, text, "--condition was compared with ClinVar's names and ids of conditions, not with their synonyms")
		text = clitest.Answer(t, app, command.Person, "search variant --hgvsc 'c.845G>A' -g BRAF --json")
		clitest.WantText(t, text, "merged rs numbers, so ClinVar was asked")
		for _, line := range []string{"search variant -g BRAF --live --json", "search variant --rs rs386571803 --json", "search variant --hgvsp R97W --json", "search variant 'BRAF[gene] AND melanoma' --json", "search variant unheardof --json"} {
			text = clitest.Answer(t, app, command.Person, line)
			clitest.WantText(t, text, `"sources":["ClinVar"]`)
			if !strings.Contains(line, "--live") {
				clitest.WantText(t, text, "local table")
			}
		}
	})
}

// Sections of genes and diseases have the table's variants, all of them by stars, with exact numbers.
func TestVariantsOfAGeneInTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		text := clitest.Answer(t, app, command.Person, "get gene BRAF variants --json")
		clitest.WantText(t, text, `"variants_total":1`, source, `"vcv":"VCV000013961"`, `"oncogenicity":"Oncogenic"`,
			"variants of BRAF by germline classification: Pathogenic 1", "from the local table of ClinVar, release 2026-11-22")
		for _, r := range srv.Requests() {
			if r.Params.Get("db") == "clinvar" {
				t.Errorf("got the request %+v, want none to ClinVar", r)
			}
		}
	})
}

// Two releases are compared: germline, clinical impact and oncogenicity apart, from what to what. With one release, or
// none after the date, the answer is that it is not known.
func TestReclassified(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		const line = "search variant --reclassified-since "
		refused := func(line, want string, code int) {
			t.Helper()
			if text, got := clitest.Ask(t, s.App, command.Person, line); got != code || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d, want %d with %q in %s", line, got, code, want, text)
			}
		}
		refused(line+"2026-11-01", "try:   biomcp sync clinvar", 1)
		refused(line+"yesterday", "a date such as 2026-06-01", 2)
		s.Sync(t, "sync clinvar")
		refused(line+"2026-11-01", "only that of 2026-11-22 was stored", 1)
		refused(line+"2026-11-01 --live", "cannot be used with --live", 2)

		const file = "variant_summary.txt.gz"
		text := string(s.Text(bulk.ClinVar, file))
		for _, change := range [][2]string{
			{"Conflicting classifications of pathogenicity\t-\tJan 03, 2024", "Likely pathogenic\t-\tNov 25, 2026"}, // MSH6
			{"\tOncogenic\tJul 16, 2024", "\tLikely oncogenic\tNov 25, 2026"},                                       // BRAF
			{"Tier I - Strong", "Tier II - Potential"},
			{"Pathogenic/Pathogenic, low penetrance; risk factor\t-\tFeb 13, 2026", "Pathogenic/Pathogenic, low penetrance; risk factor\t-\tNov 25, 2026"},
		} {
			if !strings.Contains(text, change[0]) {
				t.Fatalf("%q is not in the file", change[0])
			}
			text = strings.ReplaceAll(text, change[0], change[1])
		}
		s.Set(bulk.ClinVar, file, []byte(text))
		s.SetModified(time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC))
		if got := s.Sync(t, "sync clinvar"); got.Version != 2 {
			t.Fatalf("%+v", got)
		}
		answer := clitest.Answer(t, s.App, command.Person, line+"2026-11-22 --json")
		clitest.WantText(t, answer, `"total":2`,
			`"reclassified":[{"kind":"germline","from":"Conflicting classifications of pathogenicity","to":"Likely pathogenic","before":"2026-11-22","since":"2026-11-29"}]`,
			`{"kind":"clinical impact","from":"Tier I - Strong","to":"Tier II - Potential","before":"2026-11-22","since":"2026-11-29"}`,
			`{"kind":"oncogenicity","from":"Oncogenic","to":"Likely oncogenic","before":"2026-11-22","since":"2026-11-29"}`,
			`"sources":["ClinVar (local table, release 2026-11-29)"]`)
		clitest.WantNoText(t, answer, "are not known", "VCV000000009")
		answer = clitest.Answer(t, s.App, command.Agent, line+"2026-01-01 -g MSH6")
		clitest.WantText(t, answer, "germline: Conflicting classifications of pathogenicity -> Likely pathogenic (2026-11-22 to 2026-11-29)",
			"changes before 2026-11-22 are not known")
		clitest.WantNoText(t, answer, "BRAF")
		answer = clitest.Answer(t, s.App, command.Person, line+"2026-11-22 -g HFE --json")
		clitest.WantText(t, answer, `"total":0`)
		refused(line+"2026-11-29", "the newest stored release is of 2026-11-29", 1)
		const question, suggested = "which MSH6 variants were reclassified since January?", "search variant --gene MSH6 --reclassified-since 2026-01 --limit 10"
		for door, text := range map[string]string{"pipe": clitest.Answer(t, s.App, command.Person, "suggest '"+question+"'"),
			"MCP": clitest.AskAgent(t, s.App, "suggest '"+question+"'", true).Text} {
			if !strings.Contains(text, suggested) {
				t.Errorf("suggest, %s: want %q in %s", door, suggested, text)
			}
		}
		clitest.WantText(t, clitest.Answer(t, s.App, command.Person, "'"+question+"' --json"), `"to":"Likely pathogenic","before":"2026-11-22"`)
		refused(line+"2026-11-22 'MSH6[gene]'", "it does not know NCBI's syntax", 2)
	})
}

// A list shows the stars of each class that it shows: BRAF V600E has two of its germline class, three of its oncogenicity.
func TestStarsOfTheClassShown(t *testing.T) {
	withTable(t, func(t *testing.T, _ *entreztest.Server, app *command.App) {
		const row = "| Pathogenic | Oncogenic | Tier I - Strong | germline 2, oncogenicity 3, clinical impact 2 |"
		for _, line := range []string{"search variant -g BRAF", "get gene BRAF variants"} {
			for door, text := range map[string]string{"pipe": clitest.Answer(t, app, command.Person, line), "MCP": clitest.AskAgent(t, app, line, false).Text} {
				if !strings.Contains(text, row) {
					t.Errorf("%s, %s: want %q in %s", line, door, row, text)
				}
			}
		}
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "search variant -g HFE"), "| - | - | 2 |")
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "get gene BRAF variants --json"),
			`"stars":3,"germline_stars":2,"oncogenicity_stars":3,"clinical_impact_stars":2`)
	})
}

// A copy number of several genes shows their number and names, not the first as if it were the gene.
func TestGenesOfACopyNumber(t *testing.T) {
	withTable(t, func(t *testing.T, _ *entreztest.Server, app *command.App) {
		const genes = `"gene":null,"genes":["EPCAM","FBXO11","MSH6"],"genes_total":3`
		for line, wants := range map[string][]string{
			"get variant VCV000089004 --json":      {genes},
			"search variant -g EPCAM --json":       {genes},
			"get variant VCV000089004":             {"**Genes:** 3: EPCAM, FBXO11, MSH6"},
			"get variant VCV000089004 diagnostics": {"VCV000089004 has several genes: 3: EPCAM, FBXO11, MSH6"},
			"get variant VCV000089001 --json":      {`"gene":"MSH6","genes":["FBXO11","MSH6"],"genes_total":2`}, // its change is numbered on MSH6
		} {
			text := clitest.Answer(t, app, command.Person, line)
			for _, want := range wants {
				if !strings.Contains(text, want) {
					t.Errorf("%s: want %s in %s", line, want, text)
				}
			}
			if reply := clitest.AskAgent(t, app, strings.TrimSuffix(line, " --json"), strings.HasSuffix(line, " --json")); !strings.Contains(reply.Text, wants[0]) {
				t.Errorf("%s over MCP: want %s in %s", line, wants[0], reply.Text)
			}
		}
		text := clitest.Answer(t, app, command.Person, "get variant VCV000089004 --json")
		commandtest.Validate(t, "get_variant.response", "get variant VCV000089004", text)
		clitest.WantNoText(t, text, "biomcp get gene")
	})
}
