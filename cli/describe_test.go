package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
)

func TestDescriptionNamesExactlyTheCommandsAnAgentMayRun(t *testing.T) {
	tree := NewTree()
	text, err := Description(tree)
	if err != nil {
		t.Fatal(err)
	}
	allowed, forbidden := 0, 0
	for _, c := range leaves(tree, tree.Root) {
		line := strings.Join(command.Path(c), " ")
		named := strings.Contains(text, "- "+line) || strings.Contains(text, "biomcp "+line)
		may := tree.Def(c).Effect == command.Reads
		if may {
			allowed++
		} else {
			forbidden++
		}
		if named != may {
			t.Errorf("%s (%s): named is %v", line, tree.Def(c).Effect, named)
		}
	}
	if allowed < 5 || forbidden < 5 {
		t.Errorf("%d commands allowed, %d forbidden", allowed, forbidden)
	}
}
