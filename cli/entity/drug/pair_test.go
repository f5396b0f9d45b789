package drug_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sourcetest"
)

func pairs(t *testing.T, test func(*testing.T, *sourcetest.Server, *command.App)) {
	t.Helper()
	commandtest.WithRateLimits(t, test, rxnavtest.AddTo, openfdatest.AddTo)
}

// The sentences of both labels that name the other drug are quoted, those about interactions first.
// A name in another section is quoted if those on interactions and warnings have classes alone.
func TestPairOfDrugs(t *testing.T) {
	pairs(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		for _, line := range []string{"get drug pairmarin interactions --with pairprofen --json", "get drug pairmarin interactions --with Pairil --json"} {
			for _, policy := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, app, policy, line)
				if code != 0 {
					t.Fatalf("%s: exit %d: %s", line, code, text)
				}
				commandtest.Validate(t, "drug", line, text)
				var got struct{ Drugs []struct{ Pairs []pairJSON } }
				if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Drugs) != 1 || len(got.Drugs[0].Pairs) != 1 {
					t.Fatalf("%s: %v in %s", line, err, text)
				}
				p := got.Drugs[0].Pairs[0]
				if p.With != "pairprofen" || p.Outcome != "named" {
					t.Errorf("%s: with %s, %s, want pairprofen, named", line, p.With, p.Outcome)
				}
				want := "pairmarin Invented Pharma 2026-03-01 true\n" +
					"34073-7 brand Pairil: Avoid Pairil.\n" +
					"34073-7 name pairprofen: The dose of pairprofen-containing products matters, e.g. of 5 mg.\n" +
					"34073-7 class NSAID: Drugs that increase the risk of bleeding: NSAIDs\n" +
					"43685-7 class Nonsteroidal Anti-inflammatory Drug: Bleeding is more frequent with non-steroidal anti-inflammatory drugs.\n" +
					"pairprofen Invented Pharma 2026-04-01 false\n" +
					"34090-1 name pairmarin: Pairmarin levels rose by 10%.\n" +
					"34070-3 class anticoagulant: Do not use with an anticoagulant.\n"
				if p.String() != want {
					t.Errorf("%s: got\n%s\nwant\n%s", line, p, want)
				}
			}
		}
		text, code := clitest.Ask(t, app, command.Agent, "get drug pairmarin interactions --with Pairil")
		for _, want := range []string{
			"--with Pairil was read as pairprofen", "### pairmarin with pairprofen",
			"The label of pairmarin by Invented Pharma of 2026-03-01, https://dailymed.nlm.nih.gov/",
			"Nonsteroidal Anti-inflammatory Drug (class, RxClass EPC)", "> Avoid Pairil.",
			"which has no section of interactions,", "anticoagulant (class, labels' word for Vitamin K Antagonist)",
			"in 4 sentences of its sections on interactions and warnings", "in 2 sentences of its sections, the names not in those on interactions and warnings",
			"other Enzyme Inhibitor (class, RxClass MOA, of both)",
		} {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("exit %d, want %q in %s", code, want, text)
			}
		}
		if strings.Contains(text, ", Enzyme Inhibitor (class") {
			t.Errorf("a class of both drugs was searched for: %s", text)
		}
	})
}

type pairJSON struct {
	With, Outcome string
	Labels        []struct {
		Drug, Maker, Effective, Reason string
		Interactions                   bool `json:"interactions_section"`
		Mentions                       []struct{ LOINC, Kind, Term, Text string }
	}
}

func (p pairJSON) String() (text string) {
	for _, l := range p.Labels {
		text += fmt.Sprintln(l.Drug, l.Maker, l.Effective, l.Interactions)
		for _, m := range l.Mentions {
			text += m.LOINC + " " + m.Kind + " " + m.Term + ": " + m.Text + "\n"
		}
	}
	return text
}

// That neither label names the other is said only if both were read whole and all classes are known. It
// is never the absence of an interaction.
func TestPairThatNoLabelNames(t *testing.T) {
	pairs(t, func(t *testing.T, srv *sourcetest.Server, app *command.App) {
		const silent = "neither label names the other drug"
		check := func(line, outcome string, said bool, wanted ...string) {
			t.Helper()
			text, code := clitest.Ask(t, app, command.Agent, line)
			data, _ := clitest.Ask(t, app, command.Agent, line+" --json")
			commandtest.Validate(t, "drug", line, data)
			if code != 0 || strings.Contains(text, silent) != said || !strings.Contains(data, `"outcome":"`+outcome+`"`) {
				t.Errorf("%s: exit %d, want outcome %s, %q %v: %s\n%s", line, code, outcome, silent, said, text, data)
			}
			for _, want := range wanted {
				if !strings.Contains(text, want) {
					t.Errorf("%s: want %q in %s", line, want, text)
				}
			}
		}
		check("get drug pairmarin interactions --with pairprazole", "not_named", true,
			"that does not mean that there is no interaction", "does not name pairprazole. Searched for: pairprazole, Proton Pump Inhibitor (class, RxClass EPC), PPI (class, labels' word for Proton Pump Inhibitor)")
		check("get drug pairmarin interactions --with pairstatin", "unknown", false,
			"Not known: DailyMed has no label of pairstatin among")
		check("get drug pairmarin interactions --with pairprofen --with pairprazole", "named", true,
			"### pairmarin with pairprofen", "### pairmarin with pairprazole")
		if err := srv.Fail(sourcetest.Fault{Endpoint: "classes", Kind: sourcetest.URITooLarge, Times: -1}); err != nil {
			t.Fatal(err)
		}
		check("get drug pairprazole interactions --with pairmarin --no-cache", "unknown", false, "the classes of pairmarin are missing: ")
		if err := srv.Fail(sourcetest.Fault{Endpoint: "label", Kind: sourcetest.Down503, Times: -1}); err != nil {
			t.Fatal(err)
		}
		text, _ := clitest.Ask(t, app, command.Agent, "get drug pairprazole interactions --with pairprofen --no-cache")
		if strings.Contains(text, silent) || !strings.Contains(text, "Not known: DailyMed answered HTTP 503") {
			t.Errorf("want unknown labels, got %s", text)
		}
	})
}

func TestPairThatIsNone(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for line, want := range map[string]string{
		"get drug pairmarin interactions --with Pairvadin":                                      "--with names pairmarin itself",
		"get drug pairmarin interactions --with nosuchdrug":                                     "no drug is called nosuchdrug",
		"get drug pairmarin --with pairprofen":                                                  "--with requires the section interactions",
		"get drug pairmarin interactions" + strings.Repeat(" --with x", 6):                      "no drug is called x",
		"get drug pairmarin interactions --with a --with b --with c --with d --with e --with f": "--with accepts at most 5 drugs, not 6",
	} {
		if text, code := clitest.Ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d, want 2 and %q: %s", line, code, want, text)
		}
	}
}

// A label names a drug by its salts, with a trademark sign, by "another" and a class of both drugs, and by the classes
// of a combination's ingredients. Its own class is not a mention of the other drug.
func TestPairByOtherWords(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for _, c := range []struct{ drug, with, outcome, mention string }{
		{"pairxicam", "pairmarin", "named", "43685-7 brand Pairvadin: Pairvadin™ adds to it."}, // after 21 classes
		{"pairxicam", "pairprofen", "class", "34070-3 class other NSAID: Do not use with another NSAID."},
		{"pairxaban", "pairxicam", "named", "34073-7 name coxic acid: Avoid coxic acid."},
		{"pairxicam", "Doublet", "class", "43685-7 class Kinase Inhibitor: Kinase inhibitors add to it."},
		{"pairmarin", "pairxaban", "not_named", ""}, // both labels say that their drug is an anticoagulant
	} {
		line := "get drug " + c.drug + " interactions --with " + c.with + " --json"
		text, code := clitest.Ask(t, app, command.Agent, line)
		var got struct{ Drugs []struct{ Pairs []pairJSON } }
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || len(got.Drugs) != 1 {
			t.Fatalf("%s: exit %d, %v: %s", line, code, err, text)
		}
		if p := got.Drugs[0].Pairs[0]; p.Outcome != c.outcome || !strings.Contains(p.String(), c.mention) {
			t.Errorf("%s: got %s\n%s\nwant %s\n%s", line, p.Outcome, p, c.outcome, c.mention)
		}
	}
}
