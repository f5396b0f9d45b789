package variant_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// withTable runs a test with the local table of ClinVar and simulators of all sources.
func withTable(t *testing.T, test func(t *testing.T, srv *entreztest.Server, app *command.App)) {
	t.Helper()
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if text, code := clitest.Ask(t, app, command.Person, "sync clinvar"); code != 0 {
			t.Fatal(text)
		}
		srv.ClearRequests()
		test(t, srv, app)
	})
}

const source = `"sources":["ClinVar (local table, release 2026-11-22)"]`

// Every name that the table has is answered from it, without a request, on a terminal, as JSON and over MCP.
func TestGetFromTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		for name, id := range map[string]string{
			"VCV000013961": "VCV000013961", "13961": "VCV000013961", "rs113488022": "VCV000013961", "'BRAF V600E'": "VCV000013961",
			"'BRAF c.1799T>A'": "VCV000013961", "'NM_004333.6:c.1799T>A'": "VCV000013961", "'NM_004333:c.1799T>A'": "VCV000013961",
			"NC_000007.14:140753335:A:T": "VCV000013961", "'chr7:140753336A>T'": "VCV000013961", "'chr7:140453136A>T' --assembly GRCh37": "VCV000013961",
			"'NC_000007.13:g.140453136A>T'": "VCV000013961", "RCV000014992": "VCV000013961", "CA123643": "VCV000013961",
			"NC_000002.12:47803500:C:": "VCV000089003", "'MSH6 c.3261del'": "VCV000089003", "'MSH6 F1088fs'": "VCV000089003",
			"'FBXO11 c.1164C>T'": "VCV000089001", "'NM_000179.3(MSH6):c.3801+1G>A'": "VCV000089002",
			"'GRCh38/hg38 2p16.3(chr2:47700000-48100000)x1'": "VCV000089004",
		} {
			line := "get variant " + name
			text := clitest.Answer(t, app, command.Person, line+" --json")
			for _, want := range []string{`"id":"` + id + `"`, `"release":"2026-11-22"`, source, "from the local table of ClinVar, release 2026-11-22"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: want %s in %s", line, want, text)
				}
			}
			commandtest.Validate(t, "get_variant.response", line, text)
			if plain := clitest.Answer(t, app, command.Person, line); !strings.Contains(plain, id) {
				t.Errorf("%s: want %s in %s", line, id, plain)
			}
			if reply := clitest.AskAgent(t, app, line, false); !strings.Contains(reply.Text, id) {
				t.Errorf("%s over MCP: want %s in %s", line, id, reply.Text)
			}
		}
		if requests := srv.Requests(); len(requests) > 0 {
			t.Errorf("got requests %+v, want none", requests)
		}
	})
}

// The card shows the three classifications with stars, conditions and dates, and what the table lacks.
func TestCardFromTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		text := clitest.Answer(t, app, command.Person, "get variant BRAF V600E")
		clitest.WantText(t, text, "**Germline:** Pathogenic, 2 of 4 stars (criteria provided, multiple submitters, no conflicts), for Melanoma, RASopathy, 2025-11-07",
			"**Oncogenicity:** Oncogenic, 3 of 4 stars (reviewed by expert panel)", "**Clinical impact:** Tier I - Strong, 2 of 4 stars",
			"NC_000007.14:140753335:A:T", "GRCh37 7:140453136 A>T", "missense variant",
			"it has no submissions, functional evidence, earlier classifications or frequencies")
		text = clitest.Answer(t, app, command.Person, "get variant rs1800562")
		clitest.WantText(t, text, "Pathogenic/Pathogenic, low penetrance; risk factor", "**Oncogenicity:** no classification")
		text = clitest.Answer(t, app, command.Person, "get variant VCV000089005 --json")
		clitest.WantText(t, text, `"locations":[]`, `"rsid":null`, "no classification for the single variant")
		text = clitest.Answer(t, app, command.Person, "get variant BRAF V600E diseases --json")
		clitest.WantText(t, text, `"name":"RASopathy"`, `"cui":"C0025202"`)
		if requests := srv.Requests(); len(requests) > 0 {
			t.Errorf("got requests %+v, want none", requests)
		}
	})
}

// --live, a section that the table lacks and a name that it does not have ask ClinVar, and the answer says so.
func TestLiveBesideTheTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		live := `"sources":["ClinVar","dbSNP"]`
		text := clitest.Answer(t, app, command.Person, "get variant BRAF V600E --live --json")
		clitest.WantText(t, text, live)
		clitest.WantNoText(t, text, "local table", `"release"`)
		text = clitest.Answer(t, app, command.Person, "get variant BRAF V600E clinvar --json")
		clitest.WantText(t, text, "ClinVar was asked, because its local table has no submissions or frequencies", live)
		clitest.WantNoText(t, text, `"release"`)
		text = clitest.Answer(t, app, command.Person, "get variant rs1800562 rs386571803 --json")
		clitest.WantText(t, text, `"sources":["ClinVar (local table, release 2026-11-22)","ClinVar","dbSNP"]`, `"id":"VCV000000009"`,
			"not in the local table of ClinVar, release 2026-11-22, which has no haplotypes, genotypes, names on other transcripts "+
				"or proteins, or merged rs numbers, so ClinVar was asked: rs386571803")
		// Without ClinVar the table still answers for what it has, and says nothing about the rest.
		if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.Down503, Times: -1}); err != nil {
			t.Fatal(err)
		}
		text = clitest.Answer(t, app, command.Person, "get variant rs1800562 clinvar --json --no-cache")
		clitest.WantText(t, text, "ClinVar was asked for the sections and did not answer", source, `"outcome":"unavailable"`)
		text, code := clitest.Ask(t, app, command.Person, "get variant VCV000017661 --no-cache")
		if code != 1 || strings.Contains(text, "NOT_FOUND") || strings.Contains(text, "not found") {
			t.Errorf("exit %d: %s, want that it is not known", code, text)
		}
	})
}

// A damaged table is named, and ClinVar is asked.
func TestDamagedTable(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		path := filepath.Join(app.Env.DataDir, "clinvar", "variants.bin")
		if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		text := clitest.Answer(t, app, command.Person, "get variant BRAF V600E --json")
		clitest.WantText(t, text, "the local table of ClinVar cannot be read, and ClinVar was asked", "biomcp sync clinvar --force")
		if text, code := clitest.Ask(t, app, command.Person, "sync clinvar --force"); code != 0 {
			t.Errorf("exit %d: %s", code, text)
		}
	})
}
