package article

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez"
	"biomcp/entrez/cite/refparse"
)

// sameTitle is the lowest word overlap at which two titles count as equal. Titles with different numbers, as of
// two parts of a series, have at most otherNumbers.
const sameTitle, otherNumbers = 0.8, 0.79

// comparable drops the page if the summary has none, because few summaries have an
// article number.
func comparable(c refparse.Reference, s entrez.Summary) refparse.Reference {
	if s.Pages == "" {
		c.Page = ""
	}
	return c
}

// agreement returns how well a record matches a reference, from 0 to 1. It weighs the
// overlap of title words with 4, author and first page with 2, year and volume with 1, and
// skips parts that the reference lacks. It returns 1 for a reference without any of them,
// and 0 if some parts differ and those that agree weigh less than 3.
func agreement(c refparse.Reference, s entrez.Summary) float64 {
	c = comparable(c, s)
	var of, agreed float64
	part := func(weight, share float64) { of, agreed = of+weight, agreed+weight*share }
	if c.Title != "" {
		part(4, titleOverlap(c.Title, s))
	}
	for _, p := range []struct {
		weight float64
		value  string
		single refparse.Reference
	}{
		{2, c.Author, refparse.Reference{Author: c.Author}}, {2, c.Page, refparse.Reference{Page: c.Page}},
		{1, c.Year, refparse.Reference{Year: c.Year}}, {1, c.Volume, refparse.Reference{Volume: c.Volume}},
	} {
		if p.value != "" {
			same := 0.0
			if len(disagreements(p.single, s)) == 0 {
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

// isOfArticle reports whether a reference with the identifier of an article is of that article: the parts that
// resemble the record weigh more than half of those that can be compared. If the reference has a title, the title
// or the author must be among them. Misspellings, and a year off by one, do not matter. The title weighs 4, or 2 if
// it is short, author and first page 2, and journal, year and volume 1.
func isOfArticle(c refparse.Reference, s entrez.Summary) bool {
	c = comparable(c, s)
	var of, agreed float64
	part := func(value string, weight, share float64) {
		if value != "" {
			of, agreed = of+weight, agreed+weight*share
		}
	}
	same := func(single refparse.Reference) float64 {
		if len(disagreements(single, s)) == 0 {
			return 1
		}
		return 0
	}
	titleWeight := 4.0
	if len(strings.Fields(c.Title)) < 3 {
		titleWeight = 2
	}
	title := resemblance(3, c.Title, s.Title, s.VernacularTitle, s.VernacularTitle+" "+s.Title)
	author := resemblance(2, c.Author, s.Authors...)
	if c.Author != "" {
		author = max(author, same(refparse.Reference{Author: c.Author}))
	}
	if c.Title != "" && title == 0 && author == 0 {
		return false
	}
	part(c.Title, titleWeight, title)
	part(c.Author, 2, author)
	part(c.Page, 2, same(refparse.Reference{Page: c.Page}))
	part(c.Journal, 1, same(refparse.Reference{Journal: c.Journal}))
	part(c.Volume, 1, same(refparse.Reference{Volume: c.Volume}))
	sameYear := 0.0
	for _, y := range yearsAround(c.Year) {
		sameYear = max(sameYear, same(refparse.Reference{Year: y}))
	}
	part(c.Year, 1, sameYear)
	return of == 0 || agreed > of/2
}

// yearsAround returns a year with the ones before and after it.
func yearsAround(year string) []string {
	n, err := strconv.Atoi(year)
	if err != nil {
		return []string{year}
	}
	return []string{year, strconv.Itoa(n - 1), strconv.Itoa(n + 1)}
}

// resemblance returns the Dice coefficient of the groups of n letters of text and of the other text that is most
// similar to it, or 0 if it is below one half, as for unrelated texts.
func resemblance(n int, text string, others ...string) (best float64) {
	for _, o := range others {
		best = max(best, dice(letterGroups(n, text), letterGroups(n, o)))
	}
	if best < 0.5 {
		return 0
	}
	return best
}

// letterGroups returns the groups of n successive letters in text, of which each word begins with a space.
func letterGroups(n int, text string) (groups []string) {
	letters := []rune(" " + strings.Join(foldWords(text), " "))
	for i := n; i <= len(letters); i++ {
		groups = append(groups, string(letters[i-n:i]))
	}
	return groups
}

// dice returns the Dice coefficient (Dice, 1945) of two lists: twice the number of common members divided by
// the number of all. It returns 0 if both are empty.
func dice(a, b []string) float64 {
	left, common := slices.Clone(b), 0
	for _, member := range a {
		if i := slices.Index(left, member); i >= 0 {
			left = slices.Delete(left, i, i+1)
			common++
		}
	}
	return 2 * float64(common) / float64(max(1, len(a)+len(b)))
}

// titleOverlap returns the Dice coefficient of the words of two titles. It also compares the title in the
// original language.
func titleOverlap(title string, s entrez.Summary) (best float64) {
	own := foldWords(title)
	for _, t := range []string{s.Title, s.VernacularTitle, s.VernacularTitle + " " + s.Title} {
		words := foldWords(t)
		overlap := dice(own, words)
		if hasOtherNumbers(own, words) && hasOtherNumbers(words, own) {
			overlap = min(overlap, otherNumbers)
		}
		best = max(best, overlap)
	}
	return best
}

// hasOtherNumbers reports whether title has a number that other lacks, in digits or Roman.
func hasOtherNumbers(title, other []string) bool {
	return slices.ContainsFunc(title, func(w string) bool {
		isNumber := strings.Trim(w, "0123456789") == "" || slices.Contains([]string{"i", "ii", "iii", "iv"}, w)
		return isNumber && !slices.Contains(other, w)
	})
}

// foldWords returns the words of text in lower case and without accents.
func foldWords(text string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	return strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
