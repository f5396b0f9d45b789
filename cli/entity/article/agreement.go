package article

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez"
	"biomcp/entrez/cite/printed"
)

// sameTitle is the overlap from which two titles are said to be the same.
const sameTitle = 0.8

// comparable is what of a reference can be compared with a record: an article number is in
// few summaries.
func comparable(c printed.Reference, s entrez.Summary) printed.Reference {
	if s.Pages == "" {
		c.Page = ""
	}
	return c
}

// agreement is the share, from 0 to 1, of what a reference says that a record has: title 4
// parts, by the overlap of words, author and first page 2, year and volume 1. It is 1 where
// the reference says none of them, and 0 where less than 3 parts agree of one that does.
func agreement(c printed.Reference, s entrez.Summary) float64 {
	c = comparable(c, s)
	var of, agreed float64
	part := func(weight, share float64) { of, agreed = of+weight, agreed+weight*share }
	if c.Title != "" {
		part(4, titleOverlap(c.Title, s))
	}
	for _, p := range []struct {
		weight float64
		value  string
		alone  printed.Reference
	}{{2, c.Author, printed.Reference{Author: c.Author}}, {2, c.Page, printed.Reference{Page: c.Page}}, {1, c.Year, printed.Reference{Year: c.Year}}, {1, c.Volume, printed.Reference{Volume: c.Volume}}} {
		if p.value != "" {
			same := 0.0
			if len(disagreements(p.alone, s)) == 0 {
				same = 1
			}
			part(p.weight, same)
		}
	}
	switch {
	case of == 0:
		return 1
	case agreed < 3 && agreed < of:
		return 0
	}
	return agreed / of
}

// titleOverlap is the share of words that a printed title and a record's have in common
// (Dice, 1945: twice the common ones by all). A title may be printed in its own language.
func titleOverlap(title string, s entrez.Summary) (best float64) {
	own := folded(title)
	for _, t := range []string{s.Title, s.VernacularTitle, s.VernacularTitle + " " + s.Title} {
		words := folded(t)
		common, left := 0, slices.Clone(words)
		for _, w := range own {
			if i := slices.Index(left, w); i >= 0 {
				left = slices.Delete(left, i, i+1)
				common++
			}
		}
		if all := len(own) + len(words); all > 0 {
			best = max(best, 2*float64(common)/float64(all))
		}
	}
	return best
}

// folded are the words of a text in small letters, without accents.
func folded(text string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	return strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
