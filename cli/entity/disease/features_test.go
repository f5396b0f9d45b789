package disease_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// A list of features is the same search as a flag for each; a name may contain commas too.
func TestSeveralFeaturesInOneFlag(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	srv.SetEntry("medgen", entreztest.Entry{
		UID: "90600009", Summary: map[string]any{"uid": "90600009", "conceptid": "CN900009", "title": "Synthetic comma disease"},
		Terms: map[string][]string{"CLIN": {"Hearing loss, conductive"}},
	})
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string]struct {
		with, without []string
	}{
		`search disease --phenotype arachnodactyly --phenotype scoliosis`: {[]string{"| C0024796 |"}, nil},
		`search disease --phenotype "arachnodactyly, scoliosis"`:          {[]string{"| C0024796 |"}, []string{"**Note:**"}},
		`search disease --phenotype arachnodactyly,scoliosis`:             {[]string{"| C0024796 |"}, []string{"**Note:**"}},
		`search disease --phenotype "cataract, short stature,"`: {[]string{"| C0028860 |"},
			[]string{"**Note:**", "C1845167", "CN900003"}},
		`search disease --phenotype "Hearing loss, conductive"`: {[]string{"| CN900009 |"}, nil},
		`search disease --phenotype "cataract, nosuchfeature"`: {
			[]string{"MedGen dropped a part of the filter --phenotype"}, nil},
	} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			t.Run(line, func(t *testing.T) {
				text, code := clitest.Ask(t, app, policy, line)
				if code != 0 {
					t.Errorf("exit %d, want 0", code)
				}
				for _, want := range want.with {
					if !strings.Contains(text, want) {
						t.Errorf("got\n%s\nwant it to contain %q", text, want)
					}
				}
				for _, unwanted := range want.without {
					if strings.Contains(text, unwanted) {
						t.Errorf("got\n%s\nwant it without %q", text, unwanted)
					}
				}
			})
		}
	}
	for _, genes := range []string{"'FBN1, TGFBR2'", "FBN1,TGFBR2"} {
		text, code := clitest.Ask(t, app, command.Agent, "search disease --gene "+genes)
		if code != 2 {
			t.Errorf("--gene %s: exit %d, want 2: %s", genes, code, text)
		}
		if want := "try:   biomcp search disease --gene FBN1 --gene TGFBR2"; !strings.Contains(text, want) {
			t.Errorf("--gene %s: got %s, want %q", genes, text, want)
		}
	}
}

// --phenotype excludes nothing: a value that seems to is answered with the line that does.
func TestNegatedPhenotype(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	const want = "biomcp search disease --features 'arachnodactyly, no cleft palate'"
	for line, negated := range map[string]bool{
		`search disease --phenotype arachnodactyly --phenotype "no cleft palate"`: true,
		`search disease --phenotype "arachnodactyly, no cleft palate"`:            true,
		`search disease --phenotype arachnodactyly`:                               false,
	} {
		for _, door := range []command.Policy{command.Person, command.Agent} {
			text, code := clitest.Ask(t, app, door, line)
			clitest.WantExit(t, code, 0, line+": "+text)
			if strings.Contains(text, want) != negated {
				t.Errorf("%s: got %s\nwant %q: %t", line, text, want, negated)
			}
		}
	}
}
