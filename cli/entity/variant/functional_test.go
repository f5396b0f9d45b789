package variant_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestFunctionalEvidenceIsShownWithItsSubmitter(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	const row = `"effect":"functionally abnormal","consequence":"GAIN_OF_FUNCTION","result":"2.5","method":"in vitro",` +
		`"assay":"cellular survival assay","comment":"The invented screen scored 2.5."}`
	for line, want := range map[string][]string{
		"get variant 37055": {
			"Functional evidence:** functionally abnormal, GAIN_OF_FUNCTION, 2.5 (in vitro, cellular survival assay), by Synthetic Assay Group",
		},
		"get variant 37055 clinvar": {
			"| SCV900370551 | Synthetic Assay Group | no classification | evidence only | not specified | - | 0 | - | in vitro | " +
				"functionally abnormal, GAIN_OF_FUNCTION, 2.5 (in vitro, cellular survival assay) | - |",
			"| SCV900370550 | Synthetic Laboratory One | oncogenicity | Oncogenic | Waldenstrom macroglobulinemia | - | 1 | 2024-01-01 | clinical testing | - | - |",
		},
		"get variant 37055 --json": {
			`"functional_evidence":[{"scv":"SCV900370551","submitter":"Synthetic Assay Group",` + row,
		},
		"get variant 37055 clinvar --json":  {`"functional_evidence":[{` + row, `"functional_evidence":[]`},
		"get variant 37055 clinvar --csv":   {"GAIN_OF_FUNCTION"},
		"get variant 37055 diseases --json": {`"name":"Waldenstrom macroglobulinemia"`},
		"get variant 37055 diseases": {
			"| C0024419 | Waldenstrom macroglobulinemia | oncogenicity |", // two lines in the record
			"| CN169374 | not specified | no classification | evidence only | 0 | - | 1 | RCV900370552 |",
		},
		"get variant 13961 --json": {`"functional_evidence":[]`},
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

// Without the whole record it is unknown whether there is functional evidence.
func TestFunctionalEvidenceOfAnUnreadRecordIsUnknown(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	clitest.FailEndpoint(t, srv, "efetch")
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get variant 37055 --json")
	if code != 0 {
		t.Errorf("exit %d, want 0", code)
	}
	if strings.Contains(text, `"functional_evidence"`) {
		t.Errorf("got %s, want no functional_evidence", text)
	}
	if want := "functional evidence, MANE and the split of submissions are not known: "; !strings.Contains(text, want) {
		t.Errorf("got %s, want a notice with %q", text, want)
	}
}
