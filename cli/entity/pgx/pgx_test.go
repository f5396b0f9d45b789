package pgx_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// synced returns an App with the local table cpic, and the server of its sources.
func synced(t *testing.T) (*command.App, *entreztest.Server) {
	t.Helper()
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "sync cpic"); code != 0 {
		t.Fatal(text)
	}
	srv.ClearRequests()
	return app, srv
}

// doors returns the answer to a line as text, as JSON and over MCP, and requires one exit status of all.
func doors(t *testing.T, app *command.App, line string, status int) map[string]string {
	t.Helper()
	answers := map[string]string{}
	for door, policy := range map[string]command.Policy{"text": command.Person, "MCP": command.Agent} {
		text, code := clitest.Ask(t, app, policy, line)
		clitest.WantExit(t, code, status, line+": "+text)
		answers[door] = text
	}
	text, code := clitest.Ask(t, app, command.Person, line+" --json")
	clitest.WantExit(t, code, status, line+": "+text)
	answers["json"] = text
	return answers
}

// asked returns the endpoints of the requests since the last call.
func asked(srv *entreztest.Server) (names []string) {
	for _, r := range srv.Requests() {
		if !slices.Contains(names, r.Endpoint) {
			names = append(names, r.Endpoint)
		}
	}
	srv.ClearRequests()
	return names
}

type advice struct {
	Outcome   string
	Genotypes []struct {
		Results []struct{ Phenotype, Lookup string }
	}
	Recommendations []struct {
		Recommendation, Population, Classification, Guideline string
		Key                                                   map[string]string
	}
	MissingGenes []string `json:"missing_genes"`
	UnusedGenes  []string `json:"unused_genes"`
	Guidelines   []struct{ Name string }
	Label        *struct{ Text, Effective, Maker string }
	AsOf         string `json:"as_of"`
	Changed      string
}

// read returns the advice in a JSON answer, and its notices.
func read(t *testing.T, line, text string) (advice, string) {
	t.Helper()
	var a struct {
		Drugs []struct {
			Genotype advice `json:"pgx_genotype"`
		}
		Notices []string
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil || len(a.Drugs) != 1 {
		t.Fatalf("%s: %v: %s", line, err, text)
	}
	commandtest.Validate(t, "drug", line, text)
	return a.Drugs[0].Genotype, strings.Join(a.Notices, "\n")
}

// The rows of a genotype are those whose key it meets in every gene; a gene that was not given is No Result. Each population is a
// row of its own.
func TestRecommendations(t *testing.T) {
	app, _ := synced(t)
	for _, c := range []struct {
		drug, genotype, outcome string
		want                    []string // population: recommendation, classification
		missing, unused         string
		notice                  string
	}{
		{"clopidogrel", "CYP2C19 *2/*17", "found", []string{
			"CVI ACS PCI: another drug for Intermediate Metabolizer, acute, Strong",
			"CVI non-ACS non-PCI: none for Intermediate Metabolizer, No Recommendation",
			"NVI: consider another drug for Intermediate Metabolizer, brain, Moderate",
		}, "", "", ""},
		{"clopidogrel", "cyp2c19 *17 / *2", "found", []string{"CVI ACS PCI: another drug for Intermediate Metabolizer, acute, Strong",
			"CVI non-ACS non-PCI: none for Intermediate Metabolizer, No Recommendation", "NVI: consider another drug for Intermediate Metabolizer, brain, Moderate"}, "", "", ""},
		{"citalopram", "2c19 *1/*2", "found", []string{"general: citalopram slowly, Strong"}, "", "", ""},
		{"citalopram", "CYP2C19 Intermediate Metaboliser", "found", []string{"general: citalopram slowly, Strong"}, "", "", ""},
		{"clopidogrel", "CYP2C19*1/*1", "found", []string{"CVI ACS PCI: the standard dose, Strong"}, "", "", ""},
		{"clopidogrel", "CYP2C19: *17/*17", "no_row_for_genotype", nil, "", "", `no row for this genotype; guideline: "CYP2C19 and Clopidogrel", https://www.clinpgx.org/guideline/SYN001`},
		{"clopidogrel", "CYP2C19 *1/*1; CYP2D6 *4/*4", "found", []string{"CVI ACS PCI: the standard dose, Strong"}, "", "CYP2D6", "CPIC has no row on clopidogrel by CYP2D6"},
		{"clopidogrel", "CYP2D6 *4/*4", "no_row_for_genotype", nil, "CYP2C19", "CYP2D6", "CPIC's rows on clopidogrel also need CYP2C19"},
		{"amitriptyline", "CYP2D6 *4/*4", "found", []string{"general: avoid, CYP2C19 No Result, Optional"}, "CYP2C19", "",
			"CPIC's rows on amitriptyline also need CYP2C19: add it to --genotype; a row shown is for a gene that was not tested (No Result)"},
		{"amitriptyline", "CYP2C19 *1/*2; CYP2D6 *4/*4", "found", []string{"general: avoid, CYP2C19 Intermediate Metabolizer, Optional"}, "", "", ""},
		{"amitriptyline", "CYP2C19 IM", "found", []string{"general: standard, CYP2D6 unknown, Strong"}, "CYP2D6", "", "also need CYP2D6"},
		{"amitriptyline", "CYP2C19 *2/*2", "no_row_for_genotype", nil, "CYP2D6", "", "also need CYP2D6"},
		{"azathioprine", "TPMT *1/*3A", "no_row_for_genotype", nil, "NUDT15", "", "CPIC's rows on azathioprine also need NUDT15: add it to --genotype"},
		{"azathioprine", "TPMT intermediate metabolizer; NUDT15 *1/*1", "found", []string{"adults: less azathioprine, Strong", "pediatrics: less azathioprine for children, Strong"}, "", "", ""},
		{"citalopram", "CYP2C19 *1/*2", "found", []string{"general: citalopram slowly, Strong"}, "", "", ""},
		{"citalopram", `CYP2C19 \*1/\*2`, "found", []string{"general: citalopram slowly, Strong"}, "", "", ""}, // from markdown
		{"ondansetron", "CYP2D6 *1x2/*1", "found", []string{"general: another drug than ondansetron, Moderate"}, "", "", ""},
		{"ondansetron", "CYP2D6 >=3", "found", []string{"general: another drug than ondansetron, Moderate"}, "", "", ""},
		{"ondansetron", "CYP2D6 activity score 4.5", "found", []string{"general: another drug than ondansetron, Moderate"}, "", "", ""},
		{"ondansetron", "CYP2D6 poor metabolizer", "found", []string{"general: ondansetron at the standard dose, No Recommendation"}, "", "", ""},
		{"ondansetron", "CYP2D6 AS 0", "found", []string{"general: ondansetron at the standard dose, No Recommendation"}, "", "", ""},
		{"ondansetron", "CYP2D6 *4/*1x2", "no_row_for_genotype", nil, "", "", "no row for this genotype"},
		{"ondansetron", "CYP2D6 *4/*1x4", "found", []string{"general: another drug than ondansetron, Moderate"}, "", "", ""},
		{"ondansetron", "CYP2D6 *1x>=3/*4", "found", []string{"general: another drug than ondansetron, Moderate"}, "", "", ""},
		{"ondansetron", "CYP2D6 *1/*1×2", "found", []string{"general: another drug than ondansetron, Moderate"}, "", "",
			"the phenotype of CYP2D6 follows from the diplotype alone: drugs that inhibit or induce the enzyme can change it (phenoconversion); --genotype accepts the changed phenotype instead"},
		{"amitriptyline", "CYP2C19 *1/*2, CYP2D6 *4/*4", "found", []string{"general: avoid, CYP2C19 Intermediate Metabolizer, Optional"}, "", "", ""},
		{"amitriptyline", "CYP2C19 *1/*2 and CYP2D6: PM", "found", []string{"general: avoid, CYP2C19 Intermediate Metabolizer, Optional"}, "", "",
			"the phenotype of CYP2C19 follows from the diplotype alone"},
		{"lonelyinib", "CYP2C9 *3/*3", "found", []string{"general: less lonely acid, Optional"}, "", "", ""}, // by its RxCUI
		{"Doublet", "CYP2C19 *2/*2", "found", []string{"general: half of the fictinib, Optional"}, "", "", "Doublet is a brand of the combination"},
		{"'fictinib / syntheticillin'", "CYP2C9 *3/*3", "no_row_for_genotype", nil, "CYP2C19", "CYP2C9",
			"CPIC's rows on fictinib / syntheticillin (or fictinib, syntheticillin) also need CYP2C19"},
		{"celecoxib", "CYP2C9 *1/*3", "found", []string{"general: the lowest dose of celecoxib, Moderate"}, "", "", ""},
		{"celecoxib", "CYP2C9 1.5", "found", []string{"general: the usual dose of celecoxib, Moderate"}, "", "", ""},
		{"celecoxib", "CYP2C9 IM", "found", []string{"general: the lowest dose of celecoxib, Moderate", "general: the usual dose of celecoxib, Moderate"}, "", "",
			"CYP2C9 has 2 results with this phenotype, whose rows may differ: Intermediate Metabolizer, activity score 1.5; or Intermediate Metabolizer, activity score 1.0; give the diplotype or the activity score"},
		{"abacavir", "HLA-B *57:01 positive", "found", []string{"general: no abacavir, Strong"}, "", "", ""},
		{"dolasetron", "CYP2D6 *4/*4", "no_row_for_drug", nil, "", "CYP2D6", `no row on dolasetron for any genotype, although a guideline lists it: "CYP2D6 and Ondansetron and Tropisetron", https://www.clinpgx.org/guideline/SYN004`},
		{"syntheticillin", "CYP2D6 *4/*4", "no_guideline", nil, "", "CYP2D6", "no guideline in CPIC's table lists syntheticillin"},
	} {
		t.Run(c.drug+" "+c.genotype, func(t *testing.T) {
			line := "get drug " + c.drug + " pgx --genotype '" + c.genotype + "'"
			answers := doors(t, app, line, 0)
			got, notices := read(t, line, answers["json"])
			var rows []string
			for _, r := range got.Recommendations {
				rows = append(rows, r.Population+": "+strings.TrimPrefix(r.Recommendation, "Synthetic advice: ")+", "+r.Classification)
			}
			if !slices.Equal(rows, c.want) {
				t.Errorf("rows:\ngot  %q\nwant %q", rows, c.want)
			}
			if got.Outcome != c.outcome {
				t.Errorf("outcome %q, want %q", got.Outcome, c.outcome)
			}
			if m := strings.Join(got.MissingGenes, " "); m != c.missing {
				t.Errorf("missing genes %q, want %q", m, c.missing)
			}
			if u := strings.Join(got.UnusedGenes, " "); u != c.unused {
				t.Errorf("unused genes %q, want %q", u, c.unused)
			}
			if !strings.Contains(notices, c.notice) {
				t.Errorf("notices %q, want one that contains %q", notices, c.notice)
			}
			for _, door := range []string{"text", "MCP"} {
				clitest.WantText(t, answers[door], c.notice)
				for _, r := range got.Recommendations {
					clitest.WantText(t, answers[door], "Population: "+r.Population, r.Recommendation, "**Strength:** "+r.Classification, "**Guideline:** "+r.Guideline, "Cite CPIC and the guideline")
				}
			}
		})
	}
}

// A combination has the pairs of its ingredients, and CPIC's own name of a substance is found by its RxCUI. The
// answer suggests a genotype that has a recommendation.
func TestPairsUnderOtherNames(t *testing.T) {
	app, _ := synced(t)
	for line, want := range map[string][2]string{
		"get drug 'fictinib / syntheticillin' pgx": {"fictinib", "'CYP2C19 Poor Metabolizer'"},
		"get drug Doublet pgx":                     {"CYP2C19", "'CYP2C19 Poor Metabolizer'"},
		"get drug lonelyinib pgx":                  {"lonely acid", "'CYP2C9 0.0'"},
		"get drug clopidogrel pgx":                 {"CES1", "'CYP2C19 Intermediate Metabolizer'"},
	} {
		for door, text := range doors(t, app, line, 0) {
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%s, %s: got\n%s\nwant %q", line, door, text, w)
				}
			}
		}
	}
	if text := clitest.Answer(t, app, command.Person, "get drug dolasetron pgx"); strings.Contains(text, "--genotype") {
		t.Errorf("got %s\nwant no genotype, since CPIC has no row", text)
	}
}

// A number of copies that CPIC names otherwise is shown by CPIC's name.
func TestCopiesAreNamed(t *testing.T) {
	app, _ := synced(t)
	for door, text := range doors(t, app, "get drug ondansetron pgx --genotype 'CYP2D6 *1x4/*4'", 0) {
		if !strings.Contains(strings.ReplaceAll(text, `\`, ""), "*1x≥3/*4") {
			t.Errorf("%s: got %s\nwant *1x≥3/*4", door, text)
		}
	}
}

// One allele, with or without a number of copies, is no diplotype, and the error prints no second one.
func TestOneAlleleIsNamed(t *testing.T) {
	app, _ := synced(t)
	for typed, want := range map[string]string{"*1x4": "*1x≥3 is one allele", "*1x>=3": "*1x≥3 is one allele", "*1×2": "*1x2 is one allele",
		"*4": "*4 is one allele"} {
		for door, text := range doors(t, app, "get drug ondansetron pgx --genotype 'CYP2D6 "+typed+"'", 2) {
			if text = strings.ReplaceAll(text, `\`, ""); !strings.Contains(text, want) {
				t.Errorf("%s, %s: got %s\nwant %s", typed, door, text, want)
			}
		}
	}
}

// --genotype may be repeated, and several drugs have one genotype.
func TestGenotypesOfALine(t *testing.T) {
	app, _ := synced(t)
	one := clitest.Answer(t, app, command.Person, "get drug amitriptyline pgx --genotype 'CYP2C19 *1/*2; CYP2D6 *4/*4' --json")
	two := clitest.Answer(t, app, command.Person, "get drug amitriptyline pgx --genotype 'CYP2C19 *1/*2' --genotype 'CYP2D6 *4/*4' --json")
	a, _ := read(t, "one", one)
	b, _ := read(t, "two", two)
	if len(a.Genotypes) != 2 || len(b.Genotypes) != 2 || len(a.Recommendations) != 1 || len(b.Recommendations) != 1 {
		t.Errorf("in one flag %+v, in two %+v; want both genotypes and one row", a, b)
	}
	text := clitest.Answer(t, app, command.Person, "get drug citalopram escitalopram pgx --genotype 'CYP2C19 *1/*2'")
	clitest.WantText(t, text, "citalopram slowly", "escitalopram slowly")
}

// An unknown gene, allele, diplotype or phenotype is an error with a line to type. That line never has another genotype, only
// another form of the same one.
func TestUnknownGenotype(t *testing.T) {
	const without = "get drug clopidogrel pgx"
	app, srv := synced(t)
	for genotype, want := range map[string][2]string{
		"CYP2C91 *2/*17":               {"CPIC's table has no gene CYP2C91; did you mean CYP2C19?", without},
		"HLAB *57:01 positive":         {"CPIC's table has no gene HLAB; did you mean HLA-B?", without},
		"HLA-B *57:01/*07:02":          {"CPIC's table has no diplotypes of HLA-B; give one of: *57:01 positive, *57:01 negative", without},
		"HLA-B *57:01":                 {"no diplotype, phenotype or activity score *57:01 of HLA-B", without},
		"CYP2C19 2/2":                  {"no allele 2 and 2 of CYP2C19; did you mean *2/*2?", "--genotype 'CYP2C19 *2/*2'"},
		"CYP2D6 rapid metabolizer":     {"no diplotype, phenotype or activity score rapid metabolizer of CYP2D6", without},
		"QQZZ *1/*1":                   {"CPIC's table has no gene QQZZ", "get drug clopidogrel pgx"},
		"CES1 *1/*1":                   {"CPIC's table has no genotypes of CES1, only pairs with drugs", "get drug clopidogrel pgx"},
		"CYP2C19 *2/*71":               {"CPIC's table has no allele *71 of CYP2C19; it has *1, *12, *17, *2", without},
		"CYP2D6 *1/*1; CYP2C19 *2/*71": {"no allele *71 of CYP2C19", "--genotype 'CYP2D6 *1/*1'"},
		"CYP2C19 *2/rs123456":          {"no allele rs123456 of CYP2C19; it has *1, *12, *17, *2", "get drug clopidogrel pgx"},
		"CYP2C19 *12/*17":              {"CPIC's table has both alleles and no diplotype *12/*17 of CYP2C19", "get drug clopidogrel pgx"},
		"CYP2C19 *2":                   {"*2 is one allele of CYP2C19: write both, separated by /", "get drug clopidogrel pgx"},
		"CYP2C19 poor metabolizers":    {"no diplotype, phenotype or activity score poor metabolizers of CYP2C19; its phenotypes: Normal Metabolizer, ", without},
		"CYP2C19":                      {"has no diplotype or phenotype of CYP2C19", "get drug clopidogrel pgx"},
		"CYP2C19 *1/*1; CYP2C19 *2/*2": {"--genotype has CYP2C19 twice", "--genotype 'CYP2C19 *1/*1'"},
		" ; ":                          {"--genotype is empty", without},
		"CYP2D6 7.25":                  {"", ""}, // at least 3.0
		"CYP2D6 0.3":                   {"no diplotype, phenotype or activity score 0.3 of CYP2D6", "get drug clopidogrel pgx"},
	} {
		t.Run(genotype, func(t *testing.T) {
			status := 2
			if want[0] == "" {
				status = 0
			}
			for door, text := range doors(t, app, "get drug clopidogrel pgx --genotype '"+genotype+"'", status) {
				if !strings.Contains(text, want[0]) || !strings.Contains(text, want[1]) ||
					want[1] == without && strings.Contains(text, without+" --genotype") {
					t.Errorf("%s: got %s\nwant %q", door, text, want)
				}
				if status == 2 && !strings.Contains(text, map[bool]string{true: "VALIDATION", false: "error: "}[door == "json"]) {
					t.Errorf("%s: got %s\nwant a validation error", door, text)
				}
			}
		})
	}
	srv.ClearRequests()
	for line, want := range map[string]string{
		"get drug clopidogrel --genotype 'CYP2C19 *2/*2'":           "--genotype requires the section pgx",
		"get drug clopidogrel pgx --genotype 'CYP2C19 *2/*2' --csv": "--genotype",
		"get drug clopidogrel pgx --genotype 'CYP2C19 *2/*99x'":     "no allele *99x",
	} {
		text, code := clitest.Ask(t, app, command.Person, line)
		clitest.WantExit(t, code, 2, text)
		clitest.WantText(t, text, want)
	}
	if got := asked(srv); got != nil {
		t.Errorf("an invalid line asked %q, want nothing", got)
	}
}

// Pairs, and the drug or gene that has them, come from the table: no service is asked, at any door.
func TestTableAnswersWithoutTheNetwork(t *testing.T) {
	app, srv := synced(t)
	for line, want := range map[string][]string{
		"get drug clopidogrel pgx":                      {"CYP2C19", "CES1", "local table cpic, as of ", "last change 2026-09-02; CC0"},
		"get drug Citalopram pgx":                       {"citalopram", "local table cpic"},
		"get gene CYP2D6 pgx":                           {"amitriptyline", "ondansetron", "fictinib", "local table cpic"},
		"search pgx clopidogrel":                        {"CYP2C19", "CES1", "local table cpic"},
		"search pgx --gene cyp2d6":                      {"amitriptyline", "local table cpic"},
		"search pgx --level A/B":                        {"fictinib", "local table cpic"},
		"search pgx CYP2D6 --level A --limit 1":         {"amitriptyline", "local table cpic"},
		"search pgx --drug fictinib --gene CYP2C19":     {"CYP2C19", "local table cpic"},
		"search pgx --gene CYP2D6 --drug clopidogrel":   {"local table cpic"},
		"get drug clopidogrel citalopram pgx":           {"CES1", "citalopram"},
		"get gene CYP2D6 CYP2C9 pgx":                    {"celecoxib", "ondansetron"},
		"get drug clopidogrel pgx --limit 1 --offset 1": {"CES1"},
	} {
		for door, text := range doors(t, app, line, 0) {
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%s, %s: got\n%s\nwant %q", line, door, text, w)
				}
			}
			if strings.Contains(line, "Citalopram") && strings.Contains(text, "escitalopram") {
				t.Errorf("%s: %s\nwant no escitalopram", line, text)
			}
			if door == "json" && strings.HasPrefix(line, "search") {
				commandtest.Validate(t, "search_pgx.response", line, text)
			}
			if door == "json" && strings.HasPrefix(line, "get gene") {
				commandtest.Validate(t, "get_gene.response", line, text)
			}
		}
	}
	if got := asked(srv); got != nil {
		t.Errorf("asked %q, want nothing", got)
	}
}

// Without a table pairs come from CPIC, and a genotype needs the table.
func TestWithoutTheTable(t *testing.T) {
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string]string{
		"get drug fictinib pgx": "| BRAF | fictinib | A |", "get gene BRAF pgx": "| BRAF | fictinib | A |",
		"search pgx fictinib": "| BRAF | fictinib | A |", "search pgx braf --level C": "| BRAF | inventamine | C (provisional) |",
		"search pgx --drug Fictinib": "CPIC (live): 1", "search pgx --gene BRAF --drug inventamine": "CPIC (live): 1",
		"get drug 'fictinib / syntheticillin' pgx": "| BRAF | fictinib | A |",
		"get drug lonelyinib pgx":                  "| CYP2C9 | lonely acid | D (provisional) |",
		"search pgx fictinib --gene BRAF":          "CPIC (live): 1", "search pgx qqzz": "0",
	} {
		text, code := clitest.Ask(t, app, command.Agent, line)
		clitest.WantExit(t, code, 0, line+": "+text)
		clitest.WantText(t, text, want)
	}
	for door, text := range doors(t, app, "get drug fictinib pgx --genotype 'CYP2C19 *2/*2'", 1) {
		if !strings.Contains(text, "genotypes are answered from local tables") || !strings.Contains(text, "sync cpic") {
			t.Errorf("%s: got %s\nwant the command that stores the table", door, text)
		}
	}
	if err := srv.Fail(sourcetest.Fault{Endpoint: "cpic-pairs", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code := clitest.Ask(t, app, command.Person, "search pgx --level B")
	clitest.WantExit(t, code, 1, text)
	clitest.WantText(t, text, "clinpgx.org/cpic")
}

// The label's own words stand beside the recommendation. If they do not arrive, a notice says why.
func TestLabelOfGenotype(t *testing.T) {
	app, srv := synced(t)
	const line = "get drug fictinib pgx --genotype 'CYP2C19 *2/*2'"
	answers := doors(t, app, line, 0)
	got, _ := read(t, line, answers["json"])
	if got.Label == nil || got.Label.Text != "Invented: CYP2C19 poor metabolizers have more fictinib." || got.Label.Effective != "2026-09-01" || got.Label.Maker != "Invented Pharma" {
		t.Errorf("label %+v, want the section of pharmacogenomics, dated", got.Label)
	}
	if got.AsOf == "" || got.Changed != "2026-09-02" {
		t.Errorf("as of %q, changed %q; want both dates", got.AsOf, got.Changed)
	}
	for _, door := range []string{"text", "MCP"} {
		clitest.WantText(t, answers[door], "half of the fictinib", "From the label by Invented Pharma of 2026-09-01", "CYP2C19 poor metabolizers have more fictinib")
	}
	clitest.WantText(t, strings.Join(asked(srv), " "), "label")
	for _, kind := range []sourcetest.Kind{sourcetest.HTML502, sourcetest.Hangup} {
		app := commandtest.NCBI(t, srv) // without the replies of the first calls
		if text, code := clitest.Ask(t, app, command.Person, "sync cpic"); code != 0 {
			t.Fatal(text)
		}
		if err := srv.Fail(sourcetest.Fault{Kind: kind, Times: -1}); err != nil {
			t.Fatal(err)
		}
		for door, text := range doors(t, app, line, 0) {
			if !strings.Contains(text, "half of the fictinib") || !strings.Contains(text, "the label of fictinib is missing: ") {
				t.Errorf("%s, %s: got %s\nwant the recommendation and a notice", kind, door, text)
			}
		}
		srv.ClearFaults()
	}
}

// A sync that fails leaves the stored table, which still answers.
func TestFailedSyncKeepsTheTable(t *testing.T) {
	app, srv := synced(t)
	const line = "get drug clopidogrel pgx --json"
	before := clitest.Answer(t, app, command.Person, line)
	for _, endpoint := range []string{"cpic/gene.json", "cpic/diplotype.json", "cpic/change_log.json"} {
		if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		text, code := clitest.Ask(t, app, command.Person, "sync cpic")
		clitest.WantExit(t, code, 1, text)
		clitest.WantText(t, text, "CPIC's service is expected to close", "a local table that is stored stays in use")
		srv.ClearFaults()
		if after := clitest.Answer(t, app, command.Person, line); after != before {
			t.Errorf("%s: got %s\nwant %s", endpoint, after, before)
		}
	}
}
