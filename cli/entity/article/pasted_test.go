package article_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// found holds the tested members of the answer to pasted references.
type found struct {
	Outcome string
	FoundBy string `json:"found_by"`
	Score   *float64
	Asked   map[string]any
	Match   *struct {
		PMID      string
		Disagrees []string
	}
	Candidates   []string
	IdentifierOf *struct{ PMID string } `json:"identifier_of"`
}

func references(t *testing.T, text string) []found {
	t.Helper()
	var got struct{ References []found }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return got.References
}

// A pasted reference is found in every format, by the first step that can; the answer
// names the step, the agreement and the differences.
func TestAPastedReferenceIsFound(t *testing.T) {
	srv := commandtest.PubMed(t)
	for name, c := range map[string]struct{ line, outcome, by, differs string }{
		"a DOI":              {"doi: 10.9999/synth.2023.101.", "found", "identifier", ""},
		"a PMCID":            {"see PMC99900001", "found", "identifier", ""},
		"NLM":                {"J Synth Nutr. 2023;12(3):101-9.", "found", "ecitmatch", ""},
		"a wrong year":       {"J Synth Nutr. 2021;12(3):101-9.", "disagrees", "ecitmatch", "it appeared 2023"},
		"a title alone":      {realTitle(t), "found", "title", ""},
		"a misspelt title":   {strings.Replace(realTitle(t), "m", "", 1), "found", "title", ""},
		"another one's DOI":  {realTitle(t) + ". J Synth Nutr. 2023;12:101. doi: 10.9999/synth.2019.1", "disagrees", "ecitmatch", "its identifier belongs to another article, PMID 90100002"},
		"an unknown title":   {"A title of which there is nothing at all anywhere", "not_found", "", ""},
		"an unknown journal": {"J Nowhere. 2023;12(3):101-9.", "not_found", "", ""},
		"nothing to ask for": {"??", "too_little", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			app := commandtest.NCBI(t, srv)
			line := "search citation '" + c.line + "'"
			text, code := clitest.Ask(t, app, command.Person, line+" --json")
			got := references(t, text)
			if code != 0 || len(got) != 1 || got[0].Outcome != c.outcome || got[0].FoundBy != c.by || !strings.Contains(text, c.differs) {
				t.Fatalf("exit %d: %s", code, text)
			}
			if c.by != "" && (got[0].Match == nil || got[0].Match.PMID != "90100001" || got[0].Score == nil || *got[0].Score < 0.6) {
				t.Errorf("%s", text)
			}
			for door, shown := range clitest.AnswersByFormat(t, app, line) {
				if strings.Contains(shown, "90100001") != (c.by != "") {
					t.Errorf("%s: %s", door, shown)
				}
			}
		})
	}
}

// realTitle is the title of the synthetic record 90100001.
func realTitle(t *testing.T) string {
	t.Helper()
	text := clitest.Answer(t, commandtest.NCBI(t, commandtest.PubMed(t)), command.Person, "get article 90100001 citation --style ris")
	for line := range strings.Lines(text) {
		if title, is := strings.CutPrefix(line, "TI  - "); is {
			return strings.TrimSpace(title)
		}
	}
	t.Fatal(text)
	return ""
}

// Files and pipes of references are read whole; an agent may paste several references.
func TestReferencesOfAFile(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, style := range []string{"ris", "bibtex", "nbib", "vancouver", "apa", "mla"} {
		t.Run(style, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "refs")
			text := clitest.Answer(t, app, command.Person, "get article 90100001 90100002 citation --style "+style)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			answer, code := clitest.Ask(t, app, command.Person, "search citation --json --from "+file)
			got := references(t, answer)
			if code != 0 || len(got) != 2 || got[0].Match == nil || got[0].Match.PMID != "90100001" || got[1].Match == nil || got[1].Match.PMID != "90100002" {
				t.Errorf("exit %d: %s", code, answer)
			}
			if text, code := clitest.Ask(t, app, command.Agent, "search citation --from "+file); code != 2 {
				t.Errorf("an agent reads files: exit %d, %s", code, text)
			}
		})
	}
	text, code := clitest.Ask(t, app, command.Agent, "search citation 'PMID: 90100001\n\nPMID: 90100002' --json")
	if got := references(t, text); code != 0 || len(got) != 2 {
		t.Errorf("several on a line: exit %d, %s", code, text)
	}
	if text, code = clitest.Ask(t, app, command.Person, "search citation --from "+filepath.Join(t.TempDir(), "none")); code != 2 || !strings.Contains(text, "--from ") {
		t.Errorf("no file: exit %d, %s", code, text)
	}
	text, code = clitest.Ask(t, app, command.Person, "search citation 'PMID: 90100001\n\nNothing like it anywhere' --jsonl")
	if code != 0 || strings.Count(text, `"outcome":`) != 2 || !strings.Contains(text, `"not_found"`) {
		t.Errorf("a reference that was not found is lost: exit %d, %s", code, text)
	}
	if text, code = clitest.Ask(t, app, command.Person, "search citation 90100001"); code != 2 || !strings.Contains(text, "is a number, not a reference") {
		t.Errorf("a number alone: exit %d, %s", code, text)
	}
	if text, code = clitest.Ask(t, app, command.Person, "search citation Nature --year 2019"); code != 2 {
		t.Errorf("a reference and its parts: exit %d, %s", code, text)
	}
}

// Lines after the last number of a list are references of their own, as are numbers after a gap.
func TestEveryEntryOfAListIsAnswered(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, list := range []string{
		"1. PMID: 90100001\n2. PMID: 90100002\nPMID: 90100001\nPMID: 90100002",
		"1. PMID: 90100001\n2. PMID: 90100002\n4. PMID: 90100001\n9. PMID: 90100002",
	} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			answer, code := clitest.Ask(t, app, policy, "search citation '"+list+"' --json")
			var ids []string
			for _, r := range references(t, answer) {
				if r.Match != nil {
					ids = append(ids, r.Match.PMID)
				}
			}
			if got := strings.Join(ids, " "); code != 0 || got != "90100001 90100002 90100001 90100002" {
				t.Errorf("%q: exit %d, got %q, want four references in their order", list, code, got)
			}
			text := clitest.Answer(t, app, policy, "search citation '"+list+"'")
			if n := strings.Count(text, "PMID: 9010000"); n < 4 {
				t.Errorf("%q: got %d identifiers, want at least 4:\n%s", list, n, text)
			}
		}
	}
}

// If a step does not answer, the outcome is not "not found", and the later steps run; the
// local corpus has articles while PubMed is down.
func TestAReferenceIsNotFoundOnlyWhereAllAnswered(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	title := realTitle(t)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	bare := commandtest.NCBI(t, srv)
	for _, endpoint := range []string{"ecitmatch", "esearch", "esummary"} {
		clitest.FailEndpoint(t, srv, endpoint)
	}
	line := "search citation '" + title + ". J Synth Nutr. 2023;12(3):101-9.' --json"
	text, code := clitest.Ask(t, bare, command.Agent, line)
	if code != 1 || strings.Contains(text, "not_found") {
		t.Errorf("without NCBI: exit %d, %s", code, text)
	}
	text, code = clitest.Ask(t, app, command.Agent, line)
	if got := references(t, text); code != 0 || got[0].FoundBy != "corpus" || got[0].Match.PMID != "90100001" {
		t.Errorf("of the corpus: exit %d, %s", code, text)
	}
}

// A reference given to another command, and the name of a file of references or ids, suggest
// the command that reads it. Over MCP no file is opened.
func TestAReferenceAndAFileLeadToWhatReadsThem(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	const ref = "'Lerro CC, et al. Occupational pesticide exposure. Occup Environ Med. 2018;75(2):79-89.'"
	file := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(file, []byte("90100001\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"search article " + ref:   "biomcp search citation " + ref,
		"discover " + ref:         "biomcp search citation " + ref,
		"search citation " + file: "try:   biomcp search citation --from " + file,
		"get article " + file:     "try:   biomcp get article --ids-from " + file,
		"batch article " + file:   "try:   biomcp batch article --ids-from " + file,
	} {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Person, line)
			agent, _ := clitest.Ask(t, app, command.Agent, line)
			if asksFile := strings.HasSuffix(line, file); !strings.Contains(text, want+"\n") || strings.Contains(agent, want+"\n") == asksFile {
				t.Errorf("%s\n%s", text, agent)
			}
		})
	}
	for _, query := range []string{"melanoma 2018", "'Smith J. melanoma 2018'", "'IL-6, 2018, 75, 79'"} {
		if text, code := clitest.Ask(t, app, command.Agent, "search article "+query); code != 0 {
			t.Errorf("%s is no reference: %s", query, text)
		}
	}
}

// A title of one word is searched for with the author and the year. Suffixes of names do not matter.
func TestAShortTitleIsFoundByItsAuthor(t *testing.T) {
	data, err := io.ReadAll(entreztest.Generate(1, 1, func(_ int, m *entreztest.SyntheticRecord) {
		m.Title, m.Authors, m.Published = "Suffixes.", []string{"King|Ada B|AB"}, time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	}))
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte("</Initials>"), []byte("</Initials><Suffix>Jr</Suffix>"), 1)
	srv := entreztest.New(t, entreztest.XML(bytes.NewReader(data)))
	app := commandtest.NCBI(t, srv)
	for reference, want := range map[string]string{
		"%0 Journal Article\n%T Suffixes\n%A King, Ada\n%D 2019": "found",
		"%0 Journal Article\n%T Suffixes\n%D 2018":               "not_found", "%0 Journal Article\n%T Suffixes": "too_little",
	} {
		text, code := clitest.Ask(t, app, command.Agent, "search citation --json '"+reference+"'")
		if got := references(t, text); code != 0 || len(got) != 1 || got[0].Outcome != want {
			t.Errorf("%s: exit %d, want %s: %s", reference, code, want, text)
		}
	}
}

// References in quotes of their own are separate, as are identifiers. The words of one reference are joined.
func TestEveryQuotedReferenceIsAnswered(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for args, want := range map[string]string{
		"'" + realTitle(t) + "' 'J Synth Nutr. 2019 Winter;8(1):1-4.'":   "90100001 90100002",
		"'J Synth Nutr. 2019;8(1):1-4.' PMC99900001":                     "90100002 90100001",
		"PMC99900001 10.9999/synth.2019.1":                               "90100001 90100002",
		"'1. PMID: 90100001' 'A title not in a list' '2. PMID 90100002'": "90100001 - 90100002",
		"'PMID: 90100001\nPMID: 90100002' 'PMID: 90100001'":              "90100001 90100002 90100001",
		"PMID: 90100001":                 "90100001",
		"J Synth Nutr. '2019;8(1):1-4.'": "90100002",
		realTitle(t):                     "90100001",
	} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			answer, code := clitest.Ask(t, app, policy, "search citation --json "+args)
			var ids []string
			for _, r := range references(t, answer) {
				id := "-"
				if r.Match != nil {
					id = r.Match.PMID
				}
				ids = append(ids, id)
			}
			if got := strings.Join(ids, " "); code != 0 || got != want {
				t.Errorf("%s: exit %d, got %q, want %q", args, code, got, want)
			}
		}
	}
}
