package cite

import (
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
)

// A pageRange is a range of pages, written out. For a single page or an article number, last is "".
type pageRange struct{ first, last string }

var (
	pageLabel = pattern.Lazy(`^(.*?)(\d*)([A-Za-z]?)$`)
	looksPage = pattern.Lazy(`^(\d+\.)?[A-Za-z]{0,4}\d+[A-Za-z]?$|^[A-Za-z]{1,7}$`)
)

// readPages parses StartPage and EndPage, or MedlinePgn in records without them: "737-8", "e1-e8",
// "123-5, 130", "1-4; discussion 5". Text after a semicolon is not part of the work.
func (w *work) readPages() []pageRange {
	j := w.Journal
	main, _, _ := strings.Cut(oneLine(j.Pages), ";")
	if start := oneLine(j.StartPage); start != "" && !strings.Contains(main, ",") {
		return []pageRange{{start, expand(start, oneLine(j.EndPage))}}
	}
	if main == "" {
		return nil
	}
	var out []pageRange
	for _, part := range strings.Split(main, ",") {
		part = strings.TrimSpace(strings.ReplaceAll(part, "–", "-"))
		first, last, isRange := strings.Cut(part, "-")
		if !isRange || w.kind == preprint || !looksPage().MatchString(last) || strings.Contains(last, "-") {
			if part != "" {
				out = append(out, pageRange{first: part})
			}
			continue
		}
		out = append(out, pageRange{first, expand(first, last)})
	}
	return out
}

// expand writes out a shortened last page: 737-8 becomes 738, S12-7 becomes S17, 1023.e1-5 becomes
// 1023.e5, and 126A-B becomes 126B. It does not change a page that cannot follow the first one. It
// returns "" if the pages are equal.
func expand(first, last string) string {
	if last == "" || last == first {
		return ""
	}
	f, l := pageLabel().FindStringSubmatch(first), pageLabel().FindStringSubmatch(last)
	prefix, digits, letter := l[1], l[2], l[3]
	switch {
	case digits == "" && prefix == "" && letter != "" && f[2] != "" && f[3] != "": // 126A-B
		return f[1] + f[2] + letter
	case digits == "" || f[2] == "" || !strings.HasSuffix(f[1], prefix):
		return last
	}
	if missing := len(f[2]) - len(digits); missing > 0 {
		digits = f[2][:missing] + digits
	}
	a, _ := strconv.Atoi(f[2])
	b, err := strconv.Atoi(digits)
	if err != nil || b < a {
		return last
	}
	return f[1] + digits + letter
}

// formatPages joins page ranges, with dash between the pages of a range.
func formatPages(ranges []pageRange, dash string) string {
	parts := make([]string, len(ranges))
	for i, r := range ranges {
		parts[i] = joinNonEmpty(dash, r.first, r.last)
	}
	return strings.Join(parts, ", ")
}

var digitsHyphen = pattern.Lazy(`(\d)-(\d)`)

// enDashRange replaces the hyphen in a range of volumes or issues with an en dash: 4–5.
func enDashRange(s string) string { return digitsHyphen().ReplaceAllString(oneLine(s), "$1–$2") }

// mlaPages shortens the last page of a range to two digits, or to more if more differ (MLA
// Handbook, chapter 6, ranges of numbers): 737–38, 96–101, 1003–05.
func mlaPages(ranges []pageRange) string {
	short := make([]pageRange, len(ranges))
	for i, r := range ranges {
		short[i] = r
		a, err := strconv.Atoi(r.first)
		b, err2 := strconv.Atoi(r.last)
		if err != nil || err2 != nil || a < 100 || len(r.first) != len(r.last) {
			continue
		}
		keep := 2
		for keep < len(r.last) && r.first[:len(r.first)-keep] != r.last[:len(r.last)-keep] {
			keep++
		}
		if b > a {
			short[i].last = r.last[len(r.last)-keep:]
		}
	}
	return formatPages(short, "–")
}

var articleNumberLabel = pattern.Lazy(`^(?i:e)\d|^0\d|^[A-Za-z]{2,}\d|^\d{5}|\d\.\d|^[a-z]+\.`)

// articleNumber reports whether the text in place of pages is the number of an article in a journal
// without pages, such as e5807, 031208 or 1464108. A single page of a printed journal, such as 121,
// S172 or H337, is not.
func (w *work) articleNumber() bool {
	return len(w.pages) == 1 && w.pages[0].last == "" &&
		(strings.HasPrefix(w.PubModel, "Electronic") || articleNumberLabel().MatchString(w.pages[0].first))
}
