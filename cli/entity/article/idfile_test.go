package article_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A file of another program is read by its form: years, counts and words of titles are not ids.
func TestIDsFromFilesOfOtherPrograms(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	files := map[string]string{
		"pubmed.csv": "\ufeffPMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI\r\n" +
			"90100001,\"A trial of 300 patients, in 2014\",\"Doe J, Roe R.\",\"J Inv. 2014 May;1(2):300-9.\",Doe J,J Inv,2014,2014/05/01,,,\r\n" +
			"90100002,Another of 12 patients,Roe R.,J Inv. 2015;2:1-2.,Roe R,J Inv,2015,2015/05/01,,,\r\n",
		"x.nbib": "\nPMID- 90100001\nOWN - NLM\nDP  - 2014 May\nTI  - A trial of 300\n      patients\n\nPMID- 90100002\nDP  - 2015\nTI  - Another\n",
		"x.bib":  "@article{a2014,\n  title = {A trial of 300 patients},\n  year = {2014},\n  pmid = {90100001}\n}\n@article{b,\n  year = 2015,\n  pmid = {90100002}\n}\n",
		"x.json": `[{"id":"a","type":"article-journal","title":"A trial of 300","PMID":"90100001","issued":{"date-parts":[[2014]]}},{"id":"b","type":"article-journal","PMID":"90100002"}]`,
		"x.xml": `<?xml version="1.0"?><xml><records><record><titles><title>A trial of 300</title></titles><dates><year>2014</year></dates><accession-num>90100001</accession-num><remote-database-name>PubMed</remote-database-name></record>` +
			`<record><dates><year>2015</year></dates><accession-num>90100002</accession-num><remote-database-name>PubMed</remote-database-name></record></records></xml>`,
		"x.ris":    "TY  - JOUR\nTI  - A trial of 300\nPY  - 2014\nDB  - PubMed\nAN  - 90100001\nER  - \n\nTY  - JOUR\nPY  - 2015\nDB  - PubMed\nAN  - 90100002\nER  - \n",
		"list.txt": "# two articles\n90100001\n90100002\n",
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"get article --ids-from %s --json", "get ids --ids-from %s --json"} {
			t.Run(strings.Fields(line)[1]+" "+name, func(t *testing.T) {
				text, code := clitest.Ask(t, app, command.Person, fmt.Sprintf(line, path))
				if want := `"requested":["90100001","90100002"]`; code != 0 || !strings.Contains(text, want) {
					t.Errorf("exit %d, got %.500s, want %s", code, text, want)
				}
			})
		}
	}
}

// Ids of a damaged table are used only if the answer tells which lines are left out. A file with a NUL byte
// is rejected with its line.
func TestIDsFromDamagedFiles(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	const header = "PMID,Title,Publication Year\n90100001,One,2014\n"
	for text, want := range map[string]struct {
		code int
		says string
	}{
		header + "90100002,\"Two,2015\n90100003,Three,2016\n": {0, "line 3: a quotation mark is not closed: 90100002"},
		header + "90100002,\"Two,2015\n90100003,Th":           {0, "“line 4 is cut off: 2 fields"},
		header + "90100002,Tw":                                {0, "line 3 is cut off: 2 fields, and the header has 3"},
		header + "90100002,Two, and more,2015\n":              {0, "line 3: 4 fields, and the header has 3"},
		header + "9010\x000002,Two,2015\n":                    {2, "line 3 holds a NUL byte"},
		"90100001\n9010\x000002\n":                            {2, "line 2 holds a NUL byte"},
		"PMID,Title,Publication Year\n90100002,Tw":            {2, "line 2 is cut off"},
	} {
		path := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, flag := range []string{"", " --json"} {
			out, notices, code := clitest.RunForPerson(t, app, "get ids --ids-from "+path+flag)
			clitest.WantExit(t, code, want.code, text)
			clitest.WantText(t, out+notices, want.says)
		}
	}
}

// A plain list of small PMIDs is a list of PMIDs, a file without ids leads to the search for
// references, and --skip-invalid is not suggested for text.
func TestIDsFromListsAndText(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for text, want := range map[string]string{
		"2014\n300\n90100001\n":                                  `"requested":["2014","300","90100001"]`,
		"TY  - JOUR\nTI  - A trial of 300\nPY  - 2014\nER  - \n": "1 of 1 records of this RIS file have no PMID, PMCID or DOI; search citation --from looks them up",
		"pmid\n90100001\n":                                       `"pmid"`,
		"A trial of 300 patients\nwas made in 2014\n":            "words are not ids of this kind",
	} {
		t.Run(text, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "list")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, _ := clitest.Ask(t, app, command.Person, "get article --ids-from "+path+" --json")
			if !strings.Contains(strings.ReplaceAll(got, `\"`, `"`), want) {
				t.Errorf("got %.500s, want %s", got, want)
			}
			if strings.Contains(got, "--skip-invalid") && !strings.Contains(text, "pmid") {
				t.Errorf("got %.500s, want no --skip-invalid", got)
			}
		})
	}
}
