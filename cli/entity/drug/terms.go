package drug

import (
	"slices"
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
	"biomcp/entrez/resolve"
)

// Kinds of terms.
const kindName, kindBrand, kindClass = "name", "brand", "class"

// termsOf returns the texts by which a label may name a drug: its name, its ingredients, its brands and
// its classes. A class that reader has too is omitted, because its label names it for reader.
func termsOf(d *Drug, label foundLabel, reader *Drug) (terms []term) {
	add := func(text, kind, source string) {
		same := func(t term) bool { return resolve.Fold(t.Text) == resolve.Fold(text) }
		if text != "" && !slices.ContainsFunc(terms, same) {
			terms = append(terms, term{text, kind, source})
		}
	}
	source, names := "RxNorm", []string{d.text()} // a salt begins with the name
	if d.RxCUI == nil {
		source, names = "MeSH", append(names, d.Synonyms...)
	}
	for _, n := range names {
		add(n, kindName, source)
	}
	for _, i := range d.ingredients {
		add(i.Name, kindName, source)
	}
	for _, b := range d.Brands {
		add(b, kindBrand, source)
	}
	own := classNames(reader)
	for _, c := range append(classNames(d), ownClass(d, label)) {
		if c.Text == "" || slices.ContainsFunc(own, func(o term) bool { return words(o.Text, "") == words(c.Text, "") }) {
			continue
		}
		add(c.Text, kindClass, c.Source)
		add(abbreviations[words(c.Text, "")], kindClass, "abbreviation of "+c.Text)
	}
	return terms
}

// classNames returns the classes of a drug in RxClass that labels use as names of drugs.
func classNames(d *Drug) (names []term) {
	for _, c := range d.Classes.Value {
		if c.Type == "EPC" || c.Type == "MOA" || c.Type == "ATC1-4" {
			names = append(names, term{c.Name, kindClass, "RxClass " + c.Type})
		}
	}
	return names
}

// abbreviations maps the folded name of a class to the abbreviation that labels use.
var abbreviations = map[string]string{
	"nonsteroidal antiinflammatory drug":      "NSAID",
	"serotonin reuptake inhibitor":            "SSRI",
	"monoamine oxidase inhibitor":             "MAOI",
	"angiotensin converting enzyme inhibitor": "ACE inhibitor",
	"hmgcoa reductase inhibitor":              "statin",
	"proton pump inhibitor":                   "PPI",
}

// classPhrase matches what a label says that its drug is: "is an oral anticoagulant".
var classPhrase = pattern.Lazy(`(?i)\b(?:is|are) an? (?:(?:oral|novel|potent|selective|synthetic|injectable|new) )*` +
	`((?:[a-z0-9-]+ ){0,5}(?:[a-z]*(?:inhibitor|agonist|antagonist|blocker|coagulant|bacterial|fungal|viral|antibiotic|` +
	`antibody|analgesic|diuretic|steroid|opioid|benzodiazepine|depressant|psychotic|convulsant)))s?\b`)

// ownClass returns the class that a label gives its drug in the indications or the description.
func ownClass(d *Drug, label foundLabel) term {
	if label.Label == nil {
		return term{}
	}
	for _, loinc := range []string{"34067-9", "34089-3"} {
		s, _ := label.Section(loinc)
		if m := classPhrase().FindStringSubmatch(s.Text); m != nil {
			return term{m[1], kindClass, "label of " + d.Name}
		}
	}
	return term{}
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

// words returns the words of a text in lower case and in the singular. hyphen replaces hyphens: labels
// write "anti-inflammatory" and "aspirin-containing".
func words(text, hyphen string) string {
	all := strings.Fields(record.FoldName(hyphens().ReplaceAllString(text, hyphen)))
	for i, w := range all {
		if stem, is := strings.CutSuffix(w, "ies"); is && len(w) > 5 {
			all[i] = stem + "y"
		} else if len(w) > 3 && !strings.HasSuffix(w, "ss") {
			all[i] = strings.TrimSuffix(w, "s")
		}
	}
	return strings.Join(all, " ")
}

var hyphens = pattern.Lazy(`[-\x{2010}-\x{2013}]`)
