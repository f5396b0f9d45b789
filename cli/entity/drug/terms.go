package drug

import (
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
	"biomcp/entrez/resolve"
)

// Kinds of terms.
const kindName, kindBrand, kindClass = "name", "brand", "class"

// termsOf returns the texts by which the label of reader may name a drug: its name, its ingredients, its salts, its
// brands and its classes. The label of reader uses a class of both drugs for reader itself, so that it names
// the drug only by "other" and the class.
func termsOf(s, reader *side) (terms []term) {
	d := s.drug
	has := func(text string) bool {
		return slices.ContainsFunc(terms, func(t term) bool { return resolve.Fold(t.Text) == resolve.Fold(text) })
	}
	add := func(text, kind, source string) {
		if text != "" && !has(text) {
			terms = append(terms, term{text, kind, source})
		}
	}
	source := "RxNorm"
	if d.RxCUI == nil {
		source = "MeSH"
	}
	add(d.text(), kindName, source)
	for _, i := range d.ingredients {
		add(i.Name, kindName, source)
	}
	for _, n := range d.Synonyms {
		if _, is := firstTerm(n, terms); !is { // valproic acid for valproate, but not warfarin sodium for warfarin
			add(n, kindName, source)
		}
	}
	for _, b := range d.Brands {
		add(b, kindBrand, source)
	}
	own := reader.classTerms()
	for _, c := range s.classTerms() {
		if slices.ContainsFunc(own, func(o term) bool { return words(o.Text, "") == words(c.Text, "") }) {
			c.Text, c.Source = "other "+c.Text, c.Source+", of both"
		}
		add(c.Text, kindClass, c.Source)
	}
	return terms
}

// classTerms returns the classes of a drug that labels use as names of drugs: those in RxClass with the words that
// labels use for them, and the class that its own label gives.
func (s *side) classTerms() (terms []term) {
	add := func(text, source string) {
		terms = append(terms, term{text, kindClass, source})
		for _, w := range labelWords()[words(text, "")] {
			terms = append(terms, term{w, kindClass, "labels' word for " + text})
		}
	}
	for _, c := range s.classes {
		if c.Type == "EPC" || c.Type == "MOA" || c.Type == "ATC1-4" {
			add(c.Name, "RxClass "+c.Type)
		}
	}
	if own := ownClass(s.label); own != "" {
		add(own, "label of "+s.drug.Name)
	}
	return terms
}

// labelWords maps the folded name of a class in RxClass to words that labels use for its drugs.
var labelWords = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"nonsteroidal antiinflammatory drug":              {"NSAID"},
		"serotonin reuptake inhibitor":                    {"SSRI"},
		"serotonin and norepinephrine reuptake inhibitor": {"SNRI"},
		"monoamine oxidase inhibitor":                     {"MAOI"},
		"angiotensin converting enzyme inhibitor":         {"ACE inhibitor"},
		"angiotensin 2 receptor blocker":                  {"angiotensin II receptor blocker", "ARB"},
		"betaadrenergic blocker":                          {"beta-blocker"},
		"hmgcoa reductase inhibitor":                      {"statin"},
		"proton pump inhibitor":                           {"PPI"},
		"histamine2 receptor antagonist":                  {"H2-receptor antagonist", "H2 blocker"},
		"phosphodiesterase 5 inhibitor":                   {"PDE5 inhibitor"},
		"nitrate vasodilator":                             {"nitrate"},
		"opioid agonist":                                  {"opioid", "CNS depressant"},
		"benzodiazepine":                                  {"CNS depressant"},
		"vitamin k antagonist":                            {"anticoagulant"},
		"factor xa inhibitor":                             {"anticoagulant"},
		"direct thrombin inhibitor":                       {"anticoagulant"},
		"platelet aggregation inhibitor":                  {"antiplatelet"},
		"p2y12 platelet inhibitor":                        {"antiplatelet"},
		"antiepileptic agent":                             {"antiepileptic", "anticonvulsant"},
		"atypical antipsychotic":                          {"antipsychotic"},
		"macrolide antimicrobial":                         {"macrolide"},
		"quinolone antimicrobial":                         {"fluoroquinolone"},
	}
})

// classPhrase matches what a label says that its drug is: "is an oral anticoagulant".
var classPhrase = pattern.Lazy(`(?i)\b(?:is|are) an? (?:(?:oral|novel|potent|selective|synthetic|injectable|new) )*` +
	`((?:[a-z0-9-]+ ){0,5}(?:[a-z]*(?:inhibitor|agonist|antagonist|blocker|coagulant|bacterial|fungal|viral|antibiotic|` +
	`antibody|analgesic|diuretic|steroid|opioid|benzodiazepine|depressant|psychotic|convulsant)))s?\b`)

// ownClass returns the class that a label gives its drug in the indications or the description, or "".
func ownClass(label foundLabel) string {
	if label.Label == nil {
		return ""
	}
	for _, loinc := range []string{"34067-9", "34089-3"} {
		s, _ := label.Section(loinc)
		if m := classPhrase().FindStringSubmatch(s.Text); m != nil {
			return m[1]
		}
	}
	return ""
}

// firstTerm returns the first of terms that a sentence has as whole words.
func firstTerm(text string, terms []term) (term, bool) {
	for _, hyphen := range []string{" ", ""} {
		folded := " " + words(text, hyphen) + " "
		for _, t := range terms {
			if w := words(t.Text, hyphen); w != "" && strings.Contains(folded, " "+w+" ") {
				return t, true
			}
		}
	}
	return term{}, false
}

// words returns the words of a text in lower case and in the singular, without marks such as "TM", and "other" for
// "another". hyphen replaces hyphens: labels write "anti-inflammatory" and "aspirin-containing".
func words(text, hyphen string) string {
	text = hyphens().ReplaceAllString(marks().ReplaceAllString(text, " "), hyphen)
	all := strings.Fields(record.FoldName(text))
	for i, w := range all {
		if w == "another" {
			w, all[i] = "other", "other"
		}
		if stem, is := strings.CutSuffix(w, "ies"); is && len(w) > 5 {
			all[i] = stem + "y"
		} else if len(w) > 3 && !strings.HasSuffix(w, "ss") {
			all[i] = strings.TrimSuffix(w, "s")
		}
	}
	return strings.Join(all, " ")
}

var (
	hyphens = pattern.Lazy(`[-\x{2010}-\x{2013}]`)
	marks   = pattern.Lazy(`[™℠®]`) // which FoldName would write out: "advilTM"
)
