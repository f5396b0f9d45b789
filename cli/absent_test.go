package cli_test

import (
	"encoding/json"
	"slices"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/sourcetest"
)

// existing lists ids that the simulated sources have, by entity, in each form that is looked up
// differently.
var existing = map[string][]string{
	"article": articleIDs, "ids": articleIDs,
	"gene":     {"BRAF", "673", "HGNC:1097", "BRAF TP53"},
	"variant":  {"rs113488022", "13961", "'BRAF V600E'", "'NM_004333.6:c.1799T>A'"},
	"disease":  {"melanoma", "C0024796", "MONDO:0007947"},
	"drug":     {"fictinib"},
	"trial":    {"NCT99000001", "NCT99000001 NCT99000002"},
	"database": {"pubmed"}, "spelling": {"ergothionein"},
	"diagnostic": {"GTR000900001", "GTR000900001 GTR000900005"},
}

// articleIDs lists ids of two articles, of which PMC has the first.
var articleIDs = []string{
	"90100001", "PMC99900001", "10.9999/synth.2023.101", "10.9999/synth.2019.1", "90100002 PMC99900001",
	"PMC99900001 90100001", "10.9999/synth.2019.1 90100002", "90100001 10.9999/synth.2019.1",
}

// onDisk lists the entities whose records no source has.
var onDisk = []string{"library", "document", "checkpoint"}

// While a source does not answer, no id that it may have is absent.
func TestNothingIsAbsentWhileASourceIsDown(t *testing.T) {
	for _, e := range cli.Entities() {
		if e.Get != nil && len(existing[e.Name]) == 0 && !slices.Contains(onDisk, e.Name) {
			t.Errorf("%s has no id in this test", e.Name)
		}
	}
	for name, all := range existing {
		for _, ids := range all {
			line := "get " + name + " " + ids + " --json"
			t.Run(line, func(t *testing.T) {
				t.Parallel()
				srv := commandtest.EverySource(t)
				text, code, requests := clitest.AskUncached(t, srv, line)
				clitest.WantExit(t, code, 0, text)
				endpoints := append(clitest.Endpoints(requests), "")
				slices.Sort(endpoints)
				for _, endpoint := range slices.Compact(endpoints) {
					srv.ClearFaults()
					commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.HTML502, Times: -1})
					text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, line)
					var got struct {
						NotFound []string `json:"not_found"`
						Error    struct{ Code result.Code }
					}
					if err := json.Unmarshal([]byte(text), &got); err != nil {
						t.Fatal(err, text)
					}
					if len(got.NotFound) > 0 {
						t.Errorf("without %q: not_found %q, want none: %s", endpoint, got.NotFound, text)
					}
					if code != 0 && got.Error.Code != result.Upstream && got.Error.Code != result.Entrez {
						t.Errorf("without %q: code %s, want %s: %s", endpoint, got.Error.Code, result.Upstream, text)
					}
				}
			})
		}
	}
}
