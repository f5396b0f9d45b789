package cli

import (
	"os"
	"strings"
	"testing"

	"biomcp/cli/command"
)

// The refusal names the flag that no correction fixes, wherever it stands. It does not suggest
// a word unlike any in the intended line. Its help belongs to the command on the line.
func TestWhatIsNamedIsWrong(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	for line, want := range map[string]string{
		"search article ergothioneine --since 2020 --foo":               `no flag "--foo"`,
		"search article ergothioneine --max 5 --foo":                    `no flag "--foo"`,
		"search article ergothioneine --foo --max 5":                    `no flag "--foo"`,
		"search article ergothioneine --review --since=2020 --nonsense": `no flag "--nonsense"`,
		"search article ergothioneine --max 5 --sort sideways":          "--sort",
		"heart attack":                         `error: no command "heart"`,
		"batch article --ids-from missing.txt": "try:   biomcp batch --help",
		"batch articles 90100001":              "90100001",
		"list articles":                        "biomcp search article",
		"-v":                                   "biomcp ",
		"study top-mutated --study synthetic_demo --chart":                "it belongs to study top-altered, study query, study survival",
		"study co-occurrence --study no_study --genes 'TP53 KRAS'":        `no local study "no_study"`,
		"search article ergothioneine --review true":                      "understood as: biomcp search article ergothioneine --review",
		"search article --review 'true belief'":                           "PubMed: true belief",
		"get article 90100001 authors":                                    `no section "authors": every record shows it`,
		"search drugs":                                                    "search drug --help",
		"search article ergothioneine --limit 5 --limit 20":               "--limit takes one value and is given twice",
		"search article ergothioneine --date-from=-1":                     "is not a date",
		"sync pubmed --term ergothioneine":                                "sync pubmed --query-key ergothioneine --term ergothioneine",
		"get article 90100001 citation --style endnote":                   "TY  - JOUR",
		"search article ergothioneine --csv --format xlsx -o results.csv": "--format",
	} {
		text, _ := ask(t, app, command.Person, line)
		if !strings.Contains(text, want) || strings.Contains(text, "did you mean health") {
			t.Errorf("%s: want %q in %s", line, want, text)
		}
	}
}

// A file of ids is read by --ids-from, or by the names that other programs use for that flag.
// If a pipe contains a word that is not an id, the refusal suggests the form with ids only.
func TestFileOfIDsIsOffered(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"ids.txt": "90100001\n", "mixed.txt": "90100001\n90100002\n12x34\n", "table.txt": "full text of 90100001\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"get article ids.txt":              "get article --ids-from ids.txt",
		"get article @ids.txt":             "get article --ids-from ids.txt",
		"batch article @ids.txt":           "batch article --ids-from ids.txt",
		"get article --ids-from table.txt": "to get only the ids from a search, use --pmids",
		"get article --ids-from mixed.txt": "--skip-invalid",
	} {
		if text, code := ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d, want %q in %s", line, code, want, text)
		}
	}
}
