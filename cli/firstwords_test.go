package cli

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// triesOf returns the line that a failure suggests on a terminal, in JSON and to an agent. If
// the line is corrected and runs, it returns the corrected line.
func triesOf(t *testing.T, app *command.App, line string) (tries [3]string, code int) {
	t.Helper()
	c := parse(NewTree(), split(t, line), command.Person)
	if c.corrected { // the corrected line runs
		line := result.Argv(c.words).String()
		return [3]string{line, line, line}, 2
	}
	out := c.run(t.Context(), app, command.IO{Err: io.Discard})
	var text, asJSON, none strings.Builder
	if err := result.Render(&none, &text, out, result.Format{Terminal: true, Width: 80}); err != nil {
		t.Fatal(err)
	}
	_, tries[0], _ = strings.Cut(text.String(), "try:   ")
	tries[0], _, _ = strings.Cut(tries[0], "\n")
	if err := result.Render(&asJSON, &none, out, result.Format{JSON: true}); err != nil {
		t.Fatal(err)
	}
	reply := agent(app)(t.Context(), split(t, line), true)
	for i, answer := range []string{asJSON.String(), reply.Text} {
		var envelope struct {
			Error struct{ Details struct{ Try string } }
		}
		if err := json.Unmarshal([]byte(answer), &envelope); err != nil {
			t.Fatal(err, answer)
		}
		if tries[i+1] = envelope.Error.Details.Try; !c.json { // in the format that the agent requested
			tries[i+1] = strings.TrimSuffix(tries[i+1], " --json")
		}
	}
	return tries, ExitStatus(out)
}

// All sections of a record include its summary, which repeats none of them.
func TestAllIsTheCardToo(t *testing.T) {
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"get gene BRAF": "**GeneID:** 673", "get disease melanoma": "**Ids:** C0025202", "get variant BRAF V600E": "**dbSNP:** rs113488022",
		"get drug fictinib": "**RxCUI:** 9001", "get trial NCT99000001": "**Status:**", "get trial NCT99000002": "Time frame: 36 months",
	} {
		t.Run(line, func(t *testing.T) {
			if text := answer(t, app, command.Agent, line+" all"); strings.Count(text, want) != 1 || strings.Contains(text, "Frequency (dbSNP)") {
				t.Errorf("%q is not once in %s", want, text)
			}
		})
	}
}

// A word of another kind than expected gets a suggestion, for every kind of caller.
func TestWordOfAnotherKindNamesWhatToAsk(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"get gene melanoma", "discover melanoma", 1},
		{"get gene rs113488022", "get variant rs113488022", 1},
		{"get gene NCT99000001", "get trial NCT99000001", 1},
		{"get gene PMC99900001", "get article PMC99900001", 1},
		{"get gene RS1", "discover RS1", 1},
		{"get gene CA125", "discover CA125", 1},
		{"get gene 99999999", "get article 99999999", 1},
		{"get drug BRAF", "discover BRAF", 1},
		{"get drug keytruda", "discover keytruda", 1},
		{"get drug VCV000013961", "get variant VCV000013961", 1},
		{"get drug GTR000500001", "get diagnostic GTR000500001", 1},
		{"get disease imatinib", "discover imatinib", 1},
		{"get disease 'NM_004333.6:c.1799T>A'", "get variant 'NM_004333.6:c.1799T>A'", 1},
		{"get disease HGNC:1097", "get gene HGNC:1097", 1},
		{"get trial melanoma", "search trial melanoma", 2},
		{"get trial lung cancer locations", "search trial 'lung cancer'", 2},
		{"get trial NCT1", "get trial --help", 2},
		{"get trial rs113488022", "get variant rs113488022", 2},
		{"get trial NCT00000000", "get trial --help", 1},
		{"get disease C0024796 gene", "get disease C0024796 genes", 2},
		{"get disease Marfan syndrome gene", "get disease Marfan syndrome genes", 1},
		{"get disease 'Marfan syndrome' symptoms", "get disease 'Marfan syndrome' phenotypes", 2},
		{"get disease marfan genes tests", "get disease marfan genes diagnostics", 1},
		{"get variant BRAF V600E gnomad", "get variant BRAF V600E population", 2},
		{"get trial NCT99000001 criteria", "get trial NCT99000001 eligibility", 2},
		{"get drug fictinib ema", "get drug fictinib regulatory", 2},
		{"batch trial NCT99000001 NCT99000002 criteria", "batch trial NCT99000001 NCT99000002 eligibility", 2},
		{"search trial --drug fictinib", "search trial --intervention fictinib", 2},
		{"search trial --disease melanoma", "search trial --condition melanoma", 2},
		{"search variant -g BRAF --stars 2", "search variant -g BRAF --review-stars 2", 2},
		{"get gene BRAF drug", "get gene BRAF drugs", 2},
		{"get variant rs9999999999", "search article --variant rs9999999999", 1},
		{"get variant BRAF V999E", "search variant -g BRAF", 1},
		{"get variant V600E", "search variant V600E", 2},
		{"get variant p.V600E", "search variant V600E", 2}, // which occurs in ClinVar's texts
		{"get variant 7:140753336", "search variant --region 7:140753336", 2},
		{"get gene R-HSA-90000001", "discover R-HSA-90000001", 2},
		{"get variant p.Val600Glu trials", "search variant p.Val600Glu", 2},
		{"search trial melanoma --status open", "search trial melanoma --status RECRUITING", 2},
		{"search trial melanoma --status active,open", "search trial melanoma --status ACTIVE_NOT_RECRUITING,RECRUITING", 2},
		{"search trial melanoma --recruiting", "search trial melanoma --status RECRUITING", 2},
		{"search trial melanoma --phase2", "search trial melanoma --phase PHASE2", 2},
		{"search trial melanoma --phase 1b", "search trial melanoma --phase PHASE1", 2},
		{"search trial melanoma --phase 5", "search trial --help", 2},
		{"search drug imatinib --region EMA", "search drug imatinib --region eu", 2},
		{"search drug imatinib --fda", "search drug imatinib --region us", 2},
		{"search variant -g BRAF --significance VUS", "search variant -g BRAF --significance uncertain", 2},
		{"get variant melanoma", "search variant melanoma", 2},
		{"get variant MONDO:0007947", "get disease MONDO:0007947", 2},
		{"get article melanoma abstract", "search article melanoma", 2},
	} {
		t.Run(c.line, func(t *testing.T) {
			tries, code := triesOf(t, app, c.line)
			if want := "biomcp " + c.want; tries != [3]string{want, want, want} || code != c.code {
				t.Errorf("%s: exit %d, try %q", c.line, code, tries)
			}
		})
	}
	for line, want := range map[string]string{"get gene BRAF V600E": "biomcp get variant 'BRAF V600E'", "get gene BRAF NCT99000001": "biomcp get trial NCT99000001"} {
		t.Run(line, func(t *testing.T) {
			if text := agent(app)(t.Context(), split(t, line), true).Text; !strings.Contains(text, `"next_commands":["`+want+`"`) {
				t.Errorf("%s leads to %s", line, text)
			}
		})
	}
	if text, _ := ask(t, app, command.Agent, "get trial NCT1"); !strings.Contains(text, "such as NCT02576665\n") {
		t.Errorf("no example of an id: %s", text)
	}
	if text := agent(app)(t.Context(), split(t, "get gene rs113488022"), false).Text; !strings.Contains(text, `"alias_resolution":{`) || !strings.Contains(text, `"message":"rs113488022 is an id of a variant, not of a gene"`) {
		t.Errorf("an agent got %s", text)
	}
	// Only aliases of genes and drugs are JSON without --json.
	want := "error: rs113488022 is an id of a variant, not of a disease\ntry:   biomcp get variant rs113488022\n"
	if text := agent(app)(t.Context(), split(t, "get disease rs113488022"), false).Text; text != want {
		t.Errorf("an agent got %s", text)
	}
}

// The following are understood: the name of an entity alone, in the plural or in another letter
// case, and an id without its entity.
func TestLineWithoutItsCommandIsCompleted(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"trials melanoma":              "search trial melanoma",
		"search trials melanoma":       "search trial melanoma",
		"trials NCT99000001":           "get trial NCT99000001",
		"trials":                       "search trial --help",
		"gene BRAF":                    "get gene BRAF",
		"Gene BRAF":                    "get gene BRAF",
		"genes kinase":                 "search gene kinase",
		"variants BRAF":                "search variant BRAF",
		"mutations BRAF --json":        "search variant BRAF --json",
		"variants rs113488022":         "get variant rs113488022",
		"variant BRAF V600E clinvar":   "get variant BRAF V600E clinvar",
		"drugs fictinib":               "search drug fictinib",
		"drug fictinib":                "get drug fictinib",
		"drug fictinib classes --json": "get drug fictinib classes --json",
		"disease breast cancer":        "search disease breast cancer",
		"diseases melanoma":            "search disease melanoma",
		"NCT99000001":                  "get trial NCT99000001",
		"nct99000001 eligibility":      "get trial nct99000001 eligibility",
		"rs113488022":                  "get variant rs113488022",
		"BRAF V600E":                   "get variant BRAF V600E",
		"BRAF":                         "discover BRAF",
		"get BRAF":                     "discover BRAF",
		"get breast cancer":            "discover 'breast cancer'",
		"get NCT99000001":              "get trial NCT99000001",
		"get 'NC_000007.14:g.140753336A>T' --json": "get variant 'NC_000007.14:g.140753336A>T' --json",
	} {
		t.Run(line, func(t *testing.T) {
			if tries, code := triesOf(t, app, line); tries != [3]string{"biomcp " + want, "biomcp " + want, "biomcp " + want} || code != 2 {
				t.Errorf("%s: exit %d, try %q", line, code, tries)
			}
		})
	}
}

// A line with a shell operator gets a suggestion with the intended line, which runs.
func TestSignsOfAShellAreAnsweredWithTheLineMeant(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"get variant chr7:140753336A>T":                   "get variant 'chr7:140753336A>T'",
		"get variant BRAF c.1799T>A --json":               "get variant BRAF 'c.1799T>A' --json",
		"search article mushrooms | head":                 "search article mushrooms",
		"search article mushrooms > out.txt":              "search article mushrooms",
		"get article $(search article mushrooms --pmids)": "search article mushrooms --pmids",
		"search article mushrooms; get article 1":         "search article mushrooms",
		"search article Alzheimer's disease":              `search article 'Alzheimer'\''s' disease`,
		"sync pubmed --query-key k --term asthma | head":  "list",
		"nonsense of no command | head":                   "suggest 'nonsense of no command'",
	} {
		t.Run(line, func(t *testing.T) {
			blocks, _, failed := callTool(t, Parser(app), line, false)
			if !failed || !strings.Contains(blocks[0].Text, "try:   biomcp "+want+"\n") && !strings.Contains(blocks[0].Text, `"try":"biomcp `+want+`"`) {
				t.Errorf("%s: %s", line, blocks[0].Text)
			}
			if blocks, _, failed := callTool(t, Parser(app), want, false); failed {
				t.Errorf("%s: %s", want, blocks[0].Text)
			}
		})
	}
}

// Words that are not sent to ClinicalTrials.gov unchanged are named in a notice, in every
// format.
func TestChangedWordsOfATrialSearchAreNotices(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string][]string{
		`search trial "lung cancer AND ("`:           {"the query: left out: ( AND"},
		`search trial -c "melanoma OR (" -i "a NOT"`: {"--condition: left out: (", "--condition: searched for as words, not as operators: ask for each alternative by itself: OR"},
		"search trial melanoma AND nivolumab":        nil,
	} {
		t.Run(line, func(t *testing.T) {
			c := parse(NewTree(), split(t, line), command.Person)
			out := c.run(t.Context(), app, command.IO{Err: io.Discard})
			var text, notices, asJSON strings.Builder
			for _, f := range []result.Format{{Terminal: true}, {JSON: true}} {
				to := &text
				if f.JSON {
					to = &asJSON
				}
				if err := result.Render(to, &notices, out, f); err != nil {
					t.Fatal(err)
				}
			}
			blocks, _, _ := callTool(t, Parser(app), line, false)
			for _, door := range []string{text.String() + notices.String(), asJSON.String(), blocks[0].Text} {
				for _, n := range want {
					if !strings.Contains(strings.Join(strings.Fields(door), " "), n) {
						t.Errorf("%s: no %q in %s", line, n, door)
					}
				}
				if want == nil && strings.Contains(door, "the query: ") {
					t.Errorf("%s: %s", line, door)
				}
			}
		})
	}
}
