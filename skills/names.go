package skills

import (
	"regexp"
	"strings"
)

// name is a kind of name that has a form by which it is known. Where the pattern has a group,
// that is the name, and the rest are words that come with it.
type name struct {
	place   string // in a command
	pattern func() *regexp.Regexp
}

// names are taken out of a question before ids of articles and symbols of genes.
var names = []name{
	{"variant", lazy(`\b(?:rs\d{3,}|[RSV]CV\d{6,}(?:\.\d+)?|CA\d{5,}|chr[\dXYM]{1,2}:g?\.?\d+[ACGT]*>[ACGT]+|` + // dbSNP, ClinVar, ClinGen, coordinates
		`N[CGMPR]_\d+(?:\.\d+)?(?:\([\w-]+\))?:(?:[cgmnp]\.[^\s,;?]+|\d+:[ACGT]*:[ACGT]*)|` + // HGVS, SPDI
		`[A-Z][A-Z0-9]{1,6} (?:mutation |variant |substitution )?(?:[cp]\.[^\s,;?]+|[A-Z]\d{1,5}(?:[A-Z*]|fs|del|dup|ins)\b))`)},
	{"nct", lazy(`\b(?i:NCT)\d{8}\b`)},
	{"disease", lazy(`\b(?:(?:MONDO|OMIM|ORPHA|MESH):\w+|C\d{7})\b`)},
	{"gene", lazy(`\b(?i:gene|geneid):? (\d{1,9})\b`)},
	{"age", lazy(`\b(?i:(\d{1,3})[- ]years?[- ]old|aged? (\d{1,3}))\b`)},
	{"location", lazy(`\bnear ([A-Z][\w'-]+(?:,? [A-Z][\w'-]+)*)`)},
	{"code", lazy(`\b(?i:cvx|code|cvx number):? (\d{1,3})\b`)},
}

var (
	// kindOfChange is what a change is called between its gene and its name.
	kindOfChange = lazy(` (?:mutation|variant|substitution) `)
	changeOfGene = lazy(`^([A-Z][A-Z0-9]{1,6}) `)
)

// take puts names of such forms into the question's values, and leaves their places
// in the text that it returns.
func (q question) take(text string) string {
	for _, n := range names {
		text = n.pattern().ReplaceAllStringFunc(text, func(found string) string {
			place := " <" + n.place + "> "
			if value := strings.Join(n.pattern().FindStringSubmatch(found)[1:], ""); value != "" {
				q.first(n.place, value)
				return strings.Replace(found, value, place, 1)
			}
			q.first(n.place, kindOfChange().ReplaceAllString(trim(found), " "))
			if gene := changeOfGene().FindStringSubmatch(found); gene != nil && n.place == "variant" {
				q.first("gene", gene[1])
				place = " <gene>" + place
			}
			return place
		})
	}
	return text
}

// settings are values of flags that words of a question ask for.
var settings = []struct {
	place, value string
	asked        func() *regexp.Regexp
}{
	{"assembly", "GRCh37", lazy(`(?i)\b(?:hg19|GRCh37|build 37)\b`)},
	{"list", "who-ivd", lazy(`(?i)\bprequalified\b`)},
}

// drug is a word that ends as international nonproprietary names do.
var drug = lazy(`\b[a-z]{2,}(?:mab|nib|ciclib|parib|rafenib|olol|pril|sartan|statin|gliptin|gliflozin|glutide|navir|gravir|buvir|mycin|cillin|oxacin|platin|taxel|` +
	`conazole|prazole|tecan|gatran|xaban|profen|sidenib|azepam|triptan|setron|dronate|vaptan|tinoin|rsen|lukast|parin|farin|rasib|thiazide|caftor|degib|mustine|rubicin|` +
	`cycline|poetin|tadine|dipine|formin|grel|oxetine|traline|azosin|barbital|caine|curium|dopa|fibrate|terol|tidine)\b`)

// first sets a value that has none.
func (q question) first(place, value string) {
	if q.values[place] == nil {
		q.set(place, value)
	}
}

// trim is a name without the marks of the sentence around it. It may have brackets
// itself, as a DOI and an HGVS name do.
func trim(s string) string {
	s = strings.TrimRight(s, ".?!:)")
	if strings.Count(s, "(") > strings.Count(s, ")") {
		s += ")"
	}
	return s
}
