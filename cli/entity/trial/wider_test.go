package trial_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// A city is found with its state as mail abbreviates it.
func TestCityAndState(t *testing.T) {
	clitest.Answers(t, commandtest.EverySource(t), []clitest.Case{
		{Line: `search trial --location "Boston, MA"`, Text: "NCT99000001"},
		{Line: `search trial --location "Boston, TX" --count`, Text: "Trials:** 0"},
	})
}

// Where nothing is found, the wider search is still for the condition.
func TestWiderSearchKeepsTheCondition(t *testing.T) {
	clitest.Answers(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial -c melanoma --phase 1 --sponsor NOSUCH", Text: "\nbiomcp search trial --condition=melanoma --phase PHASE1\n"},
	})
}
