package cli

import (
	"slices"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources/sourcestest"
)

// A section that has a flag of its own suggests a line with it, which answers and does not suggest it again.
func TestSectionsSuggestTheirOptions(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 2, func(_ int, m *entreztest.SyntheticRecord) { m.PMCID = "PMC71" })
	sourcestest.AddTo(srv.Server)
	if _, err := srv.AddJATS([]byte(`<article><front><article-meta><article-id pub-id-type="pmc">71</article-id></article-meta></front>` +
		`<body><sec><title>Methods</title><p>Invented.</p></sec><sec><title>Results</title><p>None.</p></sec></body></article>`)); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	run := func(words []string) result.Outcome {
		return Run(t.Context(), app, command.IO{}, words, command.Person)
	}
	if out := run([]string{"sync", "cpic"}); out.Failure != nil {
		t.Fatal(out.Failure.Message)
	}
	tree, tried := NewTree(), 0
	ids := map[string]string{"article": commandtest.GeneratedPMIDs(2)[1], "drug": "fictinib"}
	for _, c := range tree.Commands(tree.Member(tree.Root, "get")) {
		for _, s := range tree.Command(c).Sections {
			if s.Flag == "" {
				continue
			}
			tried++
			words := []string{"get", c.Name(), ids[c.Name()], s.Name}
			out := run(words)
			if out.Failure != nil {
				t.Errorf("%q: %s", words, out.Failure.Message)
				continue
			}
			line := func(out result.Outcome) int {
				return slices.IndexFunc(out.Result.Next, func(l result.Argv) bool { return slices.Contains(l, "--"+s.Flag) })
			}
			at := line(out)
			if at < 0 {
				t.Errorf("%q suggests %q, want a line with --%s", words, out.Result.Next, s.Flag)
				continue
			}
			if s.Flag == "with" { // the simulator has no aspirin
				continue
			}
			if next := run(out.Result.Next[at]); next.Failure != nil || line(next) >= 0 {
				t.Errorf("%q: %+v", out.Result.Next[at], next.Failure)
			}
		}
	}
	if tried < 5 {
		t.Errorf("%d sections have a flag, want at least 5", tried)
	}
}
