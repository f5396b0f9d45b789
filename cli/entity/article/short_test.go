package article_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// A query that is too short for PubMed, or that PubMed drops, suggests a filter that
// accepts it: --gene for a symbol, --keyword for another word, with the flags of the line.
func TestShortWordsAsFilters(t *testing.T) {
	short := func(line string) string { return "at least three characters\ntry:   biomcp " + line + "\n" }
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search article AR", ExitStatus: 2, Text: short("search article --gene AR")},
		{Line: "search article MS", ExitStatus: 2, Text: short("search article --keyword MS")},
		{Line: "search article ar --author Smith", ExitStatus: 2, Text: short("search article --author=Smith --keyword ar")},
		{Line: "search article AR --gene TP53", ExitStatus: 2, Text: short("search article --gene=TP53 --keyword AR")},
		{Line: "search article x", ExitStatus: 2, Text: short("search article --help")},
		{Line: "search article β", ExitStatus: 2, Text: short("search article --keyword 'β'")},
		{Line: "search article ±±±", ExitStatus: 2, Text: "PubMed ignores a query without a letter or a digit"},
		{Line: "search article AR --json", ExitStatus: 2, Text: `"try":"biomcp search article --gene AR --json"`},
		{Line: "search article WAS", Text: "\nbiomcp search article --gene WAS\n"},
		{Line: "discover AR", Text: "\nbiomcp search article --gene AR\n"},
		{Line: "discover MS --json", Text: `"biomcp search article --keyword MS"`},
		{Line: "suggest What has Eric Topol published about AI?", Text: "\nbiomcp search article '--author=Eric Topol' --limit 10 --keyword AI\n"},
		{Line: "suggest VCV000013961 summary please", Text: "## Next\n\n```\nbiomcp get variant VCV000013961\n"},
	})
}
