package skills

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shortened are the names of countries by the letters that people write for them.
var shortened = map[string]string{"US": "United States", "USA": "United States", "UK": "United Kingdom", "UAE": "United Arab Emirates"}

// someplace is one place or several, after a word that says so. Its last group is a word
// that makes it the name of something else: Guinea pigs, Colorado tick fever.
var someplace = sync.OnceValue(func() *regexp.Regexp {
	one := `(?:[A-Z][\pL-]+, )?(?:(?i:` + longestFirst(words().Countries) + `)|` + longestFirst(words().Towns) + `|USA?|UK|UAE)\b`
	return regexp.MustCompile(`(?:\b(?i:in|within|across|around|near) |, )(?:the )?(` + one + `(?:(?:,? or |,? and |, )(?:in )?(?:the )?` + one + `)*)` +
		`( (?i:encephalitis|fever|virus|syndrome|disease|tick|pigs?)\b)?`)
})

// longestFirst are names in the order in which a pattern must try them: Nigeria, Niger.
func longestFirst(names string) string {
	list := strings.Split(names, ", ")
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(list, "|")
}

// between is what separates places, not the parts of one: Vienna, Austria.
var between = lazy(`,? (?:or|and) (?:in )?(?:the )?`)

// takePlaces takes the places that a question names, as sites of trials have them.
func (q *question) takePlaces() {
	for _, m := range someplace().FindAllStringSubmatchIndex(q.text, -1) {
		if m[4] >= 0 || !q.take("place", m[0], m[1]) {
			continue
		}
		for _, name := range between().Split(q.text[m[2]:m[3]], -1) {
			q.values["place"] = append(q.values["place"], cmp.Or(shortened[name], name))
		}
	}
}
