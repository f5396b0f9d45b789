package article_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// The pages of a list make up the whole list, in order.
func TestLinkedArticlesAreReadInPages(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.GeneratedNCBI(t, 30, nil))
	line := "get article " + commandtest.GeneratedPMIDs(1)[0] + " similar --limit "
	pmids := func(line string) (list []string, notices string) {
		g, _ := clitest.Read(t, app, line)
		for _, r := range *g.Articles[0].Similar {
			list = append(list, r.PMID)
		}
		return list, strings.Join(g.Notices, "\n")
	}
	whole, notices := pmids(line + "1000")
	if len(whole) < 3 || notices != "" {
		t.Fatalf("%v: %s", whole, notices)
	}
	var paged []string
	for offset := 0; offset < len(whole); offset += 2 {
		next, notices := pmids(fmt.Sprintf("%s2 --offset %d", line, offset))
		if rest := fmt.Sprintf("--offset %d", offset+2); strings.Contains(notices, rest) != (offset+2 < len(whole)) {
			t.Errorf("%s: %q", rest, notices)
		}
		paged = append(paged, next...)
	}
	if !slices.Equal(paged, whole) {
		t.Errorf("%v, want %v", paged, whole)
	}
	clitest.RunCases(t, commandtest.GeneratedNCBI(t, 30, nil), []clitest.Case{
		{Line: line + "2 --offset 999", ExitStatus: 2, Text: "--offset 999 is past the end"},
		{Line: line + "2 --offset -1", ExitStatus: 2, Text: "--offset must not be negative"},
	})
}
