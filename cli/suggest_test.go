package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/words"
	"biomcp/skills"
	"biomcp/skills/intents"
	"biomcp/store"
	"biomcp/store/study/example"
)

// An agent may type the two commands of every suggestion. Shell syntax in a question stays
// text.
func TestSuggestedCommandsCanBeTyped(t *testing.T) {
	if testing.Short() {
		t.Skip("asks hundreds of questions, one after another")
	}
	questions := []string{
		`Who cites "32051057; rm -rf /"?`, "is there evidence for $(reboot) `id` & | > x", "Who cites --json 32051057?", "convert 10.1/x --force to a pmid",
		"What is the MeSH term for --help?", "What is the MeSH term for \"--limit\"", "cite 10.1093/nar/gks1195) in APA",
	}
	for _, name := range []string{"questions.tsv", "entities.tsv", "entities-later.tsv", "suggest-seen.tsv", "suggest-unseen.tsv", "suggest-third.tsv", "suggest-strangers.tsv"} {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile("../skills/testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(body)) {
				first, second, _ := strings.Cut(strings.TrimSpace(line), "\t")
				if strings.HasPrefix(name, "suggest-") { // these files start with the question
					second = first
				}
				questions = append(questions, strings.TrimPrefix(second, "# "))
			}
		})
	}
	names := strings.NewReplacer("<id>", "32051057", "<gene>", "TP53", "<variant>", "BRAF V600E", "<drug>", "imatinib", "<study>", "luad_tcga", "<nct>", "NCT02576665",
		"<disease>", "OMIM:154700", "<code>", "CVX 208", "<key>", "the key glp1", "<class>", "kinase inhibitors", "<reference>", "Lancet 1998;351:637", "<topic>", "Marfan syndrome")
	phrasings, err := intents.Phrasings()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(phrasings); i += 7 {
		questions = append(questions, names.Replace(phrasings[i]))
	}
	app := diskApp(t)
	matched := 0
	for _, q := range questions {
		t.Run(q, func(t *testing.T) {
			text, code := ask(t, app, command.Agent, words.Quote([]string{"suggest", "--json", "--", q}))
			var got struct {
				suggestReport
				Notices []string
				Meta    struct {
					Next []string `json:"next_commands"`
				} `json:"_meta"`
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
				t.Fatalf("exit %d, %v: %s", code, err, text)
			}
			wantEqual(t, "the question", got.Question, q)
			for _, line := range append(got.Meta.Next, got.First...) {
				args, err := words.Split(line)
				if err != nil {
					t.Fatalf("%q: %q: %v", q, line, err)
				}
				if failure := parse(NewTree(), args[1:], command.Agent).refusal; failure != nil {
					t.Errorf("%q: %q cannot be typed: %s", q, line, failure.Message)
				}
			}
			if got.Skill == nil {
				wantEqual(t, "the summary", got.Summary, nil)
				wantEqual(t, "the command for the example", got.Full, nil)
				wantEqual(t, "the first commands", got.First, []string{})
				wantEqual(t, "the number of next commands", len(got.Meta.Next), 3)
				wantParts(t, text, "no match")
				return
			}
			want := append(slices.Clone(got.First), *got.Full)
			if _, other, doubted := strings.Cut(strings.Join(got.Notices, "\n"), "the question may also ask for "); doubted {
				other, _, _ = strings.Cut(other, "\n")
				want = append(want, other)
			}
			wantEqual(t, "the next commands", got.Meta.Next, want)
			matched++
			e := skills.Find(*got.Skill)
			if e == nil {
				t.Fatalf("no worked example %s: %s", *got.Skill, text)
			}
			wantEqual(t, "the number of first commands", len(got.First), 2)
			wantEqual(t, "the summary", *got.Summary, e.Summary)
			wantEqual(t, "the command for the example", *got.Full, "biomcp skill "+e.Slug)
		})
	}
	if matched < 600 {
		t.Errorf("%d questions matched, want at least 600", matched)
	}
}

func TestSuggestionsHaveTheQuestionsOwnWords(t *testing.T) {
	app := diskApp(t)
	for question, want := range map[string][]string{
		"Who cites PMID 32051057?":                                                      {"biomcp get article 32051057 citedby", "biomcp get article 32051057 references"},
		"Does metformin reduce the risk of pancreatic cancer?":                          {"biomcp search article 'metformin pancreatic cancer' --meta-analysis --exclude-retracted --limit 5", "biomcp search article 'metformin pancreatic cancer' --trial --exclude-retracted --limit 10"},
		"How many papers on CRISPR were published each year since 2012?":                {"biomcp search article CRISPR --date-from 2012 --by-year", "biomcp search article CRISPR --date-from 2012 --count"},
		"has PMID 9500320 been retracted?":                                              {"biomcp get article 9500320 retraction", "biomcp get article 9500320 references --limit 50"},
		"export 20 hits on asthma as CSV":                                               {"biomcp search article asthma --csv --limit 20", "biomcp search article asthma --count"},
		"BibTeX of these 3 papers: PMID 12345, 2345, 99":                                {"biomcp get article 12345 2345 99 citation --style bibtex", "biomcp get article 12345 2345 99"},
		"in which command do I find the papers that cite 32051057":                      {"biomcp get article 32051057 citedby", "biomcp get article 32051057 references"},
		`Which MeSH heading covers "fatty liver"?`:                                      {"biomcp search mesh 'fatty liver' --limit 5", "biomcp search article --mesh 'fatty liver' --count"},
		"I have an incomplete citation, Lancet 1998;351:637, which paper is that?":      {"biomcp search citation --journal Lancet --year 1998 --volume 351 --page 637", "biomcp search article 'Lancet 1998;351:637' --limit 5"},
		"Is BRCA1 c.68_69del pathogenic?":                                               {"biomcp get variant 'BRCA1 c.68_69del'", "biomcp get variant 'BRCA1 c.68_69del' clinvar articles trials"},
		"Is the NRAS mutation Q61K oncogenic?":                                          {"biomcp get variant 'NRAS Q61K'", "biomcp get variant 'NRAS Q61K' clinvar articles trials"},
		"hg19 coordinate chr7:140453136A>T, which variant is that":                      {"biomcp get variant 'chr7:140453136A>T' --assembly GRCh37", "biomcp get variant 'chr7:140453136A>T' clinvar articles trials --assembly GRCh37"},
		"summary of gene 672 with transcripts and proteins":                             {"biomcp get gene 672 proteins", "biomcp get gene 672 variants articles"},
		"What does the label of warfarin say about interactions?":                       {"biomcp get drug warfarin label interactions", "biomcp get drug warfarin interactions classes pgx"},
		"trials for a man aged 70 with mantle cell lymphoma":                            {"biomcp search trial 'mantle cell lymphoma' --age 70 --sex MALE --limit 10", "biomcp search trial 'mantle cell lymphoma' --age 70 --sex MALE --count"},
		"trials for BRAF V600E melanoma":                                                {"biomcp search trial melanoma --mutation 'BRAF V600E' --limit 10", "biomcp search trial melanoma --mutation 'BRAF V600E' --count"},
		"trials for KRAS G12C near New York":                                            {"biomcp search trial --mutation 'KRAS G12C' --location 'New York' --status RECRUITING --limit 10", "biomcp search trial --mutation 'KRAS G12C' --location 'New York' --count"},
		"trials for melanoma in Boston, MA":                                             {"biomcp search trial melanoma --location 'Boston, MA' --limit 10", "biomcp search trial melanoma --location 'Boston, MA' --count"},
		"trials in Austria":                                                             {"biomcp search trial --location Austria --limit 10", "biomcp search trial --location Austria --count"},
		"which trials of melanoma in Vienna, Austria are recruiting?":                   {"biomcp search trial melanoma --location 'Vienna, Austria' --status RECRUITING --limit 10", "biomcp search trial melanoma --status RECRUITING --location 'Vienna, Austria' --count"},
		"trials of ductal carcinoma in situ in the USA":                                 {"biomcp search trial 'ductal carcinoma in situ' --location 'United States' --limit 10", "biomcp search trial 'ductal carcinoma in situ' --location 'United States' --count"},
		"trials in austria of pembrolizumab in Hodgkin lymphoma":                        {"biomcp search trial 'pembrolizumab Hodgkin lymphoma' --location austria --limit 10", "biomcp search trial 'pembrolizumab Hodgkin lymphoma' --location austria --count"},
		"trials of vaccination in Colorado tick fever":                                  {"biomcp search trial 'vaccination Colorado tick fever' --limit 10", "biomcp search trial 'vaccination Colorado tick fever' --count"},
		"Does vitamin A reduce mortality of measles in Kenya?":                          {"biomcp search article 'vitamin A mortality of measles Kenya' --meta-analysis --exclude-retracted --limit 5", "biomcp search article 'vitamin A mortality of measles Kenya' --trial --exclude-retracted --limit 10"},
		"Who is eligible for NCT02576665?":                                              {"biomcp get trial NCT02576665 eligibility locations", "biomcp get trial NCT02576665 outcomes results"},
		"retraction status of 39337530 38118002 23657305":                               {"biomcp get article 39337530 38118002 23657305 retraction", "biomcp get article 39337530 38118002 23657305 references --limit 50"},
		"phenotypes of Marfan syndrome":                                                 {"biomcp get disease 'Marfan syndrome' genes phenotypes", "biomcp search disease 'Marfan syndrome' --limit 5"},
		"what changed since last sync":                                                  {"biomcp health", "biomcp list corpus"},
		"what did the last sync of glp1 bring":                                          {"biomcp search corpus glp1 --query-key glp1 --added-since last", "biomcp get checkpoint glp1"},
		"in vitro diagnostics for HIV that WHO has prequalified":                        {"biomcp search diagnostic HIV --source who-ivd", "biomcp search disease HIV --limit 5"},
		"which vaccine products has CVX code 208":                                       {"biomcp search vaccine --code 208", "biomcp search vaccine --source cvx --limit 5"},
		"MONDO:0007947, what is it and which gene":                                      {"biomcp get disease MONDO:0007947 genes phenotypes", "biomcp get disease MONDO:0007947 articles trials"},
		"I don't know what kind of thing \"vemurafenib\" is":                            {"biomcp discover vemurafenib", "biomcp search all vemurafenib --counts-only"},
		"Export 32051057 and 10.1016/S0140-6736(97)11096-0 as BibTeX":                   {"biomcp get article 32051057 '10.1016/S0140-6736(97)11096-0' citation --style bibtex", "biomcp get article 32051057 '10.1016/S0140-6736(97)11096-0'"},
		"What does my local corpus say about weight regain after stopping semaglutide?": {"biomcp search corpus 'weight regain stopping semaglutide' --top-k 5", "biomcp search corpus 'weight regain stopping semaglutide' --top-k 5 --explain"},
	} {
		t.Run(question, func(t *testing.T) {
			text, _ := ask(t, app, command.Agent, words.Quote([]string{"suggest", "--json", question}))
			var got suggestReport
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			wantEqual(t, "the first commands", got.First, want)
			rejectParts(t, text, "does not name")
		})
	}
	for _, c := range []struct {
		claim, question string
		want            []string
	}{
		{"a notice names the second place", "trials of melanoma in Nigeria or Niger",
			[]string{"--location Nigeria --count", "the first command leaves out: Niger"}},
		{"a question word is not in the query", "what does BRAF V600E mean in melanoma?",
			[]string{"search trial melanoma --mutation"}},
		{"a notice says that results are not searched for", "trials with posted results in psoriasis",
			[]string{"search trial psoriasis --status COMPLETED", "the first command leaves out: results"}},
		{"a notice names the command that keeps articles", "keep a local copy of pubmed records on lipedema",
			[]string{"at a terminal: biomcp sync pubmed --query-key lipedema --term lipedema"}},
		{"a notice names values of the worked example", "how do I check my references for retractions",
			[]string{"does not name everything"}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			text, _ := ask(t, app, command.Agent, "suggest "+c.question+" --json")
			wantParts(t, text, c.want...)
		})
	}
	for _, line := range []string{"suggest", "suggest ''", "suggest " + strings.Repeat("x", 1001)} {
		t.Run(line, func(t *testing.T) {
			if text, code := ask(t, app, command.Agent, line); code != 2 {
				t.Errorf("%.20s: exit %d: %s", line, code, text)
			}
		})
	}
}

// If a suggestion needs local tables that are not on this machine, a notice names the commands
// that download them. So does the suggested command itself.
func TestASuggestionNamesTheTablesThatItNeeds(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for question, syncs := range map[string][]string{
		"which vaccines are there for measles":                           {"biomcp sync cvx", "biomcp sync ema", "biomcp sync who"},
		"which malaria vaccines has WHO prequalified":                    {"biomcp sync who"},
		"in vitro diagnostics for HIV that WHO has prequalified":         {"biomcp sync who-ivd"},
		"Which clinical trials are recruiting for glioblastoma in Spain": nil,
	} {
		text, _ := ask(t, app, command.Agent, words.Quote([]string{"suggest", question}))
		_, commands, hasNotice := strings.Cut(text, "first run at a terminal: ")
		commands, _, _ = strings.Cut(commands, " (the server's owner runs it)\n")
		wantEqual(t, question+": has a notice", hasNotice, syncs != nil)
		wantEqual(t, question+": the commands of the notice", commands, strings.Join(syncs, ", "))
		if syncs == nil {
			continue
		}
		_, lines, _ := strings.Cut(text, "```\n")
		first, _, _ := strings.Cut(lines, "\n")
		text, code := ask(t, app, command.Agent, strings.TrimPrefix(first, "biomcp "))
		if code == 0 {
			t.Errorf("%q: exit 0, want a failure", first)
		}
		wantParts(t, text, syncs[0])
	}
	if text, code := ask(t, app, command.Person, "sync cvx"); code != 0 {
		t.Fatal(text)
	}
	text, _ := ask(t, app, command.Agent, "suggest which vaccines are there for measles")
	rejectParts(t, text, "at a terminal") // one of the tables exists
}

// A certain match has no alternative reading.
func TestASureSuggestionHasNoOtherReading(t *testing.T) {
	app := diskApp(t)
	for _, question := range []string{"vaccines made by Pfizer", "is there a recruiting trial of vemurafenib in melanoma"} {
		text, _ := ask(t, app, command.Agent, "suggest "+question)
		rejectParts(t, text, "not certain", "search article")
	}
}

// A notice says that a named study is not on this machine. A study on this machine is found by
// words of its name.
func TestASuggestionKnowsTheStudiesThatAreHere(t *testing.T) {
	app := diskApp(t)
	text, _ := ask(t, app, command.Agent, "suggest survival by TP53 status in luad_tcga")
	wantParts(t, text, "the study luad_tcga is not on this machine", "study survival --study luad_tcga --gene TP53")
	if _, err := example.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	text, _ = ask(t, app, command.Agent, "suggest survival by TP53 status")
	wantParts(t, text, "study survival --study synthetic_demo --gene TP53")
	rejectParts(t, text, "not on this machine")
}

// Every example that the help shows for suggest has a match, and so do similar questions, with
// and without a study on this machine.
func TestExamplesOfSuggestAreAnswered(t *testing.T) {
	lines := []string{"suggest is BRCA1 mutated in ovarian cancer", "suggest Is EGFR mutated in lung adenocarcinoma?"}
	tree := NewTree()
	for _, c := range append(Runnable(tree, tree.Root, command.Person), tree.Root) {
		for _, x := range tree.Command(c).Examples {
			if line, is := strings.CutPrefix(x.Line, "biomcp suggest "); is {
				lines = append(lines, "suggest "+line)
			}
		}
	}
	if len(lines) < 4 {
		t.Fatalf("only %q", lines)
	}
	app := diskApp(t)
	for _, studies := range []string{"none", example.ID} {
		if studies == example.ID {
			if _, err := example.Write(app.Env.StudyDir); err != nil {
				t.Fatal(err)
			}
		}
		for _, line := range lines {
			text, code := ask(t, app, command.Agent, line)
			wantEqual(t, "studies: "+studies+": "+line+": the exit status", code, 0)
			rejectParts(t, text, "No match", "does not name")
		}
	}
}

// The synthetic study is not suggested for a question about a disease. If it is suggested, a
// notice says that it is synthetic.
func TestASuggestionSaysWhatIsSynthetic(t *testing.T) {
	app := diskApp(t)
	if _, err := example.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"how often is TP53 mutated in breast cancer":          "search article 'breast cancer mutation' --gene TP53",
		"survival of TP53 mutated breast cancer patients":     "search article 'mutated breast cancer survival' --gene TP53",
		"which genes are mutated most often in breast cancer": "search article 'breast cancer mutational landscape'",
		"survival by TP53 status":                             "study survival --study synthetic_demo --gene TP53",
		"how often is TP53 mutated in my cancer cohort":       "study query --study synthetic_demo --gene TP53",
		"draw a survival curve":                               "study survival --study synthetic_demo --gene TP53",
	} {
		text, _ := ask(t, app, command.Agent, words.Quote([]string{"suggest", question}))
		usesExample := !strings.HasPrefix(want, "search")
		wantParts(t, text, "biomcp "+want)
		wantEqual(t, question+": uses the synthetic study", strings.Contains(text, example.ID), usesExample)
		wantEqual(t, question+": has the notice", strings.Contains(text, example.SyntheticNotice(example.ID)), usesExample)
	}
	for question, unwanted := range map[string]string{
		"how does BRAF V600E affect melanoma treatment":   "affect melanoma'",
		"survival of TP53 mutated breast cancer patients": "get disease",
		"draw a survival curve":                           "search article",
	} {
		text, _ := ask(t, app, command.Agent, words.Quote([]string{"suggest", question}))
		rejectParts(t, text, unwanted)
	}
}

// An unclear question does not lead to a get command for an arbitrary word.
func TestNoSuggestionTakesAnyWordForARecord(t *testing.T) {
	app := diskApp(t)
	for question, want := range map[string]string{"what is the best pizza": "biomcp discover pizza", "tell me a joke": "biomcp discover joke"} {
		text, _ := ask(t, app, command.Agent, words.Quote([]string{"suggest", question}))
		wantParts(t, text, want)
		rejectParts(t, text, "biomcp get")
	}
}

// With the HGNC table, a word in capitals is a gene only if the table has it.
func TestASuggestionKnowsTheGenesOfTheTable(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	wantGenes := func(genes map[string]bool) {
		t.Helper()
		for word, want := range genes {
			text, _ := ask(t, app, command.Agent, "suggest 'What does "+word+" do?'")
			wantEqual(t, word+" is taken for a gene", strings.Contains(text, "get gene "+word), want)
		}
	}
	wantGenes(map[string]bool{"QQZZ": true, "PRKN": true})
	if text, code := ask(t, app, command.Person, "sync hgnc"); code != 0 {
		t.Fatal(text)
	}
	wantGenes(map[string]bool{"QQZZ": false, "PRKN": true, "PARK2": true})
}

// A notice says that no query is stored only if the corpus was read or does not exist.
func TestASuggestionDoesNotGuessWhatADamagedCorpusKeeps(t *testing.T) {
	t.Parallel()
	app := diskApp(t)
	const line = "suggest 'what is new on CAR-T since last week'"
	text, _ := ask(t, app, command.Agent, line)
	wantParts(t, text, "no query named CAR-T is kept on this machine")
	if err := os.MkdirAll(app.Env.DataDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(app.Env.DataDir, store.FileName), bytes.Repeat([]byte("no corpus "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	text, code := ask(t, app, command.Agent, line)
	wantEqual(t, "the exit status", code, 0)
	rejectParts(t, text, "no query named")
	wantParts(t, text, "whether a query named CAR-T is kept on this machine is unknown")
}

// A known form and a compound stay whole in the first command, in text and JSON, and the answer names
// each content word that the command leaves out.
func TestSuggestKeepsContentWords(t *testing.T) {
	app := diskApp(t)
	for question, want := range map[string]struct{ first, left string }{
		"MeSH term for machine learning":                       {"search mesh 'machine learning'", ""},
		"learning disability":                                  {"get disease 'learning disability'", ""},
		"Fabry disease, is there a therapy approved in the EU": {"get disease 'Fabry disease' drugs", "in the EU"},
		"patient has ataxia and m.3243A>G":                     {"get variant 'm.3243A>G'", "ataxia"},
		"22q11.2 deletion":                                     {"search disease '22q11.2 deletion'", ""},
		"EML4-ALK lung cancer papers":                          {"search article 'EML4-ALK lung cancer'", ""},
		"does CYP2D6*4 matter for codeine":                     {"get drug codeine", "CYP2D6*4"},
		"how common is rs1799963 in Europeans":                 {"get variant rs1799963 population", "Europeans"},
	} {
		for _, form := range []string{"", " --json"} {
			text, _ := ask(t, app, command.Agent, words.Quote([]string{"suggest", question})+form)
			text = strings.NewReplacer(`\u003e`, ">").Replace(text)
			wantParts(t, text, "biomcp "+want.first)
			if want.left != "" {
				wantParts(t, text, "that the first command leaves out", want.left)
			}
		}
	}
}

// A question that is only the name of a condition asks for the disease. The answer says that it is not sure.
func TestSuggestTakesABareConditionForADisease(t *testing.T) {
	app := commandtest.Disk(t)
	for _, name := range []string{"learning disability", "hearing impairment", "growth hormone deficiency"} {
		for _, may := range []command.Policy{command.Person, command.Agent} {
			line := "suggest '" + name + "'"
			text, code := ask(t, app, may, line)
			if want := "biomcp get disease '" + name + "'"; code != 0 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: got\n%s\nwant %q", line, code, text, want)
			}
			text, _ = ask(t, app, may, line+" --json")
			if want := `"matched_skill":"disease-dossier"`; !strings.Contains(text, want) {
				t.Errorf("%s --json: got\n%s\nwant %q", line, text, want)
			}
		}
	}
}

// A question that runs a command about the synthetic study says once that the study is synthetic.
func TestAQuestionSaysOnceWhatIsSynthetic(t *testing.T) {
	app := diskApp(t)
	if _, err := example.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"how often is TP53 mutated in my cancer cohort", "how often is KRAS mutated in my cohort"} {
		for _, may := range []command.Policy{command.Person, command.Agent} {
			text, code := ask(t, app, may, question)
			wantEqual(t, question+": the exit status", code, 0)
			wantEqual(t, question+": times it says what is synthetic", strings.Count(text, example.SyntheticNotice(example.ID)), 1)
		}
	}
}
