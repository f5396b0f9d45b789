package trial_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// The interventions of a trial are one column of a table, each with its type. Their members are columns if asked.
func TestInterventionsAreOneColumn(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for line, want := range map[string]string{
		"get trial NCT99000001 --csv":                                    ",interventions,",
		"search trial melanoma --csv":                                    ",interventions,",
		"batch trial NCT99000001 --csv":                                  ",result.interventions,",
		"get trial NCT99000001 --csv --fields nct_id,interventions":      "nct_id,interventions\nNCT99000001,BIOLOGICAL Inventomab; DRUG Fictinib\n",
		"search trial melanoma --csv --fields nct_id,interventions.name": "nct_id,interventions.name\n",
	} {
		text, stderr, code := clitest.RunForPerson(t, app, line)
		head, _, _ := strings.Cut(text, "\n")
		if code != 0 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d, got %.600s%s, want %q", line, code, text, stderr, want)
		}
		if strings.Contains(head, "interventions.") != strings.Contains(want, "interventions.") {
			t.Errorf("%s: got the columns %s", line, head)
		}
	}
}
