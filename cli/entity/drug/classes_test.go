package drug_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// RxClass lists the classes of a combination under each of its ingredients. They are not classes of
// the ingredient.
func TestClassesOfCombinations(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	const apart = "### Classes of combinations with fictinib, not of it alone"
	for line, c := range map[string]struct{ with, without []string }{
		"get drug fictinib classes": {[]string{
			"| N0001 | Kinase Inhibitor | EPC | has_epc | DAILYMED, FDASPL |", apart,
			"| L01XX | Invented combinations | ATC1-4 | - | ATC | fictinib / syntheticillin, fictinib 100 MG / syntheticillin 5 MG Oral Tablet |",
		}, []string{"None"}},
		"get drug fictinib": {[]string{"L01EX Other protein kinase inhibitors"},
			[]string{"Invented combinations", "Invented Antibacterial"}},
		"get drug fictinib classes --json": {[]string{
			`"mesh":null`, `"id":"N0001","name":"Kinase Inhibitor","type":"EPC","relation":"has_epc","source":["DAILYMED","FDASPL"],"combinations":[]}`,
			`"combination_classes":[{"id":"L01XX",`, `"combinations":["fictinib / syntheticillin","fictinib 100 MG / syntheticillin 5 MG Oral Tablet"]}`,
		}, nil},
		"get drug fictinib classes --csv": {[]string{
			"drug,id,name,type,relation,source,combinations", "fictinib,L01EX,Other protein kinase inhibitors,ATC1-4,,ATC,\n",
			"fictinib,D900099,Invented Mixture,CHEM,has_ingredient,MEDRT,fictinib / syntheticillin\n",
		}, nil},
		"get drug fictinib classes --limit 4":                 {[]string{"Classes of fictinib: 4 of 7 shown"}, []string{apart}},
		"get drug fictinib classes --limit 4 --offset 4":      {[]string{apart}, []string{"Kinase Inhibitor", "None"}},
		"get drug Doublet classes":                            {[]string{"| L01XX | Invented combinations | ATC1-4 | - | ATC |"}, []string{"###"}},
		"get drug 'fictinib / syntheticillin' classes --json": {[]string{`"classes":[{"id":"L01XX"`, `"combination_classes":[]`}, nil},
	} {
		for _, policy := range []command.Policy{command.Agent, command.Person} {
			t.Run(line, func(t *testing.T) {
				text, code := clitest.Ask(t, app, policy, line)
				if code != 0 {
					t.Errorf("exit %d, want 0", code)
				}
				for _, want := range c.with {
					if !strings.Contains(text, want) {
						t.Errorf("got\n%s\nwant it to contain %q", text, want)
					}
				}
				for _, unwanted := range c.without {
					if strings.Contains(text, unwanted) {
						t.Errorf("got\n%s\nwant it without %q", text, unwanted)
					}
				}
			})
		}
	}
}

// A route that only combinations with a drug have is not the drug's.
func TestRoutesOfTheDrugItself(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for line, want := range map[string]string{"get drug fictinib": "- **Routes:** Oral\n", "get drug fictinib --json": `"routes":["Oral"]`} {
		for _, policy := range []command.Policy{command.Agent, command.Person} {
			text, code := clitest.Ask(t, app, policy, line)
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, want)
		}
	}
}
