package article_test

import (
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// hitFields lists the fields of a hit.
const hitFields = "pmid,title,authors,source,journal,nlm_abbreviation,year,pub_date,epub_date,volume,issue,pages,language,doi,pmcid,pub_types,retracted,preprint,cited_by,free_full_text"

func TestFormsOfASearch(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, want := range map[string]string{
		"search article ergothioneine --sort date --pmids": "90100001\n90100003\n90100002\n",
		"search article ergothioneine --limit 1 --csv":     hitFields + "\n9010000",
		"search article ergothioneine --limit 1 --tsv":     strings.ReplaceAll(hitFields, ",", "\t") + "\n9010000",
		"search mesh ergothioneine --csv":                  "ui,name,synonyms,scope_note,tree_numbers,type\n",
		"search article ergothioneine --csv --sort date --abstracts --mesh-terms --fields pmid,iso_abbreviation,mesh_terms": "pmid,iso_abbreviation,mesh_terms\n" +
			"90100001,",
		"get article 90100001 abstract": "\n## Abstract\n\n",
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, line)
			if code != 0 || !strings.HasPrefix(text, want) && !strings.Contains(line, "get ") || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d, %s", line, code, text)
			}
		})
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "get article 90100001 all"); strings.Count(text, "## Abstract\n") != 1 {
		t.Error("all shows the abstract twice or not at all")
	}
	h, text := clitest.Read(t, app, "search article ergothioneine --abstracts")
	if strings.Count(text, `"abstract":"`) != 2 || !strings.Contains(text, `"cited_by":`) || !strings.Contains(text, `"free_full_text":true`) {
		t.Errorf("%v %s", h, text)
	}
	if h, _ = clitest.Read(t, app, "search article ergothioneine --count"); h.Total != 3 || len(h.PMIDs) != 0 || len(h.Results) != 0 || len(h.Meta.Next) != 0 {
		t.Errorf("%+v", h)
	}
	if text, _ = clitest.Ask(t, app, command.Agent, "search article --help"); !strings.Contains(text, "| `--author <text>...` |") || strings.Count(text, "can be repeated: all its values must hold") != 1 {
		t.Error(text)
	}
}

// A count does not print an empty table, an empty field list is an error, and no flag is
// silently ignored.
func TestFormsGoWithoutWhatTheyDoNotUse(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, try := range map[string]string{
		"search article ergothioneine --count --csv":                    "search article ergothioneine --count",
		"search article ergothioneine --limit 0 --tsv --fields pmid":    "search article ergothioneine --limit 0",
		"search article ergothioneine --by-year --limit 2 --offset 3":   "search article ergothioneine --by-year",
		"search article ergothioneine --style ris --mesh-terms":         "search article ergothioneine --style ris",
		"search article ergothioneine --pmids --abstracts --mesh-terms": "search article ergothioneine --pmids",
		"search article ergothioneine --count --abstracts":              "search article ergothioneine --count",
		"search article ergothioneine --count --pmids":                  "search article ergothioneine --count",
		"search article ergothioneine --limit 0 --pmids":                "search article ergothioneine --limit 0",
		"search article ergothioneine --count --offset 4":               "search article ergothioneine --count",
		"search article ergothioneine --count --offset=-4":              "search article ergothioneine --count",
		"search article ergothioneine --csv --fields ,":                 "search article ergothioneine --csv",
		"get article 90100001 --jsonl --fields ''":                      "get article 90100001 --jsonl",
	} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.HasSuffix(text, "try:   biomcp "+try+"\n") {
			t.Errorf("%s: exit %d, %s", line, code, text)
		}
	}
}

func TestHitsWithoutADescriptionAreNoEmptyRows(t *testing.T) {
	srv := commandtest.PubMed(t)
	if err := srv.Add(entreztest.Generate(150, 5)); err != nil {
		t.Fatal(err)
	}
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "search article --date-from 1900 --date-to 2100 --limit 140")
	if code != 0 || strings.Contains(text, "| - | - | - |") || strings.Count(text, "\n| ") != 102 || !strings.Contains(text, "PMIDs without a description: ") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestTheLastYearsMonthsAndDays(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	for last, want := range map[string]string{"5y": "2020/11/22", "6m": "2025/05/22", "30d": "2025/10/23"} {
		t.Run(last, func(t *testing.T) {
			app := commandtest.NCBI(t, srv)
			app.Now = func() time.Time { return time.Date(2025, 11, 22, 10, 0, 0, 0, time.UTC) }
			srv.ClearRequests()
			text, code := clitest.Ask(t, app, command.Agent, "search article mushrooms --date-type edat --last "+last)
			if got := srv.Requests("esearch")[0].Params.Get("term"); code != 0 || got != "(mushrooms) AND "+want+":2025/11/22[edat]" {
				t.Errorf("%s: %s, %s", last, got, text)
			}
		})
	}
}

// A file with a wrong extension suggests the one that fits the form of the answer.
func TestEndingsGoWithTheForm(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for flags, want := range map[string]string{
		"--pmids": "--pmids --output p.txt", "--style ris": "--style ris --output p.ris", "--style bibtex": "--style bibtex --output p.bib",
		"--jsonl": "--jsonl --output p.jsonl", "--abstracts": "--abstracts --output p.csv",
	} {
		t.Run(flags, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, "search article cancer "+flags+" -o p.doc")
			if code != 2 || !strings.HasSuffix(text, "try:   biomcp search article cancer "+want+"\n") {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
}
