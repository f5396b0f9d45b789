package command

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// DidYouMean returns "; did you mean X?" with the closest of the words, or "" if none
// is close.
func DidYouMean(word string, words []string) string {
	return Guess(Nearest(word, words))
}

// Guess returns "; did you mean X?", which ends a message, or "" if there is no guess.
func Guess(word string) string {
	if word == "" {
		return ""
	}
	return "; did you mean " + word + "?"
}

// WithArticle returns a noun with its indefinite article: "an article".
func WithArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// Nearest returns the first of the words that begins with word, or else the closest one.
// That may be at most two edits, and about a third of its length, away. If there is
// none, it returns "".
func Nearest(word string, words []string) string {
	word = collapseRuns(strings.ToLower(word))
	best, minimum := "", 3
	for _, w := range words {
		lower := strings.ToLower(w)
		if n := len(word); n > 1 && strings.HasPrefix(lower, word) && (n > 2 || len(lower) <= n+2) {
			return w
		}
		if lower == "un"+word || lower == "not" { // uninstall for install, not for note
			continue
		}
		if longer := utf8.RuneCountInString(lower) - utf8.RuneCountInString(word); max(longer, -longer) >= minimum {
			continue // at least as far away as the best
		}
		if d := distance(word, lower); d < minimum && d*3 <= len([]rune(w))+1 {
			best, minimum = w, d
		}
	}
	return best
}

// SimilarNames returns at most n names that are similar to word, the most similar first: names that
// contain it, then names that differ from it in less than half of their letters.
func SimilarNames(word string, names []string, n int) []string {
	word = strings.ToLower(word)
	dissimilarity := func(name string) int {
		if name = strings.ToLower(name); strings.Contains(name, word) {
			return 0
		}
		return distance(word, name)
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return dissimilarity(name)*2 >= max(len(word), len(name))
	})
	slices.SortStableFunc(names, func(a, b string) int { return dissimilarity(a) - dissimilarity(b) })
	return names[:min(n, len(names))]
}

// IsOneEdit reports whether word is one edit away from name, which must have four letters or more.
func IsOneEdit(word, name string) bool {
	return len(name) > 3 && distance(strings.ToLower(word), name) == 1
}

// IsMisspelling reports whether word is one edit away from name, or is its beginning of at least four letters.
func IsMisspelling(word, name string) bool {
	return IsOneEdit(word, name) || len(word) > 3 && strings.HasPrefix(name, strings.ToLower(word))
}

// collapseRuns replaces three or more equal letters in a row with one, since no name
// contains such a run.
func collapseRuns(word string) string {
	var out []rune
	letters := []rune(word)
	for i := 0; i < len(letters); {
		n := 1
		for i+n < len(letters) && letters[i+n] == letters[i] {
			n++
		}
		out = append(out, letters[i])
		if n == 2 {
			out = append(out, letters[i])
		}
		i += n
	}
	return string(out)
}

// distance returns the optimal string alignment distance, which counts insertions,
// deletions, substitutions and swaps of adjacent letters. It returns 64 for longer words.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return 64
	}
	var rows [3][65]int // distances for the last three letters of x, in turn
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		d, last, beforeLast := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		d[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d[j] = min(last[j]+1, d[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[j] = min(d[j], beforeLast[j-2]+1)
			}
		}
	}
	return rows[len(x)%3][len(y)]
}

// Owner returns the entity whose ID format text matches, or "" if none does.
func (t *Tree) Owner(text string) string {
	for _, group := range t.Commands(t.Root) {
		for _, c := range t.Commands(group) {
			if def := t.Command(c); def != nil && def.MatchExclusive != nil && def.MatchExclusive(text) {
				return c.Name()
			}
		}
	}
	return ""
}

// CommandsWith returns the commands with a section that word names or nearly names, such as "get
// drug" for safety. If there is none, it returns those with a flag value that word names, such as
// "study compare --type expression".
func (t *Tree) CommandsWith(word string) (sections []string) {
	var values []string
	for _, group := range t.Commands(t.Root) {
		for _, c := range t.Commands(group) {
			def, line := t.Command(c), group.Name()+" "+c.Name()
			if slices.ContainsFunc(def.Sections, func(s Section) bool {
				return MatchesName(word, s.Name, s.Synonyms) || len(word) > 6 && Nearest(word, []string{s.Name}) != ""
			}) {
				sections = append(sections, line)
			}
			t.Flags(c).VisitAll(func(f *pflag.Flag) {
				if value, certain := CorrectValue(f, word); certain && len(word) > 6 {
					values = append(values, line+" --"+f.Name+" "+value)
				}
			})
		}
	}
	if len(sections) > 0 {
		return sections
	}
	return values
}
