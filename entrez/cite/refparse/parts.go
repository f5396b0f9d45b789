package refparse

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

var (
	number = pattern.Lazy(`^\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}[.)])\s+`) // number in a reference list
	doi    = pattern.Lazy(`(?i)(?:https?://[^\s]*?)?(?:\bdoi:?\s*)?\b(10\.\d{4,9}/[^\s"]+)`)
	pmid   = pattern.Lazy(`(?i)(?:\b(?:PMID|PubMed(?: PM)? ?ID|PubMed:)[:;=#\s-]*|(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov|` +
		`(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed)/)(\d{1,8})\b[/;]?`)
	pmcid  = pattern.Lazy(`(?i)(?:\bPMCID[:;=#\s-]*|https?://\S*?)?\b(PMC ?\d{1,9})\b(?:\.\d+)?[/;]?`)
	link   = pattern.Lazy(`(?i)(?:\bAvailable (?:from|at):?\s*)?\bhttps?://\S+`)
	remark = pattern.Lazy(`(?i)\b(?:(?:Epub|eCollection)\s+(?:ahead of print|` + anyYear +
		`(?:[ -][A-Za-z0-9]+)*)[.;]?|(?:Print|Online)\s+(?:ahead of print|` + anyYear + `[ -]` + monthName +
		`\w*(?:-` + monthName + `\w*)?(?: \d{1,2})?\b)[.;]?|Accessed (?:on )?(?:(?:\d{1,2} )?` + monthName +
		`[^.]{0,12}?\b` + anyYear + `|` + anyYear + `-\d\d?-\d\d?|\d\d?/\d\d?/\d{2,4})\b\.?)` +
		`|\[(?:preprint|internet|(?:e-?pub|updated|cited)[^\]]*)\]`)
	// lateRemark matches the beginnings of remarks that titles can also contain, so that they only count after the
	// locator.
	lateRemark = pattern.Lazy(`(?i)\b(?:(?:Print|Online)\s+` + anyYear + `[.;]?\s*$|(?:Erratum|Correction|` +
		`Retraction|Comment|Expression of concern|Update|Republished|Corrected and republished|` +
		`Retracted and republished) (?:in|on|of|for|from):)`)
	quotedTitle   = pattern.Lazy(`"([^"]{4,}[.,?!])"(?:\s|$)`)
	initialsForm  = pattern.Lazy(`^\p{Lu}{1,4}$`)
	family        = `\p{L}[\p{L}'’ -]*`
	nlmNames      = pattern.Lazy(`^` + family + ` \p{Lu}{1,4}(?: (?:Jr|Sr|2nd|3rd|4th|II|III|IV))?(?:[,;]|$)|\bet al$`)
	dottedNames   = pattern.Lazy(`^(?:` + family + `, (?:\p{Lu}\.[ -]?)+(?:,? ?(?:&|and) |[,;] )?)+(?:et al\.?)?`)
	initialsFirst = pattern.Lazy(`^(?:(?:\p{Lu}\.[ -]?)+` + family + `(?:\.?, (?:(?:and|&) )?|,? (?:and|&) ))+`) // C. C. Lerro, A. Smith,
	// singleQuoted matches a title in single quotes, after the authors or their year.
	singleQuoted = pattern.Lazy(`([.,)]\s+|^)‘(.+?)’[,.]\s`)
	sentence     = pattern.Lazy(`[.?!]["')\]]*\s+`)
	addedToTitle = pattern.Lazy(`(?i)^[\s"'“‘{]*(?:(?:RETRACTED|WITHDRAWN)(?: ARTICLE| PAPER)?:\s|\[Untitled\])`)
	preprintID   = pattern.Lazy(`\s\((?:\d{4}\.\d\d\.\d\d\.)?\d{5,}(?:v\d+)?\)$`) // APA
	// preprintServer matches the names of preprint servers: bioRxiv, arXiv, ChemRxiv
	preprintServer = pattern.Lazy(`(?i)rxiv\b|^(?:Research Square|Res Sq|Preprints|SSRN|OSF Preprints|Authorea)\b`)
	inBook         = pattern.Lazy(`[.?!]["')\]]*\s+In:\s+`)                     // NLM
	inEdited       = pattern.Lazy(`[.?!]["')\]]*\s+In\s[^()]{2,200}\(Eds?\.\)`) // APA
)

// normalize replaces typographic quotes and hyphens with ASCII, and removes asterisks and the
// number of the line in its list.
func normalize(line string) string {
	line = singleQuoted().ReplaceAllString(line, `$1"$2," `)
	line = punctuation().Replace(line)
	return number().ReplaceAllString(line, "")
}

var punctuation = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "’", "'", "‘", "'",
		"–", "-", "—", "-", "‐", "-", "‑", "-", "*", "", "\u00a0", " ")
})

// identifiers sets the identifiers in line, and returns line without them and without remarks.
func (r *Reference) identifiers(line string) string {
	for _, id := range []struct {
		form  func() *regexp.Regexp
		field *string
	}{{pmid, &r.PMID}, {pmcid, &r.PMCID}, {doi, &r.DOI}} {
		if m := id.form().FindStringSubmatch(line); m != nil {
			*id.field = m[1]
			line = id.form().ReplaceAllString(line, " ")
		}
	}
	if digits := strings.TrimSpace(strings.TrimPrefix(strings.ToUpper(r.PMCID), "PMC")); digits != "" {
		r.PMCID = "PMC" + digits
	}
	r.DOI = strings.TrimRight(r.DOI, ".,;:'>]}")
	if strings.HasSuffix(r.DOI, ")") && strings.Count(r.DOI, "(") < strings.Count(r.DOI, ")") {
		r.DOI = strings.TrimRight(r.DOI, ").,")
	}
	line = withoutLateRemark(remark().ReplaceAllString(link().ReplaceAllString(line, " "), " "))
	line = strings.TrimSpace(strings.Join(strings.Fields(line), " "))
	if r.PMID+r.PMCID+r.DOI != "" && strings.Trim(line, " .,;:()[]\"'-•") == "" {
		return ""
	}
	for line = strings.TrimRight(line, " ;,"); strings.HasSuffix(line, " ."); { // after an identifier
		line = strings.TrimRight(line[:len(line)-2], " ;,")
	}
	if i := strings.LastIndex(line, ". "); i > 0 { // NLM names a language that is not English at the end
		name := strings.Trim(line[i:], ". ")
		if _, first, _ := strings.Cut(name, ", "); len(name) > 3 && record.LanguageCode(cmp.Or(first, name)) != "" {
			line = line[:i+1]
		}
	}
	return line
}

// withoutLateRemark returns a line without the remark after its locator.
func withoutLateRemark(line string) string {
	for _, at := range lateRemark().FindAllStringIndex(line, -1) {
		before := strings.TrimRight(line[:at[0]], " .;,")
		if _, located, _ := new(Reference).locate(before); located {
			return before + "."
		}
	}
	return line
}

// sentences splits text after each sentence. A period after an initial, as in J. Biol., does not
// end one, and neither does a period in parentheses, as in Science (New York, N.Y. : 1883).
func sentences(text string) (parts []string) {
	start := 0
	for _, end := range sentence().FindAllStringIndex(text, -1) {
		if text[end[0]] == '.' && endsInInitial(strings.Fields(text[start:end[0]])) {
			continue
		}
		if inParentheses(text[start:end[1]], text[end[1]:]) {
			continue
		}
		parts = append(parts, text[start:end[1]])
		start = end[1]
	}
	if strings.TrimSpace(text[start:]) != "" {
		parts = append(parts, text[start:])
	}
	return parts
}

// inParentheses reports whether the place between before and after is inside parentheses.
func inParentheses(before, after string) bool {
	if strings.Count(before, "(") <= strings.Count(before, ")") {
		return false
	}
	i := strings.IndexAny(after, "()")
	return i >= 0 && after[i] == ')'
}

// isTitle reports whether the text before a year is a title instead of authors: at least four words, most
// of them in small letters, and no comma after the first or second one.
func isTitle(text string) bool {
	words := strings.Fields(text)
	small := 0
	for i, w := range words {
		if i < 2 && strings.HasSuffix(w, ",") {
			return false
		}
		if unicode.IsLower([]rune(w)[0]) {
			small++
		}
	}
	return len(words) >= 4 && 2*small > len(words)
}

// endsInInitial reports whether the last word is a single capital, by itself or after another abbreviation.
func endsInInitial(words []string) bool {
	n := len(words)
	if n == 0 || len(words[n-1]) != 1 || !initialsForm().MatchString(words[n-1]) {
		return false
	}
	return n == 1 || strings.HasSuffix(words[n-2], ".") || strings.HasSuffix(words[n-2], ",")
}

// cutAuthors splits off the authors at the beginning of head. They are "" if head does not begin
// with names. The authors of a book may be a group.
func cutAuthors(head string, isBook bool) (authors, rest string) {
	for _, names := range []func() *regexp.Regexp{dottedNames, initialsFirst} {
		if match := names().FindStringIndex(head); match != nil {
			return head[:match[1]], strings.TrimLeft(head[match[1]:], " .,")
		}
	}
	parts := sentences(head)
	if len(parts) > 1 && (nlmNames().MatchString(trimPunctuation(parts[0])) || len(parts) > 2 || isBook) {
		return parts[0], strings.TrimPrefix(head, parts[0])
	}
	return "", head
}

// setTitleAndJournal finds title and journal in the text between the authors and the volume. A
// journal may be abbreviated with periods: J. Biol. Chem.
func (r *Reference) setTitleAndJournal(text string, located bool) {
	parts := sentences(text)
	n := len(parts)
	switch {
	case n == 0, !located && len(strings.Fields(text)) == 1: // a word such as "see"
		return
	case n == 1 && located && len(strings.Fields(text)) <= 6:
		r.Journal = trimPunctuation(text)
		return
	case n == 1 || !located && len(strings.Fields(parts[n-1])) > 6:
		r.Title = titleOf(text)
		return
	}
	n--
	for n > 1 && isAbbreviation(parts[n-1]) {
		n--
	}
	r.Title, r.Journal = titleOf(strings.Join(parts[:n], "")), trimPunctuation(strings.Join(parts[n:], ""))
}

// isAbbreviation reports whether a sentence is rather part of an abbreviated journal title: at most three short,
// capitalized words that end in a period.
func isAbbreviation(part string) bool {
	words := strings.Fields(part)
	if len(words) > 3 || !strings.HasSuffix(strings.TrimSpace(part), ".") {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 8 || !unicode.IsUpper([]rune(w)[0])
	})
}

// firstAuthor returns the first of some authors as "Lerro CC". It accepts "Lerro CC, Smith A",
// "Lerro C.C., Smith A.", "Lerro, C. C., & Smith, A." and "Lerro, Catherine C., et al".
func firstAuthor(authors string) string {
	authors = trimPunctuation(authors)
	if i := strings.Index(authors, " et al"); i > 0 {
		authors = trimPunctuation(authors[:i])
	}
	name, rest, hasComma := strings.Cut(authors, ",")
	if author, _, ok := strings.Cut(name, ";"); ok {
		return strings.TrimSpace(author)
	}
	words := strings.Fields(strings.ReplaceAll(name, ".", ". "))
	isFamilyName := func(w string) bool {
		return !strings.HasSuffix(w, ".") || len([]rune(strings.Trim(w, "-."))) > 1
	}
	if i := slices.IndexFunc(words, isFamilyName); i > 0 { // C. C. Lerro, not St. Clair
		initials := strings.NewReplacer(".", "", "-", "").Replace(strings.Join(words[:i], ""))
		return strings.Join(words[i:], " ") + " " + initials
	}
	if len(words) > 1 && initialsForm().MatchString(words[len(words)-1]) {
		return strings.TrimSpace(name)
	}
	given := len(words)
	for given > 1 && !isFamilyName(words[given-1]) {
		given--
	}
	if given > 0 && given < len(words) { // Lerro C.C.
		initials := strings.NewReplacer(".", "", "-", "").Replace(strings.Join(words[given:], ""))
		return strings.Join(words[:given], " ") + " " + initials
	}
	if !hasComma {
		return strings.TrimSpace(name)
	}
	givenNames, _, _ := strings.Cut(rest, ",")
	for _, sep := range []string{" & ", " and ", ";"} {
		givenNames, _, _ = strings.Cut(givenNames, sep)
	}
	initials := ""
	for _, w := range strings.FieldsFunc(givenNames, func(r rune) bool { return r == ' ' || r == '.' || r == '-' }) {
		if initialsForm().MatchString(w) {
			initials += w
		} else if r := []rune(w)[0]; unicode.IsUpper(r) {
			initials += string(r)
		}
	}
	return strings.TrimSpace(name + " " + initials)
}

// titleOf returns a printed title without the marks that this program and journals add, or "" if the marks
// are all of it.
func titleOf(text string) string {
	title := trimPunctuation(addedToTitle().ReplaceAllString(text, ""))
	if record.Untitled(title) {
		return ""
	}
	return title
}

// removePreprintID removes the number of a preprint from the end of its title.
func (r *Reference) removePreprintID() {
	if preprintServer().MatchString(r.Journal) {
		r.Title = preprintID().ReplaceAllString(r.Title, "")
	}
}

// trimPunctuation removes spaces, punctuation and quotes around text.
func trimPunctuation(text string) string { return strings.Trim(text, " .,;:\"") }
