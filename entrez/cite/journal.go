package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pattern"
)

var partOfWord = pattern.Lazy(`[^/-]+`) // Oncology/Hematology, Meta-Analysis

var placeAtEnd = pattern.Lazy(`\s*\([^()]*\)$`)

// smallWords lists the words that stay in lower case in titles, in the languages of journals.
const smallWords = ` a an and as at but by en for from in into nor of on or per the to und via vs with
 da das de del dell della den der des di die do dos du e el et fur für la las le les los och og voor van y zur `

// journalTitle returns the journal's name in title case (APA 9.25, MLA 2.90): "Briefings in
// bioinformatics" becomes "Briefings in Bioinformatics". It removes the explanations that NLM adds
// ("Hypertension research : official journal of ...") and places ("Bioinformatics (Oxford,
// England)"). It does not change words that contain capitals (mBio, eLife).
func (w *work) journalTitle() string {
	title := oneLine(w.Journal.Title)
	if title == "" {
		return w.journalAbbreviation()
	}
	if short := placeAtEnd().ReplaceAllString(title, ""); short != "" {
		title = short // before the cut below, since a place may contain " : " as in "(Washington, D.C. : 1983)"
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
			first, n := utf8.DecodeRuneInString(p)
			if strings.ContainsFunc(p, unicode.IsUpper) || !unicode.IsLower(first) {
				return p
			}
			return string(unicode.ToUpper(first)) + p[n:]
		})
	}
	return strings.Join(words, " ")
}

// journalAbbreviation returns the ISO abbreviation, or else NLM's, or else the name.
func (w *work) journalAbbreviation() string {
	for _, s := range []string{w.Journal.ISOAbbreviation, w.Journal.Abbreviation, w.Journal.Title} {
		if s = strings.TrimSuffix(oneLine(s), "."); s != "" {
			return s
		}
	}
	return ""
}
