package skills

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// testHere describes a machine with some studies and without the table of genes.
var testHere = Environment{Studies: []Study{
	{ID: "brca_metabric", Name: "Breast Cancer (METABRIC, Nature 2012 & Nat Commun 2016)", Cancer: "brca"},
	{ID: "laml_maftools", Name: "Acute Myeloid Leukemia (TCGA, as maftools has it)", Cancer: "laml"},
	{ID: "luad_tcga", Name: "Lung Adenocarcinoma (TCGA, Firehose Legacy)", Cancer: "luad"},
	{ID: "msk_impact_2017", Name: "MSK-IMPACT Clinical Sequencing Cohort (MSK, Nat Med 2017)", Cancer: "mixed"},
}}

// line is a command line in a form for comparison. It ignores the order of words, and whether the
// topic of a search is in its query or in a flag.
type line struct {
	head     string            // such as search article
	words    map[string]bool   // words of the query, IDs and sections; false marks an optional one
	flags    map[string]string // values by flag
	optional map[string]bool   // optional flags
}

var (
	longFlags = map[string]string{"-g": "--gene", "-c": "--condition", "-i": "--intervention", "-d": "--disease", "-s": "--study"}
	switches  = strings.Fields("--by-year --count --review --trial --meta-analysis --free-full-text --strict --exclude-retracted --csv --explain --counts-only --list --abstracts --exclude-preprints --has-results")
	// neutralFlags lists flags that do not change the meaning of a command.
	neutralFlags = strings.Fields("--with --limit --top-k --strict --exclude-retracted --explain --counts-only --list --abstracts --exclude-preprints --has-results")
)

// readLine parses the words of a command line. maybe marks the optional ones.
func readLine(words []string, maybe []bool) line {
	l := line{words[0] + " " + words[1], map[string]bool{}, map[string]string{}, map[string]bool{}}
	if words[0] == "discover" {
		words, maybe, l.head = append([]string{"", "discover"}, words[1:]...), append([]bool{false, false}, maybe[1:]...), "discover"
	}
	subject := strings.HasPrefix(l.head, "search article") || strings.HasPrefix(l.head, "search trial") || l.head == "search diagnostic"
	for i := 2; i < len(words); i++ {
		word, value := words[i], words[i]
		if name := longFlags[word]; name != "" {
			word = name
		}
		own, optional := false, maybe[i]
		if strings.HasPrefix(word, "--") {
			if own = slices.Contains(switches, word) || i+1 == len(words); !own {
				i++
				value = words[i]
			}
			if !subject || !slices.Contains([]string{"--condition", "--intervention", "--disease", "--drug", "--keyword", "--query"}, word) {
				if !own && word == "--phenotype" {
					word += value
				}
				if own {
					value = ""
				}
				l.flags[word], l.optional[word] = strings.ToLower(value), optional
				continue
			}
		}
		for _, w := range strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return strings.ContainsRune(" ,'", r) }) {
			l.words[w] = !optional
		}
	}
	return l
}

// parseWanted parses an alternative of the test data, in which quotes surround text with spaces and
// brackets surround optional words.
func parseWanted(text string) line {
	var words []string
	var maybe []bool
	optional := false
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeft(text, " ") {
		if text[0] == '[' {
			text, optional = text[1:], true
		}
		end := strings.IndexAny(text, " ]")
		if text[0] == '\'' || text[0] == '"' {
			inner, rest, _ := strings.Cut(text[1:], text[:1])
			for _, w := range strings.Fields(strings.NewReplacer("[Publication Type]", "(Publication Type)").Replace(inner)) {
				if len(words) > 0 && strings.HasPrefix(words[len(words)-1], "--") { // the value of a flag
					words, maybe, text = append(words, inner), append(maybe, optional), rest
					break
				}
				in := strings.Trim(w, "[]")
				words, maybe, text = append(words, strings.NewReplacer("(Publication", "[Publication", "Type)", "Type]").Replace(in)), append(maybe, optional || in != w), rest
			}
			continue
		}
		if end < 0 {
			end = len(text)
		}
		words, maybe = append(words, text[:end]), append(maybe, optional)
		if text = text[end:]; strings.HasPrefix(text, "]") {
			text, optional = text[1:], false
		}
	}
	return readLine(words, maybe)
}

// matchesLine reports whether a command line equals one of the alternatives in want.
func matchesLine(got []string, want string) bool {
	g := readLine(got, make([]bool, len(got)))
	for _, alternative := range strings.Split(want, " | ") {
		w := parseWanted(alternative)
		right := g.head == w.head
		for word, must := range w.words {
			right = right && (!must || g.words[word])
		}
		for word := range g.words {
			_, is := w.words[word]
			right = right && (is || word == "of")
		}
		for flag, value := range w.flags {
			got, is := g.flags[flag]
			right = right && (is && got == value || !is && (w.optional[flag] || slices.Contains(neutralFlags, flag)) || is && w.optional[flag])
		}
		for flag := range g.flags {
			_, is := w.flags[flag]
			right = right && (is || slices.Contains(neutralFlags, flag))
		}
		if right {
			return true
		}
	}
	return false
}

// The first command, or the list of unused words, contains each word of a question, except stop
// words, words of the request and words of the study's name. The text of a span is represented by its
// value or its flag.
func TestNoWordOfAQuestionIsLost(t *testing.T) {
	files, err := filepath.Glob("testdata/*.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, words := 0, 0
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for row := range strings.Lines(string(body)) {
			text, second, _ := strings.Cut(strings.TrimSpace(row), "\t")
			if !strings.Contains(file, "suggest-") {
				text = second
			}
			m, sure := Route(text, testHere)
			if strings.HasPrefix(row, "#") || !sure {
				continue
			}
			all++
			flags := map[string]bool{"aside": true, "said": true, "reference": strings.Contains(strings.Join(m[0].Commands[0], " "), "search citation")}
			answer := strings.ToLower(strings.Join(slices.Concat(m[0].Commands[0], m[0].UnusedWords), " "))
			q := readQuestion(text, nil)
			a := index().rank(q)[0]
			asking := maps.Clone(a.words)
			for _, s := range testHere.Studies {
				if slices.Contains(m[0].Commands[0], s.ID) {
					_, asking = testHere.matchStudy(q, asking)
				}
			}
			for _, f := range flagsOf(m[0].Commands[0]) {
				flags[f[0]] = slices.Contains(m[0].Commands[0], f[1]) || slices.Contains(a.Ignores, f[0])
			}
			rest := []byte(text)
			for _, s := range q.spans {
				piece := strings.ToLower(text[s.from:s.to])
				lost := func(v string) bool {
					return strings.Contains(piece, strings.ToLower(v)) && !strings.Contains(answer, strings.ToLower(v))
				}
				taken := flags[s.kind] || slices.ContainsFunc(q.values[s.kind], func(v string) bool { return strings.Contains(answer, strings.ToLower(v)) })
				if taken && (!slices.Contains(strings.Fields("drug gene place variant disease study"), s.kind) || !slices.ContainsFunc(q.values[s.kind], lost)) {
					copy(rest[s.from:], strings.Repeat(" ", s.to-s.from))
				}
			}
			if quotePattern().Match(rest) { // quoted text alone is the topic
				continue
			}
			for _, typed := range strings.Fields(string(rest)) {
				word := strings.ToLower(strings.Trim(typed, punctuation))
				parts := stems(word)
				if len(parts) == 0 || stopWords()[word] || slices.ContainsFunc(parts, func(p string) bool { return asking[p] }) {
					continue
				}
				if words++; !strings.Contains(answer, word) {
					t.Errorf("%q loses %q: %s, left %q", text, word, m[0].Commands[0], m[0].UnusedWords)
				}
			}
		}
	}
	if all < 700 {
		t.Errorf("got %d questions, want at least 700", all)
	}
	if words < 500 {
		t.Errorf("got %d words, want at least 500", words)
	}
}

// An answer contains no line twice.
func TestNoCommandIsGivenTwice(t *testing.T) {
	for _, question := range []string{"genes for", "trials", "study", "count trials of melanoma", "which command lists studies", "make a bibliography", "keep a search up to date", "is there a vaccine", "survival", "notes"} {
		m, _ := Route(question, testHere)
		lines := map[string]bool{}
		for _, line := range [][]string{m[0].Commands[0], m[0].Commands[1], m[0].Alternative} {
			if text := strings.Join(line, " "); line != nil && lines[text] {
				t.Errorf("%q: %s twice", question, text)
			} else {
				lines[text] = true
			}
		}
		if slices.Equal(m[0].Commands[0], m[1].Commands[0]) {
			t.Errorf("%q: %s is the other reading too", question, m[1].Commands[0])
		}
	}
}

// The share of correct lines has a lower bound, and the share of wrong lines without a notice an
// upper bound, for questions that were read during development and for others. Before the
// regression, 45 and 33 of 100 lines were right, and 26 and 31 were wrong without a notice. Before
// asides were recognised, the numbers right and wrong without a notice were 132 and 3 for unseen, 53
// and 1 for later, 35 and 2 for third, 28 and 3 for check.
func TestSuggestedLines(t *testing.T) {
	for _, part := range []struct {
		file                string
		show                bool
		minRight, maxSilent float64
	}{{"suggest-seen.tsv", true, 0.97, 0.01}, {"suggest-unseen.tsv", false, 0.89, 0.02}, {"suggest-later.tsv", false, 0.84, 0.04}, {"suggest-third.tsv", false, 0.75, 0.02}, {"suggest-check.tsv", false, 0.7, 0.03}, {"suggest-strangers.tsv", true, 0.93, 0.02}, {"suggest-fourth.tsv", true, 0.8, 0.02}, {"suggest-fifth.tsv", true, 0.8, 0.02}, {"suggest-sixth.tsv", false, 0.8, 0.02}} {
		t.Run(part.file, func(t *testing.T) {
			body, err := os.ReadFile("testdata/" + part.file)
			if err != nil {
				t.Fatal(err)
			}
			all, right, doubted, unsure, noted := 0, 0, 0, 0, 0
			for row := range strings.Lines(string(body)) {
				question, want, ok := strings.Cut(strings.TrimSpace(row), "\t")
				if strings.HasPrefix(row, "#") || !ok {
					continue
				}
				all++
				m, sure := Route(question, testHere)
				switch {
				case !sure && want == "-" || sure && want != "-" && matchesLine(m[0].Commands[0], want):
					right++
					if sure && m[0].Alternative != nil {
						doubted++
					}
					continue
				case !sure:
					unsure++
				case m[0].Unsure || len(m[0].UnusedWords)+len(m[0].DefaultKinds) > 0:
					noted++
				}
				if part.show {
					got := "not sure"
					if sure {
						got = m[0].Slug + ": " + strings.Join(m[0].Commands[0], " ")
					}
					t.Logf("%q\n\t%s\n\twant %s", question, got, want)
				}
			}
			silent := all - right - unsure - noted
			t.Logf("%s: of %d questions %d are right (%.1f %%; %d of them with another reading), %d not sure, %d wrong with a notice, %d wrong in silence (%.1f %%)",
				part.file, all, right, 100*float64(right)/float64(all), doubted, unsure, noted, silent, 100*float64(silent)/float64(all))
			if want := part.minRight * float64(all); float64(right) < want {
				t.Errorf("%d of %d are right, want at least %.1f", right, all, want)
			}
			if want := part.maxSilent * float64(all); float64(silent) > want {
				t.Errorf("%d of %d are wrong without a notice, want at most %.1f", silent, all, want)
			}
		})
	}
}

// The commands of another interpretation accept all names in the question. It does not take a drug
// for a disease, a gene for a drug or a year for a topic, and it suggests vaccines only if the
// question mentions one.
func TestOtherReadingsAreOfTheRightKind(t *testing.T) {
	for _, question := range []string{
		"imatinib chronic myeloid leukemia", "imatinib CML", "fictinib melanoma", "LMNA cardiomyopathy", "side effects of BRAF inhibitors",
		"export RIS of asthma papers", "trials sponsored by Kell since 2020", "is aspirin safe with warfarin", "what is rs429358 linked to",
	} {
		m, sure := Route(question, testHere)
		lines := [][]string{m[0].Alternative}
		if !sure {
			lines = [][]string{m[0].Commands[0], m[1].Commands[0]}
		}
		for _, line := range lines {
			text := strings.Join(line, " ")
			for _, wrong := range []string{"search vaccine", "search diagnostic", "get disease", "get drug BRAF", "RIS", "search trial 2020"} {
				if strings.Contains(text, wrong) {
					t.Errorf("%q: %s", question, text)
				}
			}
		}
	}
	m, _ := Route("Which retracted papers are there on ivermectin?", testHere)
	if text := strings.Join(m[0].Commands[1], " "); strings.Contains(text, "--exclude-retracted") {
		t.Error(text)
	}
}
