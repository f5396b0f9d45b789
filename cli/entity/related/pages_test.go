package related_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// The pages of a section, put together, equal the whole section.
func TestSectionsAreReadInPages(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for _, line := range []string{
		"get gene BRAF trials", "get gene BRAF articles", "get gene BRAF diseases", "get disease melanoma variants", "get drug fictinib adverse-events", "get drug fictinib trials",
	} {
		t.Run(line, func(t *testing.T) {
			words := strings.Fields(line)
			rows := func(flags string) (list []string, text string) {
				text, code := clitest.Ask(t, app, command.Agent, line+" --json "+flags)
				var answer map[string]json.RawMessage
				var records []map[string]json.RawMessage
				var section []json.RawMessage
				if err := json.Unmarshal([]byte(text), &answer); err != nil || code != 0 {
					t.Fatalf("exit %d: %s", code, text)
				}
				if err := json.Unmarshal(answer[words[1]+"s"], &records); err != nil || len(records) != 1 {
					t.Fatalf("%v: %s", err, text)
				}
				if err := json.Unmarshal(records[0][strings.ReplaceAll(words[len(words)-1], "-", "_")], &section); err != nil {
					t.Fatalf("%v: %s", err, text)
				}
				for _, row := range section {
					list = append(list, string(row))
				}
				return list, text
			}
			whole, _ := rows("--limit 50")
			if len(whole) < 2 {
				t.Fatalf("%d rows are too few to be read in pages", len(whole))
			}
			var paged []string
			for offset := range whole {
				next, text := rows(fmt.Sprintf("--limit 1 --offset %d", offset))
				paged = append(paged, next...)
				if more := fmt.Sprintf("--offset %d", offset+1); offset+1 < len(whole) && strings.Contains(text, " shown") && !strings.Contains(text, more) {
					t.Errorf("%q is not offered: %s", more, text)
				}
			}
			if !slices.Equal(paged, whole) {
				t.Errorf("%v, want %v", paged, whole)
			}
		})
	}
	clitest.RunCasesOn(t, app, commandtest.EverySource(t), []clitest.Case{
		{Line: "get gene BRAF trials --offset 900", ExitStatus: 2, Text: "--offset 900 is past the end: there are 3"},
		{Line: "get gene BRAF trials --offset 9000", ExitStatus: 2, Text: "--offset of a section is at most 950"},
		{Line: "get gene BRAF articles --offset -1", ExitStatus: 2, Text: "--offset must not be negative"},
	})
}
