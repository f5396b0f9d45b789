package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// readAs returns the line as which a line runs, or that its refusal suggests. It fails if an agent or JSON leads to
// another.
func readAs(t *testing.T, app *command.App, line string) string {
	t.Helper()
	tries, _ := triesOf(t, app, line)
	if tries[1] != tries[0] || tries[2] != tries[0] {
		t.Errorf("%s leads to %q as text, in JSON and for an agent, want one line", line, tries)
	}
	if c := parse(NewTree(), split(t, line), command.Agent); c.corrected {
		tries[0] = "biomcp " + strings.TrimPrefix(result.Argv(c.words).String(), "biomcp ")
	}
	return strings.TrimPrefix(tries[0], "biomcp ")
}

// A request in plain words leads to the command that it asks for, with each word of its topic. Words that no
// command explains go to suggest.
func TestRequestInPlainWords(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"get me papers about CRISPR":                     "search article CRISPR",
		"please get me papers about CRISPR":              "search article CRISPR",
		"could you please find me some papers on CRISPR": "search article CRISPR",
		"'get me papers about CRISPR'":                   "search article CRISPR",
		"give me papers on lung cancer":                  "search article lung cancer",
		"show me articles regarding lung cancer":         "search article lung cancer",
		"list papers about CRISPR":                       "search article CRISPR",
		"'list papers about CRISPR'":                     "search article CRISPR",
		"search for papers about CRISPR":                 "search article CRISPR",
		"search papers about CRISPR":                     "search article CRISPR",
		"search pubmed for CRISPR":                       "search article CRISPR",
		"search the literature on CRISPR":                "search article CRISPR",
		"look for papers on melanoma --limit 3":          "search article melanoma --limit 3",
		"i want papers about CRISPR":                     "search article CRISPR",
		"can you find papers about CRISPR":               "search article CRISPR",
		"download papers on CRISPR":                      "search article CRISPR",
		"find trials for melanoma":                       "search trial melanoma",
		"'find trials for melanoma'":                     "search trial melanoma",
		"find clinical trials for melanoma":              "search trial melanoma",
		"search for melanoma trials":                     "search trial melanoma",
		"show me trials for melanoma":                    "search trial melanoma",
		"i need trials for melanoma":                     "search trial melanoma",
		"list trials for melanoma":                       "search trial melanoma",
		"get me papers about in vitro fertilization":     "suggest 'get me papers about in vitro fertilization'",

		"find papers about asthma or stroke":           "suggest 'papers about asthma or stroke'",
		"find papers about asthma published recently":  "suggest 'papers about asthma published recently'",
		"get me articles on recent asthma":             "suggest 'get me articles on recent asthma'",
		"find papers on recently described ataxias":    "suggest 'papers on recently described ataxias'",
		"show me papers about the latest asthma drugs": "suggest 'show me papers about the latest asthma drugs'",
		"list trials for newest melanoma":              "suggest 'list trials for newest melanoma'",
		"find melanoma or glioma trials":               "suggest 'melanoma or glioma trials'",
		`find papers about "heart attack" or stroke`:   `suggest 'papers about "heart attack" or stroke'`,
		`find papers about "heart attack"`:             `suggest 'papers about "heart attack"'`,
		`tell me about "Marfan syndrome"`:              "discover 'Marfan syndrome'",
		`explain "BRAF V600E"`:                         "get variant BRAF V600E",

		"cite PMID 90100001 in bibtex":      "get article 90100001 citation --style bibtex",
		"cite 90100001":                     "get article 90100001 citation",
		"cite 90100001 as apa":              "get article 90100001 citation --style apa",
		"cite 90100001 in apa style":        "get article 90100001 citation --style apa",
		"cite 90100001 and 90100002 in ris": "get article 90100001 90100002 citation --style ris",
		"export PMID 90100001 to ris":       "get article 90100001 citation --style ris",
		"get the citation of 90100001":      "get article 90100001 citation",
		"bibtex for PMID 90100001":          "get article 90100001 citation --style bibtex",
		"download PMID 90100001":            "get article 90100001 fulltext",
		"download 90100001":                 "get article 90100001 fulltext",
		"'download PMID 90100001'":          "get article 90100001 fulltext",
		"get me the abstract of 90100001":   "get article 90100001 abstract",
		"read 90100001":                     "get article 90100001",
		"open PMID: 90100001":               "get article 90100001",
		"fetch pmid:90100001 abstract":      "get article pmid:90100001 abstract",
		"papers similar to 90100001":        "get article 90100001 similar",
		"references of PMID 90100001":       "get article 90100001 references",
		"summarize PMID 90100001":           "get article 90100001",
		"compare 90100001 and 90100002":     "get article 90100001 90100002",
		"convert PMID 90100001 to DOI":      "get ids 90100001",
		"doi of 90100001":                   "get ids 90100001",
		"show me NCT99000001":               "get trial NCT99000001",
		"explain BRAF V600E":                "get variant BRAF V600E",
		"compare PMID 90100001 and BRAF":    "suggest 'compare PMID 90100001 and BRAF'",

		"show gene BRAF":                       "get gene BRAF",
		"show me the gene BRAF":                "get gene BRAF",
		"lookup gene BRAF":                     "get gene BRAF",
		"look up BRAF":                         "discover BRAF",
		"tell me about Marfan syndrome":        "discover 'Marfan syndrome'",
		"what is BRAF":                         "discover BRAF",
		"describe melanoma":                    "discover melanoma",
		"compare drugs fictinib and imatinib":  "get drug fictinib imatinib",
		"compare genes TP53, KRAS and BRAF":    "get gene TP53 KRAS BRAF",
		"compare TP53 and KRAS":                "suggest 'compare TP53 and KRAS'",
		"find drugs for melanoma":              "suggest 'drugs for melanoma'",
		"find papers by Zhang on melanoma":     "suggest 'papers by Zhang on melanoma'",
		"search melatonin papers from 2023":    "suggest 'melatonin papers from 2023'",
		"list genes for melanoma":              "suggest 'list genes for melanoma'",
		"update me on CRISPR":                  "suggest 'update me on CRISPR'",
		"plot survival for TP53":               "suggest 'plot survival for TP53'",
		"check 90100001":                       "suggest 'check 90100001'",
		"get me papers about asthma not COPD":  "suggest 'get me papers about asthma not COPD'",
		"get diseases for gene BRAF":           "get gene BRAF diseases",
		"'search artcile melanoma'":            "search article melanoma",
		"'get gnee BRAF'":                      "get gene BRAF",
		"serach article lung cancer":           "search article lung cancer",
		"show me trials for melanoma in women": "suggest 'show me trials for melanoma in women'",
	} {
		t.Run(line, func(t *testing.T) {
			if got := readAs(t, app, line); got != want {
				t.Errorf("%s leads to %s, want %s", line, got, want)
			}
		})
	}
}

// A request that names nothing is not passed on as an empty question.
func TestRequestForNothing(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for _, line := range []string{"find us me", "look for", "find me the", "search for me"} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			if text, _ := ask(t, app, policy, line); strings.Contains(text, "suggest ''") || strings.Contains(text, "the question is empty") {
				t.Errorf("%s: got %s, want no empty question", line, text)
			}
		}
	}
}

// The first word of a compound is not the kind of a record.
func TestCompoundOfNounsIsAQuery(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"gene therapy trials": "search article gene therapy trials", "drug discovery": "search article drug discovery",
		"gene editing": "search article gene editing", "disease burden": "search article disease burden",
		"drug resistance in melanoma": "search article drug resistance in melanoma", "trial design": "search article trial design",
		"gene BRAF": "get gene BRAF", "drug fictinib": "get drug fictinib", "trial NCT99000001": "get trial NCT99000001",
	} {
		if text, _ := ask(t, app, command.Person, line); !leads(text, want) {
			t.Errorf("%s: got %s, want %s", line, text, want)
		}
	}
}

// The switch of a search may stand first.
func TestCountOfATopic(t *testing.T) {
	t.Parallel()
	if text, _ := ask(t, ncbiApp(t, breadth(t)), command.Person, "count papers on melanoma"); !leads(text, "search article melanoma --count") {
		t.Errorf("got %s, want search article melanoma --count", text)
	}
}

// A request to keep a record names the command that keeps it. An agent, which may not run it, gets another line.
func TestRequestToKeepARecord(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for _, line := range []string{"save 90100001", "save PMID 90100001", "save article 90100001", "keep 90100001", "'save 90100001'"} {
		text, code := ask(t, app, command.Person, line)
		if want := "try:   biomcp library add --help\n"; code != 2 || !strings.HasSuffix(text, want) || strings.Contains(text, "serve?") {
			t.Errorf("%s: exit %d, %s, want %s", line, code, text, want)
		}
		if text, _ := ask(t, app, command.Agent, line); strings.Contains(text, "try:   biomcp library") {
			t.Errorf("%s: an agent is told to run library: %s", line, text)
		}
	}
}

// A misspelt command whose line would be rejected anyway says why.
func TestMisspeltCommandSaysWhyItsLineIsRejected(t *testing.T) {
	t.Parallel()
	text, _ := ask(t, ncbiApp(t, breadth(t)), command.Person, "serach article x")
	if want := "did you mean search? (biomcp search article x: a query needs at least three characters)"; !strings.Contains(text, want) {
		t.Errorf("got %s, want %s", text, want)
	}
}

// No line that a request leads to loses or adds a word of its topic.
func TestRequestKeepsEachWordOfItsTopic(t *testing.T) {
	t.Parallel()
	verbs := []string{"get me", "please find", "can you show me", "i want", "search for", "list", "look for"}
	topics := []string{"CRISPR", "in vitro fertilization", "on-pump surgery", "asthma without steroids", "effects of statins on muscle",
		"phase 3 melanoma", "Crohn disease reviews", "BRAF V600E", "vitamin D, calcium", "children with ADHD", "papers", "90100001",
		"cancer from 2019 to 2021", "not asthma", "trials for women"}
	for _, verb := range verbs {
		for _, kind := range []string{"papers about", "trials for", "articles on", "clinical trials in"} {
			for _, topic := range topics {
				line := verb + " " + kind + " " + topic
				c := parse(NewTree(), strings.Fields(line), command.Person)
				got, negated := result.Argv(c.words).String(), isNegated(topic)
				for _, word := range strings.FieldsFunc(topic, func(r rune) bool { return r == ' ' || r == ',' }) {
					if !strings.Contains(got, word) {
						t.Errorf("%s: read as %s, which lacks %s", line, got, word)
					}
				}
				isSearch := c.words[0] == "search" && c.corrected
				if isSearch && negated {
					t.Errorf("%s: read as %s, although a word negates it", line, got)
				}
				if isSearch && len(c.words) > len(strings.Fields(topic))+2 {
					t.Errorf("%s: read as %s, which adds words", line, got)
				}
			}
		}
	}
}

// A request whose command is not certain, or would lose words, gets the answer of suggest and runs nothing else.
func TestUncertainRequestRunsNothing(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for _, line := range []string{"compare survival by TP53 in demo", "list genes for melanoma", "compare TP53 and KRAS"} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			text, code := ask(t, app, policy, line)
			first, _, _ := strings.Cut(text, "\n")
			if !strings.HasPrefix(first, "**Note:** understood as: biomcp suggest '") || code != 0 {
				t.Errorf("%s: exit %d, begins %q, want the answer of suggest", line, code, first)
			}
		}
	}
}

// A phrase with the ID of a record that does not exist is not searched for.
func TestPhraseWithAnUnknownIDIsNotAQuery(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for _, line := range []string{"'cite PMID 99999991 in bibtex'", "'who funded 99999991'", "'was 99999991 corrected'", "'read 99999991'"} {
		text, code := ask(t, app, command.Person, line)
		if code != 1 || strings.Contains(text, "search article '") {
			t.Errorf("%s: exit %d, %.300s, want that the article was not found", line, code, text)
		}
	}
}
