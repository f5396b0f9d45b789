package cli

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/entreztest"
)

// doorAnswers are the answers to one line: to a person, in JSON, and to an agent as text and as JSON.
type doorAnswers struct {
	code                   int
	text, asJSON           string
	agentText, agentJSON   string
	agentError, otherError bool
}

func atDoors(t *testing.T, app *command.App, line string) (d doorAnswers) {
	t.Helper()
	var asJSON, errs strings.Builder
	d.text, d.code = ask(t, app, command.Person, line)
	c := parse(NewTree(), append(split(t, line), "--json"), command.Person)
	out := c.run(t.Context(), app, command.IO{Err: io.Discard})
	if err := result.Render(&asJSON, &errs, out, result.Format{JSON: true}); err != nil {
		t.Fatal(err)
	}
	d.asJSON = asJSON.String()
	blocks, _, failed := callTool(t, Parser(app), line, false)
	d.agentText, d.agentError = blocks[0].Text, failed
	blocks, _, d.otherError = callTool(t, Parser(app), line, true)
	d.agentJSON = blocks[0].Text
	return d
}

// Words without a command run the command that they imply, and the answer names it: an ID reads its
// record, a question and a name lead to a record or a search.
func TestWordsWithoutACommandRunTheImpliedOne(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"90100001":                           "get article 90100001",
		"90100001 abstract":                  "get article 90100001 abstract",
		"PMID:90100001":                      "get article PMID:90100001",
		"PMC99900001":                        "get article PMC99900001",
		"'90100001 mesh'":                    "get article 90100001 mesh",
		"rs113488022":                        "get variant rs113488022",
		"'BRAF V600E'":                       "get variant BRAF V600E",
		"BRAF V600E clinvar":                 "get variant BRAF V600E clinvar",
		"VCV000013961":                       "get variant VCV000013961",
		"'NC_000007.14:g.140753336A>T'":      "get variant 'NC_000007.14:g.140753336A>T'",
		"NCT99000001":                        "get trial NCT99000001",
		"nct99000001 eligibility":            "get trial nct99000001 eligibility",
		"HGNC:1097":                          "get gene HGNC:1097",
		"C0024796":                           "get disease C0024796",
		"BRAF":                               "get gene BRAF",
		"braf":                               "get gene BRAF",
		"HER2":                               "get gene ERBB2",
		"fictinib":                           "get drug fictinib",
		"melanoma":                           "get disease C0025202",
		"'Marfan syndrome'":                  "get disease C0024796",
		"Marfan syndrome":                    "get disease C0024796",
		"ergothioneine":                      "discover ergothioneine",
		"'dietary ergothioneine'":            "search article 'dietary ergothioneine'",
		"'CRISPR off-target effects'":        "search article 'CRISPR off-target effects'",
		"what is BRAF":                       "get gene BRAF",
		"'what is ergothioneine?'":           "discover ergothioneine",
		"'does metformin lower cancer risk'": "search article 'metformin cancer risk' --meta-analysis --exclude-retracted --limit 5",
		"does metformin lower cancer risk":   "search article 'metformin cancer risk' --meta-analysis --exclude-retracted --limit 5",
		"'is ergothioneine safe?'":           "search article ergothioneine --meta-analysis --exclude-retracted --limit 5",
		"is fictinib safe":                   "get drug fictinib",
		"which trials recruit for melanoma":  "search trial melanoma --status RECRUITING --limit 10",
		"how do I find recruiting trials":    "suggest 'how do I find recruiting trials'",
		"is BRAF V600E pathogenic":           "get variant 'BRAF V600E'",

		"'evidence on statins in the elderly'":           "search article 'statins elderly' --meta-analysis",
		"'evidence for BRAF V600E in melanoma'":          "get variant 'BRAF V600E' evidence",
		"'clinical trials of imatinib in GIST'":          "search trial 'imatinib GIST'",
		"'trials of imatinib in GIST'":                   "search trial 'imatinib GIST'",
		"'clinical features of Marfan syndrome'":         "get disease 'Marfan syndrome' genes phenotypes",
		"'articles on ergothioneine'":                    "search article ergothioneine",
		"'papers on ergothioneine'":                      "search article ergothioneine",
		"'find papers on ergothioneine'":                 "search article ergothioneine",
		"'get me papers about ergothioneine'":            "search article ergothioneine",
		"'CYP2C19 poor metaboliser fictinib'":            "search article 'CYP2C19 poor metaboliser fictinib'", // without CPIC's table
		"'pharmacogenetics of fictinib'":                 "get drug fictinib pgx",
		"'frequency of BRAF in melanoma'":                "search article 'melanoma mutation' --gene BRAF",
		"'gene for Marfan syndrome'":                     "get disease 'Marfan syndrome' genes phenotypes",
		"'survival of patients with TP53 mutation'":      "search article 'survival of patients with TP53 mutation'",
		"'drug interaction imatinib fictinib'":           "get drug imatinib interactions --with fictinib",
		"'interaction between imatinib and fictinib'":    "get drug imatinib interactions --with fictinib",
		"'imatinib and fictinib interaction'":            "get drug imatinib interactions --with fictinib",
		"'compare TP53 and KRAS'":                        "search article 'TP53 KRAS'",
		"'list retracted papers on ergothioneine'":       "search article 'ergothioneine AND retracted publication",
		"'warfarin and aspirin interaction'":             "search article 'warfarin and aspirin interaction'", // no such drugs
		"'health effects of dietary ergothioneine'":      "search article",
		"'articles not about ergothioneine'":             "suggest 'articles not about ergothioneine'",
		"'dietary ergothioneine without any supplement'": "search article 'dietary ergothioneine without any supplement'",
	} {
		t.Run(line, func(t *testing.T) {
			d := atDoors(t, app, line)
			notice := "understood as: biomcp " + want
			if d.code != 0 || d.agentError || d.otherError {
				t.Fatalf("%s failed: exit %d, %.300s", line, d.code, d.text)
			}
			for door, text := range map[string]string{"text": d.text, "agent": d.agentText} {
				if first, _, _ := strings.Cut(text, "\n"); !strings.HasPrefix(first, "**Note:** "+notice) {
					t.Errorf("%s: the answer as %s begins %q, want %q", line, door, first, notice)
				}
			}
			for door, text := range map[string]string{"JSON": d.asJSON, "agent's JSON": d.agentJSON} {
				var answer struct{ Notices []string }
				if err := json.Unmarshal([]byte(text), &answer); err != nil {
					t.Fatal(line, door, err)
				}
				said := func(n string) bool { return strings.HasPrefix(n, notice) }
				if !slices.ContainsFunc(answer.Notices, said) {
					t.Errorf("%s: the notices in %s are %q, want one that begins %q", line, door, answer.Notices, notice)
				}
			}
		})
	}
}

// A phrase that asks for a citation prints it in its style, alone.
func TestPhraseThatAsksForACitation(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	d := atDoors(t, app, "'cite PMID 90100001 in bibtex'")
	for door, text := range map[string]string{"text": d.text, "agent": d.agentText} {
		if !strings.HasPrefix(text, "@article{pmid90100001,") || d.code != 0 {
			t.Errorf("as %s: exit %d, got %.200s, want the article in BibTeX", door, d.code, text)
		}
	}
}

// A wrong or misspelt command, and a word that is not a name, fail with the nearest command. They never
// search.
func TestWrongCommandIsNotAQuery(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"serach article x":         "search article --help",
		"serach article statins":   "search article statins",
		"'serach article statins'": "search article statins",
		"'search article statins'": "search article statins",
		"'searh article foo'":      "search article foo",
		"'get article 123'":        "get article 123",
		"'cache clear'":            "",
		"'library add x'":          "",
		"'gte article 90100001'":   "get article 90100001",
		"'get gene BRAF'":          "get gene BRAF",
		"searh trial melanoma":     "search trial melanoma",
		"gte gene BRAF":            "get gene BRAF",
		"gene BRAF":                "get gene BRAF",
		"gnee BRAF":                "get gene BRAF",
		"artcle ergothioneine":     "search article ergothioneine",
		"trials melanoma":          "search trial melanoma",
		"pmid 90100001":            "get article 90100001",
		"label fictinib":           "get drug fictinib label",

		"evidence on statins in the elderly":        "suggest 'evidence on statins in the elderly'",
		"evidence for BRAF V600E in melanoma":       "suggest 'evidence for BRAF V600E in melanoma'",
		"interaction between imatinib and fictinib": "suggest 'interaction between imatinib and fictinib'",
		"helth":                 "health",
		"verison":               "version",
		"studdy list":           "study list",
		"cahe stats":            "cache stats",
		"synk pubmed":           "",
		"find breast cancer":    "search article breast cancer",
		"login":                 "",
		"install biomcp":        "",
		"rm -rf /":              "",
		"'rm -rf /'":            "",
		"'cat /etc/passwd'":     "",
		"delete everything":     "",
		"help BRAF":             "",
		"frobnicate":            "search article frobnicate",
		"FROBNICATE":            "search article FROBNICATE",
		"frobnicate the corpus": "search article frobnicate the corpus",
		"BRAF V600E nonsense":   "search article BRAF V600E nonsense",
		"BRAF pathways":         "",
		"breast cancer trials":  "",
		"90100001 nonsense":     "",
		"search":                "",
		"get":                   "",
		"serach":                "",
		"'sync pubmed --all'":   "",
		"'does it --all work'":  "",
		"get article":           "",
		"12345678901234567890":  "",
		"marfan":                "",
		"- BRAF":                "",
	} {
		t.Run(line, func(t *testing.T) {
			d := atDoors(t, app, line)
			if d.code != 2 || !d.agentError || !d.otherError {
				t.Errorf("%s: exit %d, want 2: %.300s", line, d.code, d.text)
			}
			try := "try:   biomcp " + want + "\n"
			inJSON, _ := json.Marshal("biomcp " + want)
			if want == "" {
				try, inJSON = "try:   biomcp ", []byte(`"try":"biomcp `)
			}
			if !strings.Contains(d.text, try) {
				t.Errorf("%s: a person reads %.400s, want %s", line, d.text, try)
			}
			if !strings.Contains(d.asJSON, strings.Trim(string(inJSON), `"`)) {
				t.Errorf("%s: JSON has %.600s, want %s", line, d.asJSON, inJSON)
			}
			if strings.Contains(d.text, "understood as: biomcp search") {
				t.Errorf("%s was searched for: %.300s", line, d.text)
			}
		})
	}
}

// A word is reported as unknown only if each source answered.
func TestNameIsUnknownOnlyIfEachSourceAnswered(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	app := ncbiApp(t, srv)
	text, _ := ask(t, app, command.Person, "frobnicate")
	if want := "; no concept has this name\n"; !strings.Contains(text, want) {
		t.Errorf("got %s, want %q", text, want)
	}
	if err := srv.Fail(entreztest.Fault{Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"frobnicator", "BRCA9"} {
		text, code := ask(t, app, command.Person, line)
		if strings.Contains(text, "no concept has this name") || code == 0 {
			t.Errorf("%s without NCBI: exit %d, %s", line, code, text)
		}
	}
}

// The flags of a line hold for the command that its words imply.
func TestFlagsOfWordsWithoutACommand(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"BRAF --no-cache":                    "biomcp get gene BRAF --no-cache,",
		"--no-cache 90100001":                "biomcp --no-cache get article 90100001",
		"'what is ergothioneine' --no-cache": "biomcp discover ergothioneine --no-cache",
		"90100001 references --limit 3":      "biomcp get article 90100001 references --limit 3",
		"'dietary ergothioneine' --no-cache": "biomcp search article 'dietary ergothioneine' --no-cache,",
	} {
		t.Run(line, func(t *testing.T) {
			if text, code := ask(t, app, command.Person, line); code != 0 || !strings.Contains(text, "understood as: "+want) {
				t.Errorf("%s: exit %d, %.300s, want %s", line, code, text, want)
			}
		})
	}
}

// A question that a word negates is not answered as if the word were not there.
func TestNegatedQuestionIsNotRun(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, runs := range map[string]bool{
		"which drugs treat melanoma?": true, "which drugs do not treat melanoma?": false, `"which drugs don't treat melanoma?"`: false,
		"'which drugs don’t treat melanoma?'": false,
	} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			text, _ := ask(t, app, policy, line)
			if ran := strings.Contains(text, "understood as: biomcp get disease"); ran != runs {
				t.Errorf("%s: a command ran %t, want %t: %.300s", line, ran, runs, text)
			}
			if told := strings.Contains(text, "the word that negates it"); told == runs {
				t.Errorf("%s: the reason stands there %t, want %t: %.300s", line, told, !runs, text)
			}
		}
	}
}
