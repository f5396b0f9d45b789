package article_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// TestLinkedArticlesAreWrittenAsCitations writes the articles of every section that lists some to
// files of citations.
func TestLinkedArticlesAreWrittenAsCitations(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 12, func(i int, m *entreztest.SyntheticRecord) {
		if m.References = nil; i > 0 {
			m.References = []int{entreztest.FirstSynthetic}
		}
		if i == 11 {
			m.References = []int{entreztest.FirstSynthetic, entreztest.FirstSynthetic + 1, entreztest.FirstSynthetic + 2}
		}
	})
	app, ids, dir := commandtest.NCBI(t, srv), commandtest.GeneratedPMIDs(12), t.TempDir()
	for section, id := range map[string]string{"citedby": ids[0], "similar": ids[0], "references": ids[11]} {
		t.Run(section, func(t *testing.T) {
			line := "get article " + id + " " + section + " --limit 10"
			var listed []struct{ PMID string }
			if err := json.Unmarshal(articlesOf(t, app, line+" --json")[0][section], &listed); err != nil || len(listed) == 0 {
				t.Fatalf("%v: no rows", err)
			}
			for ending, mark := range map[string]string{"ris": "TY  - ", "bib": "@article{", "nbib": "PMID- "} {
				file := filepath.Join(dir, section+"."+ending)
				text, code := clitest.Ask(t, app, command.Person, line+" -o "+file)
				written, err := os.ReadFile(file)
				if n := strings.Count(string(written), mark); code != 0 || err != nil || n != len(listed) {
					t.Fatalf("%s: exit %d, %v, %d citations, want %d: %s", ending, code, err, n, len(listed), text)
				}
				if ending != "ris" {
					continue
				}
				want := make([]string, len(listed))
				for i, l := range listed {
					want[i] = l.PMID
				}
				if got := exported(string(written)); !slices.Equal(got, want) {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
	file := filepath.Join(dir, "two.ris")
	text, code := clitest.Ask(t, app, command.Person, "get article "+ids[0]+" citedby similar -o "+file)
	if code != 2 || !strings.Contains(text, "the articles of one section") || !strings.Contains(text, "try:   biomcp get article "+ids[0]+" ") {
		t.Errorf("two sections: exit %d: %s", code, text)
	}
}

// References that are not in PubMed are counted.
func TestReferencesWithoutPMIDAreCounted(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	file := filepath.Join(t.TempDir(), "x.bib")
	out := cli.Run(t.Context(), app, command.IO{}, []string{"get", "article", "90100001", "references", "-o", file}, command.Person)
	if out.Failure != nil {
		t.Fatalf("%+v", out.Failure)
	}
	if notices := strings.Join(out.Result.Notices, "\n"); !strings.Contains(notices, "rows have no PMID and are not in the file") {
		t.Errorf("notices: %s", notices)
	}
}

// A file of citations from an empty section has a notice, and one from another section has none.
func TestEmptySectionsOfCitationsAreReported(t *testing.T) {
	app, empty := commandtest.NCBI(t, commandtest.PubMed(t)), 0
	for _, id := range []string{"90100001", "90100002", "90100003"} {
		for _, section := range []string{"references", "similar", "citedby"} {
			file := filepath.Join(t.TempDir(), "x.ris")
			out := clitest.Run(t, app, command.Person, "get article "+id+" "+section+" -o "+file)
			if out.Failure != nil {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			notices := strings.Join(out.Result.Notices, "\n")
			want := len(text) == 0 && !strings.Contains(notices, "have no PMID")
			if got := strings.Contains(notices, "the section "+section+" is empty"); got != want {
				t.Errorf("%s of %s: notice %v, want %v: %s", section, id, got, want, notices)
			}
			if want {
				empty++
			}
		}
	}
	if empty == 0 {
		t.Error("no section is empty")
	}
}

// Under JSON, a line with --fields is suggested without them, because --csv cannot be used with it.
func TestFieldsUnderJSONAreRemoved(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, line := range []string{"search article ergothioneine", "get article 90100001", "study list"} {
		reply := clitest.AskAgent(t, app, line+" --fields title", true)
		if !strings.Contains(reply.Text, "--fields requires") || strings.Contains(reply.Text, "--csv\",") ||
			strings.Contains(reply.Text, "--fields title") || strings.Contains(reply.Text, "biomcp "+line+" --csv") {
			t.Errorf("%s: %s", line, reply.Text)
		}
	}
}
