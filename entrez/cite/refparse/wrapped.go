package refparse

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"biomcp/entrez/pattern"
)

// maxWrapped is the maximum number of lines of a wrapped reference.
const maxWrapped = 12

// unwrap joins the lines of references that are wrapped, as in a list copied from a PDF. A line that is a
// reference by itself is not joined. Empty lines, and numbers that count up, separate references.
func unwrap(lines []string) (out []string) {
	for _, block := range blocksOf(lines) {
		out = append(out, block.join()...)
	}
	return out
}

// A block holds lines between which nothing says that a reference ends. numbered is set if it begins with
// the number of a list, and closed if the next number of the list follows it.
type block struct {
	lines            []string
	numbered, closed bool
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
			if isNext && last >= 0 {
				all[last].closed = true
			}
			all, open = append(all, block{lines: []string{l}, numbered: isNext}), true
		}
	}
	return all
}

// numberedLines returns the indexes of the lines that begin with the numbers of a list, which count up. It
// returns nil if there are not at least two.
func numberedLines(lines []string) (starts []int) {
	var at, numbers []int
	for i, l := range lines {
		if n := numberOf(l); n >= 0 {
			at, numbers = append(at, i), append(numbers, n)
		}
	}
	last := -1
	for i, n := range numbers {
		isGap := n > last+1 && last >= 0
		if n > last && !(isGap && (followsLater(numbers[i+1:], last) || isWithin(lines, at[i]))) {
			starts, last = append(starts, at[i]), n
		}
	}
	if len(starts) < 2 {
		return nil
	}
	return starts
}

// followsLater reports whether the number after last is among numbers, before another list begins.
func followsLater(numbers []int, last int) bool {
	i := slices.IndexFunc(numbers, func(n int) bool { return n <= last+1 })
	return i >= 0 && numbers[i] == last+1
}

// isWithin reports whether the number that line i begins with is rather a year, or the page of a reference that began
// in the line before.
func isWithin(lines []string, i int) bool {
	before := strings.TrimSpace(lines[i-1])
	return yearForm().MatchString(number().FindString(lines[i])) || endsOpen(before) || endsInList(before)
}

// numberOf returns the number in a reference list that a line begins with, or -1.
func numberOf(line string) int {
	n, err := strconv.Atoi(strings.Trim(number().FindString(line), "[]().\t "))
	if err != nil {
		return -1
	}
	return n
}

// join joins the lines that only together are a reference.
func (b block) join() (out []string) {
	if len(b.lines) == 1 {
		return b.lines
	}
	lines := b.lines
	if b.numbered {
		n := b.firstReference()
		out, lines = append(out, strings.Join(lines[:n], " ")), lines[n:]
	}
	for len(lines) > 0 {
		n := wrappedLines(lines)
		isWrapped := n > 1
		n = max(n, 1)
		text := strings.Join(lines[:n], " ")
		for lines = lines[n:]; isWrapped && len(lines) > 0 && continues(text, lines[0]); lines = lines[1:] {
			text += " " + lines[0]
		}
		out = append(out, text)
	}
	return out
}

// firstReference returns the number of lines of the reference at the beginning of a numbered block.
func (b block) firstReference() int {
	limit := maxWrapped
	if b.closed { // nothing else says which of the lines follow the number
		limit *= 3
	}
	n := max(wrappedLines(b.lines), 1)
	text := strings.Join(b.lines[:n], " ")
	for ; n < min(len(b.lines), limit) && !b.beginsNext(text, b.lines[n]); n++ {
		text += " " + b.lines[n]
	}
	return n
}

// beginsNext reports whether a line after the text of a numbered reference begins another reference.
func (b block) beginsNext(text, line string) bool {
	r, next := Parse(text), Parse(line)
	isLower := unicode.IsLower([]rune(strings.TrimSpace(line) + " ")[0])
	switch {
	case r.hasOnlyIdentifiers():
		return !b.closed || isWhole(line) || next.hasOnlyIdentifiers() && contradicts(r, next)
	case next.hasOnlyIdentifiers():
		return contradicts(r, next)
	case isWhole(line):
		return !endsInList(text) && (!isLower || beginsWithNames(line))
	case isWhole(text):
		return beginsWithNames(line) || !b.closed && !continues(text, line)
	}
	_, isChapter := r.cutBook(text)
	return isChapter && strings.HasSuffix(text, ".") && beginsWithNames(line)
}

// hasOnlyIdentifiers reports whether a reference consists of at least one identifier.
func (r Reference) hasOnlyIdentifiers() bool {
	return r.onlyIdentifiers() && r.DOI+r.PMID+r.PMCID != ""
}

// contradicts reports whether a line has an identifier that differs from the reference's own of that kind.
func contradicts(r, line Reference) bool {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return differ(r.DOI, line.DOI) || differ(r.PMID, line.PMID) || differ(r.PMCID, line.PMCID)
}

// wrappedLines returns the number of lines that form the reference at the beginning of lines, or 0 if they
// form none. It is 1 if the first line is a reference by itself.
func wrappedLines(lines []string) int {
	if len(strings.Fields(lines[0])) < 3 { // an identifier or a heading
		return 0
	}
	text := ""
	for i, l := range lines[:min(len(lines), maxWrapped)] {
		if i > 0 && !endsInList(text) && (beginsWithNames(l) || isWhole(l)) {
			return 0
		}
		if text = strings.TrimSpace(text + " " + l); isWhole(text) {
			return i + 1
		}
	}
	return 0
}

// isWhole reports whether text is a reference from its authors to its page, its publisher or an identifier.
func isWhole(text string) bool {
	if !yearForm().MatchString(text) {
		return false
	}
	r := Parse(text)
	if r.Author == "" || r.Year == "" {
		return false
	}
	if _, isChapter := r.cutBook(text); isChapter {
		return r.Title != "" && publisherForm().MatchString(text)
	}
	return r.Journal != "" && (r.Volume != "" && r.Page != "" || r.DOI+r.PMID+r.PMCID != "")
}

var (
	// publisherForm matches the end of a book: Woodville (WA): Wood Press; 2018. p. 79-89.
	publisherForm = pattern.Lazy(`[^.:;]{2,40}:\s*[^:;]{2,80};\s*c?(?:1[6-9]|20)\d\d(?:-(?:\d{4})?)?\.?` +
		`(?:\s*pp?\.[^.]*\.?)?\s*$`)
	// addition matches a line that only follows a reference.
	addition = pattern.Lazy(`(?i)^(?:[(\[]|(?:discussion|quiz|author reply|in press|available (?:from|at))\b|` +
		`pp?\. ?\w*\d)`)
	// lineOfNames matches the name at the beginning of a line: van der Berg B,
	lineOfNames = pattern.Lazy(`^(?:[\p{L}'-]+ ){0,3}\p{Lu}[\p{L}'-]* \p{Lu}{1,4}` +
		`(?: (?:Jr|Sr|2nd|3rd|4th|II|III|IV))?(?:[,;]|$)|\bet al$`)
)

// continues reports whether a line after a whole reference belongs to it: the identifiers that it lacks, the rest of
// a page, or a remark such as "Epub 2018 Jan 1".
func continues(text, line string) bool {
	if next := Parse(line); next.hasOnlyIdentifiers() {
		return !contradicts(Parse(text), next)
	}
	line = strings.TrimSpace(line)
	for _, form := range []func() *regexp.Regexp{remark, lateRemark} {
		if at := form().FindStringIndex(line); at != nil && at[0] == 0 {
			return true
		}
	}
	isPMID := len(line) > len("12345") && strings.Trim(line, "0123456789") == ""
	if line == "" || isPMID || numberOf(line) >= 0 || beginsWithNames(line) || isWhole(line) {
		return false
	}
	isLower := !unicode.IsUpper([]rune(line)[0])
	hasNoLetter := strings.IndexFunc(line, unicode.IsLetter) < 0
	return hasNoLetter || addition().MatchString(line) || isLower && (endsOpen(text) || endsInList(text))
}

// beginsWithNames reports whether a line begins with authors. Before a year, as in "Sci U S A. 2018", the words
// are rather the end of a journal.
func beginsWithNames(line string) bool {
	line = normalize(strings.TrimSpace(line))
	first, rest, _ := strings.Cut(line, ".")
	if rest = strings.TrimSpace(rest); rest != "" && unicode.IsDigit(rune(rest[0])) {
		return false
	}
	return lineOfNames().MatchString(first) || dottedNames().MatchString(line) || initialsFirst().MatchString(line)
}

// endsOpen reports whether text ends before the rest of a page or a volume.
func endsOpen(text string) bool {
	return strings.HasSuffix(text, "-") || strings.HasSuffix(text, "–") || strings.HasSuffix(text, ":")
}

// endsInList reports whether text ends between the items of a list, such as names.
func endsInList(text string) bool {
	return strings.HasSuffix(text, " and") || text != "" && strings.ContainsAny(text[len(text)-1:], ",;&")
}
