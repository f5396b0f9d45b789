package trial_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

// An outcome or a document without members makes no row; adding a type to it would be invalid
// JSON.
func TestObjectsWithoutMembersAreNoRows(t *testing.T) {
	srv := commandtest.EverySource(t)
	commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: "studies", Kind: sourcetest.OtherJSON, Times: -1, Text: `{"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT99000001"},
		"outcomesModule":{"primaryOutcomes":[{},{"measure":"m"}]}},"documentSection":{"largeDocumentModule":{"largeDocs":[{},{"label":"d"}]}}}]}`})
	_, text := clitest.Read(t, commandtest.NCBI(t, srv), "get trial NCT99000001 outcomes documents")
	var got struct {
		Trials []struct{ Outcomes, Documents []map[string]any }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Trials) != 1 || len(got.Trials[0].Outcomes) != 1 || len(got.Trials[0].Documents) != 1 ||
		!strings.Contains(text, `[{"type":"PRIMARY","measure":"m"}]`) {
		t.Errorf("%v: %s", err, text)
	}
}

// A result shows its measure and the number analysed, and a comparison its groups. An outcome
// without values is still listed.
func TestResultsSayOfHowMany(t *testing.T) {
	srv := commandtest.EverySource(t)
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get trial NCT99000002 results", Text: "| Relapse-free survival (primary, 36 months) | Fictinib | 24.1 (20.0 to NA) (Not reached) | months | median, 95% confidence interval | 206 |"},
		{Line: "get trial NCT99000002 results", Text: "| Eyes with relapse (secondary, 12 months): First year | Fictinib | 12 | Eyes | count of units | 390 Eyes |"},
		{Line: "get trial NCT99000002 results", Text: "| Concentration in plasma (secondary) | - | no values posted |"},
		{Line: "get trial NCT99000002 results", Text: "Relapse-free survival: Fictinib and Placebo: Log Rank, Hazard Ratio (HR) 0.71 (95 % CI 0.57 to 0.89), p 0.003. Hazard ratio: Fictinib to placebo"},
		{Line: "get trial NCT99000002 results", Text: "- Relapse-free survival: Wald, standard error of mean 0.4, p 0.2 for non-inferiority\n"},
	})
}

// Arms may have one title. An interval may have one limit, and a count may be missing.
func TestResultsOfArmsWithOneTitle(t *testing.T) {
	srv := commandtest.EverySource(t)
	const line = "get trial NCT99000002 results"
	var cases []clitest.Case
	for _, text := range []string{
		"| Response (secondary, 12 months) | Fictinib (OG000: Fictinib 10 mg, every day) | 41 (from 33) | percent |",
		"| Response (secondary, 12 months) | Fictinib (OG001: Fictinib 20 mg, every day) | 52 (up to 60) | percent |",
		"| Response (secondary, 12 months) | Placebo | 20 | percent |",
		"- Response: Fictinib (OG001: Fictinib 20 mg, every day) and Placebo: Fisher Exact, Odds Ratio (OR) 4.2 (one-sided 97.5 % CI from 1.3), p 0.01\n",
		"- Response: Fictinib (OG000: Fictinib 10 mg, every day) and Placebo: Fisher Exact, Odds Ratio (OR) 2.1 (CI up to 5.5), p not given\n",
		"| Fictinib (EG000: Fictinib 10 mg, every day) | 21 of 206 | 40 of 205 |",
		"| Fictinib (EG002: Fictinib 20 mg, every day) | not given, of 101 | 7 of 101 |",
		"| Placebo | 30 of 206 | 22 of 206 |",
	} {
		cases = append(cases, clitest.Case{Line: line, Text: text})
	}
	clitest.RunCases(t, srv, cases)
	for _, policy := range []command.Policy{command.Person, command.Agent} {
		if text, _ := clitest.Ask(t, commandtest.NCBI(t, srv), policy, line); strings.Contains(text, "?") {
			t.Errorf("got %s, want no question mark", text)
		}
	}
}

func TestDatesOfATrial(t *testing.T) {
	t.Parallel()
	for module, want := range map[string]string{
		`"startDateStruct":{"date":"2024-03"},"completionDateStruct":{"date":"2027-06"}`: "- **Dates:** 2024-03 to 2027-06\n",
		`"startDateStruct":{"date":"2024-03"}`:                                           "- **Dates:** 2024-03 to an unknown date\n",
		`"completionDateStruct":{"date":"2027-06"}`:                                      "- **Dates:** unknown date to 2027-06\n",
		`"statusVerifiedDate":"2024-03"`:                                                 "- **Eligible:** no limits, sex not given;",
	} {
		t.Run(module, func(t *testing.T) {
			body := `{"totalCount":1,"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT99000001","briefTitle":"x"},` +
				`"statusModule":{"overallStatus":"UNKNOWN",` + module + `}}}]}`
			srv := commandtest.EverySource(t)
			commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: "studies", Kind: sourcetest.OtherJSON, Times: -1, Text: body})
			text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get trial NCT99000001")
			if code != 0 {
				t.Errorf("exit %d, want 0", code)
			}
			if !strings.Contains(text, want) {
				t.Errorf("got %s, want %q", text, want)
			}
			if strings.Contains(text, "?") {
				t.Errorf("got %s, want no question mark", text)
			}
		})
	}
}
