package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
)

func TestGetArticleByDOIWithBrackets(t *testing.T) {
	const doi = "10.5555/0891-6640(2006)20[1389:roccel]2.0.co;2"
	srv := made(t, 2, func(i int, m *entreztest.Made) { m.PMCID, m.DOI = "", []string{doi, "10.5555/other"}[i] })
	g, _ := read(t, ncbiApp(t, srv), "get article '"+doi+"'")
	if !slices.Equal(g.pmids(), generated(1)) {
		t.Errorf("%v, want %v", g.pmids(), generated(1))
	}
}

func TestGetArticleIDsInAnyForm(t *testing.T) {
	t.Parallel()
	srv := made(t, 3, func(i int, m *entreztest.Made) {
		m.PMCID, m.DOI = fmt.Sprintf("PMC600%d", i), fmt.Sprintf("10.5555/a(%d)<x>,y", i)
	})
	app := ncbiApp(t, srv)
	ids := generated(3)
	for typed, n := range map[string]int{
		ids[0] + "," + ids[1] + ", " + ids[2]:                             3,
		ids[0] + "\r\n" + ids[1] + "\r\n\r\n":                             2,
		"PMC6000.1":                                                       1,
		"https://www.doi.org/10.5555/a(0)%3Cx%3E,y":                       1,
		"doi.org/10.5555/a(0)<x>,y":                                       1,
		"10.5555/a(0)<x>,y,10.5555/a(1)<x>,y":                             2,
		"https://pubmed.ncbi.nlm.nih.gov/" + ids[0] + "/?from_term=yeast": 1,
		"https://www.ncbi.nlm.nih.gov/pubmed/" + ids[0]:                   1,
		"https://pmc.ncbi.nlm.nih.gov/articles/PMC6000/pdf/main.pdf":      1,
		"PMID: " + ids[0] + " doi: 10.5555/a(1)<x>,y":                     2,
	} {
		out := Run(t.Context(), app, command.IO{}, []string{"get", "article", typed, "--json"}, command.Person)
		text, failed := Answer(out, true, 0)
		var g got
		if err := json.Unmarshal([]byte(text), &g); err != nil || failed || !slices.Equal(g.pmids(), ids[:n]) {
			t.Errorf("%q: %v, want the first %d: %.300s", typed, g.pmids(), n, text)
		}
	}
}

func TestIDsFromFileAndStandardInput(t *testing.T) {
	srv := made(t, 3, nil)
	app, ids := ncbiApp(t, srv), generated(3)
	file := filepath.Join(t.TempDir(), "ids.txt")
	if err := os.WriteFile(file, []byte("\ufeff"+strings.Join(ids, "\r\n")+"\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		in   string
		want []string
	}{
		{[]string{"--ids-from", file}, "", ids},
		{[]string{"mesh", "--ids-from", file}, "", ids},
		{[]string{ids[2], "--ids-from", file}, "", []string{ids[2], ids[0], ids[1]}},
		{[]string{"-"}, ids[1] + "\n" + ids[0], []string{ids[1], ids[0]}},
		{[]string{"--ids-from", "-"}, ids[1], ids[1:2]},
	} {
		args := append([]string{"get", "article", "--json"}, c.args...)
		text, failed := Answer(Run(t.Context(), app, command.IO{In: strings.NewReader(c.in)}, args, command.Person), true, 0)
		var g got
		if err := json.Unmarshal([]byte(text), &g); err != nil || failed || !slices.Equal(g.pmids(), c.want) {
			t.Errorf("%q: %v, want %v: %.300s", c.args, g.pmids(), c.want, text)
		}
		if text, failed := Answer(Run(t.Context(), app, command.IO{}, args, command.Agent), true, 0); !failed || !strings.Contains(text, "reads or writes files of the server's machine") {
			t.Errorf("%q over MCP: %.300s", c.args, text)
		}
	}
	text, failed := Answer(Run(t.Context(), app, command.IO{}, []string{"get", "article"}, command.Person), false, 0)
	if !failed || !strings.Contains(text, "needs at least one id") {
		t.Error(text)
	}
}

func TestEveryInvalidIDIsNamed(t *testing.T) {
	srv := made(t, 3, nil)
	app, ids := ncbiApp(t, srv), generated(3)
	line := "get article " + ids[0] + " 12x34 0 " + ids[1] + " NCT001"
	text, code := ask(t, app, command.Agent, line)
	if code != 2 || !strings.Contains(text, "12x34, 0, NCT001") || !strings.Contains(text, "--skip-invalid") || srv.Count() != 0 {
		t.Errorf("exit %d: %s", code, text)
	}
	g, text := read(t, app, line+" --skip-invalid")
	if !slices.Equal(g.pmids(), ids[:2]) || !slices.ContainsFunc(g.Notices, func(n string) bool { return strings.Contains(n, "12x34, 0, NCT001") }) {
		t.Errorf("%v %v: %.300s", g.pmids(), g.Notices, text)
	}
	for line, want := range map[string]string{
		"get article " + ids[0] + " abstrct":             `no section "abstrct"`,
		"get article " + ids[0] + " mehs --skip-invalid": `no section "mehs"`,
		"get ids 12x34 --skip-invalid":                   `"12x34" is not an id`,
		"get article " + ids[0] + " 12345678901":         "12345678901 is not a PMID",
	} {
		if text, code := ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
}

// Ids of genes, variants and trials are separated as those of articles are.
func TestIDsOfOtherEntitiesInAnyForm(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	for line, want := range map[string]string{
		"get gene BRAF,TP53 --json":                          `"requested":["BRAF","TP53"]`,
		"get variant 'VCV000013961, MYD88 L265P' --json":     `"requested":["VCV000013961","MYD88 L265P"]`,
		"get variant 13961,90400001 clinvar --json":          `"requested":["13961","90400001"]`,
		"get trial NCT99000001,NCT99000002 locations --json": `"requested":["NCT99000001","NCT99000002"]`,
	} {
		if text, code, _ := exchanges(t, srv, line); code != 0 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
	if text, code, _ := exchanges(t, srv, "get variant 13961 hello7 12x --json"); code != 2 || !strings.Contains(text, "2 words are not ids of this kind") || !strings.Contains(text, `--skip-invalid"`) {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code, _ := exchanges(t, srv, "get variant 13961 hello7 --skip-invalid --json"); code != 0 || !strings.Contains(text, "skipped, no ids: hello7") {
		t.Errorf("exit %d: %s", code, text)
	}
	file := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(file, []byte("BRAF V600E\nrs268\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, code := ask(t, ncbiApp(t, srv), command.Person, "get variant --ids-from "+file+" --json"); code != 0 || !strings.Contains(text, `"requested":["BRAF V600E","rs268"]`) {
		t.Errorf("exit %d: %s", code, text)
	}
}
