package cite

import (
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
)

// pageRange is one run of pages, written out: last is "" for a single page or
// for an article number.
type pageRange struct{ first, last string }

var (
	pageLabel = pattern.Lazy(`^(.*?)(\d*)([A-Za-z]?)$`)
	looksPage = pattern.Lazy(`^(\d+\.)?[A-Za-z]{0,4}\d+[A-Za-z]?$|^[A-Za-z]{1,7}$`)
)

// readPages reads StartPage and EndPage, or, in records without them, MedlinePgn:
// "737-8", "e1-e8", "123-5, 130", "1-4; discussion 5". What follows a semicolon
// is not part of the work.
func (w *work) readPages() []pageRange {
	j := w.Journal
	main, _, _ := strings.Cut(line(j.Pages), ";")
	if start := line(j.StartPage); start != "" && !strings.Contains(main, ",") {
		return []pageRange{{start, expand(start, line(j.EndPage))}}
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

// expand writes out a shortened last page: 737-8 is 738, S12-7 is S17,
// 1023.e1-5 is 1023.e5, 126A-B is 126B. A page that cannot follow the first one
// is kept; the same page is no range.
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

// written is the pages with a dash of the style's own.
func written(ranges []pageRange, dash string) string {
	parts := make([]string, len(ranges))
	for i, r := range ranges {
		parts[i] = joined(dash, r.first, r.last)
	}
	return strings.Join(parts, ", ")
}

var digitsHyphen = pattern.Lazy(`(\d)-(\d)`)

// spanned is a volume or issue with a dash in a span of numbers: 4–5.
func spanned(s string) string { return digitsHyphen().ReplaceAllString(line(s), "$1–$2") }

// mlaPages shortens a range to its last two digits, or more where more differ
// (MLA Handbook, chapter 6, ranges of numbers): 737–38, 96–101, 1003–05.
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
	return written(short, "–")
}

var articleNumberLabel = pattern.Lazy(`^(?i:e)\d|^0\d|^[A-Za-z]{2,}\d|^\d{5}|\d\.\d|^[a-z]+\.`)

// articleNumber reports whether the text given for pages is the number of an
// article in a journal without pages: e5807, 031208, 1464108. A lone page of a
// printed journal (121, S172, H337) is not.
func (w *work) articleNumber() bool {
	return len(w.pages) == 1 && w.pages[0].last == "" &&
		(strings.HasPrefix(w.PubModel, "Electronic") || articleNumberLabel().MatchString(w.pages[0].first))
}
