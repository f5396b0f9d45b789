package article_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// TestAFileOfReferencesIsJudgedWhole reads files as other tools write them, whose records name two
// articles and one that does not exist.
func TestAFileOfReferencesIsJudgedWhole(t *testing.T) {
	app, title := commandtest.NCBI(t, commandtest.PubMed(t)), realTitle(t)
	for name, c := range map[string]struct {
		text, format string
		skipped      int
	}{
		"cochrane.ris": {"Record #1 of 3\nProvider: P\nTY  - JOUR\nTI  - " + title + "\nAB  - In\nER-negative cases. ER  - no.\nER  - \n\nRecord #2 of 3\nTY  - JOUR\nAN  - 90100002\nER  - \n\nRecord #3 of 3\nTY  - JOUR\nTI  - Nothing like it anywhere\nER  - \n", "RIS", 4},
		"ovid.ris":     {"1. \nTY  - JOUR\nT1  - " + title + "\nER  - \n\n2. \nTY  - JOUR\nID  - 90100002\nER  - \n\n3. \nTY  - JOUR\nT1  - Nothing like it anywhere\nER  - \n", "RIS", 3},
		"x.nbib":       {"Search: x\n\nPMID- 90100001\nIS  - 1234-5678 (Print)\n\nPMID- 90100002\n\nPMID- 99999999\n", "nbib", 1},
		"x.enw":        {"%0 Journal Article\n%T " + title + "\n\n%0 Journal Article\n%M 90100002\n\n%0 Journal Article\n%T Nothing like it anywhere\n", "EndNote", 0},
		"x.xml": {"<xml><records><record><titles><title><style>" + title + "</style></title></titles></record><record><accession-num>90100002</accession-num></record>" +
			"<record><titles><title>Nothing like it anywhere</title></titles></record></records></xml>", "EndNote XML", 0},
		"x.json": {`[{"title":"` + title + `"},{"PMID":"90100002"},{"title":"Nothing like it anywhere"}]`, "CSL-JSON", 0},
		"x.csv":  {"PMID,Title,Publication Year\n,\"" + title + "\",2023\n90100002,,2019\n,Nothing like it anywhere,2014\n", "CSV", 0},
		"x.bib":  {"words\n@string{t = {" + title + "}}\n@article{a, title=t}\n@article{b, url={https://doi.org/10.9999/synth.2019.1}}\n@article{c, title={Nothing like it anywhere}}", "BibTeX", 1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			answer, code := clitest.Ask(t, app, command.Person, "search citation --json --from "+file)
			got := references(t, answer)
			if code != 0 || len(got) != 3 {
				t.Fatalf("exit %d, %d references, want 3: %s", code, len(got), answer)
			}
			for i, want := range []string{"90100001", "90100002", ""} {
				if m := got[i].Match; (m == nil) != (want == "") || m != nil && m.PMID != want {
					t.Errorf("reference %d: %+v, want PMID %q", i+1, m, want)
				}
			}
			for _, want := range []string{`"format":"` + c.format + `"`, fmt.Sprintf(`"skipped":%d`, c.skipped)} {
				if !strings.Contains(strings.ReplaceAll(answer, `": `, `":`), want) {
					t.Errorf("no %s in %s", want, answer)
				}
			}
			text, _ := clitest.Ask(t, app, command.Person, "search citation --from "+file)
			if says := fmt.Sprintf("skipped in the %s file: %s: “", c.format, english.Plural(c.skipped, "line", "")); strings.Contains(text, says) != (c.skipped > 0) {
				t.Errorf("skipped lines: want %v: %s", c.skipped > 0, text)
			}
			for ending, mark := range map[string]string{"ris": "TY  - ", "bib": "@article{", "nbib": "PMID- "} {
				out := filepath.Join(dir, "out."+ending)
				got := cli.Run(t.Context(), app, command.IO{}, []string{"search", "citation", "--from", file, "-o", out}, command.Person)
				written, err := os.ReadFile(out)
				if n := strings.Count(string(written), mark); got.Failure != nil || err != nil || n != 2 {
					t.Fatalf("%s: %+v, %v, %d records, want 2", ending, got.Failure, err, n)
				}
				if notices := strings.Join(got.Result.Notices, "\n"); !strings.Contains(notices, "1 of 3 references have no article") {
					t.Errorf("%s: the answer does not count the references without an article: %s", ending, notices)
				}
			}
			out := filepath.Join(dir, "out.csv")
			if text, code := clitest.Ask(t, app, command.Person, "search citation --from "+file+" -o "+out); code != 0 || !strings.Contains(text, "records: 3") {
				t.Errorf("csv: exit %d: %s", code, text)
			}
		})
	}
	for name, text := range map[string]string{"page.html": "<html><body>x</body></html>", "cut.json": `[{"title":"x"`} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, code := clitest.Ask(t, app, command.Person, "search citation --from "+file); code != 2 || !strings.Contains(text, "accepted: BibTeX") {
			t.Errorf("%s: exit %d: %s", name, code, text)
		}
	}
	out := filepath.Join(t.TempDir(), "one.ris")
	if text, code := clitest.Ask(t, app, command.Person, "search citation --journal 'J Synth Nutr' --year 2023 --volume 12 --page 101 -o "+out); code != 0 || !strings.Contains(text, "records: 1") {
		t.Errorf("parts of a reference to a file: exit %d: %s", code, text)
	}
}
