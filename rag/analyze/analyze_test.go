package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"biomcp/store"
)

// terms returns the tokens of a text as "term@position", separated by spaces.
func terms(text string) string {
	tokens, _ := New().Tokens(nil, text, 0)
	var s []string
	for _, t := range tokens {
		s = append(s, fmt.Sprintf("%s@%d", t.Term, t.Pos))
	}
	return strings.Join(s, " ")
}

func TestTermsAndPositionsOfText(t *testing.T) {
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
		{"CD8+ and Ca²⁺", "cd8@0 cd8+@0 ca2@2 ca2+@2 ca@2"},
		{"type II, Type-II and phase III", "type2@0 type@0 type2@1 type@1 phase3@3 phase@3"},
		{"grade I-III, phase I/II", "grade@0 1@1 3@2 phase@3 1@4 2@5"},
		{"grade 1-3, phase 1/2", "grade@0 1@1 3@2 phase@3 1@4 2@5"},
		{"TYPE I DIABETES OF THE YOUNG AND OLD", "type1@0 type@0 diabet@1 young@4 old@6"},
		{"chromosome X, iv, group C, type i and factor Xa", "chromosom@0 chromosomex@0 x@1 iv@2 group@3 groupc@3 c@4 type@5 i@6 factor@8 xa@9"},
		{"Groups: A+ and in+", "group@0 a@1 a+@1 in@3 in+@3"},
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
		{"p.E1317Q", "pe1317q@0 p@0 e1317q@1"},
		{"c.3949G>T 677C>T T>C", "c3949gt@0 c@0 3949g@1 t@2 677ct@3 677c@3 t@4 t@5 c@6"},
		{"HLA-B*57:01", "hlab5701@0 hla@0 b5701@1"},
		{"5-HT2A", "5ht2a@0 5@0 ht2a@1"},
		{"BRAFV600E-mutant", "brafv600emutant@0 braf@0 brafv600e@0 v600e@1 mutant@2"},
		{"BRCA1/2 MMP-2/9", "brca12@0 brca1@0 2@1 brca2@1 mmp29@2 mmp2@2 mmp@2 9@3 mmp9@3"},
		{"ERK1/2-mediated", "erk12mediated@0 erk1@0 2@1 erk2@1 mediat@2"},
		{"SMAD2/3/4", "smad23@0 smad2@0 3@1 smad3@1 4@2 smad4@2"},
		{"05/06/2020, 120/80 and T1/2", "05@0 06@1 2020@2 120@3 80@4 t12@6 t1@6 2@7"},
		{"sensitivity-0.5 10mg/5ml", "sensitivity0.5@0 sensit@0 0.5@1 10mg5ml@2 10mg@2 5ml@3"},
		{"COVID19 caspase3 BRCA1 5mg", "covid19@0 covid@0 caspase3@1 caspas@1 brca1@2 5mg@3"},
		{"TMEM16A JAK2V617F il17a", "tmem16a@0 tme@0 m16a@1 jak2v617f@2 jak2@2 v617f@3 il17a@4"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := terms(c.text); got != c.want {
				t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

// A superscript or subscript is a separate part if it begins with a letter;
// numbers and charges belong to the word before, as in plain text.
func TestSuperscriptsAndSubscripts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"BRAFⱽ⁶⁰⁰ᴱ", "brafv600e@0 braf@0 v600e@1"},
		{"BRAFⱽ⁶⁰⁰ᴱ-mutant", "brafv600emutant@0 braf@0 brafv600e@0 v600e@1 mutant@2"},
		{"PrPˢᶜ and Cₘₐₓ", "prpsc@0 prp@0 sc@1 cmax@3 c@3 max@4"},
		{"CO₂ CO(2) CO2", "co2@0 co2@1 co2@2"},
		{"H₂O Fe₃O₄ EC₅₀ 5-HT(2A)", "h2o@0 fe3o4@1 ec50@2 5ht2a@3 5@3 ht2a@4"},
		{"Ca²⁺ Ca2+ Ca(2+)", "ca2@0 ca2+@0 ca@0 ca2@1 ca2+@1 ca@1 ca2@2 ca2+@2 ca@2"},
		{"CD8⁺ CD8(+) CD8+", "cd8@0 cd8+@0 cd8@1 cd8+@1 cd8@2 cd8+@2"},
		{"Na⁺/K⁺-ATPase", "nakatpas@0 na@0 na+@0 k@1 k+@1 atpas@2 atpase@2"},
		{"10⁶ 10^6 10(6)", "106@0 106@1 106@2"},
		{"kg/m² kg/m^2 kg/m(2)", "kgm2@0 kg@0 m2@1 kgm2@2 kg@2 m2@3 kgm2@4 kg@4 m2@5"},
		{"PM₂.₅ PM2.5 PM(2.5) PM 2.5", "pm2.5@0 pm2.5@1 pm2.5@2 pm2.5@3 pm@3"},
		{"Nav1.5, seen in p53. 2 of", "nav1.5@0 seen@1 p53@3 2@4"},
		{"T½ t_(1/2) T(1/2) t1/2", "t12@0 t1@0 2@1 t12@2 t1@2 2@3 t12@4 t1@4 2@5 t12@6 t1@6 2@7"},
		{"2½", "2@0 1@1 2@2"},
		{"¹³¹I 131I I-131 I 131 (131)I", "131i@0 131i@1 131i@2 131i@3 131i@4"},
		{"⁹⁹ᵐTc-MDP", "99mtcmdp@0 99m@0 99mtc@0 tc@1 mdp@2"},
		{"O₂ 18ᵗʰ 18th", "o2@0 18th@1 18th@2"},
		{"K_(d) Kd", "kd@0 kd@1"},
		{"x^(a,b)", "xa@0 b@1"},
		{"bla_(OXA-48)", "blaoxa48@0 bla@0 oxa48@1 oxa@1"},
		{"VO₂ₘₐₓ SiO₂thin", "vo2max@0 vo2@0 max@1 sio2thin@2 sio2@2 thin@3"},
		{"chi² log₁₀ α₁-acid", "chi2@0 chi@0 log10@1 log@1 alpha1acid@2 alpha1@2 alpha@2 acid@3"},
		{"TGFᵝ", "tgfbeta@0 tgf@0 beta@1"},
		{"patients(3) (n=3) a(b)", "patients3@0 patient@0 n@1 3@2 b@4"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := terms(c.text); got != c.want {
				t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

// Every rune of Unicode, alone and next to a word and a superscript. Runes of the
// superscript blocks without a compatibility mapping (U+2072, U+1D2F) once
// recursed until the stack overflowed, which no caller can recover from.
func TestEveryRuneGivesValidTerms(t *testing.T) {
	a := New()
	for r := range rune(unicode.MaxRune + 1) {
		if plane := r >> 16; plane > 3 && plane != 14 {
			continue // no characters, or private ones
		}
		for _, s := range []string{string(r), "10" + string(r), "BRAF" + string(r) + "x", "¹" + string(r) + "²"} {
			tokens, end := a.Tokens(nil, s, 0)
			for _, tok := range tokens {
				if tok.Term == "" || tok.Pos >= end || !utf8.ValidString(tok.Term) {
					t.Fatalf("U+%04X in %q: term %q at %d of %d", r, s, tok.Term, tok.Pos, end)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"10\u2072": "10@0", "10\u2073": "10@0", "10\u208f": "10@0", // not assigned: spaces
		"ᴯ ᴻ": "ᴯ@0 ᴻ@1", "Cᵎ": "cᵎ@0", // letters without a compatibility mapping
	} {
		t.Run(text, func(t *testing.T) {
			if got := terms(text); got != want {
				t.Errorf("%q is %s, want %s", text, got, want)
			}
		})
	}
}

func TestSpellingsAndInflectionsHaveOneStem(t *testing.T) {
	var s stemmer
	for _, group := range []string{
		"metastasis metastases", "diagnosis diagnoses diagnosed", "analysis analyses analysed analyzed", "hypothesis hypotheses",
		"tumor tumour tumors tumours", "oedema edema", "haemorrhage hemorrhage", "leukaemia leukemia", "anaemia anemia",
		"paediatric pediatric", "oesophageal esophageal", "foetal fetal", "diarrhoea diarrhea", "anaesthesia anesthesia",
		"randomised randomized", "hospitalisation hospitalization", "fibre fiber", "behavioural behavioral",
		"bacterium bacteria", "thrombus thrombi", "nucleus nuclei", "fungus fungi", "epithelium epithelial", "therapy therapies",
		"biopsy biopsies", "virus viruses", "kinase kinases", "disease diseases",
	} {
		t.Run(group, func(t *testing.T) {
			words := strings.Fields(group)
			for _, w := range words[1:] {
				if a, b := s.stem(words[0]), s.stem(w); a != b {
					t.Errorf("%s is %s but %s is %s", words[0], a, w, b)
				}
			}
		})
	}
	for _, pair := range []string{"party part", "disease diet", "exercise exert", "virus viral", "stenosis stent"} {
		t.Run(pair, func(t *testing.T) {
			a, b, _ := strings.Cut(pair, " ")
			if s.stem(a) == s.stem(b) {
				t.Errorf("%s and %s share the stem %s", a, b, s.stem(a))
			}
		})
	}
}

// A query with any spelling of a name matches a text with any other spelling.
func TestSpellingsOfANameMatchEachOther(t *testing.T) {
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
		{"COVID-19", "COVID 19", "covid19", "COVID"},
		{"BRCA2", "BRCA1/2", "brca 2", "BRCA-1/2"},
		{"caspase-3", "caspase3", "caspase 3", "caspases"},
		{"follow-up", "followup", "Follow-Up"},
		{"5 mg", "5mg", "5-mg"},
		{"APOE", "ApoE", "apoe"},
		{"AIDS", "aids"},
		{"BRAFⱽ⁶⁰⁰ᴱ", "BRAFV600E", "BRAF V600E", "BRAF(V600E)", "BRAF^(V600E)", "brafv600e"},
		{"BRAFⱽ⁶⁰⁰ᴱ-mutant", "BRAFV600E", "BRAF", "BRAFV600E-positive"},
		{"JAK2V617F", "JAK2 V617F", "V617F", "jak2(V617F)"},
		{"p.E1317Q", "E1317Q"},
		{"c.3949G>T", "3949G>T"},
		{"HLA-B*57:01", "HLA-B*5701", "HLA B*57:01", "HLA-B(*)57:01"},
		{"β2-microglobulin", "β₂-microglobulin", "beta-2-microglobulin", "beta2-microglobulin", "beta 2-microglobulin", "beta(2)-microglobulin"},
		{"5-HT2A", "5-HT₂A", "5-HT(2A)", "5HT2A"},
		{"IFN-γ", "IFNγ", "IFN gamma", "IFN-gamma", "IFN(gamma)"},
		{"17β-estradiol", "17beta-oestradiol", "17 beta-estradiol", "estradiol"},
		{"α1-antitrypsin", "alpha-1-antitrypsin", "alpha1-antitrypsin", "alpha(1)-antitrypsin", "α₁-antitrypsin"},
		{"¹³¹I", "131I", "I-131", "(131)I"},
		{"⁹⁹ᵐTc", "99mTc", "Tc-99m", "(99m)Tc"},
		{"PM₂.₅", "PM2.5", "PM 2.5", "PM-2.5"},
	} {
		t.Run(strings.Join(group, " "), func(t *testing.T) {
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
						t.Errorf("the query %q does not match %q", query, text)
					}
				}
			}
		})
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

// The article "a" and the pronoun "i" of a query are not part of a name, unless a word whose
// names have letters precedes them.
func TestALoneLetterOfAQueryJoinsNoNeighbour(t *testing.T) {
	for query, want := range map[string][]string{
		"vitamin D exerts a protective effect": {"vitamin", "vitamind", "d", "exert", "", "protect", "effect"},
		"should i take aspirin":                {"", "", "take", "aspirin"},
		"exerts A":                             {"exert", "exertsa", "a"},
		"hepatitis a outbreak":                 {"hepat", "hepatitisa", "", "outbreak"},
		"vitamin d and t cell":                 {"vitamin", "vitamind", "d", "", "t", "tcell", "cell"},
	} {
		t.Run(query, func(t *testing.T) {
			var got []string
			for _, u := range New().Query(query) {
				got = append(got, bag(u)...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		})
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{"TNF-α (p<.05) 5'-UTR's", "A*02:01+-/_.", "\x01\xff\u0300ΑΒΓ", "1,200.5.6-7 mg", "αβγδ α\x01β", strings.Repeat("a-", 40), "BRAFⱽ⁶⁰⁰ᴱ-x^(2+)_(₂ₘₐₓ)²½(131)I ᵝ(1/2)\x02", "10\u2072", "a\u2073\u208f", "ᴯᴻᵎ²ᴯ", ":A+ in+ why+", strings.Repeat("l", 300) + "-a"} {
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
		if !slices.EqualFunc(tokens, again, func(x, y store.Token) bool { return x.Term == y.Term && x.Pos == y.Pos }) {
			t.Fatalf("a warm cache changes %v to %v", tokens, again)
		}
		// Every term of a text used as a query is among the terms of the text.
		for _, u := range a.Query(s) {
			if u.Term != "" && !have[u.Term] {
				t.Fatalf("the query's %q is not among the text's %v", u.Term, tokens)
			}
		}
	})
}
