package cli_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// A phrase that the local tables know as a gene or a disease needs no request. Any other phrase asks the
// sources, also a word of English that is a symbol.
func TestDiscoverInTables(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync hgnc")
		check := func(line string, exit int, wanted ...string) string {
			t.Helper()
			s.ClearRequests()
			text, code := clitest.Ask(t, s.App, command.Agent, line)
			if code != exit || s.Count() > 0 {
				t.Errorf("%s: exit %d, %d requests, want %d and none: %s", line, code, s.Count(), exit, text)
			}
			for _, want := range wanted {
				if !strings.Contains(text, want) {
					t.Errorf("%s: want %q in %s", line, want, text)
				}
			}
			return text
		}
		from := "(local table hgnc, as of 2026-11-21)"
		check("discover BRAF", 0, "| gene | BRAF: synthetic row of BRAF | NCBIGene:673 | symbol |", from,
			"no other source was asked; --live asks them", "biomcp get gene BRAF")
		check("discover HER2", 0, "no other source answered: ", "| gene | ERBB2: synthetic row of ERBB2 | NCBIGene:2064 | alias |")
		s.Sync(t, "sync mesh")
		check("discover HER2", 0, "no other source was asked", "NCBIGene:2064 | alias |", "(local table mesh, as of 2026-11-21)")
		check("discover MLL2", 0, "Several concepts have this name.", "NCBIGene:8085 | previous symbol |", "NCBIGene:9757 | alias |")
		text := check("discover 'invented attack' --json", 0, `"type":"disease"`, `"match":"entry term"`, `"commands":["biomcp get disease 'Synthetic Infarction'"`)
		commandtest.Validate(t, "discover.response", "a disease", text)
		s.Sync(t, "sync cpic")
		s.Sync(t, "sync hpo")
		text = check("discover Clopidogrel --json", 0, `"type":"drug","id":"RxNorm:32968","match":"name"`, `"commands":["biomcp get drug clopidogrel"`)
		commandtest.Validate(t, "discover.response", "a drug", text)
		check("discover seizures", 0, "| phenotype | Seizure | HP:0001250 | synonym |", "biomcp search disease --features Seizure")
		for _, line := range []string{"discover BRAF --live", "discover nosuchname", "discover Nowhere"} {
			if text, _ := clitest.Ask(t, s.App, command.Agent, line); strings.Contains(text, "no other source was asked") {
				t.Errorf("%s: want the sources to be asked, got %s", line, text)
			}
		}
	})
}

// A bare name leads to the gene of the local table if no source can be reached.
func TestNameLeadsToTheGeneOffline(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		text, code := clitest.Ask(t, s.App, command.Agent, "BRAF")
		if code == 0 || strings.Contains(text, "biomcp get gene BRAF") {
			t.Errorf("without a table: exit %d, want a failure: %s", code, text)
		}
		s.Sync(t, "sync hgnc")
		for _, line := range []string{"BRAF", "BRAF --offline"} {
			for _, policy := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, s.App, policy, line)
				for _, want := range []string{"| gene | BRAF: synthetic row of BRAF | NCBIGene:673 |", "biomcp get gene BRAF did not answer: ", "\nbiomcp get gene BRAF\n"} {
					if code != 0 || !strings.Contains(text, want) {
						t.Errorf("%s: exit %d, want %q in %s", line, code, want, text)
					}
				}
				if strings.Contains(text, "PubTator3") {
					t.Errorf("%s: it names a source that was not asked: %s", line, text)
				}
			}
		}
		text, _ = clitest.Ask(t, s.App, command.Agent, "BRAF --json")
		if !json.Valid([]byte(text)) || !strings.Contains(text, `"id":"NCBIGene:673"`) {
			t.Errorf("want the gene in JSON, got %s", text)
		}
	})
}

// search all answers for a gene or a disease that the local tables know by exactly this name without a request to NCBI Gene
// or MedGen, and says so. Without tables, with filters, or for another word it asks them.
func TestSearchAllAnswersFromTables(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		databases := func(line string) (all []string) {
			srv.ClearRequests()
			text, _ := clitest.Ask(t, app, command.Agent, line)
			commandtest.Validate(t, "search_all.response", line, text)
			for _, r := range srv.Requests() {
				all = append(all, r.Params.Get("db"))
			}
			return all
		}
		const line = "search all --gene BRAF --json --no-cache"
		if asked := databases(line); !slices.Contains(asked, "gene") {
			t.Errorf("%s without tables: asked %q, want gene too", line, asked)
		}
		const counts = "search all --gene BRAF --counts-only --json --no-cache"
		sections := func() string {
			text, _ := clitest.Ask(t, app, command.Agent, counts)
			_, list, _ := strings.Cut(text, `"sections":`)
			list, _, _ = strings.Cut(list, `"notices":`)
			return list
		}
		before := sections()
		clitest.Answer(t, app, command.Person, "sync hgnc")
		if after := sections(); after != before || !strings.Contains(after, `"entity":"gene"`) {
			t.Errorf("%s: got %s with a table and %s without, want the search's totals", counts, after, before)
		}
		for line, want := range map[string]struct{ without, part string }{
			line: {"gene", `{"entity":"gene","outcome":"data","total":null,"results":[{"symbol":"BRAF","entrez_id":"673",` +
				`"name":"synthetic row of BRAF","id":"NCBIGene:673"}],"error":null}`},
			"search all HER2 --json --no-cache": {"gene", `"symbol":"ERBB2","entrez_id":"2064"`},
		} {
			if asked := databases(line); slices.Contains(asked, want.without) {
				t.Errorf("%s: asked %q, want no request to %s", line, asked, want.without)
			}
			text, _ := clitest.Ask(t, app, command.Person, line)
			for _, part := range []string{want.part, "with exactly this name in local tables, and no source was asked, so the total is unknown; biomcp search "} {
				if !strings.Contains(text, part) {
					t.Errorf("%s: want %q in %s", line, part, text)
				}
			}
		}
		for _, line := range []string{"search all kinase --json --no-cache", "search all --gene BRAF --disease melanoma --json --no-cache",
			"search all --gene BRAF --counts-only --json --no-cache", "search all BRAF --counts-only --json --no-cache"} {
			if asked := databases(line); !slices.Contains(asked, "gene") {
				t.Errorf("%s: asked %q, want gene too", line, asked)
			}
		}
		text, _ := clitest.Ask(t, app, command.Person, "search all --gene BRAF")
		for _, want := range []string{"| gene | - | data |", "| NCBIGene:673 | BRAF: synthetic row of BRAF | symbol |", "biomcp search gene BRAF"} {
			if !strings.Contains(text, want) {
				t.Errorf("terminal: want %q in %s", want, text)
			}
		}
	})
}

// search all shows the concepts that local tables name even if no search answers.
func TestSearchAllNamesTermsOfTables(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		if text, code := clitest.Ask(t, s.App, command.Agent, "search all --gene BRAF --offline"); code != 1 {
			t.Errorf("without a table: exit %d, want 1: %s", code, text)
		}
		s.Sync(t, "sync hgnc")
		s.Sync(t, "sync mesh")
		s.ClearRequests()
		for line, wanted := range map[string][]string{
			"search all --gene HER2 --disease 'Invented Attack' --offline": {
				"| gene | ERBB2: synthetic row of ERBB2 | NCBIGene:2064 | alias |",
				"| disease | Synthetic Infarction | MESH:D990001 | entry term |", "| article | - | unavailable |",
				"(local table hgnc, as of 2026-11-21)", "biomcp get gene ERBB2", "biomcp get disease 'Synthetic Infarction'",
			},
			"search all BRAF --offline --json":        {`"names":[{"label":"BRAF: synthetic row of BRAF","type":"gene","id":"NCBIGene:673"`, `"commands":["biomcp get gene BRAF"`},
			"search all BRAF --offline --counts-only": {"| NCBIGene:673 |"},
			"search all --disease 'Invented Attack' --offline --json": {`{"entity":"disease","outcome":"data","total":null,"results":[{"name":"Synthetic Infarction","id":"MESH:D990001"}],"error":null}`,
				"biomcp search disease 'Invented Attack' asks for all"},
			"search all --disease BRAF --offline":         {"error: "},
			"search all --drug fictinib --offline --json": {`"error":`},
			"search all nosuchname --offline --json":      {`"error":`},
		} {
			for _, policy := range []command.Policy{command.Person, command.Agent} {
				text, _ := clitest.Ask(t, s.App, policy, line)
				for _, want := range wanted {
					if !strings.Contains(text, want) {
						t.Errorf("%s: want %q in %s", line, want, text)
					}
				}
				if strings.Contains(text, `"sections"`) {
					commandtest.Validate(t, "search_all.response", line, text)
				}
			}
		}
		if s.Count() > 0 {
			t.Errorf("%d requests, want none", s.Count())
		}
	})
}
