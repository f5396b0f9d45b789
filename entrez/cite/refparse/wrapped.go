package refparse

import (
	"strconv"
	"strings"
	"unicode"
)

// maxWrapped is the maximum number of lines of a wrapped reference.
const maxWrapped = 12

// unwrap joins the lines of references that are wrapped, as in a list copied from a PDF. A line that is a
// reference by itself is not joined. Empty lines, and numbers that count up, separate references.
func unwrap(lines []string) (out []string) {
	for _, block := range blocksOf(lines) {
		out = append(out, joinWrapped(block.lines, block.numbered)...)
	}
	return out
}

// A block holds lines between which nothing says that a reference ends. numbered is set if it begins with
// the number of a list.
type block struct {
	lines    []string
	numbered bool
}

func blocksOf(lines []string) (all []block) {
	starts := numberedLines(lines)
	open := false
	for i, l := range lines {
		isNext := len(starts) > 0 && starts[0] == i
		if isNext {
			starts = starts[1:]
		}
		switch last := len(all) - 1; {
		case strings.TrimSpace(l) == "": // in a numbered list it is a page break
			open = open && all[last].numbered && len(starts) > 0
		case open && !isNext:
			all[last].lines = append(all[last].lines, l)
		default:
			all, open = append(all, block{[]string{l}, isNext}), true
		}
	}
	return all
}

// numberedLines returns the indexes of the lines that begin with the numbers of a list, which count up. It
// returns nil if there are not at least two.
func numberedLines(lines []string) (starts []int) {
	next := -1
	for i, l := range lines {
		if n := numberOf(l); n >= 0 && (next < 0 || n == next) {
			starts, next = append(starts, i), n+1
		}
	}
	if len(starts) < 2 {
		return nil
	}
	return starts
}

// numberOf returns the number in a reference list that a line begins with, or -1.
func numberOf(line string) int {
	n, err := strconv.Atoi(strings.Trim(number().FindString(line), "[]().\t "))
	if err != nil {
		return -1
	}
	return n
}

// joinWrapped joins the lines of a block that only together are a reference.
func joinWrapped(lines []string, numbered bool) (out []string) {
	if len(lines) == 1 {
		return lines
	}
	for i := 0; i < len(lines); {
		n := wrappedLines(lines[i:])
		if numbered && i == 0 {
			for n = max(n, 1); n < len(lines) && !(isWhole(lines[n]) && isWhole(strings.Join(lines[:n], " "))); {
				n++
			}
		}
		isWrapped := n > 1
		n = max(n, 1)
		out = append(out, strings.Join(lines[i:i+n], " "))
		i += n
		for last := len(out) - 1; isWrapped && i < len(lines) && continues(out[last], lines[i]); i++ {
			out[last] += " " + lines[i]
		}
	}
	return out
}

// wrappedLines returns the number of lines that form the reference at the beginning of lines, or 0 if they
// form none. It is 1 if the first line is a reference by itself.
func wrappedLines(lines []string) int {
	if len(strings.Fields(lines[0])) < 3 { // an identifier or a heading
		return 0
	}
	text := ""
	for i, l := range lines[:min(len(lines), maxWrapped)] {
		if i > 0 && !endsInList(text) && (isWhole(l) || beginsWithNames(l)) {
			return 0
		}
		if text = strings.TrimSpace(text + " " + l); isWhole(text) {
			return i + 1
		}
	}
	return 0
}

// isWhole reports whether text is a reference from its authors to its page or an identifier.
func isWhole(text string) bool {
	if !yearForm().MatchString(text) {
		return false
	}
	r := Parse(text)
	isLocated := r.Volume != "" && r.Page != "" || r.DOI+r.PMID+r.PMCID != ""
	return r.Author != "" && r.Journal != "" && r.Year != "" && isLocated
}

// continues reports whether a line after a whole reference belongs to it: the identifiers that it lacks, the rest of
// a page, or a remark such as "Epub 2018 Jan 1".
func continues(text, line string) bool {
	r, next := Parse(text), Parse(line)
	if next.onlyIdentifiers() && next.DOI+next.PMID+next.PMCID != "" {
		isOther := func(own, its string) bool { return its != "" && own != "" && own != its }
		return !isOther(r.DOI, next.DOI) && !isOther(r.PMID, next.PMID) && !isOther(r.PMCID, next.PMCID)
	}
	line = strings.TrimSpace(line)
	if at := remark().FindStringIndex(line); at != nil && at[0] == 0 {
		return true
	}
	isPMID := len(line) > len("12345") && strings.Trim(line, "0123456789") == ""
	return line != "" && !unicode.IsUpper([]rune(line)[0]) && !isPMID && numberOf(line) < 0 && !isWhole(line)
}

// beginsWithNames reports whether a line begins with authors. Before a year, as in "Sci U S A. 2018", the words
// are rather the end of a journal.
func beginsWithNames(line string) bool {
	line = normalize(strings.TrimSpace(line))
	first, rest, _ := strings.Cut(line, ".")
	if rest = strings.TrimSpace(rest); rest != "" && unicode.IsDigit(rune(rest[0])) {
		return false
	}
	return nlmNames().MatchString(first) || dottedNames().MatchString(line) || initialsFirst().MatchString(line)
}

// endsInList reports whether text ends between the items of a list, such as names.
func endsInList(text string) bool {
	return strings.HasSuffix(text, " and") || text != "" && strings.ContainsAny(text[len(text)-1:], ",;&")
}
