package variant_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// dbSNP writes "-" for a deleted allele, and tables show "-" for a missing value.
func TestDeletedAlleleIsNotAMissingValue(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for line, want := range map[string][]string{
		"get variant rs90000009": {
			"| 1000Genomes | del | 0.002396 | 12 |", "GRCh38 7:140924701-140924702 delAG;",
		},
		"get variant rs90000009 population":        {"| TWINSUK | del | 0.007012 | 26 |"},
		"get variant rs90000009 population --json": {`"allele":"del","frequency":0.002396,"allele_count":12`},
		"get variant rs90000009 population --csv":  {"rs90000009,1000Genomes,del,0.002396,12\n"},
	} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			t.Run(line, func(t *testing.T) {
				text, code := clitest.Ask(t, app, policy, line)
				if code != 0 {
					t.Errorf("exit %d, want 0", code)
				}
				for _, want := range want {
					if !strings.Contains(text, want) {
						t.Errorf("got\n%s\nwant it to contain %q", text, want)
					}
				}
			})
		}
	}
}

// ClinVar's own filter for uncertain significance includes uncertain risk alleles.
func TestUncertainIncludesUncertainRiskAlleles(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	const reply = `{"result":{"uids":["90600001"],"90600001":{"uid":"90600001","accession":"VCV090600001",
		"title":"NM_900001.1(INVG):c.5A>G","germline_classification":{"description":"Uncertain risk allele",
		"review_status":"criteria provided, single submitter"}}}}`
	terms := map[string]map[string][]string{"90600001": {"PROP": {"clinsig uncertain risk allele"}}}
	if err := srv.SetSummaries("clinvar", strings.NewReader(reply), terms); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"uncertain", "vus"} {
		t.Run(value, func(t *testing.T) {
			text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "search variant --significance "+value)
			if code != 0 {
				t.Errorf("exit %d, want 0", code)
			}
			for _, id := range []string{"| VCV090600001 |", "| VCV000044803 |"} {
				if !strings.Contains(text, id) {
					t.Errorf("got\n%s\nwant it to contain %q", text, id)
				}
			}
		})
	}
}
