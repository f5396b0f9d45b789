package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// terms is the text as "term@position" words.
func terms(text string) string {
	tokens, _ := New().Tokens(nil, text, 0)
	var s []string
	for _, t := range tokens {
		s = append(s, fmt.Sprintf("%s@%d", t.Term, t.Pos))
	}
	return strings.Join(s, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \n.-+*'", ""},
		{"The quality of life", "qualiti@1 life@3"},
		{"IL-6 IL6 IL 6", "il6@0 il@0 il6@1 il6@2 il@2"},
		{"BRCA1, p53 and KRAS", "brca1@0 p53@1 kras@3"},
		{"TNF-α", "tnfalpha@0 tnf@0 alpha@1"},
		{"TNF-alpha", "tnfalpha@0 tnf@0 alpha@1"},
		{"TNFα", "tnfalpha@0 tnf@0 alpha@1"},
		{"TNFalpha", "tnfalpha@0 tnf@0 alpha@1"},
		{"TNF alpha", "tnf@0 alpha@1"},
		{"IL-1β", "il1beta@0 il1@0 il@0 beta@1"},
		{"IL1beta", "il1beta@0 il1@0 beta@1"},
		{"NF-κB", "nfkappab@0 nf@0 kappa@1 b@2"},
		{"NF-kappaB", "nfkappab@0 nf@0 kappa@1 b@2"},
		{"αβ T cells", "alphabeta@0 alpha@0 beta@1 betat@1 t@2 tcell@2 cell@3"},
		{"β-blockers", "betablock@0 beta@0 blocker@1"},
		{"betablocker", "betablock@0 beta@0 blocker@1"},
		{"betaine alphabet", "betain@0 alphabet@1"},
		{"HLA-A*02:01", "hlaa0201@0 hla@0 a0201@1"},
		{"HLA-A*0201", "hlaa0201@0 hla@0 a0201@1"},
		{"SARS-CoV-2", "sarscov2@0 sar@0 sars@0 cov2@1 cov@1"},
		{"CD8+ and Ca²⁺", "cd8@0 cd8+@0 ca2@2 ca2+@2"},
		{"CD4+CD25+ cells", "cd4cd25@0 cd4@0 cd4+@0 cd25@1 cd25+@1 cell@2"},
		{"p.V600E", "pv600e@0 p@0 v600e@1"},
		{"vitamin A", "vitamin@0 vitamina@0 a@1"},
		{"A vitamin", "vitamin@1"},
		{"T-cell", "tcell@0 t@0 cell@1"},
		{"T cell", "t@0 tcell@0 cell@1"},
		{"5 mg, 5mg and 5-mg", "5mg@0 5mg@1 5mg@3"},
		{"12-month 12 months", "12month@0 month@0 12month@1 month@1"},
		{"5-10 mg/kg", "5@0 10mgkg@1 10mg@1 kg@2"},
		{"1,200 patients; p<.05; 0·05; 1,2", "1200@0 patient@1 p@2 0.05@3 0.05@4 1@5 2@6"},
		{"type 2 diabetes", "type2@0 type@0 diabet@1"},
		{"group 1-3, 50% of 40 rats", "group@0 1@1 3@2 50@3 40@5 rat@6"},
		{"Alzheimer's, patients' and 5'-UTR", "alzheim@0 patient@1 5utr@3 utr@3"},
		{"U.S. i.v.", "us@0 iv@1"},
		{"who knows the WHO", "who@0 know@1 who@3"},
		{"naïve Sjögren ﬁbrosis Ｍg", "naiv@0 sjogren@1 fibros@2 mg@3"},
		{"癌症 治療", "癌@0 症@1 治@2 療@3"},
		{"λόγος", "λογος@0"},
		{"µg μmol 𝛼", "ug@0 umol@1 alpha@2"},
		{"XARELTO™ co\u00adoperate", "xarelto@0 cooper@1"},
	} {
		if got := terms(c.text); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// Words that a reader takes for the same have one stem.
func TestSameStem(t *testing.T) {
	var s stemmer
	for _, group := range []string{
		"metastasis metastases", "diagnosis diagnoses diagnosed", "analysis analyses analysed analyzed", "hypothesis hypotheses",
		"tumor tumour tumors tumours", "oedema edema", "haemorrhage hemorrhage", "leukaemia leukemia", "anaemia anemia",
		"paediatric pediatric", "oesophageal esophageal", "foetal fetal", "diarrhoea diarrhea", "anaesthesia anesthesia",
		"randomised randomized", "hospitalisation hospitalization", "fibre fiber", "behavioural behavioral",
		"bacterium bacteria", "thrombus thrombi", "nucleus nuclei", "fungus fungi", "epithelium epithelial", "therapy therapies",
		"biopsy biopsies", "virus viruses", "kinase kinases", "disease diseases",
	} {
		words := strings.Fields(group)
		for _, w := range words[1:] {
			if a, b := s.of(words[0]), s.of(w); a != b {
				t.Errorf("%s is %s but %s is %s", words[0], a, w, b)
			}
		}
	}
	for _, pair := range []string{"party part", "disease diet", "exercise exert", "virus viral", "stenosis stent"} {
		a, b, _ := strings.Cut(pair, " ")
		if s.of(a) == s.of(b) {
			t.Errorf("%s and %s share the stem %s", a, b, s.of(a))
		}
	}
}

// Every spelling of a name finds a text with any other.
func TestSpellingsMeet(t *testing.T) {
	for _, group := range [][]string{
		{"IL-6", "IL6", "IL 6", "il-6", "il6", "il 6"},
		{"TNF-α", "TNFα", "TNF alpha", "TNFalpha", "tnf-alpha"},
		{"beta-blocker", "beta blocker", "betablocker", "β-blockers", "β blocker"},
		{"NF-κB", "NF-kappaB", "NF kappa B"},
		{"NF-κB", "NF-kappaB", "NFkappaB"},
		{"SARS-CoV-2", "SARS CoV 2", "sars cov-2"},
		{"HLA-A*02:01", "HLA-A*0201", "HLA-A0201", "HLA A0201"},
		{"vitamin B12", "vitamin B-12", "vitamin b 12"},
		{"T-cell", "T cells", "Tcell"},
		{"COVID-19", "COVID 19", "covid19"},
		{"follow-up", "followup", "Follow-Up"},
		{"5 mg", "5mg", "5-mg"},
		{"APOE", "ApoE", "apoe"},
		{"AIDS", "aids"},
	} {
		for _, text := range group {
			tokens, _ := New().Tokens(nil, text, 0)
			for _, query := range group {
				found := false
				for _, u := range New().Query(query) {
					for _, tok := range tokens {
						found = found || slices.Contains(bag(u), tok.Term) && len(tok.Term) > 1
					}
				}
				if !found {
					t.Errorf("%q does not find %q", query, text)
				}
			}
		}
	}
}

func bag(u Unit) []string {
	all := append([]string{u.Term}, u.Alts...)
	for _, p := range u.Parts {
		all = append(all, bag(p)...)
	}
	return all
}

func TestQuestionWordsAreLeftOut(t *testing.T) {
	var got []string
	for _, u := range New().Query("Does vitamin a help? WHO asks who could") {
		got = append(got, bag(u)...)
	}
	if want := []string{"", "vitamin", "vitamina", "", "help", "who", "ask", "", ""}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{"TNF-α (p<.05) 5'-UTR's", "A*02:01+-/_.", "\x01\xff\u0300ΑΒΓ", "1,200.5.6-7 mg", "αβγδ α\x01β", strings.Repeat("a-", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := New()
		tokens, end := a.Tokens(nil, s, 7)
		last := uint32(7)
		have := map[string]bool{}
		for _, tok := range tokens {
			if tok.Term == "" || len(tok.Term) > maxAtom || !utf8.ValidString(tok.Term) || strings.ContainsAny(tok.Term, " \x00\x01\n") {
				t.Fatalf("bad term %q", tok.Term)
			}
			if tok.Pos < last && tok.Pos+maxElements < last || tok.Pos >= end {
				t.Fatalf("%q at %d after %d, end %d", tok.Term, tok.Pos, last, end)
			}
			last = tok.Pos
			have[tok.Term] = true
		}
		again, _ := a.Tokens(nil, s, 7)
		if !slices.Equal(tokens, again) {
			t.Fatalf("a warm cache changes %v to %v", tokens, again)
		}
		// A text, asked as a query, is found by each of its words.
		for _, u := range a.Query(s) {
			if u.Term != "" && !have[u.Term] {
				t.Fatalf("the query's %q is not among the text's %v", u.Term, tokens)
			}
		}
	})
}
