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
			said, stderr, code := clitest.RunForPerson(t, app, line+" -o "+file)
			want, _, _ := clitest.RunForPerson(t, app, line+" --"+form)
			equalExit(t, line+" -o "+file, code, 0, stderr)
			equal(t, "output", said, file+": records: 3, fields: 20\n")
			equal(t, "contents of the file", fileText(t, file), want)
			for _, twice := range []string{" --" + form + " -o ", " --format " + form + " --out "} { // the same form, given twice
				said, stderr, code := clitest.RunForPerson(t, app, line+twice+file+" --force")
				equalExit(t, twice, code, 0, stderr)
				equal(t, "output of"+twice, said, file+": records: 3, fields: 20\n")
			}
		})
	}
	t.Run("two forms", func(t *testing.T) {
		for typed, kept := range map[string]string{"--csv --jsonl --output hits.tsv": " --output hits.tsv", "--csv --tsv --jsonl": " --csv"} {
			_, stderr, code := clitest.RunForPerson(t, app, line+" "+typed)
			equalExit(t, typed, code, 2, stderr)
			contains(t, typed, stderr, "try:   biomcp "+line+kept+"\n")
		}
	})
	t.Run("xlsx", func(t *testing.T) {
		file := filepath.Join(dir, "hits.XLSX")
		_, stderr, code := clitest.RunForPerson(t, app, line+" --output "+file+" --fields pmid,year")
		book, err := excelize.OpenFile(file)
		if err != nil {
			t.Fatalf("exit %d, %v: %s", code, err, stderr)
		}
		defer func() { _ = book.Close() }() // the file was only read
		rows, err := book.GetRows("Sheet1")
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 4 {
			t.Fatalf("got %d rows, want 4: %v", len(rows), rows)
		}
		equalList(t, "header", rows[0], []string{"pmid", "year"})
		equalList(t, "first row", rows[1], []string{"90100001", "2023"})
	})
	t.Run("PMIDs", func(t *testing.T) {
		file := filepath.Join(dir, "hits.txt")
		for _, typed := range []string{" --pmids", ""} {
			said, stderr, code := clitest.RunForPerson(t, app, line+typed+" --force -o "+file)
			want, _, _ := clitest.RunForPerson(t, app, line+" --pmids")
			equalExit(t, typed, code, 0, stderr)
			equal(t, "output", said, file+": records: 3\n")
			equal(t, "contents of the file", fileText(t, file), want)
		}
		said, stderr, code := clitest.RunForPerson(t, app, "search article nosuchword --force -o "+file)
		equalExit(t, "search without hits", code, 0, stderr)
		equal(t, "output without hits", said, file+": records: 0\n")
		equal(t, "contents of the file without hits", fileText(t, file), "")
		for typed, try := range map[string]string{" --by-year -o hits.txt": " --by-year\n", " --pmids -o hits.doc": " --pmids --output hits.txt\n", " --abstracts -o hits.txt": " --output hits.txt\n"} {
			_, stderr, code := clitest.RunForPerson(t, app, line+typed)
			equalExit(t, typed, code, 2, stderr)
			contains(t, typed, stderr, "try:   biomcp "+line+try)
		}
	})
	t.Run("unknown field", func(t *testing.T) {
		_, stderr, code := clitest.RunForPerson(t, app, "search variant --gene BRAF --csv --fields variant_id")
		equalExit(t, "unknown field", code, 2, stderr)
		contains(t, "suggestion", stderr, "--csv --fields id\n")
	})
	t.Run("folder missing", func(t *testing.T) {
		_, stderr, code := clitest.RunForPerson(t, app, line+" -o "+filepath.Join(dir, "none", "hits.csv"))
		equalExit(t, "folder missing", code, 1, stderr)
		contains(t, "error", stderr, "nothing was written to ")
		contains(t, "suggestion", stderr, "--output records.csv")
	})
	t.Run("MCP", func(t *testing.T) {
		file := filepath.Join(dir, "agent.csv")
		reply := clitest.AskAgent(t, app, line+" -o "+file, false)
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("file of an agent: got %v, want no file", err)
		}
		equal(t, "error", reply.IsError, true)
		contains(t, "suggestion", reply.Text, "try:   biomcp "+line+" --csv\n")
	})
}

// A table without rows has columns. It is not written if a source did not answer.
func TestATableOfNoRows(t *testing.T) {
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string]string{
		"get gene TPM4 trials":         "gene,nct_id,title,status,url\n",
		"get article 90100002 grants":  "article,id,acronym,agency,country\n",
		"get article 90100003 citedby": "article,pmid,title,authors,source,score,retracted,preprint,url\n",
	} {
		text, stderr, code := clitest.RunForPerson(t, app, line+" --csv")
		equalExit(t, line, code, 0, stderr)
		equal(t, line, text, want)
	}
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "elink", Kind: entreztest.HTML502, Times: -1})
	for _, line := range []string{"get article 90100001 citedby", "batch article 90100001 citedby", "batch article 90100001 90100002 citedby"} {
		text, stderr, code := clitest.RunForPerson(t, app, line+" --csv")
		equalExit(t, line, code, 1, stderr)
		equal(t, line, text, "")
		contains(t, line, stderr, "it is unknown whether there are any")
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
			text, stderr, code := clitest.RunForPerson(t, app, line+" --csv")
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			equalExit(t, line, code, 0, stderr)
			if err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			if len(rows) == 0 {
				t.Fatalf("got no rows: %s", stderr)
			}
			names := slices.Sorted(slices.Values(rows[0]))
			if len(slices.Compact(slices.Clone(names))) != len(names) {
				t.Errorf("two columns have the same name: %q", rows[0])
			}
			if names[0] == "" {
				t.Errorf("a column has no name: %q", rows[0])
			}
			records, _, _ := clitest.RunForPerson(t, app, line+" --jsonl")
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
			text, stderr, code := clitest.RunForPerson(t, app, line+" --csv")
			head, _, _ := strings.Cut(text, "\n")
			if first == "" {
				first = head
			}
			equalExit(t, line, code, 0, stderr)
			equal(t, "columns of "+line, head, first)
			if len(head) < 10 {
				t.Errorf("%s: the columns %q are too few", line, head)
			}
			if field := head[strings.LastIndex(head, ",")+1:]; i > 0 {
				_, stderr, code := clitest.RunForPerson(t, app, line+" --jsonl --fields "+field)
				equalExit(t, line+" --fields "+field, code, 0, stderr)
			}
		}
	}
	whole, _, _ := clitest.RunForPerson(t, app, "batch article 90100001 --csv")
	head, _, _ := strings.Cut(whole, "\n")
	text, stderr, code := clitest.RunForPerson(t, app, "batch article 90199999 --csv")
	equalExit(t, "batch without records", code, 1, stderr)
	if want := head + "\n90199999,failed,"; !strings.HasPrefix(text, want) {
		t.Errorf("batch without records: want %q at the beginning of %s", want, text)
	}
	for line, want := range map[string]string{
		"batch article 90199998 90199999 --csv --fields input,status,error.code": "input,status,error.code\n90199998,failed,NOT_FOUND\n90199999,failed,NOT_FOUND\n",
		"batch article 90100001 --csv --fields nope":                             "",
	} {
		text, stderr, code := clitest.RunForPerson(t, app, line)
		if code == 0 {
			t.Errorf("%s: got exit 0, want a failure", line)
		}
		equal(t, line, text, want)
		contains(t, line, stderr, "error: ")
		if len(stderr) > 2500 {
			t.Errorf("%s: the error has %d bytes, want at most 2500: %s", line, len(stderr), stderr)
		}
	}
}

// equalExit checks an exit status. what names the command, and stderr is shown if it is another one.
func equalExit(t *testing.T, what string, got, want int, stderr string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got exit %d, want %d: %s", what, got, want, stderr)
	}
}

// fileText returns the contents of a file.
func fileText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
