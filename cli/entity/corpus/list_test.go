package corpus_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/cite"
	"biomcp/entrez/entreztest"
)

// drawnCorpus returns an App with a corpus of n drawn records, which it also returns, newest first.
func drawnCorpus(t *testing.T, rng *rand.Rand, n int) (*command.App, []entreztest.SyntheticRecord) {
	t.Helper()
	var records []entreztest.SyntheticRecord
	body, err := io.ReadAll(entreztest.Generate(n, rng.Uint64(), func(_ int, m *entreztest.SyntheticRecord) {
		m.Types = []string{"Journal Article"}
		if rng.IntN(3) == 0 {
			m.Types = append(m.Types, "Review")
		}
		if m.PMCID = ""; rng.IntN(2) == 0 {
			m.PMCID = fmt.Sprint("PMC", m.PMID)
		}
		m.Published = m.Published.AddDate(-rng.IntN(4), 0, 0)
		records = append(records, *m)
	}))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "records.xml")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --no-vectors --from "+file); code != 0 {
		t.Fatal(text)
	}
	slices.SortFunc(records, func(a, b entreztest.SyntheticRecord) int {
		if by := strings.Compare(b.Published.Format("200601"), a.Published.Format("200601")); by != 0 {
			return by
		}
		return b.PMID - a.PMID
	})
	return app, records
}

// A drawnFilter is some flags, and whether a record passes them.
type drawnFilter struct {
	flags string
	pass  func(entreztest.SyntheticRecord) bool
}

func drawFilter(rng *rand.Rand) drawnFilter {
	year := 2004 + rng.IntN(20)
	since := func(m entreztest.SyntheticRecord) bool { return m.Published.Year() >= year }
	review := func(m entreztest.SyntheticRecord) bool { return slices.Contains(m.Types, "Review") }
	return []drawnFilter{
		{fmt.Sprint("--date-from ", year), since},
		{fmt.Sprint("--date-to ", year), func(m entreztest.SyntheticRecord) bool { return m.Published.Year() <= year }},
		{"--pub-type Review", review},
		{"--has-pmc", func(m entreztest.SyntheticRecord) bool { return m.PMCID != "" }},
		{fmt.Sprint("--pub-type review --exclude-retracted --date-from ", year), func(m entreztest.SyntheticRecord) bool { return review(m) && since(m) }},
		{fmt.Sprint("--has-pmc --exclude-preprints --date-from ", year), func(m entreztest.SyntheticRecord) bool { return m.PMCID != "" && since(m) }},
	}[rng.IntN(6)]
}

// Without a query, filters list every document that passes them once, newest first, by pages and in every form, at
// each door.
func TestFiltersListTheirDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 6))
	seen := 0
	for range 3 {
		app, records := drawnCorpus(t, rng, 30+rng.IntN(300))
		for range 12 {
			f := drawFilter(rng)
			var all []string
			for _, m := range records {
				if f.pass(m) {
					all = append(all, fmt.Sprint(m.PMID))
				}
			}
			seen += len(all)
			offset, limit := rng.IntN(len(all)+2), 1+rng.IntN(100)
			page := all[min(offset, len(all)):min(offset+limit, len(all))]
			checkForms(t, app, "search corpus "+f.flags, fmt.Sprintf("--offset %d --limit %d", offset, limit), all, page)
		}
	}
	if seen < 500 {
		t.Errorf("the filters list %d documents, too few to say anything", seen)
	}
}

// checkForms compares a list, whole and one page of it, with the PMIDs that it should have.
func checkForms(t *testing.T, app *command.App, line, paging string, all, page []string) {
	t.Helper()
	person := func(flags string) string {
		t.Helper()
		text, stderr, code := clitest.RunForPerson(t, app, line+" "+flags)
		if code != 0 {
			t.Fatalf("%s %s: exit %d: %s", line, flags, code, stderr)
		}
		return strings.TrimSpace(text)
	}
	compare := func(name string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s: %v, want %v", line, name, got, want)
		}
	}
	rows := func(text string) (ids []string) {
		for _, row := range strings.Split(text, "\n")[1:] {
			ids = append(ids, strings.TrimPrefix(row, "pmid:"))
		}
		return ids
	}
	compare("PMIDs", strings.Fields(person("--pmids")), all)
	compare("page of PMIDs", strings.Fields(person("--pmids "+paging)), page)
	compare("CSV", rows(person("--csv --fields doc_id")), all)
	compare("page of TSV", rows(person("--tsv --fields doc_id "+paging)), page)
	if text := person("--count"); !strings.Contains(text, fmt.Sprintf("**Documents:** %d", len(all))) {
		t.Errorf("%s --count: %s, want %d", line, text, len(all))
	}
	if text := person("--count --json"); !strings.Contains(text, fmt.Sprintf(`"total":%d,`, len(all))) {
		t.Errorf("%s --count --json: %s, want %d", line, text, len(all))
	}
	for door, text := range map[string]string{"JSON": person(paging + " --json"), "MCP, JSON": clitest.AskAgent(t, app, line+" "+paging, true).Text} {
		var answer struct {
			Results []struct {
				DocID string   `json:"doc_id"`
				BM25  *float64 `json:"bm25"`
				Score float64  `json:"score"`
			}
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%s: %v: %s", door, err, text)
		}
		var ids []string
		for _, r := range answer.Results {
			if ids = append(ids, strings.TrimPrefix(r.DocID, "pmid:")); r.BM25 != nil || r.Score != 0 {
				t.Errorf("%s: %s has a score: %s", door, line, text)
			}
		}
		compare(door, ids, page)
	}
	commandtest.Validate(t, "search_corpus.response", line, person("--json "+paging))
	compare("MCP, PMIDs", strings.Fields(clitest.AskAgent(t, app, line+" --pmids", false).Text), all[:min(200, len(all))])
	if n := strings.Count(person(paging), ", quality "); n != len(page) {
		t.Errorf("%s %s: %d documents, want %d", line, paging, n, len(page))
	}
}

// Every style of citation and every kind of file has all documents of a list, and of a ranking.
func TestListsAreWrittenAsCitationsAndFiles(t *testing.T) {
	app, records := drawnCorpus(t, rand.New(rand.NewPCG(3, 1)), 40)
	dir := t.TempDir()
	for _, line := range []string{"search corpus --date-from 1990", fmt.Sprintf("search corpus '%s' --date-from 1990", records[0].Title)} {
		pmids := strings.Fields(clitest.Answer(t, app, command.Person, line+" --pmids"))
		if len(pmids) == 0 || !strings.Contains(line, "'") && len(pmids) != len(records) {
			t.Fatalf("%s: %d PMIDs of %d", line, len(pmids), len(records))
		}
		for _, style := range cite.Styles {
			text := clitest.Answer(t, app, command.Person, line+" --style "+style)
			agent := clitest.AskAgent(t, app, line+" --style "+style+" --limit 3", false).Text
			for i, id := range pmids {
				if strings.Contains(text, "PMID") && !strings.Contains(text, id) {
					t.Errorf("%s: %s lacks %s", line, style, id)
				}
				if i < 3 && strings.Contains(agent, "PMID") && !strings.Contains(agent, id) {
					t.Errorf("MCP: %s: %s lacks %s: %s", line, style, id, agent)
				}
			}
			if len(text) < 60*len(pmids) {
				t.Errorf("%s: %s has %d bytes for %d documents", line, style, len(text), len(pmids))
			}
		}
		for ending, mark := range map[string]string{
			"ris": "TY  - ", "bib": "\n}", "nbib": "PMID- ", "txt": "\n", "csv": "\npmid:", "tsv": "\npmid:", "jsonl": "{\"doc_id\"",
		} {
			file := filepath.Join(dir, "list."+ending)
			clitest.Answer(t, app, command.Person, line+" --force -o "+file)
			body, err := os.ReadFile(file)
			if got := strings.Count(string(body), mark); err != nil || got != len(pmids) {
				t.Errorf("%s: .%s has %d records, want %d: %v", line, ending, got, len(pmids), err)
			}
		}
	}
}

// Flags that have no effect on a list, or on a ranking, are rejected with a line that works.
func TestFlagsOfLists(t *testing.T) {
	app := importedApp(t)
	for line, want := range map[string]string{
		"search corpus --date-from 1990 --explain":              "--explain requires a query or --like: a list has no scores\ntry:   biomcp search corpus --date-from 1990\n",
		"search corpus --date-from 1990 --recall":               "--recall requires a query or --like",
		"search corpus --date-from 1990 --quality-bias=false":   "--quality-bias requires a query or --like",
		"search corpus --date-from 1990 --count --pmids":        "--count cannot be used with --pmids\ntry:   biomcp search corpus --date-from 1990 --count\n",
		"search corpus --date-from 1990 --count --csv":          "--count cannot be used with --csv",
		"search corpus --date-from 1990 --count --offset 2":     "--count cannot be used with --offset",
		"search corpus --date-from 1990 --csv --style ris":      "an answer has one form",
		"search corpus --date-from 1990 --offset -1":            "--offset must not be negative",
		"search corpus mushrooms --count":                       "--count requires a list: filters without a query or --like\ntry:   biomcp search corpus mushrooms\n",
		"search corpus mushrooms --offset 20":                   "--offset requires a list: filters without a query or --like\ntry:   biomcp search corpus mushrooms --top-k 40\n",
		"search corpus --like 90100001 --csv --offset 20":       "--offset requires a list",
		"search corpus --not 90100001 --date-from 1990":         "--not requires --like",
		"search corpus --exclude-retracted":                     "needs a query or a filter",
		"search corpus":                                         "needs a query or a filter",
		"search corpus --date-from 1990 --query-key k --pmids":  `no query key "k"`,
		"search corpus --date-from 1990 --top-k 200":            "--top-k must be between 1 and 100",
		"search corpus --date-from 1990 --csv --limit 10000000": "--top-k must be between 1 and 10000",
	} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			if text, code := clitest.Ask(t, app, policy, line); code == 0 || !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in: exit %d: %s", line, want, code, text)
			}
		}
	}
}

// A list without documents says which filter excludes them, and a page after the last says how many there are.
func TestEmptyLists(t *testing.T) {
	app := importedApp(t)
	everyDoor(t, app, "search corpus --mesh Nonesuch --date-from 1990", "hits without --mesh Nonesuch: ")
	text := clitest.Answer(t, app, command.Person, "search corpus --mesh Nonesuch --date-from 1990")
	if !strings.Contains(text, "Nothing in the local corpus matches.") || strings.Contains(text, "search article") {
		t.Error(text)
	}
	if text := clitest.Answer(t, app, command.Person, "search corpus --date-from 1990 --offset 500"); !strings.Contains(text, "; none after the first 500") {
		t.Error(text)
	}
	if text := clitest.Answer(t, app, command.Person, "search corpus --mesh Nonesuch --count"); !strings.Contains(text, "**Documents:** 0") {
		t.Error(text)
	}
	next := "these are documents 2 to 2 of "
	everyDoor(t, app, "search corpus --date-from 1990 --top-k 1 --offset 1", next)
	if text := clitest.Answer(t, app, command.Person, "search corpus --date-from 1990 --top-k 1 --long"); !strings.Contains(text, "\n> ") {
		t.Errorf("--long shows no passage: %s", text)
	}
}
