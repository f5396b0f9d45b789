package trial_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// Where nothing is found, the wider search is still for the condition.
func TestWiderSearchKeepsTheCondition(t *testing.T) {
	clitest.Answers(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial -c melanoma --phase 1 --sponsor NOSUCH", Text: "\nbiomcp search trial --condition=melanoma --phase PHASE1\n"},
	})
}
