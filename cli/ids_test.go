package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestIDsFromFileAndStandardInput(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 3, nil)
	app, ids := commandtest.NCBI(t, srv), commandtest.GeneratedPMIDs(3)
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
		{[]string{"--ids-from", "-"}, "# mine\n" + ids[1] + "\n  # and " + ids[0], ids[1:2]},
	} {
		t.Run(fmt.Sprint(c.args), func(t *testing.T) {
			args := append([]string{"get", "article", "--json"}, c.args...)
			text, failed := cli.RenderAnswer(cli.Run(t.Context(), app, command.IO{In: strings.NewReader(c.in)}, args, command.Person), true, 0)
			var g clitest.Reply
			if err := json.Unmarshal([]byte(text), &g); err != nil || failed || !slices.Equal(g.IDs(), c.want) {
				t.Errorf("%q: %v, want %v: %.300s", c.args, g.IDs(), c.want, text)
			}
			if text, failed := cli.RenderAnswer(cli.Run(t.Context(), app, command.IO{}, args, command.Agent), true, 0); !failed || !strings.Contains(text, "reads or writes files of the server's machine") {
				t.Errorf("%q over MCP: %.300s", c.args, text)
			}
		})
	}
	text, failed := cli.RenderAnswer(cli.Run(t.Context(), app, command.IO{}, []string{"get", "article"}, command.Person), false, 0)
	if !failed || !strings.Contains(text, "needs at least one id") || !strings.Contains(text, "biomcp get article --help") {
		t.Error(text)
	}
	list, err := os.CreateTemp(t.TempDir(), "ids")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for _, line := range []string{"get article", "batch article"} { // with a file on standard input
		text, failed := cli.RenderAnswer(cli.Run(t.Context(), app, command.IO{In: list}, strings.Fields(line), command.Person), false, 0)
		if !failed || !strings.Contains(text, "biomcp "+line+" -\n") {
			t.Errorf("%s: %s", line, text)
		}
	}
}

func TestEveryInvalidIDIsNamed(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 3, nil)
	app, ids := commandtest.NCBI(t, srv), commandtest.GeneratedPMIDs(3)
	line := "get article " + ids[0] + " 12x34 0 " + ids[1] + " NCT001 " + ids[2]
	text, code := clitest.Ask(t, app, command.Agent, line)
	if code != 2 || !strings.Contains(text, "12x34, 0, NCT001") || !strings.Contains(text, "--skip-invalid") || srv.Count() != 0 {
		t.Errorf("exit %d: %s", code, text)
	}
	g, text := clitest.Read(t, app, line+" --skip-invalid")
	if !slices.Equal(g.IDs(), ids) || !slices.ContainsFunc(g.Notices, func(n string) bool { return strings.Contains(n, "12x34, 0, NCT001") }) {
		t.Errorf("%v %v: %.300s", g.IDs(), g.Notices, text)
	}
	for line, want := range map[string]string{
		"get article " + ids[0] + " abstrct":             `no section "abstrct"`,
		"get article " + ids[0] + " mehs --skip-invalid": `no section "mehs"`,
		"get ids 12x34 --skip-invalid":                   `"12x34" is not an id`,
		"get article " + ids[0] + " 12345678901":         "12345678901 is not a PMID",
	} {
		t.Run(line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}

// Ids of genes, variants and trials are separated like ids of articles.
func TestIDsOfOtherEntitiesInAnyForm(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for line, want := range map[string]string{
		"get gene BRAF,TP53 --json":                          `"requested":["BRAF","TP53"]`,
		"get variant 'VCV000013961, MYD88 L265P' --json":     `"requested":["VCV000013961","MYD88 L265P"]`,
		"get variant 13961,90400001 clinvar --json":          `"requested":["13961","90400001"]`,
		"get trial NCT99000001,NCT99000002 locations --json": `"requested":["NCT99000001","NCT99000002"]`,
	} {
		t.Run(line, func(t *testing.T) {
			if text, code, _ := clitest.AskUncached(t, srv, line); code != 0 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
	if text, code, _ := clitest.AskUncached(t, srv, "get variant rs113488022 rs121913529 hello7 12x --json"); code != 2 || !strings.Contains(text, "2 words are not ids of this kind") || !strings.Contains(text, `--skip-invalid"`) {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code, _ := clitest.AskUncached(t, srv, "get variant 13961 hello7 --skip-invalid --json"); code != 0 || !strings.Contains(text, "skipped, not ids: hello7") {
		t.Errorf("exit %d: %s", code, text)
	}
	file := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(file, []byte("BRAF V600E\nrs268\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Person, "get variant --ids-from "+file+" --json"); code != 0 || !strings.Contains(text, `"requested":["BRAF V600E","rs268"]`) {
		t.Errorf("exit %d: %s", code, text)
	}
}

// More ids than fit into one request are fetched in batches if they come from a pipe.
func TestBatchTakesAPipeOfManyIDs(t *testing.T) {
	t.Parallel()
	app, ids := commandtest.NCBI(t, commandtest.GeneratedNCBI(t, 450, nil)), commandtest.GeneratedPMIDs(450)
	pipe := command.IO{In: strings.NewReader(strings.Join(ids, "\n"))}
	text, failed := cli.RenderAnswer(cli.Run(t.Context(), app, pipe, []string{"batch", "article", "-", "--json"}, command.Person), true, 0)
	if failed || !strings.Contains(text, `"summary":{"total":450,"found":450,"failed":0}`) {
		t.Errorf("%.600s", text)
	}
	text, failed = cli.RenderAnswer(cli.Run(t.Context(), app, command.IO{}, append([]string{"batch", "article", "--json"}, ids...), command.Agent), true, 0)
	if !failed || !strings.Contains(text, "batch article takes at most 200") {
		t.Errorf("over MCP: %.600s", text)
	}
}

// Every entity that takes several ids takes them from standard input, by get and by batch, and a list
// of any length is read in batches. Over MCP a list is refused.
func TestEveryEntityReadsLists(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	known := map[string]string{
		"article": "90100001", "gene": "BRAF", "variant": "rs268", "drug": "fictinib", "disease": "Marfan syndrome",
		"trial": "NCT99000001", "diagnostic": "GTR000900001", "ids": "90100001", "database": "pubmed",
	}
	for _, e := range cli.Entities() {
		if e.Get == nil || e.Get.Args.Max >= 0 {
			continue
		}
		id := known[e.Name]
		if id == "" {
			t.Errorf("no id of %s is known to this test", e.Name)
			continue
		}
		for _, line := range []string{"get " + e.Name + " - --json", "batch " + e.Name + " - --json"} {
			t.Run(line, func(t *testing.T) {
				pipe := command.IO{In: strings.NewReader("# my list\r\n" + id + "\r\n")}
				out := cli.Run(t.Context(), app, pipe, strings.Fields(line), command.Person)
				if text, failed := cli.RenderAnswer(out, true, 0); failed || !strings.Contains(text, id) {
					t.Errorf("got %.400s, want the record of %s", text, id)
				}
				text, code := clitest.Ask(t, app, command.Agent, line)
				if code != 2 || !strings.Contains(text, "reads or writes files of the server's machine") {
					t.Errorf("over MCP: got exit %d: %.300s, want a refusal", code, text)
				}
			})
		}
	}
	var genes strings.Builder
	for i := range 450 {
		fmt.Fprintf(&genes, "NOGENE%d\n", i)
	}
	for _, line := range []string{"get gene - --json", "batch gene - --json", "get gene - variants --json"} {
		t.Run(line+" of 451", func(t *testing.T) {
			pipe := command.IO{In: strings.NewReader(genes.String() + "BRAF\n")}
			text, failed := cli.RenderAnswer(cli.Run(t.Context(), app, pipe, strings.Fields(line), command.Person), true, 0)
			if failed || !strings.Contains(text, `"symbol":"BRAF"`) {
				t.Errorf("got %.600s, want the record of BRAF", text)
			}
		})
	}
	pipe := command.IO{In: strings.NewReader(genes.String())}
	out := cli.Run(t.Context(), app, pipe, []string{"get", "gene", "-"}, command.Person)
	if text, failed := cli.RenderAnswer(out, false, 0); !failed || strings.Count(text, "NOGENE") > 30 {
		t.Errorf("got %.600s, want a failure that does not repeat the list", text)
	}
}
