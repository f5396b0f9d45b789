package refparse

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// labels lists words that may stand before or between identifiers.
var labels = []string{"pmid", "pmids", "pmcid", "pmcids", "doi", "dois", "and"}

// splitLine splits a line into its references: identifiers of one kind and nothing else, or printed
// references that are numbered or separated by semicolons. Semicolons also separate authors, volumes and
// identifiers, so that a line with another possible reading is one reference.
func splitLine(line string) []string {
	words := slices.DeleteFunc(strings.Fields(line), func(w string) bool {
		return slices.Contains(labels, strings.ToLower(strings.TrimRight(w, ":,;")))
	})
	if len(words) == 0 { // a heading, such as PMID
		return nil
	}
	words = slices.DeleteFunc(words, func(w string) bool { return strings.Trim(w, ",;") == "" })
	for i, w := range words {
		if words[i] = strings.TrimRight(w, ",;"); strings.Trim(words[i], "0123456789") == "" {
			words[i] = "PMID:" + words[i]
		}
	}
	differs := func(w string) bool { return kind(w) == "" || kind(w) != kind(words[0]) }
	if len(words) > 1 && !slices.ContainsFunc(words, differs) {
		return words
	}
	for _, parts := range [][]string{splitNumbered(line), splitAtSemicolons(line)} {
		if len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !hasLocation(p) }) {
			return parts
		}
	}
	return []string{line}
}

// kind returns the kind of identifier that text is, or "" if it is not a single identifier.
func kind(text string) string {
	r := Parse(text)
	switch id := r.PMID + r.PMCID + r.DOI; {
	case id == "" || !r.onlyIdentifiers():
		return ""
	case r.PMID == id:
		return "pmid"
	case r.PMCID == id:
		return "pmcid"
	case r.DOI == id:
		return "doi"
	}
	return ""
}

// onlyIdentifiers reports whether a reference has no fields but identifiers.
func (r Reference) onlyIdentifiers() bool {
	return r == Reference{Text: r.Text, PMID: r.PMID, PMCID: r.PMCID, DOI: r.DOI}
}

// hasLocation reports whether text names journal, year, volume and page, and begins with an author or a capital.
func hasLocation(text string) bool {
	r := Parse(text)
	if r.Journal == "" || r.Year == "" || r.Volume == "" || r.Page == "" {
		return false
	}
	return r.Author != "" || unicode.IsUpper([]rune(number().ReplaceAllString(r.Text, ""))[0])
}

// splitNumbered splits a line before each number of a sequence such as [1], [2]. It returns nil if the line does
// not begin with a number.
func splitNumbered(line string) (parts []string) {
	sign := strings.TrimSpace(number().FindString(line))
	digits := strings.Trim(sign, "[]().")
	for n, err := strconv.Atoi(digits); err == nil; {
		n++
		before, after, found := strings.Cut(line, " "+strings.Replace(sign, digits, strconv.Itoa(n), 1)+" ")
		if parts = append(parts, before); !found {
			return parts
		}
		line = after
	}
	return nil
}

// splitAtSemicolons splits a line at the semicolons between references, which may contain semicolons
// themselves. Identifiers that follow a reference belong to it.
func splitAtSemicolons(line string) (parts []string) {
	incomplete := false // the last part is not a whole reference
	for p := range strings.SplitSeq(line, "; ") {
		last := len(parts) - 1
		if incomplete || last >= 0 && Parse(p).onlyIdentifiers() {
			parts[last] += "; " + p
		} else {
			parts = append(parts, p)
		}
		incomplete = !hasLocation(parts[len(parts)-1])
	}
	return parts
}
