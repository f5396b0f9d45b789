package gene_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// With a local HGNC table an alias is resolved without a request, and a withdrawn symbol is
// distinguished from an alias. Without the table, resolution works as before.
func TestNamesOfGenesOffline(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Agent, "health --json"); !strings.Contains(text, "local tables") || strings.Contains(text, `"local table hgnc"`) {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Person, "sync hgnc --json"); code != 0 || !strings.Contains(text, `"rows":8`) {
		t.Fatalf("exit %d: %s", code, text)
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "health --json"); !strings.Contains(text, `"local table hgnc"`) {
		t.Errorf("%s", text)
	}
	for word, want := range map[string][]string{
		"PARK2": {"PARK2 is a previous symbol of PRKN", `"canonical":"PRKN"`, `"canonical_id":"5071"`, "biomcp get gene PRKN"},
		"SEPT4": {"SEPT4 is a previous symbol", "biomcp get gene SEPTIN4"},
		"gba":   {"gba is a previous symbol of GBA1", "biomcp get gene GBA1"},
		"HER-2": {"HER-2 is an alias of ERBB2", "biomcp get gene ERBB2"},
		"MLL2":  {"MLL2 is a previous symbol or an alias of 2: KMT2D, KMT2B", `"match_tier":"alias"`},
	} {
		t.Run(word, func(t *testing.T) {
			srv.ClearRequests()
			text, code := clitest.Ask(t, app, command.Agent, "get gene "+word+" --json")
			if n := len(srv.Requests()); code != 1 || n > 0 {
				t.Errorf("%s: exit %d, %d requests: %s", word, code, n, text)
			}
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%s: no %q: %s", word, w, text)
				}
			}
		})
	}
	for line, want := range map[string]struct {
		says string
		most int
	}{
		"search variant -g PARK2":                       {"PARK2 is a previous symbol: searched for the gene PRKN", 2},
		"search trial -g HER2":                          {"HER2 is an alias of ERBB2, also called HER-2, CD340: each is searched for", 1},
		"search trial -g ERBB2":                         {"--gene ERBB2 is also called HER-2, CD340, HER2: each is searched for; --exact searches for ERBB2 alone", 1},
		"search trial -g erbb2":                         {"is also called HER-2, CD340, HER2", 1},
		"search article --gene HER2 --count":            {"HER2 is an alias of ERBB2", 2},
		"search disease -g PARK2":                       {"PARK2 is a previous symbol of PRKN: each is searched for", 1},
		"search diagnostic -g HER2":                     {`\"ERBB2\"[SYMB]`, 1},
		"search article --variant 'HER2 L755S' --count": {"(HER2[Title/Abstract] OR ERBB2[Title/Abstract])", 2},
		"batch gene PARK2 HER2":                         {"PARK2 is a previous symbol of PRKN", 0},
	} {
		t.Run(line, func(t *testing.T) {
			srv.ClearRequests()
			person, _ := clitest.Ask(t, app, command.Person, line)
			if !strings.Contains(line, "--count") && !strings.Contains(want.says, `\"`) && !strings.Contains(person, want.says) {
				t.Errorf("at a terminal: %s", person)
			}
			srv.ClearRequests()
			text, _ := clitest.Ask(t, app, command.Agent, line+" --json")
			asked := 0
			for _, r := range srv.Requests() {
				if strings.HasPrefix(r.Endpoint, "datasets") {
					t.Errorf("%s asks NCBI Datasets", line)
				}
				if r.Endpoint != "einfo" {
					asked++
				}
			}
			if !strings.Contains(text, want.says) || asked > want.most {
				t.Errorf("%s: %q: %s", line, clitest.Endpoints(srv.Requests()), text)
			}
		})
	}
	srv.ClearRequests()
	if _, code := clitest.Ask(t, app, command.Agent, "get variant HER2 L755S --json"); code != 1 || !strings.HasPrefix(srv.Requests("esearch")[0].Params.Get("term"), "ERBB2[gene]") {
		t.Errorf("exit %d, %+v", code, srv.Requests())
	}
}

// Trials are also searched by the official symbol; without the table Datasets provides it.
func TestTrialsOfAnAlias(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "search trial -g HER2 --json")
	if code != 0 || !strings.Contains(text, "HER2 is an alias of ERBB2: each is searched for") || !strings.Contains(text, "ERBB2") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code, _ = clitest.AskUncached(t, srv, "search trial -g HER2 --exact --json"); code != 0 || strings.Contains(text, "ERBB2") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// A word that may be a symbol but names no gene is taken for a misspelt section if it resembles
// one.
func TestSlipInASectionAmongSymbols(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get gene BRAF drgs", Text: "not found: drgs; the section is drugs: biomcp get gene BRAF drugs\n"},
		{Line: "get gene BRAF prot --json", Text: "not found: prot; the section is proteins: biomcp get gene BRAF proteins --json"},
		{Line: "get gene BRAF xyzzy", Text: "not found: xyzzy; the sections are articles, "},
		{Line: "get gene BRAF ARTCLES", Text: "not found: ARTCLES\n"},
		{Line: "get variant rs113488022 trals", ExitStatus: 2, Text: "try:   biomcp get variant rs113488022 trials\n"},
		{Line: "get gene BRAF trals", ExitStatus: 2, Text: "try:   biomcp get gene BRAF trials\n"},
	})
}
