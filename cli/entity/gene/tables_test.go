package gene_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

// offline returns an App with local tables whose every later request fails, and a function that returns the number
// of these.
func offline(t *testing.T, tables ...string) (app *command.App, requests func() int) {
	t.Helper()
	srv := commandtest.EverySource(t)
	app = commandtest.NCBI(t, srv)
	app.Env.Network.MaxRetries = 0
	for _, name := range tables {
		if text, code := clitest.Ask(t, app, command.Person, "sync "+name); code != 0 {
			t.Fatalf("sync %s: exit %d: %s", name, code, text)
		}
	}
	if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	srv.ClearRequests()
	return app, func() int { return len(srv.Requests()) }
}

// Genes of HGNC's table, and sections of local tables, need no network, at any door.
func TestLocalSectionsWithoutNetwork(t *testing.T) {
	app, requests := offline(t, "hgnc", "clingen", "gencc", "civic", "cpic", "clinvar")
	const noRow = "The local tables have no row for it."
	for line, wants := range map[string][]string{
		"get gene KMT2D validity":              {"invented syndrome 1", "genes from HGNC", "as of "},
		"get gene kmt2d dosage":                {"# KMT2D", "(score 3)"},
		"get gene BRAF evidence":               {"| BRAF V600E | variant |"},
		"get gene HGNC:1097 evidence":          {"# BRAF", "| BRAF V600E | variant |"},
		"get gene BRAF variants":               {"VCV000013961"},
		"get gene CYP2D6 pgx":                  {"amitriptyline"},
		"get gene BRAF pgx":                    {"## Pharmacogenetics", noRow},
		"get gene BRAF pgx validity dosage":    {noRow},
		"get gene KMT2D BRAF CYP2D6 dosage":    {"# KMT2D", "# BRAF", "# CYP2D6"},
		"get gene Braf dosage":                 {"Braf, as genes of mouse and rat are written, is read as the human gene BRAF"},
		"get gene BRAF dosage --organism 9606": {"# BRAF"},
	} {
		for _, door := range []command.Policy{command.Person, command.Agent} {
			text, code := clitest.Ask(t, app, door, line)
			clitest.WantExit(t, code, 0, line+": "+text)
			for _, want := range wants {
				if !strings.Contains(text, want) {
					t.Errorf("%s: got %s\nwant %q", line, text, want)
				}
			}
			if strings.Contains(text, "None.") {
				t.Errorf("%s: got None. from a table: %s", line, text)
			}
		}
		text, _ := clitest.Ask(t, app, command.Person, line+" --json")
		commandtest.Validate(t, "get_gene.response", line, text)
		if strings.Contains(text, "NCBI Gene") {
			t.Errorf("%s: got NCBI as a source: %s", line, text)
		}
	}
	for line, want := range map[string]string{
		"get gene HER2 dosage":  "biomcp get gene ERBB2 dosage",
		"get gene PARK2 dosage": "biomcp get gene PRKN dosage",
	} {
		text, code := clitest.Ask(t, app, command.Person, line)
		clitest.WantExit(t, code, 1, line+": "+text)
		clitest.WantText(t, text, want)
	}
	if n := requests(); n != 0 {
		t.Errorf("got %d requests, want none", n)
	}
}

// A word that the table does not have is looked up, and its failure leaves the other genes.
func TestUnlistedGeneWithoutNetwork(t *testing.T) {
	app, _ := offline(t, "hgnc", "clingen")
	text, code := clitest.Ask(t, app, command.Person, "get gene KMT2D QQZZ1 dosage")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, "(score 3)")
	clitest.WantText(t, text, "could not be looked for: QQZZ1: ")
	for _, wrong := range []string{"no report of", "part of the card", "sync hgnc"} {
		if strings.Contains(text, wrong) {
			t.Errorf("got %q in %s", wrong, text)
		}
	}
	text, code = clitest.Ask(t, app, command.Person, "get gene KMT2D articles dosage") // articles need the network
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, "(score 3)", "Articles is missing: ")
}

// A gene's words in the table and at NCBI share one record.
func TestOneRecordFromTableAndNetwork(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	clitest.Ask(t, app, command.Person, "sync hgnc")
	clitest.Ask(t, app, command.Person, "sync clingen")
	text, code := clitest.Ask(t, app, command.Person, "get gene BRAF 673 dosage")
	clitest.WantExit(t, code, 0, text)
	if n := strings.Count(text, "# BRAF"); n != 1 {
		t.Errorf("got %d records of BRAF, want 1: %s", n, text)
	}
	if strings.Contains(text, "no report of") {
		t.Errorf("got a notice about NCBI's report of a gene from the table: %s", text)
	}
}

// Without the table that would answer, the failure of the network names the command that stores it.
func TestAbsentTableWithoutNetwork(t *testing.T) {
	app, _ := offline(t, "clingen", "civic")
	for line, want := range map[string]string{
		"get gene KMT2D validity":     "sync hgnc",
		"get gene KMT2D dosage":       "sync hgnc",
		"get gene BRAF evidence":      "sync hgnc",
		"get gene HGNC:1097 evidence": "sync hgnc",
		"get gene BRAF KMT2D dosage":  "sync hgnc",
		"get gene BRAF pgx":           "sync cpic",
		"get drug fictinib pgx":       "sync cpic",
		"get gene 673 dosage":         "", // HGNC's table is not searched by GeneID
		"get gene BRAF articles":      "",
	} {
		for _, door := range []command.Policy{command.Person, command.Agent} {
			text, code := clitest.Ask(t, app, door, line)
			clitest.WantExit(t, code, 1, line+": "+text)
			if got := strings.Contains(text, "biomcp sync "); got != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%s: got %s\nwant %q", line, text, want)
			}
		}
	}
}

// A section of a local table is shown even if another section of the line needs the network.
func TestLocalSectionsBesideOthersWithoutNetwork(t *testing.T) {
	app, _ := offline(t, "hgnc", "clingen", "gencc")
	for _, line := range []string{"get gene KMT2D validity proteins", "get gene KMT2D orthologs validity --json"} {
		text, code := clitest.Ask(t, app, command.Agent, line)
		clitest.WantExit(t, code, 0, line+": "+text)
		clitest.WantText(t, text, "invented syndrome 1", "the records are from local tables: ")
	}
	text, code := clitest.Ask(t, app, command.Agent, "get gene KMT2D proteins") // no section of a table
	clitest.WantExit(t, code, 1, text)
}
