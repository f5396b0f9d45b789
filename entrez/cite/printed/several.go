package printed

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// several are the references of a line: identifiers of one kind and nothing else, or printed
// references behind the numbers of a list or between semicolons. A line that may be read
// otherwise is one reference: authors, volumes and identifiers follow semicolons too.
func several(line string) []string {
	words := slices.DeleteFunc(strings.Fields(line), func(w string) bool {
		return slices.Contains([]string{"pmid", "pmids", "pmcid", "pmcids", "doi", "dois", "and"}, strings.ToLower(strings.TrimRight(w, ":,;")))
	})
	for i, w := range words {
		if words[i] = strings.TrimRight(w, ",;"); strings.Trim(words[i], "0123456789") == "" {
			words[i] = "PMID:" + words[i]
		}
	}
	if len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return kind(w) == "" || kind(w) != kind(words[0]) }) {
		return words
	}
	for _, parts := range [][]string{numbered(line), between(line)} {
		if len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !placed(p) }) {
			return parts
		}
	}
	return []string{line}
}

// kind is which identifier a text is, "" for what is more or less than one.
func kind(text string) string {
	r := Parse(text)
	for name, id := range map[string]string{"pmid": r.PMID, "pmcid": r.PMCID, "doi": r.DOI} {
		if r.onlyNamed() && id != "" && id == r.PMID+r.PMCID+r.DOI {
			return name
		}
	}
	return ""
}

// onlyNamed reports whether a reference says nothing but identifiers.
func (r Reference) onlyNamed() bool {
	return r == Reference{Text: r.Text, PMID: r.PMID, PMCID: r.PMCID, DOI: r.DOI}
}

// placed reports whether a text says where an article is, and begins as a reference does.
func placed(text string) bool {
	r := Parse(text)
	return r.Journal != "" && r.Year != "" && r.Volume != "" && r.Page != "" && (r.Author != "" || unicode.IsUpper([]rune(number().ReplaceAllString(r.Text, ""))[0]))
}

// numbered divides a line before each number that follows the one before: [1], [2].
func numbered(line string) (parts []string) {
	sign := strings.TrimSpace(number().FindString(line))
	digits := strings.Trim(sign, "[]().")
	for n, err := strconv.Atoi(digits); err == nil; {
		n++
		before, after, more := strings.Cut(line, " "+strings.Replace(sign, digits, strconv.Itoa(n), 1)+" ")
		if parts = append(parts, before); !more {
			return parts
		}
		line = after
	}
	return nil
}

// between divides a line at semicolons, of which each reference may have some. What follows a
// reference and is no more than identifiers belongs to it.
func between(line string) (parts []string) {
	open := false
	for p := range strings.SplitSeq(line, "; ") {
		last := len(parts) - 1
		if open || last >= 0 && Parse(p).onlyNamed() {
			parts[last] += "; " + p
		} else {
			parts = append(parts, p)
		}
		open = !placed(parts[len(parts)-1])
	}
	return parts
}
