package trial_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// A city is found with its state's postal abbreviation.
func TestCityAndState(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: `search trial --location "Boston, MA"`, Text: "NCT99000001"},
		{Line: `search trial --location "Boston, TX" --count`, Text: "Trials:** 0"},
		{Line: `search trial --location "Boston MA"`, Text: "NCT99000001"},
		{Line: `search trial melanoma --location "Boston TX" --count`, Text: "# ClinicalTrials.gov: melanoma\n\n- **Trials:** 0"}, // without a notice that it is one name
	})
}

// A list of NCT numbers names those that are not among the hits. A page that ends before the last hit does not.
func TestListNamesAbsentTrials(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial NCT99000001,NCT99999999", Text: "not among the hits: NCT99999999: no such trial is registered\n"},
		{Line: "search trial NCT99000901 NCT99999999", Text: "not among the hits: NCT99999999: no such trial is registered\n"},
		{Line: "search trial NCT99000001 NCT99000002 --status RECRUITING --json",
			Text: `"not among the hits: NCT99000002: no such trial is registered, or it does not meet the filters"`},
		{Line: "search trial NCT99999998 NCT99999999", Text: "not among the hits: NCT99999998, NCT99999999: no such trial is registered\n"},
	})
	for _, line := range []string{"search trial NCT99000001 NCT99000002 --limit 1", "search trial NCT99000001 NCT99000901", "search trial NCT99000001 --count"} {
		for door, text := range clitest.AnswersByFormat(t, commandtest.NCBI(t, commandtest.EverySource(t)), line) {
			if strings.Contains(text, "not among") {
				t.Errorf("%s, %s: got %s\nwant no notice", line, door, text)
			}
		}
	}
}

// Without hits, the suggested wider search still has the condition.
func TestWiderSearchKeepsTheCondition(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial -c melanoma --phase 1 --sponsor NOSUCH", Text: "\nbiomcp search trial --condition=melanoma --phase PHASE1\n"},
	})
}

// Without hits, the same search is suggested with flags for the words that name a filter,
// unless the caller gave such a flag or the line would be invalid.
func TestWordsAsFilters(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial glioblastoma Boston recruiting", Text: "\nbiomcp search trial glioblastoma --status RECRUITING --location Boston\n"},
		{Line: "search trial glioblastoma Boston MA recruiting", Text: "\nbiomcp search trial glioblastoma --status RECRUITING --location 'Boston MA'\n"},
		{Line: "search trial phase 2 glioblastoma in Boston", Text: "\nbiomcp search trial glioblastoma --phase PHASE2 --location Boston\n"},
		{Line: "search trial Boston recruiting", Text: "\nbiomcp search trial --status RECRUITING --location Boston\n"},
		{Line: "search trial glioblastoma recruiting --sex FEMALE --json", Text: `"biomcp search trial glioblastoma --sex FEMALE --status RECRUITING --json"`},
		{Line: "search article zzz between 2021 and 2010", Text: "\nbiomcp search article zzz --date-from 2010 --date-to 2021\n"},
		{Line: "search disease zzz BRAF", Text: "\nbiomcp search disease zzz --gene BRAF\n"},
	})
	for line, not := range map[string]string{
		"search trial glioblastoma recruiting --status COMPLETED": "--status RECRUITING",
		"search trial glioblastoma":                               "biomcp search trial glioblastoma -",
		"search trial '(glioblastoma) Boston'":                    "--location",
		"search article zzz since 2020 --last 5y":                 "--date-from",
	} {
		t.Run(line, func(t *testing.T) {
			for door, text := range clitest.AnswersByFormat(t, commandtest.NCBI(t, commandtest.EverySource(t)), line) {
				if strings.Contains(text, not) || !strings.Contains(text, "glioblastoma") && !strings.Contains(text, "zzz") {
					t.Errorf("%s: %s", door, text)
				}
			}
		})
	}
}
