package entity_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// A file has the contents that standard output would have. It is written completely or not at all.
func TestOutput(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	line, dir := "search article ergothioneine --sort date", t.TempDir()
	for _, form := range []string{"csv", "tsv", "jsonl"} {
		t.Run(form, func(t *testing.T) {
			file := filepath.Join(dir, "hits."+form)
			said, stderr, code := clitest.Shown(t, app, line+" -o "+file)
			want, _, _ := clitest.Shown(t, app, line+" --"+form)
			got, err := os.ReadFile(file)
			if err != nil || code != 0 || string(got) != want || said != file+": records: 3, fields: 20\n" {
				t.Errorf("exit %d, %v: %q %q\n%s", code, err, said, stderr, got)
			}
			for _, twice := range []string{" --" + form + " -o ", " --format " + form + " --out "} { // the same form, given twice
				if said, stderr, code := clitest.Shown(t, app, line+twice+file); code != 0 || said != file+": records: 3, fields: 20\n" {
					t.Errorf("%s: exit %d: %q %q", twice, code, said, stderr)
				}
			}
		})
	}
	t.Run("two forms", func(t *testing.T) {
		for typed, kept := range map[string]string{"--csv --jsonl --output hits.tsv": " --output hits.tsv", "--csv --tsv --jsonl": " --csv"} {
			if _, stderr, code := clitest.Shown(t, app, line+" "+typed); code != 2 || !strings.Contains(stderr, "try:   biomcp "+line+kept+"\n") {
				t.Errorf("%s: exit %d, %s", typed, code, stderr)
			}
		}
	})
	t.Run("xlsx", func(t *testing.T) {
		file := filepath.Join(dir, "hits.XLSX")
		_, stderr, code := clitest.Shown(t, app, line+" --output "+file+" --fields pmid,year")
		book, err := excelize.OpenFile(file)
		if err != nil {
			t.Fatalf("exit %d, %v: %s", code, err, stderr)
		}
		defer func() { _ = book.Close() }() // the file was only read
		rows, err := book.GetRows("Sheet1")
		if err != nil || len(rows) != 4 || strings.Join(rows[0], " ") != "pmid year" || strings.Join(rows[1], " ") != "90100001 2023" {
			t.Errorf("%v %v", err, rows)
		}
	})
	t.Run("PMIDs", func(t *testing.T) {
		file := filepath.Join(dir, "hits.txt")
		for _, typed := range []string{" --pmids", ""} {
			said, stderr, code := clitest.Shown(t, app, line+typed+" -o "+file)
			want, _, _ := clitest.Shown(t, app, line+" --pmids")
			if got, err := os.ReadFile(file); err != nil || code != 0 || string(got) != want || said != file+": records: 3\n" {
				t.Errorf("exit %d, %v: %q %q\n%s", code, err, said, stderr, got)
			}
		}
		if said, _, code := clitest.Shown(t, app, "search article nosuchword -o "+file); code != 0 || said != file+": records: 0\n" {
			t.Errorf("exit %d: %s", code, said)
		}
		if got, err := os.ReadFile(file); err != nil || len(got) > 0 {
			t.Errorf("%v: no hits are %q", err, got)
		}
		for typed, try := range map[string]string{" --by-year -o hits.txt": " --by-year\n", " --pmids -o hits.doc": " --pmids --output hits.txt\n", " --abstracts -o hits.txt": " --output hits.txt\n"} {
			if _, stderr, code := clitest.Shown(t, app, line+typed); code != 2 || !strings.Contains(stderr, "try:   biomcp "+line+try) {
				t.Errorf("%s: exit %d, %s", typed, code, stderr)
			}
		}
	})
	if _, stderr, code := clitest.Shown(t, app, "search variant --gene BRAF --csv --fields variant_id"); code != 2 || !strings.Contains(stderr, "--csv --fields id\n") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	t.Run("folder missing", func(t *testing.T) {
		_, stderr, code := clitest.Shown(t, app, line+" -o "+filepath.Join(dir, "none", "hits.csv"))
		if code != 1 || !strings.Contains(stderr, "nothing was written to ") || !strings.Contains(stderr, "--output records.csv") {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
	t.Run("MCP", func(t *testing.T) {
		file := filepath.Join(dir, "agent.csv")
		reply := clitest.Agent(t, app, line+" -o "+file, false)
		if _, err := os.Stat(file); !reply.IsError || !os.IsNotExist(err) || !strings.Contains(reply.Text, "try:   biomcp "+line+"\n") {
			t.Errorf("%v %s", err, reply.Text)
		}
	})
}

// A table without rows has columns. It is not written if a source did not answer.
func TestATableOfNoRows(t *testing.T) {
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string]string{
		"get gene TPM4 trials":         "gene,nct_id,title,status,url\n",
		"get article 90100002 grants":  "article,id,acronym,agency,country\n",
		"get article 90100003 citedby": "article\n",
	} {
		if text, stderr, code := clitest.Shown(t, app, line+" --csv"); code != 0 || text != want {
			t.Errorf("%s: exit %d: %q %s", line, code, text, stderr)
		}
	}
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "elink", Kind: entreztest.HTML502, Times: -1})
	for _, line := range []string{"get article 90100001 citedby", "batch article 90100001 citedby", "batch article 90100001 90100002 citedby"} {
		if text, stderr, code := clitest.Shown(t, app, line+" --csv"); code != 1 || text != "" || !strings.Contains(stderr, "it is unknown whether there are any") {
			t.Errorf("%s: exit %d: %q %s", line, code, text, stderr)
		}
	}
}

// Every answer with records has a table of them, with distinct columns and a cell for each.
func TestEveryEntityHasATable(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for _, line := range []string{
		"get article 90100001 90100002", "get article 90100001 90100002 references", "get article 90100001 grants", "get article 90100001 annotations",
		"get gene BRAF", "get gene BRAF trials --limit 2", "get gene BRAF variants --limit 2", "get gene BRAF pgx", "get disease 'Marfan syndrome' phenotypes",
		"get ids 90100001", "search article ergothioneine --by-year", "search gene --chromosome X", "search disease marfan", "search mesh ergothioneine",
		"search trial melanoma", "search variant -g BRAF", "search citation --journal 'J Synth Nutr' --year 2023", "batch article 90100001 90100002 mesh",
	} {
		t.Run(line, func(t *testing.T) {
			text, stderr, code := clitest.Shown(t, app, line+" --csv")
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil || code != 0 || len(rows) == 0 {
				t.Fatalf("exit %d, %v: %s %s", code, err, text, stderr)
			}
			names := slices.Sorted(slices.Values(rows[0]))
			if len(slices.Compact(slices.Clone(names))) != len(names) || names[0] == "" {
				t.Errorf("columns %q", rows[0])
			}
			records, _, _ := clitest.Shown(t, app, line+" --jsonl")
			if n := strings.Count(records, "\n"); n != len(rows)-1 {
				t.Errorf("%d records, %d rows", n, len(rows)-1)
			}
			if first, _, _ := strings.Cut(records, "\n"); strings.HasPrefix(line, "get gene BRAF ") && strings.Count(first, `"gene":`) != 1 {
				t.Errorf("a gene twice: %s", first)
			}
			t.Logf("%d rows of %q", len(rows)-1, rows[0])
		})
	}
}

// The columns depend only on the entity, not on the values of the records, so that the answers of
// several calls can be combined.
func TestColumnsDoNotDependOnTheRecords(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for _, lines := range [][]string{
		{"get article 90100001", "get article 90100002", "get article 90100003"},
		{"batch article 90100001 90100002", "batch article 90100001 90199999"},
		{"batch article 90100001 grants mesh", "batch article 90100003 90199999 grants mesh"},
		{"get gene BRAF variants", "get gene TP53 variants", "batch gene TP53 variants"},
		{"get gene BRAF", "get gene TP53"},
	} {
		var first string
		for i, line := range lines {
			text, stderr, code := clitest.Shown(t, app, line+" --csv")
			head, _, _ := strings.Cut(text, "\n")
			if first == "" {
				first = head
			}
			if code != 0 || head != first || len(head) < 10 {
				t.Errorf("%s: exit %d, %s%s\nwant %s", line, code, stderr, head, lines[0])
			}
			if field := head[strings.LastIndex(head, ",")+1:]; i > 0 {
				if text, stderr, code := clitest.Shown(t, app, line+" --jsonl --fields "+field); code != 0 {
					t.Errorf("%s --fields %s: exit %d, %s%s", line, field, code, text, stderr)
				}
			}
		}
	}
	whole, _, _ := clitest.Shown(t, app, "batch article 90100001 --csv")
	head, _, _ := strings.Cut(whole, "\n")
	if text, stderr, code := clitest.Shown(t, app, "batch article 90199999 --csv"); code != 1 || !strings.HasPrefix(text, head+"\n90199999,failed,") {
		t.Errorf("of no record: exit %d\n%s%s", code, text, stderr)
	}
	for line, want := range map[string]string{
		"batch article 90199998 90199999 --csv --fields input,status,error.code": "input,status,error.code\n90199998,failed,NOT_FOUND\n90199999,failed,NOT_FOUND\n",
		"batch article 90100001 --csv --fields nope":                             "",
	} {
		if text, stderr, code := clitest.Shown(t, app, line); code == 0 || text != want || !strings.Contains(stderr, "error: ") || len(stderr) > 2500 {
			t.Errorf("%s: exit %d\n%s%s", line, code, text, stderr)
		}
	}
}
