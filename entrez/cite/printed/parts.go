package printed

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"biomcp/entrez/pattern"
)

var (
	number   = pattern.Lazy(`^\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}[.)])\s+`) // of the reference in its list
	doi      = pattern.Lazy(`(?i)(?:https?://[^\s]*?)?(?:\bdoi:?\s*)?\b(10\.\d{4,9}/[^\s"]+)`)
	pmid     = pattern.Lazy(`(?i)(?:\bPMID:?\s*|(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed)/)(\d{1,8})\b[/;]?`)
	pmcid    = pattern.Lazy(`(?i)(?:\bPMCID:?\s*|https?://\S*?)?\b(PMC\d{1,9})\b(?:\.\d+)?[/;]?`)
	link     = pattern.Lazy(`(?i)(?:\bAvailable (?:from|at):?\s*)?\bhttps?://\S+`)
	remark   = pattern.Lazy(`(?i)\b(?:Epub|eCollection|Print)\s+(?:ahead of print|(?:1[6-9]|20)\d\d(?:[ -][A-Za-z0-9]+)*)[.;]?|\bAccessed [^.]*\.?|\[(?:preprint|internet|e-?pub[^\]]*)\]|\b(?:Erratum|Correction|Retraction|Comment|Expression of concern|Update|Republished|Corrected and republished|Retracted and republished) (?:in|on|of|for|from):.*$`)
	quoted   = pattern.Lazy(`"([^"]{4,}[.,?!])"(?:\s|$)`)
	letters  = pattern.Lazy(`^\p{Lu}{1,4}$`)
	family   = `\p{L}[\p{L}'’ -]*`
	nlmNames = pattern.Lazy(`^` + family + ` \p{Lu}{1,4}(?: (?:Jr|Sr|2nd|3rd|4th|II|III|IV))?(?:[,;]|$)|\bet al$`)
	dotted   = pattern.Lazy(`^(?:` + family + `, (?:\p{Lu}\.[ -]?)+(?:,? ?(?:&|and) |, )?)+(?:et al\.?)?`)
	leading  = pattern.Lazy(`^(?:(?:\p{Lu}\.[ -]?)+` + family + `(?:\.?, (?:(?:and|&) )?|,? (?:and|&) ))+`) // C. C. Lerro, A. Smith,
	singly   = pattern.Lazy(`([.,)]\s+|^)‘(.+?)’[,.]\s`)                                                    // a title, behind authors or their year
	sentence = pattern.Lazy(`[.?!]["')\]]*\s+`)
)

// plain is a line with the quotes and hyphens of a keyboard, and without emphasis and the
// number that it has in its list.
func plain(line string) string {
	line = singly().ReplaceAllString(line, `$1"$2," `)
	line = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "’", "'", "‘", "'", "–", "-", "—", "-", "‐", "-", "‑", "-", "*", "", "\u00a0", " ").Replace(line)
	return number().ReplaceAllString(line, "")
}

// identifiers takes the identifiers and the remarks out of a line.
func (r *Reference) identifiers(line string) string {
	for _, id := range []struct {
		form func() *regexp.Regexp
		to   *string
	}{{pmid, &r.PMID}, {pmcid, &r.PMCID}, {doi, &r.DOI}} {
		if m := id.form().FindStringSubmatch(line); m != nil {
			*id.to = m[1]
			line = id.form().ReplaceAllString(line, " ")
		}
	}
	r.PMCID = strings.ToUpper(r.PMCID)
	r.DOI = strings.TrimRight(r.DOI, ".,;:'>]}")
	if strings.HasSuffix(r.DOI, ")") && strings.Count(r.DOI, "(") < strings.Count(r.DOI, ")") {
		r.DOI = strings.TrimRight(r.DOI, ").,")
	}
	line = remark().ReplaceAllString(link().ReplaceAllString(line, " "), " ")
	line = strings.TrimSpace(strings.Join(strings.Fields(line), " "))
	return strings.TrimRight(line, " ;,")
}

// sentences divides a text behind each stop that is not an initial's: the J. of J. Biol.
func sentences(text string) (parts []string) {
	from := 0
	for _, at := range sentence().FindAllStringIndex(text, -1) {
		words := strings.Fields(text[from:at[0]])
		if n := len(words); text[at[0]] == '.' && n > 0 && letters().MatchString(words[n-1]) && len(words[n-1]) == 1 &&
			(n == 1 || strings.HasSuffix(words[n-2], ".") || strings.HasSuffix(words[n-2], ",")) {
			continue
		}
		parts = append(parts, text[from:at[1]])
		from = at[1]
	}
	if strings.TrimSpace(text[from:]) != "" {
		parts = append(parts, text[from:])
	}
	return parts
}

// authorsOf is the authors at the beginning of a line, "" where it does not begin with
// names, and the rest.
func authorsOf(head string) (authors, rest string) {
	for _, names := range []func() *regexp.Regexp{dotted, leading} {
		if at := names().FindStringIndex(head); at != nil {
			return head[:at[1]], strings.TrimLeft(head[at[1]:], " .,")
		}
	}
	parts := sentences(head)
	if len(parts) > 1 && (nlmNames().MatchString(bare(parts[0])) || len(parts) > 2) {
		return parts[0], strings.TrimPrefix(head, parts[0])
	}
	return "", head
}

// divide finds title and journal in what is between authors and volume. A journal may be
// abbreviated with stops: J. Biol. Chem.
func (r *Reference) divide(text string, located bool) {
	parts := sentences(text)
	n := len(parts)
	switch {
	case n == 0, !located && len(strings.Fields(text)) == 1: // a word such as "see"
		return
	case n == 1 && located && len(strings.Fields(text)) <= 6:
		r.Journal = bare(text)
		return
	case n == 1 || !located && len(strings.Fields(parts[n-1])) > 6:
		r.Title = bare(text)
		return
	}
	n--
	for n > 1 && abbreviated(parts[n-1]) {
		n--
	}
	r.Title, r.Journal = bare(strings.Join(parts[:n], "")), bare(strings.Join(parts[n:], ""))
}

// abbreviated reports whether a sentence is rather the beginning of an abbreviated title of
// a journal: one to three short words in capitals, ended by a stop.
func abbreviated(part string) bool {
	words := strings.Fields(part)
	return len(words) <= 3 && strings.HasSuffix(strings.TrimSpace(part), ".") && !slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 8 || !unicode.IsUpper([]rune(w)[0])
	})
}

// first is the first of some authors, as "Lerro CC": of "Lerro CC, Smith A", of
// "Lerro, C. C., & Smith, A." and of "Lerro, Catherine C., et al".
func first(authors string) string {
	authors = bare(authors)
	if i := strings.Index(authors, " et al"); i > 0 {
		authors = bare(authors[:i])
	}
	name, rest, more := strings.Cut(authors, ",")
	if one, _, several := strings.Cut(name, ";"); several {
		return strings.TrimSpace(one)
	}
	words := strings.Fields(strings.ReplaceAll(name, ".", ". "))
	if at := slices.IndexFunc(words, func(w string) bool { return !strings.HasSuffix(w, ".") || len([]rune(strings.Trim(w, "-."))) > 1 }); at > 0 { // C. C. Lerro, not St. Clair
		return strings.Join(words[at:], " ") + " " + strings.NewReplacer(".", "", "-", "").Replace(strings.Join(words[:at], ""))
	}
	if len(words) > 1 && letters().MatchString(words[len(words)-1]) || !more {
		return strings.TrimSpace(name)
	}
	given, _, _ := strings.Cut(rest, ",")
	for _, sep := range []string{" & ", " and ", ";"} {
		given, _, _ = strings.Cut(given, sep)
	}
	initials := ""
	for _, w := range strings.FieldsFunc(given, func(r rune) bool { return r == ' ' || r == '.' || r == '-' }) {
		if letters().MatchString(w) {
			initials += w
		} else if r := []rune(w)[0]; unicode.IsUpper(r) {
			initials += string(r)
		}
	}
	return strings.TrimSpace(name + " " + initials)
}

// bare is a text without the stops and signs around it.
func bare(text string) string { return strings.Trim(text, " .,;:\"") }
