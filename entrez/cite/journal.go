package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pattern"
)

var partOfWord = pattern.Lazy(`[^/-]+`) // Oncology/Hematology, Meta-Analysis

var placeAtEnd = pattern.Lazy(`\s*\([^()]*\)$`)

// smallWords are not capitalised in titles, in the languages of journals.
const smallWords = ` a an and as at but by en for from in into nor of on or per the to und via vs with
 da das de del dell della den der des di die do dos du e el et fur für la las le les los och og voor van y zur `

// journalTitle is the journal's name as it prints it, in title case (APA 9.25,
// MLA 2.90): "Briefings in bioinformatics" is "Briefings in Bioinformatics".
// NLM adds explanations ("Hypertension research : official journal of ...") and
// places ("Bioinformatics (Oxford, England)"), which are no part of the name.
// Words with capitals of their own (mBio, eLife) stay as they are.
func (w *work) journalTitle() string {
	title := line(w.Journal.Title)
	if title == "" {
		return w.journalAbbreviation()
	}
	if short := placeAtEnd().ReplaceAllString(title, ""); short != "" {
		title = short // first: "(Washington, D.C. : 1983)"
	}
	for _, sep := range []string{" : ", "; ", " = "} {
		title, _, _ = strings.Cut(title, sep)
	}
	title = strings.TrimSuffix(title, ".")
	words := strings.Split(title, " ")
	for i, word := range words {
		if i > 0 && strings.Contains(smallWords, " "+word+" ") || word == "npj" {
			continue
		}
		words[i] = partOfWord().ReplaceAllStringFunc(word, func(p string) string {
			if first, n := utf8.DecodeRuneInString(p); strings.IndexFunc(p, unicode.IsUpper) < 0 && unicode.IsLower(first) {
				return string(unicode.ToUpper(first)) + p[n:]
			}
			return p
		})
	}
	return strings.Join(words, " ")
}

// journalAbbreviation is the ISO abbreviation, else NLM's, else the name.
func (w *work) journalAbbreviation() string {
	for _, s := range []string{w.Journal.ISOAbbreviation, w.Journal.Abbreviation, w.Journal.Title} {
		if s = strings.TrimSuffix(line(s), "."); s != "" {
			return s
		}
	}
	return ""
}
